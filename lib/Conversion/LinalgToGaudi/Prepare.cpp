// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happens before the conversion, with upstream utilities: folding,
// inlining of constants, decomposition, and everything scalar on tensors.
#include "Prepare.h"
#include "../Common/Demote.h"
#include "../Common/Retyping.h"
#include "../Common/Unroll.h"
#include "ExtOps.h"
#include "Gaudi/Dialect/KernelBuilder.h"
#include "Gaudi/Dialect/Signature.h"
#include "Nest.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

//===----------------------------------------------------------------------===//
// Decomposition and folding
//===----------------------------------------------------------------------===//

bool fromlinalg::isStatic(Operation *op) {
  auto isDynamic = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && !shaped.hasStaticShape();
  };
  return llvm::none_of(op->getOperandTypes(), isDynamic) &&
         llvm::none_of(op->getResultTypes(), isDynamic);
}

/// Ops that upstream writes as simpler ones.
static void decompose(ModuleOp module) {
  // Collected first: lowering adds and removes ops.
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<linalg::PackOp, linalg::UnPackOp, linalg::SoftmaxOp,
            linalg::WinogradFilterTransformOp, linalg::WinogradInputTransformOp,
            linalg::WinogradOutputTransformOp, tensor::GenerateOp>(op))
      ops.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (Operation *op : ops) {
    if (!isStatic(op))
      continue; // reported like every other dynamic op
    rewriter.setInsertionPoint(op);
    // What upstream refuses stays and is reported by the conversion.
    if (auto pack = dyn_cast<linalg::PackOp>(op))
      (void)linalg::lowerPack(rewriter, pack);
    else if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
      (void)linalg::lowerUnPack(rewriter, unpack);
    else if (auto generate = dyn_cast<tensor::GenerateOp>(op))
      (void)linalg::rewriteInDestinationPassingStyle(rewriter, generate);
    else if (auto winograd = dyn_cast<linalg::WinogradFilterTransformOp>(op))
      (void)linalg::decomposeWinogradFilterTransformOp(rewriter, winograd);
    else if (auto winograd = dyn_cast<linalg::WinogradInputTransformOp>(op))
      (void)linalg::decomposeWinogradInputTransformOp(rewriter, winograd);
    else if (auto winograd = dyn_cast<linalg::WinogradOutputTransformOp>(op))
      (void)linalg::decomposeWinogradOutputTransformOp(rewriter, winograd);
    else if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op)) {
      if (auto values = softmax.decomposeOperation(rewriter);
          succeeded(values)) {
        rewriter.replaceOp(op, *values);
      }
    }
  }
}

static void fold(ModuleOp module) {
  MLIRContext *context = module.getContext();
  RewritePatternSet patterns(context);
  // Canonicalization of these dialects only: cf.assert must not vanish
  // without a remark.
  for (StringRef name : {"arith", "math", "tensor", "linalg", "index"})
    if (Dialect *dialect = context->getLoadedDialect(name)) {
      dialect->getCanonicalizationPatterns(patterns);
      for (RegisteredOperationName op : context->getRegisteredOperations())
        if (&op.getDialect() == dialect)
          op.getCanonicalizationPatterns(patterns, context);
    }
  linalg::populateInlineConstantOperandsPatterns(patterns);
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  populateSimplifications(patterns);
  populateConstantNests(patterns);
  FrozenRewritePatternSet frozen(std::move(patterns));
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  // Not reaching a fixed point leaves valid IR; the conversion goes on.
  (void)applyPatternsGreedily(module, frozen, config);
}

/// More than 5 parallel dimensions: neighbours that are adjacent and in order
/// in all operands become one, so that the index space of a kernel suffices. A
/// part of such a run is such a run, so the longest from the outermost
/// dimension on leave the fewest.
static void collapseDims(ModuleOp module) {
  SmallVector<linalg::LinalgOp> ops;
  module.walk([&](linalg::LinalgOp op) {
    if (!isStatic(op))
      return;
    unsigned parallel = 0;
    for (auto [size, type] :
         llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
      parallel += size != 1 && type == utils::IteratorType::parallel;
    if (parallel > maxParallelDims)
      ops.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (linalg::LinalgOp op : ops) {
    // Windows and shifts move dimensions against each other.
    auto maps = op.getIndexingMapsArray();
    if (!llvm::all_of(
            maps, [](AffineMap map) { return map.isProjectedPermutation(); }))
      continue;
    auto types = op.getIteratorTypesArray();
    SmallVector<ReassociationIndices> sequences;
    for (int64_t dim = 0; dim < int64_t(op.getNumLoops()); ++dim) {
      // Extended as long as all operands keep the run whole.
      if (!sequences.empty() && types[dim] == types[dim - 1]) {
        ReassociationIndices longer = sequences.back();
        longer.push_back(dim);
        if (linalg::areDimSequencesPreserved(maps, {longer})) {
          sequences.back() = longer;
          continue;
        }
      }
      sequences.push_back({dim});
    }
    if (sequences.size() == op.getNumLoops())
      continue;
    rewriter.setInsertionPoint(op);
    // Only generic ops can be rewritten in other dimensions.
    if (!isa<linalg::GenericOp>(op)) {
      auto generic = linalg::generalizeNamedOp(rewriter, op);
      if (failed(generic))
        continue;
      op = *generic;
    }
    auto collapsed = linalg::collapseOpIterationDims(op, sequences, rewriter);
    if (succeeded(collapsed))
      rewriter.replaceOp(op, collapsed->results);
  }
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

/// True if a read of the block at `index` is checked to lie in [0, size) with
/// size <= limit.
static bool isGatherIndex(Block *block, Value index, int64_t limit) {
  for (auto extract : block->getOps<tensor::ExtractOp>()) {
    auto type = extract.getTensor().getType();
    for (auto [dim, used] : llvm::enumerate(extract.getIndices()))
      if (withoutCasts(used) == withoutCasts(index) &&
          !type.isDynamicDim(dim) && type.getDimSize(dim) <= limit)
        return true;
  }
  return false;
}

/// True if `op` demands of a divisor in its block that it is not zero. Such
/// guards are for hosts that trap; the device divides by zero (see
/// kernel-semantics.md).
static bool guardsDivision(cf::AssertOp op) {
  auto cmp = op.getArg().getDefiningOp<arith::CmpFOp>();
  if (!cmp || !matchPattern(cmp.getRhs(), m_AnyZeroFloat()) ||
      (cmp.getPredicate() != arith::CmpFPredicate::ONE &&
       cmp.getPredicate() != arith::CmpFPredicate::UNE))
    return false;
  return llvm::any_of(cmp.getLhs().getUsers(), [&](Operation *user) {
    auto div = dyn_cast<arith::DivFOp>(user);
    return div && div->getBlock() == op->getBlock() &&
           div.getRhs() == cmp.getLhs();
  });
}

/// Why an assertion is not needed, or an empty text.
static StringRef whyUnneeded(cf::AssertOp op) {
  if (guardsDivision(op))
    return "the device divides by zero";
  // Bounds guards compare an index with a constant.
  auto cmp = op.getArg().getDefiningOp<arith::CmpIOp>();
  APInt bound;
  if (!cmp || !matchPattern(cmp.getRhs(), m_ConstantInt(&bound)))
    return "";
  int64_t value = bound.getSExtValue();
  // No upper bound: only that it is not negative.
  constexpr int64_t any = std::numeric_limits<int64_t>::max();
  bool holds = false;
  switch (cmp.getPredicate()) {
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    holds = isGatherIndex(op->getBlock(), cmp.getLhs(), value);
    break;
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    holds =
        value < any && isGatherIndex(op->getBlock(), cmp.getLhs(), value + 1);
    break;
  // A negative index stops the gather as well.
  case arith::CmpIPredicate::sge:
    holds = value <= 0 && isGatherIndex(op->getBlock(), cmp.getLhs(), any);
    break;
  case arith::CmpIPredicate::sgt:
    holds = value < 0 && isGatherIndex(op->getBlock(), cmp.getLhs(), any);
    break;
  default:
    break;
  }
  return holds ? "the bounds check of the gather it guards is as strict" : "";
}

static void dropGuards(ModuleOp module, ConversionReport &report) {
  SmallVector<cf::AssertOp> asserts;
  module.walk([&](cf::AssertOp op) { asserts.push_back(op); });
  for (cf::AssertOp op : asserts) {
    APInt constant;
    StringRef why;
    if (matchPattern(op.getArg(), m_ConstantInt(&constant))) {
      // Compilation knows that the launch would fail.
      if (constant.isZero()) {
        (void)report.add(op, "its condition is always false (\"" + op.getMsg() +
                                 "\")");
        continue;
      }
      why = "its condition is always true";
    } else {
      why = whyUnneeded(op);
    }
    // Dropping a guard that the device does not check would change what the
    // model does.
    if (why.empty()) {
      (void)report.add(op, "data-dependent asserts are not supported, except "
                           "bounds guards of gathers and guards of a division "
                           "by zero");
      continue;
    }
    remarkPassed(op, "drop-assert",
                 "assertion \"" + op.getMsg() + "\" dropped: " + why);
    Operation *condition = op.getArg().getDefiningOp();
    op.erase();
    if (condition && isOpTriviallyDead(condition))
      condition->erase();
  }
}

//===----------------------------------------------------------------------===//
// Scalars and index tensors
//===----------------------------------------------------------------------===//

static Type withoutIndex(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.getElementType().isIndex())
    return type;
  return tensor.clone(IntegerType::get(type.getContext(), 64));
}

static Type elementFor(Type scalar) {
  return scalar.isIndex() ? IntegerType::get(scalar.getContext(), 64) : scalar;
}

/// tensor.extract of the only element. The tensor of an index holds i64, so
/// the type is given instead of inferred.
static Value onlyElement(OpBuilder &b, Location loc, Value tensor, Type type) {
  OperationState state(loc, tensor::ExtractOp::getOperationName());
  state.addOperands(tensor);
  state.addTypes(type);
  return b.create(state)->getResult(0);
}

/// A linalg.generic of rank 0 whose body computes `results` from outside.
static linalg::GenericOp
rankZero(OpBuilder &b, Location loc, TypeRange scalars,
         llvm::function_ref<ValueRange(OpBuilder &)> compute) {
  SmallVector<Type> types;
  SmallVector<Value> inits;
  SmallVector<AffineMap> maps;
  for (Type scalar : scalars) {
    types.push_back(RankedTensorType::get({}, elementFor(scalar)));
    inits.push_back(tensor::EmptyOp::create(b, loc, ArrayRef<int64_t>(),
                                            elementFor(scalar)));
    maps.push_back(AffineMap::get(b.getContext()));
  }
  return linalg::GenericOp::create(
      b, loc, types, ValueRange(), inits, maps, ArrayRef<utils::IteratorType>(),
      [&](OpBuilder &inner, Location at, ValueRange) {
        linalg::YieldOp::create(inner, at, compute(inner));
      });
}

static bool isScalar(Type type) { return type.isIntOrIndexOrFloat(); }

/// Scalar arguments, results and arithmetic at the top of a function become
/// tensors of rank 0.
static void tensorizeScalars(func::FuncOp func) {
  Block &block = func.getBody().front();
  OpBuilder b(func.getContext());
  b.setInsertionPointToStart(&block);
  // Arguments first: the ops below read their elements.
  for (BlockArgument argument : block.getArguments()) {
    Type type = argument.getType();
    if (!isScalar(type))
      continue;
    argument.setType(RankedTensorType::get({}, elementFor(type)));
    // Without a reader nothing is extracted.
    if (argument.use_empty())
      continue;
    Value element = onlyElement(b, argument.getLoc(), argument, type);
    argument.replaceAllUsesExcept(element, element.getDefiningOp());
  }
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
            op.getDialect()) ||
        op.hasTrait<OpTrait::ConstantLike>() ||
        !llvm::all_of(op.getResultTypes(), isScalar) ||
        !llvm::all_of(op.getOperandTypes(), isScalar))
      continue;
    b.setInsertionPoint(&op);
    Operation *inside = nullptr;
    auto generic = rankZero(b, op.getLoc(), op.getResultTypes(),
                            [&](OpBuilder &inner) -> ValueRange {
                              inside = inner.clone(op);
                              return inside->getResults();
                            });
    for (auto [result, tensor] :
         llvm::zip_equal(op.getResults(), generic.getResults()))
      result.replaceAllUsesWith(
          onlyElement(b, op.getLoc(), tensor, result.getType()));
    op.erase();
  }
  auto ret = dyn_cast<func::ReturnOp>(block.getTerminator());
  if (!ret)
    return;
  b.setInsertionPoint(ret);
  // Scalars that are returned become tensors of rank 0.
  for (OpOperand &operand : ret->getOpOperands()) {
    Value value = operand.get();
    if (!isScalar(value.getType()))
      continue;
    auto generic = rankZero(b, ret.getLoc(), value.getType(),
                            [&](OpBuilder &) -> ValueRange { return value; });
    operand.set(generic.getResult(0));
  }
}

/// The same for the signature of a function that only launches parts. Front
/// ends may have changed other types of the parts.
static void tensorizeSignature(func::FuncOp entry, ModuleOp module) {
  auto tensorized = [](Type type) -> Type {
    return isScalar(type) ? RankedTensorType::get({}, elementFor(type))
                          : withoutIndex(type);
  };
  auto inputs = llvm::map_to_vector(entry.getArgumentTypes(), tensorized);
  auto outputs = llvm::map_to_vector(entry.getResultTypes(), tensorized);
  for (auto part : module.getOps<func::FuncOp>()) {
    if (part->getAttr(partOfAttrName) != FlatSymbolRefAttr::get(entry) ||
        part.isExternal())
      continue;
    // Types of functions follow at the end of the conversion.
    Block &block = part.getBody().front();
    for (auto [number, type] :
         llvm::zip(parameterNumbers(part), block.getArgumentTypes()))
      if (number && *number < inputs.size())
        inputs[*number] = tensorized(type);
    for (auto [number, type] : llvm::zip(
             outputNumbers(part), block.getTerminator()->getOperandTypes()))
      if (number && *number < outputs.size())
        outputs[*number] = tensorized(type);
  }
  entry.setType(FunctionType::get(entry.getContext(), inputs, outputs));
}

/// Casts from a type to itself, which weights that became arguments leave.
static void dropIdentityCasts(ModuleOp module) {
  for (auto func : module.getOps<func::FuncOp>())
    for (Block &block : func.getBody())
      for (Operation &op : llvm::make_early_inc_range(block)) {
        auto cast = dyn_cast<tensor::CastOp>(op);
        if (!cast || cast.getSource().getType() != cast.getType())
          continue;
        cast.replaceAllUsesWith(cast.getSource());
        cast.erase();
      }
}

bool fromlinalg::isConverted(ModuleOp module) {
  auto isTensor = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getElementType().isIntOrFloat();
  };
  for (Operation &op : *module.getBody()) {
    auto func = dyn_cast<func::FuncOp>(op);
    auto isSupported = [&](Type type) {
      return isTensor(type) && whyUnsupported(type).empty();
    };
    if (!func || func.isPrivate() || func.isExternal() ||
        !func.getBody().hasOneBlock() ||
        !llvm::all_of(func.getArgumentTypes(), isSupported) ||
        !llvm::all_of(func.getResultTypes(), isSupported))
      return false;
    for (Block &block : func.getBody())
      for (Operation &inner : block) {
        bool isDevice = isa_and_nonnull<GaudiDialect>(inner.getDialect());
        if ((!isDevice && !isa<func::ReturnOp>(inner)) ||
            inner.getNumRegions() != 0 ||
            !llvm::all_of(inner.getResultTypes(), isTensor))
          return false;
      }
  }
  return true;
}

LogicalResult
fromlinalg::prepare(ModuleOp module, ConversionReport &report,
                    uint64_t maxExpandedOps,
                    llvm::function_ref<LogicalResult()> inlineCalls) {
  dropIdentityCasts(module);
  if (isConverted(module))
    return success();
  bool hasCalls = false;
  module.walk([&](func::CallOp) { hasCalls = true; });
  if (hasCalls && failed(inlineCalls()))
    return failure();
  // Declarations that nobody calls, as of functions that print results.
  for (auto func : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (func.isPrivate() && SymbolTable::symbolKnownUseEmpty(func, module))
      func.erase();
  // Folding makes shapes static, which decompositions and the types of what
  // they leave depend on; that is folded again.
  fold(module);
  // Loops whose bounds are not yet known are tried again when all is folded.
  const StringRef category = "convert-linalg-to-gaudi";
  ConversionReport notYet;
  ExpansionBudget budget(module, maxExpandedOps);
  auto isScf = [](Operation *op) {
    return isa<scf::SCFDialect>(op->getDialect());
  };
  if (expandControlFlow(module, notYet, budget, category, /*onHost=*/false,
                        isScf))
    fold(module);
  decompose(module);
  for (auto func : module.getOps<func::FuncOp>())
    demoteDoubles(func, category);
  expandLinalgExt(module);
  writeIndexedAsNests(module);
  separateResults(module);
  fold(module);
  // Refused ops stay until the report is emitted, so folding comes before.
  if (!notYet.empty() && expandControlFlow(module, report, budget, category,
                                           /*onHost=*/true, isScf)) {
    if (report.empty())
      fold(module);
    expandLinalgExt(module);
    writeIndexedAsNests(module);
  }
  dropGuards(module, report);
  for (auto func : module.getOps<func::FuncOp>())
    widenNarrowIntegers(func, report);
  collapseDims(module);
  for (auto func : module.getOps<func::FuncOp>())
    if (!func.isExternal() && func.getBody().hasOneBlock())
      tensorizeScalars(func);
  for (auto func : module.getOps<func::FuncOp>())
    if (programOf(func))
      tensorizeSignature(func, module);
  // Last, since upstream's ops demand index where these types now say i64.
  module.walk([](Operation *op) { retype(op, withoutIndex); });
  return success();
}
