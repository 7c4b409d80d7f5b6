// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads after writes, writes after reads and writes after writes.
#include "Hazards.h"
#include "Gaudi/Recipe/AccessMap.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/LiveBuffers.h"

#include <algorithm>
#include <cassert>

namespace gaudi::prediction {
namespace {

using recipe::AccessMap;
using recipe::items;

AccessMap::Place placeOf(const recipe::Recipe &recipe, uint32_t id) {
  const auto tensors = items(recipe.tensors());
  const recipe::Tensor &tensor = *tensors[id];
  const recipe::Tensor *root = &tensor;
  while (root->alias_of() >= 0)
    root = tensors[uint32_t(root->alias_of())];
  return {tensor.section(),
          {tensor.offset(), recipe::copyOf(tensor.sizes()),
           recipe::copyOf(tensor.strides()),
           recipe::elementSize(tensor.type())},
          tensor.offset(),
          tensor.offset() + recipe::tensorBytes(tensor),
          root->offset(),
          root->offset() + recipe::tensorBytes(*root)};
}

} // namespace

void addHazards(std::vector<timing::Task> &tasks, uint32_t first,
                const recipe::Recipe &recipe, const recipe::Entry &entry) {
  AccessMap accesses([&](uint32_t id) { return placeOf(recipe, id); });
  std::vector<AccessMap::Access> conflicts;
  uint32_t number = 0;
  for (const recipe::Command *command : items(entry.commands())) {
    assert(first + number < tasks.size() && "one task per command");
    conflicts.clear();
    for (const auto *ids : {command->inputs(), command->outputs()})
      for (uint32_t id : items(ids))
        if (items(recipe.tensors())[id]->tensor_class() !=
            recipe::TensorClass::Const)
          accesses.add({number, uint32_t(command->engine()), id,
                        ids == command->outputs()},
                       conflicts);
    auto &found = tasks[first + number].dependencies;
    for (const AccessMap::Access &earlier : conflicts)
      found.push_back({first + earlier.command, false});
    std::sort(found.begin(), found.end(),
              [](const timing::Dependency &a, const timing::Dependency &b) {
                return a.task < b.task;
              });
    found.erase(std::unique(found.begin(), found.end(),
                            [](const timing::Dependency &a,
                               const timing::Dependency &b) {
                              return a.task == b.task;
                            }),
                found.end());
    ++number;
  }
}

} // namespace gaudi::prediction
