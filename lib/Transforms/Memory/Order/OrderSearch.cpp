// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exact search for the order with the lowest peak.
//
// Sets of ops that have run are nodes of a graph, ops are its edges, and the
// bytes alive while an op runs are their lengths: the answer is the path whose
// longest edge is shortest. Nodes are visited by the peak of the way to them,
// each once. Two facts keep them few:
// - An op that can run without exceeding the peak so far, and after which no
//   more is alive than before, runs at once. Take any way on from here and move
//   the op to its front: each buffer that it ends stays ended, and one that it
//   begins would have begun anyway, so that at each point of the way no more is
//   alive than was.
// - Peaks below a lower bound of all orders are as good as the bound.
#include "OrderModel.h"

#include <algorithm>
#include <queue>
#include <string>
#include <unordered_set>

namespace gaudi::memory {
namespace {

constexpr uint32_t none = UINT32_MAX;

/// A way to a set: that of `parent`, then `op`.
struct Node {
  uint32_t parent = none;
  uint32_t op = none;
};

struct Entry {
  uint64_t peak = 0; // of the way
  uint64_t live = 0; // after it
  uint32_t depth = 0;
  uint32_t node = 0;
  /// Lower peaks first; of equal ones longer ways, which are nearer to an
  /// answer; then those with less alive, then earlier ones.
  bool operator<(const Entry &other) const {
    if (peak != other.peak)
      return peak > other.peak;
    if (depth != other.depth)
      return depth < other.depth;
    if (live != other.live)
      return live > other.live;
    return node > other.node;
  }
};

class Search {
public:
  Search(const OrderModel &model, uint64_t floor, uint64_t upperBound,
         uint64_t &steps)
      : model(model), state(model), upperBound(upperBound), steps(steps),
        key((model.ops + 7) / 8, '\0') {
    queue.push({floor, 0, 0, 0});
    nodes.push_back({});
  }

  SearchResult run() {
    SearchResult result;
    while (!queue.empty()) {
      Entry entry = queue.top();
      queue.pop();
      if (!spend(model.ops))
        return result;
      moveTo(entry.node);
      runAtOnce(entry);
      if (path.size() == model.ops) {
        result.order = path;
        result.peak = entry.peak;
        result.isComplete = true;
        return result;
      }
      if (isNew())
        addNext(entry);
    }
    result.isComplete = true;
    return result;
  }

private:
  bool spend(uint64_t work) {
    if (steps < work)
      return false;
    steps -= work;
    return true;
  }

  /// Leaves the way of the last node at the point where that of this one
  /// branches off.
  void moveTo(uint32_t node) {
    std::vector<uint32_t> way;
    for (uint32_t at = node; nodes[at].op != none; at = nodes[at].parent)
      way.push_back(nodes[at].op);
    std::reverse(way.begin(), way.end());
    size_t common = 0;
    while (common < way.size() && common < path.size() &&
           way[common] == path[common])
      ++common;
    while (path.size() > common) {
      state.undo(path.back());
      path.pop_back();
    }
    for (size_t i = common; i < way.size(); ++i) {
      state.run(way[i]);
      path.push_back(way[i]);
    }
  }

  /// Runs all ops that can only help.
  void runAtOnce(Entry &entry) {
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t op = 0; op < model.ops; ++op) {
        if (!state.isReady(op))
          continue;
        const OrderState::Step step = state.look(op);
        if (step.after > state.live() || step.during > entry.peak)
          continue;
        state.run(op);
        path.push_back(op);
        nodes.push_back({entry.node, op});
        entry.node = uint32_t(nodes.size() - 1);
        changed = true;
      }
    }
  }

  /// False if a way to this set was visited: it had no higher peak.
  bool isNew() {
    std::fill(key.begin(), key.end(), 0);
    for (uint32_t op : path)
      key[op / 8] = char(key[op / 8] | 1 << (op % 8));
    return visited.insert(key).second;
  }

  void addNext(const Entry &entry) {
    for (uint32_t op = 0; op < model.ops; ++op) {
      if (!state.isReady(op))
        continue;
      const OrderState::Step step = state.look(op);
      const uint64_t peak = std::max(entry.peak, step.during);
      if (peak >= upperBound)
        continue;
      nodes.push_back({entry.node, op});
      queue.push({peak, step.after, uint32_t(path.size() + 1),
                  uint32_t(nodes.size() - 1)});
    }
  }

  const OrderModel &model;
  OrderState state;
  const uint64_t upperBound;
  uint64_t &steps;
  std::vector<uint32_t> path; // ops that the state has run
  std::vector<Node> nodes;
  std::priority_queue<Entry> queue;
  std::string key; // a bit per op
  std::unordered_set<std::string> visited;
};

} // namespace

SearchResult searchOrder(const OrderModel &model, uint64_t floor,
                         uint64_t upperBound, uint64_t &steps) {
  if (floor >= upperBound)
    return {{}, 0, true};
  return Search(model, floor, upperBound, steps).run();
}

} // namespace gaudi::memory
