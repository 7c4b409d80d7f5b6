// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks that follow a given order as long as a limit of memory allows it.
#include "OrderModel.h"

#include <algorithm>
#include <cassert>
#include <queue>

namespace gaudi::memory {
namespace {

/// Ready ops that are looked at where the walk must leave the given order, and
/// the longest chain of ops that is looked at from one of them.
constexpr size_t mostReady = 48, longestChain = 12;

class Walk {
public:
  Walk(const OrderModel &model, const std::vector<uint32_t> &base,
       uint64_t limit, Frees frees, uint64_t &steps)
      : model(model), state(model), base(base), limit(limit), frees(frees),
        steps(steps), rank(model.ops) {
    for (uint32_t r = 0; r < base.size(); ++r)
      rank[base[r]] = r;
    for (uint32_t op = 0; op < model.ops; ++op)
      if (state.isReady(op))
        add(op);
  }

  std::vector<uint32_t> run() {
    while (order.size() < model.ops) {
      if (steps == 0 || !advance())
        return {};
    }
    return std::move(order);
  }

private:
  using Heap = std::priority_queue<uint32_t, std::vector<uint32_t>,
                                   std::greater<uint32_t>>;

  /// Runs at least one op; false if none fits.
  bool advance() {
    if (!order.empty())
      if (const uint32_t next = model.neighbour[order.back()];
          state.isReady(next) && fits(next)) {
        runOp(next);
        return true;
      }
    if (frees == Frees::AtOnce && runReducer())
      return true;
    while (!ready.empty() && state.hasRun(base[ready.top()]))
      ready.pop();
    assert(!ready.empty() && "the edges have no cycle");
    const uint32_t next = base[ready.top()];
    // What makes room for its neighbour should not come between the two.
    if (!fitsWithNeighbour(next) && runReducer())
      return true;
    if (!fits(next))
      return leaveBase();
    ready.pop();
    runOp(next);
    return true;
  }

  bool fits(uint32_t op) { return look(op).during <= limit; }

  bool fitsWithNeighbour(uint32_t op) {
    if (!fits(op))
      return false;
    const uint32_t next = model.neighbour[op];
    if (next == op)
      return true;
    state.run(op);
    const bool isIt = !state.isReady(next) || fits(next);
    state.undo(op);
    return isIt;
  }

  OrderState::Step look(uint32_t op) {
    steps -= std::min<uint64_t>(steps, 1);
    return state.look(op);
  }

  void add(uint32_t op) {
    ready.push(rank[op]);
    noteReducer(op);
  }

  /// After a reducer less is alive than before. Once it is one, it stays so.
  void noteReducer(uint32_t op) {
    if (state.isReady(op) && look(op).after < state.live())
      reducers.push(rank[op]);
  }

  void runOp(uint32_t op) {
    state.run(op);
    order.push_back(op);
    for (uint32_t next : model.successors[op])
      if (state.isReady(next))
        add(next);
    for (uint32_t b : model.touched[op])
      if (state.isLast(b))
        noteReducer(state.lastOf(b));
  }

  /// Runs the reducer that comes first in the given order, of those that fit.
  bool runReducer() {
    std::vector<uint32_t> tooLarge;
    bool hasRun = false;
    while (!hasRun && !reducers.empty() && tooLarge.size() < mostReady) {
      const uint32_t op = base[reducers.top()];
      reducers.pop();
      if (state.hasRun(op))
        continue;
      if (fits(op)) {
        runOp(op);
        hasRun = true;
      } else {
        tooLarge.push_back(rank[op]);
      }
    }
    for (uint32_t r : tooLarge)
      reducers.push(r);
    return hasRun;
  }

  /// A chain of ops after which less is alive, or the op that adds least.
  bool leaveBase() {
    std::vector<uint32_t> tried;
    while (!ready.empty() && tried.size() < mostReady) {
      // Ready ops by their position in the base order; an op may be there
      // twice, and ops that have run leave the queue here.
      const uint32_t r = ready.top();
      ready.pop();
      if (!state.hasRun(base[r]) && (tried.empty() || tried.back() != r))
        tried.push_back(r);
    }
    // All return to the queue: running one does not remove it.
    for (uint32_t r : tried)
      ready.push(r);
    // If no chain frees anything, the one that adds least and fits.
    uint32_t least = UINT32_MAX;
    uint64_t leastLive = UINT64_MAX;
    for (uint32_t r : tried) {
      const std::vector<uint32_t> chain = chainFrom(base[r]);
      if (!chain.empty()) {
        for (uint32_t op : chain)
          runOp(op);
        return true;
      }
      const OrderState::Step step = look(base[r]);
      if (step.during <= limit && step.after < leastLive) {
        least = base[r];
        leastLive = step.after;
      }
    }
    if (least == UINT32_MAX)
      return false;
    runOp(least);
    return true;
  }

  /// `op` and ops that it makes ready, after all of which less is alive than
  /// now; empty if there is no such chain within the limit.
  std::vector<uint32_t> chainFrom(uint32_t op) {
    const uint64_t before = state.live();
    std::vector<uint32_t> chain;
    bool isShorter = false;
    while (op != UINT32_MAX && chain.size() < longestChain) {
      if (!fits(op))
        break;
      state.run(op);
      chain.push_back(op);
      isShorter = state.live() < before;
      if (isShorter)
        break;
      // Of the ops that became ready, the one that leaves least alive.
      uint32_t best = UINT32_MAX;
      uint64_t bestLive = UINT64_MAX;
      for (uint32_t next : model.successors[op]) {
        if (!state.isReady(next))
          continue;
        const OrderState::Step step = look(next);
        if (step.during <= limit && step.after < bestLive) {
          best = next;
          bestLive = step.after;
        }
      }
      op = best;
    }
    // Only tried: the state is as before.
    for (size_t i = chain.size(); i-- > 0;)
      state.undo(chain[i]);
    if (!isShorter)
      chain.clear();
    return chain;
  }

  const OrderModel &model;
  OrderState state;
  const std::vector<uint32_t> &base;
  const uint64_t limit;
  const Frees frees;
  uint64_t &steps;
  std::vector<uint32_t> rank; // of each op in the given order
  Heap ready, reducers;       // ranks; also of ops that have run since
  std::vector<uint32_t> order;
};

} // namespace

std::vector<uint32_t> walkOrder(const OrderModel &model,
                                const std::vector<uint32_t> &base,
                                uint64_t limit, Frees frees, uint64_t &steps) {
  return Walk(model, base, limit, frees, steps).run();
}

} // namespace gaudi::memory
