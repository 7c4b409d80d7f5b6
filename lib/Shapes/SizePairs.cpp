// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums, multiples, products and quotients of sizes that changed.
#include "SizePairs.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

using namespace gaudi::shapes;

namespace {
// Differences and products of 64-bit numbers: sizes, attributes, dynamicSize.
using Wide = __int128;

Wide change(SizePair pair) { return Wide(pair.is) - pair.was; }
Wide distance(int64_t a, int64_t b) {
  return Wide(a) > b ? Wide(a) - b : Wide(b) - a;
}

/// A window of a size: (size + padding) / stride + a little.
bool isQuotient(SizePair pair, SizePair of) {
  if (pair.was < 4 || pair.is < 4 || of.was <= 0 || of.is <= 0 ||
      (change(pair) > 0) != (change(of) > 0))
    return false;
  const Wide error = Wide(pair.was) * of.is - Wide(pair.is) * of.was;
  return (error < 0 ? -error : error) <= 2 * Wide(of.was);
}
} // namespace

std::optional<size_t> SizePairs::productOf(SizePair pair) const {
  for (size_t a = 0; a < pairs.size(); ++a)
    for (size_t b = a; b < pairs.size(); ++b)
      if (Wide(pairs[a].was) * pairs[b].was == pair.was &&
          Wide(pairs[a].is) * pairs[b].is == pair.is)
        return a;
  return std::nullopt;
}

bool SizePairs::isSum(SizePair pair) const {
  for (size_t a = 0; a < pairs.size(); ++a)
    for (size_t b = a + 1; b < pairs.size(); ++b)
      if (change(pair) == change(pairs[a]) + change(pairs[b]))
        return true;
  return false;
}

std::optional<size_t> SizePairs::tie(SizePair pair) const {
  constexpr int64_t near = 8;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].was == pair.was && pairs[i].is == pair.is)
      return i;
    const bool isLarge = change(pair) > 1 || change(pair) < -1;
    if (isLarge && change(pair) == change(pairs[i]) &&
        distance(pair.was, pairs[i].was) <= near)
      return i;
  }
  return pair.was > 0 && pair.is > 0 ? productOf(pair) : std::nullopt;
}

bool SizePairs::explain(SizePair pair) const {
  if (pair.was == pair.is)
    return true;
  for (const SizePair &source : pairs) {
    if (change(source) == 0)
      continue;
    // k * size + c; changes of 1 and 2 divide too much to say anything.
    const Wide factor = change(pair) / change(source);
    const bool isTelling = change(source) > 2 || change(source) < -2;
    if (change(pair) == factor * change(source) &&
        (factor == 1 || (factor > 1 && isTelling)))
      return true;
    if (Wide(pair.was) * source.is == Wide(pair.is) * source.was &&
        pair.was != 0)
      return true;
    if (isQuotient(pair, source))
      return true;
  }
  return isMultipleOfProduct(pair) || isSum(pair);
}

void SizePairs::addDerived(SizePair pair) {
  constexpr size_t most = 32;
  const auto isSame = [&](SizePair other) {
    return other.was == pair.was && other.is == pair.is;
  };
  if (pair.was > 0 && pair.is > 0 && pair.was != pair.is &&
      derived.size() < most &&
      std::none_of(derived.begin(), derived.end(), isSame))
    derived.push_back(pair);
}

bool SizePairs::isMultipleOfProduct(SizePair pair) const {
  if (pair.was == 0 || pair.is == 0)
    return false;
  std::vector<SizePair> factors = pairs;
  factors.insert(factors.end(), derived.begin(), derived.end());
  const double ratio = double(pair.is) / double(pair.was);
  for (size_t a = 0; a < factors.size(); ++a)
    for (size_t b = a; b < factors.size(); ++b)
      if (std::abs(ratio - double(factors[a].is) * double(factors[b].is) /
                               (double(factors[a].was) *
                                double(factors[b].was))) < 1e-12)
        return true;
  return false;
}

bool SizePairs::explain(double was, double is, double tolerance) const {
  if (was == is || (std::isnan(was) && std::isnan(is)))
    return true;
  if (!std::isfinite(was) || !std::isfinite(is) || was == 0 || is == 0)
    return false;
  const auto isWhole = [&](double value) {
    return std::abs(value) < 0x1p52 &&
           std::abs(value - std::round(value)) <= std::abs(value) * tolerance;
  };
  const auto explainWhole = [&](double a, double b) {
    return isWhole(a) && isWhole(b) && std::abs(a) >= 1 && std::abs(b) >= 1 &&
           std::llround(a) != std::llround(b) &&
           explain({std::llround(a), std::llround(b)});
  };
  // Numbers in a graph that follow from sizes: counts and their reciprocals.
  // n, n - 1, 1 / n, 1 / (n - 1)
  if (explainWhole(was, is) || explainWhole(1 / was, 1 / is))
    return true;
  const double ratio = is / was;
  const auto isPower = [&](double factor) {
    // What grows with a size is a whole number or a root.
    for (double power : {-1.0, 0.5, -0.5, -2.0})
      if (const double expected = std::pow(factor, power);
          std::abs(ratio - expected) <= 2 * tolerance * expected)
        return true;
    return false;
  };
  // Else a power of one ratio of sizes, or of a product of two.
  for (size_t a = 0; a < pairs.size(); ++a) {
    if (pairs[a].was <= 0 || pairs[a].is <= 0)
      continue;
    const double first = double(pairs[a].is) / double(pairs[a].was);
    if (isPower(first))
      return true;
    for (size_t b = a + 1; b < pairs.size(); ++b)
      if (pairs[b].was > 0 && pairs[b].is > 0 &&
          isPower(first * double(pairs[b].is) / double(pairs[b].was)))
        return true;
  }
  return false;
}
