// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel with a long reduction, which runs as two.
#include "ReductionCommand.h"

#include "../Pipeline.h"

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"

#include <fmt/format.h>

namespace gaudi::runtime {
namespace {

uint64_t partialBytes(const LongReduction &reduction,
                      recipe::ElementType type) {
  const auto count = uint64_t(*kernel::elementCount(reduction.sizes));
  return (count * recipe::elementSize(type) + 63) / 64 * 64;
}

/// The partial values of each result, one after the other.
BoundTensors partialsIn(const Arena &memory, const LongReduction &reduction) {
  BoundTensors partials;
  uint8_t *next = memory.data();
  for (recipe::ElementType type : reduction.types) {
    BoundTensor partial;
    partial.data = next;
    partial.type = type;
    partial.layout = {reduction.sizes, kernel::denseStrides(reduction.sizes)};
    next += partialBytes(reduction, type);
    partials.push_back(std::move(partial));
  }
  return partials;
}

BoundTensors joined(BoundTensors first, const BoundTensors &second,
                    const BoundTensors &third) {
  first.insert(first.end(), second.begin(), second.end());
  first.insert(first.end(), third.begin(), third.end());
  return first;
}

} // namespace

ReductionCommand::ReductionCommand(const recipe::Kernel &kernel,
                                   LongReduction split, const BoundTensors &in,
                                   const BoundTensors &out, Arena partials)
    : reduction(std::move(split)), memory(std::move(partials)),
      chunkCode(chunkKernel(kernel, reduction)),
      combiningCode(combiningKernel(kernel, reduction)),
      chunkOperands(joined(in, out, partialsIn(memory, reduction))),
      combiningOperands(joined(in, partialsIn(memory, reduction), out)),
      chunks(chunkOperands), combining(combiningOperands) {}

void ReductionCommand::request(KernelJit &jit, const ReductionCommand *other) {
  chunks.request(jit, chunkCode.kernel(), chunkOperands,
                 other ? &other->chunks : nullptr);
  combining.request(jit, combiningCode.kernel(), combiningOperands,
                    other ? &other->combining : nullptr);
}

void ReductionCommand::bind(const KernelJit &jit, unsigned threads) {
  chunks.bind(jit, threads);
  combining.bind(jit, threads);
}

void ReductionCommand::run(LaunchContext &context) {
  chunks.run(context);
  combining.run(context);
}

std::string ReductionCommand::implementation() const {
  return fmt::format("{} in {} chunks; {}", chunks.implementation(),
                     reduction.chunks, combining.implementation());
}

Result<std::unique_ptr<ReductionCommand>>
prepareReduction(const recipe::Kernel &kernel, const BoundTensors &in,
                 const BoundTensors &out) {
  const std::optional<LongReduction> reduction = findLongReduction(kernel);
  if (!reduction)
    return nullptr;
  // A point that overwrites what a later one reduces needs the kernel as it is.
  for (const BoundTensor &read : in)
    for (const BoundTensor &written : out)
      if (mayOverlap(read, written))
        return nullptr;
  uint64_t bytes = 0;
  for (recipe::ElementType type : reduction->types)
    bytes += partialBytes(*reduction, type);
  Arena memory =
      GAUDI_TRY(Arena::create(bytes, "partial results of reductions"));
  return std::make_unique<ReductionCommand>(kernel, *reduction, in, out,
                                            std::move(memory));
}

} // namespace gaudi::runtime
