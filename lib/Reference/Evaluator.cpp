// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs functions of gaudi ops on reference tensors.
#include "Gaudi/Reference/Evaluator.h"
#include "Models.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::reference;

#include "Gaudi/Reference/ReferenceEval.cpp.inc"

void gaudi::registerReferenceModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, GaudiDialect *) {
    attachElementwiseModels(context);
    attachReductionModels(context);
    attachWindowModels(context);
    attachMmeModels(context);
    attachAttentionModels(context);
    attachIndexedModels(context);
    attachMoveModels(context);
    attachOptimizerModels(context);
    attachPaddingModels(context);
    attachKernelModel(context);
  });
}

static bool isEvaluableType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() &&
         isDeviceElement(tensor.getElementType());
}

Operation *gaudi::findNotEvaluable(func::FuncOp function) {
  if (!llvm::hasSingleElement(function.getBody()) ||
      !llvm::all_of(function.getArgumentTypes(), isEvaluableType) ||
      !llvm::all_of(function.getResultTypes(), isEvaluableType))
    return function;
  for (Operation &op : function.getBody().front()) {
    if (isa<func::ReturnOp>(op))
      continue;
    if (!isa<ReferenceEvalOpInterface>(op) ||
        !llvm::all_of(op.getResultTypes(), isEvaluableType))
      return &op;
  }
  return nullptr;
}

namespace {
/// One run of a function: the live values and how often each is still read.
class Run {
public:
  Run(Block &block, EvaluationObserver observer, const Noise *noise)
      : observer(observer), noise(noise) {
    for (Operation &op : block)
      for (Value operand : op.getOperands())
        ++usesLeft[operand];
  }

  void define(Value value, const ReferenceTensor &tensor) {
    if (usesLeft.contains(value))
      values[value] = tensor;
  }

  LogicalResult evaluate(Operation &op) {
    auto model = dyn_cast<ReferenceEvalOpInterface>(op);
    if (!model)
      return op.emitError()
             << "'" << op.getName()
             << "' cannot be evaluated by the reference evaluator: expected "
                "ops of the gaudi dialect; convert the function first";
    FailureOr<SmallVector<ReferenceTensor>> operands = take(op);
    if (failed(operands))
      return failure();
    SmallVector<ReferenceTensor> results;
    // A fused op may round less than what it replaces: see Noise.
    std::optional<Noise> free;
    if (noise && op.hasAttr(freeRoundingAttrName))
      free = noise->withFreeRounding();
    if (failed(model.evaluate(*operands, free ? &*free : noise, results)))
      return failure();
    if (observer)
      observer(&op, results);
    for (auto [value, tensor] : llvm::zip_equal(op.getResults(), results))
      define(value, tensor);
    return success();
  }

  /// The operands of `op`; those it reads last are dropped from the values.
  FailureOr<SmallVector<ReferenceTensor>> take(Operation &op) {
    SmallVector<ReferenceTensor> operands;
    for (Value operand : op.getOperands()) {
      // Constants are read when first needed: they may be larger together
      // than anything else of the function.
      if (!values.contains(operand))
        if (failed(evaluate(*operand.getDefiningOp<ConstantOp>())))
          return failure();
      operands.push_back(values[operand]);
    }
    for (Value operand : op.getOperands())
      if (--usesLeft[operand] == 0)
        values.erase(operand);
    return operands;
  }

private:
  DenseMap<Value, ReferenceTensor> values;
  DenseMap<Value, int64_t> usesLeft;
  EvaluationObserver observer;
  const Noise *noise;
};
} // namespace

FailureOr<SmallVector<ReferenceTensor>>
gaudi::evaluateFunction(func::FuncOp function, ArrayRef<ReferenceTensor> inputs,
                        EvaluationObserver observer, const Noise *noise) {
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitError()
           << "expected a function body of one block but got "
           << llvm::range_size(function.getBody()) << " blocks";
  Block &block = function.getBody().front();
  if (inputs.size() != block.getNumArguments())
    return function.emitError() << "expected " << block.getNumArguments()
                                << " inputs but got " << inputs.size();
  // Before anything runs, so that a type error is no partial evaluation.
  for (Operation &op : block)
    for (Type type : op.getResultTypes())
      if (!isEvaluableType(type))
        return op.emitError()
               << "expected static tensors of device elements but got " << type;

  Run run(block, observer, noise);
  for (auto [number, argument] : llvm::enumerate(block.getArguments())) {
    if (inputs[number].getType() != argument.getType())
      return function.emitError()
             << "expected input " << number << " of type " << argument.getType()
             << " but got " << inputs[number].getType();
    run.define(argument, inputs[number]);
  }
  for (Operation &op : block) {
    if (isa<func::ReturnOp>(op))
      return run.take(op);
    // Constants are read where they are used.
    if (!isa<ConstantOp>(op) && failed(run.evaluate(op)))
      return failure();
  }
  return function.emitError() << "expected the body to end in func.return";
}
