// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops write bytes that others have used before, if buffers are packed in
// the order of the ops.
#include "../FreeRanges.h"
#include "Gaudi/Support/IntervalMap.h"
#include "OrderModel.h"

#include <algorithm>

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
    owners.visit(begin, begin + size,
                 [&](uint64_t, uint64_t, const uint32_t *owner) {
                   if (owner)
                     addHazards(*owner, op);
                   return true;
                 });
  }

  void addHazards(uint32_t buffer, uint32_t op) {
    const std::vector<uint32_t> &ops = users[buffer];
    for (size_t i = ops.size() - std::min(ops.size(), mostUsers);
         i < ops.size(); ++i)
      hazards.push_back({ops[i], op});
  }

  void give(uint32_t buffer) {
    const uint64_t begin = offsets[buffer], end = begin + model.bytes[buffer];
    owners.assign(begin, end, buffer);
    free.give(int64_t(begin), int64_t(end - begin));
  }

  const OrderModel model;
  OrderState state;
  std::vector<std::vector<uint32_t>> users; // of each buffer, as they ran
  std::vector<uint64_t> offsets;
  FreeRanges free;
  IntervalMap<uint32_t> owners; // the buffers that had the bytes last
  std::vector<std::pair<uint32_t, uint32_t>> hazards;
};

} // namespace

std::vector<std::pair<uint32_t, uint32_t>>
hazardsOf(const OrderGraph &graph, const std::vector<uint32_t> &order,
          Fit fit) {
  return Placement(graph, fit).run(order);
}

} // namespace gaudi::memory
