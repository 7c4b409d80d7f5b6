// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes alive along an order.
#include "OrderModel.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace gaudi::memory {

Rows::Rows(uint32_t rows,
           const std::vector<std::pair<uint32_t, uint32_t>> &pairs)
    : starts(rows + 1), numbers(pairs.size()) {
  for (const auto &[row, number] : pairs)
    ++starts[row + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<uint32_t> next(starts.begin(), starts.end() - 1);
  for (const auto &[row, number] : pairs)
    numbers[next[row]++] = number;
}

OrderModel::OrderModel(const OrderGraph &graph, bool isBackward)
    : ops(graph.ops), reuseList(graph.reuses) {
  std::vector<std::pair<uint32_t, uint32_t>> pairs = graph.edges;
  // An edge that is given twice counts once.
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  // Edges are swapped in place: first by what follows, then by what precedes.
  Rows after(ops, pairs);
  for (auto &[from, to] : pairs) {
    assert(from < to && to < ops && "program order is legal");
    std::swap(from, to);
  }
  Rows before(ops, pairs);
  successors = isBackward ? before : after;
  // Backward, what follows is what must come first.
  predecessors = isBackward ? std::move(after) : std::move(before);
  pairs.clear();
  for (uint32_t b = 0; b < graph.buffers.size(); ++b) {
    bytes.push_back(graph.buffers[b].bytes);
    for (uint32_t op : graph.buffers[b].ops)
      pairs.push_back({b, op});
  }
  touching = Rows(uint32_t(bytes.size()), pairs);
  for (auto &[buffer, op] : pairs)
    std::swap(buffer, op);
  touched = Rows(ops, pairs);
  pairs.clear();
  for (uint32_t r = 0; r < reuseList.size(); ++r) {
    OrderReuse &reuse = reuseList[r];
    assert(bytes[reuse.dying] == bytes[reuse.born] && "one takes the other's");
    // Backward, what is born dies.
    if (isBackward)
      std::swap(reuse.dying, reuse.born);
    pairs.push_back({reuse.op, r});
  }
  reuses = Rows(ops, pairs);
  // Without a neighbour an op is its own.
  for (uint32_t op = 0; op < ops; ++op)
    neighbour.push_back(op);
  for (const auto &[first, second] : graph.neighbours)
    neighbour[isBackward ? second : first] = isBackward ? first : second;
}

OrderState::OrderState(const OrderModel &model)
    : model(model), waiting(model.ops), left(model.bytes.size()),
      rest(model.bytes.size()), done(model.ops) {
  for (uint32_t op = 0; op < model.ops; ++op)
    waiting[op] = uint32_t(model.predecessors[op].size());
  for (uint32_t b = 0; b < left.size(); ++b) {
    left[b] = uint32_t(model.touching[b].size());
    for (uint32_t op : model.touching[b])
      rest[b] ^= op;
  }
}

void OrderState::takeReuses(uint32_t op) const {
  taken.clear();
  for (uint32_t r : model.reuses[op]) {
    const uint32_t dying = model.reuseList[r].dying,
                   born = model.reuseList[r].born;
    if (!isLast(dying) || hasBegun(born))
      continue;
    const bool isFree =
        std::none_of(taken.begin(), taken.end(), [&](const auto &reuse) {
          return reuse.first == dying || reuse.second == born;
        });
    if (isFree)
      taken.push_back({dying, born});
  }
}

OrderState::Step OrderState::look(uint32_t op) const {
  uint64_t begun = 0, ended = 0, reused = 0;
  for (uint32_t b : model.touched[op]) {
    if (!hasBegun(b))
      begun += model.bytes[b];
    if (isLast(b))
      ended += model.bytes[b];
  }
  if (model.reuses[op].size() > 0) {
    takeReuses(op);
    for (const auto &[dying, born] : taken)
      reused += model.bytes[born];
  }
  assert(reused <= begun && "what takes over a buffer is born");
  return {liveBytes + begun - reused, liveBytes + begun - ended};
}

std::vector<std::pair<uint32_t, uint32_t>>
OrderState::reusesAt(uint32_t op) const {
  takeReuses(op);
  return taken;
}

void OrderState::run(uint32_t op) {
  assert(isReady(op) && "its predecessors have run");
  done[op] = 1;
  for (uint32_t b : model.touched[op]) {
    if (!hasBegun(b))
      liveBytes += model.bytes[b];
    rest[b] ^= op;
    if (--left[b] == 0)
      liveBytes -= model.bytes[b];
  }
  for (uint32_t next : model.successors[op])
    --waiting[next];
}

void OrderState::undo(uint32_t op) {
  assert(done[op] && "it has run");
  done[op] = 0;
  for (uint32_t b : model.touched[op]) {
    if (left[b]++ == 0)
      liveBytes += model.bytes[b];
    rest[b] ^= op;
    if (!hasBegun(b))
      liveBytes -= model.bytes[b];
  }
  for (uint32_t next : model.successors[op])
    ++waiting[next];
}

OrderProfile profileOf(const OrderGraph &graph,
                       const std::vector<uint32_t> &order) {
  const OrderModel model(graph);
  OrderState state(model);
  OrderProfile profile;
  for (uint32_t op : order) {
    const OrderState::Step step = state.look(op);
    if (step.during > profile.peak) {
      profile.peak = step.during;
      profile.peakPosition = uint32_t(profile.during.size());
    }
    profile.during.push_back(step.during);
    profile.after.push_back(step.after);
    state.run(op);
  }
  return profile;
}

OrderGraph sectionOf(const OrderGraph &graph, const OrderModel &model,
                     const std::vector<uint32_t> &order, uint32_t begin,
                     uint32_t end) {
  OrderGraph section;
  section.ops = end - begin + 2;
  const uint32_t last = section.ops - 1;
  // Only what the section sees is visited: positions by op, of its ops alone.
  std::vector<uint32_t> position(graph.ops);
  for (uint32_t p = 0; p < order.size(); ++p)
    position[order[p]] = p;
  const auto numberOf = [&](uint32_t op) {
    // Number 0 is all that ran before, the last number all that runs after.
    const uint32_t p = position[op];
    return p < begin ? 0 : p >= end ? last : p - begin + 1;
  };
  std::vector<uint32_t> numbers(graph.buffers.size(), UINT32_MAX);
  for (uint32_t b = 0; b < graph.buffers.size(); ++b) {
    OrderBuffer buffer{graph.buffers[b].bytes, {}};
    for (uint32_t op : graph.buffers[b].ops)
      buffer.ops.push_back(numberOf(op));
    std::sort(buffer.ops.begin(), buffer.ops.end());
    buffer.ops.erase(std::unique(buffer.ops.begin(), buffer.ops.end()),
                     buffer.ops.end());
    // Dead on both sides: buffers that end before or begin after the section.
    if (buffer.ops.empty() || buffer.ops.front() == last ||
        buffer.ops.back() == 0)
      continue;
    numbers[b] = uint32_t(section.buffers.size());
    section.buffers.push_back(std::move(buffer));
  }
  for (uint32_t p = begin; p < end; ++p) {
    // All ops of the section run between the two.
    const uint32_t number = p - begin + 1;
    section.edges.push_back({0, number});
    section.edges.push_back({number, last});
    for (uint32_t next : model.successors[order[p]])
      if (const uint32_t to = numberOf(next); to != last)
        section.edges.push_back({number, to});
    for (uint32_t r : model.reuses[order[p]]) {
      const OrderReuse &reuse = model.reuseList[r];
      section.reuses.push_back(
          {number, numbers[reuse.dying], numbers[reuse.born]});
    }
  }
  return section;
}

} // namespace gaudi::memory
