// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the compiler did about memory, named and counted for remarks and
// reports.
#ifndef GAUDI_SUPPORT_MEMORYPLAN_H
#define GAUDI_SUPPORT_MEMORYPLAN_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gaudi {

/// What became of a tensor. Recipes hold the numbers: new kinds go to the end.
enum class MemoryKind : uint8_t {
  // Aliases: tensors without bytes of their own.
  View,           ///< a window on the buffer of an operand
  InPlace,        ///< a result in the buffer of an operand that dies
  SliceWrite,     ///< written straight into a slice of a larger buffer
  StateUpdate,    ///< the next value of a state, over the old one
  Donation,       ///< an output in the buffer of a donated input
  SharedConstant, ///< equal to another constant
  // The others cost something.
  Copy,     ///< a copy that remains
  Recompute ///< an op that runs again instead of keeping its result
};
constexpr unsigned memoryKindCount = unsigned(MemoryKind::Recompute) + 1;

constexpr bool isAlias(MemoryKind kind) { return kind < MemoryKind::Copy; }

/// "slice_write".
std::string_view nameOf(MemoryKind kind);
std::optional<MemoryKind> parseMemoryKind(std::string_view name);

/// All of one kind: bytes saved by aliases, moved by copies, freed at the peak
/// by recomputing; time of the device that aliases save and the others cost.
struct MemorySum {
  uint64_t count = 0;
  int64_t bytes = 0, picoseconds = 0;

  /// Sums are the nearest number of 64 bits: recipes may hold any numbers.
  void add(uint64_t count, int64_t bytes, int64_t picoseconds);

  /// "12 views save 4.00 KiB and 9.00 us", "1 copy moves 64 B in 1.20 us".
  std::string line(MemoryKind kind) const;
};

/// Bytes of workspace of one entry at its fullest moment; -1: not known.
struct MemoryPeaks {
  int64_t programOrder = -1; ///< live in the order of the program
  int64_t order = -1;        ///< live in the chosen order
  int64_t orderBound = -1;   ///< no order has less
  int64_t planned = -1;      ///< with the offsets that were assigned
  int64_t plannedBound = -1; ///< no offsets in that order need less
  int64_t budget = -1;       ///< that was asked for

  /// Takes the numbers that `other` knows.
  void update(const MemoryPeaks &other);

  /// "planned 2.00 KiB, bound of this order 2.00 KiB: optimal; live 2.00 KiB
  /// instead of 4.00 KiB in program order, no order has less". Empty if nothing
  /// is known.
  std::string line() const;
};

} // namespace gaudi

#endif // GAUDI_SUPPORT_MEMORYPLAN_H
