// A kernel whose sums of 8-bit products the matrix kernels compute.
#include "IntegerCommand.h"

#include "../Mme/Library.h"
#include "../Pipeline.h"

#include "Gaudi/Kernel/Geometry.h"

#include <cassert>
#include <cstdlib>
#include <string_view>

namespace gaudi::runtime {
namespace {

BoundTensors joined(BoundTensors first, const BoundTensors &second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// All that is read for the sums.
BoundTensors factorsOf(const IntegerContraction &contraction) {
  BoundTensors factors;
  for (const IntegerOperand *operand :
       {&contraction.left, &contraction.right}) {
    factors.push_back(operand->tensor);
    if (operand->zero.sign != 0)
      factors.push_back(operand->zero.tensor);
  }
  return factors;
}

void bindFactors(IntegerContraction &contraction,
                 const BoundTensors &operands) {
  for (IntegerOperand *factor : {&contraction.left, &contraction.right}) {
    factor->tensor.data = operands[factor->operand].data;
    if (factor->zero.sign != 0)
      factor->zero.tensor.data = operands[factor->zero.operand].data;
  }
}

} // namespace

Status checkIntegerChoice() {
  const char *wanted = std::getenv("GAUDI_INTEGERS");
  if (wanted && std::string_view(wanted) != "jit")
    return fail("the environment variable GAUDI_INTEGERS is '{}'; unset it, or "
                "set it to jit",
                wanted);
  return {};
}

FoundContraction contractionOf(const recipe::Kernel &kernel,
                               const BoundTensors &operands,
                               const KnownRanges &known) {
  FoundContraction found = findContraction(kernel, operands, known);
  if (found.contraction && std::getenv("GAUDI_INTEGERS"))
    return {std::nullopt, "GAUDI_INTEGERS is set to jit"};
  return found;
}

IntegerCommand::IntegerCommand(std::unique_ptr<PreparedCommand> product,
                               BoundTensor sums, RestKernel rest,
                               const BoundTensors &inputs,
                               const BoundTensors &outputs,
                               const IntegerContraction &contraction)
    : sums(std::move(sums)), factors(factorsOf(contraction)),
      kernel(std::move(rest)), inputs(joined(inputs, {this->sums})),
      operands(joined(this->inputs, outputs)), rest(operands),
      product(std::move(product)), right(contraction.right.operand) {}

Result<std::unique_ptr<IntegerCommand>> prepareIntegerCommand(
    const recipe::Kernel &kernel, const FoundContraction &found,
    const BoundTensors &inputs, const BoundTensors &outputs, const MmeApi *mme,
    const std::function<PrepareContext()> &context, std::string &reason) {
  reason = found.reason;
  if (!found.contraction)
    return nullptr;
  IntegerContraction contraction = *found.contraction;
  bindFactors(contraction, joined(inputs, outputs));
  // A point that overwrites what a later one multiplies needs the whole kernel.
  for (const BoundTensor &read : factorsOf(contraction))
    for (const BoundTensor &written : outputs)
      if (mayOverlap(read, written)) {
        reason = "its result overlaps a factor";
        return nullptr;
      }
  assert(mme && "the library is open if there are contractions");
  PrepareContext memory = context();
  BoundTensor sums;
  sums.type = recipe::ElementType::I32;
  sums.layout.sizes = contraction.sumSizes();
  sums.layout.strides = kernel::denseStrides(sums.layout.sizes);
  sums.data = memory.staging.take(
      uint64_t(*kernel::elementCount(sums.layout.sizes)) * sizeof(int32_t));
  assert(sums.data && "the bound of staging counts the sums");
  std::unique_ptr<PreparedCommand> product =
      GAUDI_TRY(mme->prepareIntegers(contraction, sums, memory, reason));
  if (!product)
    return nullptr;
  return std::make_unique<IntegerCommand>(std::move(product), sums,
                                          RestKernel(kernel, contraction),
                                          inputs, outputs, contraction);
}

void IntegerCommand::run(LaunchContext &context) {
  product->run(context);
  if (!inTiles)
    rest.run(context);
}

std::string IntegerCommand::implementation() const {
  return product->implementation() + "; " + rest.implementation() +
         (inTiles ? " in its tiles" : "");
}

bool IntegerCommand::reads(size_t input, const BoundTensor &tensor) const {
  // The second operand of a product is the one that it packs.
  return input != right || kernel.reads(right) || product->reads(1, tensor);
}

} // namespace gaudi::runtime
