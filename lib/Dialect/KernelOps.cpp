// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers, syntax and canonicalization of the generic TPC kernel, its loads
// and its stores.
#include "Checks.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/KernelBuilder.h"
#include "Gaudi/Dialect/KernelLanguage.h"
#include "Gaudi/Kernel/Rounding.h"
#include "KernelVerify.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace gaudi;

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

void KernelOp::build(OpBuilder &builder, OperationState &state,
                     TypeRange outputs, ValueRange inputs,
                     ArrayRef<int64_t> indexSpace, ArrayRef<bool> parallel,
                     StringRef label) {
  state.addOperands(inputs);
  state.addTypes(outputs);
  auto &properties = state.getOrAddProperties<Properties>();
  properties.index_space = builder.getDenseI64ArrayAttr(indexSpace);
  properties.parallel = builder.getDenseBoolArrayAttr(parallel);
  if (!label.empty())
    properties.label = builder.getStringAttr(label);
  Block &block = state.addRegion()->emplaceBlock();
  for (TypeRange types : {TypeRange(inputs), outputs})
    for (Type type : types)
      block.addArgument(type, state.location);
}

void KernelOp::clearBody() {
  Block &block = getBody().front();
  block.clear();
  block.eraseArguments(0, block.getNumArguments());
  for (TypeRange types : {TypeRange(getInputs()), TypeRange(getOutputs())})
    for (Type type : types)
      block.addArgument(type, getLoc());
}

/// Names the arguments %in0, %in1, ..., %out0, ...
void KernelOp::getAsmBlockArgumentNames(Region &, OpAsmSetValueNameFn setName) {
  for (auto [i, argument] : llvm::enumerate(getInputArguments()))
    setName(argument, "in" + std::to_string(i));
  for (auto [i, argument] : llvm::enumerate(getOutputArguments()))
    setName(argument, "out" + std::to_string(i));
}

/// Drops inputs that nothing loads from, and reads equal inputs through the
/// first of their arguments. Kernels are isolated, so CSE and dead code
/// elimination outside do not see which operands the body uses.
LogicalResult KernelOp::canonicalize(KernelOp kernel,
                                     PatternRewriter &rewriter) {
  DenseMap<Value, Value> firstOf;
  for (auto [input, argument] :
       llvm::zip(kernel.getInputs(), kernel.getInputArguments())) {
    Value first = firstOf.try_emplace(input, argument).first->second;
    if (first != argument)
      rewriter.replaceAllUsesWith(argument, first);
  }
  // Arguments and operands of the inputs have the same numbers.
  llvm::BitVector unused(kernel.getBody().getNumArguments());
  for (BlockArgument argument : kernel.getInputArguments())
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
  if (unused.none())
    return failure();
  rewriter.modifyOpInPlace(kernel, [&] {
    kernel.getBody().front().eraseArguments(unused);
    unused.resize(kernel->getNumOperands());
    kernel->eraseOperands(unused);
  });
  return success();
}

Engine KernelOp::getEngine() { return Engine::TPC; }

// The body runs once per parallel point; what is in a loop runs once per step,
// and each of its reductions combines once per step.
int64_t KernelOp::getArithmeticOps() {
  int64_t points = 1;
  for (auto [size, parallel] : llvm::zip(getIndexSpace(), getParallel()))
    if (parallel)
      points *= size;
  int64_t perPoint = 0;
  auto isWork = [](Operation &op) {
    return !isa<KernelLoadOp, KernelStoreOp, KernelIndexOp, KernelYieldOp,
                KernelLoopOp, arith::ConstantOp>(op);
  };
  for (Operation &op : getBody().front()) {
    auto loop = dyn_cast<KernelLoopOp>(op);
    if (!loop) {
      perPoint += isWork(op);
      continue;
    }
    int64_t steps = 1;
    for (int64_t dim : loop.getDims())
      steps *= getIndexSpace()[dim];
    perPoint += steps * (llvm::count_if(loop.getBody().front(), isWork) +
                         int64_t(loop.getReduce().size()));
  }
  return points * perPoint;
}

LogicalResult KernelOp::verify() {
  auto space = getIndexSpace();
  if (space.size() != getParallel().size())
    return emitOpError("has ") << space.size() << " index space dimensions but "
                               << getParallel().size() << " in 'parallel'";
  if (space.size() > maxKernelDims)
    return emitOpError("has ")
           << space.size() << " dimensions; a kernel has at most "
           << maxKernelDims;
  // The hardware's index space has fewer dimensions than a kernel may have; the
  // rest are loops within a point.
  unsigned parallel = llvm::count(getParallel(), true);
  if (parallel > maxParallelDims)
    return emitOpError("has ") << parallel
                               << " parallel dimensions; the index space of a "
                                  "TPC kernel has at most "
                               << maxParallelDims;
  for (auto [i, size] : llvm::enumerate(space))
    if (size < 1)
      return emitOpError("index space dimension ")
             << i << " has size " << size << "; expected 1 or more";
  if (getNumResults() == 0)
    return emitOpError("must have a result");
  for (Type type : getOperation()->getOperandTypes())
    if (!cast<RankedTensorType>(type).hasStaticShape())
      return emitOpError("operand type ")
             << type << " must have a static shape";
  for (Type type : getResultTypes())
    if (!cast<RankedTensorType>(type).hasStaticShape())
      return emitOpError("result type ") << type << " must have a static shape";
  // Inputs, then results: loads and stores name tensors by these arguments.
  SmallVector<Type> expected(getInputs().getTypes());
  llvm::append_range(expected, getResultTypes());
  if (getBody().getArgumentTypes() == TypeRange(expected))
    return success();
  InFlightDiagnostic diag =
      emitOpError("expects the arguments of its body to have the types of its "
                  "inputs and results, (")
      << expected << "), but they have (" << getBody().getArgumentTypes()
      << ")";
  // A body without arguments has no place that a note could point to.
  if (getBody().getNumArguments() != 0)
    diag.attachNote(getBody().getArgument(0).getLoc())
        << "the first argument is here";
  return diag;
}

/// True if `op` may be in a kernel body, at either level.
static bool isScalarOp(Operation *op) {
  Dialect *dialect = op->getDialect();
  auto isTensor = [](Type type) { return isa<ShapedType>(type); };
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(dialect) &&
         llvm::none_of(op->getOperandTypes(), isTensor) &&
         llvm::none_of(op->getResultTypes(), isTensor);
}

LogicalResult KernelOp::verifyRegions() {
  // The device's kernel language has no other control flow, no calls and no ops
  // on tensors.
  WalkResult walked = getBody().walk([&](Operation *op) {
    if (isa<KernelLoopOp, KernelYieldOp, KernelLoadOp, KernelStoreOp,
            KernelIndexOp, KernelRoundToOp>(op) ||
        isScalarOp(op))
      return WalkResult::advance();
    (void)withNote(op->emitOpError("cannot be in a TPC kernel; expected "
                                   "gaudi.kernel ops or arith and math ops on "
                                   "scalars"),
                   getLoc(), "in this kernel");
    return WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return failure();
  // With one store per result, its position map alone says which elements are
  // written, and from which points.
  for (BlockArgument result : getOutputArguments()) {
    if (result.hasOneUse())
      continue;
    InFlightDiagnostic diag =
        emitOpError("has ")
        << llvm::range_size(result.getUses()) << " stores of result "
        << result.getArgNumber() - getInputs().size() << "; expected one";
    for (Operation *store : result.getUsers())
      diag.attachNote(store->getLoc()) << "a store is here";
    return diag;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Body ops
//===----------------------------------------------------------------------===//

FailureOr<KernelOp> gaudi::verifyInKernel(Operation *op) {
  if (auto kernel = op->getParentOfType<KernelOp>())
    return kernel;
  op->emitOpError("must be inside gaudi.tpc.kernel");
  return failure();
}

/// The error with a note at the definition of the tensor it is about.
static LogicalResult atTensor(InFlightDiagnostic &&error, Value tensor) {
  return withNote(std::move(error), tensor.getLoc(),
                  "the tensor is defined here");
}

/// Checks that kernel dimension `dim` has an index at `op`: it is parallel or
/// walked by the loop around `op`.
static LogicalResult verifyDimVisible(Operation *op, KernelOp kernel,
                                      int64_t dim) {
  int64_t rank = kernel.getIndexSpace().size();
  if (dim < 0 || dim >= rank)
    return inKernel(op->emitOpError("uses kernel dimension ")
                        << dim << " but the index space has " << rank
                        << " dimensions",
                    kernel);
  if (kernel.getParallel()[dim])
    return success();
  auto loop = op->getParentOfType<KernelLoopOp>();
  if (loop && llvm::is_contained(loop.getDims(), dim))
    return success();
  return withNote(op->emitOpError("uses sequential kernel dimension ")
                      << dim << " outside a loop over it",
                  loop ? loop.getLoc() : kernel.getLoc(),
                  loop ? "in this loop" : "in this kernel");
}

/// Checks that `tensor` is one of `arguments`, those of the kernel's inputs or
/// of its results.
static LogicalResult verifyTensor(Operation *op, Value tensor,
                                  ArrayRef<BlockArgument> arguments,
                                  StringRef what) {
  if (llvm::is_contained(arguments, tensor))
    return success();
  return atTensor(op->emitOpError("expects an argument of its kernel that "
                                  "stands for ")
                      << what,
                  tensor);
}

/// Checks one position map against the tensor it addresses. `isFree(d)` says
/// that tensor dimension d need not be proven inside.
///
/// An index is a sum of dimensions times constants over a box, so its extreme
/// values are reached at corners and rangeOf is exact: the proof refuses no
/// kernel that stays inside. Ranges beyond 64 bits are at the ends of int64,
/// which no tensor contains.
static LogicalResult verifyPosition(Operation *op, KernelOp kernel,
                                    AffineMap map, Value tensor, StringRef what,
                                    llvm::function_ref<bool(unsigned)> isFree) {
  auto type = tensorType(tensor);
  auto space = kernel.getIndexSpace();
  if (map.getNumDims() != space.size() || map.getNumSymbols() != 0)
    return inKernel(op->emitOpError("map has ")
                        << map.getNumDims() << " dimensions and "
                        << map.getNumSymbols() << " symbols; expected the "
                        << space.size()
                        << " dimensions of the index space and no symbols",
                    kernel);
  if (map.getNumResults() != type.getRank())
    return atTensor(op->emitOpError("has ")
                        << map.getNumResults() << " indices but " << what
                        << " has type " << type,
                    tensor);
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    FailureOr<Affine> form = affineOf(expr);
    if (failed(form))
      return op->emitOpError("index ")
             << i << " must be a constant plus dimensions times constants";
    // A dimension that is not visible has no index here, inside or not.
    for (unsigned d = 0; d < form->size(); ++d)
      if ((*form)[d] != 0 && failed(verifyDimVisible(op, kernel, d)))
        return failure();
    if (isFree(i))
      continue;
    auto [low, high] = rangeOf(*form, space);
    if (low < 0 || high >= type.getDimSize(i))
      return atTensor(op->emitOpError("index ")
                          << i << " of " << what << " runs from " << low
                          << " to " << high << ", outside [0, "
                          << type.getDimSize(i) << ")",
                      tensor);
  }
  return success();
}

LogicalResult KernelIndexOp::verify() {
  FailureOr<KernelOp> kernel = verifyInKernel(*this);
  if (failed(kernel))
    return failure();
  return verifyDimVisible(*this, *kernel, getDim());
}

LogicalResult KernelRoundToOp::verify() {
  if (!isDeviceElement(getFormat()) ||
      !kernel::isNarrowFloat(elementTypeOf(getFormat())))
    return emitOpError("rounds to ")
           << getFormat() << "; expected bf16, f16, f8E4M3FN or f8E5M2";
  return verifyRandomWords(*this, getRounding(), getWord());
}

Boundary KernelLoadOp::getBoundaryOf(unsigned tensorDim) {
  if (auto rules = getBoundary())
    return cast<BoundaryAttr>((*rules)[tensorDim]).getValue();
  return Boundary::Inside;
}

Value KernelLoadOp::getDynamicIndex(unsigned tensorDim) {
  if (auto dims = getDynamicDims())
    for (auto [dim, index] : llvm::zip(*dims, getIndices()))
      if (dim == int64_t(tensorDim))
        return index;
  return {};
}

unsigned KernelLoadOp::getInputNumber() {
  return cast<BlockArgument>(getInput()).getArgNumber();
}

/// Checks the values that index the tensor and the dimensions they are for.
/// Nothing is known of a value, so a rule must say what an index outside does.
static LogicalResult verifyDynamicDims(KernelLoadOp load,
                                       RankedTensorType type) {
  ArrayRef<int64_t> dims;
  if (auto attr = load.getDynamicDimsAttr())
    dims = attr.asArrayRef();
  if (dims.size() != load.getIndices().size())
    return load.emitOpError("has ")
           << load.getIndices().size() << " indices but " << dims.size()
           << " dynamic dimensions";
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim < 0 || dim >= type.getRank())
      return atTensor(load.emitOpError("dynamic dimension ")
                          << dim << " does not exist in " << type,
                      load.getInput());
    // Ascending: each dimension at most once, and one way to write a load.
    if (i != 0 && dim <= dims[i - 1])
      return load.emitOpError("dynamic dimensions must ascend but ")
             << dim << " follows " << dims[i - 1];
    if (load.getBoundaryOf(dim) == Boundary::Inside)
      return withNote(
          load.emitOpError("dynamic dimension ")
              << dim << " must have boundary rule clamp, pad or checked",
          load.getIndices()[i].getLoc(), "its index is computed here");
    // The value replaces the index, so the map must add nothing to it.
    if (dim < load.getMap().getNumResults() &&
        load.getMap().getResult(dim) !=
            getAffineConstantExpr(0, load.getContext()))
      return load.emitOpError("dynamic dimension ")
             << dim << " must have 0 in the map";
  }
  return success();
}

LogicalResult KernelLoadOp::verify() {
  FailureOr<KernelOp> kernel = verifyInKernel(*this);
  if (failed(kernel) ||
      failed(verifyTensor(*this, getInput(), kernel->getInputArguments(),
                          "an input")))
    return failure();
  auto type = tensorType(getInput());
  if (getType() != kernelType(type.getElementType()))
    return atTensor(emitOpError("gives ")
                        << getType() << " but elements of " << type
                        << " load as " << kernelType(type.getElementType()),
                    getInput());
  if (auto rules = getBoundary();
      rules && int64_t(rules->size()) != type.getRank())
    return atTensor(emitOpError("has ")
                        << rules->size()
                        << " boundary rules; expected one per dimension of "
                        << type,
                    getInput());
  if (failed(verifyDynamicDims(*this, type)))
    return failure();
  // Clamping to an empty range has no answer; padding one gives the pad.
  bool pads = false;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    pads |= getBoundaryOf(i) == Boundary::Pad;
    if (getBoundaryOf(i) == Boundary::Clamp && type.getDimSize(i) == 0)
      return atTensor(emitOpError("clamps dimension ")
                          << i << " of " << type << ", which has no elements",
                      getInput());
  }
  if (pads && (!getPadAttr() || getPadAttr().getType() != getType()))
    return emitOpError("with boundary rule pad needs a pad value of type ")
           << getType();
  return verifyPosition(
      *this, *kernel, getMap(), getInput(), "the input",
      [&](unsigned dim) { return getBoundaryOf(dim) != Boundary::Inside; });
}

unsigned KernelStoreOp::getOutputNumber() {
  auto argument = cast<BlockArgument>(getOutput());
  auto kernel = cast<KernelOp>(argument.getOwner()->getParentOp());
  return argument.getArgNumber() - kernel.getInputs().size();
}

LogicalResult KernelStoreOp::verify() {
  FailureOr<KernelOp> kernel = verifyInKernel(*this);
  if (failed(kernel) ||
      failed(verifyTensor(*this, getOutput(), kernel->getOutputArguments(),
                          "a result")))
    return failure();
  auto type = tensorType(getOutput());
  if (getValue().getType() != kernelType(type.getElementType()))
    return atTensor(emitOpError("stores ")
                        << getValue().getType() << " but elements of " << type
                        << " are stored from "
                        << kernelType(type.getElementType()),
                    getOutput());
  return verifyPosition(*this, *kernel, getMap(), getOutput(), "the result",
                        [](unsigned) { return false; });
}
