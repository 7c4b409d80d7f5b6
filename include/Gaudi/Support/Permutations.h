// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the placement of permutations changed, counted for remarks and reports.
#ifndef GAUDI_SUPPORT_PERMUTATIONS_H
#define GAUDI_SUPPORT_PERMUTATIONS_H

#include <cstdint>
#include <string>
#include <string_view>

namespace gaudi {

/// Of one region or of several. Times are those of one launch: of the
/// transposes, and of ops whose time depends on the order of their tensors.
struct PermutationCount {
  uint64_t transposesBefore = 0, transposesAfter = 0;
  int64_t bytesBefore = 0, bytesAfter = 0; ///< that transposes read and write
  int64_t picosecondsBefore = 0, picosecondsAfter = 0;
  int64_t lowerBound = 0; ///< picoseconds; no placement takes less
  /// Some orders were no candidates: the bound is one of the others only.
  bool isComplete = true;

  /// A proof: nothing is below the bound.
  bool isOptimal() const {
    return isComplete && picosecondsAfter == lowerBound;
  }
  /// (time after - lower bound) / time after: no placement saves a larger part.
  double gap() const;

  /// Sums are the nearest number of 64 bits: recipes may hold any numbers.
  PermutationCount &operator+=(const PermutationCount &other);

  /// "1 transpose instead of 57, 588 KiB instead of 12.3 MiB, 782 us instead of
  /// 812 us on gaudi2, lower bound 782 us: optimal for this form", or "... 780
  /// us: gap 0.26 %".
  std::string line(std::string_view device) const;
};

} // namespace gaudi

#endif // GAUDI_SUPPORT_PERMUTATIONS_H
