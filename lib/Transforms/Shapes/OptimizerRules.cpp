// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of optimizers and of clipped gradients.
#include "Gaudi/Dialect/OptimizerOps.h"
#include "PaddingRules.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gaudi;

static SmallVector<OperandRange> listsOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, SmallVector<OperandRange>>(op)
      .Case<FusedAdamWOp, FusedLambOp>(
          [](auto step) -> SmallVector<OperandRange> {
            return {step.getGradients(), step.getParameters(),
                    step.getExpAvgs(), step.getExpAvgSqs()};
          })
      .Case([](FusedSGDOp step) -> SmallVector<OperandRange> {
        return {step.getGradients(), step.getParameters(),
                step.getMomentumBuffers()};
      })
      .Case([](FusedAdagradOp step) -> SmallVector<OperandRange> {
        return {step.getGradients(), step.getParameters(), step.getSums()};
      })
      .Case([](FusedEmaOp step) -> SmallVector<OperandRange> {
        return {step.getValues(), step.getAverages()};
      })
      .Case([](FusedClipNormOp clip) -> SmallVector<OperandRange> {
        return {clip.getGradients()};
      })
      .Default(SmallVector<OperandRange>());
}

/// The tensors of an entry have one shape. Steps are elementwise, but for norms
/// of whole tensors, to which padding adds zeros: so are the moments of a
/// gradient that is zero, and their quotient.
bool gaudi::addOptimizerRule(PaddingRule &rule) {
  const SmallVector<OperandRange> lists = listsOf(rule.op);
  if (lists.empty())
    return false;
  const bool hasNorm = isa<FusedLambOp, FusedClipNormOp>(rule.op);
  const size_t count = lists.front().size();
  for (size_t entry = 0; entry < count; ++entry) {
    SmallVector<unsigned> operands;
    for (const OperandRange &list : lists)
      if (!list.empty())
        operands.push_back(list.getBeginOperandIndex() + entry);
    const int64_t rank = rule.in(operands.front()).dims.size();
    SmallVector<DimPadding> dims;
    for (int64_t dim = 0; dim < rank; ++dim) {
      SmallVector<std::pair<unsigned, int64_t>> same;
      for (unsigned operand : operands)
        same.push_back({operand, dim});
      dims.push_back(
          rule.common(same, sizeOf(rule.in(operands.front()).dims[dim])));
    }
    // Results are lists, too, before norms and scales.
    for (size_t number = entry;
         number < rule.op->getNumResults() &&
         tensorType(rule.op->getResult(number)).getShape() ==
             tensorType(rule.op->getOperand(operands.front())).getShape();
         number += count)
      rule.result(number).dims.assign(dims.begin(), dims.end());
    for (unsigned operand : operands)
      if (hasNorm)
        rule.require(operand, llvm::to_vector(llvm::seq<int64_t>(0, rank)),
                     zeroOf(rule.elementOf(operand)), isZero);
  }
  return true;
}
