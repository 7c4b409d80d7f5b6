// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What padding does at one op: which of its elements reach real results, and
// which elements of the results are real.
#ifndef GAUDI_LIB_TRANSFORMS_SHAPES_PADDINGRULES_H
#define GAUDI_LIB_TRANSFORMS_SHAPES_PADDINGRULES_H

#include "ConstantScalars.h"
#include "Gaudi/Dialect/PaddedIndices.h"
#include "PaddingState.h"
#include <functional>
#include <list>

namespace gaudi {
class PaddingEditor;
class ValidOp;

/// The marker that says the sizes of a value: its only reader; or null.
ValidOp markerOf(Value value);

/// A collapsed dimension of an operand whose real elements have to come first.
struct CompactRequest {
  unsigned operand;
  int64_t dim;
  DimPadding factors;
  std::string reason;
};

/// An operand with indices of a dimension of `size` elements, of which `extent`
/// are real: an index past these becomes `size`.
struct BoundRequest {
  unsigned operand;
  AffineExpr extent;
  int64_t size;
};

/// Padding of an operand that has to hold `value`.
struct MaskRequest {
  unsigned operand;
  SmallVector<Condition> conditions;
  TypedAttr value;
};

/// The answer of a rule. Operands are compacted, then bounded, then masked.
struct OpPadding {
  SmallVector<PaddingState, 1> results;
  SmallVector<CompactRequest, 1> compacts;
  SmallVector<BoundRequest, 1> bounds;
  SmallVector<MaskRequest, 2> masks;
  /// Changes the op itself after its operands have been changed; or null.
  std::function<void(Operation *, PaddingEditor &)> edit;
  /// What the change does, for its remark.
  std::string editText;
  /// Why padding would reach real elements all the same; empty if it does not.
  std::string problem;
  /// Why padding of an operand that is read across is harmless as it is; empty
  /// if none is.
  std::string harmless;

  bool changes() const {
    return !compacts.empty() || !bounds.empty() || !masks.empty() || edit;
  }
};

/// The size that an argument with `gaudi.extent` has; null for other values.
AffineExpr extentValue(Value value);

/// The rule of `op` for operands in these states, one per operand.
OpPadding paddingOf(Operation *op, ArrayRef<const PaddingState *> operands,
                    const SymbolSizes &sizes);

/// A rule at work: what rules of several ops need.
class PaddingRule {
public:
  PaddingRule(Operation *op, ArrayRef<const PaddingState *> operands,
              const SymbolSizes &sizes);

  const PaddingState &in(unsigned operand) const { return *operands[operand]; }
  PaddingState &result(unsigned number = 0) { return out.results[number]; }
  Type elementOf(unsigned operand) const {
    return getElementTypeOrSelf(op->getOperand(operand));
  }
  /// Only the first problem counts.
  void fail(const Twine &problem) {
    if (out.problem.empty())
      out.problem = problem.str();
  }
  void setEdit(const Twine &text,
               std::function<void(Operation *, PaddingEditor &)> edit) {
    out.edit = std::move(edit);
    out.editText = text.str();
  }
  bool failed() const { return !out.problem.empty(); }
  /// Forgets the answer but for compacted operands, to find it for these.
  void restart();

  /// The factors that dimensions of operands have in common, as pairs of
  /// operand and dimension; fails if they disagree. `size` is that of the
  /// dimension if none is padded. Where real elements are at other positions,
  /// those of collapsed dimensions are compacted.
  DimPadding common(ArrayRef<std::pair<unsigned, int64_t>> dims, int64_t size);
  /// Sets the dimensions of results that are those of operands by the op's map;
  /// contents are unknown. Fails if one is padded along which an operand is
  /// broadcast.
  void setSameDims();
  /// The dimension of a result that is one of an operand; contents are unknown.
  DimPadding same(unsigned operand, int64_t dim) {
    return common({{operand, dim}}, sizeOf(in(operand).dims[dim]));
  }
  /// Padding along `dims` of the operand is read: it has to hold `value`, or
  /// what `accepts` takes.
  void require(unsigned operand, ArrayRef<int64_t> dims, TypedAttr value,
               llvm::function_ref<bool(TypedAttr)> accepts = nullptr);
  /// Padding along these dimensions is multiplied with each other and added: it
  /// has to be zero times a finite number. One pair of dimensions of operands 0
  /// and 1.
  void requireZeroProduct(int64_t dim0, int64_t dim1);
  /// True if a marker says how much of a dimension of a result is real: then
  /// the rule need not.
  bool isMarked(unsigned number, int64_t dim);
  /// Windows that slide along a dimension.
  struct Windows {
    int64_t kernel, stride, dilation, low, high;
  };
  /// Dimension `to` of the result has an element per window on dimension `from`
  /// of operand 0; `read` gets that if windows reach padding of it. False if
  /// the rule is to run again.
  bool addWindows(int64_t from, int64_t to, const Windows &windows,
                  SmallVectorImpl<int64_t> &read);
  /// The reverse: the result has the elements under the windows. Fails if
  /// nothing says how many.
  bool addUnderWindows(int64_t from, int64_t to, const Windows &windows);
  /// Only a marker would say it.
  void failWithoutSize(int64_t dim, int64_t stride) {
    fail("dimension " + Twine(dim) +
         " of operand 0 is padded, and with a stride of " + Twine(stride) +
         " the valid size of the result is unknown; add gaudi.valid");
  }
  /// Positions along the dimension are meant: real elements come first. If they
  /// do not, false: the operand is compacted, and the rule runs again.
  bool requirePrefix(unsigned operand, int64_t dim, StringRef why);
  /// True if the op counts positions with padding.
  bool countsPadding() const { return op->hasAttr(paddedIndicesAttrName); }
  /// True if a scatter of rows that counts positions with padding does so in
  /// dimensions that are not collapsed themselves; fails if not.
  bool requireOwnDims();
  /// A dimension of an operand that is real as far as is known is padded where
  /// that of another operand is, which has its elements at the same positions.
  void alignPadding(unsigned operand, unsigned other, int64_t dim);
  /// The same as requirePrefix, also of ops that count padding elsewhere.
  bool compact(unsigned operand, int64_t dim, StringRef why);
  /// Indices in an operand point to real elements of dimension `dim` of
  /// another one, or outside it.
  void requireBound(unsigned operand, unsigned data, int64_t dim);
  /// Padding along no dimension but those in `allowed`.
  bool requireReal(unsigned operand, ArrayRef<int64_t> allowed, StringRef why);
  /// A prefix of `extent` elements of `size`.
  DimPadding prefix(int64_t size, AffineExpr extent, TypedAttr content = {});
  /// True if some factor along `dims` of the operand is padded.
  bool isPadded(unsigned operand, ArrayRef<int64_t> dims) const {
    return llvm::any_of(dims,
                        [&](int64_t dim) { return in(operand).isPadded(dim); });
  }

  Operation *op;
  SmallVector<const PaddingState *> operands;
  const SymbolSizes &sizes;
  OpPadding out;

  /// How many dimensions have been compacted.
  size_t rounds() const { return changed.size(); }

private:
  /// States of compacted operands.
  std::list<PaddingState> changed;
};

/// Why an operand that indices point into is compacted.
constexpr StringLiteral indicesCount = "indices count its elements";

/// True if all numbers of `value` are known to be less than `extent`.
bool isIndexBelow(Value value, AffineExpr extent, const SymbolSizes &sizes);

// Each returns false if it has no rule for the op.
bool addElementwiseRule(PaddingRule &rule);
bool addMoveRule(PaddingRule &rule);
bool addReshapeRule(PaddingRule &rule);
bool addAxisRule(PaddingRule &rule);
bool addWindowRule(PaddingRule &rule);
bool addOptimizerRule(PaddingRule &rule);
bool addIndexRule(PaddingRule &rule);
bool addMatrixRule(PaddingRule &rule);
bool addAttentionRule(PaddingRule &rule);
bool addKernelRule(PaddingRule &rule);

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_SHAPES_PADDINGRULES_H
