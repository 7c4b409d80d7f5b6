// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops write bytes that others have used before, if buffers are packed in
// the order of the ops.
#include "../FreeRanges.h"
#include "OrderModel.h"

#include <algorithm>
#include <map>

namespace gaudi::memory {
namespace {

/// Most hazard edges from the last users of some bytes: engines take their ops
/// in order, so that the last ones stand for those before.
constexpr size_t mostUsers = 4;

class Placement {
public:
  Placement(const OrderGraph &graph, Fit fit)
      : model(graph), state(model), users(graph.buffers.size()),
        offsets(graph.buffers.size()), free(fit) {}

  std::vector<std::pair<uint32_t, uint32_t>>
  run(const std::vector<uint32_t> &order) {
    for (uint32_t op : order)
      place(op);
    return std::move(hazards);
  }

private:
  void place(uint32_t op) {
    // What a result takes over is alive until the op: no range changes hands.
    std::vector<uint32_t> passed, placed;
    for (const auto &[dying, born] : state.reusesAt(op)) {
      offsets[born] = offsets[dying];
      passed.push_back(dying);
      placed.push_back(born);
    }
    for (uint32_t b : model.touched[op])
      if (!state.hasBegun(b) && model.bytes[b] != 0 &&
          std::find(placed.begin(), placed.end(), b) == placed.end())
        take(b, op);
    for (uint32_t b : model.touched[op])
      users[b].push_back(op);
    for (uint32_t b : model.touched[op])
      if (state.isLast(b) && model.bytes[b] != 0 &&
          std::find(passed.begin(), passed.end(), b) == passed.end())
        give(b);
    state.run(op);
  }

  void take(uint32_t buffer, uint32_t op) {
    const uint64_t size = model.bytes[buffer];
    const uint64_t begin = uint64_t(free.find(int64_t(size)));
    free.take(int64_t(begin), int64_t(size));
    offsets[buffer] = begin;
    // Those that had its bytes before.
    auto past = owners.upper_bound(begin);
    if (past != owners.begin())
      --past;
    for (; past != owners.end() && past->first < begin + size; ++past)
      if (past->second.end > begin)
        addHazards(past->second.buffer, op);
  }

  void addHazards(uint32_t buffer, uint32_t op) {
    const std::vector<uint32_t> &ops = users[buffer];
    for (size_t i = ops.size() - std::min(ops.size(), mostUsers);
         i < ops.size(); ++i)
      hazards.push_back({ops[i], op});
  }

  void give(uint32_t buffer) {
    const uint64_t begin = offsets[buffer], end = begin + model.bytes[buffer];
    setOwner(begin, end, buffer);
    free.give(int64_t(begin), int64_t(end - begin));
  }

  /// The buffer had these bytes last. Ranges of others are cut or covered.
  void setOwner(uint64_t begin, uint64_t end, uint32_t buffer) {
    auto it = owners.upper_bound(begin);
    // A range that begins before is cut, perhaps in two.
    if (it != owners.begin()) {
      auto before = std::prev(it);
      const Owner old = before->second;
      if (old.end > begin) {
        before->second.end = begin;
        if (before->first == begin)
          owners.erase(before);
        if (old.end > end)
          owners[end] = old;
      }
    }
    // Ranges that begin inside are covered; of the last one a rest may stay.
    it = owners.lower_bound(begin);
    while (it != owners.end() && it->first < end) {
      const Owner old = it->second;
      it = owners.erase(it);
      if (old.end > end)
        it = owners.insert({end, old}).first;
    }
    owners[begin] = {end, buffer};
  }

  struct Owner {
    uint64_t end = 0;
    uint32_t buffer = 0;
  };

  const OrderModel model;
  OrderState state;
  std::vector<std::vector<uint32_t>> users; // of each buffer, as they ran
  std::vector<uint64_t> offsets;
  FreeRanges free;
  std::map<uint64_t, Owner> owners; // by begin: the last ones
  std::vector<std::pair<uint32_t, uint32_t>> hazards;
};

} // namespace

std::vector<std::pair<uint32_t, uint32_t>>
hazardsOf(const OrderGraph &graph, const std::vector<uint32_t> &order,
          Fit fit) {
  return Placement(graph, fit).run(order);
}

} // namespace gaudi::memory
