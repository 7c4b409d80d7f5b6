// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unrolls loops of scf and TOSA and evaluates the branches of scf.if.
//
// Loops that cannot be unrolled are left to the host (HostLoop.h).
//
// An op is expanded by cloning its regions before it. Each clone is folded at
// once, so that the condition of the next iteration, and the bounds of loops
// inside, are known where they derive from constants. Time and size are bounded
// by the ExpansionBudget.
#include "Unroll.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "HostLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gaudi;

namespace {
using Values = FailureOr<SmallVector<Value>>;

/// Expands one outermost op.
class Expander {
public:
  Expander(Operation *outermost, ExpansionBudget &budget, StringRef category)
      : outermost(outermost), budget(budget), category(category),
        builder(outermost) {}

  /// Replaces the op, or leaves it and no other trace.
  bool run();
  /// Lets the host run the loop if it can. Else `reason` says more.
  bool runOnHost();
  LogicalResult addTo(ConversionReport &report) {
    return report.add(outermost, reason, std::move(note));
  }

private:
  /// The results of `op`, computed before it.
  Values expand(Operation *op);
  Values unroll(scf::ForOp loop);
  /// `before` gives the condition and, of scf.while, what `after` takes; else
  /// that is what `before` took.
  Values unrollWhile(Operation *loop, ValueRange inits, Block &before,
                     Block &after);
  Values choose(scf::IfOp op);

  /// Clones the block before the insertion point and returns the operands of
  /// its terminator.
  Values clone(Block &block, ValueRange arguments);
  /// Counts one iteration; fails if there are too many ops.
  LogicalResult countIteration(Operation *loop, uint64_t iterations);
  /// Fails if the branches evaluated so far have too many ops.
  LogicalResult countBranches(scf::IfOp op);
  /// Ops after `first`, the clone of a branch, will run where it is not taken:
  /// gives reads that may be outside there an index of 0, or fails.
  LogicalResult guardReads(scf::IfOp op, Operation *first, bool isThen);
  LogicalResult refuse(Operation *op, const Twine &why);
  void remarkUnrolled(Operation *loop, uint64_t iterations);

  Operation *outermost;
  ExpansionBudget &budget;
  StringRef category;
  std::string reason; // why the op stays
  std::optional<ConversionReport::Note> note;
  OpBuilder builder;
  uint64_t numCloned = 0, numGuarded = 0;
};
} // namespace

static bool isControlFlow(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp, scf::IfOp, tosa::WhileOp>(op);
}

/// The truth of a constant condition: a scalar, or a tensor of one element.
static std::optional<bool> knownCondition(Value condition) {
  Attribute constant;
  if (!matchPattern(condition, m_Constant(&constant)))
    return std::nullopt;
  if (auto number = dyn_cast<IntegerAttr>(constant))
    return !number.getValue().isZero();
  auto elements = dyn_cast<DenseIntElementsAttr>(constant);
  if (!elements || !elements.isSplat())
    return std::nullopt;
  return !elements.getSplatValue<APInt>().isZero();
}

LogicalResult Expander::refuse(Operation *op, const Twine &why) {
  if (op == outermost) {
    reason = why.str();
    return failure();
  }
  reason = ("'" + op->getName().getStringRef() + "' inside it: " + why).str();
  note = ConversionReport::Note{op->getLoc(), "this op"};
  return failure();
}

void Expander::remarkUnrolled(Operation *loop, uint64_t iterations) {
  if (loop != outermost)
    return;
  remark::passed(loop->getLoc(),
                 remark::RemarkOpts::name("unroll-loop").category(category))
      << ("unrolled the loop: " + Twine(iterations) + " iterations, " +
          Twine(numCloned) + " ops")
             .str();
}

Values Expander::clone(Block &block, ValueRange arguments) {
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  for (Operation &inner : block.without_terminator()) {
    Operation *copy = builder.clone(inner, mapping);
    numCloned = llvm::SaturatingAdd(numCloned, budget.sizes.of(&inner));
    SmallVector<Value> results;
    if (isControlFlow(copy)) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(copy);
      Values expanded = expand(copy);
      if (failed(expanded))
        return failure();
      results = *expanded;
    } else if (copy->getNumResults() == 0 ||
               failed(builder.tryFold(copy, results)) || results.empty()) {
      continue;
    }
    mapping.map(inner.getResults(), results);
    copy->erase();
  }
  SmallVector<Value> yielded;
  for (Value operand : block.getTerminator()->getOperands())
    yielded.push_back(mapping.lookupOrDefault(operand));
  return yielded;
}

LogicalResult Expander::countIteration(Operation *loop, uint64_t iterations) {
  numCloned = llvm::SaturatingAdd<uint64_t>(numCloned, 1);
  if (numCloned > budget.mostPerLoop())
    return refuse(loop, "its first " + Twine(iterations) +
                            " iterations have more than " +
                            Twine(budget.mostPerLoop()) + " ops");
  if (numCloned > budget.left())
    return refuse(loop, "with what was expanded before it, its first " +
                            Twine(iterations) + " iterations add more than " +
                            Twine(budget.most) +
                            " ops; --max-expanded-ops allows more");
  return success();
}

LogicalResult Expander::countBranches(scf::IfOp op) {
  if (numCloned <= budget.left())
    return success();
  return refuse(op, "with what was expanded before it, evaluating both "
                    "branches adds " +
                        Twine(numCloned) + " ops, to more than " +
                        Twine(budget.most) +
                        "; --max-expanded-ops allows more");
}

Values Expander::unroll(scf::ForOp loop) {
  auto low = getConstantIntValue(OpFoldResult(loop.getLowerBound()));
  auto step = getConstantIntValue(OpFoldResult(loop.getStep()));
  std::optional<APInt> count = loop.getStaticTripCount();
  if (!low || !step || !count)
    return refuse(loop, "its bounds and step are not all constant");
  Type type = loop.getInductionVar().getType();
  const unsigned width = type.isIndex() ? IndexType::kInternalStorageBitWidth
                                        : type.getIntOrFloatBitWidth();
  SmallVector<Value> state(loop.getInitArgs());
  // Counts that do not fit reach the limit first.
  const uint64_t iterations = count->getLimitedValue();
  for (uint64_t i = 0; i < iterations; ++i) {
    if (failed(countIteration(loop, i)))
      return failure();
    APInt number(width, uint64_t(*low) + i * uint64_t(*step),
                 /*isSigned=*/false, /*implicitTrunc=*/true);
    Value counter = arith::ConstantOp::create(builder, loop.getLoc(),
                                              IntegerAttr::get(type, number));
    SmallVector<Value> arguments{counter};
    llvm::append_range(arguments, state);
    Values next = clone(*loop.getBody(), arguments);
    if (failed(next))
      return failure();
    state = *next;
  }
  remarkUnrolled(loop, iterations);
  return state;
}

std::string gaudi::dependsOnData(Value condition) {
  Operation *definition = condition.getDefiningOp();
  return "its condition" +
         (definition ? " '" + definition->getName().getStringRef().str() + "'"
                     : std::string()) +
         " depends on data";
}

Values Expander::unrollWhile(Operation *loop, ValueRange inits, Block &before,
                             Block &after) {
  SmallVector<Value> state(inits);
  for (uint64_t iterations = 0;; ++iterations) {
    if (failed(countIteration(loop, iterations)))
      return failure();
    Values values = clone(before, state);
    if (failed(values))
      return failure();
    std::optional<bool> goesOn = knownCondition(values->front());
    if (!goesOn)
      return refuse(loop, dependsOnData(values->front()));
    if (isa<scf::WhileOp>(loop))
      state.assign(values->begin() + 1, values->end());
    if (!*goesOn) {
      remarkUnrolled(loop, iterations);
      return state;
    }
    Values next = clone(after, state);
    if (failed(next))
      return failure();
    state = *next;
  }
}

/// The operands of `op` that may lead it outside a tensor where its branch
/// is not taken, and would not if they were 0; none if there is no such set.
static std::optional<SmallVector<OpOperand *>> unsafeIndices(Operation *op) {
  SmallVector<OpOperand *> unsafe;
  auto addAll = [&](MutableOperandRange operands) {
    for (OpOperand &operand : operands)
      if (!matchPattern(operand.get(), m_Constant()) &&
          !operand.get().getDefiningOp<linalg::IndexOp>())
        unsafe.push_back(&operand);
  };
  if (auto indexed = dyn_cast<IndexedOpInterface>(op)) {
    if (!isSpeculatable(op))
      unsafe.push_back(&indexed.getIndicesMutable());
    return unsafe;
  }
  if (auto gather = dyn_cast<tensor::GatherOp>(op))
    addAll(gather.getIndicesMutable());
  else if (auto scatter = dyn_cast<tensor::ScatterOp>(op))
    addAll(scatter.getIndicesMutable());
  else if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    addAll(extract.getIndicesMutable());
  else if (auto insert = dyn_cast<tensor::InsertOp>(op))
    addAll(insert.getIndicesMutable());
  else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    addAll(slice.getOffsetsMutable());
  else if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
    addAll(slice.getOffsetsMutable());
  // From position 0 on, a slice is inside if its size and stride are those
  // that the verifier has seen.
  if (auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op))
    if (!getConstantIntValues(slice.getMixedSizes()) ||
        !getConstantIntValues(slice.getMixedStrides()))
      return std::nullopt;
  return unsafe;
}

/// `index` where the branch is taken, else zeros.
static Value guarded(OpBuilder &b, Location loc, Value index, Value condition,
                     bool isThen) {
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(index.getType()));
  return arith::SelectOp::create(b, loc, condition, isThen ? index : zero,
                                 isThen ? zero : index);
}

LogicalResult Expander::guardReads(scf::IfOp op, Operation *first,
                                   bool isThen) {
  // Clones are between `first` (or the start of the block) and `op`.
  Operation *inner = first ? first->getNextNode() : &op->getBlock()->front();
  for (; inner != op; inner = inner->getNextNode()) {
    bool isUnsafe = !isMemoryEffectFree(inner);
    inner->walk([&](Operation *nested) {
      auto indices = unsafeIndices(nested);
      isUnsafe |= !indices;
      if (isUnsafe || indices->empty())
        return;
      OpBuilder b(nested);
      for (OpOperand *index : *indices)
        index->set(guarded(b, nested->getLoc(), index->get(), op.getCondition(),
                           isThen));
      ++numGuarded;
    });
    if (isUnsafe)
      return refuse(op, "both branches would run, but '" +
                            inner->getName().getStringRef() +
                            "' has an effect besides its results, or reads at "
                            "an index that may be outside");
  }
  return success();
}

Values Expander::choose(scf::IfOp op) {
  if (auto known = knownCondition(op.getCondition())) {
    Region &branch = *known ? op.getThenRegion() : op.getElseRegion();
    if (branch.empty())
      return SmallVector<Value>();
    return clone(branch.front(), {});
  }
  // Both branches are computed: neither may fault where it is not taken, which
  // guardReads() makes sure of.
  SmallVector<Value> onTrue, onFalse;
  for (auto [region, values] : {std::pair(&op.getThenRegion(), &onTrue),
                                std::pair(&op.getElseRegion(), &onFalse)}) {
    if (region->empty())
      continue;
    Operation *first = op->getPrevNode();
    Values cloned = clone(region->front(), {});
    if (failed(cloned) || failed(countBranches(op)) ||
        failed(guardReads(op, first, region == &op.getThenRegion())))
      return failure();
    *values = *cloned;
  }
  SmallVector<Value> results;
  for (auto [x, y] : llvm::zip_equal(onTrue, onFalse))
    results.push_back(x == y ? x
                             : arith::SelectOp::create(builder, op.getLoc(),
                                                       op.getCondition(), x, y)
                                   .getResult());
  // One remark for the outermost op, not one for each inside.
  if (op == outermost)
    remark::passed(
        op->getLoc(),
        remark::RemarkOpts::name("select-branches").category(category))
        << ("evaluated both branches; the condition selects the results" +
            (numGuarded == 0 ? Twine()
                             : " and guards " + Twine(numGuarded) + " reads"))
               .str();
  return results;
}

Values Expander::expand(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return unroll(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return unrollWhile(loop, loop.getInits(), *loop.getBeforeBody(),
                       *loop.getAfterBody());
  if (auto loop = dyn_cast<tosa::WhileOp>(op))
    return unrollWhile(loop, loop.getInputList(), loop.getCondGraph().front(),
                       loop.getBodyGraph().front());
  return choose(cast<scf::IfOp>(op));
}

bool Expander::run() {
  if (budget.wasted > ExpansionBudget::attempts * budget.most)
    return succeeded(refuse(
        outermost, "other loops took " + Twine(budget.wasted) +
                       " cloned ops to find that they cannot be unrolled; "
                       "--max-expanded-ops allows more"));
  Operation *first = outermost->getPrevNode();
  Values results = expand(outermost);
  if (failed(results)) {
    budget.wasted += numCloned;
    while (outermost->getPrevNode() != first)
      outermost->getPrevNode()->erase();
    return false;
  }
  budget.used += numCloned;
  outermost->replaceAllUsesWith(*results);
  outermost->erase();
  return true;
}

/// scf.for as scf.while. The counter may pass the maximum of its type after the
/// last iteration, so that the condition is on the unsigned distance that is
/// left to the bound, which every iteration makes shorter by the step.
static scf::WhileOp convertToWhile(scf::ForOp loop) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value low = loop.getLowerBound(), high = loop.getUpperBound(),
        step = loop.getStep();
  Value zero = arith::ConstantOp::create(builder, loc,
                                         builder.getZeroAttr(low.getType()));
  /// x - y if the predicate holds, else 0.
  auto distance = [&](OpBuilder &b, arith::CmpIPredicate predicate, Value x,
                      Value y) -> Value {
    Value isLeft = arith::CmpIOp::create(b, loc, predicate, x, y);
    Value difference = arith::SubIOp::create(b, loc, x, y);
    return arith::SelectOp::create(b, loc, isLeft, difference, zero);
  };
  const auto greater = loop.getUnsignedCmp() ? arith::CmpIPredicate::ugt
                                             : arith::CmpIPredicate::sgt;
  // The counter of the body starts at the lower bound and is stepped beside the
  // distance, as it would be in the loop.
  SmallVector<Value> inits{distance(builder, greater, high, low), low};
  llvm::append_range(inits, loop.getInitArgs());
  auto result = scf::WhileOp::create(
      builder, loc, TypeRange(inits), inits,
      [&](OpBuilder &b, Location at, ValueRange values) {
        Value goesOn = arith::CmpIOp::create(b, at, arith::CmpIPredicate::ne,
                                             values.front(), zero);
        scf::ConditionOp::create(b, at, goesOn, values);
      },
      [&](OpBuilder &b, Location at, ValueRange values) {
        SmallVector<Value> next{
            distance(b, arith::CmpIPredicate::ugt, values[0], step),
            arith::AddIOp::create(b, at, values[1], step)};
        llvm::append_range(next,
                           cloneBlock(b, *loop.getBody(), values.drop_front()));
        scf::YieldOp::create(b, at, next);
      });
  // Without the distance and the counter.
  loop.replaceAllUsesWith(result.getResults().drop_front(2));
  loop.erase();
  return result;
}

bool Expander::runOnHost() {
  if (!isa<scf::ForOp, scf::WhileOp, tosa::WhileOp>(outermost))
    return false;
  if (std::string why = whyNotOnHost(outermost); !why.empty()) {
    reason += "; the host cannot run it: " + why;
    return false;
  }
  if (auto loop = dyn_cast<scf::ForOp>(outermost))
    outermost = convertToWhile(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(outermost)) {
    gaudi::runOnHost({loop, loop.getInits(), loop.getResults(),
                      [&](OpBuilder &b, ValueRange values) {
                        return cloneBlock(b, *loop.getBeforeBody(), values);
                      },
                      [&](OpBuilder &b, ValueRange values) {
                        return cloneBlock(b, *loop.getAfterBody(), values);
                      }},
                     category, reason);
    return true;
  }
  auto loop = cast<tosa::WhileOp>(outermost);
  runWhileOnHost(loop, loop.getCondGraph().front(), loop.getBodyGraph().front(),
                 category, reason);
  return true;
}

/// The outermost ops of control flow that are wanted and not yet refused.
static SmallVector<Operation *>
findControlFlow(ModuleOp module, const ConversionReport &report,
                llvm::function_ref<bool(Operation *)> isWanted) {
  SmallVector<Operation *> found;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isControlFlow(op) || !isWanted(op))
      return WalkResult::advance();
    if (!report.contains(op))
      found.push_back(op);
    return WalkResult::skip();
  });
  return found;
}

bool gaudi::expandControlFlow(ModuleOp module, ConversionReport &report,
                              ExpansionBudget &budget, StringRef category,
                              bool onHost,
                              llvm::function_ref<bool(Operation *)> isWanted) {
  bool isChanged = false;
  // What was inside a loop that the host runs is at the top of a part then.
  for (bool isDone = false; !isDone;) {
    isDone = true;
    for (Operation *op : findControlFlow(module, report, isWanted)) {
      Expander expander(op, budget, category);
      if (expander.run()) {
        isChanged = true;
      } else if (onHost && expander.runOnHost()) {
        isChanged = true;
        isDone = false;
      } else {
        (void)expander.addTo(report);
      }
    }
  }
  return isChanged;
}
