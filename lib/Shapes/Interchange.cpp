// Greedy construction and best exchanges of boxes.
#include "Interchange.h"

#include <cassert>
#include <limits>

using namespace gaudi::shapes;

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

void Interchange::grow(std::vector<size_t> &boxes,
                       const std::vector<size_t> &candidates, size_t maxBoxes) {
  const std::vector<double> &weights = rows.weights();
  while (boxes.size() < maxBoxes) {
    cost(boxes);
    rows.mostUntil(first, most);
    double best = 0;
    size_t chosen = 0;
    for (size_t cell : candidates) {
      const double cost = rows.problem().costs[cell];
      double gain = 0;
      rows.forEachRun(cell, cost, most, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i)
          gain += weights[i] * std::max(0.0, first[i] - cost);
      });
      if (gain > best) {
        best = gain;
        chosen = cell;
      }
    }
    if (!(best > 0))
      return;
    boxes.push_back(chosen);
  }
}

/// For a candidate, every launch it takes saves the difference to its present
/// box. If that box goes, the launch loses the difference to its next box,
/// except what the candidate covers of it.
Interchange::Exchange
Interchange::bestExchange(const std::vector<size_t> &boxes,
                          const std::vector<size_t> &candidates) {
  const std::vector<double> &weights = rows.weights();
  const size_t last = rows.cells() - 1;
  std::vector<double> loss(boxes.size()), covered(boxes.size());
  for (size_t i = 0; i < rows.launches(); ++i)
    loss[boxOf[i]] += weights[i] * (second[i] - first[i]);
  rows.mostUntil(second, most);
  Exchange best;
  for (size_t cell : candidates) {
    if (cell == last)
      continue;
    const double cost = rows.problem().costs[cell];
    std::fill(covered.begin(), covered.end(), 0);
    double gain = 0;
    rows.forEachRun(cell, cost, most, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        if (second[i] <= cost)
          continue;
        gain += weights[i] * std::max(0.0, first[i] - cost);
        covered[boxOf[i]] +=
            weights[i] * (second[i] - std::max(first[i], cost));
      }
    });
    for (size_t box = 0; box < boxes.size(); ++box) {
      const double net = gain - loss[box] + covered[box];
      if (net > best.gain && boxes[box] != last)
        best = {net, cell, box};
    }
  }
  return best;
}

double Interchange::improve(std::vector<size_t> &boxes,
                            const std::vector<size_t> &candidates,
                            unsigned steps) {
  double now = cost(boxes);
  for (; steps > 0; --steps) {
    const Exchange exchange = bestExchange(boxes, candidates);
    // Smaller gains may be rounding, and could go in circles.
    if (!(exchange.gain > 1e-9 * now))
      break;
    boxes[exchange.out] = exchange.in;
    now = cost(boxes);
  }
  return now;
}
