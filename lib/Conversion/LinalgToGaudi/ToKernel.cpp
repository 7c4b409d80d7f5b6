// Any affine loop nest to gaudi.tpc.kernel.
#include "ScalarBody.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::fromlinalg;

namespace {
/// How one output is produced.
struct Output {
  DimList dims;            ///< Loop dimensions it is written by.
  bool insideLoop = false; ///< One value per step of the loop.
  KernelReduce kind = KernelReduce::Custom;
  Value step; ///< Body value given to the loop.
  bool readsInit = false;
};

class KernelConverter {
public:
  KernelConverter(Conversion &c, Nest &nest, std::string &why)
      : c(c), nest(nest), why(why) {}
  Raised run();

private:
  bool chooseDims();
  bool describeOutputs();
  bool collectInputs();
  bool emitBody(KernelBuilder &k);
  Value load(KernelBuilder &k, Value tensor, AffineMap map);
  Value emitIndex(KernelBuilder &k, AffineExpr expr);
  AffineExpr toKernel(AffineExpr expr);
  bool usesLoop(AffineMap map);
  unsigned numberOf(Value tensor) {
    return llvm::find(inputs, tensor) - inputs.begin();
  }
  Value emitInit(KernelBuilder &k, unsigned output);

  Conversion &c;
  Nest &nest;
  std::string &why;
  DimList kernelDimOf; ///< Per loop dimension; unitDim if it was dropped.
  SmallVector<int64_t> indexSpace, loopDims;
  SmallVector<bool> parallel;
  SmallVector<Output> outputs;
  SmallVector<Value> inputs;
  bool storesInLoop = false; ///< The loop walks parallel dimensions.
};
} // namespace

bool KernelConverter::chooseDims() {
  kernelDimOf.assign(nest.numLoops(), unitDim);
  unsigned parallelCount = 0;
  for (unsigned dim = 0; dim < nest.numLoops(); ++dim)
    parallelCount += !nest.isUnit(dim) && !nest.reduction[dim];
  // The outermost of too many parallel dimensions are walked by a loop.
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
  if (indexSpace.size() > maxKernelDims) {
    why = "it has " + std::to_string(indexSpace.size()) +
          " dimensions of a size other than 1; a TPC kernel has at most " +
          std::to_string(maxKernelDims);
    return false;
  }
  if (storesInLoop && reduces) {
    why = "it has " + std::to_string(parallelCount) +
          " parallel dimensions of a size other than 1 beside a reduction; a "
          "TPC kernel has at most " +
          std::to_string(maxParallelDims);
    return false;
  }
  if (indexSpace.empty()) {
    indexSpace.push_back(1);
    parallel.push_back(true);
  }
  return true;
}

/// The operator of a kernel loop; max and min of i1 are left to custom.
static KernelReduce kernelReduceOf(Combiner kind) {
  switch (kind) {
  case Combiner::Add:
    return KernelReduce::Add;
  case Combiner::Mul:
    return KernelReduce::Mul;
  case Combiner::MaxF:
  case Combiner::MaxS:
    return KernelReduce::Max;
  case Combiner::MinF:
  case Combiner::MinS:
    return KernelReduce::Min;
  case Combiner::MaxNumF:
    return KernelReduce::MaxNum;
  case Combiner::MinNumF:
    return KernelReduce::MinNum;
  case Combiner::MaxU:
    return KernelReduce::MaxU;
  case Combiner::MinU:
    return KernelReduce::MinU;
  case Combiner::And:
    return KernelReduce::And;
  case Combiner::Or:
    return KernelReduce::Or;
  case Combiner::Xor:
    return KernelReduce::Xor;
  }
  llvm_unreachable("all combiners are handled");
}

bool KernelConverter::describeOutputs() {
  for (unsigned i = 0; i < nest.numOutputs(); ++i) {
    Output output;
    auto dims = nest.outputDims(i);
    if (!dims) {
      why = "result " + std::to_string(i) +
            " is not written by distinct whole dimensions, so elements could "
            "be missed or written twice";
      return false;
    }
    output.dims = *dims;
    unsigned walked = 0, reduced = 0;
    for (unsigned dim = 0; dim < nest.numLoops(); ++dim) {
      if (nest.isUnit(dim))
        continue;
      bool written = llvm::is_contained(*dims, int64_t(dim));
      reduced += nest.reduction[dim];
      walked += nest.reduction[dim] && written;
      if (!nest.reduction[dim] && !written) {
        why = "result " + std::to_string(i) +
              " does not vary along parallel "
              "dimension " +
              std::to_string(dim) +
              ", so its elements would be written more than once";
        return false;
      }
    }
    if (walked != 0 && walked != reduced) {
      why = "result " + std::to_string(i) +
            " varies along some of the reduced dimensions but not all";
      return false;
    }
    output.insideLoop = storesInLoop || (reduced != 0 && walked == reduced);
    output.readsInit = !nest.outputArg(i).use_empty();
    output.step = nest.yielded(i);
    if (!output.insideLoop && !loopDims.empty()) {
      auto reduction = matchReduction(nest, i);
      if (reduction) {
        output.kind = kernelReduceOf(reduction->kind);
        output.step = reduction->value;
      }
      output.readsInit = true;
    }
    outputs.push_back(output);
  }
  return true;
}

bool KernelConverter::collectInputs() {
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
    if (std::string reason = whyUnsupported(tensor.getType());
        !reason.empty()) {
      why = "a tensor that the body reads " + reason;
      return false;
    }
    inputs.push_back(tensor);
  }
  return true;
}

AffineExpr KernelConverter::toKernel(AffineExpr expr) {
  MLIRContext *context = expr.getContext();
  SmallVector<AffineExpr> dims;
  for (int64_t dim : kernelDimOf)
    dims.push_back(dim == unitDim ? getAffineConstantExpr(0, context)
                                  : getAffineDimExpr(dim, context));
  return simplifyAffineExpr(expr.replaceDims(dims), indexSpace.size(), 0);
}

/// The value of an affine expression of kernel dimensions, as i64.
Value KernelConverter::emitIndex(KernelBuilder &k, AffineExpr expr) {
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
    // ceil(a / b) = floor((a + b - 1) / b)
    Value shifted = arith::AddIOp::create(b, loc, lhs, rhs);
    return floorQuotient(arith::SubIOp::create(b, loc, shifted, one));
  }
  }
}

Value KernelConverter::load(KernelBuilder &k, Value tensor, AffineMap map) {
  SmallVector<AffineExpr> position;
  SmallVector<int64_t> dynamic;
  SmallVector<Value> indices;
  SmallVector<Boundary> rules;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    AffineExpr inKernel = toKernel(expr);
    SmallVector<int64_t> flat;
    bool isLinear = succeeded(getFlattenedAffineExpr(
                        inKernel, indexSpace.size(), 0, &flat)) &&
                    flat.size() == indexSpace.size() + 1;
    if (isLinear) {
      position.push_back(inKernel);
      rules.push_back(Boundary::Inside);
      continue;
    }
    position.push_back(k.cst(0));
    rules.push_back(Boundary::Checked);
    dynamic.push_back(i);
    indices.push_back(emitIndex(k, inKernel));
  }
  unsigned number = numberOf(tensor);
  return dynamic.empty() ? k.load(number, position)
                         : k.loadAt(number, position, dynamic, indices, rules);
}

bool KernelConverter::usesLoop(AffineMap map) {
  for (int64_t dim : loopDims)
    for (auto [loop, kernelDim] : llvm::enumerate(kernelDimOf))
      if (kernelDim == dim && map.isFunctionOfDim(loop))
        return true;
  return false;
}

Value KernelConverter::emitInit(KernelBuilder &k, unsigned output) {
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

bool KernelConverter::emitBody(KernelBuilder &k) {
  auto indexOf = [&](int64_t dim) -> Value {
    int64_t kernelDim = kernelDimOf[dim];
    return kernelDim == unitDim ? k.intConstant(0, k.getBuilder().getI64Type())
                                : k.index(kernelDim);
  };
  auto number = [&](Value tensor) { return numberOf(tensor); };
  ScalarBody body(k, number, indexOf);
  auto failed = [&] {
    why = body.why;
    return false;
  };
  auto loadInput = [&](unsigned i) -> bool {
    BlockArgument argument = nest.inputArg(i);
    if (argument.use_empty())
      return true;
    Value source = nest.input(i);
    Value value = isa<RankedTensorType>(source.getType())
                      ? load(k, source, nest.inputMap(i))
                      : body.get(source);
    if (value)
      body.map(argument, value);
    return value != nullptr;
  };
  SmallVector<AffineExpr> position;
  auto store = [&](unsigned i, Value value) {
    position.clear();
    for (AffineExpr expr : nest.outputMap(i).getResults())
      position.push_back(toKernel(expr));
    k.store(value, i, position);
  };
  // What does not change along the loop is read once.
  for (unsigned i = 0; i < nest.numInputs(); ++i)
    if (loopDims.empty() || !usesLoop(nest.inputMap(i)))
      if (!loadInput(i))
        return failed();
  if (loopDims.empty()) {
    for (auto [i, output] : llvm::enumerate(outputs))
      if (output.readsInit)
        body.map(nest.outputArg(i), emitInit(k, i));
    for (auto [i, output] : llvm::enumerate(outputs)) {
      Value value = body.get(nest.yielded(i));
      if (!value)
        return failed();
      store(i, value);
    }
    return true;
  }
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
  // Scalars from outside are the same in every step; emit them here.
  for (Operation &op : *nest.body)
    for (Value operand : op.getOperands())
      if (Operation *def = operand.getDefiningOp();
          def && def->getBlock() != nest.body &&
          !isa<TensorType>(operand.getType()) &&
          scalarTypeOf(operand.getType()) && !body.get(operand))
        return failed();
  bool ok = true;
  SmallVector<Value> results =
      k.loop(loopDims, kinds, inits, [&](ValueRange running) {
        auto outside = body.save();
        SmallVector<Value> yields;
        for (unsigned i = 0; i < nest.numInputs() && ok; ++i)
          if (usesLoop(nest.inputMap(i)))
            ok = loadInput(i);
        for (auto [n, i] : llvm::enumerate(carried))
          body.map(nest.outputArg(i), running[n]);
        for (auto [i, output] : llvm::enumerate(outputs))
          if (output.insideLoop && output.readsInit)
            body.map(nest.outputArg(i), emitInit(k, i));
        for (unsigned i = 0; i < outputs.size() && ok; ++i) {
          Value value = body.get(outputs[i].step);
          ok = value != nullptr;
          if (!ok)
            break;
          if (outputs[i].insideLoop)
            store(i, value);
          else
            yields.push_back(value);
        }
        body.restore(std::move(outside));
        return ok ? yields : SmallVector<Value>(inits);
      });
  if (!ok)
    return failed();
  for (auto [n, i] : llvm::enumerate(carried))
    store(i, results[n]);
  return true;
}

Raised KernelConverter::run() {
  if (!chooseDims() || !describeOutputs() || !collectInputs())
    return std::nullopt;
  for (auto [i, output] : llvm::enumerate(outputs))
    if (output.readsInit && isUndefined(nest.init(i)))
      remarkAnalysis(nest.op, "reads a tensor with undefined contents "
                              "(tensor.empty); filled with zeros");
  SmallVector<Type> types;
  for (Value init : nest.op.getDpsInits())
    types.push_back(init.getType());
  StringRef label = nest.op->getName().stripDialect();
  KernelOp kernel;
  bool ok;
  {
    KernelBuilder k(c.rewriter, nest.op.getLoc(), types, inputs, indexSpace,
                    parallel, label);
    kernel = k.getOp();
    ok = emitBody(k);
  }
  if (!ok) {
    c.rewriter.eraseOp(kernel);
    return std::nullopt;
  }
  return SmallVector<Value>(kernel.getResults());
}

Raised fromlinalg::convertToKernel(Conversion &c, Nest &nest,
                                   std::string &why) {
  why.clear();
  return KernelConverter(c, nest, why).run();
}
