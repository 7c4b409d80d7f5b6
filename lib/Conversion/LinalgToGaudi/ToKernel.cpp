// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any affine loop nest to gaudi.tpc.kernel.
//
// A loop of more than one step is a dimension of the kernel: a parallel one, or
// one that a loop inside each point walks. That loop either reduces, and all
// results are stored after it or all in it, or there is no reduction and it
// walks parallel dimensions beyond those that an index space has.
#include "Gaudi/Dialect/KernelLanguage.h"
#include "Gaudi/Dialect/PaddedIndices.h"
#include "ScalarBody.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

namespace {
/// How one output is produced.
struct Output {
  DimList dims;            ///< Loop dimensions it is written by.
  bool insideLoop = false; ///< One value per step of the loop.
  KernelReduce kind = KernelReduce::Custom;
  Value step; ///< Body value given to the loop.
  bool readsInit = false;
};

/// A structured op as a kernel: its index space, inputs and outputs. `match`
/// reads the op, `build` emits what it found.
class KernelPlan {
public:
  explicit KernelPlan(Nest &nest) : nest(nest) {}
  LogicalResult match(Matcher &m);
  SmallVector<Value> build(Conversion &c);

private:
  LogicalResult chooseDims(Matcher &m);
  FailureOr<Output> matchOutput(unsigned number, Matcher &m);
  LogicalResult collectInputs(Matcher &m);
  LogicalResult checkBody(Matcher &m);
  SmallVector<Value> scalarsFromOutside();

  void emitPoint(KernelBuilder &k, ScalarBody &body);
  void emitLoop(KernelBuilder &k, ScalarBody &body);
  SmallVector<Value> emitStep(KernelBuilder &k, ScalarBody &body,
                              ArrayRef<unsigned> carried, ValueRange running);
  void loadInput(KernelBuilder &k, ScalarBody &body, unsigned number);
  void store(KernelBuilder &k, unsigned output, Value value);
  Value load(KernelBuilder &k, Value tensor, AffineMap map);
  Value emitIndex(KernelBuilder &k, AffineExpr expr);
  Value emitInit(KernelBuilder &k, unsigned output);
  AffineExpr toKernel(AffineExpr expr);
  bool usesLoop(AffineMap map);
  unsigned numberOf(Value tensor) {
    auto it = llvm::find(inputs, tensor);
    assert(it != inputs.end() && "collectInputs found every tensor");
    return it - inputs.begin();
  }

  Nest &nest;
  DimList kernelDimOf; ///< Per loop dimension; unitDim if it was dropped.
  SmallVector<int64_t> indexSpace, loopDims;
  SmallVector<bool> parallel;
  SmallVector<Output> outputs;
  SmallVector<Value> inputs;
  bool storesInLoop = false; ///< The loop walks parallel dimensions.
};
} // namespace

LogicalResult KernelPlan::chooseDims(Matcher &m) {
  kernelDimOf.assign(nest.numLoops(), unitDim);
  unsigned parallelCount = 0;
  for (unsigned dim = 0; dim < nest.numLoops(); ++dim)
    parallelCount += !nest.isUnit(dim) && !nest.reduction[dim];
  // The outermost of too many parallel dimensions are walked by a loop: the
  // inner ones, along which memory is contiguous, stay for the vectors.
  unsigned tooMany =
      parallelCount > maxParallelDims ? parallelCount - maxParallelDims : 0;
  bool reduces = false;
  for (unsigned dim = 0; dim < nest.numLoops(); ++dim) {
    if (nest.isUnit(dim))
      continue;
    kernelDimOf[dim] = indexSpace.size();
    bool isParallel = !nest.reduction[dim];
    reduces |= nest.reduction[dim];
    if (isParallel && tooMany > 0) {
      isParallel = false;
      storesInLoop = true;
      --tooMany;
    }
    if (!isParallel)
      loopDims.push_back(indexSpace.size());
    indexSpace.push_back(nest.extents[dim]);
    parallel.push_back(isParallel);
  }
  if (indexSpace.size() > maxKernelDims)
    return m.refuse("it has " + llvm::Twine(indexSpace.size()) +
                    " dimensions of a size other than 1; a TPC kernel has at "
                    "most " +
                    llvm::Twine(maxKernelDims));
  // Loops do not nest, so one loop cannot both reduce and store each step.
  if (storesInLoop && reduces)
    return m.refuse("it has " + llvm::Twine(parallelCount) +
                    " parallel dimensions of a size other than 1 beside a "
                    "reduction; a TPC kernel has at most " +
                    llvm::Twine(maxParallelDims));
  // Only loops of one step: a kernel of one point.
  if (indexSpace.empty()) {
    indexSpace.push_back(1);
    parallel.push_back(true);
  }
  return success();
}

/// The verifier of kernels demands that each element of a result is stored
/// exactly once. Distinct whole dimensions reach every element, once per
/// combination of the other loops: those must be of one step, or reduced with
/// the store after the loop.
FailureOr<Output> KernelPlan::matchOutput(unsigned number, Matcher &m) {
  const std::string name = "result " + std::to_string(number);
  auto dims = nest.outputDims(number);
  if (!dims)
    return m.refuse(name + " is not written by distinct whole dimensions, so "
                           "elements could be missed or written twice");
  Output output;
  output.dims = *dims;
  unsigned walked = 0, reduced = 0;
  for (unsigned dim = 0; dim < nest.numLoops(); ++dim) {
    if (nest.isUnit(dim))
      continue;
    bool written = llvm::is_contained(*dims, int64_t(dim));
    reduced += nest.reduction[dim];
    walked += nest.reduction[dim] && written;
    if (!nest.reduction[dim] && !written)
      return m.refuse(name + " does not vary along parallel dimension " +
                      llvm::Twine(dim) +
                      ", so its elements would be written more than once");
  }
  // A store in the loop runs in each of its steps.
  if (walked != 0 && walked != reduced)
    return m.refuse(name +
                    " varies along some of the reduced dimensions but not all");
  output.insideLoop = storesInLoop || (reduced != 0 && walked == reduced);
  // The block argument is the init of the element in a parallel step and the
  // accumulator, which starts from the init, in a reduction.
  output.readsInit = !nest.outputArg(number).use_empty();
  output.step = nest.yielded(number);
  if (!output.insideLoop && !loopDims.empty()) {
    if (auto reduction = matchReduction(nest, number)) {
      output.kind = reduction->kind;
      output.step = reduction->value;
    }
    output.readsInit = true;
  }
  return output;
}

/// The inputs are numbered in the order in which they are met here, once each:
/// operands, inits that are read, then tensors that the body extracts from. An
/// init that is one number needs no input.
LogicalResult KernelPlan::collectInputs(Matcher &m) {
  llvm::SetVector<Value> tensors;
  for (unsigned i = 0; i < nest.numInputs(); ++i) {
    if (nest.inputArg(i).use_empty())
      continue;
    if (isa<RankedTensorType>(nest.input(i).getType()))
      tensors.insert(nest.input(i));
    else
      collectTensors(nest.input(i), nest.body, tensors);
  }
  for (auto [i, output] : llvm::enumerate(outputs)) {
    Value init = nest.init(i);
    if (output.readsInit && !isUndefined(init) && !knownFill(init))
      tensors.insert(init);
  }
  collectTensors(nest.body, tensors);
  for (Value tensor : tensors) {
    if (std::string reason = whyUnsupported(tensor.getType()); !reason.empty())
      return m.refuse("a tensor that the body reads " + reason);
    inputs.push_back(tensor);
  }
  return success();
}

/// Scalars of the body from outside it; they are the same in every step.
SmallVector<Value> KernelPlan::scalarsFromOutside() {
  SmallVector<Value> scalars;
  for (Operation &op : *nest.body)
    for (Value operand : op.getOperands())
      if (Operation *def = operand.getDefiningOp();
          def && def->getBlock() != nest.body &&
          !isa<TensorType>(operand.getType()) &&
          scalarTypeOf(operand.getType()))
        scalars.push_back(operand);
  return scalars;
}

LogicalResult KernelPlan::checkBody(Matcher &m) {
  llvm::DenseSet<Value> checked;
  SmallVector<Value> roots;
  for (unsigned i = 0; i < nest.numInputs(); ++i)
    if (!nest.inputArg(i).use_empty() &&
        !isa<RankedTensorType>(nest.input(i).getType()))
      roots.push_back(nest.input(i));
  if (!loopDims.empty())
    roots.append(scalarsFromOutside());
  for (const Output &output : outputs)
    roots.push_back(output.step);
  for (Value root : roots)
    if (failed(ScalarBody::check(root, m, checked)))
      return failure();
  return success();
}

LogicalResult KernelPlan::match(Matcher &m) {
  if (failed(chooseDims(m)))
    return failure();
  for (unsigned i = 0; i < nest.numOutputs(); ++i) {
    FailureOr<Output> output = matchOutput(i, m);
    if (failed(output))
      return failure();
    outputs.push_back(*output);
  }
  return success(succeeded(collectInputs(m)) && succeeded(checkBody(m)));
}

AffineExpr KernelPlan::toKernel(AffineExpr expr) {
  MLIRContext *context = expr.getContext();
  SmallVector<AffineExpr> dims;
  for (int64_t dim : kernelDimOf)
    dims.push_back(dim == unitDim ? getAffineConstantExpr(0, context)
                                  : getAffineDimExpr(dim, context));
  return simplifyAffineExpr(expr.replaceDims(dims), indexSpace.size(), 0);
}

/// The value of an affine expression of kernel dimensions, as i64. It is
/// nested as in the text, whose depth is bounded.
///
/// arith's division truncates, affine division takes the floor. With a positive
/// divisor b, as affine expressions have, the truncated remainder r of a is in
/// (-b, b); r + b if r is negative is the floor's, and a minus that is a
/// multiple of b, on which both divisions agree.
Value KernelPlan::emitIndex(KernelBuilder &k, AffineExpr expr) {
  OpBuilder &b = k.getBuilder();
  Location loc = k.getLoc();
  Type i64 = b.getI64Type();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return k.index(dim.getPosition());
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return k.intConstant(constant.getValue(), i64);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value lhs = emitIndex(k, binary.getLHS()),
        rhs = emitIndex(k, binary.getRHS());
  Value zero = k.intConstant(0, i64), one = k.intConstant(1, i64);
  auto isNegative = [&](Value v) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, v, zero);
  };
  auto floorRemainder = [&](Value v) -> Value {
    Value rest = arith::RemSIOp::create(b, loc, v, rhs);
    Value lifted = arith::AddIOp::create(b, loc, rest, rhs);
    return arith::SelectOp::create(b, loc, isNegative(rest), lifted, rest);
  };
  auto floorQuotient = [&](Value v) -> Value {
    Value rest = floorRemainder(v);
    Value exact = arith::SubIOp::create(b, loc, v, rest);
    return arith::DivSIOp::create(b, loc, exact, rhs);
  };
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return arith::AddIOp::create(b, loc, lhs, rhs);
  case AffineExprKind::Mul:
    return arith::MulIOp::create(b, loc, lhs, rhs);
  case AffineExprKind::Mod:
    return floorRemainder(lhs);
  case AffineExprKind::FloorDiv:
    return floorQuotient(lhs);
  default: {
    // ceil(a / b) = floor((a + b - 1) / b) for integers.
    Value shifted = arith::AddIOp::create(b, loc, lhs, rhs);
    return floorQuotient(arith::SubIOp::create(b, loc, shifted, one));
  }
  }
}

/// A load at the position that `map` gives. Dimensions indexed by a division or
/// remainder, which maps of kernels do not have, are indexed by a computed
/// value with a bounds check; linalg's verifier has shown the others to be
/// inside.
Value KernelPlan::load(KernelBuilder &k, Value tensor, AffineMap map) {
  LoadPosition position;
  for (AffineExpr expr : map.getResults()) {
    AffineExpr index = toKernel(expr);
    if (succeeded(affineOf(index)))
      position.add(index);
    else
      position.add(k, emitIndex(k, index));
  }
  return position.load(k, numberOf(tensor));
}

bool KernelPlan::usesLoop(AffineMap map) {
  for (int64_t dim : loopDims)
    for (auto [loop, kernelDim] : llvm::enumerate(kernelDimOf))
      if (kernelDim == dim && map.isFunctionOfDim(loop))
        return true;
  return false;
}

Value KernelPlan::emitInit(KernelBuilder &k, unsigned output) {
  Value init = nest.init(output);
  TypedAttr fill =
      isUndefined(init) ? zeroOf(getElementTypeOrSelf(init)) : knownFill(init);
  if (fill && !getElementTypeOrSelf(init).isIndex())
    return k.constant(fill);
  if (fill)
    return k.intConstant(cast<IntegerAttr>(fill).getInt(),
                         k.getBuilder().getI64Type());
  return load(k, init, nest.outputMap(output));
}

void KernelPlan::loadInput(KernelBuilder &k, ScalarBody &body,
                           unsigned number) {
  BlockArgument argument = nest.inputArg(number);
  if (argument.use_empty())
    return;
  Value source = nest.input(number);
  body.map(argument, isa<RankedTensorType>(source.getType())
                         ? load(k, source, nest.inputMap(number))
                         : body.get(source));
}

void KernelPlan::store(KernelBuilder &k, unsigned output, Value value) {
  SmallVector<AffineExpr> position;
  for (AffineExpr expr : nest.outputMap(output).getResults())
    position.push_back(toKernel(expr));
  k.store(value, output, position);
}

/// A kernel without a loop: every point computes and stores its own results.
void KernelPlan::emitPoint(KernelBuilder &k, ScalarBody &body) {
  for (unsigned i = 0; i < nest.numInputs(); ++i)
    loadInput(k, body, i);
  for (auto [i, output] : llvm::enumerate(outputs))
    if (output.readsInit)
      body.map(nest.outputArg(i), emitInit(k, i));
  for (unsigned i = 0; i < outputs.size(); ++i)
    store(k, i, body.get(nest.yielded(i)));
}

/// One step of the loop; returns the next values of the carried outputs. What
/// the step emits is forgotten after it: values of a loop have no name outside.
SmallVector<Value> KernelPlan::emitStep(KernelBuilder &k, ScalarBody &body,
                                        ArrayRef<unsigned> carried,
                                        ValueRange running) {
  ScalarBody::Snapshot outside = body.save();
  for (unsigned i = 0; i < nest.numInputs(); ++i)
    if (usesLoop(nest.inputMap(i)))
      loadInput(k, body, i);
  for (auto [n, i] : llvm::enumerate(carried))
    body.map(nest.outputArg(i), running[n]);
  for (auto [i, output] : llvm::enumerate(outputs))
    if (output.insideLoop && output.readsInit)
      body.map(nest.outputArg(i), emitInit(k, i));
  SmallVector<Value> yields;
  for (auto [i, output] : llvm::enumerate(outputs)) {
    Value value = body.get(output.step);
    if (output.insideLoop)
      store(k, i, value);
    else
      yields.push_back(value);
  }
  body.restore(std::move(outside));
  return yields;
}

void KernelPlan::emitLoop(KernelBuilder &k, ScalarBody &body) {
  // What does not change along the loop is read once, before it.
  for (unsigned i = 0; i < nest.numInputs(); ++i)
    if (!usesLoop(nest.inputMap(i)))
      loadInput(k, body, i);
  SmallVector<Value> inits;
  SmallVector<KernelReduce> kinds;
  SmallVector<unsigned> carried;
  for (auto [i, output] : llvm::enumerate(outputs)) {
    if (output.insideLoop)
      continue;
    carried.push_back(i);
    kinds.push_back(output.kind);
    inits.push_back(emitInit(k, i));
  }
  // Emitted before the loop, where a later use outside finds them, too.
  for (Value scalar : scalarsFromOutside())
    body.get(scalar);
  SmallVector<Value> results =
      k.loop(loopDims, kinds, inits, [&](ValueRange running) {
        return emitStep(k, body, carried, running);
      });
  for (auto [n, i] : llvm::enumerate(carried))
    store(k, i, results[n]);
}

SmallVector<Value> KernelPlan::build(Conversion &c) {
  for (auto [i, output] : llvm::enumerate(outputs))
    if (output.readsInit && isUndefined(nest.init(i)))
      remarkAnalysis(nest.op, "fill-undefined",
                     "reads a tensor with undefined contents (tensor.empty); "
                     "filled with zeros");
  SmallVector<Type> types;
  for (Value init : nest.op.getDpsInits())
    types.push_back(init.getType());
  StringRef label = nest.op->getName().stripDialect();
  KernelBuilder k(c.rewriter, nest.op.getLoc(), types, inputs, indexSpace,
                  parallel, label);
  if (nest.op->hasAttr(paddedIndicesAttrName))
    setPaddedIndices(k.getOp());
  // A loop of one step is no dimension of the kernel.
  auto indexOf = [&](int64_t dim) -> Value {
    int64_t kernelDim = kernelDimOf[dim];
    return kernelDim == unitDim ? k.intConstant(0, k.getBuilder().getI64Type())
                                : k.index(kernelDim);
  };
  auto number = [&](Value tensor) { return numberOf(tensor); };
  ScalarBody body(k, number, indexOf);
  if (loopDims.empty())
    emitPoint(k, body);
  else
    emitLoop(k, body);
  return SmallVector<Value>(k.getOp().getResults());
}

LinalgMatch fromlinalg::convertToKernel(Nest &nest, Matcher &m) {
  KernelPlan plan(nest);
  if (failed(plan.match(m)))
    return failure();
  return fromlinalg::build([plan = std::move(plan)](Conversion &c) mutable {
    return plan.build(c);
  });
}
