// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs functions of gaudi ops on reference tensors.
#include "Gaudi/Reference/Evaluator.h"
#include "Gaudi/Dialect/QuietDiagnostics.h"
#include "Models.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Threading.h"

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
  Run(Block &block, EvaluationObserver observer, const Noise *noise,
      bool keepsLast = false)
      : observer(observer), noise(noise), keepsLast(keepsLast) {
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
    if (keepsLast)
      last = {std::move(*operands), std::move(results)};
    return success();
  }

  /// Operands and results of the op that was evaluated last.
  const std::pair<SmallVector<ReferenceTensor>, SmallVector<ReferenceTensor>> &
  lastOp() const {
    return last;
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
  bool keepsLast; // else `last` is empty
  std::pair<SmallVector<ReferenceTensor>, SmallVector<ReferenceTensor>> last;
};
} // namespace

/// What must hold before the block runs.
static LogicalResult checkEvaluation(func::FuncOp function,
                                     ArrayRef<ReferenceTensor> inputs) {
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
  for (auto [number, argument] : llvm::enumerate(block.getArguments()))
    if (inputs[number].getType() != argument.getType())
      return function.emitError()
             << "expected input " << number << " of type " << argument.getType()
             << " but got " << inputs[number].getType();
  return success();
}

FailureOr<SmallVector<ReferenceTensor>>
gaudi::evaluateFunction(func::FuncOp function, ArrayRef<ReferenceTensor> inputs,
                        EvaluationObserver observer, const Noise *noise) {
  if (failed(checkEvaluation(function, inputs)))
    return failure();
  Block &block = function.getBody().front();
  Run run(block, observer, noise);
  for (auto [argument, input] : llvm::zip_equal(block.getArguments(), inputs))
    run.define(argument, input);
  for (Operation &op : block) {
    if (isa<func::ReturnOp>(op))
      return run.take(op);
    // Constants are read where they are used.
    if (!isa<ConstantOp>(op) && failed(run.evaluate(op)))
      return failure();
  }
  return function.emitError() << "expected the body to end in func.return";
}

LogicalResult gaudi::evaluateWithDraws(func::FuncOp function,
                                       ArrayRef<ReferenceTensor> inputs,
                                       ArrayRef<Noise> draws,
                                       DrawsObserver observer) {
  if (failed(checkEvaluation(function, inputs)))
    return failure();
  Block &block = function.getBody().front();
  std::vector<std::optional<Run>> runs;
  runs.emplace_back(std::in_place, block, nullptr, nullptr, true);
  for (const Noise &noise : draws)
    runs.emplace_back(std::in_place, block, nullptr, &noise, true);
  for (std::optional<Run> &run : runs)
    for (auto [argument, input] : llvm::zip_equal(block.getArguments(), inputs))
      run->define(argument, input);
  SmallVector<SmallVector<ReferenceTensor>> drawn(draws.size());
  MLIRContext *context = function.getContext();
  for (Operation &op : block) {
    if (isa<func::ReturnOp, ConstantOp>(op))
      continue;
    parallelFor(context, 0, runs.size(), [&](size_t number) {
      std::optional<Run> &run = runs[number];
      if (!run)
        return;
      // An error may lead an index of a draw astray.
      std::optional<QuietDiagnostics> silent;
      if (number)
        silent.emplace(context);
      if (failed(run->evaluate(op)))
        run.reset();
    });
    if (!runs[0])
      return failure();
    for (size_t d = 0; d < draws.size(); ++d) {
      drawn[d].clear();
      if (runs[d + 1])
        drawn[d] = runs[d + 1]->lastOp().second;
    }
    observer(&op, runs[0]->lastOp().first, runs[0]->lastOp().second, drawn);
  }
  return success();
}
