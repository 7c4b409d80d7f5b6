// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of matchAttention: each reads a part of the value graph into the
// match, or refuses with the first reason.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_MATCHER_H
#define GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_MATCHER_H

#include "AttentionMatch.h"

namespace gaudi::fusion {

/// The same number for values that are not masks: a lower bound of the scores
/// at most this acts on hidden ones only, and VisibleRow takes the scores of a
/// visible key to be above it and below its opposite.
constexpr double farBelow = hiddenLimit;

/// Added to a score of this magnitude or more, the logarithm of a sum loses
/// more than rounding does elsewhere: half a unit in the last place of 1e5 is
/// 0.004.
constexpr double lostLogarithm = -1e5;

/// Most positions at which a mask is evaluated.
constexpr int64_t maxMaskPositions = int64_t(1) << 24;

class AttentionMatcher {
public:
  AttentionMatcher(AttentionMatch &match, ValueDag &graph, Refusal &refusal,
                   bool &isAttention)
      : match(match), graph(graph), view(graph.dag), refusal(refusal),
        isAttention(isAttention) {}

  bool run();

private:
  /// Records the reason and its culprit in the place of earlier ones. Where an
  /// earlier reason says more, callers do not call it.
  bool refuse(NodeId where, const Twine &reason) {
    return refuse(originOf(where), reason);
  }
  bool refuse(Operation *where, const Twine &reason);

  /// The op of a value, or the one that made the loaded tensor.
  Operation *originOf(NodeId id) const;
  Value operand(bool isLhs);

  void addAxes();
  bool isPerKey(NodeId id) { return graph.variesWith(id) & keyMask; }

  /// Finds the product that makes the scores: the only one from which
  /// exponentials that vary with the key are computed.
  bool findScores(NodeId root);
  /// True if the load reads a matrix of queries and keys.
  bool isScoreShaped(NodeId id) const;
  /// The value and what it is computed from without reductions.
  SmallVector<NodeId> operandsBelow(NodeId id) const;
  /// The matrix product whose result the value is an element of.
  GemmOp productOf(NodeId id) const;
  /// True if the scores are among what the value is computed from.
  bool dependsOnScores(NodeId id);

  /// The sum that a divisor is, looking through a guard against rows of zeros:
  /// max(sum, tiny), select(sum == 0, 1, sum), sum + tiny.
  const Reduction *sumOf(NodeId divisor, NodeId &sum);

  /// True for a condition of rows that has one value in every row in which a
  /// key is visible (see VisibleRow), so that the other tells rows in which
  /// every key is hidden.
  bool isRowGuard(NodeId condition);

  /// The probabilities without what is done to them after the softmax: a guard
  /// of rows, a dropout that selects or multiplies.
  NodeId withoutSelects(NodeId id);

  /// Takes a quotient by its sum out of the probabilities; gives the numerator.
  std::optional<NodeId> matchSoftmax(NodeId read);

  /// True if exp(x) is a softmax by itself: x = y - log(sum(exp(y))).
  bool normalisesInside(NodeId argument);
  bool readsOtherProduct(NodeId id) const;
  /// True if the value depends on the scores of any row and key.
  bool readsScores(NodeId id) const;

  /// What else multiplies the probabilities is dropout.
  bool matchFactors(const Product &rest);

  /// Reads the result of the division in the place of the product's.
  bool readDivision();

  /// Normalised after the product: the division's other factor is the sum of
  /// what the product reads.
  std::optional<NodeId> matchLateSoftmax(NodeId read);

  /// False if what the product reads is computed from scores through a cast to
  /// fewer than 16 bits: PatternView drops casts, whose rounding then is lost.
  /// Wider roundings are judged when the type of the op is known: see
  /// Emitter::keepsPrecision.
  bool keepsPrecision(NodeId root);

  /// Exponentials, possibly zero where a condition hides the key.
  bool matchNumerator(NodeId id);

  /// The boolean that a number in {0, 1} was made of, or a constant's numbers
  /// as one.
  std::optional<NodeId> booleanOf(NodeId id);
  /// Visits the value for every query and key; false if it is not known from
  /// constants and indices, or the visitor says so.
  bool allKnown(ArrayRef<NodeId> values,
                llvm::function_ref<bool(ArrayRef<double>)> visit);
  NodeId negation(NodeId condition);

  /// Reads the scores times `factor`. `shifts`: what does not vary with the key
  /// cancels in the softmax.
  bool matchScores(NodeId id, double factor, bool shifts);
  bool matchSum(NodeId id, double factor, bool shifts);

  /// x * b + c * (1 - b) with a boolean b is select(b, x, c).
  bool selectsByProduct(const Term &main, SmallVectorImpl<AddedMask> &added,
                        double constant, double factor);
  /// c if the added term is c where the number b is 0, and 0 where it is 1.
  std::optional<double> complementOf(NodeId b, const AddedMask &added,
                                     double factor);
  bool matchProduct(NodeId id, double factor, bool shifts);
  bool matchSelect(NodeId id, double factor, bool shifts);

  /// The tensors that an operand is a view of, up to a constant factor.
  SmallVector<Link, 4> chainOf(Value tensor, ArrayRef<Affine> position);
  /// Reads the operand of an op with a constant in the place of its result.
  bool takeConstant(Link &link);
  static SmallVector<Affine, 4> zeros(Value tensor) {
    return SmallVector<Affine, 4>(tensorType(tensor).getRank());
  }
  static bool isSplat(Value tensor);
  bool matchOperands();

  AttentionMatch &match;
  ValueDag &graph;
  PatternView view;
  Refusal &refusal;
  bool &isAttention;
  SmallVector<Affine, 4> batch;
  Affine rows, keys, columns;
  uint64_t keyMask = 0;
  unsigned depth = 0; // of the next mask
  NodeId scores = 0, divided = 0;
  DenseMap<NodeId, bool> depends;
};

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_MATCHER_H
