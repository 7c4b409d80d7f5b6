// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the entries of the host, and the tensors behind views.
#include "Gaudi/Recipe/Entries.h"

#include "Gaudi/Recipe/Views.h"

namespace gaudi::recipe {

std::vector<uint32_t> callableEntries(const Recipe &recipe) {
  const auto entries = items(recipe.entries());
  std::vector<bool> isPart(entries.size());
  for (const Entry *entry : entries) {
    for (const ProgramStep *step : items(entry->program()))
      if (step->kind() == StepKind::Launch)
        isPart[step->id()] = true;
    if (entry->dispatch())
      for (const Variant *variant : items(entry->dispatch()->variants()))
        isPart[variant->entry()] = true;
  }
  std::vector<uint32_t> callable;
  for (uint32_t e = 0; e < entries.size(); ++e)
    if (!isPart[e])
      callable.push_back(e);
  return callable;
}

uint32_t rootOf(const Recipe &recipe, uint32_t tensor) {
  const auto tensors = items(recipe.tensors());
  while (tensors[tensor]->alias_of() >= 0)
    tensor = uint32_t(tensors[tensor]->alias_of());
  return tensor;
}

bool isState(const Recipe &recipe, uint32_t tensor) {
  return items(recipe.tensors())[rootOf(recipe, tensor)]->tensor_class() ==
         TensorClass::State;
}

} // namespace gaudi::recipe
