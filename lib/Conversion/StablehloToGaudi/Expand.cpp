// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow, composites, tuples and implicit broadcasts of StableHLO.
#include "Expand.h"
#include "../Common/HostLoop.h"
#include "Attention.h"
#include "Converter.h"
#include "Gaudi/Conversion/Inlining.h"
#include "Gaudi/Conversion/Stablehlo.h"
#include "Gaudi/Conversion/StablehloForms.h"
#include "IntegerFold.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gaudi;

namespace {

class Expander {
public:
  Expander(ModuleOp module, ConversionReport &report, uint64_t maxExpandedOps)
      : module(module), report(report), builder(module.getContext()),
        budget(module, maxExpandedOps) {}

  LogicalResult run();

private:
  /// Expands one op, or adds it to the report.
  void expand(Operation *op);
  void expandLoop(Operation *loop);
  /// Replaces the loop by its iterations. Else `why` is set, and the loop and
  /// nothing else is left.
  bool unroll(Operation *loop, std::string &why);
  void runOnHost(Operation *loop, StringRef why);
  void choose(Operation *op);
  void callDecomposition(Operation *op);
  void takeElement(Operation *op);
  void writeBroadcast(Operation *op);

  /// Folds `op`; true if it is gone.
  bool fold(Operation *op);
  /// Clones the block before the insertion point, folding as it goes, and
  /// returns what its terminator returns.
  SmallVector<Value> clone(Block &block, ValueRange arguments);
  /// For one op more.
  HloWriter writer(Location loc) {
    ++budget.used;
    return {builder, loc};
  }

  ModuleOp module;
  ConversionReport &report;
  OpBuilder builder;
  ExpansionBudget budget;
  bool isExhausted = false; // an op was refused for the budget
  bool isFirstRound = true; // ops are those of the source
};
} // namespace

/// The op that `chlo.broadcast_*` is after it has broadcast its operands; None
/// for others.
static Hlo broadcastingOp(Operation *op) {
  StringRef name = op->getName().stripDialect();
  return isStablehlo(op->getName()) && hloNamed(name) == Hlo::None &&
                 name.consume_front("broadcast_")
             ? hloNamed(name)
             : Hlo::None;
}

/// True for a composite that is called: an attention of known form is one op of
/// the device.
static bool isCalled(Operation *op) {
  return isHlo(op, Hlo::Composite) &&
         !(isNamedAttention(op) && whyNotAttention(op).empty());
}

static bool isExpanded(Operation *op) {
  return isHlo(op, Hlo::While, Hlo::If, Hlo::Case, Hlo::GetTupleElement) ||
         isCalled(op) || broadcastingOp(op) != Hlo::None;
}

/// True if the region has one block with these arguments that returns values of
/// these types.
static bool hasSignature(Region &region, TypeRange arguments,
                         TypeRange results) {
  return region.hasOneBlock() && region.getArgumentTypes() == arguments &&
         endsInReturn(region.front()) &&
         region.front().back().getOperandTypes() == results;
}

bool Expander::fold(Operation *op) {
  if (!isStablehlo(op->getName()))
    return false;
  Value value = foldInteger(op, builder);
  if (!value)
    return false;
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
  return true;
}

SmallVector<Value> Expander::clone(Block &block, ValueRange arguments) {
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  for (Operation &inner : llvm::drop_end(block)) {
    Operation *copy = builder.clone(inner, mapping);
    budget.add(&inner);
    if (Value value = isStablehlo(copy->getName()) ? foldInteger(copy, builder)
                                                   : Value()) {
      mapping.map(inner.getResult(0), value);
      copy->erase();
    }
  }
  SmallVector<Value> results;
  for (Value result : block.back().getOperands())
    results.push_back(mapping.lookupOrDefault(result));
  return results;
}

/// Marks the loops of a region that is computed where it need not be.
static void markSpeculative(Region &region) {
  region.walk([&](Operation *op) {
    if (isHlo(op, Hlo::While))
      op->setAttr(speculativeAttrName, UnitAttr::get(op->getContext()));
  });
}

/// True if the condition may fold to a constant in a later iteration: it does
/// not read data, or combines what does with what does not. `budget` bounds the
/// ops that are looked at.
static bool mayBecomeConstant(Value value, unsigned &budget) {
  if (budget == 0 || integerConstant(value))
    return true;
  --budget;
  Operation *op = value.getDefiningOp();
  if (!op || !isStablehlo(op->getName()) || op->getNumOperands() == 0)
    return false;
  auto may = [&](Value operand) { return mayBecomeConstant(operand, budget); };
  // One known operand may decide.
  return isHlo(op, Hlo::And, Hlo::Or, Hlo::Select)
             ? llvm::any_of(op->getOperands(), may)
             : llvm::all_of(op->getOperands(), may);
}

/// How many iterations the loop may have by the constants that its condition
/// compares counters with. Flags that the body computes, as of line searches,
/// say nothing of it. A guess, which decides only where the loop around it
/// runs.
static uint64_t expectedIterations(Operation *loop) {
  constexpr uint64_t unknown = 32;
  if (loop->getNumRegions() != 2 || !loop->getRegion(0).hasOneBlock())
    return unknown;
  Block &condition = loop->getRegion(0).front();
  /// At the first iteration.
  auto numberOf = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner() == &condition &&
        argument.getArgNumber() < loop->getNumOperands())
      value = loop->getOperand(argument.getArgNumber());
    return integerConstant(value);
  };
  std::optional<uint64_t> fewest;
  for (Operation &op : condition) {
    if (!isHlo(&op, Hlo::Compare) || op.getNumOperands() != 2 ||
        getElementTypeOrSelf(op.getOperand(0)).isInteger(1))
      continue;
    auto left = numberOf(op.getOperand(0)), right = numberOf(op.getOperand(1));
    if (!left && !right)
      continue;
    const uint64_t first = left.value_or(0), last = right.value_or(0);
    const int64_t distance = int64_t(last - first);
    const uint64_t count = distance < 0 ? -uint64_t(distance) : distance;
    fewest = std::min(fewest.value_or(count), count);
  }
  return std::max<uint64_t>(1, fewest.value_or(unknown));
}

/// Ops that the block becomes with the loops inside it unrolled, as far as
/// their iterations are known; saturated.
static uint64_t expectedSize(Block &block) {
  // Of the regions of an op, which the walk leaves before it comes to the op.
  llvm::SmallDenseMap<Operation *, uint64_t> sizeOf;
  Operation *around = block.getParentOp();
  block.walk([&](Operation *op) {
    const uint64_t iterations =
        isHlo(op, Hlo::While) ? expectedIterations(op) : 1;
    const uint64_t inside =
        llvm::SaturatingMultiply(sizeOf.lookup(op), iterations);
    uint64_t &size = sizeOf[op->getParentOp()];
    size = llvm::SaturatingAdd<uint64_t>(size, 1, inside);
  });
  return sizeOf.lookup(around);
}

void Expander::runOnHost(Operation *loop, StringRef why) {
  if (std::string whyNot = whyNotOnHost(loop); !whyNot.empty())
    return (void)report.add(loop, why + "; the host cannot run it: " + whyNot);
  runWhileOnHost(loop, loop->getRegion(0).front(), loop->getRegion(1).front(),
                 "convert-stablehlo-to-gaudi", why);
}

void Expander::expandLoop(Operation *loop) {
  auto types = loop->getOperandTypes();
  Type boolean = RankedTensorType::get({}, builder.getI1Type());
  if (loop->getNumRegions() != 2 || loop->getResultTypes() != types ||
      !hasSignature(loop->getRegion(0), types, boolean) ||
      !hasSignature(loop->getRegion(1), types, types))
    return (void)report.add(
        loop, "expected a condition and a body that take and return the values "
              "of the loop");
  std::string why;
  if (unroll(loop, why))
    return;
  // Of an unrolled loop there are many inside: each would cut the function.
  if (isExhausted && (!isFirstRound || !whyNotOnHost(loop).empty()))
    return (void)report.add(
        loop, why + "; make the bound of the outer loop an argument, so that "
                    "the host runs it, or allow more with --max-expanded-ops");
  isExhausted = false;
  runOnHost(loop, why);
}

/// Iterations are computed one after the other as if none before them had ended
/// the loop. While its condition is a constant, that is so. From the first one
/// on whose condition depends on data, the results are chosen: those of an
/// iteration count only if its condition and all before it held.
bool Expander::unroll(Operation *loop, std::string &why) {
  Location loc = loop->getLoc();
  builder.setInsertionPoint(loop);
  Operation *first = loop->getPrevNode();
  const uint64_t before = budget.used;
  SmallVector<Value> state(loop->getOperands()), results = state;
  Value holds; // null: all conditions so far are true
  unsigned iterations = 0;
  auto giveUp = [&](const Twine &reason) {
    why = reason.str();
    while (loop->getPrevNode() != first)
      loop->getPrevNode()->erase();
    budget.wasted += budget.used - before;
    budget.used = before;
    if (holds && !loop->hasAttr(speculativeAttrName))
      loop->getRegion(1).walk(
          [](Operation *op) { op->removeAttr(speculativeAttrName); });
    return false;
  };
  // Once the loop is unrolled, it is too late for the host to run it instead of
  // those inside.
  const uint64_t sizeOfOne =
      whyNotOnHost(loop).empty()
          ? llvm::SaturatingAdd(expectedSize(loop->getRegion(0).front()),
                                expectedSize(loop->getRegion(1).front()))
          : 0;
  if (budget.wasted > budget.most)
    return giveUp("other loops took " + Twine(budget.wasted) +
                  " cloned ops to find that they cannot be unrolled");
  while (true) {
    Value condition = clone(loop->getRegion(0).front(), state).front();
    std::optional<int64_t> known = integerConstant(condition);
    if (known && *known == 0)
      break;
    // What the body makes of constants is known after the first iterations.
    unsigned looks = 256; // at ops; conditions have fewer
    if (!known && iterations >= 2 && !mayBecomeConstant(condition, looks))
      return giveUp(dependsOnData(condition));
    if (!known) {
      if (!holds)
        markSpeculative(loop->getRegion(1));
      holds =
          holds ? writer(loc).binary(Hlo::And, holds, condition) : condition;
    }
    state = clone(loop->getRegion(1).front(), state);
    ++iterations;
    ++budget.used; // an empty body must end, too
    isExhausted = budget.left() == 0;
    if (isExhausted)
      return giveUp("with the loops around and before it, its first " +
                    Twine(iterations) +
                    " iterations bring the module to more than " +
                    Twine(budget.most) + " cloned ops");
    if (llvm::SaturatingMultiply<uint64_t>(sizeOfOne, iterations) >
        budget.mostPerLoop())
      return giveUp(
          "its first " + Twine(iterations) + " iterations have more than " +
          Twine(budget.mostPerLoop()) + " ops with the loops inside them");
    if (budget.used - before > budget.mostPerLoop())
      return giveUp("its first " + Twine(iterations) +
                    " iterations have more than " +
                    Twine(budget.mostPerLoop()) + " ops");
    for (auto [result, value] : llvm::zip_equal(results, state))
      if (result != value)
        result = holds ? writer(loc).select(holds, value, result) : value;
  }
  remark::passed(loc, remark::RemarkOpts::name("unroll-loop")
                          .category("convert-stablehlo-to-gaudi"))
      << ("unrolled the loop: " + Twine(iterations) + " iterations" +
          (holds ? ", of which later ones may be left out by a condition on "
                   "data"
                 : ""))
             .str();
  loop->replaceAllUsesWith(results);
  loop->erase();
  return true;
}

/// Branches have no effects, so that all may be computed.
void Expander::choose(Operation *op) {
  const bool isIf = isHlo(op, Hlo::If);
  const unsigned numBranches = op->getNumRegions();
  if (op->getNumOperands() != 1 || numBranches == 0 ||
      (isIf && numBranches != 2) ||
      llvm::any_of(op->getRegions(), [&](Region &branch) {
        return !hasSignature(branch, {}, op->getResultTypes());
      }))
    return (void)report.add(op, "expected one selector, and branches that "
                                "return the results of the op");
  Location loc = op->getLoc();
  Value selector = op->getOperand(0);
  auto scalar = dyn_cast<RankedTensorType>(selector.getType());
  if (!scalar || scalar.getRank() != 0 ||
      !scalar.getElementType().isInteger(isIf ? 1 : 32))
    return (void)report.add(op, isIf ? "the predicate must be an i1 scalar"
                                     : "the index must be an i32 scalar");
  builder.setInsertionPoint(op);
  auto finish = [&](ValueRange values) {
    op->replaceAllUsesWith(values);
    op->erase();
  };
  if (auto known = integerConstant(selector)) {
    // An index outside stands for the last branch.
    int64_t chosen = isIf ? (*known != 0 ? 0 : 1) : *known;
    if (chosen < 0 || chosen >= numBranches)
      chosen = numBranches - 1;
    return finish(clone(op->getRegion(chosen).front(), {}));
  }
  // The branches that are not taken are computed, too.
  for (Region &branch : op->getRegions())
    markSpeculative(branch);
  // The last branch is the default, as for an index outside; each other one
  // replaces its results where it is chosen.
  SmallVector<Value> results =
      clone(op->getRegion(numBranches - 1).front(), {});
  for (unsigned i = 0; i + 1 < numBranches; ++i) {
    Value isChosen = selector;
    if (!isIf) {
      Value number = HloWriter(builder, loc).splat(scalar, int64_t(i));
      isChosen = writer(loc).compare(ComparePredicate::EQ, selector, number);
    }
    SmallVector<Value> values = clone(op->getRegion(i).front(), {});
    // Branches that return the same value need no selection.
    for (auto [result, value] : llvm::zip_equal(results, values))
      if (result != value)
        result = writer(loc).select(isChosen, value, result);
  }
  if (budget.left() == 0) {
    // What was cloned is dead, and the pass fails.
    isExhausted = true;
    return (void)report.add(
        op, "with what was expanded before it, its " + Twine(numBranches) +
                " branches bring the module to more than " +
                Twine(budget.most) +
                " cloned ops; --max-expanded-ops allows more");
  }
  remark::passed(loc, remark::RemarkOpts::name("select-branches")
                          .category("convert-stablehlo-to-gaudi"))
      << ("evaluated all " + Twine(numBranches) +
          " branches; the selector chooses the results")
             .str();
  finish(results);
}

static constexpr StringLiteral noDecomposition =
    "attribute 'decomposition' must name a function with the types of the op";

/// The function of a composite; null unless it has the types of the op.
static func::FuncOp decompositionOf(Operation *op, ModuleOp module) {
  auto name = op->getAttrOfType<FlatSymbolRefAttr>("decomposition");
  auto callee = name ? module.lookupSymbol<func::FuncOp>(name) : func::FuncOp();
  const bool fits =
      callee && TypeRange(callee.getArgumentTypes()) == op->getOperandTypes() &&
      TypeRange(callee.getResultTypes()) == op->getResultTypes();
  return fits ? callee : func::FuncOp();
}

LogicalResult gaudi::callDynamicComposites(ModuleOp module) {
  auto isDynamic = [](Type type) {
    auto tensor = dyn_cast<ShapedType>(type);
    return tensor && !tensor.hasStaticShape();
  };
  SmallVector<Operation *> composites;
  module.walk([&](Operation *op) {
    if (isCalled(op) && (llvm::any_of(op->getOperandTypes(), isDynamic) ||
                         llvm::any_of(op->getResultTypes(), isDynamic)))
      composites.push_back(op);
  });
  // Collected first: the walk must not see what replaces them.
  for (Operation *op : composites) {
    func::FuncOp callee = decompositionOf(op, module);
    if (!callee)
      return op->emitError(noDecomposition);
    OpBuilder builder(op);
    op->replaceAllUsesWith(
        func::CallOp::create(builder, op->getLoc(), callee, op->getOperands()));
    op->erase();
  }
  return success();
}

void Expander::callDecomposition(Operation *op) {
  func::FuncOp callee = decompositionOf(op, module);
  if (!callee)
    return (void)report.add(op, noDecomposition);
  if (isNamedAttention(op))
    remark::missed(op->getLoc(), remark::RemarkOpts::name("raise").category(
                                     "convert-stablehlo-to-gaudi"))
        << "called the decomposition of an attention: " + whyNotAttention(op);
  builder.setInsertionPoint(op);
  auto call =
      func::CallOp::create(builder, op->getLoc(), callee, op->getOperands());
  op->replaceAllUsesWith(call.getResults());
  op->erase();
}

void Expander::takeElement(Operation *op) {
  Operation *tuple =
      op->getNumOperands() == 1 ? op->getOperand(0).getDefiningOp() : nullptr;
  auto index = op->getAttrOfType<IntegerAttr>("index");
  auto refuse = [&] {
    (void)report.add(op, "expected an element of a tuple that is made in this "
                         "function");
  };
  if (op->getNumResults() != 1 || !tuple || !isHlo(tuple, Hlo::Tuple) ||
      !index || index.getValue().getActiveBits() > 31)
    return refuse();
  const uint64_t number = index.getValue().getZExtValue();
  if (number >= tuple->getNumOperands() ||
      tuple->getOperand(number).getType() != op->getResult(0).getType())
    return refuse();
  op->getResult(0).replaceAllUsesWith(tuple->getOperand(number));
  op->erase();
  if (tuple->use_empty())
    tuple->erase();
}

/// Operands are broadcast to the result as NumPy does: by their last
/// dimensions.
void Expander::writeBroadcast(Operation *op) {
  auto type = op->getNumResults() == 1
                  ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                  : RankedTensorType();
  if (!type || !type.hasStaticShape())
    return (void)report.add(op, "expected one result of static shape");
  Attribute given = op->getAttr("broadcast_dimensions");
  builder.setInsertionPoint(op);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    auto from = dyn_cast<RankedTensorType>(operand.getType());
    if (!from || !from.hasStaticShape() || from.getRank() > type.getRank())
      return (void)report.add(op, "expected operands of static shape, whose "
                                  "rank is not larger than the result's");
    if (from.getShape() == type.getShape()) {
      operands.push_back(operand);
      continue;
    }
    SmallVector<int64_t> dims;
    for (int64_t i = 0; i < from.getRank(); ++i)
      dims.push_back(type.getRank() - from.getRank() + i);
    // The attribute says where dimensions go only if there are fewer of them.
    Attribute map = from.getRank() < type.getRank() && given
                        ? given
                        : builder.getDenseI64ArrayAttr(dims);
    operands.push_back(
        writer(op->getLoc())
            .create(Hlo::BroadcastInDim, operand, from.clone(type.getShape()),
                    builder.getNamedAttr("broadcast_dimensions", map)));
  }
  // All other attributes are those of the op itself.
  SmallVector<NamedAttribute> attributes(attributesOf(op).getValue());
  llvm::erase_if(attributes, [](NamedAttribute attribute) {
    return attribute.getName() == "broadcast_dimensions";
  });
  Value value = writer(op->getLoc())
                    .create(broadcastingOp(op), operands, type, attributes);
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
}

void Expander::expand(Operation *op) {
  switch (hloOf(op)) {
  case Hlo::While:
    return expandLoop(op);
  case Hlo::If:
  case Hlo::Case:
    return choose(op);
  case Hlo::Composite:
    return callDecomposition(op);
  case Hlo::GetTupleElement:
    return takeElement(op);
  default:
    return writeBroadcast(op);
  }
}

LogicalResult Expander::run() {
  // Operands first: what is folded may be the bound of a loop.
  SmallVector<Operation *> all;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) { all.push_back(op); });
  for (Operation *op : all)
    (void)fold(op);
  // Each round expands the outermost ops; what was inside them is seen by
  // the next one.
  for (;; isFirstRound = false) {
    SmallVector<Operation *> found;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isExpanded(op))
        return WalkResult::advance();
      if (!report.contains(op))
        found.push_back(op);
      return WalkResult::skip();
    });
    if (found.empty())
      return success();
    for (Operation *op : found) {
      expand(op);
      // The loops that are left would only say the same.
      if (isExhausted)
        return failure();
    }
  }
}

LogicalResult gaudi::expandStablehlo(ModuleOp module, ConversionReport &report,
                                     uint64_t maxExpandedOps) {
  return Expander(module, report, maxExpandedOps).run();
}
