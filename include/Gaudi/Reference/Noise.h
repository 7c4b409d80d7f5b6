// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounding errors that a device may make where the reference makes none: draws
// of them for evaluations, and what the draws tell about each element of a
// result. docs/numerics.md argues the numbers.
#ifndef GAUDI_REFERENCE_NOISE_H
#define GAUDI_REFERENCE_NOISE_H

#include "Gaudi/Reference/Tensor.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstdint>

namespace gaudi {

/// One draw: each value that an op computes, and that float32 does not hold,
/// gets an error. The error is a function of the draw and of the bits of the
/// value, so that equal values get equal errors, as on a device, whatever the
/// thread or the order.
class Noise {
public:
  /// Errors are drawn from [-units, units] times 2^-24 of the value.
  static constexpr double units = 32;
  /// What a device may do to one operation, in units of 2^-24: two units in
  /// the last place.
  static constexpr double unitsOfOne = 4;
  /// So many times larger are the errors of a draw, since a decision that hangs
  /// on a device's errors (a comparison, a tie, a conversion to an integer)
  /// must be seen to change in a few draws.
  static constexpr double amplification = units / unitsOfOne;

  /// The mirrored draw of a seed gives equal values errors of the other sign:
  /// of the two, one crosses a threshold that is near on either side.
  Noise(uint64_t seed, bool isMirrored)
      : seed(seed * 0x9e3779b97f4a7c15u), sign(isMirrored ? -1 : 1) {}

  /// `value` with an error relative to itself; exact values have none.
  double disturbed(double value) const {
    // The other computation may flush what is not normal.
    if (roundsFreely)
      value = flushed(value);
    return isExact(value) ? value : disturbed(value, std::fabs(value));
  }
  /// `value` with an error relative to `scale`, which is not negative: of a
  /// sum, what its partial sums reach.
  double disturbed(double value, double scale) const {
    const double error = draw(value) * amplitude * 0x1p-24 * scale;
    return std::isfinite(error) ? value + error : value;
  }
  /// A sum whose terms have the magnitudes `magnitudes` in all, added in a tree
  /// (docs/numerics.md). Sums of small integers, of zeros or of one term are
  /// exact, and so is the sum of their magnitudes.
  double disturbedSum(double sum, double magnitudes) const {
    const bool isExactSum =
        isExact(sum) && isExact(magnitudes) && (!roundsFreely || !magnitudes);
    return isExactSum ? sum : disturbed(sum, magnitudes);
  }

  /// The magnitudes of the terms of a sum, so far, and of one more. What
  /// float32 does not hold on the way is not exact at the end either.
  static double withTerm(double magnitudes, double term) {
    const double sum = magnitudes + std::fabs(term);
    return isExact(sum) ? sum : sum * (1 + 0x1p-40);
  }

  /// The same draw for an op that is fused into one that has the same result
  /// by another computation: a sum has an error even where this one is exact,
  /// and a rounding to a narrow type, which the other leaves out, is random.
  Noise withFreeRounding() const {
    Noise noise = *this;
    noise.roundsFreely = true;
    return noise;
  }
  bool hasFreeRounding() const { return roundsFreely; }
  /// The same draw with errors no larger than a device's: amplified errors make
  /// a number of what is 0 but for roundings, and none of its roots a NaN.
  Noise ofADevice() const {
    Noise noise = *this;
    noise.amplitude = unitsOfOne;
    return noise;
  }
  bool isOfADevice() const { return amplitude == unitsOfOne; }
  /// `value`, moved by as many units in the last place of its type as random
  /// roundings and the root of the amplification make.
  double movedBy(double value, double unit) const {
    return value + draw(value) * std::sqrt(amplitude / unitsOfOne) / 2 * unit;
  }

  /// What instructions that flush numbers below float32's normal ones make of
  /// `value`; every second draw is of a device that has them.
  double flushed(double value) const {
    return flushes() && std::fabs(value) < leastNormal ? 0 : value;
  }
  bool flushes() const { return sign < 0; }
  static constexpr double leastNormal = 0x1p-126;

  /// True if float32 holds the value.
  static bool isExact(double value) {
    return static_cast<double>(static_cast<float>(value)) == value ||
           std::isnan(value);
  }

private:
  /// Uniform in [-1, 1).
  double draw(double value) const {
    uint64_t x = llvm::bit_cast<uint64_t>(value) + seed;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    x ^= x >> 31;
    return sign * (static_cast<double>(x >> 11) * 0x1p-52 - 1);
  }

  uint64_t seed;
  double sign;
  double amplitude = units;
  bool roundsFreely = false;
};

/// What the draws of a result tell: how far from the reference a correct device
/// may be.
struct NoiseEstimate {
  /// Per element: the standard deviation that is expected, and the largest
  /// error that is allowed.
  std::vector<double> noise, allowed;
  /// Per element: the largest finite error of a draw.
  std::vector<double> seen;
  /// Per element: up to which magnitude a number is allowed where the reference
  /// is infinite or NaN; where that is not negative, these are allowed where
  /// the reference is a number.
  std::vector<double> reach;
  /// Most that the squares of the errors beyond `seen` may add up to.
  double squares = 0;
  /// So many elements may be off by more than `allowed`, but by no more than
  /// `strayError`: decisions that no draw happened to change.
  uint64_t strays = 0;
  double strayError = 0;

  /// `draws`: pairs of a draw and the mirrored one, of the type of `reference`.
  /// `isRewritten`: some ops are fused to others that compute their results
  /// otherwise, and need not overflow where they do.
  static NoiseEstimate of(const ReferenceTensor &reference,
                          ArrayRef<ReferenceTensor> draws,
                          bool isRewritten = false);
  /// Allows what another estimate of the same result allows, too.
  void widen(const NoiseEstimate &other);
};

} // namespace gaudi

#endif // GAUDI_REFERENCE_NOISE_H
