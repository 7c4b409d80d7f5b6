// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exact orders of sections of an order.
#include "OrderModel.h"

#include <cassert>

namespace gaudi::memory {
namespace {

/// Ops of the sections that are tried around a peak.
constexpr uint32_t sectionSizes[] = {12, 24, 48, 96};
/// Work for one section, in steps.
constexpr uint64_t sectionSteps = 60'000;

struct Span {
  uint32_t begin = 0, end = 0;
};

/// About `size` positions around `peak`. It is cut where little is alive: what
/// the section inherits and leaves counts in it from end to end.
Span spanAround(const OrderProfile &profile, uint32_t size) {
  const uint32_t count = uint32_t(profile.during.size()),
                 peak = profile.peakPosition;
  // Bytes before the op at a position.
  const auto liveAt = [&](uint32_t p) {
    return p == 0 ? 0 : profile.after[p - 1];
  };
  Span span;
  span.begin = peak;
  for (uint32_t p = peak; p + 1 > 0 && peak - p < size; --p) {
    if (liveAt(p) < liveAt(span.begin))
      span.begin = p;
    if (p == 0)
      break;
  }
  span.end = peak + 1;
  for (uint32_t p = peak + 1; p <= count && p - peak <= size; ++p)
    if (liveAt(p) < liveAt(span.end))
      span.end = p;
  return span;
}

} // namespace

void improveAtPeak(const OrderGraph &graph, std::vector<uint32_t> &order,
                   uint64_t floor, uint64_t &steps) {
  const OrderModel model(graph);
  for (bool isBetter = true; isBetter;) {
    isBetter = false;
    const OrderProfile profile = profileOf(graph, order);
    // The peak may move elsewhere after each improvement.
    if (profile.peak <= floor)
      return;
    Span last;
    for (uint32_t size : sectionSizes) {
      // Building a section costs a pass over the graph, found or not.
      const uint64_t work = uint64_t(graph.ops) * 4;
      if (steps < work + sectionSteps)
        return;
      const Span span = spanAround(profile, size);
      // A larger size may be cut at the same places.
      if (span.begin == last.begin && span.end == last.end)
        continue;
      last = span;
      const OrderGraph section =
          sectionOf(graph, model, order, span.begin, span.end);
      uint64_t rest = sectionSteps;
      const SearchResult found =
          searchOrder(OrderModel(section), floor, profile.peak, rest);
      steps -= work + (sectionSteps - rest);
      if (found.order.empty())
        continue;
      const std::vector<uint32_t> ops(order.begin() + span.begin,
                                      order.begin() + span.end);
      assert(found.order.size() == ops.size() + 2 && "all ops of the section");
      // Number 0 and the last are the ops outside.
      for (uint32_t i = 0; i < ops.size(); ++i)
        order[span.begin + i] = ops[found.order[i + 1] - 1];
      isBetter = true;
      break;
    }
  }
}

} // namespace gaudi::memory
