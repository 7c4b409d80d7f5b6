// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cholesky and triangular_solve: one kernel per column or row, which eliminates
// it from what is left. Points of a kernel do not see each other's results.
#include "Converter.h"

using namespace mlir;
using namespace gaudi;

/// Kernels of one op at most: the rows of a matrix.
static constexpr int64_t maxSteps = 1024;

namespace {
/// The kernel of one step at matrices (batch, rows, columns).
class Step {
public:
  Step(KernelBuilder &k, int64_t number) : k(k), number(number) {}

  Value row() { return k.index(1); }
  Value column() { return k.index(2); }
  Value compare(arith::CmpIPredicate predicate, Value index) {
    Value own = k.intConstant(number, k.getBuilder().getI64Type());
    return arith::CmpIOp::create(k.getBuilder(), k.getLoc(), predicate, index,
                                 own);
  }
  /// The element of the point, or of the step's row or column instead.
  Value own(unsigned input) { return load(input, k.dim(1), k.dim(2)); }
  Value inRow(unsigned input, AffineExpr column) {
    return load(input, k.cst(number), column);
  }
  Value inColumn(unsigned input, AffineExpr row) {
    return load(input, row, k.cst(number));
  }
  Value pivot(unsigned input) { return inRow(input, k.cst(number)); }
  Value eliminate(Value value, Value a, Value b) {
    return k.binary<arith::SubFOp>(value, k.binary<arith::MulFOp>(a, b));
  }

private:
  Value load(unsigned input, AffineExpr row, AffineExpr column) {
    return k.load(input, {k.dim(0), row, column});
  }

  KernelBuilder &k;
  int64_t number;
};
} // namespace

/// As f32 matrices (batch, rows, columns), transposed if asked for.
static Value asMatrices(Value x, bool isTransposed, HloBuilder &b) {
  ArrayRef<int64_t> shape = tensorType(x).getShape();
  const int64_t batch = llvm::product_of(shape.drop_back(2));
  const int64_t rows = shape[shape.size() - 2], columns = shape.back();
  x = b.reshape(b.cast(x, b.getF32Type()), {batch, rows, columns});
  return isTransposed ? b.transpose(x, {0, 2, 1}) : x;
}

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
  if (a.getShape().back() > maxSteps)
    return m.refuse("matrices of " + Twine(a.getShape().back()) +
                    " rows need as many kernels; there are at most " +
                    Twine(maxSteps));
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
    Value l = asMatrices(op->getOperand(0), isUpper, b);
    RankedTensorType type = tensorType(l);
    const int64_t size = type.getDimSize(1);
    remarkSteps(op, size, b);
    // A kernel per column: each point reads the whole of the column before.
    for (int64_t column = 0; column < size; ++column)
      l = b.pointKernel(op, type, l, {}, [&](KernelBuilder &k) {
        using P = arith::CmpIPredicate;
        Step step(k, column);
        Value pivot = step.pivot(0);
        Value left = step.inColumn(0, k.dim(1));
        Value scaled =
            k.binary<arith::DivFOp>(left, k.unary<math::SqrtOp>(pivot));
        Value above =
            k.binary<arith::DivFOp>(step.inColumn(0, k.dim(2)), pivot);
        Value rest = step.eliminate(step.own(0), left, above);
        Value isIn = step.compare(P::sge, step.row());
        // Rows above the column are zero; columns before it are done.
        Value isOwn = step.compare(P::eq, step.column());
        Value isBehind = step.compare(P::sgt, step.column());
        Value done = k.select(isIn, scaled, k.floatConstant(0));
        return k.select(isOwn, done, k.select(isBehind, rest, step.own(0)));
      });
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
    Value matrix = asMatrices(op->getOperand(0), isTransposed, b);
    Value x = asMatrices(op->getOperand(1), !isLeft, b);
    RankedTensorType type = tensorType(x);
    const int64_t size = type.getDimSize(1);
    remarkSteps(op, size, b);
    // A lower triangle is solved from its first row, an upper one from its
    // last.
    for (int64_t i = 0; i < size; ++i) {
      const int64_t row = isLower ? i : size - 1 - i;
      x = b.pointKernel(op, type, {matrix, x}, {}, [&](KernelBuilder &k) {
        using P = arith::CmpIPredicate;
        Step step(k, row);
        Value solved = step.inRow(1, k.dim(2));
        if (!flag(op, "unit_diagonal"))
          solved = k.binary<arith::DivFOp>(solved, step.pivot(0));
        Value rest =
            step.eliminate(step.own(1), step.inColumn(0, k.dim(1)), solved);
        Value isOwn = step.compare(P::eq, step.row());
        Value isOpen = step.compare(isLower ? P::sgt : P::slt, step.row());
        return k.select(isOwn, solved, k.select(isOpen, rest, step.own(1)));
      });
    }
    return fromMatrices(op, x, !isLeft, b);
  });
}
