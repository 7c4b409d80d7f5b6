// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention and its gradient: builders, results by name, and cost.
#include "AttentionForm.h"
#include "Gaudi/Dialect/KernelLanguage.h"
#include "Gaudi/Timing/Attention.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gaudi;

/// Operands in the order of the op, and how many each segment has.
template <typename Segments>
static void addOperands(OperationState &state, ArrayRef<Value> operands,
                        Segments &segments) {
  assert(operands.size() == segments.size() && "one segment per operand");
  for (auto [operand, count] : llvm::zip_equal(operands, segments)) {
    count = operand ? 1 : 0;
    if (operand)
      state.addOperands(operand);
  }
}

void SdpaOp::build(OpBuilder &builder, OperationState &state,
                   const SdpaOperands &operands, const Properties &attributes) {
  Properties &properties = state.getOrAddProperties<Properties>();
  properties = attributes;
  populateDefaultProperties(state.name, properties);
  addOperands(state,
              {operands.query, operands.key, operands.value, operands.mask,
               operands.validLengths, operands.dropoutMask, operands.seed,
               operands.dScaleQ, operands.dScaleK, operands.dScaleV,
               operands.qScaleS, operands.qScaleO, operands.dScaleS},
              properties.operandSegmentSizes);
  // The types follow from an op with the right operands: a scratch one, which
  // has only its output yet, is asked.
  OperationState scratch(state.location, state.name);
  scratch.addOperands(state.operands);
  scratch.getOrAddProperties<Properties>() = properties;
  scratch.addTypes(operands.query.getType());
  Operation *op = Operation::create(scratch);
  state.addTypes(cast<SdpaOp>(op).getExpectedTypes());
  op->destroy();
}

void SdpaGradOp::build(OpBuilder &, OperationState &state,
                       const SdpaGradOperands &operands,
                       const Properties &attributes) {
  Properties &properties = state.getOrAddProperties<Properties>();
  properties = attributes;
  populateDefaultProperties(state.name, properties);
  addOperands(state,
              {operands.outputGrad, operands.query, operands.key,
               operands.value, operands.output, operands.mask,
               operands.validLengths, operands.dropoutMask, operands.seed,
               operands.m, operands.linv, operands.probabilities},
              properties.operandSegmentSizes);
  state.addTypes({operands.query.getType(), operands.key.getType(),
                  operands.value.getType()});
}

AttentionSizes gaudi::attentionSizes(SdpaOp op) {
  return AttentionForm(op).sizes();
}

AttentionSizes gaudi::attentionSizes(SdpaGradOp op) {
  return AttentionForm(op).sizes();
}

//===----------------------------------------------------------------------===//
// Results by name
//===----------------------------------------------------------------------===//

// Saved results come in the order m, linv, seed or P, kept; then magnitudes.

Value SdpaOp::getMaxima() {
  return getSaves() == AttentionSaves::Statistics ? getSaved()[0] : Value();
}

Value SdpaOp::getInverseSums() {
  return getSaves() == AttentionSaves::Statistics ? getSaved()[1] : Value();
}

Value SdpaOp::getSeedResult() {
  return getSaves() == AttentionSaves::Statistics && getSeed() ? getSaved()[2]
                                                               : Value();
}

Value SdpaOp::getProbabilities() {
  return getSaves() == AttentionSaves::Probabilities ? getSaved()[0] : Value();
}

Value SdpaOp::getKept() {
  return getSaves() == AttentionSaves::Probabilities && !getDropout().isZero()
             ? getSaved()[1]
             : Value();
}

Value SdpaOp::getAmaxSResult() {
  return getAmaxS() ? getResult(getNumResults() - (getAmaxO() ? 2 : 1))
                    : Value();
}

Value SdpaOp::getAmaxOResult() {
  return getAmaxO() ? getResult(getNumResults() - 1) : Value();
}

//===----------------------------------------------------------------------===//
// Engine and cost
//===----------------------------------------------------------------------===//

Engine SdpaOp::getEngine() { return Engine::MME; }
Engine SdpaGradOp::getEngine() { return Engine::MME; }

/// Multiply-adds count 2, also where a mask hides the score: the numbers of a
/// report do not depend on values.
static int64_t productOps(const AttentionSizes &s, int64_t depth) {
  return 2 * s.batch * s.heads * s.queries * s.keys * depth;
}

int64_t SdpaOp::getArithmeticOps() {
  const AttentionSizes s = attentionSizes(*this);
  return productOps(s, s.depth + s.valueDepth);
}

int64_t SdpaGradOp::getArithmeticOps() {
  const AttentionSizes s = attentionSizes(*this);
  // dP and dv; dq and dk; the scores, unless P was saved.
  return productOps(s,
                    2 * s.valueDepth + (getProbabilities() ? 2 : 3) * s.depth);
}

/// What both ops say of their tensors.
template <typename Op>
static gaudi::timing::AttentionForm timingForm(Op op, unsigned fixedOperands) {
  const auto text = [](StringRef s) {
    return std::string_view(s.data(), s.size());
  };
  gaudi::timing::AttentionForm form;
  form.queryLayout = text(queryLayoutOf(op));
  form.keyLayout = text(keyLayoutOf(op));
  form.valueLayout = text(valueLayoutOf(op));
  const auto &segments = op.getProperties().operandSegmentSizes;
  for (auto [bit, count] :
       llvm::enumerate(ArrayRef(segments).drop_front(fixedOperands)))
    form.inputs |= uint32_t(count) << bit;
  form.causal = op.getCausal();
  form.window = op.getWindow().value_or(0);
  form.isFast = op.getSoftmaxMode() == SoftmaxMode::Fast;
  if (op.getSlice())
    form.slice.assign(op.getSlice()->begin(), op.getSlice()->end());
  return form;
}

static WorkList attentionWork(const gaudi::timing::AttentionForm &form,
                              Operation *op, OperandOf operandOf) {
  const auto all = [&](auto &&values) {
    std::vector<gaudi::timing::Operand> operands;
    for (Value value : values)
      operands.push_back(operandOf(value));
    return operands;
  };
  return {gaudi::timing::attentionWork(form, all(op->getOperands()),
                                       all(op->getResults()))};
}

WorkList SdpaOp::getWork(OperandOf operandOf) {
  gaudi::timing::AttentionForm form = timingForm(*this, 3);
  const Value results[] = {
      getMaxima(), getInverseSums(), getSeedResult(), getProbabilities(),
      getKept(),   getAmaxSResult(), getAmaxOResult()};
  for (auto [bit, value] : llvm::enumerate(results))
    form.results |= uint32_t(bool(value)) << bit;
  return attentionWork(form, *this, operandOf);
}

WorkList SdpaGradOp::getWork(OperandOf operandOf) {
  gaudi::timing::AttentionForm form = timingForm(*this, 4);
  form.isGradient = true;
  return attentionWork(form, *this, operandOf);
}

#define GET_OP_CLASSES
#include "Gaudi/Dialect/AttentionOps.cpp.inc"
