// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel with a long reduction, which runs as two.
#include "ReductionCommand.h"

#include "../Pipeline.h"

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"

#include <cassert>
#include <fmt/format.h>

namespace gaudi::runtime {
namespace {

/// The partial values of each result.
BoundTensors partialsIn(Staging &staging, const LongReduction &reduction) {
  BoundTensors partials;
  const auto count = uint64_t(*kernel::elementCount(reduction.sizes));
  for (recipe::ElementType type : reduction.types) {
    BoundTensor partial;
    partial.data = staging.take(count * recipe::elementSize(type));
    assert(partial.data && "address space without bounds");
    partial.type = type;
    partial.layout = {reduction.sizes, kernel::denseStrides(reduction.sizes)};
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
                                   const BoundTensors &out,
                                   BoundTensors partials)
    : reduction(std::move(split)), chunkCode(chunkKernel(kernel, reduction)),
      combiningCode(combiningKernel(kernel, reduction)),
      chunkOperands(joined(in, out, partials)),
      combiningOperands(joined(in, partials, out)), chunks(chunkOperands),
      combining(combiningOperands) {}

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

std::unique_ptr<ReductionCommand> prepareReduction(const recipe::Kernel &kernel,
                                                   const BoundTensors &in,
                                                   const BoundTensors &out,
                                                   Staging &staging) {
  const std::optional<LongReduction> reduction = findLongReduction(kernel);
  if (!reduction)
    return nullptr;
  // A point that overwrites what a later one reduces needs the kernel as it is.
  for (const BoundTensor &read : in)
    for (const BoundTensor &written : out)
      if (mayOverlap(read, written))
        return nullptr;
  staging.restart();
  return std::make_unique<ReductionCommand>(kernel, *reduction, in, out,
                                            partialsIn(staging, *reduction));
}

} // namespace gaudi::runtime
