// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regimes of inputs: what kinds of numbers two forms of a computation are
// compared on. docs/numerics.md says what each is for.
#ifndef GAUDI_REFERENCE_REGIMES_H
#define GAUDI_REFERENCE_REGIMES_H

#include "Gaudi/Reference/Tensor.h"

namespace gaudi {

enum class Regime {
  Seeded,     ///< the seeded inputs of every other check
  Scaled,     ///< each tensor by a factor of its own, 1e-4 to 1e4
  Large,      ///< each tensor by a factor of its own, 1 to 1e30
  Small,      ///< each tensor by a factor of its own, 1e-30 to 1
  Wide,       ///< magnitudes of elements log-uniform in 1e-30 to 1e30
  Ties,       ///< few values: zeros, ones, halves that round to even
  Extremes,   ///< zeros of both signs, subnormals, largest finite numbers
  Infinities, ///< seeded, some elements infinite or NaN
  Directed,   ///< searched for, to take a branch that no other regime took
};
/// Magnitudes of a float type of the device.
struct FloatRange {
  explicit FloatRange(Type type);
  double largest;  ///< finite
  double normal;   ///< the smallest normal number
  double smallest; ///< positive
};

/// In the order in which they are drawn while work is left; Directed is not
/// among them.
ArrayRef<Regime> drawnRegimes();
/// Those of them in which few sums overflow, whatever their order.
ArrayRef<Regime> boundedRegimes();
StringRef nameOf(Regime regime);

/// What integers are, which may be indices.
enum class Integers {
  Indices, ///< from 0 to the largest of the seeded ones
  Small,   ///< -16 to 31, unsigned ones 0 to 47: some indices are outside
};

/// The seeded inputs as the regime has them: floats are of the regime, within
/// the range of their type.
SmallVector<ReferenceTensor>
regimeInputs(Regime regime, ArrayRef<ReferenceTensor> seeded, uint32_t seed,
             Integers integers = Integers::Indices);

/// `x` times a factor, each element rounded once and kept finite.
ReferenceTensor scaled(const ReferenceTensor &x, double factor);

} // namespace gaudi

#endif // GAUDI_REFERENCE_REGIMES_H
