// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lays the engines of a chip over a product: geometry, ports, concurrency.
//
// An engine that a small product would leave idle works on the next product of
// the batch, or on another part of the sum. Gaudi 2 engines have two cores with
// ports of 64 elements; Gaudi 3 counts an engine as one core of 256 x 256.
#include "CeilDiv.h"
#include "Gaudi/Timing/Mme.h"

#include <algorithm>
#include <cassert>

namespace gaudi::timing {
namespace {

using device::DeviceSpec;
using device::MmeArray;
using Batch = MmeProblem::Batch;

bool isF8(ElementType type) { return kernel::elementSize(type) == 1; }

/// The state of a layout while concurrency is found. Widths and heights follow
/// from the grids, so they are recomputed after every change.
class Designer {
public:
  Designer(const MmeProblem &problem, uint32_t geometry, const DeviceSpec &spec,
           const MmeOptions &options)
      : problem(problem), spec(spec), options(options) {
    out.geometry = geometry;
  }

  MmeLayout design() {
    setGrids();
    if (supportsConcurrency())
      setChipConcurrency();
    out.concurrentDim = concurrentDim();
    out.width = width();
    out.height = height();
    out.doubleAccumulators = halvesHeight();
    out.batchConcurrency = batchConcurrency();
    if (out.asymmetricPorts)
      out.batchConcurrency = std::min<int64_t>(
          out.batchConcurrency, problem.batch[out.concurrentDim]);
    out.commonConcurrency =
        out.engines.common * out.cores.common * out.c.common;
    out.portLimited = options.portLimits && isPortLimited();
    const uint32_t engines = spec.mme.engines;
    out.portsA = enginePorts(out.a) * engines;
    out.portsB = enginePorts(out.b) * engines;
    out.interleavedA = interleavedA();
    return out;
  }

private:
  std::string_view name() const {
    return spec.mme.geometries[out.geometry].name;
  }
  bool isTall() const { return name() == "4xh"; }
  bool isWide() const { return name() == "4xw"; }

  bool supportsConcurrency() const {
    if (problem.counts == Batch::FilterPositions)
      // Parts of a sum are added in memory, which cannot add f8.
      return !(options.commonConcurrency && isF8(problem.result));
    return problem.counts == Batch::Products;
  }

  void setGrids() {
    out.engines = out.cores = out.a = out.b = out.c = MmeGrid();
    const uint32_t engines = spec.mme.engines;
    switch (spec.mme.array) {
    case MmeArray::Tiles:
      return; // four square arrays: their grid is the geometry itself
    case MmeArray::PortedCores:
      (name() == "4xw" || name() == "2xw" ? out.engines.fcd
                                          : out.engines.spatial) = engines;
      out.a = portGrid(isTall() ? 4 : isWide() ? 1 : 2, problem.transposedA);
      out.b = portGrid(isWide() ? 4 : isTall() ? 1 : 2, problem.transposedB);
      (isTall() ? out.c.spatial : out.c.fcd) = 2;
      (isWide() ? out.cores.fcd : out.cores.spatial) = 2;
      return;
    case MmeArray::WholeEngines:
      out.engines.fcd = isWide()          ? engines
                        : isTall()        ? 1
                        : name() == "2xw" ? engines / 2
                                          : 2;
      out.engines.spatial = engines / out.engines.fcd;
      out.a.spatial = out.b.spatial = 4;
      out.c.spatial = 2;
      return;
    }
  }

  /// Input ports of a core: rows beside each other when the operand is turned,
  /// else elements of the fast dimension, of which f8 ports carry twice.
  MmeGrid portGrid(uint32_t ports, bool transposed) const {
    MmeGrid grid;
    if (ports == 1)
      return grid;
    if (transposed)
      grid.spatial = ports;
    else if (!isF8(problem.type))
      grid.fcd = ports;
    else {
      grid.fcd = ports / 2;
      grid.spatial = 2;
    }
    return grid;
  }

  uint32_t portSize() const { return isF8(problem.type) ? 128 : 64; }

  uint32_t engineConcurrency() const {
    return std::max(out.a.batch, out.b.batch) * out.cores.batch;
  }
  uint32_t batchConcurrency() const {
    return out.engines.batch * engineConcurrency();
  }
  uint32_t engineCommonConcurrency() const {
    return out.cores.common * out.c.common;
  }

  // Tile sizes.

  bool halvesHeight() const {
    if (spec.mme.array == MmeArray::PortedCores)
      return !(out.a.batch > 1 && out.c.batch == 1) &&
             (out.c.batch > 1 || out.c.common > 1);
    if (spec.mme.array != MmeArray::WholeEngines)
      return false;
    // The rows of a port fill half of an accumulator: two fit in one.
    const uint32_t outputs =
        problem.transposedA ? out.c.spatial * out.engines.spatial : 1;
    const uint32_t needed =
        problem.transposedA ? out.a.spatial * out.engines.spatial : outputs;
    return problem.innerHeight >= int64_t(needed) &&
           ceilDiv(problem.height, outputs) <= 64;
  }

  uint32_t coreWidth() const {
    if (spec.mme.array == MmeArray::WholeEngines)
      return out.a.batch > 1 && out.b.batch > 1 ? 128 : 256;
    if (engineConcurrency() == 1 || isBroadcastB())
      return out.c.fcd * 128;
    return problem.transposedB ? out.b.spatial * 64 : out.b.fcd * portSize();
  }

  uint32_t coreHeight() const {
    if (spec.mme.array == MmeArray::WholeEngines)
      return halvesHeight() ? 64 : 128;
    if (halvesHeight())
      return 64;
    if ((engineConcurrency() == 1 || sharesA) && engineCommonConcurrency() == 1)
      return out.c.spatial * 128;
    return problem.transposedA ? out.a.spatial * 64 : out.a.fcd * portSize();
  }

  uint32_t width() const {
    if (spec.mme.array == MmeArray::Tiles)
      return tileEdge(spec.mme.geometries[out.geometry].width) / widthDivisor;
    return out.engines.fcd * out.cores.fcd * coreWidth();
  }

  uint32_t height() const {
    if (spec.mme.array == MmeArray::Tiles)
      return tileEdge(spec.mme.geometries[out.geometry].height) / heightDivisor;
    uint32_t engineHeight = out.cores.spatial * coreHeight();
    if (spec.mme.array == MmeArray::WholeEngines && out.a.batch == 1)
      engineHeight *= 2;
    return out.engines.spatial * engineHeight;
  }

  uint32_t tileEdge(uint32_t bf16) const {
    return kernel::elementSize(problem.type) == 4
               ? bf16 / spec.mme.fp32GeometryDivisor
               : bf16;
  }

  // Concurrency.

  /// A weight gradient's B is the same for all positions of the filter.
  bool isBroadcastB() const {
    return problem.counts == Batch::FilterPositions ||
           (problem.broadcastB && problem.batch[concurrentDim()] > 1);
  }

  void setChipConcurrency() {
    if (spec.mme.array == MmeArray::Tiles) {
      setTileConcurrency();
      return;
    }
    uint32_t &more =
        options.commonConcurrency ? out.engines.common : out.engines.batch;
    if (!options.commonConcurrency && !options.batchConcurrency)
      return;
    // Engines along the width that it does not need, then those below.
    // Heights shrink with the engines, so every round asks again.
    while (width() / 2 >= problem.width && out.engines.fcd > 1) {
      out.engines.fcd /= 2;
      more *= 2;
    }
    while (height() / 2 >= problem.height && out.engines.spatial > 1) {
      out.engines.spatial /= 2;
      more *= 2;
    }
    if (out.engines.spatial != 1 || out.engines.fcd != 1) {
      // Parts of engines cannot take filter positions while there are steps.
      if (problem.counts == Batch::FilterPositions &&
          options.batchConcurrency && spec.mme.array == MmeArray::WholeEngines)
        setGrids();
      return;
    }
    if (problem.counts == Batch::Products)
      setProductConcurrency();
    else if (options.batchConcurrency)
      setFilterConcurrency();
    else
      setCommonConcurrency();
  }

  /// Gaudi: two products when each fills half of the square geometry.
  void setTileConcurrency() {
    if (problem.counts != Batch::Products || !options.batchConcurrency ||
        name() != "2xw" || problem.batches() == 1)
      return;
    if (problem.height <= height() / 2)
      heightDivisor = 2;
    else if (problem.width <= width() / 2)
      widthDivisor = 2;
    else
      return;
    out.engines.batch = 2;
  }

  void splitCores() {
    out.c.fcd = 1;
    out.c.spatial = 2;
    out.cores = {1, 1, 2, 1};
  }

  /// Several products in one engine.
  void setProductConcurrency() {
    const int64_t fcd = problem.width, sp = problem.height;
    if (spec.mme.array == MmeArray::WholeEngines) {
      // Two products above each other; of one B the width may be whole.
      const bool broadcast =
          problem.broadcastB && problem.batch[concurrentDim()] > 1;
      if (sp > coreHeight() || fcd > (broadcast ? coreWidth() : 128))
        return;
      out.a.spatial /= 2;
      out.c.spatial /= 2;
      out.a.batch = out.c.batch = 2;
      if (!broadcast) {
        out.b.spatial /= 2;
        out.b.batch = 2;
      }
      return;
    }
    const bool f8 = isF8(problem.type);
    if (fcd <= portSize() && sp <= portSize() && !f8 && problem.denseB) {
      // Two products per core. The cores no longer share an operand.
      out.a = out.b = out.c = {1, 1, 2, 1};
      out.cores = {1, 1, 2, 1};
      return;
    }
    if (isWide()) {
      // The cores share the ports of A: each reads both products' rows and
      // drops one, which takes a loop that the third batch dimension needs.
      if (fcd <= coreWidth() && sp <= coreHeight() / 2 &&
          problem.batch[2] == 1 && (!f8 || problem.transposedA)) {
        out.cores.fcd = 1;
        out.cores.batch = 2;
        sharesA = true;
      }
    } else if (isTall()) {
      if (fcd <= portSize() && sp <= coreHeight() &&
          (!f8 || problem.transposedB))
        splitCores();
    } else if (fcd <= coreWidth() / 2 && sp <= coreHeight())
      splitCores();
  }

  /// Several filter positions in one engine.
  void setFilterConcurrency() {
    if (spec.mme.array == MmeArray::WholeEngines || isF8(problem.type))
      return;
    // Ports of A along the fast dimension, of the whole engine.
    const auto ports = [&] {
      return out.a.fcd * (out.cores.fcd * out.cores.spatial > 1 ? 2 : 1);
    };
    while (ports() > 1 && problem.width <= coreWidth() &&
           problem.height <= int64_t(ports()) / 2 * portSize()) {
      // First a position per core, then several per core over its ports of A.
      if (out.cores.spatial > 1 || out.cores.fcd > 1)
        out.cores = {1, 1, 2, 1};
      else {
        out.a.fcd /= 2;
        out.a.batch *= 2;
      }
    }
    out.asymmetricPorts = canIdlePort();
  }

  /// The sum split over the cores of an engine.
  void setCommonConcurrency() {
    const int64_t fcd = problem.width, sp = problem.height;
    if (spec.mme.array == MmeArray::WholeEngines) {
      if (fcd <= 128 && sp <= 128) {
        out.a = out.b = {1, 4, 1, 1};
        out.c = {1, 2, 1, 1};
      }
      return;
    }
    if (out.cores.spatial == 1) // B is not shared between the cores
      return;
    if (fcd <= coreWidth() / 2) {
      // Worth it if one core holds the result, or the rows that are left over.
      const int64_t rest = sp % height();
      if (sp <= coreHeight() || (rest > 0 && rest <= coreHeight())) {
        out.c = {1, 2, 1, 1};
        out.cores = {1, 1, 1, 2};
      }
    }
    // Two parts in each core, of one port per operand.
    if (!isF8(problem.type) && fcd <= portSize() && sp <= portSize()) {
      out.a = out.b = {1, 2, 1, 1};
      out.c = {1, 1, 1, 2};
    }
  }

  /// The batch dimension that leaves the fewest steps.
  uint32_t concurrentDim() const {
    if (problem.counts != Batch::Products)
      return 0;
    uint32_t best = 0;
    int64_t bestSteps = 0;
    const int64_t together = std::max(batchConcurrency(), 1u);
    for (uint32_t d = 0; d < 3; ++d) {
      const int64_t size = std::max<int64_t>(problem.batch[d], 1);
      const int64_t steps = problem.batches() / size * ceilDiv(size, together);
      if (d == 0 || steps < bestSteps) {
        best = d;
        bestSteps = steps;
      }
    }
    return best;
  }

  // Ports.

  /// Both cores of a Gaudi 2 engine have ports for the operand.
  uint32_t enginePorts(const MmeGrid &ports) const {
    const uint32_t cores = spec.mme.array == MmeArray::PortedCores ? 2 : 1;
    return ports.fcd * ports.spatial * ports.batch * cores;
  }

  uint32_t interleavedA() const {
    return out.a.spatial * (out.cores.common > 1 ? 2 : 1) *
           (problem.transposedA
                ? out.engines.spatial *
                      (spec.mme.array == MmeArray::PortedCores ? 2 : 1)
                : out.engines.common);
  }

  /// Ten ports of a Gaudi 2 engine share eight stream buffers: a step that
  /// uses all of them takes longer. f32 is slower than its reads anyway.
  bool isPortLimited() const {
    if (spec.mme.array != MmeArray::PortedCores ||
        kernel::elementSize(problem.type) == 4 ||
        enginePorts(out.a) + enginePorts(out.b) <= 8 || out.asymmetricPorts)
      return false;
    const uint32_t coreA = out.a.fcd * out.a.spatial * out.a.batch;
    const uint32_t coreB = out.b.fcd * out.b.spatial * out.b.batch;
    // The last port of A is idle.
    return !(coreB == 1 && coreA == out.a.fcd &&
             problem.height <= (int64_t(out.a.fcd) - 1) * portSize());
  }

  /// Whether one port of each pair that shares a buffer can stay idle: only
  /// with filter positions beside each other and the sum split over engines.
  bool canIdlePort() const {
    if (out.engines.common == 1 || enginePorts(out.a) + enginePorts(out.b) <= 8)
      return false;
    const uint32_t coreA = out.a.fcd * out.a.spatial * out.a.batch;
    const uint32_t coreB = out.b.fcd * out.b.spatial * out.b.batch;
    if (coreB != 1 || problem.transposedA || problem.width > portSize())
      return false;
    // Ports that one filter position needs, and all that run at once.
    const int64_t each = ceilDiv(problem.height, portSize());
    const int64_t used =
        each * std::min<int64_t>(batchConcurrency(), problem.batch[0]);
    if (used <= int64_t(out.a.fcd) - 1 || used >= 2 * int64_t(coreA))
      return false;
    // Either every core has an idle port, or one position spans both cores and
    // leaves two idle.
    return used <= 2 * (int64_t(coreA) - 1) ||
           (each > int64_t(coreA) && each <= 2 * (int64_t(coreA) - 1));
  }

  const MmeProblem &problem;
  const DeviceSpec &spec;
  const MmeOptions &options;
  MmeLayout out;
  bool sharesA = false; // two products, one port of A for both cores
  uint32_t widthDivisor = 1, heightDivisor = 1;
};

} // namespace

MmeLayout layoutOf(const MmeProblem &problem, uint32_t geometry,
                   const DeviceSpec &spec, const MmeOptions &options) {
  assert(geometry < spec.mme.geometryCount && "a geometry of the device");
  return Designer(problem, geometry, spec, options).design();
}

} // namespace gaudi::timing
