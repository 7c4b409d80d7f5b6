// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Algebraic view of a kernel's values, for recognition.
//
// Sums, differences and negations are one list of signed terms; products and
// quotients one list of factors with a constant coefficient. Roundings to a
// narrow type are looked through. Nothing here changes a value.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_NAMING_PATTERNVIEW_H
#define GAUDI_LIB_TRANSFORMS_FUSION_NAMING_PATTERNVIEW_H

#include "../Merge/KernelDag.h"

namespace gaudi::fusion {

struct Term {
  NodeId node;
  bool isNegative;
};
struct Sum {
  double constant = 0;
  SmallVector<Term, 4> terms;

  /// Removes one term; false if there is none like it.
  bool take(NodeId node, bool isNegative);
  /// The only term, if it is not negative; whatever the constant.
  std::optional<NodeId> onlyTerm() const;
};

struct Factor {
  NodeId node;
  bool isDivisor;
};
struct Product {
  double coefficient = 1;
  SmallVector<Factor, 4> factors;

  /// Removes one factor equal to `node`; false if there is none.
  bool take(NodeId node, bool isDivisor);
  /// Removes the factors of another product; false if some are not among these.
  bool take(const Product &other);
  /// The only factor, if it is no divisor; whatever the coefficient.
  std::optional<NodeId> onlyFactor() const;
};

/// a * sigmoid(b * x) and the like: a polynomial up to degree 3 in one value.
using Polynomial = std::array<double, 4>;

/// How near constants are that name an activation, as shares: bf16 rounds them.
constexpr double nearness = 4e-3;

class PatternView {
public:
  explicit PatternView(const KernelDag &dag) : dag(dag) {}

  /// The value before roundings to narrow types.
  NodeId strip(NodeId id) const;
  const Node &at(NodeId id) const { return dag.nodes[strip(id)]; }
  /// True if one of the ops computes the value.
  template <typename... Ops> bool isOp(NodeId id) const {
    const Node &node = at(id);
    return node.kind == Node::Scalar && isOneOf<Ops...>(*node.name);
  }
  std::optional<double> constantOf(NodeId id) const;
  bool isLoad(NodeId id) const { return at(id).kind == Node::Load; }
  /// A value that varies with fewer dimensions than `whole`.
  bool isBroadcast(NodeId id, NodeId whole) const;
  NodeId operand(NodeId id, unsigned i) const {
    return strip(at(id).operands[i]);
  }

  Sum sumOf(NodeId id) const;
  /// True if the sum is the value `x`, itself a sum or not.
  bool isSumOf(Sum sum, NodeId x) const;
  Product productOf(NodeId id) const;
  /// The value as a polynomial in `x`.
  std::optional<Polynomial> polynomialOf(NodeId id, NodeId x,
                                         unsigned depth = 0) const;

  /// The argument if the value is exp(argument), up to a factor of log2(e).
  /// Also of exp2(x * c) for a c within `tolerance` of log2(e): the default is
  /// for names, which change no numbers.
  std::optional<NodeId> expOf(NodeId id, double tolerance = nearness) const;
  std::optional<NodeId> logOf(NodeId id) const;
  /// low <= x <= high.
  struct Clamp {
    NodeId x;
    double low, high;
  };
  std::optional<Clamp> clampOf(NodeId id) const;

  /// The reduction whose result the value is.
  const Reduction *reductionOf(NodeId id, KernelReduce kind) const;
  const Loop &loopOf(NodeId id) const { return dag.loops[at(id).loop]; }
  double countOf(const Loop &loop) const;
  /// The value whose mean over a loop this is; `loop` is that loop's number.
  std::optional<NodeId> meanOf(NodeId id, unsigned &loop) const;
  /// The value whose square this is.
  std::optional<NodeId> squareOf(NodeId id) const;

  const KernelDag &dag;

private:
  void addTerms(NodeId id, bool negative, Sum &sum, unsigned depth) const;
  void addFactors(NodeId id, bool divisor, Product &product,
                  unsigned depth) const;
};

/// True up to the rounding of constants to bf16.
bool isNear(double value, double expected);

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_NAMING_PATTERNVIEW_H
