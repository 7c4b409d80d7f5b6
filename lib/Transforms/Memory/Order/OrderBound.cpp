// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lower bound of the peak of all orders.
#include "OrderModel.h"

#include <algorithm>
#include <cassert>

namespace gaudi::memory {
namespace {

/// Sets of ops, one per row.
class Sets {
public:
  Sets(uint32_t rows, uint32_t ops)
      : words((ops + 63) / 64), bits(size_t(rows) * words) {}

  void insert(uint32_t row, uint32_t op) {
    bits[size_t(row) * words + op / 64] |= uint64_t(1) << (op % 64);
  }
  bool contains(uint32_t row, uint32_t op) const {
    return bits[size_t(row) * words + op / 64] >> (op % 64) & 1;
  }
  void unite(uint32_t row, const Sets &other, uint32_t otherRow) {
    for (size_t w = 0; w < words; ++w)
      bits[size_t(row) * words + w] |= other.bits[size_t(otherRow) * words + w];
  }
  const uint64_t *row(uint32_t row) const {
    return bits.data() + size_t(row) * words;
  }

  const size_t words;

private:
  std::vector<uint64_t> bits;
};

/// A graph beyond this gets a bound from each op's own buffers: the sets of
/// ancestors would be quadratic.
constexpr uint32_t mostOps = 4096;

/// Bytes that reuses save at best while the op runs.
template <typename Predicate>
uint64_t mostReused(const OrderModel &model, uint32_t op, Predicate canDie) {
  uint64_t bytes = 0;
  std::vector<uint32_t> born;
  for (uint32_t r : model.reuses[op]) {
    const OrderReuse &reuse = model.reuseList[r];
    if (std::find(born.begin(), born.end(), reuse.born) != born.end() ||
        !canDie(reuse.dying))
      continue;
    born.push_back(reuse.born);
    bytes += model.bytes[reuse.born];
  }
  return bytes;
}

uint64_t boundOfOps(const OrderModel &model) {
  uint64_t bound = 0;
  for (uint32_t op = 0; op < model.ops; ++op) {
    uint64_t bytes = 0;
    for (uint32_t b : model.touched[op])
      bytes += model.bytes[b];
    bound = std::max(
        bound, bytes - mostReused(model, op, [](uint32_t) { return true; }));
  }
  return bound;
}

} // namespace

// A buffer is alive at an op in every order if one of its ops is that op or
// precedes it, and one is that op or follows it. O(touches * ops / 64) for the
// sets, and at most one addition for each op and buffer.
uint64_t lowerBoundOf(const OrderModel &model) {
  // Sets of all pairs of ops would take too much memory.
  if (model.ops > mostOps)
    return boundOfOps(model);
  // Program order is topological, so one pass each way closes the sets.
  Sets before(model.ops, model.ops), after(model.ops, model.ops);
  for (uint32_t op = 0; op < model.ops; ++op) {
    before.insert(op, op);
    for (uint32_t other : model.predecessors[op])
      before.unite(op, before, other);
  }
  for (uint32_t op = model.ops; op-- > 0;) {
    after.insert(op, op);
    for (uint32_t other : model.successors[op])
      after.unite(op, after, other);
  }
  std::vector<uint64_t> alive(model.ops);
  for (uint32_t b = 0; b < model.bytes.size(); ++b) {
    Sets begun(1, model.ops), unended(1, model.ops);
    for (uint32_t op : model.touching[b]) {
      begun.unite(0, after, op);
      unended.unite(0, before, op);
    }
    // A bit per op, word by word.
    for (size_t w = 0; w < begun.words; ++w)
      for (uint64_t both = begun.row(0)[w] & unended.row(0)[w]; both != 0;
           both &= both - 1)
        alive[w * 64 + unsigned(__builtin_ctzll(both))] += model.bytes[b];
  }
  uint64_t bound = 0;
  // An op may write a result over an operand that dies there in some order:
  // that many bytes count once, not twice.
  for (uint32_t op = 0; op < model.ops; ++op) {
    const uint64_t reused = mostReused(model, op, [&](uint32_t dying) {
      for (uint32_t other : model.touching[dying])
        if (other != op && after.contains(op, other))
          return false;
      return true;
    });
    assert(reused <= alive[op] && "what reuses save is alive");
    bound = std::max(bound, alive[op] - reused);
  }
  return bound;
}

uint64_t orderLowerBound(const OrderGraph &graph) {
  return lowerBoundOf(OrderModel(graph));
}

} // namespace gaudi::memory
