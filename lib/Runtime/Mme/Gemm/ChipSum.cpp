// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of products as the chips compute them.
#include "ChipSum.h"

#include "Gaudi/Support/FloatFormats.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gaudi::runtime {
namespace {

constexpr double leastNormal = 0x1p-126;
/// Terms of a step, the accumulator of gaudi3 among them.
constexpr int maxTerms = 17;

float flushed(float value) {
  return std::fabs(value) < float(leastNormal) ? std::copysign(0.0f, value)
                                               : value;
}

/// x + y rounded once to f32, to nearest even: their sum in double gets an odd
/// last bit where it is not exact, so that no second rounding meets a tie.
float addOnce(double x, double y) {
  double sum = x + y;
  const double other = sum - x;
  const double error = (x - (sum - other)) + (y - other);
  uint64_t bits;
  std::memcpy(&bits, &sum, sizeof(bits));
  if (error != 0 && std::isfinite(sum) && (bits & 1) == 0) {
    bits += (error > 0) == (sum > 0) ? 1 : uint64_t(-1);
    std::memcpy(&sum, &bits, sizeof(bits));
  }
  return float(sum);
}

/// Toward zero, but infinite from 2^128 on. A zero is positive.
float cutToFloat(double value) {
  if (std::fabs(value) >= 0x1p128)
    return std::copysign(std::numeric_limits<float>::infinity(), float(value));
  float result = float(value);
  if (std::fabs(double(result)) > std::fabs(value))
    result = std::nextafterf(result, 0);
  return result == 0 ? 0 : result;
}

int exponentOf(double value, int least) {
  return value == 0 ? least : std::max(std::ilogb(value), least);
}

/// The accumulator after one step.
float step(const ChipSum &chip, const float *a, const float *b, int count,
           float accumulator) {
  std::array<double, maxTerms> terms;
  int most = std::numeric_limits<int>::min();
  double plain = accumulator;
  for (int i = 0; i < count; ++i) {
    const float x = chip.flushes ? flushed(a[i]) : a[i];
    const float y = chip.flushes ? flushed(b[i]) : b[i];
    terms[size_t(i)] = double(x) * double(y); // exact
    plain += terms[size_t(i)];
    if (terms[size_t(i)] != 0)
      most = std::max(most, chip.least ? exponentOf(x, *chip.least) +
                                             exponentOf(y, *chip.least)
                                       : std::ilogb(terms[size_t(i)]));
  }
  if (!std::isfinite(plain)) // infinities and NaNs are as in any sum
    return float(plain);
  if (chip.cuts) {
    // The engine's adder ends at an exponent of -5 in the biased scale of f32.
    most = std::max({most, exponentOf(accumulator, -126), -127 - 5});
    terms[size_t(count++)] = accumulator;
  }
  double sum = 0; // of whole numbers below 2^53
  for (int i = 0; i < count; ++i)
    if (terms[size_t(i)] != 0)
      sum += std::trunc(std::ldexp(terms[size_t(i)], chip.fraction - most));
  const double total = sum == 0 ? 0 : std::ldexp(sum, most - chip.fraction);
  if (chip.cuts)
    return cutToFloat(total);
  const float result = addOnce(total, accumulator);
  return chip.flushes ? flushed(result) : result;
}

float addInTurn(const ChipSum &chip, const float *a, const float *b,
                int64_t count) {
  constexpr int64_t depth = 4;
  std::array<float, depth> sums = {};
  const auto kept = [&](float value) {
    return chip.flushes ? flushed(value) : value;
  };
  for (int64_t i = 0; i < count; ++i) {
    float &sum = sums[size_t(i % depth)];
    sum = kept(std::fmaf(kept(a[i]), kept(b[i]), sum));
  }
  const auto at = [&](int64_t offset) {
    return sums[size_t((count + offset) % depth)];
  };
  return kept(kept(at(0) + at(1)) + kept(at(2) + at(3)));
}

} // namespace

std::optional<ChipSum> chipSumOf(std::string_view target,
                                 recipe::ElementType type) {
  using recipe::ElementType;
  const bool isF8 =
      type == ElementType::F8E4M3FN || type == ElementType::F8E5M2;
  constexpr int f16Least = -14; // f8 becomes f16 on the way
  if (target == "gaudi" &&
      (type == ElementType::BF16 || type == ElementType::F32))
    return ChipSum{1, 0, std::nullopt, false, true};
  if (target == "gaudi2") {
    if (type == ElementType::BF16 || type == ElementType::F16)
      return ChipSum{8, 20 + 26, std::nullopt, false, true};
    if (isF8)
      return ChipSum{16, 20 + 4, f16Least, false, true};
  }
  if (target == "gaudi3") {
    if (type == ElementType::BF16)
      return ChipSum{8, 20 + 4, -126, true, false};
    if (isF8)
      return ChipSum{8, 20 + 4, f16Least, true, false};
  }
  return std::nullopt;
}

float addProducts(const ChipSum &chip, const float *a, const float *b,
                  int64_t count) {
  if (chip.group == 1)
    return addInTurn(chip, a, b, count);
  float accumulator = 0;
  for (int64_t i = 0; i < count; i += chip.group)
    accumulator =
        step(chip, a + i, b + i, int(std::min<int64_t>(chip.group, count - i)),
             accumulator);
  return accumulator;
}

} // namespace gaudi::runtime
