// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements of an operand a point of a kernel touches.
#include "PointBlocks.h"

#include "Gaudi/Recipe/Views.h"

#include <algorithm>

namespace gaudi::runtime {

using namespace recipe;

/// The block size of one access, or 0.
static int64_t blockOf(const Kernel &kernel, const LoopPlan &plan,
                       const PlannedAccess &access) {
  if (!access.guarded.empty())
    return 0;
  std::vector<kernel::Walk> points, loops;
  for (const LoopGroup &group : plan.parallel)
    points.push_back({group.inner, group.extent});
  for (unsigned d = 0; d < items(kernel.parallel()).size(); ++d)
    if (!kernel.parallel()->Get(d))
      loops.push_back({d, plan.extents[d]});
  return kernel::blockPerPoint(access.position, points, loops);
}

std::vector<int64_t> pointBlocks(const Kernel &kernel, const LoopPlan &plan,
                                 size_t operands) {
  // All accesses of an operand must agree on the block; one that does not makes
  // it 0 for good, since 0 equals no other block.
  constexpr int64_t untouched = -1;
  std::vector<int64_t> blocks(operands, untouched);
  for (const PlannedAccess &access : plan.accesses) {
    int64_t &block = blocks[access.operand];
    const int64_t here = blockOf(kernel, plan, access);
    block = block == untouched || block == here ? here : 0;
  }
  for (int64_t &block : blocks)
    block = std::max<int64_t>(block, 0);
  return blocks;
}

bool mayFault(const LoopPlan &plan) {
  for (const PlannedAccess &access : plan.accesses)
    for (const GuardedDim &dim : access.guarded)
      if (dim.boundary == Boundary::Checked)
        return true;
  return false;
}

} // namespace gaudi::runtime
