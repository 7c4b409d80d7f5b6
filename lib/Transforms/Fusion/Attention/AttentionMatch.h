// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An attention among tensor ops, found near its mathematics:
//   output[n, h, i] = sum_j softmax_j(scale * <q[i], k[j]> + masks) * v[j]
//
// The probabilities are read as values (Merge/ValueDag), so that the order of
// scale, masks and casts, the way a softmax is decomposed, and every view in
// between do not matter.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_ATTENTIONMATCH_H
#define GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_ATTENTIONMATCH_H

#include "../Merge/ValueDag.h"
#include "../Naming/PatternView.h"

namespace gaudi::fusion {

/// A hidden score at most this adds nothing to a softmax in which a key is
/// visible, and is what it is whatever is added to it: a score is above it by
/// more than 104, so that exp(hidden - maximum) is 0 in f32, and below half a
/// unit of its last place, 3.8e22. That is what a rewrite takes for granted:
/// docs/fusion.md lists it among the assumptions. See also `farBelow`.
constexpr double hiddenLimit = -1e30;

/// Why a candidate is not fused, and where.
struct Refusal {
  Operation *culprit = nullptr;
  /// The product of the scores, if the softmax runs over another dimension than
  /// the candidate sums: as in the gradient of the values.
  Operation *otherAxisOf = nullptr;
  std::string reason;
};

/// Dimensions of the graph that make up one of the op, outermost first.
using Group = SmallVector<unsigned, 2>;

/// The dimensions of a form by falling coefficient.
Group groupOf(const Affine &form);

/// A tensor on the way to an operand through views: reading it instead takes
/// `factor` into the scale.
struct Link {
  TensorElement element;
  double factor = 1;
};

/// A term added to the scores, times a constant. `depth` grows from the softmax
/// to the product: what is applied last has the least.
struct AddedMask {
  NodeId value;
  double factor;
  unsigned depth;
};

/// Scores become `value` where a condition is not `visibleIf`.
struct HiddenScores {
  NodeId condition;
  bool visibleIf;
  double value;
  unsigned depth;
  /// True if the condition alone shows each query a key.
  bool showsEveryRow = false;
};

/// A product of matrices that may be the second one of an attention.
struct AttentionCandidate {
  GemmOp product;
  bool probabilitiesAreLhs;
  /// A division of the product's result that normalises; null if the
  /// probabilities are normalised before the product.
  Operation *division = nullptr;
};

/// What the numbers of an attention are computed from.
struct AttentionMatch {
  std::unique_ptr<ValueDag> graph;
  AttentionCandidate candidate;
  GemmOp scores;
  bool queryIsLhs = true; // of the product that makes the scores

  Affine rows, keys; // i and j
  Group batch, keyDims, depthDims, columnDims;
  /// The rows of the products: dimensions of queries, and of heads that share
  /// their keys and values.
  Group allRows, rowDims, groupDims;
  int64_t queryCount = 1, keyCount = 1, depth = 1, columnCount = 1;

  SmallVector<Link, 4> query, key, value; // the product's operand first
  TensorElement read; // what the product reads as probabilities
  NodeId readValue = 0;
  TensorElement output; // the product's result, or division's

  double scale = 1;
  /// The masks of the graph, and those of them that are left when findCausal
  /// has taken out what `isCausal` and `window` say.
  SmallVector<AddedMask, 2> allAdded, added;
  SmallVector<HiddenScores, 2> allHidden, hidden;
  bool isCausal = false;
  std::optional<int64_t> window;
  /// A hidden score that is too high for a mask to be causal or a window.
  std::optional<double> tooHigh;
  /// True if the logarithm of the sum is added to the largest score before both
  /// are subtracted: beside a large score it is rounded away.
  bool addsLogarithm = false;
  /// Lower bound of the scores after masking, -infinity if there is none.
  double floor = -std::numeric_limits<double>::infinity();

  /// Elements that the probabilities are multiplied by.
  std::optional<NodeId> dropout;
  bool dropoutIfTrue = true; // of a boolean: which value keeps
  double factor = 1;         // that they are multiplied by besides
  NodeId probabilities = 0;  // before dropout
};

/// The candidates of a block, in order. One walk, without graphs.
SmallVector<AttentionCandidate> findCandidates(Block &block);

/// Matches the candidate; fails with the reason. `isAttention` says whether it
/// is one by the definition of docs/fusion.md.
FailureOr<AttentionMatch> matchAttention(const AttentionCandidate &candidate,
                                         KernelGraphs &kernels,
                                         Refusal &refusal, bool &isAttention);

/// True for a scalar op of arith: all devices give the same number.
inline bool isArithmetic(const Node &scalar) {
  return scalar.name->getDialectNamespace() == "arith";
}

/// True if numbers of a kernel's type are exact from low to high; a null type
/// is that of an index.
bool holdsExactly(Type type, int64_t low, int64_t high);

/// The constant that a value is, through functions of constants.
std::optional<double> numberOf(const PatternView &view, NodeId id);

/// The tensor whose elements `tensor` shows: before views, moves and casts
/// between types of floats, or those only that change no element.
Value shownBy(Value tensor, bool isExact = false);

/// The position in an operand of a product, given its indices in the batch,
/// along the dimension that the result keeps, and along the sum.
SmallVector<Affine, 4> operandPosition(GemmOp gemm, bool isLhs,
                                       ArrayRef<Affine> batch,
                                       const Affine &kept,
                                       const Affine &summed);

/// Makes some dimensions of the rows those of the queries, the others those of
/// heads, and finds causal masks and windows for them.
void chooseRows(AttentionMatch &match, ArrayRef<unsigned> queries);

/// Takes masks of iota or constants that hide the keys after the query, or
/// those far from it, out of the match and sets isCausal and window, where that
/// changes no number.
void findCausal(AttentionMatch &match);

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_ATTENTIONMATCH_H
