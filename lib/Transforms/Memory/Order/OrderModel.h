// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph prepared for walks over orders, and the state of such a walk.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_ORDER_ORDERMODEL_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_ORDER_ORDERMODEL_H

#include "Gaudi/Transforms/Memory/Order.h"

#include <cstddef>

namespace gaudi::memory {

/// Lists of numbers, one per row, in one array.
class Rows {
public:
  Rows() = default;
  /// Pairs (row, number); rows keep the order of the pairs.
  Rows(uint32_t rows, const std::vector<std::pair<uint32_t, uint32_t>> &pairs);

  struct Range {
    const uint32_t *first, *last;
    const uint32_t *begin() const { return first; }
    const uint32_t *end() const { return last; }
    size_t size() const { return size_t(last - first); }
  };
  Range operator[](uint32_t row) const {
    return {numbers.data() + starts[row], numbers.data() + starts[row + 1]};
  }

private:
  std::vector<uint32_t> starts = {0}, numbers;
};

/// Between two ops of an order, the bytes alive are a function of the set of
/// ops that have run: those of buffers that some, but not all of their ops have
/// touched. So they are the same if the order is read backward.
struct OrderModel {
  explicit OrderModel(const OrderGraph &graph, bool isBackward = false);

  uint32_t ops = 0;
  Rows successors, predecessors; // of ops
  Rows touched;                  // buffers of each op
  Rows touching;                 // ops of each buffer
  Rows reuses;                   // of each op: numbers in reuseList
  std::vector<OrderReuse> reuseList;
  std::vector<uint64_t> bytes;
  std::vector<uint32_t> neighbour; // of each op: that should follow; or itself
};

/// The ops that have run, and what is alive.
class OrderState {
public:
  explicit OrderState(const OrderModel &model);

  /// Bytes while the op would run now, and after it.
  struct Step {
    uint64_t during = 0, after = 0;
  };
  Step look(uint32_t op) const;
  /// The reuses that it would have, each as (dying, born).
  std::vector<std::pair<uint32_t, uint32_t>> reusesAt(uint32_t op) const;
  /// Runs a ready op.
  void run(uint32_t op);
  /// Takes back the op that ran last.
  void undo(uint32_t op);

  bool hasRun(uint32_t op) const { return done[op]; }
  bool isReady(uint32_t op) const { return !done[op] && waiting[op] == 0; }
  uint64_t live() const { return liveBytes; }
  bool hasBegun(uint32_t buffer) const {
    return left[buffer] != model.touching[buffer].size();
  }
  /// Whether one op is left that touches the buffer; and which.
  bool isLast(uint32_t buffer) const { return left[buffer] == 1; }
  uint32_t lastOf(uint32_t buffer) const { return rest[buffer]; }

private:
  /// Fills `taken`.
  void takeReuses(uint32_t op) const;

  const OrderModel &model;
  std::vector<uint32_t> waiting; // predecessors that have not run
  std::vector<uint32_t> left;    // ops that have still to touch a buffer
  std::vector<uint32_t> rest;    // their numbers, combined by exclusive or
  std::vector<char> done;
  uint64_t liveBytes = 0;
  /// Of the last op that was looked at.
  mutable std::vector<std::pair<uint32_t, uint32_t>> taken;
};

/// The best order that a search for one below `upperBound` found.
struct SearchResult {
  std::vector<uint32_t> order; // empty: none
  uint64_t peak = 0;
  bool isComplete = false; // it is the best, or there is none
};

/// Looks for the order with the lowest peak among all orders. It need not be
/// below `floor`: peaks up to that one are as good as any. `steps` is the work
/// that it may do and is reduced by what it did.
SearchResult searchOrder(const OrderModel &model, uint64_t floor,
                         uint64_t upperBound, uint64_t &steps);

/// How a walk treats ops after which less is alive.
enum class Frees {
  WhenNeeded, // they run early only where the next op would exceed the limit
  AtOnce      // they run as soon as they can
};

/// Follows `base` as long as no more than `limit` bytes are alive; runs other
/// ops first where that is exceeded. An empty order if it does not get through.
std::vector<uint32_t> walkOrder(const OrderModel &model,
                                const std::vector<uint32_t> &base,
                                uint64_t limit, Frees frees, uint64_t &steps);

/// Exact orders of short sections around the peak lower it, section by section.
void improveAtPeak(const OrderGraph &graph, std::vector<uint32_t> &order,
                   uint64_t floor, uint64_t &steps);

/// The ops of `order` at positions [begin, end) as a graph: op 0 is all
/// before them, the last op all after them.
OrderGraph sectionOf(const OrderGraph &graph, const OrderModel &model,
                     const std::vector<uint32_t> &order, uint32_t begin,
                     uint32_t end);

uint64_t lowerBoundOf(const OrderModel &model);

} // namespace gaudi::memory

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_ORDER_ORDERMODEL_H
