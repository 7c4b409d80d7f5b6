// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Simulated annealing over orders of first fit.
#include "PackingOrderSearch.h"
#include "Noise.h"

#include <algorithm>
#include <cassert>
#include <cmath>

using namespace gaudi::memory;

namespace {
/// Of the mean size: temperatures at the begin and at the end of a run.
constexpr double firstTemperature = 0.5, lastTemperature = 0.01;
/// Moves of an item that ends beyond the target.
constexpr double shareOfHigh = 0.5;
/// Moves between two questions whether to stop.
constexpr unsigned askedEach = 64;
} // namespace

bool gaudi::memory::hasSeveralAlignments(const Problem &problem) {
  Units known = 0;
  for (const Item &item : problem.items) {
    if (item.isFixed())
      continue;
    if (known != 0 && item.alignment != known)
      return true;
    known = item.alignment;
  }
  return false;
}

OrderSearch::OrderSearch(const Problem &problem) : problem(problem) {}

double OrderSearch::excessOf(int item) const {
  return double(
      std::max<Units>(0, offsets[item] + problem.items[item].size - target));
}

double OrderSearch::place(size_t from) {
  // -1 means not placed. Items before `from` keep their offsets, since first
  // fit looks only at those that come earlier.
  for (size_t i = from; i < order.size(); ++i)
    offsets[order[i]] = problem.items[order[i]].fixed;
  for (size_t i = from; i < order.size(); ++i) {
    offsets[order[i]] = lowestOffset(problem, order[i], offsets, taken);
    stepsDone += problem.overlaps[order[i]].size() + 1;
  }
  // What is above the target, over all items: zero is a packing that fits.
  double excess = 0;
  for (int item : order)
    excess += excessOf(item);
  return excess;
}

bool OrderSearch::run(Units enough, uint64_t steps, Budget &budget,
                      Placement &best) {
  Noise noise(++seed);
  order.clear();
  double sizes = 0;
  for (size_t i = 0; i < problem.items.size(); ++i)
    if (!problem.items[i].isFixed()) {
      order.push_back(int(i));
      sizes += double(problem.items[i].size);
    }
  if (order.size() < 2)
    return false;
  // Starts with the order of the best packing, which first fit turns into one
  // that is no higher in most cases.
  sortBy(order, [&](int i) { return best.offsets[i]; });
  offsets = best.offsets;
  target = best.peak - 1;
  stepsDone = 0;
  double now = place(0);
  bool isImproved = false;
  const double mean = sizes / double(order.size());
  auto accept = [&] {
    Placement found = placementOf(problem, offsets);
    assert(found.peak < best.peak && "within the target");
    // From here on the target is one lower than what was found.
    best = std::move(found);
    isImproved = true;
    target = best.peak - 1;
    now = 0;
    for (int item : order)
      now += excessOf(item);
  };
  std::vector<int> before;
  std::vector<Units> offsetsBefore;
  for (unsigned moves = 0; best.peak > enough; ++moves) {
    if (now == 0) {
      // No move: the target has changed.
      accept();
      continue;
    }
    if (stepsDone >= std::min(steps, budget.steps) ||
        (moves % askedEach == 0 && budget.mustStop && budget.mustStop()))
      break;
    // Temperatures fall geometrically from the first to the last over all
    // steps.
    const double done = double(stepsDone) / double(steps);
    const double temperature =
        mean * firstTemperature *
        std::pow(lastTemperature / firstTemperature, done);
    // One that is too high goes before others, or two change places.
    size_t a = size_t(noise.next() * double(order.size()));
    if (noise.next() < shareOfHigh)
      for (size_t i = 0; i < order.size() && excessOf(order[a]) == 0; ++i)
        a = (a + 1) % order.size();
    const size_t b = size_t(noise.next() * double(order.size()));
    if (a == b)
      continue;
    // Both are kept: a refused move restores them without placing again.
    before = order;
    offsetsBefore = offsets;
    // One direction only: an item that is too high needs an earlier place.
    if (b < a && noise.next() < 0.5)
      std::rotate(order.begin() + ptrdiff_t(b), order.begin() + ptrdiff_t(a),
                  order.begin() + ptrdiff_t(a) + 1);
    else
      std::swap(order[a], order[b]);
    const double next = place(std::min(a, b));
    // Metropolis: better ones always, worse ones by chance.
    if (next <= now || noise.next() < std::exp((now - next) / temperature)) {
      now = next;
      continue;
    }
    order.swap(before);
    offsets.swap(offsetsBefore);
  }
  budget.steps -= std::min(budget.steps, stepsDone);
  return isImproved;
}
