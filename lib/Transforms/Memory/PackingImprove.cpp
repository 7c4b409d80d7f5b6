// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounds of exact searches with different strategies.
//
// The time of a search is heavy-tailed: most packings that exist are found
// within a few nodes per buffer under some strategies, and not within hours
// under others. So a round runs several strategies, each up to a limit of
// nodes. The searches of a round are independent, and the one with the lowest
// number wins, whichever thread was first: the answer does not depend on the
// number of threads.
#include "PackingImprove.h"
#include "Noise.h"
#include "PackingHeuristics.h"
#include "PackingOrderSearch.h"
#include "PackingSearch.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <iterator>
#include <optional>
#include <thread>

using namespace gaudi::memory;

namespace {
/// The search is recursive, about 300 bytes of stack for each item.
constexpr size_t maxItems = 8'000;
constexpr uint64_t maxSearchPairs = 4'000'000;
constexpr unsigned searchesPerRound = 12;
/// Packings at the bound are worth more tries: they end everything.
constexpr unsigned roundsAtBound = 4;
/// Of the first search over orders, which doubles with the nodes of a round.
constexpr uint64_t firstOrderSteps = 1'000'000;

class Improver {
public:
  Improver(Problem &problem, Budget &budget, Placement &best, Units enough,
           Units bound)
      : problem(problem), budget(budget), best(best), enough(enough),
        bound(bound) {
    for (unsigned i = 0; i < packingOrders; ++i)
      orders.push_back(packingOrder(problem, i));
    if (hasSeveralAlignments(problem))
      orderSearch.emplace(problem);
  }

  Units run() {
    uint64_t orderSteps = std::min(firstOrderSteps, budget.steps / 4);
    searchOrders(orderSteps);
    uint64_t nodes = 3 * problem.items.size() + 100;
    // Peaks that are far away come down fast.
    while (best.peak > enough && best.peak - bound > bound / 16 && mayGoOn())
      if (runRound(std::max(enough, bound + (best.peak - 1 - bound) / 2),
                   nodes) != Outcome::Found)
        break;
    // Targets from the bound towards the best peak: each failure halves the
    // distance to the peak. After the smallest improvement has failed, all
    // starts again with more nodes.
    for (unsigned distance = 0; best.peak > enough && mayGoOn();) {
      const Units gap = best.peak - 1 - bound;
      const Units target =
          std::max(enough, bound + gap - (distance < 62 ? gap >> distance : 0));
      Outcome outcome = Outcome::Stopped;
      for (unsigned round = 0; round < (distance == 0 ? roundsAtBound : 1) &&
                               outcome == Outcome::Stopped && mayGoOn();
           ++round)
        outcome = runRound(target, nodes);
      if (outcome == Outcome::Impossible) {
        bound = target + 1;
        enough = std::max(enough, bound);
      } else if (outcome == Outcome::Stopped && target < best.peak - 1) {
        ++distance;
      } else if (outcome == Outcome::Stopped) {
        distance = 0;
        nodes *= 2;
        searchOrders(orderSteps *= 2);
      }
    }
    return bound;
  }

private:
  /// Sums of sizes do not see what alignments waste, so that the exact search
  /// does not know where to give up: orders of first fit find lower peaks, and
  /// the exact search proves small ones.
  void searchOrders(uint64_t steps) {
    if (orderSearch && best.peak > enough && mayGoOn())
      orderSearch->run(enough, steps, budget, best);
  }

  bool mayGoOn() const { return budget.steps > 0 && !mustStop(); }
  bool mustStop() const { return budget.mustStop && budget.mustStop(); }

  /// The first strategies take the plain orders, later ones disturb them. Half
  /// of them prefer sections with few buffers to choose from, which finds most
  /// packings of published instances; some need the others.
  Strategy strategy(uint64_t number) const {
    static constexpr Choice choices[] = {Choice::Count, Choice::FullThenCount,
                                         Choice::Count, Choice::Slack};
    Strategy strategy;
    strategy.choice = choices[number % std::size(choices)];
    strategy.order = orders[(number / 2 + number / 16) % packingOrders];
    if (number < 2 * packingOrders)
      return strategy;
    // The first items move less than the last ones.
    Noise noise(number);
    std::vector<double> position(problem.items.size());
    for (size_t i = 0; i < strategy.order.size(); ++i)
      position[strategy.order[i]] = double(i + 1) * (0.6 + noise.next());
    sortBy(strategy.order, [&](int i) { return position[i]; });
    return strategy;
  }

  struct Result {
    Outcome outcome = Outcome::Stopped;
    uint64_t steps = 0;
    std::vector<Units> offsets;
  };

  /// Runs the next strategies on `target`. A packing that is found replaces the
  /// best one.
  Outcome runRound(Units target, uint64_t nodes) {
    std::vector<Result> results(searchesPerRound);
    std::atomic<unsigned> next = 0, winner = searchesPerRound;
    auto work = [&] {
      uint64_t done = 0;
      for (unsigned i = next++; i < searchesPerRound && i <= winner;
           i = next++) {
        // What lies beyond the budget would not count.
        if (done >= budget.steps || mustStop())
          return;
        Search search(problem, strategy(nextStrategy + i), target);
        // Asking for the time at each node would take longer than some nodes.
        unsigned nodesAsked = 0;
        results[i].outcome = search.run(nodes, budget.steps, [&] {
          return winner.load(std::memory_order_relaxed) < i ||
                 (++nodesAsked % 256 == 0 && mustStop());
        });
        results[i].steps = search.steps();
        done += search.steps();
        if (results[i].outcome == Outcome::Stopped)
          continue;
        results[i].offsets = search.offsets();
        for (unsigned old = winner; i < old;)
          if (winner.compare_exchange_weak(old, i))
            break;
      }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < std::min(budget.threads, searchesPerRound); ++i)
      threads.emplace_back(work);
    work();
    for (std::thread &thread : threads)
      thread.join();
    nextStrategy += searchesPerRound;
    // Count as one thread would have.
    for (Result &result : results) {
      if (budget.steps == 0)
        break;
      budget.steps -= std::min(budget.steps, result.steps);
      if (result.outcome == Outcome::Found)
        accept(std::move(result.offsets));
      if (result.outcome != Outcome::Stopped)
        return result.outcome;
    }
    return Outcome::Stopped;
  }

  void accept(std::vector<Units> offsets) {
    Placement found = placementOf(problem, std::move(offsets));
    assert(found.peak < best.peak && "below the target");
    best = std::move(found);
  }

  Problem &problem;
  Budget &budget;
  Placement &best;
  Units enough, bound;
  std::vector<std::vector<int>> orders;
  std::optional<OrderSearch> orderSearch; // if alignments differ
  uint64_t nextStrategy = 0;
};
} // namespace

Units gaudi::memory::improve(Problem &problem, Units enough, Units bound,
                             Budget &budget, Placement &placement) {
  if (problem.items.size() > maxItems ||
      problem.pairs() + problem.conflicts.size() > maxSearchPairs)
    return bound;
  problem.addLists();
  // A descent to the first packing looks at least at all conflicts, and at the
  // sections for each item.
  const uint64_t descent =
      problem.overlaps.size() + problem.items.size() * problem.load.size() / 4;
  if (budget.steps < descent)
    return bound;
  return Improver(problem, budget, placement, enough, bound).run();
}
