// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Greedy construction and best exchanges of boxes.
#include "Interchange.h"

#include <cassert>
#include <limits>

using namespace gaudi::shapes;

namespace {
// Exchanges of a pass that are tried, and the share of its gain that one must
// keep after those before it: a better one may come in the next pass.
constexpr size_t triedPerPass = 64;
constexpr double shareKept = 0.5;
// Candidates between two questions whether to end.
constexpr size_t askedEach = 256;
// No box.
constexpr uint32_t none = UINT32_MAX;
} // namespace

double Interchange::cost(const std::vector<size_t> &boxes) {
  assert(std::find(boxes.begin(), boxes.end(), rows.cells() - 1) !=
             boxes.end() &&
         "some box takes every launch");
  const size_t n = rows.launches();
  first.assign(n, std::numeric_limits<double>::infinity());
  // The last cell costs most, so it is the worst box and a sound next one.
  second.assign(n, rows.problem().costs.back());
  boxOf.assign(n, 0);
  nextOf.assign(n, none);
  everything.assign(n, 1);
  for (size_t box = 0; box < boxes.size(); ++box)
    offer(boxes[box], uint32_t(box));
  return sum();
}

double Interchange::sum() const {
  double sum = 0;
  for (size_t i = 0; i < first.size(); ++i)
    sum += rows.weights()[i] * first[i];
  return sum;
}

/// Of boxes that cost the same, a launch takes the one with the lowest number.
void Interchange::offerTo(size_t launch, double cost, uint32_t box) {
  const bool isFirst =
      cost < first[launch] || (cost == first[launch] && box < boxOf[launch]);
  if (isFirst) {
    if (first[launch] <= second[launch]) {
      second[launch] = first[launch];
      nextOf[launch] = boxOf[launch];
    }
    first[launch] = cost;
    boxOf[launch] = box;
  } else if (cost < second[launch]) {
    second[launch] = cost;
    nextOf[launch] = box;
  }
}

void Interchange::offer(size_t cell, uint32_t box) {
  const double cost = rows.problem().costs[cell];
  rows.forEachRun(cell, 0, everything, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      offerTo(i, cost, box);
  });
}

void Interchange::findBoxes(size_t launch, const std::vector<size_t> &boxes) {
  const std::vector<double> &costs = rows.problem().costs;
  first[launch] = std::numeric_limits<double>::infinity();
  second[launch] = costs.back();
  boxOf[launch] = 0;
  nextOf[launch] = none;
  for (size_t box = 0; box < boxes.size(); ++box)
    if (const double cost = costs[boxes[box]];
        (cost < first[launch] || cost < second[launch]) &&
        rows.takes(boxes[box], launch))
      offerTo(launch, cost, uint32_t(box));
}

double Interchange::replaceBox(const std::vector<size_t> &boxes, size_t box) {
  // Launches whose box or next box went have lost it; few do.
  std::vector<size_t> lost;
  for (size_t i = 0; i < first.size(); ++i)
    if (boxOf[i] == box || nextOf[i] == box)
      lost.push_back(i);
  offer(boxes[box], uint32_t(box));
  for (size_t launch : lost)
    findBoxes(launch, boxes);
  return sum();
}

double Interchange::gainOf(size_t cell) const {
  const double cost = rows.problem().costs[cell];
  double gain = 0;
  rows.forEachRun(cell, cost, most, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      gain += rows.weights()[i] * std::max(0.0, first[i] - cost);
  });
  return gain;
}

/// A box that is added lowers the gains of others and raises none, so gains
/// that were computed earlier are upper bounds: only candidates whose bound is
/// the largest are looked at again (Minoux, 1978).
void Interchange::grow(std::vector<size_t> &boxes,
                       const std::vector<size_t> &candidates, size_t maxBoxes) {
  if (boxes.size() >= maxBoxes)
    return;
  struct Candidate {
    double gain;
    size_t cell;
    size_t boxes; // how many there were when the gain was computed
    bool operator<(const Candidate &other) const {
      return gain != other.gain ? gain < other.gain : cell > other.cell;
    }
  };
  // Prepares the cost of each launch with the present boxes.
  cost(boxes);
  rows.mostUntil(first, most);
  std::vector<Candidate> heap;
  heap.reserve(candidates.size());
  for (size_t cell : candidates)
    heap.push_back({gainOf(cell), cell, boxes.size()});
  std::make_heap(heap.begin(), heap.end());
  while (!heap.empty() && boxes.size() < maxBoxes) {
    std::pop_heap(heap.begin(), heap.end());
    Candidate &top = heap.back();
    if (!(top.gain > 0))
      return;
    // The bound is old: compute it again and let the heap decide.
    if (top.boxes < boxes.size()) {
      top.gain = gainOf(top.cell);
      top.boxes = boxes.size();
      std::push_heap(heap.begin(), heap.end());
      continue;
    }
    boxes.push_back(top.cell);
    heap.pop_back();
    offer(boxes.back(), uint32_t(boxes.size() - 1));
    rows.mostUntil(first, most);
  }
}

void Interchange::weighLosses(const std::vector<size_t> &boxes) {
  loss.assign(boxes.size(), 0);
  for (size_t i = 0; i < rows.launches(); ++i)
    loss[boxOf[i]] += rows.weights()[i] * (second[i] - first[i]);
  covered.assign(boxes.size(), 0);
  isTouched.assign(boxes.size(), false);
  byLoss.clear();
  for (size_t box = 0; box < boxes.size(); ++box)
    if (boxes[box] != rows.cells() - 1)
      byLoss.push_back(box);
  std::sort(byLoss.begin(), byLoss.end(), [&](size_t a, size_t b) {
    return loss[a] != loss[b] ? loss[a] < loss[b] : a < b;
  });
  rows.mostUntil(second, most);
}

/// Every launch that `cell` takes saves the difference to its present box. If
/// that box goes, the launch loses the difference to its next box, except what
/// the candidate covers of it. Of all boxes of which it covers nothing, one of
/// least loss is the best to go: the others are not looked at.
Interchange::Exchange Interchange::bestFor(size_t cell,
                                           const std::vector<size_t> &boxes) {
  const double cost = rows.problem().costs[cell];
  double gain = 0;
  rows.forEachRun(cell, cost, most, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      // The launch has two boxes that are cheaper: the candidate changes
      // nothing for it.
      if (second[i] <= cost)
        continue;
      gain += rows.weights()[i] * std::max(0.0, first[i] - cost);
      const uint32_t box = boxOf[i];
      if (!isTouched[box]) {
        isTouched[box] = true;
        touched.push_back(box);
      }
      covered[box] +=
          rows.weights()[i] * (second[i] - std::max(first[i], cost));
    }
  });
  Exchange best;
  best.in = cell;
  // Of equal ones the box with the lowest number.
  auto consider = [&](size_t box) {
    const double net = gain - loss[box] + covered[box];
    if (net > best.gain || (net == best.gain && net > 0 && box < best.out)) {
      best.gain = net;
      best.out = box;
    }
  };
  // In ascending order of loss, so the first untouched box is the best of
  // these.
  for (size_t box : byLoss) {
    if (isTouched[box])
      continue;
    if (gain - loss[box] < best.gain || !(gain > loss[box]))
      break;
    consider(box);
  }
  // The largest box stays: without it some launches fit nowhere.
  for (uint32_t box : touched) {
    if (boxes[box] != rows.cells() - 1)
      consider(box);
    covered[box] = 0;
    isTouched[box] = false;
  }
  touched.clear();
  return best;
}

double Interchange::improve(std::vector<size_t> &boxes,
                            const std::vector<size_t> &candidates,
                            unsigned passes) {
  const size_t last = rows.cells() - 1;
  double now = cost(boxes);
  for (; passes > 0 && !cut.isDue(); --passes) {
    weighLosses(boxes);
    // Smaller gains may be rounding, and could go in circles.
    const double least = 1e-9 * now;
    std::vector<Exchange> exchanges;
    for (size_t i = 0; i < candidates.size(); ++i) {
      // Asking for the time takes as long as some candidates.
      if (i % askedEach == 0 && cut.isDue())
        break;
      if (candidates[i] != last)
        if (Exchange exchange = bestFor(candidates[i], boxes);
            exchange.gain > least)
          exchanges.push_back(exchange);
    }
    // The best ones, as far as they still save something after those before.
    std::sort(exchanges.begin(), exchanges.end(),
              [](const Exchange &a, const Exchange &b) {
                return a.gain != b.gain ? a.gain > b.gain : a.in < b.in;
              });
    exchanges.resize(std::min(exchanges.size(), triedPerPass));
    bool isImproved = false;
    for (const Exchange &promised : exchanges) {
      if (cut.isDue())
        break;
      const Exchange exchange = bestFor(promised.in, boxes);
      if (!(exchange.gain > std::max(least, promised.gain * shareKept)))
        continue;
      boxes[exchange.out] = exchange.in;
      now = replaceBox(boxes, exchange.out);
      weighLosses(boxes);
      isImproved = true;
    }
    if (!isImproved)
      break;
  }
  return now;
}
