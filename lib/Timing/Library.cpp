// Kernels of the library.
#include "Models.h"

#include <fmt/format.h>

namespace gaudi::timing {

Cost costOf(const LibraryWork &work, const device::DeviceSpec &spec) {
  Cost cost;
  for (uint32_t i = 0; i < work.operands.size(); ++i)
    if (i < work.inputs)
      addRead(cost, work.operands[i], work.operands[i].bytes());
    else
      addWrite(cost, work.operands[i], work.operands[i].bytes());
  setMemoryTime(cost, Bound::Vector, spec);
  return cost;
}

std::string explain(const LibraryWork &work, const device::DeviceSpec &spec) {
  return fmt::format("{}", nameOf(costOf(work, spec).bound));
}

} // namespace gaudi::timing
