// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows as boxes of digits.
#include "WrittenParts.h"

#include "Gaudi/Kernel/Runs.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace gaudi::recipe {
namespace {

/// Adds `whole` without `box` to `rest`, as at most two boxes per digit.
void subtract(const WrittenParts::Box &whole, const WrittenParts::Box &box,
              std::vector<WrittenParts::Box> &rest) {
  for (size_t d = 0; d < box.size(); ++d)
    if (whole[d].second <= box[d].first || box[d].second <= whole[d].first) {
      rest.push_back(whole);
      return;
    }
  // Digit by digit: what is before and after the box in this one, with the
  // former digits inside it.
  WrittenParts::Box inside = whole;
  for (size_t d = 0; d < box.size(); ++d) {
    if (inside[d].first < box[d].first) {
      rest.push_back(inside);
      rest.back()[d].second = box[d].first;
    }
    if (box[d].second < inside[d].second) {
      rest.push_back(inside);
      rest.back()[d].first = box[d].second;
    }
    inside[d] = {std::max(inside[d].first, box[d].first),
                 std::min(inside[d].second, box[d].second)};
  }
}

/// Makes `to` the union of both, if that is a box.
bool join(WrittenParts::Box &to, const WrittenParts::Box &box) {
  std::optional<size_t> other; // the digit in which they differ
  for (size_t d = 0; d < box.size(); ++d) {
    if (to[d] == box[d])
      continue;
    if (other || to[d].second < box[d].first || box[d].second < to[d].first)
      return false;
    other = d;
  }
  if (other)
    to[*other] = {std::min(to[*other].first, box[*other].first),
                  std::max(to[*other].second, box[*other].second)};
  return true;
}

} // namespace

bool isContiguous(const kernel::Window &window) {
  uint64_t run = window.elementSize;
  for (const kernel::MovingDim &dim : kernel::movingDims(window)) {
    if (dim.stride != run)
      return false;
    run *= dim.size;
  }
  return true;
}

void WrittenParts::announce(const kernel::Window &window) {
  uint64_t run = window.elementSize;
  for (const kernel::MovingDim &dim : kernel::movingDims(window)) {
    if (dim.stride != run)
      units.push_back(dim.stride);
    run = dim.stride * dim.size;
  }
}

bool WrittenParts::prepare(const std::vector<kernel::Window> &windows) {
  std::sort(units.begin(), units.end());
  std::vector<uint64_t> chain{1};
  for (uint64_t unit : units)
    if (unit != chain.back() && unit % chain.back() == 0)
      chain.push_back(unit);
  std::reverse(chain.begin(), chain.end());
  units = std::move(chain);
  return std::all_of(windows.begin(), windows.end(),
                     [&](const kernel::Window &window) {
                       return exactBox(window).has_value();
                     });
}

uint64_t WrittenParts::baseOf(size_t digit) const {
  return digit == 0 ? UINT64_MAX : units[digit - 1] / units[digit];
}

std::vector<uint64_t> WrittenParts::digitsOf(uint64_t address) const {
  std::vector<uint64_t> digits;
  for (uint64_t unit : units) {
    digits.push_back(address / unit);
    address %= unit;
  }
  return digits;
}

/// From the last digit to the first: `run` steps of the digit are covered in a
/// row. Where they fill it, they are one or several steps of the next one.
std::optional<WrittenParts::Box>
WrittenParts::exactBox(const kernel::Window &window) const {
  const std::vector<kernel::MovingDim> dims = kernel::movingDims(window);
  const std::vector<uint64_t> start = digitsOf(window.offset - begin);
  Box box(units.size());
  uint64_t run = window.elementSize;
  auto dim = dims.begin();
  for (size_t d = units.size(); d-- > 0;) {
    // Dimensions of the window whose stride is within this digit must continue
    // the run.
    for (; dim != dims.end() && (d == 0 || dim->stride < units[d - 1]); ++dim) {
      if (dim->stride != run * units[d])
        return std::nullopt;
      run *= dim->size;
    }
    const uint64_t base = baseOf(d);
    // The run is within one value of the next digit.
    if (run <= base && start[d] <= base - run) {
      box[d] = {start[d], start[d] + run};
      run = 1;
    } else if (start[d] == 0 && run % base == 0) {
      // The run fills this digit and goes on in the next one.
      box[d] = {0, base};
      run /= base;
    } else {
      return std::nullopt;
    }
  }
  assert(dim == dims.end() && "the first digit takes what is left");
  return box;
}

/// A digit that overflows takes any value, and carries to the next.
WrittenParts::Box WrittenParts::hull(const kernel::Window &window) const {
  const std::vector<kernel::MovingDim> dims = kernel::movingDims(window);
  const std::vector<uint64_t> start = digitsOf(window.offset - begin);
  std::vector<uint64_t> span(units.size(), 0); // steps beyond the first
  span.back() = window.elementSize - 1;
  for (const kernel::MovingDim &dim : dims) {
    size_t d = 0;
    while (dim.stride % units[d] != 0)
      ++d;
    span[d] += (dim.size - 1) * (dim.stride / units[d]);
  }
  Box box(units.size());
  for (size_t d = units.size(); d-- > 0;) {
    const uint64_t base = baseOf(d), last = start[d] + span[d];
    box[d] = {start[d], last + 1};
    if (last >= base) {
      box[d] = {0, base};
      span[d - 1] += last / base;
    }
  }
  return box;
}

void WrittenParts::add(const kernel::Window &window) {
  std::optional<Box> box = exactBox(window);
  if (!box)
    return;
  // Parts that differ in one digit are next to each other in this order.
  for (;;) {
    const auto next = boxes.upper_bound(*box);
    if (next != boxes.end() && join(*box, *next))
      boxes.erase(next);
    else if (next != boxes.begin() && join(*box, *std::prev(next)))
      boxes.erase(std::prev(next));
    else
      break;
  }
  boxes.insert(std::move(*box));
}

Result<std::optional<uint64_t>>
WrittenParts::firstMissing(const kernel::Window &window,
                           WorkBudget &work) const {
  const Box whole = hull(window);
  std::vector<Box> missing{whole}, rest;
  const auto without = [&](const Box &written) -> Status {
    GAUDI_TRY(work.spend(missing.size() * units.size()));
    rest.clear();
    for (const Box &box : missing)
      subtract(box, written, rest);
    missing.swap(rest);
    return {};
  };
  // What covers it begins before it, as a rule right before.
  const auto next = boxes.upper_bound(whole);
  for (auto box = next; box != boxes.begin() && !missing.empty();) {
    GAUDI_TRY(without(*--box));
    // With one digit, boxes are apart, and those before this one end before it.
    if (units.size() == 1)
      break;
  }
  for (auto box = next; box != boxes.end() && !missing.empty() &&
                        box->front().first < whole.front().second;
       ++box)
    GAUDI_TRY(without(*box));
  if (missing.empty())
    return std::optional<uint64_t>();
  const Box &first = *std::min_element(missing.begin(), missing.end());
  uint64_t address = begin;
  for (size_t d = 0; d < units.size(); ++d)
    address += first[d].first * units[d];
  return std::optional<uint64_t>(address);
}

} // namespace gaudi::recipe
