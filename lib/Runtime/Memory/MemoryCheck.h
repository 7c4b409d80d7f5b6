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
/// Each command takes the time of looking at its operands and of comparing all
/// memory that commands may write.
class MemoryCheck {
public:
  /// `alignment`: of buffers, in bytes.
  MemoryCheck(const LoadedRecipe &loaded, uint64_t alignment);

  /// Before a launch, once its inputs are set: its outputs hold no value.
  void beginLaunch(size_t entry);
  /// Before the first command of an entry: the workspace holds no value.
  void beginEntry(size_t entry);
  /// Around each command, in their order.
  Status before(size_t entry, uint32_t command);
  Status after(size_t entry, uint32_t command);
  /// After the last command of an entry.
  Status endEntry(size_t entry);

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

  EntryPlan planOf(const recipe::Entry &entry) const;
  void fillPoison(const Range &range);
  std::optional<uint64_t> findPoison(uint32_t tensor) const;
  Status compare(const Range &range, size_t entry, uint32_t command) const;
  Status checkPeak(size_t entry) const;

  const recipe::Command &commandOf(size_t entry, uint32_t command) const;
  std::string label(size_t entry, uint32_t command) const;
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
  std::vector<Range> writable;               // bytes that commands may write
  std::vector<Range> inputs;                 // bytes that only the host writes
  std::vector<uint32_t> written;             // poisoned outputs of the command
  std::vector<uint64_t> touched;             // by section, as EntryPlan::reach
  uint64_t checked = 0;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MEMORY_MEMORYCHECK_H
