// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of compiled TPC kernels.
#include "TpcCommand.h"

#include "../Jit/KernelJit.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace gaudi::runtime {

TpcCommand::TpcCommand(const std::vector<BoundTensor> &operands) {
  for (const BoundTensor &operand : operands)
    addresses.push_back(operand.data);
}

void TpcCommand::request(KernelJit &jit, const recipe::Kernel &code,
                         const std::vector<BoundTensor> &operands,
                         const TpcCommand *other, bool ofRecipe,
                         const std::vector<OperandPair> &inPlace) {
  if (other) {
    handle = other->handle;
    return;
  }
  std::vector<KernelOperand> described;
  for (const BoundTensor &operand : operands)
    described.push_back({operand.type, operand.layout.sizes,
                         operand.layout.strides,
                         reinterpret_cast<uint64_t>(operand.data)});
  for (const OperandPair &pair : inPlace)
    described[pair.input].inPlace.push_back(pair.output);
  handle = jit.add(code, described, ofRecipe);
}

void TpcCommand::bind(const KernelJit &jit, unsigned threads) {
  kernel = jit.get(handle);
  grain = kernel.points;
  if (!kernel.splittable || threads == 1)
    return;
  // A chunk is worth the hand-over to a thread (some microseconds), and each
  // thread gets about four, so that a late one costs a quarter of its share.
  constexpr double chunkWork = 32768;
  const int64_t least =
      int64_t(chunkWork / std::max(kernel.workPerPoint, 1e-3)) + 1;
  grain = std::max(least, (kernel.points + threads * 4 - 1) / (threads * 4));
  const int64_t unit = kernel.row <= grain ? kernel.row : 64;
  const auto quotient = [](int64_t count, int64_t by) {
    return (count + by - 1) / by;
  };
  // Equal chunks, and as many for each thread.
  const int64_t units = std::max<int64_t>(quotient(kernel.points, unit), 1);
  int64_t chunks = quotient(units, quotient(grain, unit));
  if (chunks > threads)
    chunks = quotient(chunks, threads) * threads;
  grain = quotient(units, chunks) * unit;
}

bool TpcCommand::describe(LaunchStep &step) const {
  if (kernel.function && grain >= kernel.points) {
    step.function = kernel.function;
    step.operands = addresses.data();
    step.points = kernel.points;
  }
  return kernel.function;
}

Follower TpcCommand::follower(size_t operand) const {
  // The set-up of a call (constants into registers, loop bounds) costs as much
  // as some elements; measured on chains of 5 to 45 instructions.
  constexpr double elementsPerWork = 160;
  constexpr int64_t leastRun = 64;
  assert(operand < kernel.blocks.size() && "an operand of the kernel");
  const int64_t block = kernel.blocks[operand];
  const double work = kernel.workPerPoint / double(std::max<int64_t>(block, 1));
  return {kernel.function,
          addresses.data(),
          addresses.size(),
          block,
          std::max(leastRun, int64_t(elementsPerWork * work)),
          {}};
}

std::string TpcCommand::implementation() const {
  return kernel.description +
         (reason.empty() ? "" : ", integers here because " + reason) + detail;
}

void TpcCommand::joins(uint32_t command) {
  detail += fmt::format(", in the tiles of #{}", command);
}

void TpcCommand::run(LaunchContext &context) {
  context.pool.parallelFor(
      kernel.points, grain, [&](int64_t begin, int64_t end, unsigned) {
        kernel.function(addresses.data(), begin, end, &context.fault);
      });
}

} // namespace gaudi::runtime
