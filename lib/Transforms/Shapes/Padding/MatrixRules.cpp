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

/// What convolutions and gradients of their input need: a filter that is real
/// but for its channels, along which padding adds nothing. False after failing.
static bool addChannels(PaddingRule &rule, int64_t groups, int64_t channels,
                        Letters w, char contracted, char grouped) {
  rule.requireReal(w.operand, {w.at('O'), w.at('I')},
                   "and it is the size of a filter");
  if (groups != 1 &&
      (rule.isPadded(0, {channels}) || rule.isPadded(1, {w.at(grouped)}))) {
    rule.fail("channels of groups are padded");
    return false;
  }
  rule.setSameDims();
  if (groups == 1)
    rule.requireZeroProduct(channels, w.at(contracted));
  return true;
}

/// The windows along a spatial dimension.
template <typename Op>
static PaddingRule::Windows windowsOf(Op op, Letters w, size_t s, char letter) {
  return {tensorType(op.getFilter()).getDimSize(w.at(letter)),
          op.getStrides()[s], op.getDilations()[s], op.getPadLow()[s],
          op.getPadHigh()[s]};
}

static void addConvolution(PaddingRule &rule, ConvOp op) {
  const Letters x{0, op.getInputLayout()}, w{1, op.getFilterLayout()},
      y{2, op.getOutputLayout()};
  if (!addChannels(rule, op.getGroups(), x.at('C'), w, 'I', 'O'))
    return;
  SmallVector<int64_t> spatial;
  for (auto [s, letter] :
       llvm::enumerate(spatialLetters(op.getStrides().size())))
    if (!rule.addWindows(x.at(letter), y.at(letter),
                         windowsOf(op, w, s, letter), spatial))
      return;
  rule.require(0, spatial, zeroOf(rule.elementOf(0)), isZero);
}

static void addInputGrad(PaddingRule &rule, ConvInputGradOp op) {
  const Letters dy{0, op.getOutputLayout()}, w{1, op.getFilterLayout()},
      dx{2, op.getInputLayout()};
  if (!addChannels(rule, op.getGroups(), dy.at('C'), w, 'O', 'I'))
    return;
  SmallVector<int64_t> spatial;
  for (auto [s, letter] :
       llvm::enumerate(spatialLetters(op.getStrides().size()))) {
    spatial.push_back(dy.at(letter));
    if (!rule.addUnderWindows(dy.at(letter), dx.at(letter),
                              windowsOf(op, w, s, letter)))
      return;
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
