// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The TPC kernels of gathers, padding and resampling: one point per element.
#include "PointwiseKernel.h"

using namespace mlir;
using namespace gaudi;

FailureOr<Operation *>
gaudi::buildPointwise(Operation *op, OpBuilder &builder, ValueRange inputs,
                      llvm::function_ref<Value(KernelBuilder &)> point) {
  auto result = tensorType(op->getResult(0));
  if (result.getRank() > maxKernelDims)
    return op->emitOpError("has rank ")
           << result.getRank() << "; a TPC kernel has at most " << maxKernelDims
           << " dimensions";
  KernelBuilder k(builder, op->getLoc(), op->getResultTypes(), inputs,
                  result.getShape(), parallelDims(result.getShape()),
                  op->getName().stripDialect());
  k.forEachPoint(result.getRank(),
                 [&] { k.store(point(k), 0, k.dims(result.getRank())); });
  return k.finish().getOperation();
}

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

/// An i64 index from an i32 or i64 value.
static Value asIndex(KernelBuilder &k, Value index) {
  if (index.getType().isInteger(64))
    return index;
  return arith::ExtSIOp::create(k.getBuilder(), k.getLoc(),
                                k.getBuilder().getI64Type(), index);
}

FailureOr<Operation *> GatherOp::buildKernel(OpBuilder &builder) {
  auto data = tensorType(getData()), indices = tensorType(getIndices());
  int64_t axis = getAxis(), batch = getBatchDims();
  // Dimensions of the result: data's before the axis (the first `batch` shared
  // with the indices), those of the indices, data's after the axis.
  int64_t indexDims = indices.getRank() - batch;
  return buildPointwise(
      *this, builder, getOperation()->getOperands(), [&](KernelBuilder &k) {
        SmallVector<AffineExpr> indexPosition, position;
        for (int64_t i = 0; i < batch; ++i)
          indexPosition.push_back(k.dim(i));
        for (int64_t i = 0; i < indexDims; ++i)
          indexPosition.push_back(k.dim(axis + i));
        for (int64_t i = 0; i < data.getRank(); ++i)
          position.push_back(i < axis    ? k.dim(i)
                             : i == axis ? k.cst(0)
                                         : k.dim(i - 1 + indexDims));
        SmallVector<Boundary> boundary(data.getRank(), Boundary::Inside);
        boundary[axis] = Boundary::Checked;
        Value index = asIndex(k, k.load(1, indexPosition));
        return k.loadAt(0, position, {axis}, {index}, boundary);
      });
}

FailureOr<Operation *> GatherElementsOp::buildKernel(OpBuilder &builder) {
  int64_t rank = getType().getRank();
  int64_t axis = getAxis();
  return buildPointwise(
      *this, builder, getOperation()->getOperands(), [&](KernelBuilder &k) {
        SmallVector<AffineExpr> position = k.dims(rank);
        Value index = asIndex(k, k.load(1, position));
        position[axis] = k.cst(0);
        SmallVector<Boundary> boundary(rank, Boundary::Inside);
        boundary[axis] = Boundary::Checked;
        return k.loadAt(0, position, {axis}, {index}, boundary);
      });
}

//===----------------------------------------------------------------------===//
// Pad, reverse, iota
//===----------------------------------------------------------------------===//

FailureOr<Operation *> PadOp::buildKernel(OpBuilder &builder) {
  auto from = tensorType(getOperand());
  if (llvm::is_contained(from.getShape(), 0))
    return buildPointwise(*this, builder, {}, [&](KernelBuilder &k) {
      return k.constant(getValueAttr());
    });
  return buildPointwise(
      *this, builder, getOperation()->getOperands(), [&](KernelBuilder &k) {
        SmallVector<AffineExpr> position;
        SmallVector<Boundary> boundary;
        for (int64_t i = 0; i < from.getRank(); ++i) {
          position.push_back(k.dim(i) - getLow()[i]);
          bool leaves = getLow()[i] > 0 || getHigh()[i] > 0;
          boundary.push_back(!leaves                      ? Boundary::Inside
                             : getMode() == PadMode::Edge ? Boundary::Clamp
                                                          : Boundary::Pad);
        }
        // The scalar builder knows how a tensor's value is one in a kernel; the
        // op that it makes for that is not needed.
        TypedAttr pad;
        if (getMode() == PadMode::Constant) {
          Value value = k.constant(getValueAttr());
          auto constant = value.getDefiningOp<arith::ConstantOp>();
          pad = cast<TypedAttr>(constant.getValue());
          constant.erase();
        }
        return k.load(0, position, boundary, pad);
      });
}

FailureOr<Operation *> ReverseOp::buildKernel(OpBuilder &builder) {
  return buildPointwise(
      *this, builder, getOperation()->getOperands(), [&](KernelBuilder &k) {
        SmallVector<AffineExpr> position = k.dims(getType().getRank());
        for (int64_t dim : getDims())
          position[dim] = k.cst(getType().getDimSize(dim) - 1) - k.dim(dim);
        return k.load(0, position);
      });
}

FailureOr<Operation *> IotaOp::buildKernel(OpBuilder &builder) {
  return buildPointwise(
      *this, builder, getOperation()->getOperands(), [&](KernelBuilder &k) {
        k.setElementType(builder.getI64Type());
        return k.cast(k.index(getDim()), getType().getElementType(),
                      RoundingMode::TowardZero);
      });
}

//===----------------------------------------------------------------------===//
// Resize
//===----------------------------------------------------------------------===//

namespace {
/// Source position of one output coordinate: whole part and numerator of the
/// fraction (of scale_n).
struct SourcePosition {
  Value whole, rest;
};
} // namespace

FailureOr<Operation *> ResizeOp::buildKernel(OpBuilder &builder) {
  auto from = tensorType(getOperand());
  Type i64 = builder.getI64Type();
  bool isFloat = isFloatElement(from.getElementType());
  return buildPointwise(
      *this, builder, getOperation()->getOperands(), [&](KernelBuilder &k) {
        auto number = [&](int64_t v) { return k.intConstant(v, i64); };
        auto add = [&](Value a, Value b) {
          return k.binary<arith::AddIOp>(a, b);
        };
        auto mul = [&](Value a, Value b) {
          return k.binary<arith::MulIOp>(a, b);
        };
        // (i * scale_d + offset) / scale_n, in integers as TOSA defines it.
        auto source = [&](unsigned axis) -> SourcePosition {
          int64_t n = getScale()[2 * axis], d = getScale()[2 * axis + 1];
          Value at =
              add(mul(k.index(1 + axis), number(d)), number(getOffset()[axis]));
          // arith.divsi rounds toward zero, but the whole part is the floor,
          // and positions before the tensor are negative: correct by one.
          Value quotient = k.binary<arith::DivSIOp>(at, number(n));
          Value rest = k.binary<arith::SubIOp>(at, mul(quotient, number(n)));
          Value negative = arith::CmpIOp::create(
              builder, getLoc(), arith::CmpIPredicate::slt, rest, number(0));
          return {k.select(negative,
                           k.binary<arith::SubIOp>(quotient, number(1)),
                           quotient),
                  k.select(negative, add(rest, number(n)), rest)};
        };
        SourcePosition y = source(0), x = source(1);
        // The second neighbour may be one beyond the end, and the first before
        // the start; clamping reads the border instead.
        SmallVector<Boundary> boundary = {Boundary::Inside, Boundary::Clamp,
                                          Boundary::Clamp, Boundary::Inside};
        auto read = [&](Value iy, Value ix) {
          return k.loadAt(0, {k.dim(0), k.cst(0), k.cst(0), k.dim(3)}, {1, 2},
                          {iy, ix}, boundary);
        };
        auto next = [&](Value v) { return add(v, number(1)); };
        // Half way rounds up, as TOSA defines it.
        if (getMode() == ResizeMode::Nearest) {
          auto closer = [&](SourcePosition p, int64_t n) {
            Value up = arith::CmpIOp::create(builder, getLoc(),
                                             arith::CmpIPredicate::sge,
                                             mul(p.rest, number(2)), number(n));
            return k.select(up, next(p.whole), p.whole);
          };
          return read(closer(y, getScale()[0]), closer(x, getScale()[2]));
        }
        Value v00 = read(y.whole, x.whole), v01 = read(y.whole, next(x.whole));
        Value v10 = read(next(y.whole), x.whole);
        Value v11 = read(next(y.whole), next(x.whole));
        if (isFloat) {
          k.setElementType(builder.getF32Type());
          auto fraction = [&](SourcePosition p, int64_t n) {
            Value rest = arith::SIToFPOp::create(builder, getLoc(),
                                                 builder.getF32Type(), p.rest);
            return k.div(rest, k.floatConstant(n));
          };
          Value fy = fraction(y, getScale()[0]),
                fx = fraction(x, getScale()[2]);
          Value gy = k.sub(k.floatConstant(1), fy);
          Value gx = k.sub(k.floatConstant(1), fx);
          Value top = k.add(k.mul(v00, gx), k.mul(v01, fx));
          Value bottom = k.add(k.mul(v10, gx), k.mul(v11, fx));
          return k.add(k.mul(top, gy), k.mul(bottom, fy));
        }
        // Integers are not divided out: the result is scaled by both scale_n.
        auto wide = [&](Value v) {
          k.setElementType(from.getElementType());
          return k.cast(v, i64, RoundingMode::TowardZero);
        };
        Value gy = k.binary<arith::SubIOp>(number(getScale()[0]), y.rest);
        Value gx = k.binary<arith::SubIOp>(number(getScale()[2]), x.rest);
        Value top = add(mul(wide(v00), gx), mul(wide(v01), x.rest));
        Value bottom = add(mul(wide(v10), gx), mul(wide(v11), x.rest));
        Value sum = add(mul(top, gy), mul(bottom, y.rest));
        k.setElementType(i64);
        return k.cast(sum, getType().getElementType(),
                      RoundingMode::TowardZero);
      });
}
