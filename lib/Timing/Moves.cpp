// Copies, transposes, broadcasts and fills.
#include "Models.h"

#include <fmt/format.h>

namespace gaudi::timing {

Cost costOf(const TransferWork &work, const device::DeviceSpec &spec) {
  Cost cost;
  addRead(cost, work.source, work.source.bytes());
  addWrite(cost, work.target, work.target.bytes());
  setMemoryTime(cost, Bound::Dma, spec);
  return cost;
}

Cost costOf(const FillWork &work, const device::DeviceSpec &spec) {
  Cost cost;
  addWrite(cost, work.target, work.target.bytes());
  setMemoryTime(cost, Bound::Dma, spec);
  return cost;
}

std::string explain(const TransferWork &work, const device::DeviceSpec &spec) {
  return fmt::format("{}", nameOf(costOf(work, spec).bound));
}

std::string explain(const FillWork &work, const device::DeviceSpec &spec) {
  return fmt::format("{}", nameOf(costOf(work, spec).bound));
}

} // namespace gaudi::timing
