// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From draws of a result to what is allowed for each of its elements.
#include "Gaudi/Reference/Noise.h"
#include "Gaudi/Support/Tolerance.h"
#include "Scalars.h"
#include <algorithm>
#include <map>

using namespace mlir;
using namespace gaudi;

namespace {
/// Elements whose draws are pooled, at least, where so many have noise.
constexpr uint64_t leastPooled = 32;
/// The median of the mean square of two draws of normal noise, as a share of
/// its mean.
constexpr double medianShare = 0.693;
/// From so many draws on, those of an element tell of it: their mean square is
/// below `leastShare` of its mean with a chance of 10^-4 (a sum of eight
/// squares, since mirrored draws say much the same).
constexpr size_t enoughDraws = 16;
constexpr double leastShare = 1.0 / 8;
/// The chance of a false alarm per result, where noise is normal.
constexpr double falseAlarms = 1e-6;
/// How much larger than the worst draw an error, and the sum of all squares,
/// may be.
constexpr double beyondDraws = 1.5;
/// The chance that an element of a narrow type is so near a tie that a device
/// rounds it otherwise, and no draw does.
constexpr double unmetTie = 1e-4;

class Estimator {
public:
  Estimator(const ReferenceTensor &reference, ArrayRef<ReferenceTensor> draws,
            bool isRewritten)
      : reference(reference), draws(draws), isRewritten(isRewritten),
        count(reference.getCount()),
        factor(std::sqrt(
            2 * std::log(2 * std::max<double>(count, 1) / falseAlarms))),
        pooled(count) {
    for (const ReferenceTensor &draw : draws) {
      std::vector<double> &error = errors.emplace_back(count);
      for (int64_t i = 0; i < count; ++i)
        error[i] =
            reference.isFloat()
                ? gaudi::distance(draw.floats()[i], reference.floats()[i])
                : gaudi::distance(draw.ints()[i], reference.ints()[i]);
    }
  }

  NoiseEstimate estimate() {
    NoiseEstimate result;
    if (reference.isFloat())
      pool();
    double largestUnit = 0, squaresOfUnits = 0;
    for (int64_t i = 0; i < count; ++i) {
      const Local local = localOf(i, noPair);
      result.noise.push_back(noiseOf(i, local));
      result.seen.push_back(local.largest);
      result.allowed.push_back(allowedOf(i, local));
      result.reach.push_back(reachOf(i, local));
      const double unit = unitOf(i);
      largestUnit = std::max(largestUnit, unit);
      squaresOfUnits += unit * unit;
    }
    countStrays(result);
    // Ties that the draws did not meet. Of f32, where most results are rounded,
    // every element.
    result.squares = reference.getElementType().isF32()
                         ? squaresOfUnits
                         : unmetTies() * largestUnit * largestUnit;
    double worst = 0;
    for (const std::vector<double> &error : errors) {
      double sum = 0;
      for (int64_t i = 0; i < count; ++i)
        if (std::isfinite(error[i]))
          sum += error[i] * error[i];
      worst = std::max(worst, sum);
    }
    result.squares += beyondDraws * beyondDraws * worst;
    result.squares += double(count) * flushed() * flushed();
    return result;
  }

private:
  static constexpr size_t noPair = ~size_t(0);

  /// What the draws of one element are, but for those of a pair. Those that
  /// are not finite where the reference is, or the other way round, apart.
  struct Local {
    double square = 0; ///< the mean
    double largest = 0;
    bool mayOverflow = false;
  };
  Local localOf(int64_t i, size_t leftOut) const {
    Local local;
    unsigned used = 0;
    for (size_t k = 0; k < errors.size(); ++k) {
      if (k / 2 == leftOut)
        continue;
      if (!std::isfinite(errors[k][i])) {
        local.mayOverflow = true;
        continue;
      }
      local.largest = std::max(local.largest, errors[k][i]);
      local.square += errors[k][i] * errors[k][i];
      ++used;
    }
    if (used)
      local.square /= used;
    return local;
  }

  /// Errors that round at random grow with the root of the errors that cause
  /// them, others in proportion: the root bounds both from above.
  double noiseOf(int64_t i, const Local &local) const {
    double others = pooled[i];
    if (errors.size() >= enoughDraws)
      others = std::min(others, local.square / leastShare);
    return std::sqrt(std::max(others, local.square) / Noise::amplification);
  }

  double allowedOf(int64_t i, const Local &local) const {
    // A count, or a position, between those of the draws and as far beyond.
    if (!reference.isFloat())
      return 2 * local.largest;
    return std::max(factor * noiseOf(i, local), beyondDraws * local.largest) +
           unitOf(i) + flushed();
  }

  /// What an element may lose because instructions for bf16 flush subnormal
  /// numbers of the range of f32.
  double flushed() const {
    const Type type = reference.getElementType();
    return type.isF32() || type.isBF16() ? Noise::leastNormal : 0;
  }

  /// The magnitude up to which a number is allowed where the reference is none,
  /// and the other way round any that is not finite; negative: not allowed.
  double reachOf(int64_t i, const Local &local) const {
    if (!reference.isFloat())
      return -1;
    const bool isFinite = std::isfinite(reference.floats()[i]);
    if (isRewritten && !isFinite)
      return std::numeric_limits<double>::infinity();
    if (!local.mayOverflow)
      return -1;
    double most = 0;
    for (const ReferenceTensor &draw : draws)
      if (std::isfinite(draw.floats()[i]))
        most = std::max(most, std::fabs(draw.floats()[i]));
    return 2 * most;
  }

  /// One unit in the last place of the element, of f32 two: what two values on
  /// either side of a tie differ by when they are rounded.
  double unitOf(int64_t i) const {
    if (!reference.isFloat() || !std::isfinite(reference.floats()[i]))
      return 0;
    const Type type = reference.getElementType();
    const gaudi::FloatFormat format = reference::formatOf(type);
    return std::ldexp(type.isF32() ? 2 : 1,
                      exponentOf(i) - int(format.mantissaBits));
  }

  /// So many elements of a narrow type may round otherwise than all draws. The
  /// distance of an element to the next tie is below a device's errors, some
  /// units of f32, with a probability of unmetTie at most: of Poisson's
  /// distribution, the number that is exceeded by chance as falseAlarms says.
  double unmetTies() const {
    const double mean = unmetTie * double(count);
    if (mean > 100)
      return mean + factor * std::sqrt(mean);
    double chance = std::exp(-mean), below = chance;
    unsigned ties = 0;
    while (1 - below > falseAlarms) {
      chance *= mean / ++ties;
      below += chance;
    }
    return ties;
  }

  /// The exponent of an element, at least that of the smallest normal number.
  int exponentOf(int64_t i) const {
    const int least =
        1 - reference::formatOf(reference.getElementType()).bias();
    const double value = reference.floats()[i];
    return value == 0 || !std::isfinite(value)
               ? least
               : std::max(std::ilogb(value), least);
  }

  /// The mean square over elements of similar magnitude, of those that have
  /// noise: few draws of one element may all be small by chance. Elements are
  /// pooled by their exponents, from the largest, until there are enough; those
  /// that are left share with the last ones. By the median, so that a noisy
  /// element excuses no others.
  void pool() {
    std::map<int, std::vector<double>, std::greater<>> byExponent;
    for (int64_t i = 0; i < count; ++i) {
      std::vector<double> &squares = byExponent[exponentOf(i)];
      if (const double square = localOf(i, noPair).square; square > 0)
        squares.push_back(square);
    }
    std::map<int, double> ofExponent;
    std::vector<double> open;
    std::vector<int> members;
    double last = 0;
    // Ends a group: its members share the median of what was collected.
    auto close = [&] {
      if (!open.empty()) {
        auto middle = open.begin() + ptrdiff_t(open.size() / 2);
        std::nth_element(open.begin(), middle, open.end());
        last = *middle / medianShare;
      }
      for (int exponent : members)
        ofExponent[exponent] = last;
      members.clear();
      open.clear();
    };
    bool isFirst = true;
    for (const auto &[exponent, squares] : byExponent) {
      members.push_back(exponent);
      open.insert(open.end(), squares.begin(), squares.end());
      // Too few: the next exponent joins the group.
      if (open.size() < leastPooled)
        continue;
      close();
      isFirst = false;
    }
    // What is left at the end shares with the last group, unless it is the only
    // one.
    if (!isFirst)
      open.clear();
    close();
    for (int64_t i = 0; i < count; ++i)
      pooled[i] = ofExponent[exponentOf(i)];
  }

  /// Each draw takes the part of the device: what does it do that the other
  /// pairs do not allow? A device may do it as often, and by chance twice.
  void countStrays(NoiseEstimate &result) const {
    for (size_t k = 0; k < errors.size(); ++k) {
      uint64_t strays = 0;
      for (int64_t i = 0; i < count; ++i) {
        const double error = errors[k][i];
        if (error == 0 || !std::isfinite(error) ||
            error <= allowedOf(i, localOf(i, k / 2)))
          continue;
        ++strays;
        result.strayError = std::max(result.strayError, error);
      }
      result.strays = std::max(result.strays, 2 * strays);
    }
  }

  const ReferenceTensor &reference;
  ArrayRef<ReferenceTensor> draws;
  bool isRewritten;
  int64_t count;
  double factor; ///< of the noise: beyond it by chance is nothing
  std::vector<std::vector<double>> errors; ///< of each draw, of each element
  std::vector<double> pooled;              ///< mean squares
};
} // namespace

NoiseEstimate NoiseEstimate::of(const ReferenceTensor &reference,
                                ArrayRef<ReferenceTensor> draws,
                                bool isRewritten) {
  assert(llvm::all_of(draws, [&](const ReferenceTensor &draw) {
    return draw.getType() == reference.getType();
  }));
  return Estimator(reference, draws, isRewritten).estimate();
}

void NoiseEstimate::widen(const NoiseEstimate &other) {
  auto most = [](std::vector<double> &mine, const std::vector<double> &theirs) {
    for (auto [a, b] : llvm::zip_equal(mine, theirs))
      a = std::max(a, b);
  };
  most(noise, other.noise);
  most(allowed, other.allowed);
  most(seen, other.seen);
  most(reach, other.reach);
  squares = std::max(squares, other.squares);
  strays = std::max(strays, other.strays);
  strayError = std::max(strayError, other.strayError);
}
