// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of ops with a low peak of memory. A library of its own: it knows ops
// by number, what must precede what, and buffers, not IR.
#ifndef GAUDI_TRANSFORMS_MEMORY_ORDER_H
#define GAUDI_TRANSFORMS_MEMORY_ORDER_H

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace gaudi::memory {

/// A buffer that is alive from the first to the last op that touches it,
/// whichever these are in an order.
struct OrderBuffer {
  uint64_t bytes = 0;
  std::vector<uint32_t> ops; // that write or read it, each once, ascending
};

/// `op` writes `born`, which has no earlier writer, over `dying` if it is the
/// last op that touches that. Both have the same bytes. Of several options that
/// share a buffer the first given one is taken.
struct OrderReuse {
  uint32_t op = 0;
  uint32_t dying = 0, born = 0; // buffers
};

/// Ops are numbered in program order.
struct OrderGraph {
  uint32_t ops = 0;
  std::vector<std::pair<uint32_t, uint32_t>> edges; // first before second
  std::vector<OrderBuffer> buffers;
  std::vector<OrderReuse> reuses;
  /// The second op should follow the first one at once, as in program order;
  /// at most one for each op in both places. A wish, not a rule.
  std::vector<std::pair<uint32_t, uint32_t>> neighbours;
};

struct OrderOptions {
  /// Whether an order is fast enough. It may become another one with no higher
  /// peak. Orders of lower peaks are asked about first, program order never.
  /// Null: every order is.
  std::function<bool(std::vector<uint32_t> &)> isAcceptable;
  /// A peak of so many bytes is as good as a lower one: of orders with it, the
  /// one nearest to program order.
  uint64_t enough = 0;
  /// Work of searches and walks in steps, each the look at one op. The default
  /// is a fraction of a second; beyond it the best order so far is the answer.
  uint64_t steps = 4'000'000;
};

struct OrderResult {
  std::vector<uint32_t> order; // ops
  uint64_t peak = 0;           // bytes, of this order
  uint64_t programPeak = 0;    // of program order: never below `peak`
  /// The lowest peak that was found, also in orders that are not acceptable.
  uint64_t lowestPeak = 0;
  uint64_t lowerBound = 0; // no order has a lower peak
  bool isProven() const { return lowestPeak == lowerBound; }
};

/// The order with the lowest peak that is found. Exact where the search ends
/// within its steps; near-linear in ops, edges and touches otherwise. The
/// answer depends on nothing but the arguments.
OrderResult orderForMemory(const OrderGraph &graph,
                           const OrderOptions &options = {});

/// Bytes alive while each op of the order runs, and of them those that stay
/// after it.
struct OrderProfile {
  std::vector<uint64_t> during, after; // by position
  uint64_t peak = 0;
  uint32_t peakPosition = 0; // the first
};
OrderProfile profileOf(const OrderGraph &graph,
                       const std::vector<uint32_t> &order);

/// The free range that a buffer gets: the lowest that holds it, or the
/// smallest.
enum class Fit : uint8_t { First, Best };

/// Pairs of ops: the second writes bytes that the first, before it, has
/// touched, if buffers are packed like this in the order of the ops. Engines
/// that could work at the same time wait there.
std::vector<std::pair<uint32_t, uint32_t>>
hazardsOf(const OrderGraph &graph, const std::vector<uint32_t> &order, Fit fit);

/// No order has a lower peak: the most bytes that must be alive while one op
/// runs, given what precedes it and what follows.
uint64_t orderLowerBound(const OrderGraph &graph);

} // namespace gaudi::memory

#endif // GAUDI_TRANSFORMS_MEMORY_ORDER_H
