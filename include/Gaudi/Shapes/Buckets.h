// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buckets: the padded sizes that a function with dynamic dimensions is compiled
// for, and the choice among them at a launch.
//
// A symbol is a size that a launch chooses ("batch", "sequence"). A bucket has
// one size per symbol, its box; a launch may use it if none of its own sizes is
// larger.
// No MLIR and no recipe here: the compiler, the runtime and the tools share
// this class.
#ifndef GAUDI_SHAPES_BUCKETS_H
#define GAUDI_SHAPES_BUCKETS_H

#include "Gaudi/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gaudi::shapes {

/// One size per symbol, in the order of the symbols.
using Sizes = std::vector<int64_t>;

/// Their product; as a floating-point number because that of two large sizes
/// need not fit 64 bits.
double volumeOf(const Sizes &sizes);

class Buckets {
public:
  /// Buckets of the sizes `boxes`, which keep their numbers. `costs` are what a
  /// launch of each takes, in any unit; empty: the product of the sizes.
  /// Errors: no symbol, no bucket, a name that is empty or there twice, a
  /// number of sizes or costs that differs, a size below 0, a cost below 0 or
  /// not finite, two buckets of the same sizes.
  static Result<Buckets> create(std::vector<std::string> names,
                                std::vector<Sizes> boxes,
                                std::vector<double> costs = {});
  /// Buckets of all combinations of one size per symbol out of
  /// `boundaries[symbol]`, ascending with the last symbol fastest. At most
  /// `maxBuckets` of them.
  static Result<Buckets> grid(std::vector<std::string> names,
                              std::vector<std::vector<int64_t>> boundaries);
  static constexpr size_t maxBuckets = size_t(1) << 16;

  size_t rank() const { return symbolNames.size(); }
  size_t size() const { return given.size(); }
  const std::vector<std::string> &names() const { return symbolNames; }
  const std::vector<Sizes> &boxes() const { return given; }
  const Sizes &operator[](size_t bucket) const { return given[bucket]; }
  double cost(size_t bucket) const { return launchCosts[bucket]; }

  /// The cheapest bucket that fits `sizes` (rank() numbers); of several with
  /// that cost the first. Linear in the buckets, a nanosecond each; does not
  /// allocate.
  std::optional<size_t> choose(const int64_t *sizes) const {
    return choose(sizes, [](size_t) { return true; });
  }
  std::optional<size_t> choose(const Sizes &sizes) const;
  /// The same of those buckets that `accepts(bucket)` takes.
  template <typename Accepts>
  std::optional<size_t> choose(const int64_t *sizes, Accepts accepts) const {
    const int64_t *box = sizesByCost.data();
    for (uint32_t bucket : byCost) {
      // No early exit: for one to three symbols a branch per bucket is cheaper
      // than one per size.
      bool fits = true;
      for (size_t symbol = 0; symbol < rank(); ++symbol)
        fits &= sizes[symbol] <= box[symbol];
      if (fits && accepts(bucket))
        return bucket;
      box += rank();
    }
    return std::nullopt;
  }

  /// The sizes of a further bucket for `sizes`: per symbol the smallest size of
  /// a bucket that is large enough, else the largest one doubled until it is,
  /// but at most `limits` (one per symbol; empty: none) where these fit.
  Sizes nearest(const Sizes &sizes, const Sizes &limits = {}) const;
  /// Why no bucket fits `sizes`, as a sentence without its full stop: "sequence
  /// 4100 exceeds the largest bucket 4096; nearest would be 8192 at 99.9 %
  /// padding". `limits` as above.
  std::string whyNone(const Sizes &sizes, const Sizes &limits = {}) const;

  /// The sizes of each symbol if the buckets are all their combinations, as in
  /// "batch=1,8;sequence=128,4096", else the buckets, as in
  /// "batch,sequence=1x4096,8x128". One symbol: "sequence=128,4096". Strategies
  /// read this form (Strategy.h).
  std::string text() const;

  /// The distinct sizes of `symbol`, ascending.
  std::vector<int64_t> boundaries(size_t symbol) const;

private:
  std::vector<std::string> symbolNames;
  std::vector<Sizes> given;
  std::vector<double> launchCosts;
  // What choose() walks over: numbers of buckets by ascending cost, and their
  // sizes in that order, rank() numbers each.
  std::vector<uint32_t> byCost;
  std::vector<int64_t> sizesByCost;
};

/// "8192" of one symbol, "batch 8, sequence 4096" of several.
std::string describeSizes(const std::vector<std::string> &names,
                          const Sizes &sizes);

/// By how much `padded` elements exceed `real` ones, in per cent, rounded up to
/// one decimal so that no padding is understated: "99.9".
std::string paddingPercent(double padded, double real);

} // namespace gaudi::shapes

#endif // GAUDI_SHAPES_BUCKETS_H
