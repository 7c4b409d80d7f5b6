// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Advice on the launch as a whole: element types, order, capacity.
#include "AdviceCandidates.h"
#include "Rework.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <fmt/format.h>
#include <queue>
#include <tuple>

namespace gaudi::prediction {

using kernel::ElementType;
using timing::Cost;
using timing::Picoseconds;
using timing::timeText;

namespace {

bool isProduct(const timing::Work &work) {
  return std::holds_alternative<timing::MatrixWork>(work) ||
         std::holds_alternative<timing::AttentionWork>(work);
}

/// True if there are products and none multiplies in f32: what is left of f32
/// are sums and the kernels that read them.
bool isNarrowAlready(const Prediction &prediction) {
  bool hasProducts = false;
  for (const Command &command : prediction.commands) {
    if (!isProduct(command.work))
      continue;
    if (computesIn(command.work, ElementType::F32))
      return false;
    hasProducts = true;
  }
  return hasProducts;
}

/// Why products whose operands are narrow do not multiply so; empty if all do.
std::string wideProductsText(const Prediction &prediction) {
  for (const FusionCount &count : countFusions(prediction))
    if (count.kind == "narrow_product" && count.fused < count.candidates)
      return fmt::format(" Some have operands of narrow types already: {}.",
                         count.line);
  return {};
}

Candidate inBf16(const Search &search, bool onlyProducts) {
  Candidate candidate;
  candidate.kind = AdviceKind::Precision;
  candidate.rework = [](uint32_t, const timing::Work &work) {
    return withType(work, ElementType::F32, ElementType::BF16);
  };
  for (const Group &group : search.groups()) {
    const timing::Work &work =
        search.prediction.commands[group.commands.front()].work;
    if (computesIn(work, ElementType::F32) &&
        (!onlyProducts || isProduct(work)))
      search.rework(candidate, group);
  }
  return candidate;
}

} // namespace

void advisePrecision(Search &search) {
  if (isNarrowAlready(search.prediction))
    return;
  constexpr std::string_view caution =
      "Whether the model keeps its accuracy is for you to judge: values are "
      "rounded to 8 bits of precision, sums stay in f32 (docs/numerics.md).";
  Candidate products = inBf16(search, true);
  Candidate all = inBf16(search, false);
  const size_t others = all.commands.size() - products.commands.size();
  if (!products.commands.empty() && others > 0) {
    Picoseconds now = 0, then = 0;
    for (const auto &[command, cost] : products.costs) {
      now += search.cost(command).total();
      then += cost.total();
    }
    products.title = fmt::format("Give {} bf16 instead of f32",
                                 countOf(products.commands.size(), "product"));
    products.text = fmt::format(
        "Alone they take {} in f32 and {} in bf16, if what makes and uses "
        "their operands converts them.{} {}",
        timeText(now), timeText(then), wideProductsText(search.prediction),
        caution);
  }
  if (!all.commands.empty()) {
    all.title = fmt::format("Compute in bf16 instead of f32 in {}",
                            countOf(all.commands.size(), "command"));
    std::string what;
    if (!products.commands.empty())
      what = fmt::format("{} would multiply at the rate of bf16{}",
                         countOf(products.commands.size(), "product"),
                         others > 0 ? ", " : "");
    if (others > 0)
      what += fmt::format(
          "{} would move half the bytes",
          countOf(others, what.empty() ? "command" : "other command"));
    all.text = fmt::format("{}. {}", what, caution);
  }
  if (!products.title.empty()) {
    products.time = search.replay(products);
    all.time = search.replay(all);
    const Picoseconds ofProducts = search.time() - *products.time;
    const Picoseconds ofAll = search.time() - *all.time;
    search.candidates.push_back(std::move(products));
    if (ofAll > ofProducts)
      all.text += " Includes what the products alone would save.";
    else if (ofAll >= ofProducts - ofProducts / 10)
      // The conversions between the types are not in the gain of the products.
      all.text += " The products alone save as much, without the conversions "
                  "of their operands.";
    else
      return;
  }
  if (!all.title.empty())
    search.candidates.push_back(std::move(all));
}

namespace {

/// Longest chain from the begin of each task to the end of the launch, each
/// command alone.
std::vector<Picoseconds> remaining(const std::vector<timing::Task> &tasks) {
  std::vector<Picoseconds> result(tasks.size());
  for (size_t i = tasks.size(); i-- > 0;) {
    result[i] += tasks[i].cost.total();
    for (const timing::Dependency &dependency : tasks[i].dependencies)
      result[dependency.task] = std::max(result[dependency.task], result[i]);
  }
  return result;
}

/// Commands that stay together: a pipeline, or a single one.
struct Unit {
  uint32_t begin = 0, end = 0;
  unsigned queues = 0; // as bits
  Picoseconds time = 0, priority = 0;
  uint32_t missing = 0; // units that it waits for
  std::vector<uint32_t> dependents;
};

std::vector<Unit> unitsOf(const Prediction &prediction) {
  const auto &tasks = prediction.tasks;
  const std::vector<Picoseconds> priority = remaining(tasks);
  std::vector<uint32_t> together(tasks.size(), 1);
  for (const Pipeline &pipeline : prediction.pipelines)
    if (pipeline.slices > 1)
      together[pipeline.first] = pipeline.count;
  std::vector<Unit> units;
  std::vector<uint32_t> unitOf(tasks.size());
  for (uint32_t task = 0; task < tasks.size(); task = units.back().end) {
    Unit unit;
    unit.begin = task;
    unit.end = task + together[task];
    unit.priority = priority[task];
    const auto number = uint32_t(units.size());
    std::vector<uint32_t> before;
    Picoseconds start = INT64_MAX, end = 0;
    for (uint32_t i = unit.begin; i < unit.end; ++i) {
      unitOf[i] = number;
      unit.queues |= 1u << unsigned(tasks[i].queue);
      if (tasks[i].cost.isChain())
        unit.queues |= 1u << unsigned(timing::Queue::Tpc);
      start = std::min(start, prediction.timeline.spans[i].start);
      end = std::max(end, prediction.timeline.spans[i].end);
      for (const timing::Dependency &dependency : tasks[i].dependencies)
        if (dependency.task < unit.begin)
          before.push_back(unitOf[dependency.task]);
    }
    unit.time = together[task] > 1 ? end - start : tasks[task].cost.total();
    std::sort(before.begin(), before.end());
    before.erase(std::unique(before.begin(), before.end()), before.end());
    unit.missing = uint32_t(before.size());
    for (uint32_t other : before)
      units[other].dependents.push_back(number);
    units.push_back(std::move(unit));
  }
  return units;
}

/// List scheduling: engines that are free take the unit that is ready and has
/// the longest chain after it. A unit that waits for one of several engines
/// holds the others, as queues are in order. O((n + dependencies) log n).
class Scheduler {
public:
  explicit Scheduler(std::vector<Unit> given) : units(std::move(given)) {
    for (uint32_t i = 0; i < units.size(); ++i)
      if (units[i].missing == 0)
        makeReady(i);
  }

  /// The numbers of the commands in their new order.
  std::vector<uint32_t> run() {
    for (;;) {
      startReady();
      if (running.empty())
        return std::move(order);
      const auto [end, number] = running.top();
      running.pop();
      now = end;
      busy &= ~units[number].queues;
      for (uint32_t dependent : units[number].dependents)
        if (--units[dependent].missing == 0)
          makeReady(dependent);
    }
  }

private:
  using Entry = std::pair<Picoseconds, int64_t>;
  using Running = std::pair<Picoseconds, uint32_t>;

  /// Units wait by the engines that they need. The earlier one in the program
  /// wins ties.
  void makeReady(uint32_t number) {
    ready[units[number].queues].push(
        {units[number].priority, -int64_t(number)});
  }

  /// Starts what can start, the longest chain first. One pass is enough: a unit
  /// that starts or waits leaves no engine to those of the same engines.
  void startReady() {
    std::vector<std::priority_queue<Entry> *> heads;
    for (std::priority_queue<Entry> &queue : ready)
      if (!queue.empty())
        heads.push_back(&queue);
    std::sort(heads.begin(), heads.end(),
              [](const auto *a, const auto *b) { return a->top() > b->top(); });
    unsigned held = busy;
    for (std::priority_queue<Entry> *queue : heads) {
      const unsigned queues = units[size_t(-queue->top().second)].queues;
      if (!(queues & held))
        start(*queue);
      held |= queues;
    }
  }

  void start(std::priority_queue<Entry> &queue) {
    const auto number = uint32_t(-queue.top().second);
    queue.pop();
    const Unit &unit = units[number];
    busy |= unit.queues;
    for (uint32_t task = unit.begin; task < unit.end; ++task)
      order.push_back(task);
    running.push({now + unit.time, number});
  }

  std::vector<Unit> units;
  std::array<std::priority_queue<Entry>, 1u << timing::queueCount> ready;
  std::priority_queue<Running, std::vector<Running>, std::greater<>> running;
  unsigned busy = 0; // queues, as bits
  Picoseconds now = 0;
  std::vector<uint32_t> order;
};

/// The commands that come before one of their queue that was before them.
std::vector<uint32_t> movedUp(const std::vector<timing::Task> &tasks,
                              const std::vector<uint32_t> &order) {
  std::vector<uint32_t> result;
  std::array<int64_t, timing::queueCount> least;
  least.fill(INT64_MAX);
  for (size_t i = order.size(); i-- > 0;) {
    int64_t &later = least[size_t(tasks[order[i]].queue)];
    if (later < order[i])
      result.push_back(order[i]);
    later = std::min<int64_t>(later, order[i]);
  }
  std::sort(result.begin(), result.end());
  return result;
}

} // namespace

void adviseOrder(Search &search) {
  const Prediction &prediction = search.prediction;
  Candidate candidate;
  candidate.kind = AdviceKind::Order;
  candidate.order = Scheduler(unitsOf(prediction)).run();
  assert(candidate.order.size() == prediction.tasks.size() &&
         "dependencies have no cycle");
  candidate.commands = movedUp(prediction.tasks, candidate.order);
  if (candidate.commands.empty())
    return;
  // No order is faster than the longest chain or the busiest engine.
  Picoseconds bound = 0;
  for (Picoseconds chain : remaining(prediction.tasks))
    bound = std::max(bound, chain);
  std::string exposed;
  for (size_t queue = 0; queue < timing::queueCount; ++queue) {
    const timing::QueueTime &time = prediction.timeline.queues[queue];
    if (time.exposed > 0)
      exposed +=
          fmt::format("{}{} {}", exposed.empty() ? "" : ", ",
                      nameOf(timing::Queue(queue)), timeText(time.exposed));
  }
  candidate.estimate = search.time();
  candidate.title =
      fmt::format("Start {} earlier",
                  countOf(candidate.commands.size(), "independent command"));
  candidate.text = fmt::format(
      "Engines that work while no other does: {}. The longest chain of "
      "dependent commands takes {} of {}; in the order of the longest chain "
      "first, these commands run beside others. Write their operations before "
      "those that they do not depend on.",
      exposed.empty() ? "none" : exposed, timeText(bound),
      timeText(search.time()));
  search.candidates.push_back(std::move(candidate));
}

std::vector<Advice> adviseCapacity(const Prediction &prediction) {
  const uint64_t needed =
      prediction.persistent + prediction.constants + prediction.workspace;
  if (prediction.capacity == 0 || needed <= prediction.capacity)
    return {};
  Advice advice;
  advice.kind = AdviceKind::Capacity;
  advice.title = fmt::format("Use {} less memory: the model does not fit on {}",
                             humanBytes(needed - prediction.capacity),
                             prediction.device->name);
  advice.text = fmt::format(
      "It needs {}: inputs, outputs and states {}, constants {}, workspace {}. "
      "The card has {}.",
      humanBytes(needed), humanBytes(prediction.persistent),
      humanBytes(prediction.constants), humanBytes(prediction.workspace),
      humanBytes(prediction.capacity));
  // Fewer samples shrink all but the constants.
  if (prediction.constants < prediction.capacity) {
    const uint64_t samples = needed - prediction.constants;
    const uint64_t room = prediction.capacity - prediction.constants;
    advice.text +=
        fmt::format(" With 1/{} of the samples per launch it would fit.",
                    (samples + room - 1) / std::max<uint64_t>(room, 1));
  }
  for (const device::DeviceSpec &spec : device::DeviceSpec::all())
    if (spec.memory.dramBytes >= needed)
      advice.text += fmt::format(" {} has {}.", spec.name,
                                 humanBytes(spec.memory.dramBytes));
  // The buffers that are largest, wherever they are alive.
  std::vector<const BufferLife *> largest;
  for (const BufferLife &buffer : prediction.buffers)
    largest.push_back(&buffer);
  std::sort(largest.begin(), largest.end(),
            [](const BufferLife *a, const BufferLife *b) {
              return std::tie(b->bytes, a->offset, a->tensor) <
                     std::tie(a->bytes, b->offset, b->tensor);
            });
  largest.resize(std::min<size_t>(largest.size(), 3));
  for (const BufferLife *buffer : largest) {
    advice.text +=
        fmt::format(" Buffer {}: {}.", buffer->name, humanBytes(buffer->bytes));
    if (!buffer->location.empty())
      advice.locations.push_back(buffer->location);
  }
  return {advice};
}

} // namespace gaudi::prediction
