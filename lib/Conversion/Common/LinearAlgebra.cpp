// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Factorizations and triangular equations by elimination.
#include "LinearAlgebra.h"

using namespace mlir;
using namespace gaudi;

using P = arith::CmpIPredicate;

namespace {
/// The kernel of one step at matrices (batch, rows, columns).
class Step {
public:
  Step(KernelBuilder &k, int64_t number) : k(k), number(number) {}

  Value row() { return k.index(1); }
  Value column() { return k.index(2); }
  Value compare(P predicate, Value index) {
    return compare(predicate, index, own());
  }
  Value compare(P predicate, Value a, Value b) {
    return arith::CmpIOp::create(k.getBuilder(), k.getLoc(), predicate, a, b);
  }
  /// The step's number.
  Value own() { return k.intConstant(number, k.getBuilder().getI64Type()); }
  /// The element of the point, or of the step's row or column instead.
  Value own(unsigned input) { return load(input, k.dim(1), k.dim(2)); }
  Value inRow(unsigned input, AffineExpr column) {
    return load(input, k.cst(number), column);
  }
  Value inColumn(unsigned input, AffineExpr row) {
    return load(input, row, k.cst(number));
  }
  Value pivot(unsigned input) { return inRow(input, k.cst(number)); }
  /// The element of a row that a value names; such rows exist.
  Value inRowAt(unsigned input, Value row, AffineExpr column) {
    const Boundary rules[] = {Boundary::Inside, Boundary::Clamp,
                              Boundary::Inside};
    return k.loadAt(input, {k.dim(0), k.cst(0), column}, {1}, row, rules);
  }
  Value eliminate(Value value, Value a, Value b) {
    return k.binary<arith::SubFOp>(value, k.binary<arith::MulFOp>(a, b));
  }
  /// The row from which row `row` comes when `first` and `second` change
  /// places.
  Value exchanged(Value row, Value first, Value second) {
    return k.select(compare(P::eq, row, first), second,
                    k.select(compare(P::eq, row, second), first, row));
  }

private:
  Value load(unsigned input, AffineExpr row, AffineExpr column) {
    return k.load(input, {k.dim(0), row, column});
  }

  KernelBuilder &k;
  int64_t number;
};
} // namespace

/// A kernel with one result.
static Value onePoint(FrontEndBuilder &b, StringRef label, Type type,
                      ValueRange inputs, ArrayRef<int64_t> loops,
                      llvm::function_ref<Value(KernelBuilder &)> point) {
  auto points = [&](KernelBuilder &k) { return SmallVector<Value>{point(k)}; };
  return pointKernel(b, label, TypeRange(type), inputs, loops, points).front();
}

Value gaudi::asMatrices(FrontEndBuilder &b, Value x, bool isTransposed) {
  ArrayRef<int64_t> shape = tensorType(x).getShape();
  const int64_t batch = llvm::product_of(shape.drop_back(2));
  const int64_t rows = shape[shape.size() - 2], columns = shape.back();
  x = b.reshape(b.cast(x, b.getF32Type()), {batch, rows, columns});
  return isTransposed ? b.transpose(x, {0, 2, 1}) : x;
}

//===----------------------------------------------------------------------===//
// Triangles
//===----------------------------------------------------------------------===//

Value gaudi::choleskyFactor(FrontEndBuilder &b, StringRef label, Value a) {
  RankedTensorType type = tensorType(a);
  // A kernel per column: each point reads the whole of the column before.
  for (int64_t column = 0; column < type.getDimSize(1); ++column)
    a = onePoint(b, label, type, a, {}, [&](KernelBuilder &k) {
      Step step(k, column);
      Value pivot = step.pivot(0);
      Value left = step.inColumn(0, k.dim(1));
      Value scaled =
          k.binary<arith::DivFOp>(left, k.unary<math::SqrtOp>(pivot));
      Value above = k.binary<arith::DivFOp>(step.inColumn(0, k.dim(2)), pivot);
      Value rest = step.eliminate(step.own(0), left, above);
      Value isIn = step.compare(P::sge, step.row());
      // Rows above the column are zero; columns before it are done.
      Value isOwn = step.compare(P::eq, step.column());
      Value isBehind = step.compare(P::sgt, step.column());
      Value done = k.select(isIn, scaled, k.floatConstant(0));
      return k.select(isOwn, done, k.select(isBehind, rest, step.own(0)));
    });
  return a;
}

Value gaudi::solveTriangular(FrontEndBuilder &b, StringRef label, Value a,
                             Value y, bool isLower, bool isUnit) {
  RankedTensorType type = tensorType(y);
  const int64_t size = type.getDimSize(1);
  for (int64_t i = 0; i < size; ++i) {
    const int64_t row = isLower ? i : size - 1 - i;
    y = onePoint(b, label, type, {a, y}, {}, [&](KernelBuilder &k) {
      Step step(k, row);
      Value solved = step.inRow(1, k.dim(2));
      if (!isUnit)
        solved = k.binary<arith::DivFOp>(solved, step.pivot(0));
      Value rest =
          step.eliminate(step.own(1), step.inColumn(0, k.dim(1)), solved);
      Value isOwn = step.compare(P::eq, step.row());
      Value isOpen = step.compare(isLower ? P::sgt : P::slt, step.row());
      return k.select(isOwn, solved, k.select(isOpen, rest, step.own(1)));
    });
  }
  return y;
}

//===----------------------------------------------------------------------===//
// Rows in another order
//===----------------------------------------------------------------------===//

Value gaudi::takeRows(FrontEndBuilder &b, StringRef label, Value x,
                      Value order) {
  RankedTensorType type = tensorType(x);
  RankedTensorType result =
      type.clone({type.getDimSize(0), tensorType(order).getDimSize(1),
                  type.getDimSize(2)});
  return onePoint(b, label, result, {x, order}, {}, [&](KernelBuilder &k) {
    Value row = k.load(1, {k.dim(0), k.dim(1)});
    return Step(k, 0).inRowAt(0, row, k.dim(2));
  });
}

Value gaudi::invertOrder(FrontEndBuilder &b, StringRef label, Value order) {
  RankedTensorType type = tensorType(order);
  const int64_t rows = type.getDimSize(1);
  if (rows == 0)
    return order;
  // The row r with order[r] = i, found by looking at all.
  return onePoint(b, label, type, order, {rows}, [&](KernelBuilder &k) {
    Value zero = k.intConstant(0, b.getI64Type());
    return k.loop({2}, {KernelReduce::Custom}, zero, [&](ValueRange found) {
      Value isOwn =
          arith::CmpIOp::create(k.getBuilder(), k.getLoc(), P::eq,
                                k.load(0, {k.dim(0), k.dim(2)}), k.index(1));
      return SmallVector<Value>{k.select(isOwn, k.index(2), found[0])};
    })[0];
  });
}

Value gaudi::orderOfPivots(FrontEndBuilder &b, StringRef label, Value pivots,
                           int64_t rows) {
  RankedTensorType type = tensorType(pivots);
  const int64_t count = type.getDimSize(1);
  RankedTensorType result = type.clone({type.getDimSize(0), rows});
  if (count == 0)
    return BroadcastOp::create(
        b, result,
        IotaOp::create(b, RankedTensorType::get({1, rows}, b.getI64Type()), 1),
        ArrayRef<int64_t>{0, 1});
  // Where a row is after all exchanges is followed back to where it was.
  return onePoint(b, label, result, pivots, {count}, [&](KernelBuilder &k) {
    return k.loop({2}, {KernelReduce::Custom}, k.index(1), [&](ValueRange at) {
      Value pivot = k.load(0, {k.dim(0), k.cst(count - 1) - k.dim(2)});
      Value number = k.binary<arith::SubIOp>(
          k.intConstant(count - 1, b.getI64Type()), k.index(2));
      return SmallVector<Value>{Step(k, 0).exchanged(at[0], number, pivot)};
    })[0];
  });
}

//===----------------------------------------------------------------------===//
// LU
//===----------------------------------------------------------------------===//

/// The row of the largest element of a column, from the diagonal on.
static Value findPivot(FrontEndBuilder &b, StringRef label, Value lu,
                       int64_t column) {
  RankedTensorType type = tensorType(lu);
  const int64_t rows = type.getDimSize(1) - column;
  RankedTensorType result =
      RankedTensorType::get({type.getDimSize(0), 1}, b.getI64Type());
  return onePoint(b, label, result, lu, {rows}, [&](KernelBuilder &k) {
    Value least = k.floatConstant(-1);
    Value at = k.loop({2}, {KernelReduce::ArgMax}, least, [&](ValueRange) {
      Value element =
          k.load(0, {k.dim(0), k.dim(2) + k.cst(column), k.cst(column)});
      return SmallVector<Value>{k.unary<math::AbsFOp>(element), k.index(2)};
    })[1];
    return k.binary<arith::AddIOp>(at, k.intConstant(column, b.getI64Type()));
  });
}

/// Exchanges rows and eliminates what is below the pivot of a column.
static Value eliminateColumn(FrontEndBuilder &b, StringRef label, Value lu,
                             Value pivot, int64_t column) {
  return onePoint(
      b, label, lu.getType(), {lu, pivot}, {}, [&](KernelBuilder &k) {
        Step step(k, column);
        Value at = k.load(1, {k.dim(0), k.cst(0)});
        Value row = step.exchanged(step.row(), step.own(), at);
        Value own = step.inRowAt(0, row, k.dim(2));
        Value head = step.inRowAt(0, row, k.cst(column));
        Value pivot = step.inRowAt(0, at, k.cst(column));
        // Where the pivot is zero, so is all below it.
        Value zero = k.floatConstant(0);
        Value isZero = arith::CmpFOp::create(
            k.getBuilder(), k.getLoc(), arith::CmpFPredicate::OEQ, pivot, zero);
        Value factor =
            k.select(isZero, zero, k.binary<arith::DivFOp>(head, pivot));
        Value rest = step.eliminate(own, factor, step.inRowAt(0, at, k.dim(2)));
        Value isOwn = step.compare(P::eq, step.column());
        Value isBehind = step.compare(P::sgt, step.column());
        Value below = k.select(isOwn, factor, k.select(isBehind, rest, own));
        return k.select(step.compare(P::sgt, step.row()), below, own);
      });
}

Value gaudi::firstBadPivot(FrontEndBuilder &b, StringRef label, Value factor,
                           bool isPositive) {
  RankedTensorType matrices = tensorType(factor);
  const int64_t count =
      std::min(matrices.getDimSize(1), matrices.getDimSize(2));
  RankedTensorType type =
      RankedTensorType::get({matrices.getDimSize(0)}, b.getI32Type());
  if (count == 0)
    return ConstantOp::create(b, DenseElementsAttr::get(type, int32_t(0)));
  return onePoint(b, label, type, factor, {count}, [&](KernelBuilder &k) {
    Value none = k.intConstant(0, b.getI64Type());
    auto step = [&](ValueRange found) {
      Value element = k.load(0, {k.dim(0), k.dim(1), k.dim(1)});
      // Not above zero includes NaN.
      Value isBad = arith::CmpFOp::create(
          k.getBuilder(), k.getLoc(),
          isPositive ? arith::CmpFPredicate::ULE : arith::CmpFPredicate::OEQ,
          element, k.floatConstant(0));
      Value isFirst = arith::CmpIOp::create(k.getBuilder(), k.getLoc(), P::eq,
                                            found[0], none);
      Value number =
          k.binary<arith::AddIOp>(k.index(1), k.intConstant(1, b.getI64Type()));
      return SmallVector<Value>{
          k.select(k.binary<arith::AndIOp>(isBad, isFirst), number, found[0])};
    };
    Value found = k.loop({1}, {KernelReduce::Custom}, none, step)[0];
    return arith::TruncIOp::create(k.getBuilder(), k.getLoc(), b.getI32Type(),
                                   found);
  });
}

LuFactor gaudi::luFactor(FrontEndBuilder &b, StringRef label, Value a) {
  RankedTensorType type = tensorType(a);
  const int64_t batch = type.getDimSize(0);
  const int64_t count = std::min(type.getDimSize(1), type.getDimSize(2));
  LuFactor result;
  SmallVector<Value> pivots;
  for (int64_t column = 0; column < count; ++column) {
    pivots.push_back(findPivot(b, label, a, column));
    a = eliminateColumn(b, label, a, pivots.back(), column);
  }
  RankedTensorType pivotType =
      RankedTensorType::get({batch, count}, b.getI64Type());
  result.lu = a;
  if (count == 0 || batch == 0)
    result.pivots = ConstantOp::create(
        b, DenseElementsAttr::getFromRawBuffer(pivotType, {}));
  else
    result.pivots = pivots.size() == 1
                        ? pivots.front()
                        : ConcatOp::create(b, pivotType, pivots, 1).getResult();
  result.info = firstBadPivot(b, label, a, /*isPositive=*/false);
  return result;
}
