// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel whose accesses are positions in memory: what the TPC model counts.
#ifndef GAUDI_LIB_TIMING_FLATKERNEL_H
#define GAUDI_LIB_TIMING_FLATKERNEL_H

#include "Gaudi/Timing/Work.h"

#include <vector>

namespace gaudi::timing {

/// One access. The element at indices i is at sum(stride[d] * i[d]) elements,
/// plus, per gathered dimension, an index that is not known.
struct FlatAccess {
  const Operand *operand = nullptr;
  uint32_t elementBytes = 4;
  bool isRead = true;
  /// Bytes in memory are not those of the value computed with.
  bool isConverted = false;
  /// The first access at the same coordinates: one register holds both.
  uint32_t coordinates = 0;
  Dims strides;           // per dimension of the kernel, without sign
  uint64_t indexDims = 0; // that gathered indices vary with
  struct Gathered {
    int64_t stride, size;
  };
  std::vector<Gathered> gathered;

  /// Reads the same elements, in the same order.
  bool isSameAs(const FlatAccess &other) const;
};

/// Dimensions of extent 1 have no bit in any set. Adjacent dimensions are
/// collapsed where every access is contiguous across them: the slower one has
/// extent 1.
struct FlatKernel {
  explicit FlatKernel(const KernelWork &work);
  /// Iterations of the loops of all stages; those in the same loops count once.
  double points() const;

  Dims extents;
  uint64_t parallel = 0;
  /// Dimensions in the order of the loops, outermost first: parallel ones, then
  /// sequential ones.
  std::vector<unsigned> order;
  std::vector<FlatAccess> accesses;
  std::vector<KernelBlock> blocks;
  bool isEmpty = false; // no points

private:
  void flatten(const KernelWork &work);
  bool canCollapse(unsigned slow, unsigned fast) const;
  void collapse(unsigned slow, unsigned fast);
};

/// One loop of a nest, outermost first; a dimension may have two loops, over
/// tiles and in the tile.
struct Loop {
  unsigned dim;
  int64_t count;
};

/// Bytes of the memory lines that an access touches in the loops from `first`
/// on, the outer ones being at one iteration.
double touchedBytes(const FlatAccess &access, const std::vector<Loop> &loops,
                    size_t first, uint32_t grain);

/// Bytes that pass into a memory of `capacity` bytes which keeps what an access
/// reads again.
struct Traffic {
  double bytes = 0;
  double kept = 0;      // of the capacity
  double refetches = 1; // how often the data passes
};
Traffic trafficInto(double capacity, const FlatAccess &access,
                    const std::vector<Loop> &loops, uint32_t grain);

} // namespace gaudi::timing

#endif // GAUDI_LIB_TIMING_FLATKERNEL_H
