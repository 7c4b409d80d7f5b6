// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of TOSA ops.
#include "SizeArithmetic.h"
#include "SourceShapes.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gaudi;

//===----------------------------------------------------------------------===//
// Arithmetic on shapes
//===----------------------------------------------------------------------===//

static AffineExpr shapeElement(Operation *op, AffineExpr a, AffineExpr b,
                               const SizeExprs &sizes) {
  auto apply = [&](SizeOperator kind) {
    return applySizeOperator(kind, a, b, sizes);
  };
  return llvm::TypeSwitch<Operation *, AffineExpr>(op)
      .Case([&](tosa::AddShapeOp) { return apply(SizeOperator::Add); })
      .Case([&](tosa::SubShapeOp) { return apply(SizeOperator::Sub); })
      .Case([&](tosa::MulShapeOp) { return apply(SizeOperator::Mul); })
      .Case([&](tosa::MaxShapeOp) { return apply(SizeOperator::Max); })
      .Case([&](tosa::MinShapeOp) { return apply(SizeOperator::Min); })
      .Case(
          [&](tosa::DivFloorShapeOp) { return apply(SizeOperator::FloorDiv); })
      .Case([&](tosa::DivCeilShapeOp) { return apply(SizeOperator::CeilDiv); })
      .Case([&](tosa::ModShapeOp) { return apply(SizeOperator::Rem); })
      .Default([](Operation *) { return AffineExpr(); });
}

namespace {
/// The rules of one op.
struct TosaRule {
  Operation *op;
  SymbolicShapes &shapes;
  const SizeExprs &sizes = shapes.sizes;

  SizeList shape(unsigned operand) {
    return shapes.shape(op->getOperand(operand));
  }
  LogicalResult set(SizeList dims) {
    return shapes.setShape(op->getResult(0), std::move(dims));
  }
  /// The elements of a shape operand; null ones where they are not known.
  SizeList numbers(Value operand, size_t count) {
    const SizeList *list = shapes.elements(operand);
    return list && list->size() == count ? *list : SizeList(count);
  }
  LogicalResult shapeOp();
  LogicalResult broadcast(ValueRange operands);
  LogicalResult reshape(tosa::ReshapeOp reshape);
  LogicalResult slice(tosa::SliceOp slice);
  LogicalResult pad(tosa::PadOp pad);
  LogicalResult tile(tosa::TileOp tile);
  LogicalResult resize(tosa::ResizeOp resize);
  AffineExpr positions(AffineExpr size, int64_t pads, AffineExpr window,
                       int64_t dilation, int64_t stride);
  template <typename Op> LogicalResult convolution(Op conv);
  LogicalResult transposedConvolution(tosa::TransposeConv2DOp conv);
  template <typename Op> LogicalResult pool(Op pool);
};
} // namespace

LogicalResult TosaRule::shapeOp() {
  if (auto constant = dyn_cast<tosa::ConstShapeOp>(op)) {
    setConstant(constant.getResult(), constant.getValues(), shapes);
    return success();
  }
  if (auto dim = dyn_cast<tosa::DimOp>(op)) {
    const SizeList dims = shape(0);
    assert(dim.getAxis() < dims.size() && "verified by the op");
    shapes.setElements(dim.getResult(), {dims[dim.getAxis()]});
    return success();
  }
  SizeList result;
  if (isa<tosa::ConcatShapeOp>(op)) {
    for (Value operand : op->getOperands()) {
      const SizeList *list = shapes.elements(operand);
      if (!list)
        return success();
      llvm::append_range(result, *list);
    }
  } else if (op->getNumOperands() == 2) {
    const SizeList *a = shapes.elements(op->getOperand(0)),
                   *b = shapes.elements(op->getOperand(1));
    if (!a || !b || a->size() != b->size())
      return success();
    for (auto [x, y] : llvm::zip_equal(*a, *b))
      result.push_back(shapeElement(op, x, y, sizes));
  }
  if (!result.empty())
    shapes.setElements(op->getResult(0), std::move(result));
  return success();
}

/// Equal ranks; a static 1 takes the size of the others.
LogicalResult TosaRule::broadcast(ValueRange operands) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type)
    return success();
  const AffineExpr one = sizes.constant(1);
  SizeList dims(type.getRank(), one);
  SmallVector<Value> from(type.getRank(), op->getResult(0));
  for (Value operand : operands) {
    const SizeList other = shapes.shape(operand);
    assert(other.size() == dims.size() && "verified by the op");
    for (auto [i, size] : llvm::enumerate(other)) {
      if (size == one)
        continue;
      if (dims[i] != one && !shapes.merge(op, dims[i], size, from[i], operand))
        return failure();
      dims[i] = size;
      from[i] = operand;
    }
  }
  return set(std::move(dims));
}

LogicalResult TosaRule::reshape(tosa::ReshapeOp reshape) {
  auto type = dyn_cast<RankedTensorType>(reshape.getType());
  if (!type)
    return success();
  SizeList dims = numbers(reshape.getShape(), type.getRank());
  // The type can know more than the operand.
  for (auto [i, size] : llvm::enumerate(dims))
    if (!type.isDynamicDim(i))
      size = sizes.constant(type.getDimSize(i));
  if (failed(fillFromCount(dims, shape(0), sizes)))
    return set(SizeList(type.getRank()));
  return set(std::move(dims));
}

/// A size of -1 takes all that follows the start.
LogicalResult TosaRule::slice(tosa::SliceOp slice) {
  SizeList from = shape(0), starts = numbers(slice.getStart(), from.size()),
           dims = numbers(slice.getSize(), from.size());
  for (auto [i, size] : llvm::enumerate(dims))
    if (size == sizes.constant(-1))
      size = starts[i] ? sizes.sub(from[i], starts[i]) : AffineExpr();
  return set(std::move(dims));
}

LogicalResult TosaRule::pad(tosa::PadOp pad) {
  const size_t rank = shape(0).size();
  const SizeList widths = numbers(pad.getPadding(), 2 * rank);
  SizeList sides[2];
  for (auto [i, width] : llvm::enumerate(widths))
    sides[i % 2].push_back(width);
  return set(paddedSizes(shape(0), sides[0], sides[1], sizes));
}

LogicalResult TosaRule::tile(tosa::TileOp tile) {
  SizeList dims = shape(0);
  const SizeList multiples = numbers(tile.getMultiples(), dims.size());
  for (auto [size, times] : llvm::zip_equal(dims, multiples))
    size = times ? sizes.mul(size, times) : AffineExpr();
  return set(std::move(dims));
}

LogicalResult TosaRule::resize(tosa::ResizeOp resize) {
  SizeList dims = shape(0);
  const SizeList scale = numbers(resize.getScale(), 4),
                 offset = numbers(resize.getOffset(), 2),
                 border = numbers(resize.getBorder(), 2);
  for (unsigned i = 0; i < 2; ++i) {
    AffineExpr &size = dims[1 + i];
    const AffineExpr up = scale[2 * i], down = scale[2 * i + 1];
    size =
        up && down && offset[i] && border[i] && sizes.range(down).low > 0
            ? sizes.normal(
                  ((size - 1) * up - offset[i] + border[i]).floorDiv(down) + 1)
            : AffineExpr();
  }
  return set(std::move(dims));
}

/// Positions of a window that slides along one dimension.
AffineExpr TosaRule::positions(AffineExpr size, int64_t pads, AffineExpr window,
                               int64_t dilation, int64_t stride) {
  auto length = dyn_cast_or_null<AffineConstantExpr>(window);
  if (!length || stride < 1 || dilation < 1)
    return {};
  return sizes.normal((size + (pads - (length.getValue() - 1) * dilation - 1))
                          .floorDiv(stride) +
                      1);
}

/// [N, spatial..., C] by [O, spatial..., C], of a depthwise one by
/// [spatial..., C, M].
template <typename Op> LogicalResult TosaRule::convolution(Op conv) {
  const SizeList input = shape(0), weight = shape(1);
  constexpr bool isDepthwise = std::is_same_v<Op, tosa::DepthwiseConv2DOp>;
  SizeList dims(input);
  for (size_t i = 0; i + 2 < input.size(); ++i)
    dims[1 + i] =
        positions(input[1 + i], conv.getPad()[2 * i] + conv.getPad()[2 * i + 1],
                  weight[isDepthwise ? i : 1 + i], conv.getDilation()[i],
                  conv.getStride()[i]);
  dims.back() = isDepthwise ? sizes.mul(weight[2], weight[3]) : weight[0];
  return set(std::move(dims));
}

LogicalResult TosaRule::transposedConvolution(tosa::TransposeConv2DOp conv) {
  const SizeList weight = shape(1);
  SizeList dims = shape(0);
  for (unsigned i = 0; i < 2; ++i)
    dims[1 + i] = sizes.normal((dims[1 + i] - 1) * conv.getStride()[i] +
                               conv.getOutPad()[2 * i] +
                               conv.getOutPad()[2 * i + 1] + weight[1 + i]);
  dims[3] = weight[0];
  return set(std::move(dims));
}

template <typename Op> LogicalResult TosaRule::pool(Op pool) {
  SizeList dims = shape(0);
  for (unsigned i = 0; i < 2; ++i)
    dims[1 + i] =
        positions(dims[1 + i], pool.getPad()[2 * i] + pool.getPad()[2 * i + 1],
                  sizes.constant(pool.getKernel()[i]), 1, pool.getStride()[i]);
  return set(std::move(dims));
}

LogicalResult gaudi::inferTosa(Operation *op, SymbolicShapes &shapes) {
  TosaRule rule{op, shapes};
  const SizeExprs &sizes = shapes.sizes;
  // Shape ops have sizes as elements.
  if (op->getNumResults() == 1 &&
      isa<tosa::shapeType>(op->getResult(0).getType()))
    return rule.shapeOp();
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 ||
      !llvm::all_of(op->getOperandTypes(), [](Type type) {
        return isa<RankedTensorType, tosa::shapeType>(type);
      }))
    return success();
  // Broadcasting ops but those whose further operands are parameters.
  if (auto mul = dyn_cast<tosa::MulOp>(op))
    return rule.broadcast({mul.getInput1(), mul.getInput2()});
  if (isa<tosa::NegateOp, tosa::TableOp, tosa::RescaleOp, tosa::CastOp,
          tosa::IdentityOp, tosa::ReverseOp, tosa::ScatterOp, tosa::FFT2dOp>(
          op))
    return rule.set(rule.shape(0));
  if (op->hasTrait<OpTrait::tosa::TosaElementwiseOperator>())
    return rule.broadcast(op->getOperands());
  // A reduced dimension stays, with size 1.
  auto reduced = [&](int64_t axis) {
    SizeList dims = rule.shape(0);
    if (axis < 0 || axis >= int64_t(dims.size()))
      return SizeList(dims.size());
    dims[axis] = sizes.constant(1);
    return dims;
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<tosa::ReduceAllOp, tosa::ReduceAnyOp, tosa::ReduceMaxOp,
            tosa::ReduceMinOp, tosa::ReduceProductOp, tosa::ReduceSumOp>(
          [&](auto reduce) { return rule.set(reduced(reduce.getAxis())); })
      .Case([&](tosa::ArgMaxOp arg) {
        SizeList dims = rule.shape(0);
        assert(arg.getAxis() < dims.size() && "verified by the op");
        dims.erase(dims.begin() + arg.getAxis());
        return rule.set(std::move(dims));
      })
      .Case([&](tosa::MatMulOp) {
        const SizeList a = rule.shape(0), b = rule.shape(1);
        if (!shapes.merge(op, a[0], b[0], op->getOperand(0),
                          op->getOperand(1)) ||
            !shapes.merge(op, a[2], b[1], op->getOperand(0), op->getOperand(1)))
          return failure();
        return rule.set({a[0], a[1], b[2]});
      })
      .Case<tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp>(
          [&](auto conv) { return rule.convolution(conv); })
      .Case([&](tosa::TransposeConv2DOp conv) {
        return rule.transposedConvolution(conv);
      })
      .Case<tosa::AvgPool2dOp, tosa::MaxPool2dOp>(
          [&](auto pool) { return rule.pool(pool); })
      .Case([&](tosa::TransposeOp transpose) {
        const SizeList from = rule.shape(0);
        SizeList dims;
        for (int32_t dim : transpose.getPerms())
          dims.push_back(dim >= 0 && dim < int64_t(from.size()) ? from[dim]
                                                                : AffineExpr());
        return rule.set(std::move(dims));
      })
      .Case([&](tosa::GatherOp) {
        const SizeList values = rule.shape(0), indices = rule.shape(1);
        return rule.set({values[0], indices[1], values[2]});
      })
      .Case([&](tosa::ReshapeOp reshape) { return rule.reshape(reshape); })
      .Case([&](tosa::SliceOp slice) { return rule.slice(slice); })
      .Case([&](tosa::PadOp pad) { return rule.pad(pad); })
      .Case([&](tosa::TileOp tile) { return rule.tile(tile); })
      .Case([&](tosa::ConcatOp concat) -> LogicalResult {
        auto dims =
            concatenatedSizes(op, op->getOperands(), concat.getAxis(), shapes);
        return failed(dims) ? failure() : rule.set(*dims);
      })
      .Case([&](tosa::ResizeOp resize) { return rule.resize(resize); })
      .Default([](Operation *) { return success(); });
}
