// Orders commands of different engines that touch the same bytes.
#include "Dependencies.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include <algorithm>
#include <array>
#include <cassert>
#include <map>

using namespace mlir::gaudi;
using namespace gaudi::recipe;

namespace {
constexpr size_t engineCount = size_t(Engine::MAX) + 1;

/// Per engine, how many of its commands are known to have finished.
using Clock = std::array<uint32_t, engineCount>;

/// Who touched a range of bytes since it was last written.
struct Touch {
  uint64_t end;
  int64_t writer = -1;
  std::vector<uint32_t> readers;
};

/// The accesses to one section, in disjoint ranges.
class AccessMap {
public:
  /// Calls `fn` on each range of [start, end), cutting ranges at both ends.
  template <typename Fn> void visit(uint64_t start, uint64_t end, Fn fn) {
    cut(start);
    cut(end);
    uint64_t at = start;
    auto it = ranges.lower_bound(start);
    while (at < end) {
      if (it == ranges.end() || it->first > at) {
        uint64_t stop = it == ranges.end() ? end : std::min(end, it->first);
        it = ranges.emplace_hint(it, at, Touch{stop, -1, {}});
      }
      fn(it->second);
      at = it->second.end;
      ++it;
    }
  }

  /// Replaces [start, end) by one range written by `command`.
  void write(uint64_t start, uint64_t end, uint32_t command) {
    cut(start);
    cut(end);
    ranges.erase(ranges.lower_bound(start), ranges.lower_bound(end));
    ranges[start] = Touch{end, command, {}};
  }

private:
  void cut(uint64_t at) {
    auto it = ranges.upper_bound(at);
    if (it == ranges.begin())
      return;
    --it;
    if (it->first == at || it->second.end <= at)
      return;
    Touch tail = it->second;
    it->second.end = at;
    ranges.emplace(at, std::move(tail));
  }

  std::map<uint64_t, Touch> ranges;
};
} // namespace

static std::pair<uint64_t, uint64_t> byteRange(const TensorT &tensor) {
  uint64_t last = 0;
  for (size_t i = 0; i < tensor.sizes.size(); ++i)
    last += uint64_t(tensor.sizes[i] - 1) * tensor.strides[i];
  return {tensor.offset, tensor.offset + (last + 1) * elementSize(tensor.type)};
}

// Each command depends on the last writer of what it reads or writes, and on
// the readers since of what it writes. A vector clock per command drops what is
// implied: clock[e] is the number of commands of engine e that have finished
// when this command has. Engines run their commands in order, so the clock
// starts from the previous command of the same engine, and a dependency on
// command `other` is implied if clock[engine of other] > sequence[other].
// O(n log n) for a bounded number of accesses per range.
void mlir::gaudi::computeDependencies(RecipeT &recipe, EntryT &entry) {
  std::vector<AccessMap> sections(recipe.sections.size());
  std::vector<Clock> clocks(entry.commands.size());
  std::vector<uint32_t> sequence(entry.commands.size());
  std::array<int64_t, engineCount> lastOf;
  lastOf.fill(-1);
  for (uint32_t i = 0; i < entry.commands.size(); ++i) {
    CommandT &command = *entry.commands[i];
    size_t engine = size_t(command.engine);
    std::vector<uint32_t> before;
    for (uint32_t id : command.inputs) {
      const TensorT &tensor = *recipe.tensors[id];
      auto [start, end] = byteRange(tensor);
      sections[tensor.section].visit(start, end, [&](Touch &access) {
        if (access.writer >= 0)
          before.push_back(access.writer);
        // The latest reader of an engine finishes last.
        access.readers.erase(
            std::remove_if(access.readers.begin(), access.readers.end(),
                           [&](uint32_t reader) {
                             return entry.commands[reader]->engine ==
                                    command.engine;
                           }),
            access.readers.end());
        access.readers.push_back(i);
      });
    }
    for (uint32_t id : command.outputs) {
      const TensorT &tensor = *recipe.tensors[id];
      auto [start, end] = byteRange(tensor);
      sections[tensor.section].visit(start, end, [&](Touch &access) {
        if (access.writer >= 0)
          before.push_back(access.writer);
        before.insert(before.end(), access.readers.begin(),
                      access.readers.end());
      });
      sections[tensor.section].write(start, end, i);
    }
    Clock clock{};
    if (lastOf[engine] >= 0)
      clock = clocks[lastOf[engine]];
    // Latest first: its clock implies most of the earlier ones.
    std::sort(before.begin(), before.end(), std::greater<uint32_t>());
    before.erase(std::unique(before.begin(), before.end()), before.end());
    for (uint32_t other : before) {
      assert(other <= i && "commands are in execution order");
      if (other == i)
        continue;
      size_t otherEngine = size_t(entry.commands[other]->engine);
      if (clock[otherEngine] > sequence[other])
        continue;
      command.dependencies.push_back(other);
      for (size_t e = 0; e < engineCount; ++e)
        clock[e] = std::max(clock[e], clocks[other][e]);
    }
    std::sort(command.dependencies.begin(), command.dependencies.end());
    sequence[i] = lastOf[engine] < 0 ? 0 : sequence[lastOf[engine]] + 1;
    clock[engine] = sequence[i] + 1;
    clocks[i] = clock;
    lastOf[engine] = i;
  }
}
