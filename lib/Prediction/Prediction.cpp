// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the commands of an entry to tasks, and from their timeline to numbers.
#include "Gaudi/Prediction/Prediction.h"
#include "Launches.h"
#include "Pipelines.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace gaudi::prediction {
namespace {

using recipe::items;
using recipe::text;
using timing::Queue;

void setUtilization(Prediction &prediction) {
  const device::MmeSpec &mme = prediction.device->mme;
  double seconds = 0;
  for (size_t i = 0; i < prediction.commands.size(); ++i) {
    const Command &command = prediction.commands[i];
    const timing::Cost &cost = prediction.tasks[i].cost;
    if (const auto *work = std::get_if<timing::MatrixWork>(&command.work))
      seconds += double(command.flops) / 2 / mme.macsPerSecond(work->a.type);
    else if (cost.isChain())
      seconds += cost.utilization * double(cost.compute) / 1e12;
  }
  if (prediction.time())
    prediction.mmeUtilization = seconds * 1e12 / double(prediction.time());
}

void addFusions(Prediction &prediction, const recipe::Recipe &recipe) {
  for (const recipe::Fusion *fusion : items(recipe.fusions()))
    prediction.fusions.push_back(
        {std::string(text(fusion->kind())), fusion->fused(), fusion->members(),
         fusion->bytes_saved(), fusion->picoseconds_saved(),
         std::string(text(items(recipe.locations())[fusion->location()])),
         std::string(text(fusion->text()))});
}

void addPermutations(Prediction &prediction, const recipe::Recipe &recipe) {
  const auto place = [&](uint32_t location) {
    return std::string(text(items(recipe.locations())[location]));
  };
  for (const recipe::PermutationRegion *from : items(recipe.permutations())) {
    PermutationRegion region;
    region.entry = text(from->entry());
    region.location = place(from->location());
    region.opsInAll = from->ops_in_all();
    region.count = {from->transposes_before(),  from->transposes_after(),
                    from->bytes_before(),       from->bytes_after(),
                    from->picoseconds_before(), from->picoseconds_after(),
                    from->lower_bound(),        from->complete()};
    for (const recipe::PlacedTranspose *transpose : items(from->transposes()))
      region.transposes.push_back(
          {transpose->remains(), transpose->bytes(), transpose->picoseconds(),
           place(transpose->location()), std::string(text(transpose->text()))});
    for (const recipe::PlacedOp *op : items(from->ops()))
      region.ops.push_back({std::string(text(op->name())),
                            place(op->location()),
                            recipe::copyOf(op->order())});
    for (const recipe::PlacedEdge *edge : items(from->edges()))
      region.edges.push_back({edge->from(), edge->to(), edge->transpose()});
    prediction.permutations.push_back(std::move(region));
  }
}

} // namespace

PermutationCount countPermutations(const Prediction &prediction) {
  PermutationCount sum;
  for (const PermutationRegion &region : prediction.permutations)
    sum += region.count;
  return sum;
}

std::vector<FusionCount> countFusions(const Prediction &prediction) {
  std::vector<FusionOutcome> outcomes;
  for (const Fusion &fusion : prediction.fusions)
    outcomes.push_back({fusion.kind, fusion.fused, fusion.members,
                        fusion.bytesSaved, fusion.picosecondsSaved,
                        fusion.location, fusion.text});
  return countFusions(outcomes);
}

double Prediction::intensity() const {
  return hbmBytes ? double(flops) / double(hbmBytes) : 0;
}

double Prediction::shareOf(timing::Queue queue) const {
  return time() ? double(timeline.queues[size_t(queue)].busy) / double(time())
                : 0;
}

TimeSplit Prediction::split() const {
  TimeSplit split;
  split.start = timeline.launch;
  // Begins and ends in time order, and how many pieces of each queue are open.
  std::vector<std::tuple<Picoseconds, size_t, int>> events;
  for (const timing::Piece &piece : timeline.pieces) {
    events.emplace_back(piece.start, size_t(piece.queue), 1);
    events.emplace_back(piece.end, size_t(piece.queue), -1);
  }
  std::sort(events.begin(), events.end());
  std::array<int, timing::queueCount> open{};
  Picoseconds now = timeline.launch, idle = time() - timeline.launch;
  for (const auto &[at, queue, step] : events) {
    const auto works = std::find_if(open.begin(), open.end(),
                                    [](int pieces) { return pieces > 0; });
    if (works != open.end() && at > now) {
      split.working[size_t(works - open.begin())] += at - now;
      idle -= at - now;
    }
    now = std::max(now, at);
    open[queue] += step;
  }
  split.idle = idle;
  return split;
}

std::vector<uint32_t> Prediction::longest(size_t count) const {
  std::vector<uint32_t> order(commands.size());
  for (uint32_t c = 0; c < order.size(); ++c)
    order[c] = c;
  const auto duration = [&](uint32_t c) {
    return timeline.spans[c].end - timeline.spans[c].start;
  };
  count = std::min(count, order.size());
  std::partial_sort(order.begin(), order.begin() + ptrdiff_t(count),
                    order.end(), [&](uint32_t a, uint32_t b) {
                      const Picoseconds x = duration(a), y = duration(b);
                      return x != y ? x > y : a < b;
                    });
  order.resize(count);
  return order;
}

std::vector<CommandGroup> Prediction::mostExpensive(size_t count) const {
  std::map<std::pair<uint32_t, uint32_t>, size_t> known;
  std::vector<CommandGroup> groups;
  for (uint32_t c : longest(commands.size())) {
    const timing::Span &span = timeline.spans[c];
    const auto [place, isNew] =
        known.insert({{commands[c].workClass, span.slices}, groups.size()});
    if (isNew)
      groups.emplace_back();
    CommandGroup &group = groups[place->second];
    group.commands.push_back(c);
    group.time = group.time + (span.end - span.start);
  }
  std::sort(groups.begin(), groups.end(),
            [](const CommandGroup &a, const CommandGroup &b) {
              return a.time != b.time ? a.time > b.time
                                      : a.commands[0] < b.commands[0];
            });
  groups.resize(std::min(groups.size(), count));
  return groups;
}

Picoseconds Prediction::timeAlone(uint32_t command) const {
  // The cost of a command in slices is one of theirs, with operands in SRAM.
  const timing::Cost cost =
      timeline.spans[command].slices > 1
          ? timing::costOf(commands[command].work, *device)
          : tasks[command].cost;
  return cost.total() - cost.launch;
}

std::string explain(const Prediction &prediction, uint32_t command) {
  const Command &given = prediction.commands[command];
  return given.queue == timing::Queue::Host
             ? "the host launches the next part of the program"
             : timing::explain(given.work, *prediction.device);
}

/// Everything up to the timeline.
static Result<Prediction> play(const recipe::Recipe &recipe, uint32_t entry,
                               const WorkChange &change, KnownAnswers &known) {
  if (entry >= items(recipe.entries()).size())
    return fail("no entry {}: the recipe has {}", entry,
                items(recipe.entries()).size());
  Prediction prediction;
  prediction.device =
      GAUDI_TRY(device::DeviceSpec::lookup(text(recipe.target())));
  prediction.entry = text(items(recipe.entries())[entry]->name());
  addLaunches(prediction, recipe, entry, change, known);
  addPipelines(prediction, recipe, known);
  prediction.timeline = timing::play(prediction.tasks, *prediction.device);
  return prediction;
}

LaunchTimes::LaunchTimes() : known(std::make_unique<KnownAnswers>()) {}
LaunchTimes::~LaunchTimes() = default;

Result<Picoseconds> LaunchTimes::of(const recipe::Recipe &recipe,
                                    uint32_t entry) {
  const Prediction prediction = GAUDI_TRY(play(recipe, entry, {}, *known));
  return prediction.time();
}

Result<Prediction> predict(const recipe::RecipeFile &file, uint32_t entry,
                           const WorkChange &change) {
  const recipe::Recipe &recipe = file.recipe();
  KnownAnswers known;
  Prediction prediction = GAUDI_TRY(play(recipe, entry, change, known));
  for (const timing::Task &task : prediction.tasks)
    prediction.hbmBytes += task.cost.hbmRead + task.cost.hbmWritten;
  for (const Command &command : prediction.commands)
    prediction.flops += command.flops;
  addMemory(prediction, recipe);
  addBlame(prediction, recipe);
  addFusions(prediction, recipe);
  addPermutations(prediction, recipe);
  setUtilization(prediction);
  return prediction;
}

} // namespace gaudi::prediction
