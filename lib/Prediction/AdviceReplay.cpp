// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plays the tasks of a prediction with changes.
#include "AdviceCandidates.h"

#include <algorithm>
#include <cassert>
#include <map>

namespace gaudi::prediction {
namespace {

using timing::Dependency;
using timing::Task;

/// More dependencies than this are not carried over a removed task: it stays,
/// without cost, so that long removed chains do not grow quadratically.
constexpr size_t mostInherited = 64;

/// One entry per task waited for; it is sliced if all that named it are.
void makeUnique(std::vector<Dependency> &dependencies) {
  std::sort(dependencies.begin(), dependencies.end(),
            [](const Dependency &a, const Dependency &b) {
              return std::make_pair(a.task, a.sliced) <
                     std::make_pair(b.task, b.sliced);
            });
  dependencies.erase(std::unique(dependencies.begin(), dependencies.end(),
                                 [](const Dependency &a, const Dependency &b) {
                                   return a.task == b.task;
                                 }),
                     dependencies.end());
}

/// The tasks without the removed ones, whose dependents wait for what they
/// waited for.
std::vector<Task> without(const std::vector<Task> &tasks,
                          const std::vector<uint32_t> &removed) {
  std::vector<Task> result;
  result.reserve(tasks.size());
  std::vector<int64_t> numbers(tasks.size());
  // Of removed tasks, in new numbers.
  std::map<uint32_t, std::vector<Dependency>> inherited;
  auto next = removed.begin();
  for (uint32_t i = 0; i < tasks.size(); ++i) {
    std::vector<Dependency> dependencies;
    for (const Dependency &given : tasks[i].dependencies) {
      if (auto from = inherited.find(given.task); from != inherited.end()) {
        for (Dependency dependency : from->second)
          dependencies.push_back(
              {dependency.task, dependency.sliced && given.sliced});
      } else {
        dependencies.push_back({uint32_t(numbers[given.task]), given.sliced});
      }
    }
    makeUnique(dependencies);
    const bool isRemoved = next != removed.end() && *next == i;
    next += isRemoved;
    if (isRemoved && dependencies.size() <= mostInherited) {
      inherited.emplace(i, std::move(dependencies));
      continue;
    }
    numbers[i] = int64_t(result.size());
    result.push_back(tasks[i]);
    result.back().dependencies = std::move(dependencies);
    if (isRemoved)
      result.back().cost = {};
  }
  return result;
}

std::vector<Task> reordered(const std::vector<Task> &tasks,
                            const std::vector<uint32_t> &order) {
  assert(order.size() == tasks.size() && "an order names each task once");
  std::vector<uint32_t> numbers(tasks.size());
  for (uint32_t i = 0; i < order.size(); ++i)
    numbers[order[i]] = i;
  std::vector<Task> result;
  result.reserve(tasks.size());
  for (uint32_t task : order) {
    result.push_back(tasks[task]);
    for (Dependency &dependency : result.back().dependencies) {
      dependency.task = numbers[dependency.task];
      assert(dependency.task < result.size() - 1 && "topological order");
    }
  }
  return result;
}

} // namespace

Picoseconds replayTasks(const Prediction &prediction,
                        const Candidate &candidate) {
  assert(std::is_sorted(candidate.removed.begin(), candidate.removed.end()) &&
         "removed tasks ascend");
  std::vector<Task> tasks = prediction.tasks;
  for (const auto &[task, cost] : candidate.costs)
    tasks[task].cost = cost;
  if (!candidate.removed.empty())
    tasks = without(tasks, candidate.removed);
  if (!candidate.order.empty())
    tasks = reordered(tasks, candidate.order);
  const Picoseconds end = timing::play(tasks, *prediction.device).end;
  return end / candidate.launches;
}

} // namespace gaudi::prediction
