// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws inputs of the regimes.
#include "Gaudi/Reference/Regimes.h"
#include "Scalars.h"
#include <random>

using namespace mlir;
using namespace gaudi;

ArrayRef<Regime> gaudi::drawnRegimes() {
  static constexpr Regime regimes[] = {
      Regime::Seeded, Regime::Scaled,   Regime::Wide,  Regime::Infinities,
      Regime::Ties,   Regime::Extremes, Regime::Large, Regime::Small};
  return regimes;
}

ArrayRef<Regime> gaudi::boundedRegimes() {
  static constexpr Regime regimes[] = {Regime::Seeded, Regime::Scaled,
                                       Regime::Ties, Regime::Small};
  return regimes;
}

StringRef gaudi::nameOf(Regime regime) {
  switch (regime) {
  case Regime::Seeded:
    return "seeded";
  case Regime::Scaled:
    return "scaled";
  case Regime::Large:
    return "large";
  case Regime::Small:
    return "small";
  case Regime::Wide:
    return "wide";
  case Regime::Ties:
    return "ties";
  case Regime::Extremes:
    return "extremes";
  case Regime::Infinities:
    return "infinities";
  case Regime::Directed:
    return "directed";
  }
  llvm_unreachable("all regimes are listed");
}

static double valueOf(APFloat value) {
  bool losesInfo = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

FloatRange::FloatRange(Type type) {
  const auto &semantics = cast<FloatType>(type).getFloatSemantics();
  largest = valueOf(APFloat::getLargest(semantics));
  normal = valueOf(APFloat::getSmallestNormalized(semantics));
  smallest = valueOf(APFloat::getSmallest(semantics));
}

namespace {
using Random = std::mt19937_64;

double uniform(Random &random, double low, double high) {
  return low + (high - low) * (double(random() >> 11) * 0x1p-53);
}
template <size_t n> double pick(Random &random, const double (&values)[n]) {
  return values[random() % n];
}

/// Calls f(element) for each and stores what it gives, rounded, not beyond the
/// largest finite number.
template <typename F> void fill(ReferenceTensor &x, F f) {
  const FloatRange range(x.getElementType());
  const reference::FloatRounder round(x.getElementType());
  for (double &element : x.mutableFloats()) {
    const double value = f(element);
    element = std::isfinite(value)
                  ? round(std::clamp(value, -range.largest, range.largest))
                  : value;
  }
}

void fillExtremes(ReferenceTensor &x, Random &random) {
  const FloatRange range(x.getElementType());
  const double values[] = {0,
                           -0.0,
                           range.smallest,
                           -range.smallest,
                           3 * range.smallest,
                           range.normal,
                           -range.normal,
                           range.largest,
                           -range.largest,
                           range.largest / 2};
  // Half of them, and tensors without: sums of largest numbers are infinite.
  const bool mayBeLarge = random() % 2;
  fill(x, [&](double seeded) {
    if (random() % 2)
      return seeded;
    const double value = pick(random, values);
    return mayBeLarge || std::fabs(value) < 1 ? value : 0.0;
  });
}
} // namespace

SmallVector<ReferenceTensor>
gaudi::regimeInputs(Regime regime, ArrayRef<ReferenceTensor> seeded,
                    uint32_t seed, Integers integers) {
  SmallVector<ReferenceTensor> inputs(seeded);
  const uint64_t start = uint64_t(seed) * 0x9e3779b97f4a7c15u;
  Random random(start + uint64_t(regime));
  // Of integers and signs, so that floats do not depend on them.
  Random others(start + uint64_t(regime) + 0x5bd1e995u);
  // One tensor at least has what its regime is named for.
  const size_t chosen = inputs.empty() ? 0 : random() % inputs.size();
  for (auto [number, x] : llvm::enumerate(inputs)) {
    if (!x.isFloat()) {
      // Integers stay within what the seeded ones have, since they may be
      // indices.
      int64_t least = 0, largest = 0;
      for (int64_t value : x.ints())
        largest = std::max(largest, value);
      if (x.getElementType().isInteger(1)) {
        largest = 1;
      } else if (integers == Integers::Small) {
        least = x.getElementType().isUnsignedInteger() ? 0 : -16;
        largest = least + 47;
      }
      if (regime != Regime::Seeded && regime != Regime::Directed)
        for (int64_t &value : x.mutableInts())
          value = least + int64_t(others() % uint64_t(largest - least + 1));
      continue;
    }
    auto scaleBy = [&, &x = x](double least, double most) {
      const double factor = std::pow(10.0, uniform(random, least, most));
      fill(x, [&](double value) { return value * factor; });
    };
    switch (regime) {
    case Regime::Seeded:
    case Regime::Directed:
      break;
    // A factor for the whole tensor, drawn by its logarithm.
    case Regime::Scaled:
      scaleBy(-4, 4);
      if (others() % 4 == 0)
        x = scaled(x, -1);
      break;
    case Regime::Large:
      scaleBy(0, 30);
      break;
    case Regime::Small:
      scaleBy(-30, 0);
      break;
    case Regime::Wide:
      fill(x, [&](double) {
        const double magnitude = std::pow(10.0, uniform(random, -30, 30));
        return random() % 2 ? magnitude : -magnitude;
      });
      break;
    case Regime::Ties: {
      constexpr double values[] = {0,   -0.0, 0.5,  -0.5, 1,    -1, 1.5,
                                   2.5, -1.5, -2.5, 3.5,  0.25, 64, -1};
      fill(x, [&](double) { return pick(random, values); });
      break;
    }
    case Regime::Extremes:
      fillExtremes(x, random);
      break;
    case Regime::Infinities: {
      constexpr double infinity = std::numeric_limits<double>::infinity();
      const double values[] = {infinity, -infinity,
                               std::numeric_limits<double>::quiet_NaN()};
      // Others only sometimes, so that not all results are NaN.
      if (number != chosen && random() % 3)
        break;
      // Few, so that some results do not depend on them.
      const int64_t few = 1 + x.getCount() / 64;
      auto elements = x.mutableFloats();
      for (int64_t i = 0; i < few && !elements.empty(); ++i)
        elements[random() % elements.size()] =
            roundTo(x.getElementType(), pick(random, values));
      break;
    }
    }
  }
  return inputs;
}

ReferenceTensor gaudi::scaled(const ReferenceTensor &x, double factor) {
  ReferenceTensor result = x;
  if (x.isFloat())
    fill(result, [&](double value) { return value * factor; });
  return result;
}
