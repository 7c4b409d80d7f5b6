// Algebraic view of a kernel's values, for recognition.
//
// Sums, differences and negations are one list of signed terms; products and
// quotients one list of factors with a constant coefficient. Roundings to a
// narrow type are looked through. Nothing here changes a value.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_NAMING_PATTERNS_H
#define GAUDI_LIB_TRANSFORMS_FUSION_NAMING_PATTERNS_H

#include "../Merge/KernelDag.h"

namespace mlir::gaudi::fusion {

struct Term {
  NodeId node;
  bool isNegative;
};
struct Sum {
  double constant = 0;
  SmallVector<Term, 4> terms;

  /// Removes one term; false if there is none like it.
  bool take(NodeId node, bool isNegative);
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
};

/// a * sigmoid(b * x) and the like: a polynomial up to degree 3 in one value.
using Polynomial = std::array<double, 4>;

class PatternView {
public:
  explicit PatternView(const KernelDag &dag) : dag(dag) {}

  /// The value before roundings to narrow types.
  NodeId strip(NodeId id) const;
  const Node &at(NodeId id) const { return dag.nodes[strip(id)]; }
  bool isOp(NodeId id, StringRef name) const;
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
  std::optional<NodeId> expOf(NodeId id) const;
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

/// A pattern in a kernel: its name, the values it consists of, and the values
/// it is computed from.
struct Recognized {
  StringRef name;
  NodeId root;
  SmallVector<NodeId, 2> inputs;
};

/// What a value is computed as, or nothing. A near miss sets `miss` to what is
/// wrong and `nearly` to the name.
struct NearMiss {
  StringRef name, reason;
};
std::optional<Recognized> recognizeActivation(const PatternView &view,
                                              NodeId id);
std::optional<Recognized> recognizeRowProgram(const PatternView &view,
                                              NodeId id,
                                              std::optional<NearMiss> &miss);

/// All patterns of a kernel, outermost first.
struct Recognition {
  SmallVector<Recognized, 2> found;
  SmallVector<NearMiss, 1> missed;
  /// Names of patterns and of the ops that belong to none, in order.
  std::string label;
};
Recognition recognize(const KernelDag &dag);

/// The pattern that two kernels would be if `consumer` computed the result
/// `tensor` of `producer` itself; empty if none is in sight.
StringRef patternAcross(const KernelDag &producer, Value tensor,
                        const KernelDag &consumer);

/// "tpc.a+b+c" for the names "a", "tpc.b" and "c"; long lists are cut.
std::string joined(ArrayRef<StringRef> names);

} // namespace mlir::gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_NAMING_PATTERNS_H
