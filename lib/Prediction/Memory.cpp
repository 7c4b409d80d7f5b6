// Memory of the card in use over the time of a launch.
#include "Gaudi/Recipe/LiveBuffers.h"
#include "Launches.h"

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
}

} // namespace gaudi::prediction
