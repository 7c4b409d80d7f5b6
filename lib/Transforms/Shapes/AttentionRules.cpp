// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of attention: padded keys are no keys.
#include "Gaudi/Dialect/AttentionOps.h"
#include "PaddingEditor.h"
#include "PaddingRules.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// The factors of each letter, as the tensors of an attention have them.
class AttentionDims {
public:
  explicit AttentionDims(PaddingRule &rule) : rule(rule) {}

  /// Reads the dimensions of an operand; `letters` renames those of `layout`.
  void add(Value value, StringRef letters) {
    for (OpOperand &operand : rule.op->getOpOperands())
      if (operand.get() == value)
        for (auto [dim, letter] : llvm::enumerate(letters))
          if (tensorType(value).getDimSize(dim) != 1)
            dims[letter].push_back({operand.getOperandNumber(), int64_t(dim)});
  }
  DimPadding of(char letter, int64_t size) {
    return rule.common(dims[letter], size);
  }
  /// Pairs of operand and dimension that have the letter.
  ArrayRef<std::pair<unsigned, int64_t>> with(char letter) {
    return dims[letter];
  }

private:
  PaddingRule &rule;
  DenseMap<char, SmallVector<std::pair<unsigned, int64_t>>> dims;
};
} // namespace

/// The layout with L as `length` and D as `depth`.
static std::string named(StringRef layout, char length, char depth) {
  std::string letters = layout.str();
  std::replace(letters.begin(), letters.end(), 'L', length);
  std::replace(letters.begin(), letters.end(), 'D', depth);
  return letters;
}

/// The mask's dimensions [N, H, L, S].
static StringRef scoreLetters(int64_t rank) {
  return rank == 3 ? "NLS" : "NHLS";
}

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
  dims.add(op.getQuery(), named(queryLayoutOf(op), 'L', 'D'));
  dims.add(op.getKey(), named(keyLayoutOf(op), 'S', 'D'));
  dims.add(op.getValue(), named(valueLayoutOf(op), 'S', 'V'));
  const int64_t rank = tensorType(op.getQuery()).getRank();
  for (Value mask : {op.getMask(), op.getDropoutMask()})
    if (mask)
      dims.add(mask, scoreLetters(rank));
  if (op.getValidLengths())
    dims.add(op.getValidLengths(), "N");
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

/// The dimensions of a tensor of the results.
static void setDims(PaddingRule &rule, Value value, StringRef letters,
                    AttentionDims &dims) {
  const unsigned number = cast<OpResult>(value).getResultNumber();
  for (auto [dim, letter] : llvm::enumerate(letters)) {
    const int64_t size = tensorType(value).getDimSize(dim);
    if (size != 1)
      rule.result(number).dims[dim] = dims.of(letter, size);
  }
}

static void addForward(PaddingRule &rule, SdpaOp op) {
  AttentionDims dims(rule);
  addAttention(rule, op, dims);
  if (rule.failed())
    return;
  const int64_t rank = tensorType(op.getQuery()).getRank();
  setDims(rule, op.getOutput(), named(outputLayoutOf(op), 'L', 'V'), dims);
  const StringRef scores = scoreLetters(rank);
  for (Value value : {op.getMaxima(), op.getInverseSums(),
                      op.getProbabilities(), op.getKept()})
    if (value)
      setDims(rule, value, scores, dims);
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
  const int64_t rank = tensorType(op.getQuery()).getRank();
  const StringRef scores = scoreLetters(rank);
  for (Value value : {op.getOutputGrad(), op.getOutput()})
    if (value)
      dims.add(value, named(outputLayoutOf(op), 'L', 'V'));
  for (Value value : {op.getM(), op.getLinv(), op.getProbabilities()})
    if (value)
      dims.add(value, scores);
  const AttentionSizes sizes = attentionSizes(op);
  const DimPadding keys = dims.of('S', sizes.keys);
  dims.of('L', sizes.queries);
  dims.of('N', sizes.batch);
  if (rule.failed())
    return;
  const Value gradients[] = {op.getQueryGrad(), op.getKeyGrad(),
                             op.getValueGrad()};
  setDims(rule, gradients[0], named(queryLayoutOf(op), 'L', 'D'), dims);
  setDims(rule, gradients[1], named(keyLayoutOf(op), 'S', 'D'), dims);
  setDims(rule, gradients[2], named(valueLayoutOf(op), 'S', 'V'), dims);
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
