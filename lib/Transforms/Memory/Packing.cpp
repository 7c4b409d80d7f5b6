// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packing of buffers: normal form, heuristics, exact search in parts.
#include "Gaudi/Transforms/Memory/Packing.h"
#include "PackingHeuristics.h"
#include "PackingImprove.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <tuple>

using namespace gaudi;
using namespace gaudi::memory;

namespace {
/// Sums of sizes stay below it, so that nothing can overflow.
constexpr uint64_t maxBytes = uint64_t(1) << 62;
/// Pairs of items in conflict up to which greedy packings are tried.
constexpr uint64_t maxPairs = 4'000'000;

/// The buffers as a problem, and how to read its packings.
struct NormalForm {
  Problem problem;
  std::vector<size_t> buffers; // of each item
  uint64_t unit = 1;           // bytes
};

/// Names buffers in errors.
class Names {
public:
  Names(const std::vector<Buffer> &buffers, const PackingOptions &options)
      : buffers(buffers), options(options) {}

  std::string operator[](size_t i) const {
    return fmt::format("{} ({} bytes, alive from {} to {})",
                       options.name ? options.name(i)
                                    : fmt::format("buffer {}", i),
                       buffers[i].size, buffers[i].begin, buffers[i].end);
  }

private:
  const std::vector<Buffer> &buffers;
  const PackingOptions &options;
};

Status check(const std::vector<Buffer> &buffers,
             const std::vector<Conflict> &conflicts, const Names &names) {
  uint64_t sum = 0;
  for (size_t i = 0; i < buffers.size(); ++i) {
    const Buffer &buffer = buffers[i];
    if (buffer.end < buffer.begin)
      return fail("{} ends before it begins", names[i]);
    if (buffer.alignment == 0)
      return fail("{} has an alignment of 0; it must be positive", names[i]);
    // What its size, alignment and offset can add to the peak.
    for (uint64_t bytes :
         {buffer.size, buffer.alignment, buffer.offset.value_or(0)}) {
      if (bytes > maxBytes - sum)
        return fail("{} takes the sum of sizes, alignments and offsets past "
                    "2^62 bytes, the most that can be packed",
                    names[i]);
      sum += bytes;
    }
  }
  for (auto [a, b] : conflicts)
    if (a >= buffers.size() || b >= buffers.size() || a == b)
      return fail("the conflict of buffers {} and {} is not one of two of the "
                  "{} buffers",
                  a, b, buffers.size());
  return {};
}

/// The sections of an instance: times at which a buffer was born since the last
/// section and one dies next. All other sets of live buffers are subsets.
void addSections(NormalForm &form, const std::vector<Buffer> &buffers) {
  struct Event {
    int64_t time;
    bool isBirth;
    size_t item;
  };
  std::vector<Event> events;
  for (size_t i = 0; i < form.buffers.size(); ++i) {
    const Buffer &buffer = buffers[form.buffers[i]];
    if (buffer.begin == buffer.end)
      continue;
    events.push_back({buffer.begin, true, i});
    events.push_back({buffer.end, false, i});
  }
  // At one time, deaths precede births.
  std::sort(events.begin(), events.end(), [](const Event &a, const Event &b) {
    return std::tie(a.time, a.isBirth, a.item) <
           std::tie(b.time, b.isBirth, b.item);
  });
  Problem &problem = form.problem;
  Units alive = 0;
  bool isOpen = false; // a birth since the last section
  int64_t lastBirth = 0;
  for (const Event &event : events) {
    Item &item = problem.items[event.item];
    if (event.isBirth) {
      item.first = problem.sections();
      alive += item.size;
      isOpen = true;
      lastBirth = event.time;
      continue;
    }
    if (isOpen) {
      problem.load.push_back(alive);
      problem.times.push_back(lastBirth);
      isOpen = false;
    }
    item.end = problem.sections();
    alive -= item.size;
  }
  // Buffers that are never alive have a section each.
  for (size_t i = 0; i < form.buffers.size(); ++i)
    if (const Buffer &b = buffers[form.buffers[i]]; b.begin == b.end) {
      problem.items[i].first = problem.sections();
      problem.load.push_back(problem.items[i].size);
      problem.times.push_back(b.begin);
      problem.items[i].end = problem.sections();
    }
}

NormalForm normalForm(const std::vector<Buffer> &buffers,
                      const std::vector<Conflict> &conflicts) {
  NormalForm form;
  // Offsets are multiples of `grain`, so sizes may as well be.
  uint64_t grain = 0;
  for (const Buffer &buffer : buffers)
    grain = std::gcd(grain, buffer.offset.value_or(buffer.alignment));
  grain = std::max<uint64_t>(grain, 1);
  auto rounded = [&](uint64_t size) {
    return (size + grain - 1) / grain * grain;
  };
  // Buffers without a fixed offset rest on others, so all offsets are sums of
  // sizes: their common divisor is the unit, if it agrees with alignments and
  // fixed offsets.
  uint64_t sizes = 0, rest = 0;
  for (const Buffer &buffer : buffers) {
    sizes = std::gcd(sizes, rounded(buffer.size));
    rest = std::gcd(rest, buffer.offset.value_or(buffer.alignment));
  }
  // Alignments that divide all sizes and fixed offsets hold by themselves.
  for (const Buffer &buffer : buffers)
    sizes = std::gcd(sizes, buffer.offset.value_or(0));
  bool isAligned = sizes > 0;
  for (const Buffer &buffer : buffers)
    isAligned &= buffer.offset || sizes % buffer.alignment == 0;
  // Else alignments are kept by the search, in smaller units.
  form.unit = isAligned ? sizes : std::gcd(sizes, rest);
  form.unit = std::max<uint64_t>(form.unit, 1);
  std::vector<int> itemOf(buffers.size(), -1);
  for (size_t i = 0; i < buffers.size(); ++i) {
    const Buffer &buffer = buffers[i];
    if (buffer.size == 0)
      continue;
    itemOf[i] = int(form.buffers.size());
    Item item;
    item.size = Units(rounded(buffer.size) / form.unit);
    if (buffer.offset)
      item.fixed = Units(*buffer.offset / form.unit);
    else if (!isAligned)
      item.alignment = Units(buffer.alignment / form.unit);
    form.problem.items.push_back(item);
    form.buffers.push_back(i);
  }
  addSections(form, buffers);
  // Each conflict once, the smaller number first.
  std::vector<Conflict> sorted = conflicts;
  for (auto &[a, b] : sorted)
    if (b < a)
      std::swap(a, b);
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (auto [a, b] : sorted) {
    // Empty buffers are no items.
    if (itemOf[a] < 0 || itemOf[b] < 0)
      continue;
    const Item &x = form.problem.items[itemOf[a]],
               &y = form.problem.items[itemOf[b]];
    // Items that are alive at once conflict anyway.
    if (x.first >= y.end || y.first >= x.end)
      form.problem.conflicts.push_back({itemOf[a], itemOf[b]});
  }
  return form;
}

/// Two fixed items that conflict and overlap, if there are such.
std::optional<std::pair<int, int>> findFixedOverlap(const Problem &problem) {
  auto overlap = [&](int a, int b) {
    const Item &x = problem.items[a], &y = problem.items[b];
    return x.isFixed() && y.isFixed() && x.fixed < y.fixed + y.size &&
           y.fixed < x.fixed + x.size;
  };
  for (auto [a, b] : problem.conflicts)
    if (overlap(a, b))
      return std::make_pair(a, b);
  // A sweep over time with the fixed ranges that are alive, by offset.
  std::vector<int> order;
  for (size_t i = 0; i < problem.items.size(); ++i)
    if (problem.items[i].isFixed())
      order.push_back(int(i));
  std::vector<int> byEnd = order;
  sortBy(order, [&](int i) { return problem.items[i].first; });
  sortBy(byEnd, [&](int i) { return problem.items[i].end; });
  std::map<Units, int> alive;
  size_t dead = 0;
  for (int i : order) {
    for (; problem.items[byEnd[dead]].end <= problem.items[i].first; ++dead)
      alive.erase(problem.items[byEnd[dead]].fixed);
    // Alive ranges are disjoint, so only the neighbours by offset can overlap.
    auto above = alive.lower_bound(problem.items[i].fixed);
    if (above != alive.end() && overlap(i, above->second))
      return std::make_pair(above->second, i);
    if (above != alive.begin() && overlap(i, std::prev(above)->second))
      return std::make_pair(std::prev(above)->second, i);
    alive[problem.items[i].fixed] = i;
  }
  return std::nullopt;
}

/// The best of the fast packings; later ones are tried only while the peak
/// exceeds `enough`.
Placement packFast(Problem &problem, Units enough) {
  std::vector<int> order(problem.items.size());
  std::iota(order.begin(), order.end(), 0);
  sortBy(order, [&](int i) { return problem.items[i].first; });
  Placement best = sweep(problem, order, Fit::First, false);
  auto offer = [&](Placement &&placement) {
    if (placement.peak < best.peak)
      best = std::move(placement);
  };
  if (best.peak > enough)
    offer(sweep(problem, order, Fit::Best, false));
  if (best.peak > enough) {
    // Once more from the end of time backwards.
    sortBy(order, [&](int i) { return -problem.items[i].end; });
    offer(sweep(problem, order, Fit::First, true));
  }
  if (best.peak > enough)
    offer(sweep(problem, order, Fit::Best, true));
  // The orders need lists of overlapping buffers, which may be quadratic.
  if (best.peak > enough &&
      problem.pairs() + problem.conflicts.size() <= maxPairs) {
    problem.addLists();
    for (unsigned i = 0; i < packingOrders && best.peak > enough; ++i)
      offer(packInOrder(problem, packingOrder(problem, i)));
  }
  return best;
}
} // namespace

Result<Packing> gaudi::memory::pack(const std::vector<Buffer> &buffers,
                                    const std::vector<Conflict> &conflicts,
                                    const PackingOptions &options) {
  const Names names(buffers, options);
  GAUDI_TRY(check(buffers, conflicts, names));
  NormalForm form = normalForm(buffers, conflicts);
  if (auto pair = findFixedOverlap(form.problem)) {
    const size_t a = form.buffers[pair->first], b = form.buffers[pair->second];
    return fail("{} at offset {} and {} at offset {} share bytes; fix at most "
                "one of them there",
                names[a], *buffers[a].offset, names[b], *buffers[b].offset);
  }
  Packing packing;
  // Empty buffers keep 0, or where they are fixed.
  packing.offsets.assign(buffers.size(), 0);
  for (size_t i = 0; i < buffers.size(); ++i)
    packing.offsets[i] = buffers[i].offset.value_or(0);
  for (size_t s = 0; s < form.problem.load.size(); ++s)
    if (const uint64_t alive = uint64_t(form.problem.load[s]) * form.unit;
        alive > packing.mostAlive) {
      packing.mostAlive = alive;
      packing.mostAliveTime = form.problem.times[s];
    }
  std::vector<Part> parts = independentParts(form.problem);
  // No packing is lower than the highest bound of a part.
  Units bound = 0;
  for (const Part &part : parts)
    bound = std::max(bound, part.problem.lowerBound());
  const Units capacity = Units(options.capacity / form.unit);
  Units peak = 0;
  // All parts share the steps; what one leaves the next may take.
  Budget budget{options.steps, options.threads, options.mustStop};
  for (Part &part : parts) {
    // No part needs to be lower than the bound of the highest.
    const Units enough = std::max({bound, capacity, peak});
    // The exact search runs only where the heuristics miss what is enough.
    Placement placement = packFast(part.problem, enough);
    if (placement.peak > enough && options.steps > 0)
      bound = std::max(bound,
                       improve(part.problem, enough, bound, budget, placement));
    peak = std::max(peak, placement.peak);
    for (size_t i = 0; i < part.items.size(); ++i)
      packing.offsets[form.buffers[part.items[i]]] =
          uint64_t(placement.offsets[i]) * form.unit;
  }
  packing.peak = uint64_t(peak) * form.unit;
  packing.lowerBound = uint64_t(bound) * form.unit;
  packing.steps = options.steps - budget.steps;
  return packing;
}
