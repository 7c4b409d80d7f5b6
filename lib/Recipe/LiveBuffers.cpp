// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which buffers occupy device memory at the peak.
#include "Gaudi/Recipe/LiveBuffers.h"

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"

#include <algorithm>

namespace gaudi::recipe {
namespace {

/// Commands from the first to the last that use a tensor.
struct LiveRange {
  uint64_t first = UINT64_MAX, last = 0;
  uint64_t firstUse = UINT64_MAX; // before `first` where a buffer is reused

  void touch(uint64_t command) {
    first = firstUse = std::min(first, command);
    last = std::max(last, command);
  }
  bool holds(uint64_t command) const {
    return first <= command && command <= last;
  }
};

class Lives {
public:
  Lives(const Recipe &recipe, const Entry &entry)
      : tensors(items(recipe.tensors())), commands(items(entry.commands())),
        ranges(tensors.size()), roots(rootsOf(recipe)) {
    for (uint32_t c = 0; c < commands.size(); ++c)
      for (const auto *ids : {commands[c]->inputs(), commands[c]->outputs()})
        for (uint32_t id : items(ids))
          ranges[rootOf(id)].touch(c);
    for (uint32_t c = 0; c < commands.size(); ++c)
      for (uint32_t out : items(commands[c]->outputs()))
        for (uint32_t in : items(commands[c]->inputs()))
          reuseBuffer(rootOf(in), rootOf(out), c);
  }

  /// The command at which most bytes are live; sets `bytes`. A sweep over the
  /// starts and ends of the live ranges.
  uint64_t peak(uint64_t &bytes) const {
    std::vector<int64_t> change(commands.size() + 1, 0);
    for (uint32_t t = 0; t < tensors.size(); ++t) {
      if (!inWorkspace(t) || ranges[t].first > ranges[t].last)
        continue;
      change[ranges[t].first] += int64_t(tensorBytes(*tensors[t]));
      change[ranges[t].last + 1] -= int64_t(tensorBytes(*tensors[t]));
    }
    int64_t live = 0, most = -1;
    uint64_t at = 0;
    for (uint64_t c = 0; c < commands.size(); ++c) {
      live += change[c];
      if (live > most) {
        most = live;
        at = c;
      }
    }
    bytes = uint64_t(std::max<int64_t>(most, 0));
    return at;
  }

  std::vector<BufferRange> workspace() const {
    std::vector<BufferRange> result;
    for (uint32_t t = 0; t < tensors.size(); ++t) {
      const LiveRange &range = ranges[t];
      if (inWorkspace(t) && range.firstUse <= range.last)
        result.push_back({t, uint32_t(range.firstUse), uint32_t(range.last),
                          range.first > range.firstUse});
    }
    return result;
  }

  bool isAlive(uint32_t tensor, uint64_t command) const {
    return tensors[tensor]->alias_of() < 0 &&
           (!inWorkspace(tensor) || ranges[tensor].holds(command));
  }

private:
  bool inWorkspace(uint32_t tensor) const {
    return tensors[tensor]->tensor_class() == TensorClass::Workspace;
  }

  /// A view keeps its root alive.
  uint32_t rootOf(uint32_t tensor) const { return roots[tensor]; }

  /// `out`, first written by the command, reuses the buffer of `in`, whose last
  /// use is the command. The bytes count once.
  void reuseBuffer(uint32_t in, uint32_t out, uint64_t command) {
    const Tensor &from = *tensors[in], &to = *tensors[out];
    const bool overlap = from.section() == to.section() &&
                         from.offset() < to.offset() + tensorBytes(to) &&
                         to.offset() < from.offset() + tensorBytes(from);
    if (in != out && overlap && inWorkspace(in) && inWorkspace(out) &&
        ranges[in].last == command && ranges[out].first == command)
      ranges[out].first = command + 1;
  }

  Items<flatbuffers::Offset<Tensor>> tensors;
  Items<flatbuffers::Offset<Command>> commands;
  std::vector<LiveRange> ranges;
  std::vector<uint32_t> roots; // of each tensor
};

} // namespace

/// Follows each alias once, so that long chains stay linear. The verifier has
/// refused cycles.
std::vector<uint32_t> rootsOf(const Recipe &recipe) {
  const auto tensors = items(recipe.tensors());
  constexpr uint32_t unknown = UINT32_MAX;
  std::vector<uint32_t> roots(tensors.size(), unknown), path;
  for (uint32_t t = 0; t < tensors.size(); ++t) {
    uint32_t at = t;
    path.clear();
    while (roots[at] == unknown && tensors[at]->alias_of() >= 0) {
      path.push_back(at);
      at = uint32_t(tensors[at]->alias_of());
    }
    if (roots[at] == unknown)
      roots[at] = at;
    for (uint32_t alias : path)
      roots[alias] = roots[at];
  }
  return roots;
}

uint64_t tensorBytes(const Tensor &tensor) {
  return kernel::byteExtent(copyOf(tensor.sizes()), copyOf(tensor.strides()),
                            elementSize(tensor.type()))
      .value_or(0);
}

std::vector<BufferRange> workspaceRanges(const Recipe &recipe, uint32_t entry) {
  return Lives(recipe, *items(recipe.entries())[entry]).workspace();
}

LiveBuffers liveAtPeak(const Recipe &recipe, uint32_t entry) {
  LiveBuffers result;
  const auto tensors = items(recipe.tensors());
  const Lives lives(recipe, *items(recipe.entries())[entry]);
  const uint64_t peak = lives.peak(result.workspace);
  result.command = uint32_t(peak);
  for (uint32_t t = 0; t < tensors.size(); ++t)
    if (lives.isAlive(t, peak))
      result.tensors.push_back(t);
  std::sort(result.tensors.begin(), result.tensors.end(),
            [&](uint32_t a, uint32_t b) {
              const uint64_t x = tensorBytes(*tensors[a]),
                             y = tensorBytes(*tensors[b]);
              return x != y ? x > y : a < b;
            });
  return result;
}

} // namespace gaudi::recipe
