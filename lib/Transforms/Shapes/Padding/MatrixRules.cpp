// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of products of matrices and convolutions.
#include "Gaudi/Dialect/MatrixOrders.h"
#include "PaddingRules.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gaudi;

static void addProduct(PaddingRule &rule, GemmOp op) {
  if (hasOrders(op))
    return rule.fail("operands are stored in other orders already");
  rule.setSameDims();
  const int64_t row = op.getType().getRank() - 2, column = row + 1;
  rule.requireZeroProduct(op.getTransposeA() ? row : column,
                          op.getTransposeB() ? column : row);
}

namespace {
/// Dimensions of a tensor by the letters of a layout.
struct Letters {
  unsigned operand;
  StringRef layout;
  int64_t at(char letter) const { return layout.find(letter); }
};
} // namespace

/// Padding between the channels of x and their filters, spatial padding of the
/// filter.
static void requireRealFilter(PaddingRule &rule, Letters w) {
  rule.requireReal(w.operand, {w.at('O'), w.at('I')},
                   "and it is the size of a filter");
}

static void addConvolution(PaddingRule &rule, ConvOp op) {
  const Letters x{0, op.getInputLayout()}, w{1, op.getFilterLayout()},
      y{2, op.getOutputLayout()};
  PaddingState &result = rule.result();
  requireRealFilter(rule, w);
  if (op.getGroups() != 1 &&
      (rule.isPadded(0, {x.at('C')}) || rule.isPadded(1, {w.at('O')})))
    return rule.fail("channels of groups are padded");
  rule.setSameDims();
  if (op.getGroups() == 1)
    rule.requireZeroProduct(x.at('C'), w.at('I'));
  SmallVector<int64_t> spatial;
  for (auto [s, letter] :
       llvm::enumerate(spatialLetters(op.getStrides().size()))) {
    const int64_t from = x.at(letter), to = y.at(letter);
    if (!rule.in(0).isPadded(from))
      continue;
    if (!rule.requirePrefix(0, from, "windows go over it"))
      return;
    // Real windows reach padding where the program has its own zeros, if any.
    if (op.getPadHigh()[s] > 0)
      spatial.push_back(from);
    const int64_t kernel = tensorType(op.getFilter()).getDimSize(w.at(letter));
    const AffineExpr size = rule.in(0).dims[from].front().extent;
    const int64_t reach = (kernel - 1) * op.getDilations()[s] + 1;
    result.dims[to] =
        rule.prefix(op.getType().getDimSize(to),
                    (size + (op.getPadLow()[s] + op.getPadHigh()[s] - reach))
                            .floorDiv(op.getStrides()[s]) +
                        1);
  }
  rule.require(0, spatial, zeroOf(rule.elementOf(0)), isZero);
}

static void addInputGrad(PaddingRule &rule, ConvInputGradOp op) {
  const Letters dy{0, op.getOutputLayout()}, w{1, op.getFilterLayout()},
      dx{2, op.getInputLayout()};
  PaddingState &result = rule.result();
  requireRealFilter(rule, w);
  if (op.getGroups() != 1 &&
      (rule.isPadded(0, {dy.at('C')}) || rule.isPadded(1, {w.at('I')})))
    return rule.fail("channels of groups are padded");
  rule.setSameDims();
  if (op.getGroups() == 1)
    rule.requireZeroProduct(dy.at('C'), w.at('O'));
  SmallVector<int64_t> spatial;
  for (auto [s, letter] :
       llvm::enumerate(spatialLetters(op.getStrides().size()))) {
    const int64_t from = dy.at(letter), to = dx.at(letter);
    if (!rule.in(0).isPadded(from))
      continue;
    if (!rule.requirePrefix(0, from, "windows go over it"))
      return;
    spatial.push_back(from);
    if (rule.isMarked(0, to))
      continue;
    if (op.getStrides()[s] != 1)
      return rule.failWithoutSize(from, op.getStrides()[s]);
    const int64_t kernel = tensorType(op.getFilter()).getDimSize(w.at(letter));
    const int64_t reach = (kernel - 1) * op.getDilations()[s];
    result.dims[to] =
        rule.prefix(op.getType().getDimSize(to),
                    rule.in(0).dims[from].front().extent +
                        (reach - op.getPadLow()[s] - op.getPadHigh()[s]));
  }
  rule.require(0, spatial, zeroOf(rule.elementOf(0)), isZero);
}

static void addWeightGrad(PaddingRule &rule, ConvWeightGradOp op) {
  const Letters x{0, op.getInputLayout()}, dy{1, op.getOutputLayout()};
  if (op.getGroups() != 1 &&
      (rule.isPadded(0, {x.at('C')}) || rule.isPadded(1, {dy.at('C')})))
    return rule.fail("channels of groups are padded");
  rule.setSameDims();
  rule.requireZeroProduct(x.at('N'), dy.at('N'));
  // Windows at padding of dy read x, those at its end padding of x.
  SmallVector<int64_t> spatialX, spatialDy;
  for (char letter : spatialLetters(op.getStrides().size())) {
    spatialX.push_back(x.at(letter));
    spatialDy.push_back(dy.at(letter));
    if (!rule.requirePrefix(0, spatialX.back(), "windows go over it") ||
        !rule.requirePrefix(1, spatialDy.back(), "windows go over it"))
      return;
  }
  rule.require(0, spatialX, zeroOf(rule.elementOf(0)), isZero);
  rule.require(1, spatialDy, zeroOf(rule.elementOf(1)), isZero);
}

bool gaudi::addMatrixRule(PaddingRule &rule) {
  return llvm::TypeSwitch<Operation *, bool>(rule.op)
      .Case([&](GemmOp op) { return addProduct(rule, op), true; })
      .Case([&](ConvOp op) { return addConvolution(rule, op), true; })
      .Case([&](ConvInputGradOp op) { return addInputGrad(rule, op), true; })
      .Case([&](ConvWeightGradOp op) { return addWeightGrad(rule, op), true; })
      .Default(false);
}
