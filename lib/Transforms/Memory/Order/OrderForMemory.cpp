// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses an order: program order where that is best, else the one nearest to
// it that reaches the lowest peak found.
#include "OrderModel.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <set>

namespace gaudi::memory {
namespace {

/// Limits between which the lowest possible one is searched by halving, at
/// most.
constexpr unsigned mostHalvings = 16;
/// Orders that are shown to `isAcceptable`, at most: each may be played on the
/// engines of a device.
constexpr size_t mostShown = 8;

class Chooser {
public:
  Chooser(const OrderGraph &graph, const OrderOptions &options)
      : graph(graph), options(options), model(graph), backward(graph, true),
        steps(options.steps) {}

  OrderResult run() {
    std::vector<uint32_t> program(graph.ops);
    std::iota(program.begin(), program.end(), 0);
    OrderResult result;
    result.order = program;
    result.peak = result.programPeak = result.lowestPeak =
        profileOf(graph, program).peak;
    result.lowerBound = lowerBoundOf(model);
    assert(result.lowerBound <= result.programPeak && "it bounds all orders");
    floor = std::max(result.lowerBound, options.enough);
    peak = result.programPeak;
    // Nothing below the floor is worth an order that is not the program's.
    if (peak <= floor)
      return result;
    best = program;
    addBases(program);
    halve();
    searchExactly();
    if (!isExact)
      improveAtPeak(graph, best, floor, steps);
    peak = profileOf(graph, best).peak;
    result.lowestPeak = peak;
    // The search knows no difference between peaks below the floor.
    if (isExact && peak > floor)
      result.lowerBound = peak;
    // Lower peaks may cost time: accept() asks.
    if (peak < result.programPeak)
      accept(result);
    return result;
  }

private:
  /// Takes an order if its peak is the lowest so far.
  bool take(std::vector<uint32_t> order) {
    if (order.empty())
      return false;
    const uint64_t its = profileOf(graph, order).peak;
    if (its >= peak)
      return false;
    peak = its;
    best = std::move(order);
    return true;
  }

  std::vector<uint32_t> walkBackward(const std::vector<uint32_t> &base,
                                     uint64_t limit, Frees frees) {
    const std::vector<uint32_t> reversed(base.rbegin(), base.rend());
    std::vector<uint32_t> order =
        walkOrder(backward, reversed, limit, frees, steps);
    std::reverse(order.begin(), order.end());
    return order;
  }

  /// Program order; that with each buffer begun as late as possible; and that
  /// with each one ended as early as possible.
  void addBases(const std::vector<uint32_t> &program) {
    bases.push_back(program);
    std::vector<uint32_t> late =
        walkBackward(program, UINT64_MAX, Frees::AtOnce);
    take(late);
    std::vector<uint32_t> early = walkOrder(
        model, late.empty() ? program : late, UINT64_MAX, Frees::AtOnce, steps);
    take(early);
    take(walkOrder(model, program, UINT64_MAX, Frees::AtOnce, steps));
    for (std::vector<uint32_t> *base : {&late, &early})
      if (!base->empty())
        bases.push_back(std::move(*base));
  }

  /// Shows orders within the limit, those that follow program order first,
  /// until `accepts` is true of one. False if it is of none.
  template <typename Accepts>
  bool findWithin(uint64_t limit, const Accepts &accepts) {
    for (const std::vector<uint32_t> &base : bases)
      for (Frees frees : {Frees::WhenNeeded, Frees::AtOnce})
        for (bool isBackward : {false, true}) {
          std::vector<uint32_t> order =
              isBackward ? walkBackward(base, limit, frees)
                         : walkOrder(model, base, limit, frees, steps);
          if (!order.empty() && accepts(std::move(order)))
            return true;
        }
    return false;
  }

  /// Halves the range of peaks that are not known to be reached or missed.
  void halve() {
    uint64_t low = floor;
    for (unsigned i = 0; i < mostHalvings && low < peak && steps > 0; ++i) {
      const uint64_t limit = i == 0 ? low : low + (peak - low) / 2;
      const auto isLower = [&](std::vector<uint32_t> order) {
        return take(std::move(order));
      };
      if (!findWithin(limit, isLower))
        low = limit + 1;
    }
  }

  void searchExactly() {
    if (peak <= floor)
      return;
    uint64_t work = std::min(steps / 2, mostSearchSteps);
    const uint64_t before = work;
    SearchResult found = searchOrder(model, floor, peak, work);
    steps -= before - work;
    isExact = found.isComplete;
    take(std::move(found.order));
  }

  /// The lowest peak that `isAcceptable` lets pass; of orders with that one
  /// nearest to program order.
  void accept(OrderResult &result) {
    steps = options.steps; // of walks again
    std::set<std::vector<uint32_t>> shown;
    const auto tryOrder = [&](std::vector<uint32_t> order) {
      const uint64_t its = profileOf(graph, order).peak;
      if (its >= result.peak || shown.size() == mostShown ||
          !shown.insert(order).second)
        return false;
      if (options.isAcceptable && !options.isAcceptable(order))
        return false;
      result.peak = profileOf(graph, order).peak;
      assert(result.peak <= its && "a faster order has no higher peak");
      result.order = std::move(order);
      return true;
    };
    // First near program order, then the best as it is.
    if (findWithin(std::max(peak, floor), tryOrder) || tryOrder(best))
      return;
    // Halving between the lowest peak and the program's: the lowest that is
    // accepted.
    uint64_t low = peak, high = result.programPeak;
    for (unsigned i = 0; i < mostHalvings && low + 1 < high; ++i) {
      const uint64_t limit = low + (high - low) / 2;
      if (findWithin(limit, tryOrder))
        high = std::min(limit, result.peak);
      else
        low = limit;
    }
  }

  /// Of the search over all ops.
  static constexpr uint64_t mostSearchSteps = 2'000'000;

  const OrderGraph &graph;
  const OrderOptions &options;
  const OrderModel model, backward;
  uint64_t steps;
  std::vector<std::vector<uint32_t>> bases;
  std::vector<uint32_t> best;
  uint64_t peak = 0, floor = 0;
  bool isExact = false;
};

} // namespace

OrderResult orderForMemory(const OrderGraph &graph,
                           const OrderOptions &options) {
  if (graph.ops == 0)
    return {};
  OrderResult result = Chooser(graph, options).run();
  assert(result.peak <= result.programPeak && result.order.size() == graph.ops);
  return result;
}

} // namespace gaudi::memory
