// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of pools, their gradients, and resampling.
#include "Gaudi/Dialect/TrainingOps.h"
#include "PaddingEditor.h"
#include "PaddingRules.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gaudi;

/// The sum of each window, divided by how many real elements it has: the sum of
/// ones in their place.
static void divideByReal(Operation *op, PaddingEditor &editor,
                         ArrayRef<Condition> conditions) {
  auto pool = cast<PoolOp>(op);
  replaceInF32(op, [&](OpBuilder &builder, Value operand) -> Value {
    const Location loc = op->getLoc();
    const Type f32 = builder.getF32Type();
    auto sum = [&](Value operand, RankedTensorType type) -> Value {
      return PoolOp::create(
          builder, loc, type, PoolKind::Sum, operand, pool.getLayout(),
          pool.getKernel(), pool.getStrides(), pool.getDilations(),
          pool.getPadLow(), pool.getPadHigh(), /*count_include_pad=*/false,
          /*ignore_nan=*/false);
    };
    RankedTensorType type = pool.getType();
    SmallVector<int64_t> from(tensorType(operand).getShape()),
        to(type.getShape());
    for (auto [dim, letter] : llvm::enumerate(pool.getLayout()))
      if (letter == 'N' || letter == 'C')
        from[dim] = to[dim] = 1;
    Value ones = FillOp::create(builder, loc, RankedTensorType::get(from, f32),
                                builder.getF32FloatAttr(1), Engine::Unplaced);
    ones = editor.masked(builder, loc, ones, conditions,
                         builder.getF32FloatAttr(0));
    return DivOp::create(builder, loc, type.clone(f32),
                         sum(operand, type.clone(f32)),
                         sum(ones, RankedTensorType::get(to, f32)));
  });
}

static void addPool(PaddingRule &rule, PoolOp op) {
  const StringRef letters = spatialLetters(op.getKernel().size());
  const Type element = rule.elementOf(0);
  const bool isMax = op.getKind() == PoolKind::Max,
             selects = isMax || op.getKind() == PoolKind::Min;
  SmallVector<int64_t> spatial;
  rule.setSameDims();
  for (auto [dim, letter] : llvm::enumerate(op.getLayout())) {
    const size_t s = letters.find(letter);
    if (s != StringRef::npos &&
        !rule.addWindows(dim, dim,
                         {op.getKernel()[s], op.getStrides()[s],
                          op.getDilations()[s], op.getPadLow()[s],
                          op.getPadHigh()[s]},
                         spatial))
      return;
  }
  rule.require(0, spatial,
               !selects ? zeroOf(element)
               : isMax  ? lowestOf(element)
                        : highestOf(element),
               [&](TypedAttr content) { return !selects && isZero(content); });
  if (op.getKind() != PoolKind::Avg || op.getCountIncludePad())
    return;
  SmallVector<Condition> conditions;
  for (int64_t dim : spatial)
    rule.in(0).addConditions(dim, conditions);
  if (!conditions.empty())
    rule.setEdit("divided sums of windows by their numbers of real elements",
                 [=](Operation *op, PaddingEditor &editor) {
                   divideByReal(op, editor, conditions);
                 });
}

/// Windows of padding have no gradient, and select no real element.
static void addPoolGrad(PaddingRule &rule, PoolGradOp op) {
  const StringRef letters = spatialLetters(op.getKernel().size());
  const bool selects = bool(op.getOperand());
  SmallVector<int64_t> spatial, read;
  rule.setSameDims();
  for (auto [dim, letter] : llvm::enumerate(op.getLayout())) {
    const size_t s = letters.find(letter);
    if (s == StringRef::npos)
      continue;
    for (unsigned operand = 0; operand < rule.operands.size(); ++operand)
      if (!rule.requirePrefix(operand, dim, "windows go over it"))
        return;
    spatial.push_back(dim);
    if (selects) {
      rule.result().dims[dim] = rule.same(1, dim);
      if (op.getPadHigh()[s] > 0)
        read.push_back(dim);
      continue;
    }
    if (!rule.addUnderWindows(dim, dim,
                              {op.getKernel()[s], op.getStrides()[s],
                               /*dilation=*/1, op.getPadLow()[s],
                               op.getPadHigh()[s]}))
      return;
  }
  const Type element = rule.elementOf(0);
  rule.require(0, spatial, zeroOf(element), isZero);
  if (selects)
    rule.require(1, read,
                 op.getKind() == PoolKind::Max ? lowestOf(element)
                                               : highestOf(element));
}

/// Positions past the last real element are those of the last one.
static void addResize(PaddingRule &rule, ResizeOp op) {
  SmallVector<std::pair<int64_t, AffineExpr>> repeated;
  rule.setSameDims();
  for (int64_t dim : {1, 2}) {
    if (!rule.in(0).isPadded(dim))
      continue;
    if (!rule.requirePrefix(0, dim, "positions in it are computed"))
      return;
    // The last position is `border / n` past the last element, for each size.
    const int64_t n = op.getScale()[2 * (dim - 1)],
                  d = op.getScale()[2 * dim - 1],
                  offset = op.getOffset()[dim - 1];
    const AffineExpr extent = rule.in(0).dims[dim].front().extent;
    const int64_t from = tensorType(op.getOperand()).getDimSize(dim),
                  to = op.getType().getDimSize(dim);
    const int64_t border = (to - 1) * d + offset - (from - 1) * n;
    const AffineExpr last = (extent - 1) * n + (border - offset);
    repeated.push_back({dim, extent});
    if (rule.isMarked(0, dim))
      continue;
    if (!rule.sizes.isMultiple(last, d))
      return rule.failWithoutSize(dim, d);
    rule.result().dims[dim] = rule.prefix(to, last.floorDiv(d) + 1);
  }
  if (repeated.empty())
    return;
  rule.setEdit("repeated the last real elements in the padding",
               [=](Operation *op, PaddingEditor &editor) {
                 editor.repeatLast(op, repeated);
               });
}

bool gaudi::addWindowRule(PaddingRule &rule) {
  return llvm::TypeSwitch<Operation *, bool>(rule.op)
      .Case([&](PoolOp op) { return addPool(rule, op), true; })
      .Case([&](PoolGradOp op) { return addPoolGrad(rule, op), true; })
      .Case([&](ResizeOp op) { return addResize(rule, op), true; })
      .Default(false);
}
