// The TPC kernels of reductions, pooling, gathers and border ops.
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/KernelBuilder.h"
#include <limits>

using namespace mlir;
using namespace mlir::gaudi;

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

namespace {
/// Kernel dimensions of an op whose points are the elements of its result:
/// first the dimensions of the result, then extra sequential ones. When the
/// result has more than five dimensions of extent > 1 the outer ones are
/// sequential too, so everything happens in a loop.
struct PointSpace {
  SmallVector<int64_t> sizes;
  SmallVector<bool> parallel;
  SmallVector<int64_t> outer; // sequential dimensions of the result

  explicit PointSpace(RankedTensorType result)
      : sizes(result.getShape()), parallel(parallelDims(result.getShape())) {
    for (auto [dim, isParallel] : llvm::enumerate(parallel))
      if (!isParallel)
        outer.push_back(dim);
  }
  unsigned addSequential(int64_t size) {
    sizes.push_back(size);
    parallel.push_back(false);
    return sizes.size() - 1;
  }
  LogicalResult check(Operation *op) {
    if (sizes.size() > maxKernelDims)
      return op->emitOpError("needs ")
             << sizes.size() << " kernel dimensions; a TPC kernel has at most "
             << maxKernelDims;
    return success();
  }
};
} // namespace

/// The positions of the result's own dimensions.
static SmallVector<AffineExpr> resultPosition(KernelBuilder &k, int64_t rank) {
  SmallVector<AffineExpr> position;
  for (int64_t i = 0; i < rank; ++i)
    position.push_back(k.dim(i));
  return position;
}

/// Kernel of an op that maps each result point to one value.
static FailureOr<Operation *>
buildPointwise(Operation *op, OpBuilder &builder,
               llvm::function_ref<Value(KernelBuilder &)> point) {
  auto result = tensorType(op->getResult(0));
  PointSpace space(result);
  if (failed(space.check(op)))
    return failure();
  KernelBuilder k(builder, op->getLoc(), op->getResultTypes(),
                  op->getOperands(), space.sizes, space.parallel,
                  op->getName().stripDialect());
  auto emit = [&] { k.store(point(k), 0, resultPosition(k, result.getRank())); };
  if (space.outer.empty())
    emit();
  else
    k.loop(space.outer, {}, {}, [&](ValueRange) -> SmallVector<Value> {
      emit();
      return {};
    });
  return k.finish().getOperation();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// The smallest (largest) value of a kernel type, read as `element` says.
static Value extremeOf(KernelBuilder &k, Type element, bool largest) {
  if (isFloatElement(element)) {
    double infinity = std::numeric_limits<double>::infinity();
    return k.floatConstant(largest ? infinity : -infinity);
  }
  unsigned width = element.getIntOrFloatBitWidth();
  APInt value =
      isUnsignedElement(element)
          ? (largest ? APInt::getMaxValue(width) : APInt::getMinValue(width))
          : (largest ? APInt::getSignedMaxValue(width)
                     : APInt::getSignedMinValue(width));
  return k.intConstant(value.getSExtValue(), kernelType(element));
}

static KernelReduce extremeReduce(Type element, bool largest) {
  if (isUnsignedElement(element))
    return largest ? KernelReduce::MaxU : KernelReduce::MinU;
  return largest ? KernelReduce::Max : KernelReduce::Min;
}

static std::pair<KernelReduce, Value> reduceOf(KernelBuilder &k,
                                               ReduceKind kind, Type element) {
  bool isFloat = isFloatElement(element);
  auto number = [&](int64_t v) {
    return isFloat ? k.floatConstant(v) : k.intConstant(v, kernelType(element));
  };
  switch (kind) {
  case ReduceKind::Sum:
  case ReduceKind::Mean:
    return {KernelReduce::Add, number(0)};
  case ReduceKind::Prod:
    return {KernelReduce::Mul, number(1)};
  case ReduceKind::Max:
    return {extremeReduce(element, true), extremeOf(k, element, false)};
  case ReduceKind::Min:
    return {extremeReduce(element, false), extremeOf(k, element, true)};
  case ReduceKind::All:
    return {KernelReduce::And, number(1)};
  case ReduceKind::Any:
    return {KernelReduce::Or, number(0)};
  }
  llvm_unreachable("unknown reduction");
}

/// Kernel dimensions of a reduction: one per operand dimension; the reduced
/// ones are sequential, and so are kept ones beyond the fifth.
static FailureOr<Operation *>
buildReduction(Operation *op, OpBuilder &builder, RankedTensorType from,
               ArrayRef<int64_t> dims, bool keepDims,
               llvm::function_ref<Value(KernelBuilder &, ArrayRef<int64_t> dims)>
                   reduce) {
  SmallVector<int64_t> kept, keptSizes;
  for (int64_t i = 0; i < from.getRank(); ++i)
    if (!llvm::is_contained(dims, i)) {
      kept.push_back(i);
      keptSizes.push_back(from.getDimSize(i));
    }
  SmallVector<bool> keptParallel = parallelDims(keptSizes);
  if (llvm::is_contained(keptParallel, false))
    return op->emitOpError("keeps ")
           << kept.size()
           << " dimensions; the index space of a TPC kernel has at most "
           << maxParallelDims << " (reshape adjacent dimensions into one)";
  if (from.getRank() > maxKernelDims)
    return op->emitOpError("has rank ")
           << from.getRank() << "; a TPC kernel has at most " << maxKernelDims
           << " dimensions";
  SmallVector<bool> parallel(from.getRank(), false);
  for (auto [dim, isParallel] : llvm::zip(kept, keptParallel))
    parallel[dim] = isParallel;
  KernelBuilder k(builder, op->getLoc(), op->getResultTypes(),
                  op->getOperands(), from.getShape(), parallel,
                  op->getName().stripDialect());
  k.setElementType(from.getElementType());
  Value value = reduce(k, dims);
  SmallVector<AffineExpr> position;
  for (int64_t i = 0; i < from.getRank(); ++i)
    if (!llvm::is_contained(dims, i))
      position.push_back(k.dim(i));
    else if (keepDims)
      position.push_back(k.cst(0));
  k.store(value, 0, position);
  return k.finish().getOperation();
}

FailureOr<Operation *> ReduceOp::buildKernel(OpBuilder &builder) {
  auto from = tensorType(getOperand());
  return buildReduction(
      *this, builder, from, getDims(), getKeepDims(),
      [&](KernelBuilder &k, ArrayRef<int64_t> dims) {
        auto [kind, init] = reduceOf(k, getKind(), from.getElementType());
        Value value;
        if (dims.empty())
          return k.load(0, resultPosition(k, from.getRank()));
        value = k.loop(dims, {kind}, {init},
                       [&](ValueRange) -> SmallVector<Value> {
                         return {k.load(0, resultPosition(k, from.getRank()))};
                       })[0];
        if (getKind() == ReduceKind::Mean) {
          int64_t count = 1;
          for (int64_t dim : dims)
            count *= from.getDimSize(dim);
          value = k.div(value, k.floatConstant(count));
        }
        return value;
      });
}

FailureOr<Operation *> ArgReduceOp::buildKernel(OpBuilder &builder) {
  auto from = tensorType(getOperand());
  Type element = from.getElementType();
  Type indexType = getType().getElementType();
  int64_t axis = getAxis();
  return buildReduction(
      *this, builder, from, {axis}, getKeepDims(),
      [&](KernelBuilder &k, ArrayRef<int64_t> dims) {
        Value init = extremeOf(k, element, !getIsMax());
        KernelReduce kind =
            getIsMax() ? KernelReduce::ArgMax : KernelReduce::ArgMin;
        auto loop = k.loop(
            dims, {kind}, {init}, [&](ValueRange) -> SmallVector<Value> {
              Value v = k.load(0, resultPosition(k, from.getRank()));
              if (isUnsignedElement(element)) {
                // Positions compare signed: flip the sign bit.
                unsigned width = v.getType().getIntOrFloatBitWidth();
                v = k.binary<arith::XOrIOp>(
                    v, k.intConstant(
                           APInt::getSignedMinValue(width).getSExtValue(),
                           v.getType()));
              } else if (getIgnoreNan() && isFloatElement(element)) {
                Value isNan = arith::CmpFOp::create(
                    builder, getLoc(), arith::CmpFPredicate::UNO, v, v);
                v = k.select(isNan, init, v);
              }
              return {v, k.index(axis)};
            });
        Value position = loop[1];
        if (indexType.isInteger(32))
          position = arith::TruncIOp::create(builder, getLoc(), indexType,
                                             position);
        return position;
      });
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

FailureOr<Operation *> PoolOp::buildKernel(OpBuilder &builder) {
  auto from = tensorType(getOperand()), to = getType();
  Type element = from.getElementType();
  StringRef letters = spatialLetters(getKernel().size());
  SmallVector<int64_t> sizes(to.getShape());
  SmallVector<bool> parallel(to.getRank(), true);
  SmallVector<int64_t> window;
  for (int64_t size : getKernel()) {
    window.push_back(sizes.size());
    sizes.push_back(size);
    parallel.push_back(false);
  }
  KernelBuilder k(builder, getLoc(), getType(), getOperand(), sizes, parallel,
                  getOperationName().drop_front(StringRef("gaudi.").size()));
  k.setElementType(element);
  // Position read, and whether a dimension can leave the operand.
  SmallVector<AffineExpr> position;
  SmallVector<Boundary> boundary;
  bool padded = false;
  for (auto [i, letter] : llvm::enumerate(getLayout())) {
    size_t s = letters.find(letter);
    if (s == StringRef::npos) {
      position.push_back(k.dim(i));
      boundary.push_back(Boundary::Inside);
      continue;
    }
    position.push_back(k.dim(i) * getStrides()[s] +
                       k.dim(window[s]) * getDilations()[s] - getPadLow()[s]);
    int64_t last = (to.getDimSize(i) - 1) * getStrides()[s] +
                   (getKernel()[s] - 1) * getDilations()[s] - getPadLow()[s];
    bool leaves = getPadLow()[s] > 0 || last >= from.getDimSize(i);
    boundary.push_back(leaves ? Boundary::Pad : Boundary::Inside);
    padded |= leaves;
  }
  KernelReduce kind;
  Value init;
  switch (getKind()) {
  case PoolKind::Max:
  case PoolKind::Min: {
    bool largest = getKind() == PoolKind::Max;
    kind = extremeReduce(element, largest);
    if (isFloatElement(element) && getIgnoreNan())
      kind = largest ? KernelReduce::MaxNum : KernelReduce::MinNum;
    init = extremeOf(k, element, !largest);
    break;
  }
  case PoolKind::Sum:
  case PoolKind::Avg:
    kind = KernelReduce::Add;
    init = isFloatElement(element) ? k.floatConstant(0)
                                   : k.intConstant(0, kernelType(element));
    break;
  }
  TypedAttr pad;
  if (padded)
    pad = cast<TypedAttr>(init.getDefiningOp<arith::ConstantOp>().getValue());
  SmallVector<KernelReduce> kinds = {kind};
  SmallVector<Value> inits = {init};
  bool counts = getKind() == PoolKind::Avg && !getCountIncludePad() && padded;
  if (counts) {
    kinds.push_back(KernelReduce::Add);
    inits.push_back(k.intConstant(0, builder.getI64Type()));
  }
  SmallVector<Value> totals = k.loop(
      window, kinds, inits, [&](ValueRange) -> SmallVector<Value> {
        SmallVector<Value> values = {k.load(0, position, boundary, pad)};
        if (!counts)
          return values;
        // One for each position inside the operand.
        Value inside;
        for (auto [i, letter] : llvm::enumerate(getLayout())) {
          if (boundary[i] != Boundary::Pad)
            continue;
          size_t s = letters.find(letter);
          Type i64 = builder.getI64Type();
          Value at = k.binary<arith::SubIOp>(
              k.binary<arith::AddIOp>(
                  k.binary<arith::MulIOp>(k.index(i),
                                          k.intConstant(getStrides()[s], i64)),
                  k.binary<arith::MulIOp>(
                      k.index(window[s]),
                      k.intConstant(getDilations()[s], i64))),
              k.intConstant(getPadLow()[s], i64));
          // Unsigned comparison covers both ends.
          Value ok = arith::CmpIOp::create(
              builder, getLoc(), arith::CmpIPredicate::ult, at,
              k.intConstant(from.getDimSize(i), i64));
          inside = inside ? k.binary<arith::AndIOp>(inside, ok) : ok;
        }
        values.push_back(arith::ExtUIOp::create(builder, getLoc(),
                                                builder.getI64Type(), inside));
        return values;
      });
  Value value = totals[0];
  if (getKind() == PoolKind::Avg) {
    int64_t size = 1;
    for (int64_t s : getKernel())
      size *= s;
    Value count = counts ? Value(arith::SIToFPOp::create(
                               builder, getLoc(), builder.getF32Type(),
                               totals[1]))
                         : k.floatConstant(size);
    value = k.div(value, count);
  }
  k.store(value, 0, resultPosition(k, to.getRank()));
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
  int64_t indexDims = indices.getRank() - batch;
  return buildPointwise(*this, builder, [&](KernelBuilder &k) {
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
  return buildPointwise(*this, builder, [&](KernelBuilder &k) {
    SmallVector<AffineExpr> position = resultPosition(k, rank);
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
  return buildPointwise(*this, builder, [&](KernelBuilder &k) {
    SmallVector<AffineExpr> position;
    SmallVector<Boundary> boundary;
    for (int64_t i = 0; i < from.getRank(); ++i) {
      position.push_back(k.dim(i) - getLow()[i]);
      bool leaves = getLow()[i] > 0 || getHigh()[i] > 0;
      boundary.push_back(!leaves                        ? Boundary::Inside
                         : getMode() == PadMode::Edge ? Boundary::Clamp
                                                        : Boundary::Pad);
    }
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
  return buildPointwise(*this, builder, [&](KernelBuilder &k) {
    SmallVector<AffineExpr> position = resultPosition(k, getType().getRank());
    for (int64_t dim : getDims())
      position[dim] = k.cst(getType().getDimSize(dim) - 1) - k.dim(dim);
    return k.load(0, position);
  });
}

FailureOr<Operation *> IotaOp::buildKernel(OpBuilder &builder) {
  return buildPointwise(*this, builder, [&](KernelBuilder &k) {
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
  return buildPointwise(*this, builder, [&](KernelBuilder &k) {
    auto number = [&](int64_t v) { return k.intConstant(v, i64); };
    auto add = [&](Value a, Value b) { return k.binary<arith::AddIOp>(a, b); };
    auto mul = [&](Value a, Value b) { return k.binary<arith::MulIOp>(a, b); };
    auto source = [&](unsigned axis) -> SourcePosition {
      int64_t n = getScale()[2 * axis], d = getScale()[2 * axis + 1];
      Value at = add(mul(k.index(1 + axis), number(d)),
                     number(getOffset()[axis]));
      // Division rounds toward minus infinity (offsets may be negative).
      Value quotient = k.binary<arith::DivSIOp>(at, number(n));
      Value rest = k.binary<arith::SubIOp>(at, mul(quotient, number(n)));
      Value negative = arith::CmpIOp::create(
          builder, getLoc(), arith::CmpIPredicate::slt, rest, number(0));
      return {k.select(negative, k.binary<arith::SubIOp>(quotient, number(1)),
                       quotient),
              k.select(negative, add(rest, number(n)), rest)};
    };
    SourcePosition y = source(0), x = source(1);
    SmallVector<Boundary> boundary = {Boundary::Inside, Boundary::Clamp,
                                      Boundary::Clamp, Boundary::Inside};
    auto read = [&](Value iy, Value ix) {
      return k.loadAt(0, {k.dim(0), k.cst(0), k.cst(0), k.dim(3)}, {1, 2},
                      {iy, ix}, boundary);
    };
    auto next = [&](Value v) { return add(v, number(1)); };
    if (getMode() == ResizeMode::Nearest) {
      auto closer = [&](SourcePosition p, int64_t n) {
        Value up = arith::CmpIOp::create(
            builder, getLoc(), arith::CmpIPredicate::sge,
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
      Value fy = fraction(y, getScale()[0]), fx = fraction(x, getScale()[2]);
      Value gy = k.sub(k.floatConstant(1), fy);
      Value gx = k.sub(k.floatConstant(1), fx);
      Value top = k.add(k.mul(v00, gx), k.mul(v01, fx));
      Value bottom = k.add(k.mul(v10, gx), k.mul(v11, fx));
      return k.add(k.mul(top, gy), k.mul(bottom, fy));
    }
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
    return k.cast(sum, getType().getElementType(), RoundingMode::TowardZero);
  });
}
