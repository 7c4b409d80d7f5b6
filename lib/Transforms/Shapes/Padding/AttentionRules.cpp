// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of attention: padded keys are no keys.
#include "Gaudi/Dialect/AttentionOps.h"
#include "Gaudi/Dialect/DimMap.h"
#include "PaddingEditor.h"
#include "PaddingRules.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// The dimensions of the tensors of an attention by the names that its map
/// gives them.
class AttentionDims {
public:
  explicit AttentionDims(PaddingRule &rule)
      : rule(rule), map(cast<DimMapOpInterface>(rule.op).getDimMap()) {
    for (unsigned tensor = 0; tensor < rule.op->getNumOperands(); ++tensor)
      forEach(tensor, [&](char letter, int64_t dim) {
        dims[letter].push_back({tensor, dim});
      });
  }

  DimPadding of(char letter, int64_t size) {
    return rule.common(dims[letter], size);
  }
  /// Pairs of operand and dimension that have the letter.
  ArrayRef<std::pair<unsigned, int64_t>> with(char letter) {
    return dims[letter];
  }
  /// The dimensions of a result are those of the operands.
  void setResult(unsigned number) {
    const unsigned tensor = rule.op->getNumOperands() + number;
    forEach(tensor, [&](char letter, int64_t dim) {
      rule.result(number).dims[dim] =
          of(letter, typeOfTensor(rule.op, tensor).getDimSize(dim));
    });
  }

private:
  /// Dimensions of one element have no letter.
  void forEach(unsigned tensor,
               llvm::function_ref<void(char letter, int64_t dim)> visit) const {
    for (auto [dim, size] :
         llvm::enumerate(typeOfTensor(rule.op, tensor).getShape()))
      if (const auto &terms = map.of(tensor).dims[dim].terms;
          size != 1 && !terms.empty())
        visit(char(map.factors[terms.front().factor].name), int64_t(dim));
  }

  PaddingRule &rule;
  const DimMap map;
  DenseMap<char, SmallVector<std::pair<unsigned, int64_t>>> dims;
};
} // namespace

/// Keys from `extent` on do not exist.
template <typename Op>
static void limitKeys(Operation *operation, PaddingEditor &editor,
                      AffineExpr extent) {
  auto op = cast<Op>(operation);
  OpBuilder builder(op);
  const Location loc = op->getLoc();
  const auto type =
      RankedTensorType::get({attentionSizes(op).batch}, builder.getI32Type());
  Value lengths = BroadcastOp::create(
      builder, loc, type, editor.extent(builder, loc, extent, 1),
      builder.getDenseI64ArrayAttr({0}), Engine::Unplaced);
  if (Value own = op.getValidLengths())
    lengths = MinOp::create(builder, loc, type, own, lengths);
  op.getValidLengthsMutable().assign(lengths);
}

/// What both ops say: dimensions of the operands, and limits of the keys.
template <typename Op>
static void addAttention(PaddingRule &rule, Op op, AttentionDims &dims) {
  const AttentionSizes sizes = attentionSizes(op);
  for (auto [letter, size] :
       {std::pair('D', sizes.depth), std::pair('V', sizes.valueDepth)})
    if (isPadded(dims.of(letter, size)))
      rule.fail("dimension D of an operand is padded: sizes of heads must be "
                "static");
  // Heads are independent, as images are, unless groups of them share keys.
  if (sizes.keyHeads != 1 && sizes.keyHeads != sizes.heads)
    for (auto [operand, dim] : dims.with('H'))
      if (rule.in(operand).isPadded(dim))
        rule.fail("heads are padded, of which groups share keys");
  // Elements to drop are numbered as the program's tensor has them.
  if (!op.getDropout().isZero() && !op.getDropoutMask() &&
      llvm::any_of(rule.operands,
                   [](const PaddingState *s) { return s->isPadded(); }))
    rule.fail("elements that dropout keeps are numbered over padding as well; "
              "a dropout_mask would say which they are");
  // Positions of queries and keys are compared.
  if (op.getCausal() || op.getWindow())
    for (auto [operand, dim] : dims.with('L'))
      rule.requirePrefix(operand, dim, "keys are visible by positions in it");
  const DimPadding keys = dims.of('S', sizes.keys);
  if (rule.failed() || !isPadded(keys))
    return;
  for (auto [operand, dim] : dims.with('S'))
    if (!rule.requirePrefix(operand, dim, "keys come before their padding"))
      return;
  if (op.getPadding() == PaddingSide::Left)
    return rule.fail("its valid keys are the last ones, and padding comes "
                     "after them");
}

static void addForward(PaddingRule &rule, SdpaOp op) {
  AttentionDims dims(rule);
  addAttention(rule, op, dims);
  if (rule.failed())
    return;
  for (unsigned result = 0; result < op->getNumResults(); ++result)
    dims.setResult(result);
  const bool isPaddedQuery =
      isPadded(dims.of('L', attentionSizes(op).queries)) ||
      isPadded(dims.of('N', attentionSizes(op).batch));
  if (isPaddedQuery && (op.getAmaxS() || op.getAmaxO()))
    return rule.fail("the largest magnitude would be that of padding");
  const DimPadding keys = dims.of('S', attentionSizes(op).keys);
  if (!isPadded(keys))
    return;
  const AffineExpr extent = keys.front().extent;
  rule.setEdit("limited keys to " + rule.sizes.text(extent) +
                   " by valid_lengths",
               [=](Operation *op, PaddingEditor &editor) {
                 limitKeys<SdpaOp>(op, editor, extent);
               });
}

static void addGradient(PaddingRule &rule, SdpaGradOp op) {
  AttentionDims dims(rule);
  addAttention(rule, op, dims);
  const AttentionSizes sizes = attentionSizes(op);
  const DimPadding keys = dims.of('S', sizes.keys);
  dims.of('L', sizes.queries);
  dims.of('N', sizes.batch);
  if (rule.failed())
    return;
  for (unsigned result = 0; result < op->getNumResults(); ++result)
    dims.setResult(result);
  // Gradients of keys and values are sums over queries, those of queries over
  // keys, and both over shared images: all of it is zero in padding.
  for (OpOperand &operand : op->getOpOperands())
    if (isa<FloatType>(getElementTypeOrSelf(operand.get()))) {
      const unsigned number = operand.getOperandNumber();
      SmallVector<int64_t> padded;
      for (int64_t dim = 0; dim < int64_t(rule.in(number).dims.size()); ++dim)
        padded.push_back(dim);
      rule.require(number, padded, zeroOf(rule.elementOf(number)), isZero);
    }
  if (!isPadded(keys) || op.getProbabilities())
    return;
  const AffineExpr extent = keys.front().extent;
  rule.setEdit("limited keys to " + rule.sizes.text(extent) +
                   " by valid_lengths",
               [=](Operation *op, PaddingEditor &editor) {
                 limitKeys<SdpaGradOp>(op, editor, extent);
               });
}

bool gaudi::addAttentionRule(PaddingRule &rule) {
  if (auto op = dyn_cast<SdpaOp>(rule.op))
    return addForward(rule, op), true;
  if (auto op = dyn_cast<SdpaGradOp>(rule.op))
    return addGradient(rule, op), true;
  return false;
}
