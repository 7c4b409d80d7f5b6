// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Positions in memory, and the bytes that loops touch.
#include "FlatKernel.h"
#include "Gaudi/Kernel/InlineVector.h"
#include "Models.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>

namespace gaudi::timing {
namespace {

using Wide = __int128;

/// What exceeds any tensor is as far as far can be.
int64_t clamped(Wide value) {
  constexpr Wide most = std::numeric_limits<int64_t>::max();
  return int64_t(std::clamp(value, -most, most));
}

/// Equally spaced places, each a run of bytes.
struct Axis {
  double pitch, count;
};

/// Few enough for no allocation, as these are listed for every level of every
/// nest.
class Axes {
public:
  void add(double pitch, double count) {
    axes.resize(axes.size() + 1);
    axes[axes.size() - 1] = {pitch, count};
  }
  const kernel::InlineVector<Axis, 16> &sorted() {
    std::sort(axes.data(), axes.data() + axes.size(),
              [](const Axis &a, const Axis &b) { return a.pitch < b.pitch; });
    return axes;
  }

private:
  kernel::InlineVector<Axis, 16> axes;
};

double roundUp(double bytes, double grain) {
  return std::ceil(bytes / grain) * grain;
}

/// Bytes of lines touched by nested axes, innermost with the smallest pitch.
///
/// While gaps are below the grain the lines are consecutive; after the first
/// larger gap every run has lines of its own. Runs that overlap (windows) fill
/// their span as densely as the run does. n log n in axes.
double bytesOfAxes(Axes &axes, double elementBytes, double grain) {
  double touched = elementBytes, span = elementBytes;
  bool isConsecutive = true;
  for (const Axis &axis : axes.sorted()) {
    const double whole = (axis.count - 1) * axis.pitch + span;
    if (axis.pitch < span) {
      touched *= whole / span;
    } else if (isConsecutive && axis.pitch - span < grain) {
      touched = whole;
    } else {
      touched =
          axis.count * (isConsecutive ? roundUp(touched, grain) : touched);
      isConsecutive = false;
    }
    span = whole;
  }
  return roundUp(touched, grain);
}

} // namespace

bool FlatAccess::isSameAs(const FlatAccess &other) const {
  return operand == other.operand && strides == other.strides &&
         gathered.empty() && other.gathered.empty();
}

FlatKernel::FlatKernel(const KernelWork &work)
    : extents(work.extents), parallel(work.parallel), blocks(work.blocks) {
  assert(extents.size() <= kernel::Affine::maxDims && "a bit per dimension");
  isEmpty = std::find(extents.begin(), extents.end(), 0) != extents.end();
  flatten(work);
  for (size_t slow = 0; slow + 1 < extents.size(); ++slow) {
    size_t fast = slow + 1;
    while (fast < extents.size() && extents[fast] == 1)
      ++fast;
    if (fast < extents.size() && extents[slow] > 1 &&
        canCollapse(unsigned(slow), unsigned(fast)))
      collapse(unsigned(slow), unsigned(fast));
  }
  uint64_t used = 0;
  for (size_t d = 0; d < extents.size(); ++d)
    used |= uint64_t(extents[d] > 1) << d;
  parallel &= used;
  for (KernelBlock &block : blocks)
    block.dims &= used;
  for (FlatAccess &access : accesses)
    access.indexDims &= used;
  for (uint64_t set : {parallel, used & ~parallel})
    for (unsigned d = 0; d < extents.size(); ++d)
      if (set >> d & 1)
        order.push_back(d);
}

void FlatKernel::flatten(const KernelWork &work) {
  for (const KernelAccess &given : work.accesses) {
    FlatAccess access;
    const Operand &operand = work.operands[given.operand];
    access.operand = &operand;
    access.isRead = given.operand < work.inputs;
    access.elementBytes = kernel::elementSize(operand.type);
    access.isConverted =
        kernel::isFloat(operand.type) && !kernel::isKernelType(operand.type);
    access.strides.assign(extents.size(), 0);
    const Dims strides = operand.strides.empty()
                             ? kernel::denseStrides(operand.sizes)
                             : operand.strides;
    for (size_t d = 0; d < given.position.size() && d < strides.size(); ++d)
      if (given.indexed >> d & 1)
        access.gathered.push_back({strides[d], operand.sizes[d]});
      else
        for (unsigned k = 0; k < extents.size(); ++k)
          access.strides[k] = clamped(Wide(strides[d]) * given.position[d][k] +
                                      access.strides[k]);
    for (int64_t &stride : access.strides)
      stride = std::abs(stride);
    if (!access.gathered.empty())
      access.indexDims = given.indexDims;
    while (access.coordinates < accesses.size() &&
           (given.indexed || work.accesses[access.coordinates].indexed ||
            work.accesses[access.coordinates].position != given.position))
      ++access.coordinates;
    accesses.push_back(std::move(access));
  }
}

/// Two dimensions are collapsed if the rows of the faster one are contiguous in
/// every access, and every block has both or none.
bool FlatKernel::canCollapse(unsigned slow, unsigned fast) const {
  if ((parallel >> slow & 1) != (parallel >> fast & 1))
    return false;
  if (Wide(extents[slow]) * extents[fast] > std::numeric_limits<int64_t>::max())
    return false;
  for (const FlatAccess &access : accesses)
    if (access.strides[slow] != Wide(access.strides[fast]) * extents[fast] ||
        (access.indexDims >> slow & 1) != (access.indexDims >> fast & 1))
      return false;
  for (const KernelBlock &block : blocks)
    if ((block.dims >> slow & 1) != (block.dims >> fast & 1))
      return false;
  return true;
}

void FlatKernel::collapse(unsigned slow, unsigned fast) {
  extents[fast] *= extents[slow];
  extents[slow] = 1;
}

double touchedBytes(const FlatAccess &access, const std::vector<Loop> &loops,
                    size_t first, uint32_t grain) {
  Axes axes;
  double indices = 1;
  for (size_t l = first; l < loops.size(); ++l) {
    const Loop &loop = loops[l];
    // The tiles of a dimension are as far apart as the tile is long.
    double pitch = double(access.strides[loop.dim]);
    for (size_t inner = l + 1; inner < loops.size(); ++inner)
      if (loops[inner].dim == loop.dim)
        pitch *= double(loops[inner].count);
    if (pitch > 0 && loop.count > 1)
      axes.add(pitch * access.elementBytes, double(loop.count));
    if (access.indexDims >> loop.dim & 1)
      indices *= double(loop.count);
  }
  for (const FlatAccess::Gathered &gathered : access.gathered) {
    const double count = std::min(indices, double(gathered.size));
    if (count > 1 && gathered.stride > 0)
      axes.add(double(gathered.stride) * access.elementBytes *
                   std::floor(double(gathered.size) / count),
               count);
  }
  return bytesOfAxes(axes, access.elementBytes, grain);
}

double touchedBytes(const Operand &operand, uint32_t grain) {
  const uint32_t elementBytes = kernel::elementSize(operand.type);
  const Dims strides = operand.strides.empty()
                           ? kernel::denseStrides(operand.sizes)
                           : operand.strides;
  Axes axes;
  for (size_t d = 0; d < operand.sizes.size(); ++d) {
    if (operand.sizes[d] == 0)
      return 0;
    if (operand.sizes[d] > 1 && strides[d] != 0)
      axes.add(double(strides[d]) * elementBytes, double(operand.sizes[d]));
  }
  return bytesOfAxes(axes, elementBytes, grain);
}

Traffic trafficInto(double capacity, const FlatAccess &access,
                    const std::vector<Loop> &loops, uint32_t grain) {
  // From the innermost loop outwards: keeping what more loops touch never costs
  // more traffic, so the last level that fits is best; of equal ones the
  // smallest is kept. Gaps of the grain may disturb this order slightly.
  double outer = 1;
  for (const Loop &loop : loops)
    outer *= double(loop.count);
  Traffic best;
  best.bytes = outer * grain;
  double least = 0;
  for (size_t first = loops.size() + 1; first-- > 0;) {
    if (first < loops.size())
      outer /= double(loops[first].count);
    const double kept = touchedBytes(access, loops, first, grain);
    least = kept;
    // One line is in registers and needs no room.
    if (kept > capacity && kept > grain)
      continue;
    if (kept * outer < best.bytes) {
      best.bytes = kept * outer;
      best.kept = kept > grain ? kept : 0;
    }
  }
  best.refetches = least > 0 ? best.bytes / least : 1;
  return best;
}

double FlatKernel::points() const {
  std::map<uint32_t, uint64_t> dimsOf; // of each stage
  for (const KernelBlock &block : blocks)
    dimsOf[block.stage] |= block.dims | parallel;
  std::map<uint64_t, double> loops;
  for (const auto &[stage, dims] : dimsOf) {
    double &iterations = loops[dims] = 1;
    for (unsigned d : order)
      iterations *= dims >> d & 1 ? double(extents[d]) : 1;
  }
  double sum = 0;
  for (const auto &[dims, iterations] : loops)
    sum += iterations;
  return sum;
}

} // namespace gaudi::timing
