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
} // namespace

double Interchange::cost(const std::vector<size_t> &boxes) {
  const size_t last = rows.cells() - 1;
  assert(std::find(boxes.begin(), boxes.end(), last) != boxes.end() &&
         "some box takes every launch");
  const std::vector<double> &costs = rows.problem().costs;
  // The last cell costs most, so it is the worst box and a sound next one.
  const size_t n = rows.launches();
  first.assign(n, std::numeric_limits<double>::infinity());
  second.assign(n, std::numeric_limits<double>::infinity());
  boxOf.assign(n, 0);
  const std::vector<double> everything(n, 1);
  for (size_t box = 0; box < boxes.size(); ++box) {
    const double cost = costs[boxes[box]];
    rows.forEachRun(boxes[box], 0, everything, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        if (cost < first[i]) {
          second[i] = first[i];
          first[i] = cost;
          boxOf[i] = uint32_t(box);
        } else {
          second[i] = std::min(second[i], cost);
        }
      }
    });
  }
  double sum = 0;
  for (size_t i = 0; i < n; ++i) {
    second[i] = std::min(second[i], costs[last]);
    sum += rows.weights()[i] * first[i];
  }
  return sum;
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
    if (top.boxes < boxes.size()) {
      top.gain = gainOf(top.cell);
      top.boxes = boxes.size();
      std::push_heap(heap.begin(), heap.end());
      continue;
    }
    boxes.push_back(top.cell);
    heap.pop_back();
    cost(boxes);
    rows.mostUntil(first, most);
  }
}

void Interchange::weighLosses(size_t boxes) {
  loss.assign(boxes, 0);
  for (size_t i = 0; i < rows.launches(); ++i)
    loss[boxOf[i]] += rows.weights()[i] * (second[i] - first[i]);
  covered.resize(boxes);
  rows.mostUntil(second, most);
}

/// Every launch that `cell` takes saves the difference to its present box. If
/// that box goes, the launch loses the difference to its next box, except what
/// the candidate covers of it.
Interchange::Exchange Interchange::bestFor(size_t cell,
                                           const std::vector<size_t> &boxes) {
  const double cost = rows.problem().costs[cell];
  const size_t last = rows.cells() - 1;
  std::fill(covered.begin(), covered.end(), 0);
  double gain = 0;
  rows.forEachRun(cell, cost, most, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (second[i] <= cost)
        continue;
      gain += rows.weights()[i] * std::max(0.0, first[i] - cost);
      covered[boxOf[i]] +=
          rows.weights()[i] * (second[i] - std::max(first[i], cost));
    }
  });
  Exchange best;
  best.in = cell;
  for (size_t box = 0; box < boxes.size(); ++box) {
    const double net = gain - loss[box] + covered[box];
    if (net > best.gain && boxes[box] != last) {
      best.gain = net;
      best.out = box;
    }
  }
  return best;
}

double Interchange::improve(std::vector<size_t> &boxes,
                            const std::vector<size_t> &candidates,
                            unsigned passes) {
  const size_t last = rows.cells() - 1;
  double now = cost(boxes);
  for (; passes > 0; --passes) {
    weighLosses(boxes.size());
    // Smaller gains may be rounding, and could go in circles.
    const double least = 1e-9 * now;
    std::vector<Exchange> exchanges;
    for (size_t cell : candidates)
      if (cell != last)
        if (Exchange exchange = bestFor(cell, boxes); exchange.gain > least)
          exchanges.push_back(exchange);
    // The best ones, as far as they still save something after those before.
    std::sort(exchanges.begin(), exchanges.end(),
              [](const Exchange &a, const Exchange &b) {
                return a.gain != b.gain ? a.gain > b.gain : a.in < b.in;
              });
    exchanges.resize(std::min(exchanges.size(), triedPerPass));
    bool isImproved = false;
    for (const Exchange &promised : exchanges) {
      const Exchange exchange = bestFor(promised.in, boxes);
      if (!(exchange.gain > std::max(least, promised.gain * shareKept)))
        continue;
      boxes[exchange.out] = exchange.in;
      now = cost(boxes);
      weighLosses(boxes.size());
      isImproved = true;
    }
    if (!isImproved)
      break;
  }
  return now;
}
