// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of optimizers: verifiers, costs.
#include "Gaudi/Dialect/OptimizerOps.h"
#include "Checks.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;

namespace {
/// A list of tensors and its name in messages.
struct NamedList {
  ValueRange values;
  StringRef name;
};
} // namespace

/// The lists have one entry per parameter, and the tensors of an entry have one
/// shape. `lists` begins with the list that says how many and which.
static LogicalResult verifyLists(Operation *op, ArrayRef<NamedList> lists) {
  const NamedList &first = lists.front();
  if (first.values.empty())
    return op->emitOpError() << first.name << " are empty; give at least one";
  for (const NamedList &list : lists.drop_front()) {
    if (list.values.size() != first.values.size())
      return failAt(op->emitOpError()
                        << "has " << first.values.size() << " " << first.name
                        << " but " << list.values.size() << " " << list.name
                        << "; give one per parameter",
                    first.values.front(), first.name);
    for (auto [i, value] : llvm::enumerate(list.values)) {
      Value reference = first.values[i];
      if (tensorType(value).getShape() != tensorType(reference).getShape())
        return failAt(op->emitOpError()
                          << list.name << "[" << i << "] has type "
                          << value.getType() << " but " << first.name << "["
                          << i << "] has " << reference.getType()
                          << "; their shapes must agree",
                      reference, first.name);
    }
  }
  return success();
}

/// The results from number `begin` on have the types of the values that they
/// replace.
static LogicalResult verifyReplaced(Operation *op, unsigned begin,
                                    const NamedList &list) {
  for (auto [i, value] : llvm::enumerate(list.values)) {
    Type type = op->getResult(begin + i).getType();
    if (type != value.getType())
      return failAt(op->emitOpError()
                        << "result " << begin + i << " has type " << type
                        << " but replaces " << list.name << "[" << i
                        << "] of type " << value.getType(),
                    value, list.name);
  }
  return success();
}

/// The results are `lists`, one after the other.
static LogicalResult verifyResults(Operation *op, ArrayRef<NamedList> lists) {
  size_t count = 0;
  for (const NamedList &list : lists)
    count += list.values.size();
  const NamedList &first = lists.front();
  if (op->getNumResults() != count)
    return failAt(op->emitOpError("has ")
                      << op->getNumResults() << " results for "
                      << first.values.size() << " " << first.name
                      << "; expected " << lists.size() << " for each",
                  first.values.front(), first.name);
  unsigned begin = 0;
  for (const NamedList &list : lists) {
    if (failed(verifyReplaced(op, begin, list)))
      return failure();
    begin += list.values.size();
  }
  return success();
}

static LogicalResult verifyScalar(Operation *op, Value scalar, StringRef name) {
  if (!scalar || elementCount(scalar) == 1)
    return success();
  return failAt(op->emitOpError() << name << " has type " << scalar.getType()
                                  << "; expected one element",
                scalar, name);
}

/// `value` is in [0, below), or finite and not negative.
static LogicalResult verifyFactor(Operation *op, const APFloat &value,
                                  StringRef name, bool isBelowOne) {
  const double number = value.convertToDouble();
  if (number >= 0 && std::isfinite(number) && (!isBelowOne || number < 1))
    return success();
  return op->emitOpError() << name << " is " << number << "; expected "
                           << (isBelowOne ? "a number in [0, 1)"
                                          : "a finite number of at least 0");
}

static int64_t elementsOf(ValueRange values) {
  int64_t count = 0;
  for (Value value : values)
    count += elementCount(value);
  return count;
}

//===----------------------------------------------------------------------===//
// gaudi.fused_adamw
//===----------------------------------------------------------------------===//

Engine FusedAdamWOp::getEngine() { return Engine::TPC; }
OperandRange FusedAdamWOp::getEntries() { return getGradients(); }
// Two moments of three and four operations, a root, a division, and five to
// update the parameter.
int64_t FusedAdamWOp::getArithmeticOps() {
  const int64_t added = (getGradScale() ? 1 : 0) + (getL2().isZero() ? 0 : 2);
  return elementsOf(getParameters()) * (14 + added);
}

LogicalResult FusedAdamWOp::verify() {
  const NamedList parameters{getParameters(), "parameters"};
  const NamedList first{getExpAvgs(), "exp_avgs"};
  const NamedList second{getExpAvgSqs(), "exp_avg_sqs"};
  if (failed(verifyLists(
          *this, {parameters, {getGradients(), "gradients"}, first, second})))
    return failure();
  if (failed(verifyResults(*this, {parameters, first, second})) ||
      failed(verifyScalar(*this, getStepSize(), "step_size")) ||
      failed(verifyScalar(*this, getEps(), "eps")) ||
      failed(verifyScalar(*this, getDecay(), "decay")) ||
      failed(verifyScalar(*this, getGradScale(), "grad_scale")) ||
      failed(verifyFactor(*this, getBeta1(), "beta1", true)) ||
      failed(verifyFactor(*this, getBeta2(), "beta2", true)))
    return failure();
  return verifyFactor(*this, getL2(), "l2", false);
}

//===----------------------------------------------------------------------===//
// gaudi.fused_sgd
//===----------------------------------------------------------------------===//

Engine FusedSGDOp::getEngine() { return Engine::TPC; }
OperandRange FusedSGDOp::getEntries() { return getGradients(); }
int64_t FusedSGDOp::getArithmeticOps() {
  const int64_t perElement =
      2 + (getGradScale() ? 1 : 0) + (getWeightDecay().isZero() ? 0 : 2) +
      (getMomentumBuffers().empty() ? 0 : 3) + (getNesterov() ? 2 : 0);
  return elementsOf(getParameters()) * perElement;
}

LogicalResult FusedSGDOp::verify() {
  const NamedList parameters{getParameters(), "parameters"};
  const NamedList buffers{getMomentumBuffers(), "momentum_buffers"};
  const bool hasBuffers = !buffers.values.empty();
  SmallVector<NamedList> lists = {parameters, {getGradients(), "gradients"}};
  if (hasBuffers)
    lists.push_back(buffers);
  if (failed(verifyLists(*this, lists)))
    return failure();
  SmallVector<NamedList> replaced = {parameters};
  if (hasBuffers)
    replaced.push_back(buffers);
  if (failed(verifyResults(*this, replaced)))
    return failure();
  // Without buffers the step is plain descent, which reads none of these.
  StringRef unused = !getMomentum().isZero()    ? "momentum"
                     : !getDampening().isZero() ? "dampening"
                     : getNesterov()            ? "nesterov"
                     : getFirstStep()           ? "first_step"
                                                : "";
  if (!hasBuffers && !unused.empty())
    return failAt(emitOpError() << unused << " has no meaning without "
                                << buffers.name << "; give one per parameter",
                  parameters.values.front(), parameters.name);
  if (failed(verifyScalar(*this, getLr(), "lr")) ||
      failed(verifyScalar(*this, getGradScale(), "grad_scale")) ||
      failed(verifyScalar(*this, getFirstStep(), "first_step")) ||
      failed(verifyFactor(*this, getMomentum(), "momentum", false)) ||
      failed(verifyFactor(*this, getWeightDecay(), "weight_decay", false)))
    return failure();
  const double dampening = getDampening().convertToDouble();
  if (!std::isfinite(dampening))
    return emitOpError("dampening is ") << dampening << "; expected a number";
  return success();
}

//===----------------------------------------------------------------------===//
// gaudi.fused_adagrad, gaudi.fused_lamb, gaudi.fused_ema
//===----------------------------------------------------------------------===//

Engine FusedAdagradOp::getEngine() { return Engine::TPC; }
OperandRange FusedAdagradOp::getEntries() { return getGradients(); }
int64_t FusedAdagradOp::getArithmeticOps() {
  const int64_t added =
      (getGradScale() ? 1 : 0) + (getWeightDecay().isZero() ? 0 : 2);
  return elementsOf(getParameters()) * (7 + added);
}

LogicalResult FusedAdagradOp::verify() {
  const NamedList parameters{getParameters(), "parameters"},
      sums{getSums(), "sums"};
  if (failed(verifyLists(*this,
                         {parameters, {getGradients(), "gradients"}, sums})) ||
      failed(verifyResults(*this, {parameters, sums})) ||
      failed(verifyScalar(*this, getLr(), "lr")) ||
      failed(verifyScalar(*this, getGradScale(), "grad_scale")) ||
      failed(verifyFactor(*this, getEps(), "eps", false)))
    return failure();
  return verifyFactor(*this, getWeightDecay(), "weight_decay", false);
}

Engine FusedLambOp::getEngine() { return Engine::TPC; }
OperandRange FusedLambOp::getEntries() { return getGradients(); }
// As AdamW, and the corrections; a norm takes two operations per element.
int64_t FusedLambOp::getArithmeticOps() {
  const int64_t norms = (getMaxGradNorm() ? 3 : 0) + (scalesByRatio() ? 5 : 0);
  return elementsOf(getParameters()) *
         (14 + norms + (getWeightDecay().isZero() ? 0 : 2));
}

LogicalResult FusedLambOp::verify() {
  const NamedList parameters{getParameters(), "parameters"},
      first{getExpAvgs(), "exp_avgs"}, second{getExpAvgSqs(), "exp_avg_sqs"};
  if (failed(verifyLists(
          *this, {parameters, {getGradients(), "gradients"}, first, second})) ||
      failed(verifyResults(*this, {parameters, first, second})) ||
      failed(verifyScalar(*this, getLr(), "lr")) ||
      failed(verifyScalar(*this, getBiasCorrection1(), "bias_correction1")) ||
      failed(verifyScalar(*this, getBiasCorrection2(), "bias_correction2")) ||
      failed(verifyScalar(*this, getMaxGradNorm(), "max_grad_norm")) ||
      failed(verifyFactor(*this, getBeta1(), "beta1", true)) ||
      failed(verifyFactor(*this, getBeta2(), "beta2", true)) ||
      failed(verifyFactor(*this, getEps(), "eps", false)))
    return failure();
  return verifyFactor(*this, getWeightDecay(), "weight_decay", false);
}

Engine FusedEmaOp::getEngine() { return Engine::TPC; }
OperandRange FusedEmaOp::getEntries() { return getValues(); }
int64_t FusedEmaOp::getArithmeticOps() { return 3 * elementsOf(getAverages()); }

LogicalResult FusedEmaOp::verify() {
  const NamedList averages{getAverages(), "averages"};
  if (failed(verifyLists(*this, {averages, {getValues(), "values"}})) ||
      failed(verifyResults(*this, averages)))
    return failure();
  return verifyScalar(*this, getDecay(), "decay");
}

//===----------------------------------------------------------------------===//
// gaudi.fused_clip_norm
//===----------------------------------------------------------------------===//

Engine FusedClipNormOp::getEngine() { return Engine::TPC; }
OperandRange FusedClipNormOp::getEntries() { return getGradients(); }
int64_t FusedClipNormOp::getArithmeticOps() {
  int64_t count = 2 * elementsOf(getGradients()) + 4;
  for (auto [gradient, clipped] : llvm::zip_equal(getGradients(), getClipped()))
    count += clipped.use_empty() ? 0 : elementCount(gradient);
  return count;
}

LogicalResult FusedClipNormOp::verify() {
  const NamedList gradients{getGradients(), "gradients"};
  if (failed(verifyLists(*this, gradients)))
    return failure();
  if (getClipped().size() != gradients.values.size())
    return failAt(emitOpError("has ")
                      << getClipped().size() << " clipped gradients for "
                      << gradients.values.size()
                      << " gradients; expected one for each",
                  gradients.values.front(), gradients.name);
  if (failed(verifyReplaced(*this, 0, gradients)) ||
      failed(verifyScalar(*this, getMaxNorm(), "max_norm")) ||
      failed(verifyFactor(*this, getEps(), "eps", false)))
    return failure();
  for (auto [result, name] : {std::pair(getTotalNorm(), "total_norm"),
                              std::pair(getScale(), "scale")})
    if (result.getType() != getMaxNorm().getType())
      return failAt(emitOpError()
                        << name << " has type " << result.getType()
                        << " but max_norm has " << getMaxNorm().getType(),
                    getMaxNorm(), "max_norm");
  return success();
}

#include "Gaudi/Dialect/OptimizerInterfaces.cpp.inc"
#define GET_OP_CLASSES
#include "Gaudi/Dialect/OptimizerOps.cpp.inc"
