// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packing of buffers into one address range. A library of its own: it knows
// sizes and times, not ops.
//
// The problem is dynamic storage allocation: each buffer is a rectangle whose
// extent in time is given, and whose address is to be chosen. Heuristics come
// first. If their peak exceeds the most bytes alive at one time, an exact
// search follows (lib/Transforms/Memory/PackingSearch.h), within a limit of
// steps. A step looks at one buffer or one section of time, so the answer does
// not depend on the speed of the host, nor on the number of threads.
#ifndef GAUDI_TRANSFORMS_MEMORY_PACKING_H
#define GAUDI_TRANSFORMS_MEMORY_PACKING_H

#include "Gaudi/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gaudi::memory {

/// A buffer that is alive from `begin` until `end`, without `end`. Buffers of
/// zero bytes need no memory; a buffer whose lifetime is empty conflicts with
/// nothing but must fit below the peak.
struct Buffer {
  uint64_t size = 0; // bytes
  int64_t begin = 0;
  int64_t end = 0;
  /// Offsets are multiples of it; any positive number.
  uint64_t alignment = 1;
  /// The offset, if it is not to be chosen. It need not be aligned.
  std::optional<uint64_t> offset = std::nullopt;
};

/// Two buffers, by number, that must not share bytes although they may never
/// be alive at the same time.
using Conflict = std::pair<size_t, size_t>;

struct PackingOptions {
  /// Limit of the exact search; 0: heuristics only. 1e9 steps take about two
  /// seconds of one core.
  uint64_t steps = 0;
  /// At most so many threads; the answer is the same for every number.
  unsigned threads = 1;
  /// A peak up to this is good enough. 0: the smallest peak is wanted.
  uint64_t capacity = 0;
  /// Asked every few milliseconds, from several threads; true ends the exact
  /// search with the best packing so far.
  std::function<bool()> mustStop = nullptr;
  /// How errors name a buffer; empty: by its number.
  std::function<std::string(size_t)> name = nullptr;
};

struct Packing {
  std::vector<uint64_t> offsets; // one per buffer, bytes
  /// Bytes from 0 to the end of the last buffer. Sizes count as multiples of
  /// the greatest common divisor of all alignments and fixed offsets.
  uint64_t peak = 0;
  /// No packing has a smaller peak.
  uint64_t lowerBound = 0;
  /// Where most bytes are alive.
  int64_t mostAliveTime = 0;
  uint64_t mostAlive = 0; // bytes
  /// Steps of the exact search.
  uint64_t steps = 0;

  bool isProven() const { return peak == lowerBound; }
};

/// Packs `buffers`. Errors: an end before the begin, an alignment of zero, two
/// fixed buffers that conflict and overlap, a conflict of unknown numbers, and
/// sizes whose sum exceeds 2^62 bytes.
///
/// Without exact search it takes O(n log n) for a bounded number of free
/// ranges, with greedy packings in several orders as long as the number of
/// pairs that conflict is moderate.
Result<Packing> pack(const std::vector<Buffer> &buffers,
                     const std::vector<Conflict> &conflicts,
                     const PackingOptions &options);

} // namespace gaudi::memory

#endif // GAUDI_TRANSFORMS_MEMORY_PACKING_H
