// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of products of matrices and convolutions.
#include "Gaudi/Dialect/Convolution.h"
#include "Gaudi/Dialect/MatrixOrders.h"
#include "PaddingRules.h"

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

using Role = Convolution::Role;

/// The dimension of a letter.
static int64_t dimOf(const ConvTensor &tensor, char letter) {
  return tensor.layout.find(letter);
}

/// Channels of groups are not told apart once they are padded: `letters` of the
/// operands. True if that is the case, which fails.
static bool failForGroups(PaddingRule &rule, const Convolution &conv,
                          StringRef letters) {
  const bool isPadded =
      conv.groups != 1 && (rule.isPadded(0, {dimOf(conv.at(0), letters[0])}) ||
                           rule.isPadded(1, {dimOf(conv.at(1), letters[1])}));
  if (isPadded)
    rule.fail("channels of groups are padded");
  return isPadded;
}

/// y of x and w, or x of y and w.
static void addActivation(PaddingRule &rule, const Convolution &conv) {
  const bool isForward = resultOf(conv.kind) == Role::Y;
  const ConvTensor &from = conv.at(0), &w = conv.w, &to = conv.at(2);
  // Padding between the channels of x and their filters, spatial padding of the
  // filter.
  rule.requireReal(1, {dimOf(w, 'O'), dimOf(w, 'I')},
                   "and it is the size of a filter");
  if (failForGroups(rule, conv, isForward ? "CO" : "CI"))
    return;
  rule.setSameDims();
  if (conv.groups == 1)
    rule.requireZeroProduct(dimOf(from, 'C'), dimOf(w, isForward ? 'I' : 'O'));
  SmallVector<int64_t> spatial;
  for (auto [s, letter] :
       llvm::enumerate(spatialLetters(conv.strides.size()))) {
    const int64_t dim = dimOf(from, letter), made = dimOf(to, letter);
    const PaddingRule::Windows windows = {w.type().getDimSize(dimOf(w, letter)),
                                          conv.strides[s], conv.dilations[s],
                                          conv.padLow[s], conv.padHigh[s]};
    if (!isForward)
      spatial.push_back(dim);
    if (isForward ? !rule.addWindows(dim, made, windows, spatial)
                  : !rule.addUnderWindows(dim, made, windows))
      return;
  }
  rule.require(0, spatial, zeroOf(rule.elementOf(0)), isZero);
}

/// w of x and y.
static void addFilter(PaddingRule &rule, const Convolution &conv) {
  if (failForGroups(rule, conv, "CC"))
    return;
  rule.setSameDims();
  rule.requireZeroProduct(dimOf(conv.at(0), 'N'), dimOf(conv.at(1), 'N'));
  // Windows at padding of dy read x, those at its end padding of x.
  SmallVector<int64_t> spatial[2];
  for (char letter : spatialLetters(conv.strides.size()))
    for (unsigned operand : {0, 1}) {
      spatial[operand].push_back(dimOf(conv.at(operand), letter));
      if (!rule.requirePrefix(operand, spatial[operand].back(),
                              "windows go over it"))
        return;
    }
  for (unsigned operand : {0, 1})
    rule.require(operand, spatial[operand], zeroOf(rule.elementOf(operand)),
                 isZero);
}

bool gaudi::addMatrixRule(PaddingRule &rule) {
  if (auto gemm = dyn_cast<GemmOp>(rule.op))
    return addProduct(rule, gemm), true;
  const std::optional<Convolution> conv = Convolution::of(rule.op);
  if (!conv)
    return false;
  if (resultOf(conv->kind) == Role::W)
    addFilter(rule, *conv);
  else
    addActivation(rule, *conv);
  return true;
}
