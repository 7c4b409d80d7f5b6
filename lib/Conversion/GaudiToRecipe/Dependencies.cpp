// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders commands of different engines that touch the same bytes.
#include "Dependencies.h"
#include "Gaudi/Recipe/AccessMap.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include <algorithm>
#include <array>
#include <cassert>

using namespace gaudi::recipe;

namespace {
constexpr size_t engineCount = size_t(Engine::MAX) + 1;

/// Per engine, how many of its commands are known to have finished.
using Clock = std::array<uint32_t, engineCount>;

AccessMap::Place placeOf(const RecipeT &recipe, uint32_t id) {
  const auto windowOf = [](const TensorT &tensor) {
    return gaudi::kernel::Window{tensor.offset, tensor.sizes, tensor.strides,
                                 elementSize(tensor.type)};
  };
  const auto endOf = [](const gaudi::kernel::Window &window) {
    // Tensors fit into their sections: nothing overflows.
    return window.offset + *gaudi::kernel::byteExtent(window.sizes,
                                                      window.strides,
                                                      window.elementSize);
  };
  const TensorT *root = recipe.tensors[id].get();
  while (root->alias_of >= 0)
    root = recipe.tensors[root->alias_of].get();
  AccessMap::Place place;
  place.section = recipe.tensors[id]->section;
  place.window = windowOf(*recipe.tensors[id]);
  place.begin = place.window.offset;
  place.end = endOf(place.window);
  place.rootBegin = root->offset;
  place.rootEnd = endOf(windowOf(*root));
  return place;
}

bool isConst(const RecipeT &recipe, uint32_t id) {
  return recipe.sections[recipe.tensors[id]->section]->kind ==
         SectionKind::Const;
}
} // namespace

// Each command depends on the earlier ones that AccessMap finds for its
// operands. A vector clock per command drops what is implied: clock[e] is the
// number of commands of engine e that have finished when this command has.
// Engines run their commands in order, so the clock starts from the previous
// command of the same engine, and a dependency on command `other` is implied if
// clock[engine of other] > sequence[other]. O(n log n) for a bounded number of
// ranges per access.
void gaudi::computeDependencies(const RecipeT &recipe, EntryT &entry) {
  AccessMap accesses([&](uint32_t id) { return placeOf(recipe, id); });
  std::vector<Clock> clocks(entry.commands.size());
  std::vector<uint32_t> sequence(entry.commands.size());
  std::array<int64_t, engineCount> lastOf;
  lastOf.fill(-1);
  std::vector<AccessMap::Access> conflicts;
  for (uint32_t i = 0; i < entry.commands.size(); ++i) {
    CommandT &command = *entry.commands[i];
    size_t engine = size_t(command.engine);
    conflicts.clear();
    for (const bool writes : {false, true})
      for (uint32_t id : writes ? command.outputs : command.inputs)
        if (!isConst(recipe, id))
          accesses.add({i, uint32_t(engine), id, writes}, conflicts);
    Clock clock{};
    if (lastOf[engine] >= 0)
      clock = clocks[lastOf[engine]];
    // Latest first: its clock implies most of the earlier ones, and itself.
    std::sort(conflicts.begin(), conflicts.end(),
              [](const AccessMap::Access &a, const AccessMap::Access &b) {
                return a.command > b.command;
              });
    for (const AccessMap::Access &earlier : conflicts) {
      const uint32_t other = earlier.command;
      assert(other < i && "commands are in execution order");
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
