// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel whose sums of 8-bit products the matrix kernels compute.
#include "IntegerCommand.h"

#include "../Mme/Library.h"
#include "../Pipeline.h"

#include "Gaudi/Kernel/Geometry.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <string_view>

namespace gaudi::runtime {
namespace {

BoundTensors joined(BoundTensors first, const BoundTensors &second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

uint64_t countOf(const BoundTensor &tensor) {
  return uint64_t(*kernel::elementCount(tensor.layout.sizes));
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

void bindFactors(IntegerContraction &contraction, const BoundTensors &operands,
                 const BoundTensors &tensors) {
  for (IntegerOperand *factor : {&contraction.left, &contraction.right}) {
    factor->tensor.data =
        (factor->behind ? tensors[*factor->behind] : operands[factor->operand])
            .data;
    if (factor->zero.sign != 0)
      factor->zero.tensor.data = operands[factor->zero.operand].data;
  }
}

/// Operands of which only the constants behind them are read.
std::vector<unsigned> operandsBehind(const IntegerContraction &contraction) {
  std::vector<unsigned> result;
  for (const IntegerOperand *factor : {&contraction.left, &contraction.right})
    if (factor->behind)
      result.push_back(factor->operand);
  for (const IntegerOperand *factor : {&contraction.left, &contraction.right})
    result.erase(std::remove_if(result.begin(), result.end(),
                                [&](unsigned operand) {
                                  return factor->zero.sign != 0 &&
                                         factor->zero.operand == operand;
                                }),
                 result.end());
  return result;
}

/// Its bytes are in staging memory.
Quantization quantization(std::shared_ptr<const QuantizedKernel> kernels,
                          const BoundTensors &inputs, Staging &staging) {
  Quantization result;
  if (!kernels)
    return result;
  const BoundTensors bytes = kernels->bytes();
  for (size_t i = 0; i < bytes.size(); ++i) {
    BoundTensors operands;
    for (unsigned input : kernels->quantizers[i].inputs)
      operands.push_back(inputs[input]);
    operands.push_back(bytes[i]);
    operands.back().data = staging.take(countOf(bytes[i]));
    assert(operands.back().data && "the bound of staging counts the bytes");
    result.commands.emplace_back(operands);
    result.operands.push_back(std::move(operands));
  }
  result.kernels = std::move(kernels);
  return result;
}

} // namespace

uint64_t quantizedBytes(const FoundContraction &found) {
  uint64_t bytes = 0;
  if (found.quantized)
    for (const BoundTensor &tensor : found.quantized->bytes())
      bytes += (countOf(tensor) + 63) / 64 * 64;
  return bytes;
}

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
  if (found.quantizes)
    if (auto quantized = quantizeBefore(kernel, found.reason)) {
      BoundTensors all = operands;
      const BoundTensors bytes = quantized->bytes();
      all.insert(all.begin() + kernel.inputs()->size(), bytes.begin(),
                 bytes.end());
      found = findContraction(quantized->code.kernel(), all, known);
      found.quantized = std::move(quantized);
    }
  if (found.contraction && std::getenv("GAUDI_INTEGERS"))
    return {std::nullopt, "GAUDI_INTEGERS is set to jit"};
  return found;
}

IntegerCommand::IntegerCommand(std::unique_ptr<PreparedCommand> product,
                               BoundTensor sums, RestKernel rest,
                               const BoundTensors &inputs,
                               const BoundTensors &outputs,
                               const IntegerContraction &contraction,
                               Quantization before)
    : sums(std::move(sums)), factors(factorsOf(contraction)),
      kernel(std::move(rest)), inputs(joined(inputs, {this->sums})),
      operands(joined(this->inputs, outputs)), rest(operands),
      before(std::move(before)), product(std::move(product)),
      right(contraction.right.operand), behind(operandsBehind(contraction)) {}

void IntegerCommand::request(KernelJit &jit, const IntegerCommand *other) {
  rest.request(jit, kernel.kernel(), operands, other ? &other->rest : nullptr);
  for (size_t i = 0; i < before.commands.size(); ++i)
    before.commands[i].request(jit, before.kernels->quantizers[i].code.kernel(),
                               before.operands[i],
                               other ? &other->before.commands[i] : nullptr);
}

void IntegerCommand::bind(const KernelJit &jit, unsigned threads) {
  rest.bind(jit, threads);
  for (TpcCommand &command : before.commands)
    command.bind(jit, threads);
}

Result<std::unique_ptr<IntegerCommand>> prepareIntegerCommand(
    const recipe::Kernel &whole, const FoundContraction &found,
    const BoundTensors &given, const BoundTensors &outputs,
    const BoundTensors &tensors, const MmeApi *mme,
    const std::function<PrepareContext()> &context, std::string &reason) {
  reason = found.reason;
  if (!found.contraction)
    return nullptr;
  assert(mme && "the library is open if there are contractions");
  PrepareContext memory = context();
  // Operands that a kernel converts from floats are tensors of their own, which
  // are written before the product.
  Quantization before = quantization(found.quantized, given, memory.staging);
  BoundTensors inputs = given;
  for (const BoundTensors &operands : before.operands)
    inputs.push_back(operands.back());
  IntegerContraction contraction = *found.contraction;
  bindFactors(contraction, joined(inputs, outputs), tensors);
  // A point that overwrites what a later one multiplies needs the whole kernel.
  for (const BoundTensor &read : factorsOf(contraction))
    for (const BoundTensor &written : outputs)
      if (mayOverlap(read, written)) {
        reason = "its result overlaps a factor";
        return nullptr;
      }
  BoundTensor sums;
  sums.type = recipe::ElementType::I32;
  sums.layout.sizes = contraction.sumSizes();
  sums.layout.strides = kernel::denseStrides(sums.layout.sizes);
  sums.data = memory.staging.take(countOf(sums) * sizeof(int32_t));
  assert(sums.data && "the bound of staging counts the sums");
  std::unique_ptr<PreparedCommand> product =
      GAUDI_TRY(mme->prepareIntegers(contraction, sums, memory, reason));
  if (!product)
    return nullptr;
  // The rest of the kernel reads the sums; operands converted before it are
  // 8-bit inputs of its own version.
  const recipe::Kernel &kernel =
      found.quantized ? found.quantized->code.kernel() : whole;
  return std::make_unique<IntegerCommand>(
      std::move(product), sums, RestKernel(kernel, contraction), inputs,
      outputs, contraction, std::move(before));
}

void IntegerCommand::visitAddresses(AddressVisitor &visitor) {
  for (TpcCommand &command : before.commands)
    command.visitAddresses(visitor);
  product->visitAddresses(visitor);
  rest.visitAddresses(visitor);
}

void IntegerCommand::run(LaunchContext &context) {
  for (TpcCommand &command : before.commands)
    command.run(context);
  product->run(context);
  if (!inTiles)
    rest.run(context);
}

std::string IntegerCommand::implementation() const {
  return product->implementation() + "; " + rest.implementation() +
         (inTiles ? " in its tiles" : "") +
         (before.commands.empty()
              ? ""
              : "; quantized before by " + before.commands[0].implementation());
}

bool IntegerCommand::reads(size_t input, const BoundTensor &tensor) const {
  // The second operand of a product is the one that it packs.
  return input != right || kernel.reads(right) || product->reads(1, tensor);
}

bool IntegerCommand::readsBehind(unsigned input) const {
  // Kernels that quantize before the product may read any input.
  return before.commands.empty() && !kernel.reads(input) &&
         std::find(behind.begin(), behind.end(), input) != behind.end();
}

} // namespace gaudi::runtime
