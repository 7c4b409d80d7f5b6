// Products of the matrix engine.
#include "Models.h"

#include <algorithm>
#include <fmt/format.h>

namespace gaudi::timing {

Cost costOf(const MatrixWork &work, const device::DeviceSpec &spec) {
  double macs = double(work.m) * double(work.n) * double(work.k);
  for (int64_t size : work.batch)
    macs *= double(size);
  if (work.kind != MatrixWork::Kind::Gemm) {
    macs = double(work.images) * double(work.inputChannels) *
           double(work.outputChannels) / double(work.groups);
    for (const Spatial &s : work.spatial)
      macs *= double(s.output) * double(s.filter);
  }
  Cost cost;
  cost.compute = cycleTime(macs / spec.mme.macsPerCycleBF16 *
                               spec.mme.cyclesPerElement(work.a.type),
                           spec.mme.clockHz);
  addRead(cost, work.a, work.a.bytes());
  addRead(cost, work.b, work.b.bytes());
  addWrite(cost, work.c, work.c.bytes());
  cost.utilization = 1;
  cost.enginesUsed = spec.mme.engines;
  setMemoryTime(cost, Bound::Array, spec);
  return cost;
}

std::string explain(const MatrixWork &work, const device::DeviceSpec &spec) {
  return fmt::format("{}", nameOf(costOf(work, spec).bound));
}

} // namespace gaudi::timing
