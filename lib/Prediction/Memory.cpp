// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the card in use over the time of a launch.
#include "Gaudi/Recipe/LiveBuffers.h"
#include "Launches.h"
#include "TensorText.h"

#include <algorithm>
#include <cassert>

namespace gaudi::prediction {
namespace {

using recipe::items;
using recipe::text;

/// A buffer is live from the begin of the first command that uses it to the end
/// of the last one.
void addBuffers(Prediction &prediction, const recipe::Recipe &recipe,
                const Launch &launch) {
  const std::vector<timing::Span> &spans = prediction.timeline.spans;
  const auto commands =
      items(items(recipe.entries())[launch.entry]->commands());
  for (const recipe::BufferRange &range :
       recipe::workspaceRanges(recipe, launch.entry)) {
    const recipe::Tensor &tensor = *items(recipe.tensors())[range.tensor];
    const timing::Span &first = spans[launch.first + range.first];
    BufferLife life;
    life.tensor = range.tensor;
    life.name = text(tensor.name());
    life.op = text(commands[range.first]->name());
    life.location = text(items(recipe.locations())[tensor.location()]);
    life.offset = tensor.offset();
    life.bytes = recipe::tensorBytes(tensor);
    life.from = range.reuses ? first.end : first.start;
    life.to = std::max(life.from, spans[launch.first + range.last].end);
    prediction.buffers.push_back(std::move(life));
  }
}

void addResident(Prediction &prediction, const recipe::Recipe &recipe) {
  const auto tensors = items(recipe.tensors());
  std::vector<int64_t> placeOf(tensors.size(), -1); // in `resident`
  for (uint32_t t = 0; t < tensors.size(); ++t) {
    const recipe::Tensor &tensor = *tensors[t];
    if (tensor.alias_of() >= 0 ||
        tensor.tensor_class() == recipe::TensorClass::Workspace)
      continue;
    placeOf[t] = int64_t(prediction.resident.size());
    prediction.resident.push_back(
        {t, tensor.section(), std::string(text(tensor.name())),
         classText(tensor), typeText(tensor),
         std::string(text(items(recipe.locations())[tensor.location()])),
         tensor.offset(), recipe::tensorBytes(tensor)});
  }
  const std::vector<uint32_t> roots = recipe::rootsOf(recipe);
  for (const Launch &launch : prediction.launches) {
    uint32_t number = launch.first;
    for (const recipe::Command *command :
         items(items(recipe.entries())[launch.entry]->commands())) {
      const timing::Span &span = prediction.timeline.spans[number++];
      for (const auto *ids : {command->inputs(), command->outputs()})
        for (uint32_t id : items(ids)) {
          if (placeOf[roots[id]] < 0)
            continue;
          ResidentTensor &tensor =
              prediction.resident[size_t(placeOf[roots[id]])];
          const bool isFirst = tensor.from == tensor.to;
          tensor.from =
              isFirst ? span.start : std::min(tensor.from, span.start);
          tensor.to = std::max(tensor.to, span.end);
        }
    }
  }
}

/// The sum of the live buffers at each time at which it changes.
void addSamples(Prediction &prediction) {
  struct Change {
    Picoseconds time;
    int64_t bytes;
  };
  std::vector<Change> changes;
  for (const BufferLife &life : prediction.buffers) {
    changes.push_back({life.from, int64_t(life.bytes)});
    changes.push_back({life.to, -int64_t(life.bytes)});
  }
  std::sort(changes.begin(), changes.end(),
            [](const Change &a, const Change &b) { return a.time < b.time; });
  int64_t live = 0;
  for (size_t i = 0; i < changes.size(); ++i) {
    live += changes[i].bytes;
    if (i + 1 < changes.size() && changes[i + 1].time == changes[i].time)
      continue;
    assert(live >= 0 && "no buffer ends before it begins");
    prediction.memory.push_back({changes[i].time, uint64_t(live)});
  }
}

} // namespace

void addMemory(Prediction &prediction, const recipe::Recipe &recipe) {
  for (const recipe::Section *section : items(recipe.sections()))
    (section->kind() == recipe::SectionKind::Persistent ? prediction.persistent
     : section->kind() == recipe::SectionKind::Const ? prediction.constants
                                                     : prediction.workspace) +=
        section->size();
  prediction.capacity = prediction.device->memory.dramBytes;
  for (const Launch &launch : prediction.launches)
    addBuffers(prediction, recipe, launch);
  addSamples(prediction);
  addResident(prediction, recipe);
}

} // namespace gaudi::prediction
