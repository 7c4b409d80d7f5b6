// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix engine's decisions: how the graph compiler lays a product over
// the arrays (geometry, walk, concurrency, reuse), and the cycles that takes.
//
// The array computes output tiles: `width` elements along the result's fastest
// dimension by `height` elements along the others, one element of the common
// dimension per cycle. Formulas follow the compiler's own cost model (the
// "brain"); what silicon adds to it is in costOf.
#ifndef GAUDI_TIMING_MME_H
#define GAUDI_TIMING_MME_H

#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Timing/Work.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace gaudi::timing {

/// A product as the array sees it. A convolution's filter is in `common`
/// (forward, input gradient) or in `batch` (weight gradient).
struct MmeProblem {
  /// What `batch` counts, which decides how the compiler uses idle engines:
  /// products of a gemm; positions of the filter, whose sums share B and may be
  /// cut (weight gradients); nothing.
  enum class Batch : uint8_t { Products, FilterPositions, None };
  Batch counts = Batch::Products;
  ElementType type = ElementType::BF16; // of the operands
  ElementType result = ElementType::BF16;
  int64_t width = 1, height = 1, common = 1;
  /// Products of one shape, first dimension the fastest: batch of a gemm, or
  /// the filter's positions that a weight gradient computes apart.
  std::array<int64_t, 3> batch{1, 1, 1};
  int64_t repeats = 1; // groups of a convolution: one after the other
  /// Turned by the engine while it reads.
  bool transposedA = true, transposedB = false;
  bool broadcastB = false; // one B for all of batch[0]
  bool denseB = true;      // rows of B are contiguous
  /// Size of the result's first dimension in `height`.
  int64_t innerHeight = 1;
  /// Times that a convolution reads each element of A: filter over stride. A
  /// part of MmePlan::fetchA only.
  int64_t filterReads = 1;
  /// Where a weight gradient's first row of A begins, and how far the next is,
  /// in elements: rows that all begin between cache lines cost two reads.
  int64_t rowOffset = 0, rowStep = 0;
  /// Positions of the second dimension in `common` of a weight gradient.
  int64_t secondCommon = 1;
  /// A weight gradient that is a plain product: filter, stride and dilation 1,
  /// no padding.
  bool plainProduct = false;

  int64_t batches() const { return batch[0] * batch[1] * batch[2]; }
  double macs() const {
    return double(width) * double(height) * double(common) * double(batches()) *
           double(repeats);
  }
};

/// The order in which tiles are computed, and so which operand stays in the
/// stream buffers: A when the walk goes right, B when it goes down.
enum class Walk : uint8_t { Right, Down };
std::string_view nameOf(Walk walk);

/// What the choice may use.
struct MmeOptions {
  bool batchConcurrency = true;   // several products at once
  bool commonConcurrency = false; // parts of one sum, added in memory
  bool streamReuse = true;
  bool portLimits = true; // count steps that lack input ports
};

/// Counts of engines, cores or ports along the axes of a product.
struct MmeGrid {
  uint32_t fcd = 1, spatial = 1, batch = 1, common = 1;
};

/// The engines of the chip, laid out for one product.
struct MmeLayout {
  uint32_t geometry = 0;          // of MmeSpec::geometries
  MmeGrid engines;                // of the chip
  MmeGrid cores;                  // of an engine
  MmeGrid a, b, c;                // ports of a core
  uint32_t width = 0, height = 0; // of a tile, in elements
  bool doubleAccumulators = false;
  bool asymmetricPorts = false; // one port of two idle, so that none waits
  bool portLimited = false;     // A and B need more input ports than there are
  uint32_t batchConcurrency = 1, commonConcurrency = 1;
  uint32_t portsA = 1, portsB = 1; // of the chip
  uint32_t interleavedA = 1;       // of them, those that share A's rows
  uint32_t concurrentDim = 0;      // of MmeProblem::batch
};

/// How a product runs, and the cycles it takes by the brain's formula.
struct MmePlan {
  MmeLayout layout;
  Walk walk = Walk::Right;
  int64_t fcdSteps = 1, spSteps = 1, batchSteps = 1;
  /// Steps that wait for input ports, and what one costs (1: nothing).
  int64_t constrainedSteps = 0;
  double constrainedCost = 1;
  bool reuseA = false, reuseB = false;
  /// Parts of the common dimension that fit in the stream buffers (1: all).
  int64_t partials = 1;
  /// How often the operands are read, and how fast, as the compiler counts it
  /// for its own choices. Charged nowhere: the tests compare these decisions
  /// with the compiler's, and costOf reads each operand once.
  int64_t fetchA = 1, fetchB = 1;       // times that each is read
  int64_t accessesA = 1, accessesB = 1; // by all engines of the chip
  double accessBandwidthA = 0, accessBandwidthB = 0; // bytes/s
  double utilization = 1; // multipliers busy, over all steps
  uint64_t cycles = 0;

  /// Elements of the common dimension that a tile sums.
  int64_t effectiveCommon = 1;
  int64_t tiles() const { return fcdSteps * spSteps * batchSteps; }
};

/// The products that a command is computed as: one, but for the gradient of a
/// strided convolution's input, which has one per residue of the strides (those
/// that no output reaches are left out).
std::vector<MmeProblem> problemsOf(const MatrixWork &work);

/// The geometries that the compiler tries for a product, in its order.
std::vector<uint32_t> geometriesFor(const MmeProblem &problem,
                                    const device::DeviceSpec &spec);

/// The layout of a geometry with the concurrency that the product allows.
MmeLayout layoutOf(const MmeProblem &problem, uint32_t geometry,
                   const device::DeviceSpec &spec,
                   const MmeOptions &options = {});

/// The plan with a given geometry; the walk is the geometry's default or given.
MmePlan planWith(const MmeProblem &problem, uint32_t geometry,
                 const device::DeviceSpec &spec, const MmeOptions &options = {},
                 std::optional<Walk> walk = std::nullopt);

/// The plan of least cycles. Weight gradients also choose their concurrency:
/// over filter positions, over parts of the sum, or both.
MmePlan choosePlan(const MmeProblem &problem, const device::DeviceSpec &spec,
                   const MmeOptions &options = {});

/// Of `batch` products like `problem`, those that the compiler merges along the
/// height, when B is the same for all of them: the tile is filled. 1: none. Not
/// charged: one B for a dense batch is one product (problemsOf).
int64_t flatteningOf(const MmeProblem &problem, int64_t batch,
                     uint32_t geometry, const device::DeviceSpec &spec);

/// Utilization when the product is cut in slices of these sizes: every slice
/// rounds up to tiles of its own. Not charged: the wait for slices is measured.
double slicedUtilization(const MmeProblem &problem, int64_t sliceWidth,
                         int64_t sliceHeight, int64_t sliceBatch,
                         uint32_t geometry, const device::DeviceSpec &spec);

/// Where the common dimension of a forward convolution is cut so that the rest
/// of every read begins at a cache line: one number per sub-problem, 0 for no
/// cut; empty when rows do not start between lines. Sizes in elements. Not
/// charged.
struct MisalignedRows {
  int64_t channels = 1, innerOutput = 1;
  int64_t stride = 1, pad = 0;
  int64_t commonPerFilter = 1; // channels x filter of the inner dimension
  unsigned elementBytes = 2;
};
std::vector<int64_t> cutPoints(const MisalignedRows &rows,
                               const device::DeviceSpec &spec);

/// Cycles of the published formula, summed over the command's products: tiles
/// x max(common dimension, roll-up), no memory, no launch.
uint64_t brainCycles(const MatrixWork &work, const device::DeviceSpec &spec);

} // namespace gaudi::timing

#endif // GAUDI_TIMING_MME_H
