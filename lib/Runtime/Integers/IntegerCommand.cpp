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
                               const BoundTensors &in, const BoundTensors &out,
                               const KnownRanges &known) {
  FoundContraction found = findContraction(kernel, joined(in, out), known);
  if (!found.contraction)
    return found;
  if (std::getenv("GAUDI_INTEGERS"))
    return {std::nullopt, "GAUDI_INTEGERS is set to jit"};
  // A point that overwrites what a later one multiplies needs the whole kernel.
  for (const BoundTensor *read :
       {&found.contraction->left.tensor, &found.contraction->right.tensor,
        &found.contraction->left.zero.tensor,
        &found.contraction->right.zero.tensor})
    for (const BoundTensor &written : out)
      if (read->data && mayOverlap(*read, written))
        return {std::nullopt, "its result overlaps a factor"};
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
    const recipe::Kernel &kernel, const BoundTensors &inputs,
    const BoundTensors &outputs, const KnownRanges &known, const MmeApi *mme,
    const std::function<PrepareContext()> &context, std::string &reason) {
  const FoundContraction found = contractionOf(kernel, inputs, outputs, known);
  reason = found.reason;
  if (!found.contraction)
    return nullptr;
  assert(mme && "the library is open if there are contractions");
  PrepareContext memory = context();
  BoundTensor sums;
  sums.type = recipe::ElementType::I32;
  sums.layout.sizes = found.contraction->sumSizes();
  sums.layout.strides = kernel::denseStrides(sums.layout.sizes);
  sums.data = memory.staging.take(
      uint64_t(*kernel::elementCount(sums.layout.sizes)) * sizeof(int32_t));
  assert(sums.data && "the bound of staging counts the sums");
  std::unique_ptr<PreparedCommand> product =
      GAUDI_TRY(mme->prepareIntegers(*found.contraction, sums, memory, reason));
  if (!product)
    return nullptr;
  return std::make_unique<IntegerCommand>(
      std::move(product), sums, RestKernel(kernel, *found.contraction), inputs,
      outputs, *found.contraction);
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
