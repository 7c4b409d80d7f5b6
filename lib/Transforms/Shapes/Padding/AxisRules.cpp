// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of reductions, scans, sorting and reversal.
#include "PaddingEditor.h"
#include "PaddingRules.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gaudi;

/// The dimensions of a reduction's result: those of the operand that are not in
/// `dims`, or 1 in their place.
static SmallVector<std::optional<int64_t>>
keptDims(int64_t rank, ArrayRef<int64_t> dims, bool keepDims) {
  SmallVector<std::optional<int64_t>> kept;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(dims, dim))
      kept.push_back(dim);
    else if (keepDims)
      kept.push_back(std::nullopt);
  return kept;
}

/// A sum of the operand over its real elements, divided by how many there are.
static void divideByCount(Operation *op, PaddingEditor &editor,
                          AffineExpr count) {
  auto reduce = cast<ReduceOp>(op);
  replaceInF32(op, [&](OpBuilder &builder, Value operand) -> Value {
    const Location loc = op->getLoc();
    const RankedTensorType type = reduce.getType().clone(builder.getF32Type());
    const Value sum =
        ReduceOp::create(builder, loc, type, ReduceKind::Sum, operand,
                         reduce.getDims(), reduce.getKeepDims());
    const Value extent = editor.extent(builder, loc, count, type.getRank());
    const Value number = CastOp::create(
        builder, loc, tensorType(extent).clone(builder.getF32Type()), extent,
        RoundingMode::TowardZero);
    return DivOp::create(builder, loc, type, sum, number);
  });
}

static void addReduce(PaddingRule &rule, ReduceOp op) {
  const PaddingState &from = rule.in(0);
  const ArrayRef<int64_t> dims = op.getDims();
  const Type element = op.getType().getElementType();
  const ReduceKind kind = op.getKind();
  const bool isSum = kind == ReduceKind::Sum || kind == ReduceKind::Mean;
  // Equal elements have equal reductions, if there is one at all.
  bool isNeverEmpty = true;
  AffineExpr count = rule.sizes.constant(1);
  for (int64_t dim : dims) {
    count = rule.sizes.simplify(count * extentOf(from.dims[dim], rule.sizes));
    isNeverEmpty &=
        rule.sizes.rangeOf(extentOf(from.dims[dim], rule.sizes)).low > 0;
  }
  auto reduced = [&](TypedAttr content) -> TypedAttr {
    const bool selects = !isSum && kind != ReduceKind::Prod;
    return content && isNeverEmpty && (selects || (isSum && isZero(content)))
               ? content
               : TypedAttr();
  };
  for (auto [to, dim] :
       llvm::enumerate(keptDims(from.dims.size(), dims, op.getKeepDims()))) {
    if (!dim)
      continue;
    rule.result().dims[to] = rule.same(0, *dim);
    for (auto [i, factor] : llvm::enumerate(rule.result().dims[to])) {
      factor.repeats = from.repeatsAt(*dim);
      factor.content = reduced(from.contentAt(*dim, i));
    }
  }
  rule.require(0, dims, neutralOf(kind, element),
               [&](TypedAttr content) { return isSum && isZero(content); });
  if (kind == ReduceKind::Mean && rule.isPadded(0, dims))
    rule.setEdit("divided the sum of real elements by their number " +
                     rule.sizes.text(count) + " instead of the static one",
                 [=](Operation *op, PaddingEditor &editor) {
                   divideByCount(op, editor, count);
                 });
}

static void addArgReduce(PaddingRule &rule, ArgReduceOp op) {
  const int64_t axis = op.getAxis();
  const Type element = rule.elementOf(0);
  rule.setSameDims();
  if (rule.requirePrefix(0, axis, "the result is a position in it"))
    // Padding comes last, so that it is not the first among equals.
    rule.require(0, {axis},
                 op.getIsMax() ? lowestOf(element) : highestOf(element));
}

static void addCumulativeSum(PaddingRule &rule, CumulativeSumOp op) {
  const int64_t axis = op.getAxis();
  PaddingState &result = rule.result();
  for (int64_t dim = 0; dim < op.getType().getRank(); ++dim) {
    result.dims[dim] = rule.same(0, dim);
    for (auto [i, factor] : llvm::enumerate(result.dims[dim]))
      if (dim != axis && isZero(rule.in(0).contentAt(dim, i)))
        factor.content = zeroOf(rule.elementOf(0));
  }
  // Zeros between real elements change no sum of those before.
  if (op.getReverse() || !isPrefix(rule.in(0).dims[axis]))
    rule.require(0, {axis}, zeroOf(rule.elementOf(0)),
                 [](TypedAttr content) { return isZero(content); });
}

/// The value that a stable sort puts after all others.
static TypedAttr lastInOrder(Type element, bool descending) {
  auto type = dyn_cast<FloatType>(element);
  if (descending)
    return lowestOf(element);
  return type ? FloatAttr::get(type, APFloat::getNaN(type.getFloatSemantics()))
              : highestOf(element);
}

static void addSort(PaddingRule &rule, int64_t axis, bool descending,
                    bool isWhole) {
  const StringRef why = "positions in it are sorted";
  for (unsigned number : {0, 1})
    for (int64_t dim = 0; dim < int64_t(rule.in(0).dims.size()); ++dim)
      if (dim != axis || isWhole)
        rule.result(number).dims[dim] = rule.same(0, dim);
  if (rule.requirePrefix(0, axis, why))
    // Real elements come first among equals.
    rule.require(0, {axis}, lastInOrder(rule.elementOf(0), descending));
}

/// Real elements in reverse order, before the padding.
static void addReverse(PaddingRule &rule, ReverseOp op) {
  SmallVector<std::pair<int64_t, AffineExpr>> moved;
  PaddingState &result = rule.result() = rule.in(0);
  for (int64_t dim : op.getDims()) {
    if (!rule.isPadded(0, {dim}))
      continue;
    if (!rule.requirePrefix(0, dim, "the order of its elements changes"))
      return;
    moved.push_back({dim, rule.in(0).dims[dim].front().extent});
  }
  if (moved.empty())
    return;
  for (DimPadding &dim : result.dims)
    for (Factor &factor : dim)
      factor.content = {};
  rule.setEdit("reversed real elements by a gather",
               [=](Operation *op, PaddingEditor &editor) {
                 auto reverse = cast<ReverseOp>(op);
                 SmallVector<int64_t> left(reverse.getDims());
                 Value value = reverse.getOperand();
                 OpBuilder builder(op);
                 for (const auto &[dim, extent] : moved) {
                   llvm::erase(left, dim);
                   IndexMath math(editor, op);
                   const int64_t size = reverse.getType().getDimSize(dim);
                   const Value index = math.max(
                       math.sub(math.extent(extent - 1), math.iota(size)),
                       math.constant(0));
                   value =
                       GatherOp::create(builder, op->getLoc(), value.getType(),
                                        value, index, dim, /*batch_dims=*/0);
                 }
                 reverse.getOperandMutable().assign(value);
                 reverse.setDims(left);
                 if (left.empty()) {
                   reverse.replaceAllUsesWith(value);
                   op->erase();
                 }
               });
}

bool gaudi::addAxisRule(PaddingRule &rule) {
  return llvm::TypeSwitch<Operation *, bool>(rule.op)
      .Case([&](ReduceOp op) { return addReduce(rule, op), true; })
      .Case([&](ArgReduceOp op) { return addArgReduce(rule, op), true; })
      .Case(
          [&](CumulativeSumOp op) { return addCumulativeSum(rule, op), true; })
      .Case([&](SortOp op) {
        return addSort(rule, op.getAxis(), op.getDescending(), true), true;
      })
      .Case([&](TopKOp op) {
        const bool isWhole =
            op.getValues().getType() == op.getOperand().getType();
        return addSort(rule, op.getAxis(), !op.getSmallest(), isWhole), true;
      })
      .Case([&](ReverseOp op) { return addReverse(rule, op), true; })
      .Default(false);
}
