// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds, evaluates, inverts and prints sizes.
#include "Gaudi/Recipe/Sizes.h"

#include "Gaudi/Recipe/Verifier.h"
#include "Gaudi/Support/CheckedMath.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <fmt/format.h>
#include <iterator>

namespace gaudi::recipe {
namespace {

int64_t floorDiv(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

int64_t ceilDiv(int64_t a, int64_t b) { return -floorDiv(-a, b); }

/// Of operands that a verified step may have: no overflow, b > 0 for divisions.
int64_t apply(SizeOp op, int64_t a, int64_t b) {
  switch (op) {
  case SizeOp::Add:
    return a + b;
  case SizeOp::Sub:
    return a - b;
  case SizeOp::Mul:
    return a * b;
  case SizeOp::FloorDiv:
    return floorDiv(a, b);
  case SizeOp::CeilDiv:
    return ceilDiv(a, b);
  case SizeOp::Mod:
    return a - floorDiv(a, b) * b;
  case SizeOp::Min:
    return std::min(a, b);
  case SizeOp::Max:
    return std::max(a, b);
  default:
    assert(false && "pushes a value");
    return 0;
  }
}

constexpr int64_t largest = int64_t(maxDeviceBytes);

bool fits(int64_t value) { return value >= -largest && value <= largest; }

/// All steps but Mod are monotone in each operand while the sign of the other
/// does not change, and Mul is linear in each, so the extremes are at corners.
/// The operands are within 48 bits: only Mul may leave 64.
std::optional<SizeRange> apply(SizeOp op, SizeRange a, SizeRange b) {
  if (op == SizeOp::Mod) {
    if (a.low >= 0 && a.high < b.low)
      return a;
    return SizeRange{0, b.high - 1};
  }
  std::optional<SizeRange> range;
  for (int64_t left : {a.low, a.high})
    for (int64_t right : {b.low, b.high}) {
      if (op == SizeOp::Mul && !checkedMul(left, right))
        return std::nullopt;
      const int64_t value = apply(op, left, right);
      if (!fits(value))
        return std::nullopt;
      if (!range)
        range = {value, value};
      range->low = std::min(range->low, value);
      range->high = std::max(range->high, value);
    }
  return range;
}

bool isDivision(SizeOp op) {
  return op == SizeOp::FloorDiv || op == SizeOp::CeilDiv || op == SizeOp::Mod;
}

/// Whether the size has only sums and products, of symbols that are known but
/// for one that occurs once: then it is linear in that one, which is returned.
std::optional<uint32_t> onlyUnknown(const Size &size,
                                    const std::vector<char> &known) {
  std::optional<uint32_t> unknown;
  for (const SizeStep *step : items(size.steps())) {
    if (step->op() > SizeOp::Mul)
      return std::nullopt;
    if (step->op() != SizeOp::Symbol || known[size_t(step->value())])
      continue;
    if (unknown)
      return std::nullopt;
    unknown = uint32_t(step->value());
  }
  return unknown;
}

} // namespace

const char *sizeOpText(SizeOp op) {
  static constexpr const char *words[] = {
      "", "", "+", "-", "*", "floordiv", "ceildiv", "mod", "min", "max"};
  static_assert(std::size(words) == size_t(SizeOp::MAX) + 1);
  assert(op >= SizeOp::Add && op <= SizeOp::MAX && "a step with operands");
  return words[size_t(op)];
}

Result<SizeRange> rangeOf(const Size *size,
                          const std::vector<SizeRange> &symbols) {
  const auto steps =
      size ? items(size->steps()) : Items<const SizeStep *>(nullptr);
  if (steps.empty() || steps.size() > maxSizeSteps)
    return fail("has {} steps, expected 1 to {}", steps.size(), maxSizeSteps);
  // Postfix, on ranges in place of values.
  std::vector<SizeRange> stack;
  for (uint32_t s = 0; s < steps.size(); ++s) {
    const SizeStep &step = *steps[s];
    if (step.op() == SizeOp::Const) {
      if (!fits(step.value()))
        return fail("has the number {} at step {}, which leaves 48 bits",
                    step.value(), s);
      stack.push_back({step.value(), step.value()});
      continue;
    }
    if (step.op() == SizeOp::Symbol) {
      if (step.value() < 0 || uint64_t(step.value()) >= symbols.size())
        return fail("names symbol {} at step {} but there are {}", step.value(),
                    s, symbols.size());
      stack.push_back(symbols[size_t(step.value())]);
      continue;
    }
    // Only constants and symbols have a value.
    if (step.op() > SizeOp::MAX || step.value() != 0)
      return fail("has the unknown step {} of {} at step {}",
                  unsigned(step.op()), step.value(), s);
    if (stack.size() < 2)
      return fail("lacks an operand of step {}", s);
    const SizeRange b = stack.back();
    stack.pop_back();
    // A divisor of 0 is possible if its range has it.
    if (isDivision(step.op()) && b.low < 1)
      return fail("may divide by {} at step {}, expected at least 1", b.low, s);
    const std::optional<SizeRange> range = apply(step.op(), stack.back(), b);
    if (!range)
      return fail("may leave 48 bits at step {}", s);
    stack.back() = *range;
  }
  if (stack.size() != 1)
    return fail("leaves {} values, expected 1", stack.size());
  return stack.front();
}

int64_t evaluate(const Size &size, const int64_t *symbols) {
  const auto steps = items(size.steps());
  assert(steps.size() <= maxSizeSteps && "the size was verified");
  std::array<int64_t, maxSizeSteps> stack;
  uint32_t depth = 0;
  for (const SizeStep *step : steps) {
    if (step->op() == SizeOp::Const) {
      stack[depth++] = step->value();
    } else if (step->op() == SizeOp::Symbol) {
      stack[depth++] = symbols[step->value()];
    } else {
      assert(depth >= 2 && "the size was verified");
      --depth;
      stack[depth - 1] = apply(step->op(), stack[depth - 1], stack[depth]);
    }
  }
  return stack[0];
}

template <typename Steps>
static std::string textOf(const Steps &steps,
                          const std::vector<std::string> &names) {
  std::vector<std::string> stack;
  for (const SizeStep *step : steps) {
    if (step->op() == SizeOp::Const) {
      stack.push_back(fmt::format("{}", step->value()));
    } else if (step->op() == SizeOp::Symbol) {
      stack.push_back(names.empty() ? fmt::format("s{}", step->value())
                                    : names[size_t(step->value())]);
    } else {
      const std::string right = std::move(stack.back());
      stack.pop_back();
      stack.back() = fmt::format("({} {} {})", stack.back(),
                                 sizeOpText(step->op()), right);
    }
  }
  assert(stack.size() == 1 && "the size was verified");
  return stack.front();
}

std::string sizeText(const Size &size, const std::vector<std::string> &names) {
  return textOf(items(size.steps()), names);
}

std::string sizeText(const SizeT &size) {
  std::vector<const SizeStep *> steps;
  for (const SizeStep &step : size.steps)
    steps.push_back(&step);
  return textOf(steps, {});
}

std::vector<SymbolSource> symbolSources(const Dispatch &dispatch) {
  std::vector<SymbolSource> sources;
  std::vector<char> known(items(dispatch.symbols()).size());
  // A pass that finds none ends the search: at most one pass per symbol.
  for (bool found = true; found;) {
    found = false;
    const auto inputs = items(dispatch.inputs());
    for (uint32_t i = 0; i < inputs.size(); ++i)
      for (uint32_t d = 0; d < items(inputs[i]->sizes()).size(); ++d)
        if (const auto symbol =
                onlyUnknown(*items(inputs[i]->sizes())[d], known)) {
          sources.push_back({*symbol, i, d});
          known[*symbol] = found = true;
        }
  }
  return sources;
}

std::optional<int64_t> solve(const Size &size, uint32_t unknown,
                             SizeRange range, int64_t expected,
                             int64_t *symbols) {
  assert(range.low <= range.high && "a range is not empty");
  if (!fits(expected))
    return std::nullopt;
  // Both ends are verified; in between the size is a line.
  symbols[unknown] = range.low;
  const int64_t atLow = evaluate(size, symbols);
  if (expected == atLow)
    return range.low;
  symbols[unknown] = range.high;
  const int64_t atHigh = evaluate(size, symbols);
  if (atHigh == atLow)
    return std::nullopt;
  const int64_t slope = (atHigh - atLow) / (range.high - range.low);
  assert(slope != 0 && "a line with whole steps");
  const int64_t steps = (expected - atLow) / slope;
  if (steps * slope != expected - atLow)
    return std::nullopt;
  return range.low + steps;
}

} // namespace gaudi::recipe
