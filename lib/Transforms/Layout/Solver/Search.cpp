// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Message passing, local improvement, branch and bound.
#include "Search.h"
#include <numeric>
#include <tuple>

namespace gaudi::layout {
namespace {
/// Functions of each variable.
std::vector<std::vector<uint32_t>> readersOf(const Model &model) {
  std::vector<std::vector<uint32_t>> readers(model.variables());
  for (uint32_t f = 0; f < model.functions.size(); ++f)
    for (uint32_t v : model.functions[f].scope)
      readers[v].push_back(f);
  return readers;
}

/// A function of two variables as one of them sees it.
struct Side {
  size_t own, others; ///< strides
  uint32_t other;
  size_t count; ///< labels of the other
};
Side sideOf(const Model &model, const Function &function, uint32_t variable) {
  assert(function.scope.size() == 2 && "the reductions leave couplings");
  const auto [a, b] = std::pair(function.scope[0], function.scope[1]);
  const size_t n = model.labels(a), m = model.labels(b);
  return a == variable ? Side{m, 1, b, m} : Side{1, m, a, n};
}

/// Least cost of each label of the variable.
std::vector<int64_t> leastOf(const Model &model, const Function &function,
                             uint32_t variable) {
  const Side side = sideOf(model, function, variable);
  std::vector<int64_t> least(model.labels(variable), forbidden);
  for (size_t i = 0; i < least.size(); ++i)
    for (size_t j = 0; j < side.count; ++j)
      least[i] =
          std::min(least[i], function.costs[i * side.own + j * side.others]);
  return least;
}

/// Takes the least cost of each label out of the variable's functions and
/// shares the sums out evenly among them and the variable. The least sum of a
/// label becomes the sum of the least entries, so that the bound does not fall.
void balance(Model &model, const std::vector<uint32_t> &readers,
             uint32_t variable) {
  std::vector<int64_t> &costs = model.costs[variable];
  std::vector<std::vector<int64_t>> least;
  std::vector<int64_t> total = costs;
  for (uint32_t f : readers) {
    least.push_back(leastOf(model, model.functions[f], variable));
    for (size_t l = 0; l < total.size(); ++l)
      total[l] = add(total[l], least.back()[l]);
  }
  // One share each, and one that stays with the variable.
  const size_t shares = readers.size() + 1;
  for (size_t k = 0; k < readers.size(); ++k) {
    Function &function = model.functions[readers[k]];
    const Side side = sideOf(model, function, variable);
    for (size_t l = 0; l < total.size(); ++l)
      for (size_t j = 0; j < side.count; ++j) {
        int64_t &cost = function.costs[l * side.own + j * side.others];
        cost = total[l] >= forbidden ? forbidden
                                     : add(subtract(cost, least[k][l]),
                                           shareOf(total[l], k, shares));
      }
  }
  for (size_t l = 0; l < total.size(); ++l)
    costs[l] = total[l] >= forbidden
                   ? forbidden
                   : shareOf(total[l], readers.size(), shares);
}

/// Changes single labels while that lowers the cost. At most `steps` looks at a
/// variable.
void improve(const Model &model,
             const std::vector<std::vector<uint32_t>> &readers,
             std::vector<uint32_t> &labels, uint64_t steps) {
  std::vector<uint32_t> queue(model.variables());
  std::iota(queue.begin(), queue.end(), 0);
  std::vector<char> isQueued(model.variables(), 1);
  for (size_t next = 0; next < queue.size() && next < steps; ++next) {
    const uint32_t v = queue[next];
    isQueued[v] = 0;
    // All labels are weighed with the neighbours' labels as they are.
    std::vector<int64_t> costs = model.costs[v];
    for (uint32_t f : readers[v]) {
      const Function &function = model.functions[f];
      const Side side = sideOf(model, function, v);
      for (size_t l = 0; l < costs.size(); ++l)
        costs[l] = add(
            costs[l],
            function.costs[l * side.own + labels[side.other] * side.others]);
    }
    const auto best = std::min_element(costs.begin(), costs.end());
    if (*best >= costs[labels[v]])
      continue;
    labels[v] = uint32_t(best - costs.begin());
    // Only for its neighbours has anything changed.
    for (uint32_t f : readers[v])
      if (const uint32_t other = sideOf(model, model.functions[f], v).other;
          !isQueued[other]) {
        isQueued[other] = 1;
        queue.push_back(other);
      }
  }
}

/// Solves neighbourhoods exactly while all other labels stay: the variables
/// around each variable in turn that no neighbourhood of the round has had yet.
class Blocks {
public:
  Blocks(const Model &model, const std::vector<std::vector<uint32_t>> &readers)
      : model(model), readers(readers), place(model.variables(), none) {}

  /// Rounds start elsewhere each time, and end when two bring nothing. At most
  /// about `steps` entries of tables.
  void improve(std::vector<uint32_t> &labels, uint64_t steps) {
    const uint32_t count = model.variables();
    uint32_t vain = 0;
    for (uint32_t round = 0; vain < 2 && effort < steps; ++round) {
      bool improved = false;
      std::vector<char> had(count, 0);
      for (uint32_t i = 0; i < count && effort < steps; ++i) {
        const uint32_t seed = (i + round * (maxBlock / 2)) % count;
        if (had[seed])
          continue;
        findBlock(seed);
        for (uint32_t v : block)
          had[v] = 1;
        improved |= improveBlock(labels);
        for (uint32_t v : block)
          place[v] = none;
      }
      vain = improved ? 0 : vain + 1;
    }
  }

private:
  static constexpr uint32_t none = UINT32_MAX, maxBlock = 32;
  static constexpr uint64_t tableEntries = 4096;

  /// Breadth first from the seed.
  void findBlock(uint32_t seed) {
    block.assign(1, seed);
    place[seed] = 0;
    for (size_t next = 0; next < block.size(); ++next)
      for (uint32_t f : readers[block[next]])
        for (uint32_t v : model.functions[f].scope)
          if (place[v] == none && block.size() < maxBlock) {
            place[v] = 0;
            block.push_back(v);
          }
    std::sort(block.begin(), block.end());
    for (uint32_t i = 0; i < block.size(); ++i)
      place[block[i]] = i;
  }

  bool improveBlock(std::vector<uint32_t> &labels) {
    Model part;
    std::vector<uint32_t> old;
    for (uint32_t v : block) {
      part.costs.push_back(model.costs[v]);
      old.push_back(labels[v]);
    }
    for (uint32_t v : block)
      for (uint32_t f : readers[v]) {
        const Function &function = model.functions[f];
        const Side side = sideOf(model, function, v);
        if (place[side.other] == none) {
          std::vector<int64_t> &costs = part.costs[place[v]];
          for (size_t l = 0; l < costs.size(); ++l)
            costs[l] =
                add(costs[l], function.costs[l * side.own +
                                             labels[side.other] * side.others]);
        } else if (v == function.scope[0]) {
          // A function inside the block is met from both sides: added once.
          part.functions.push_back(
              {{place[v], place[side.other]}, function.costs});
        }
      }
    const Plan plan = planElimination(part, tableEntries);
    effort += plan.entries;
    // Exact within the block, so that a block is never left worse.
    const std::vector<uint32_t> found = Elimination(part, plan).decode();
    if (part.cost(found) >= part.cost(old))
      return false;
    for (size_t i = 0; i < block.size(); ++i)
      labels[block[i]] = found[i];
    return true;
  }

  const Model &model;
  const std::vector<std::vector<uint32_t>> &readers;
  std::vector<uint32_t> place, block;
  uint64_t effort = 0;
};

/// Depth first through the buckets from the last to the first, labels of least
/// bound first.
class BranchAndBound {
public:
  BranchAndBound(const Model &model, const Plan &plan,
                 const Elimination &elimination, Solution &best)
      : model(model), plan(plan), elimination(elimination), best(best),
        readers(readersOf(model)), labels(model.variables(), 0) {}

  void run(uint64_t limit) {
    const size_t count = plan.buckets.size();
    levels.assign(1, {});
    open(count - 1, elimination.bound());
    uint64_t steps = 0;
    while (!levels.empty()) {
      Level &level = levels.back();
      if (level.next == level.choices.size() ||
          level.choices[level.next].bound >= best.cost) {
        levels.pop_back(); // the choices are sorted
        continue;
      }
      if (steps >= limit)
        break;
      const Choice choice = level.choices[level.next++];
      const size_t at = count - levels.size();
      labels[plan.buckets[at].variable] = choice.label;
      if (at == 0) {
        take();
        continue;
      }
      levels.emplace_back();
      steps += open(at - 1, choice.bound);
    }
    // What is not searched costs at least the least bound of open choices.
    int64_t bound = best.cost;
    for (const Level &level : levels)
      if (level.next < level.choices.size())
        bound = std::min(bound, level.choices[level.next].bound);
    best.lowerBound = std::max(best.lowerBound, bound);
  }

private:
  struct Choice {
    int64_t bound;
    uint32_t label;
  };
  struct Level {
    std::vector<Choice> choices; ///< by bound
    size_t next = 0;
  };

  /// Makes the last level that of bucket `at`. Returns the effort.
  uint64_t open(size_t at, int64_t bound) {
    const Bucket &bucket = plan.buckets[at];
    std::vector<Choice> &choices = levels.back().choices;
    for (uint32_t l = 0; l < model.labels(bucket.variable); ++l) {
      const int64_t sum = add(bound, elimination.increase(at, labels, l));
      if (sum < best.cost)
        choices.push_back({sum, l});
    }
    std::sort(choices.begin(), choices.end(),
              [](const Choice &a, const Choice &b) {
                return std::tie(a.bound, a.label) < std::tie(b.bound, b.label);
              });
    if (bucket.isExact && choices.size() > 1)
      choices.resize(1); // no other label is better
    return model.labels(bucket.variable);
  }

  void take() {
    std::vector<uint32_t> found = labels;
    improve(model, readers, found, 16 * uint64_t(model.variables()));
    const int64_t cost = model.cost(found);
    if (cost < best.cost) {
      best.cost = cost;
      best.labels = std::move(found);
    }
  }

  const Model &model;
  const Plan &plan;
  const Elimination &elimination;
  Solution &best;
  const std::vector<std::vector<uint32_t>> readers;
  std::vector<uint32_t> labels;
  std::vector<Level> levels;
};
} // namespace

int64_t passMessages(Model &model, uint64_t steps) {
  const std::vector<std::vector<uint32_t>> readers = readersOf(model);
  uint64_t sweep = model.variables(); // effort of one
  for (const Function &function : model.functions)
    sweep += 4 * function.costs.size();
  auto boundOf = [&] {
    auto least = [](const std::vector<int64_t> &costs) {
      return *std::min_element(costs.begin(), costs.end());
    };
    int64_t sum = 0;
    for (const std::vector<int64_t> &costs : model.costs)
      sum = add(sum, least(costs));
    for (const Function &function : model.functions)
      sum = add(sum, least(function.costs));
    return sum;
  };
  int64_t bound = boundOf();
  for (uint64_t left = steps; left >= sweep; left -= sweep) {
    // There and back: messages cross the whole graph in one sweep.
    for (uint32_t v = 0; v < model.variables(); ++v)
      balance(model, readers[v], v);
    for (uint32_t v = model.variables(); v-- > 0;)
      balance(model, readers[v], v);
    const int64_t next = boundOf();
    assert(next >= bound && "messages do not lower the bound");
    const bool stalls = next - bound <= next / 100000;
    bound = next;
    if (stalls || bound >= forbidden)
      break;
  }
  return bound;
}

Solution search(Model model, const Plan &plan, uint64_t steps) {
  Solution best;
  const int64_t messages = passMessages(model, 16 * steps);
  const Elimination elimination(model, plan);
  best.lowerBound = std::max(messages, elimination.bound());
  best.labels = elimination.decode();
  const std::vector<std::vector<uint32_t>> readers = readersOf(model);
  improve(model, readers, best.labels, 16 * uint64_t(model.variables()));
  best.cost = model.cost(best.labels);
  if (best.cost > best.lowerBound) {
    Blocks(model, readers).improve(best.labels, 16 * steps);
    best.cost = model.cost(best.labels);
  }
  if (best.cost > best.lowerBound)
    BranchAndBound(model, plan, elimination, best).run(steps);
  return best;
}

} // namespace gaudi::layout
