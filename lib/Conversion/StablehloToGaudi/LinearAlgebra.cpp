// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cholesky and triangular_solve.
#include "../Common/LinearAlgebra.h"
#include "Converter.h"

using namespace mlir;
using namespace gaudi;

static Value fromMatrices(Operation *op, Value x, bool isTransposed,
                          HloBuilder &b) {
  RankedTensorType type = tensorType(op->getResult(0));
  if (isTransposed)
    x = b.transpose(x, {0, 2, 1});
  return b.cast(b.reshape(x, type.getShape()), type.getElementType());
}

static LogicalResult checkMatrices(Operation *op, HloMatcher &m) {
  Type element = getElementTypeOrSelf(op->getResult(0));
  if (!isFloatElement(element))
    return m.refuse("it is not defined for element type '" + spelled(element) +
                    "'");
  RankedTensorType a = tensorType(op->getOperand(0));
  if (a.getElementType() != element || a.getRank() < 2 ||
      a.getShape().back() != a.getDimSize(a.getRank() - 2))
    return m.refuse("operand 0 must be square matrices of type '" +
                    spelled(element) + "'");
  if (a.getShape().back() > maxEliminationSteps)
    return m.refuse("matrices of " + Twine(a.getShape().back()) +
                    " rows need as many kernels; there are at most " +
                    Twine(maxEliminationSteps));
  for (StringRef name : {"lower", "left_side", "unit_diagonal"})
    if (Attribute value = op->getAttr(name); value && !isa<BoolAttr>(value))
      return m.refuse("attribute '" + name + "' must be true or false");
  return success();
}

static void remarkSteps(Operation *op, int64_t steps, HloBuilder &b) {
  b.remarkKernel(op, "the device has no such op; " + Twine(steps) +
                         " kernels run one after the other");
}

static bool flag(Operation *op, StringRef name) {
  auto value = op->getAttrOfType<BoolAttr>(name);
  return value && value.getValue();
}

/// a = l l^T, column by column; the other triangle is not read, and zero.
HloMatch gaudi::matchCholesky(Operation *op, HloMatcher &m) {
  if (failed(m.checkSameShapes()) || failed(checkMatrices(op, m)))
    return failure();
  return build([op](HloBuilder &b) {
    const bool isUpper = !flag(op, "lower");
    // An upper triangle is the transpose of a lower one.
    Value l = asMatrices(b, op->getOperand(0), isUpper);
    remarkSteps(op, tensorType(l).getDimSize(1), b);
    l = choleskyFactor(b, op->getName().getStringRef(), l);
    return fromMatrices(op, l, isUpper, b);
  });
}

/// a x = b, row by row: from the first one for a lower triangle, else from the
/// last. Equations x a = b are those of the transposed matrices.
HloMatch gaudi::matchTriangularSolve(Operation *op, HloMatcher &m) {
  if (failed(checkMatrices(op, m)))
    return failure();
  RankedTensorType a = tensorType(op->getOperand(0));
  RankedTensorType right = tensorType(op->getOperand(1));
  const bool isLeft = flag(op, "left_side");
  const StringRef transposition = wordOf(op, "transpose_a");
  if (transposition != "NO_TRANSPOSE" && transposition != "TRANSPOSE" &&
      transposition != "ADJOINT")
    return m.refuse("attribute 'transpose_a' must be NO_TRANSPOSE, TRANSPOSE "
                    "or ADJOINT");
  if (right != op->getResult(0).getType() || right.getRank() != a.getRank() ||
      right.getShape().drop_back(2) != a.getShape().drop_back(2) ||
      right.getDimSize(right.getRank() - (isLeft ? 2 : 1)) !=
          a.getShape().back())
    return m.refuse("the result and operand 1 must have one type, and the "
                    "batch and rows of operand 0",
                    op->getOperand(1).getLoc(), "operand 1");
  // x a = b is a^T x^T = b^T: one transposition more.
  const bool isTransposed = (transposition != "NO_TRANSPOSE") == isLeft;
  const bool isLower = flag(op, "lower") != isTransposed;
  return build([=](HloBuilder &b) {
    Value matrix = asMatrices(b, op->getOperand(0), isTransposed);
    Value x = asMatrices(b, op->getOperand(1), !isLeft);
    remarkSteps(op, tensorType(x).getDimSize(1), b);
    x = solveTriangular(b, op->getName().getStringRef(), matrix, x, isLower,
                        flag(op, "unit_diagonal"));
    return fromMatrices(op, x, !isLeft, b);
  });
}
