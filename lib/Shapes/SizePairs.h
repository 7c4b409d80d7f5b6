// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which changed numbers follow from changed sizes.
#ifndef GAUDI_LIB_SHAPES_SIZEPAIRS_H
#define GAUDI_LIB_SHAPES_SIZEPAIRS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gaudi::shapes {

/// A number before and now.
struct SizePair {
  int64_t was, is;
};

/// Sizes that changed, each for a reason of its own, and what may follow from
/// them: sums, multiples, products and quotients. A guess from two values, so
/// it is asked only about places that are otherwise equal.
class SizePairs {
public:
  /// The pair that a size of an input follows from: the same size, the same
  /// change of nearly the same size (a sequence and its past), or a product of
  /// sizes. Sizes that merely grow by the same factor may be independent.
  std::optional<size_t> tie(SizePair pair) const;
  void add(SizePair pair) { pairs.push_back(pair); }
  /// A size that follows: products of it do, too.
  void addDerived(SizePair pair);

  /// Whether any computation of sizes that models have would change a number
  /// so.
  bool explain(SizePair pair) const;
  /// The same of a floating-point number, such as the reciprocal of a size or
  /// of its root; `tolerance` is relative.
  bool explain(double was, double is, double tolerance) const;

private:
  /// The first factor of a product of two.
  std::optional<size_t> productOf(SizePair pair) const;
  bool isMultipleOfProduct(SizePair pair) const;
  bool isSum(SizePair pair) const;

  std::vector<SizePair> pairs;
  std::vector<SizePair> derived; ///< a few
};

} // namespace gaudi::shapes

#endif // GAUDI_LIB_SHAPES_SIZEPAIRS_H
