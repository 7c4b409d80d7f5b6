// Which ops write bytes that others have used before, if buffers are packed in
// the order of the ops.
#include "OrderModel.h"

#include <algorithm>
#include <cassert>
#include <map>

namespace gaudi::memory {
namespace {

/// Of the ops that used some bytes last, as many wait for them: engines take
/// their ops in order, so that the last ones stand for those before.
constexpr size_t mostUsers = 4;

class Placement {
public:
  Placement(const OrderGraph &graph, Fit fit)
      : fit(fit), model(graph), state(model), users(graph.buffers.size()),
        offsets(graph.buffers.size()) {
    free[0] = UINT64_MAX;
  }

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
    auto it = free.begin();
    while (it->second - it->first < size)
      ++it;
    // The range behind all others has no end: the last choice.
    if (fit == Fit::Best)
      for (auto other = std::next(it); other != free.end(); ++other) {
        const uint64_t room = other->second - other->first;
        if (room >= size && room < it->second - it->first)
          it = other;
      }
    const auto [begin, end] = *it;
    free.erase(it);
    if (end - begin > size)
      free[begin + size] = end;
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
    uint64_t begin = offsets[buffer], end = begin + model.bytes[buffer];
    setOwner(begin, end, buffer);
    auto next = free.lower_bound(begin);
    if (next != free.end() && next->first == end) {
      end = next->second;
      next = free.erase(next);
    }
    if (next != free.begin() && std::prev(next)->second == begin)
      std::prev(next)->second = end;
    else
      free[begin] = end;
  }

  /// The buffer had these bytes last. Ranges of others are cut or covered.
  void setOwner(uint64_t begin, uint64_t end, uint32_t buffer) {
    auto it = owners.upper_bound(begin);
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

  const Fit fit;
  const OrderModel model;
  OrderState state;
  std::vector<std::vector<uint32_t>> users; // of each buffer, as they ran
  std::vector<uint64_t> offsets;
  std::map<uint64_t, uint64_t> free; // begin -> end
  std::map<uint64_t, Owner> owners;  // by begin: the last ones
  std::vector<std::pair<uint32_t, uint32_t>> hazards;
};

} // namespace

std::vector<std::pair<uint32_t, uint32_t>>
hazardsOf(const OrderGraph &graph, const std::vector<uint32_t> &order,
          Fit fit) {
  return Placement(graph, fit).run(order);
}

} // namespace gaudi::memory
