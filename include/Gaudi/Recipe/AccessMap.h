// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which earlier commands an access to memory conflicts with.
#ifndef GAUDI_RECIPE_ACCESSMAP_H
#define GAUDI_RECIPE_ACCESSMAP_H

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Support/IntervalMap.h"

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gaudi::recipe {

/// The accesses of the commands so far, by the bytes of the sections.
///
/// Two accesses conflict if one of them writes and their windows may share a
/// byte (kernel::provablyDisjoint). A dense window is in the map with its
/// bytes. One with gaps (columns) is with all bytes of its root, so that the
/// columns of a buffer share one range, however they interleave.
///
/// Each range has the accesses that still matter, the earliest first:
/// - A dense write makes those before it superfluous: what conflicts with one
///   of them in this range conflicts with the write, too, which follows them.
///   In the same way a write with gaps replaces those of its own window, and a
///   read the reads of its queue of the same bytes.
/// - Of more than mostAccesses, the earlier half keeps only the last read and
///   the last write of each queue, which then conflict with every access to
///   the range: what precedes them in their queue has ended when they have.
///
/// So an access is compared with at most mostAccesses others per range, and a
/// write leaves one range. Ranges and comparisons are counted as steps of the
/// verifier's work budget.
class AccessMap {
public:
  /// A command reads or writes a tensor.
  struct Access {
    uint32_t command = 0;
    uint32_t queue = 0; // commands of one queue run in order
    uint32_t tensor = 0;
    bool writes = false;
  };

  static constexpr size_t mostAccesses = 64;
  /// Steps of a comparison of two windows, as for pairs of operands.
  static constexpr uint64_t pairSteps = 16;

  struct Place {
    uint32_t section = 0;
    kernel::Window window;
    uint64_t begin = 0, end = 0;         // byte range in the section
    uint64_t rootBegin = 0, rootEnd = 0; // of the root of its aliases
  };

  /// `placeOf` returns the place of a tensor; it is called once for each.
  explicit AccessMap(std::function<Place(uint32_t tensor)> placeOf)
      : placeOf(std::move(placeOf)) {}

  /// Appends the earlier accesses of other commands that this one conflicts
  /// with (some may come several times, and superfluous ones are left out), and
  /// enters it. Accesses come by ascending commands, and what a command reads
  /// before what it writes.
  void add(const Access &access, std::vector<Access> &conflicts);

  /// Steps since the last call.
  uint64_t takeSteps() { return std::exchange(steps, 0); }

private:
  struct KnownPlace : Place {
    bool isDense = false; // no gaps
  };
  struct Item : Access {
    /// Null: stands for several tensors, and conflicts with all others.
    const KnownPlace *place = nullptr;
    bool operator==(const Item &other) const {
      return command == other.command && place == other.place &&
             writes == other.writes;
    }
  };
  using List = std::vector<Item>;

  const KnownPlace &find(uint32_t tensor);
  bool conflict(const Item &item, const Item &earlier);
  static void enter(List &list, const Item &item);
  static void collapse(List &list);

  std::function<Place(uint32_t)> placeOf;
  std::unordered_map<uint32_t, KnownPlace> places;
  std::unordered_map<uint32_t, IntervalMap<List>> sections;
  uint64_t steps = 0;
};

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_ACCESSMAP_H
