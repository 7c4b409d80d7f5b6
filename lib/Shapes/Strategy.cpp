// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads strategies.
#include "Gaudi/Shapes/Strategy.h"

#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Spelling.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

using namespace gaudi;
using namespace gaudi::shapes;

namespace {
constexpr std::array<const char *, 5> kindNames = {
    "explicit", "linear", "exponential", "percent-padding", "optimal"};

constexpr std::string_view forms =
    "explicit:128,512, linear:8, exponential:8, percent-padding:25, optimal:8, "
    "or NAME=STRATEGY per symbol";

std::string_view trimmed(std::string_view text) {
  const size_t from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos)
    return {};
  return text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

std::vector<std::string_view> split(std::string_view text,
                                    std::string_view separators) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t end = text.find_first_of(separators);
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos)
      return parts;
    text.remove_prefix(end + 1);
  }
}

/// A whole number from `least`.
Result<int64_t> parseSize(std::string_view text, std::string_view what,
                          int64_t least) {
  int64_t value = 0;
  const char *begin = text.data(), *end = begin + text.size();
  auto [rest, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || rest != end || value < least)
    return fail("{} must be a whole number from {} but is {}", what, least,
                inQuotes(text));
  return value;
}

Result<std::vector<int64_t>> parseSizes(std::string_view text) {
  std::vector<int64_t> sizes;
  for (std::string_view field : split(text, ",;"))
    sizes.push_back(GAUDI_TRY(parseSize(field, "a size of a bucket", 0)));
  return sizes;
}

Result<size_t> parseBudget(std::string_view text) {
  const int64_t count = GAUDI_TRY(parseSize(text, "the number of buckets", 1));
  if (uint64_t(count) > maxBudget)
    return fail("{} buckets are more than the {} that are planned", count,
                maxBudget);
  return size_t(count);
}

Result<double> parsePercent(std::string_view text) {
  double value = 0;
  const char *begin = text.data(), *end = begin + text.size();
  auto [rest, error] = std::from_chars(begin, end, value);
  // The comparison is false for NaN.
  if (error != std::errc() || rest != end || !(value >= 0 && value <= 99))
    return fail("percent-padding must be a number from 0 to 99 but is {}",
                inQuotes(text));
  return value;
}

/// One strategy without symbols.
Result<Strategy> parseOne(std::string_view text) {
  Strategy strategy;
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    // Sizes without a name are an explicit list.
    if (strategyNamed(text))
      return fail("{} needs its numbers: write {}:8", inQuotes(text), text);
    if (text.empty() || text.front() < '0' || text.front() > '9')
      return fail("{} is no strategy; write {}", inQuotes(text), forms);
    strategy.kind = Strategy::Kind::Explicit;
    strategy.sizes = GAUDI_TRY(parseSizes(text));
    return strategy;
  }
  const std::string_view name = trimmed(text.substr(0, colon));
  const std::optional<Strategy::Kind> kind = strategyNamed(name);
  if (!kind) {
    const std::string meant =
        nearestName(name, {kindNames.begin(), kindNames.end()});
    return fail("{} is no strategy; {}write {}", inQuotes(name),
                meant.empty() ? "" : "did you mean " + inQuotes(meant) + "? ",
                forms);
  }
  strategy.kind = *kind;
  std::string_view rest = trimmed(text.substr(colon + 1));
  if (*kind == Strategy::Kind::Explicit) {
    strategy.sizes = GAUDI_TRY(parseSizes(rest));
    return strategy;
  }
  const size_t slash = rest.find('/');
  // What is after the slash is the step.
  if (slash != std::string_view::npos) {
    if (*kind == Strategy::Kind::Optimal)
      return fail("optimal has no step but {} gives one; leave it out",
                  inQuotes(text));
    strategy.step =
        GAUDI_TRY(parseSize(trimmed(rest.substr(slash + 1)), "the step", 1));
    rest = trimmed(rest.substr(0, slash));
  }
  if (*kind == Strategy::Kind::PercentPadding)
    strategy.percent = GAUDI_TRY(parsePercent(rest));
  else
    strategy.maxBuckets = GAUDI_TRY(parseBudget(rest));
  return strategy;
}

/// "batch,sequence=1x4096,8x128", whose names are read.
Result<BucketChoice> parseBoxes(std::vector<std::string_view> names,
                                std::string_view text) {
  BucketChoice choice;
  choice.names.assign(names.begin(), names.end());
  for (std::string_view field : split(text, ",;")) {
    Sizes box;
    for (std::string_view size : split(field, "x"))
      box.push_back(GAUDI_TRY(parseSize(size, "a size of a bucket", 0)));
    if (box.size() != names.size())
      return fail("bucket {} has {} sizes but there are {} symbols; write them "
                  "as in batch,sequence=1x4096,8x128",
                  inQuotes(field), box.size(), names.size());
    choice.boxes.push_back(std::move(box));
  }
  return choice;
}
} // namespace

const char *gaudi::shapes::nameOf(Strategy::Kind kind) {
  return kindNames[size_t(kind)];
}

std::optional<Strategy::Kind>
gaudi::shapes::strategyNamed(std::string_view name) {
  auto it = std::find(kindNames.begin(), kindNames.end(), name);
  if (it == kindNames.end())
    return std::nullopt;
  return Strategy::Kind(it - kindNames.begin());
}

Result<BucketChoice> gaudi::shapes::parseStrategy(std::string_view text) {
  text = trimmed(text);
  const size_t equals = text.find('=');
  BucketChoice choice;
  // Without a name, one strategy for all symbols.
  if (equals == std::string_view::npos) {
    choice.parts.push_back({"", GAUDI_TRY(parseOne(text))});
    return choice;
  }
  // "explicit:n=..": the names belong to the list.
  constexpr std::string_view prefix = "explicit:";
  if (text.substr(0, prefix.size()) == prefix && equals > prefix.size())
    return parseStrategy(text.substr(prefix.size()));
  std::vector<std::string_view> names = split(text.substr(0, equals), ",;");
  if (names.size() > 1)
    return parseBoxes(std::move(names), text.substr(equals + 1));
  // A comma before "NAME=" ends the part of a symbol, others are of its sizes.
  while (!text.empty()) {
    const size_t first = text.find('=');
    const std::string_view symbol = trimmed(text.substr(0, first));
    text.remove_prefix(first + 1);
    const size_t next = text.find('=');
    const size_t end =
        next == std::string_view::npos ? next : text.find_last_of(",;", next);
    if (symbol.empty() || (next != end && end == std::string_view::npos))
      return fail("expected NAME=STRATEGY but got {}; write {}",
                  inQuotes(fmt::format("{}={}", symbol, text)), forms);
    if (strategyNamed(symbol))
      return fail(
          "{0} is a strategy, and its numbers follow ':': write {0}:{1}",
          symbol, text);
    for (const BucketChoice::Part &part : choice.parts)
      if (part.symbol == symbol)
        return fail("symbol {} has two strategies; give one", inQuotes(symbol));
    choice.parts.push_back({std::string(symbol),
                            GAUDI_TRY(parseOne(trimmed(text.substr(0, end))))});
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return choice;
}
