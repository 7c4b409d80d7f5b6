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
  // Along each group of parallel dimensions the address grows by the block
  // times the points of the groups inside of it.
  int64_t block = 0;
  __int128 step = 0;
  for (size_t g = plan.parallel.size(); g-- > 0;) {
    const LoopGroup &group = plan.parallel[g];
    if (group.extent == 1)
      continue;
    const int64_t linear = access.linear[group.inner];
    if (block == 0)
      step = block = linear;
    if (block <= 0 || step != linear)
      return 0;
    step *= group.extent;
  }
  // What the loops add stays inside of the block.
  __int128 low = access.fixed, high = access.fixed;
  for (size_t d = 0; d < items(kernel.parallel()).size(); ++d)
    if (!kernel.parallel()->Get(unsigned(d)) && plan.extents[d] > 0) {
      const __int128 reach = __int128(access.linear[d]) * (plan.extents[d] - 1);
      (reach < 0 ? low : high) += reach;
    }
  return low >= 0 && high < block ? block : 0;
}

std::vector<int64_t> pointBlocks(const Kernel &kernel, const LoopPlan &plan,
                                 size_t operands) {
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
