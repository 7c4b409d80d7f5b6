// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Watches what the commands of a launch do to device memory.
#ifndef GAUDI_LIB_RUNTIME_MEMORY_MEMORYCHECK_H
#define GAUDI_LIB_RUNTIME_MEMORY_MEMORYCHECK_H

#include "../LoadedRecipe.h"
#include "Poison.h"

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gaudi::runtime {

/// LoadOptions::checkMemory: what happens to memory, compared with the plan.
///
/// Whatever holds no value is poisoned: the workspace and the outputs before a
/// launch, what a command is about to write, and each buffer after the last
/// command that uses it. A shadow of the memory, to which only the outputs of
/// each command are carried over, shows which other bytes a command wrote. The
/// recipe verifier proves the same from the recipe; this looks at the code that
/// runs it.
///
/// Guarantees about a byte that a command changes although it is in none of its
/// outputs:
/// 1. It is found before it is read by another command, before a command
///    overwrites it, and before the launch ends.
/// 2. It is found at once, and the command is named, if it is in an operand of
///    the command or at most `guard` bytes from one, or if the memory is at
///    most `sweepBytes` large. Otherwise the error names the commands between
///    which it was changed.
/// Constants have no shadow but checksums, which are compared at the end.
///
/// A command takes the time of looking at the bytes of its operands, three to
/// four times, and of a part of a sweep through all memory: as many bytes as
/// its operands have, but at least sweepBytes. So a launch is linear in the
/// bytes that its commands touch and in the memory, however many commands it
/// has.
class MemoryCheck {
public:
  /// Bytes around the runs of an operand that are compared with it. A vector
  /// store that reaches past an end stays within.
  static constexpr uint64_t guard = 64;
  /// What each command compares at least.
  static constexpr uint64_t sweepBytes = uint64_t(1) << 20;

  /// `alignment`: of buffers, in bytes.
  MemoryCheck(const LoadedRecipe &loaded, uint64_t alignment);

  /// Before a launch, once its inputs are set: its outputs and the workspace
  /// hold no value.
  void beginLaunch(size_t entry);
  /// Before the first command of an entry.
  Status beginEntry(size_t entry);
  /// Around each command, in their order.
  Status before(size_t entry, uint32_t command);
  Status after(size_t entry, uint32_t command);
  /// After the last command of an entry.
  Status endEntry(size_t entry) const;
  /// After the last entry of a launch.
  Status endLaunch() const;

  /// Commands that passed so far.
  uint64_t commandsChecked() const { return checked; }

private:
  struct Range {
    uint32_t section;
    uint64_t begin, end;
  };
  struct Place {
    uint32_t section = 0;
    uint32_t root = 0;
    kernel::Window window;
    uint64_t begin = 0, end = 0;
  };
  struct EntryPlan {
    std::vector<std::vector<Range>> dying; // by command: dead after it
    std::vector<uint64_t> reach;           // by section: end of the last byte
  };
  /// A command of the launch, and the number of those that ran until then.
  struct Moment {
    uint64_t count = 0; // 0: before the first
    size_t entry = 0;
    uint32_t command = 0;
  };

  EntryPlan planOf(const recipe::Entry &entry) const;
  void fillPoison(const Range &range);
  std::optional<uint64_t> findPoison(uint32_t tensor) const;
  /// Compares the bytes with the shadow; gives the first that differs.
  std::optional<uint64_t> findChange(const Range &range) const;
  Status compare(const Range &range) const;
  /// The same for a tensor and its surroundings.
  std::optional<uint64_t> findChangeAt(uint32_t tensor) const;
  /// Compares as many bytes from the cursor on, all memory at most.
  Status sweep(uint64_t bytes);
  Status strayWrite(uint32_t section, uint64_t byte) const;
  Status strayWriteOf(const Moment &moment, uint32_t section,
                      uint64_t byte) const;
  bool hasShadow(uint32_t tensor) const {
    return !shadows[places[tensor].section].empty();
  }
  Status checkPeak(size_t entry) const;
  Status checkConstants() const;

  const recipe::Command &commandOf(size_t entry, uint32_t command) const;
  std::string label(const Moment &moment) const;
  std::string tensorText(uint32_t tensor) const;
  std::string historyOf(uint32_t section, uint64_t byte, size_t entry,
                        uint32_t command) const;
  recipe::TensorClass classOf(uint32_t root) const;

  const LoadedRecipe &loaded;
  const recipe::Recipe &recipe;
  const uint64_t alignment;
  std::vector<Place> places;                 // of tensors
  std::vector<EntryPlan> plans;              // of entries
  std::vector<std::vector<uint8_t>> shadows; // of sections; const ones: empty
  std::vector<std::vector<uint64_t>> checksums; // of const sections, by piece
  std::vector<uint32_t> written; // poisoned outputs of the command
  std::vector<uint64_t> touched; // by section, as EntryPlan::reach
  uint64_t checked = 0;

  Moment now; // the last command that ran, and has been checked nearby
  // A sweep has compared the bytes before the cursor since `sweepBegin`, those
  // from it on since `sweepBefore`.
  uint32_t cursorSection = 0;
  uint64_t cursor = 0;
  Moment sweepBegin, sweepBefore;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MEMORY_MEMORYCHECK_H
