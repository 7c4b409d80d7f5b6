// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Candidates for named patterns, found by what they compute, not by how.
//
// The definitions are those of docs/fusion.md. They ask for less than the
// patterns: a candidate that no pattern covers is a miss that reports count.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_NAMING_CANDIDATES_H
#define GAUDI_LIB_TRANSFORMS_FUSION_NAMING_CANDIDATES_H

#include "PatternView.h"

namespace gaudi::fusion {

/// A value that makes a kernel part of a candidate.
struct Candidate {
  enum Sign : uint8_t {
    SumOfExps,  ///< the sum of a softmax, a divisor or under a logarithm
    RootOfMean, ///< the spread of a normalisation
    Gradient,   ///< the root again, with a sum over the same rows
    Gate,       ///< a distribution function that multiplies its argument
    Rotation    ///< two parts of a tensor, one of them negated
  };
  Sign sign;
  /// The pattern that covers it, else the one that it would be.
  StringRef kind;
  bool isFused;
  /// The value itself: the sum, the root, the product, the selection.
  NodeId node;
  /// The sum behind a root; else the value itself.
  NodeId statistic;
  /// Of a root or sum that another kernel computes a part of: the access that
  /// reads that part, and what it is multiplied by.
  std::optional<unsigned> access;
  double coefficient = 1;
};

/// The candidates in a kernel. `covering` gives the pattern that covers a
/// value, or nothing.
SmallVector<Candidate, 2>
candidatesOf(const PatternView &view,
             llvm::function_ref<StringRef(NodeId)> covering);

/// True if `value`, what a kernel stores, is an exponential (of a sum), or a
/// sum of squares that times `coefficient` is their mean (of a root).
bool isPartOf(Candidate::Sign sign, const PatternView &view, NodeId value,
              double coefficient);

/// True if the kernel uses the value as such a candidate's reader does: as a
/// divisor, under a logarithm, or as a factor of a value with more dimensions.
bool isUsedAs(Candidate::Sign sign, const PatternView &view, NodeId value);

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_NAMING_CANDIDATES_H
