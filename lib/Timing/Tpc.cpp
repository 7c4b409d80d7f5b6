// TPC kernels.
#include "Models.h"

#include <algorithm>
#include <fmt/format.h>

namespace gaudi::timing {

Cost costOf(const KernelWork &work, const device::DeviceSpec &spec) {
  Cost cost;
  double vectors = 0;
  for (const KernelBlock &block : work.blocks) {
    double points = 1;
    for (size_t d = 0; d < work.extents.size(); ++d)
      if (block.dims >> d & 1)
        points *= double(work.extents[d]);
    const double lanes = double(spec.tpc.vectorBytes) / block.widestBytes;
    vectors += points / lanes *
               (block.simple + 4.0 * block.division + 8.0 * block.function +
                block.reductions);
  }
  cost.enginesUsed = spec.tpc.engines;
  cost.compute = cycleTime(vectors / spec.tpc.engines, spec.tpc.clockHz);
  for (uint32_t i = 0; i < work.operands.size(); ++i)
    if (i < work.inputs)
      addRead(cost, work.operands[i], work.operands[i].bytes());
    else
      addWrite(cost, work.operands[i], work.operands[i].bytes());
  setMemoryTime(cost, Bound::Vector, spec);
  return cost;
}

std::string explain(const KernelWork &work, const device::DeviceSpec &spec) {
  return fmt::format("{}", nameOf(costOf(work, spec).bound));
}

} // namespace gaudi::timing
