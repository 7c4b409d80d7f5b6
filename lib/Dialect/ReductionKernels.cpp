// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The TPC kernels of reductions and pooling.
#include "Gaudi/Dialect/NeutralElements.h"
#include "PointwiseKernel.h"
#include <limits>

using namespace mlir;
using namespace gaudi;

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static KernelReduce extremeReduce(Type element, bool largest) {
  if (isUnsignedElement(element))
    return largest ? KernelReduce::MaxU : KernelReduce::MinU;
  return largest ? KernelReduce::Max : KernelReduce::Min;
}

static KernelReduce kernelReduceOf(ReduceKind kind, Type element) {
  switch (kind) {
  case ReduceKind::Sum:
  case ReduceKind::Mean:
    return KernelReduce::Add;
  case ReduceKind::Prod:
    return KernelReduce::Mul;
  case ReduceKind::Max:
    return extremeReduce(element, true);
  case ReduceKind::Min:
    return extremeReduce(element, false);
  case ReduceKind::All:
    return KernelReduce::And;
  case ReduceKind::Any:
    return KernelReduce::Or;
  }
  llvm_unreachable("unknown reduction");
}

/// The element type as which a kernel computes: narrow floats are f32 there.
static Type computedType(Type element) {
  return isFloatElement(element) ? kernelType(element) : element;
}

static std::pair<KernelReduce, Value> reduceOf(KernelBuilder &k,
                                               ReduceKind kind, Type element) {
  return {kernelReduceOf(kind, element),
          k.constant(neutralOf(kind, computedType(element)))};
}

/// The dimensions that are not reduced.
static SmallVector<int64_t> keptDims(RankedTensorType from,
                                     ArrayRef<int64_t> dims) {
  return llvm::filter_to_vector(
      llvm::seq<int64_t>(0, from.getRank()),
      [&](int64_t dim) { return !llvm::is_contained(dims, dim); });
}

static SmallVector<int64_t> sizesOf(RankedTensorType type,
                                    ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(dims,
                             [&](int64_t dim) { return type.getDimSize(dim); });
}

/// True if the reduction of `dims` needs more dimensions than a kernel has. A
/// loop of a reduction cannot walk kept dimensions as well: those must all be
/// parallel.
static bool isReductionTooWide(RankedTensorType from, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> kept = sizesOf(from, keptDims(from, dims));
  return from.getRank() > maxKernelDims ||
         llvm::is_contained(parallelDims(kept), false);
}

/// A reduction over a view of the operand in which adjacent dimensions are
/// collapsed if all are kept or all reduced: the elements keep their order, and
/// each result reduces the same ones. `rebuild` creates the op on it. At most
/// one level of recursion, since no two dimensions can be collapsed afterwards.
static FailureOr<Operation *> reduceMerged(
    Operation *op, OpBuilder &builder, ArrayRef<int64_t> dims,
    llvm::function_ref<KernelBodyOpInterface(Value, ArrayRef<int64_t>, Type)>
        rebuild) {
  auto from = tensorType(op->getOperand(0)), to = tensorType(op->getResult(0));
  SmallVector<int64_t> sizes, keptSizes, mergedDims;
  for (int64_t i = 0; i < from.getRank(); ++i) {
    bool reduced = llvm::is_contained(dims, i);
    if (i > 0 && reduced == llvm::is_contained(dims, i - 1)) {
      sizes.back() *= from.getDimSize(i);
      continue;
    }
    if (reduced)
      mergedDims.push_back(sizes.size());
    sizes.push_back(from.getDimSize(i));
  }
  for (auto [i, size] : llvm::enumerate(sizes))
    if (!llvm::is_contained(mergedDims, int64_t(i)))
      keptSizes.push_back(size);
  // Nothing was collapsed: a second attempt would not differ.
  if (int64_t(sizes.size()) == from.getRank())
    return op->emitOpError("keeps ")
           << keptSizes.size() << " and reduces " << mergedDims.size()
           << " dimensions; a TPC kernel has at most " << maxParallelDims
           << " parallel and " << maxKernelDims << " dimensions";
  Value merged = ReshapeOp::create(
      builder, op->getLoc(),
      RankedTensorType::get(sizes, from.getElementType()), op->getOperand(0));
  KernelBodyOpInterface inner =
      rebuild(merged, mergedDims,
              RankedTensorType::get(keptSizes, to.getElementType()));
  FailureOr<Operation *> kernel = inner.buildKernel(builder);
  // Only a carrier of attributes for the kernel's builder.
  inner->erase();
  if (failed(kernel))
    return failure();
  return ReshapeOp::create(builder, op->getLoc(), to, (*kernel)->getResult(0))
      .getOperation();
}

/// Kernel dimensions of a reduction: one per operand dimension; the reduced
/// ones are sequential. The caller has asked isReductionTooWide.
static FailureOr<Operation *> buildReduction(
    Operation *op, OpBuilder &builder, RankedTensorType from,
    ArrayRef<int64_t> dims, bool keepDims,
    llvm::function_ref<Value(KernelBuilder &, ArrayRef<int64_t> dims)> reduce) {
  SmallVector<int64_t> kept = keptDims(from, dims);
  SmallVector<bool> keptParallel = parallelDims(sizesOf(from, kept));
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
  // Nothing to load: the neutral element, or for a mean 0 / 0.
  if (llvm::is_contained(from.getShape(), 0))
    return buildPointwise(*this, builder, {}, [&](KernelBuilder &k) {
      if (getKind() == ReduceKind::Mean)
        return k.floatConstant(std::numeric_limits<double>::quiet_NaN());
      return reduceOf(k, getKind(), from.getElementType()).second;
    });
  if (isReductionTooWide(from, getDims()))
    return reduceMerged(*this, builder, getDims(),
                        [&](Value operand, ArrayRef<int64_t> dims, Type type) {
                          return ReduceOp::create(builder, getLoc(), type,
                                                  getKind(), operand, dims,
                                                  /*keep_dims=*/false);
                        });
  return buildReduction(
      *this, builder, from, getDims(), getKeepDims(),
      [&](KernelBuilder &k, ArrayRef<int64_t> dims) {
        auto [kind, init] = reduceOf(k, getKind(), from.getElementType());
        Value value;
        if (dims.empty())
          return k.load(0, k.dims(from.getRank()));
        value =
            k.loop(dims, {kind}, {init}, [&](ValueRange) -> SmallVector<Value> {
              return {k.load(0, k.dims(from.getRank()))};
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
  // Either the axis is empty, and 0 stands for no position, or the result.
  if (llvm::is_contained(from.getShape(), 0))
    return buildPointwise(*this, builder, {}, [&](KernelBuilder &k) {
      return k.intConstant(0, indexType);
    });
  if (isReductionTooWide(from, {axis}))
    return reduceMerged(*this, builder, {axis},
                        [&](Value operand, ArrayRef<int64_t> dims, Type type) {
                          return ArgReduceOp::create(
                              builder, getLoc(), type, operand, dims[0],
                              getIsMax(), /*keep_dims=*/false, getIgnoreNan());
                        });
  return buildReduction(
      *this, builder, from, {axis}, getKeepDims(),
      [&](KernelBuilder &k, ArrayRef<int64_t> dims) {
        // Positions compare signed. Flipping the top bit maps the order of
        // unsigned numbers to that of signed ones.
        Type compared =
            isUnsignedElement(element) ? kernelType(element) : element;
        KernelReduce kind =
            getIsMax() ? KernelReduce::ArgMax : KernelReduce::ArgMin;
        Value init = k.constant(neutralOf(kind, computedType(compared)));
        auto loop =
            k.loop(dims, {kind}, {init}, [&](ValueRange) -> SmallVector<Value> {
              Value v = k.load(0, k.dims(from.getRank()));
              if (isUnsignedElement(element)) {
                unsigned width = v.getType().getIntOrFloatBitWidth();
                v = k.binary<arith::XOrIOp>(
                    v, k.intConstant(
                           APInt::getSignedMinValue(width).getSExtValue(),
                           v.getType()));
              } else if (getIgnoreNan() && isFloatElement(element)) {
                Value isNan = arith::CmpFOp::create(
                    builder, getLoc(), arith::CmpFPredicate::UNO, v, v);
                // In the place of a NaN the start value, which never wins.
                v = k.select(isNan, init, v);
              }
              return {v, k.index(axis)};
            });
        Value position = loop[1];
        if (indexType.isInteger(32))
          position =
              arith::TruncIOp::create(builder, getLoc(), indexType, position);
        return position;
      });
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

/// How many of the places `i * stride - low + w * dilation`, w in [0, window),
/// of point dimension i are in [0, size). With `start` the place for w = 0,
/// those are w from ceil(-start / dilation) to below ceil((size - start) /
/// dilation), both cut to [0, window].
static Value placesInside(KernelBuilder &k, int64_t dim, int64_t stride,
                          int64_t low, int64_t dilation, int64_t window,
                          int64_t size) {
  Value index = k.index(dim);
  auto number = [&](int64_t value) {
    return k.intConstant(value, index.getType());
  };
  // ceil(max(distance, 0) / dilation)
  auto steps = [&](Value distance) {
    distance = k.binary<arith::MaxSIOp>(distance, number(0));
    if (dilation == 1)
      return distance;
    return k.binary<arith::DivSIOp>(
        k.binary<arith::AddIOp>(distance, number(dilation - 1)),
        number(dilation));
  };
  Value start = k.binary<arith::SubIOp>(
      k.binary<arith::MulIOp>(index, number(stride)), number(low));
  Value first = steps(k.binary<arith::SubIOp>(number(0), start));
  Value end = k.binary<arith::MinSIOp>(
      steps(k.binary<arith::SubIOp>(number(size), start)), number(window));
  return k.binary<arith::MaxSIOp>(k.binary<arith::SubIOp>(end, first),
                                  number(0));
}

namespace {
/// The kernel of a pool under construction. Its dimensions are those of the
/// result, then those of the window, which are sequential.
class PoolKernel {
public:
  PoolKernel(PoolOp op, KernelBuilder &k)
      : op(op), k(k), from(tensorType(op.getOperand())),
        element(from.getElementType()) {
    k.setElementType(element);
    StringRef letters = spatialLetters(op.getKernel().size());
    for (auto [i, letter] : llvm::enumerate(op.getLayout())) {
      spatialOf.push_back(letters.find(letter));
      addPosition(i, spatialOf.back());
    }
  }

  Operation *build() {
    auto [kind, init] = reduction();
    TypedAttr pad;
    if (llvm::is_contained(boundary, Boundary::Pad))
      pad = cast<TypedAttr>(init.getDefiningOp<arith::ConstantOp>().getValue());
    SmallVector<int64_t> window;
    for (size_t s = 0; s < op.getKernel().size(); ++s)
      window.push_back(windowDim(s));
    Value value = k.loop(window, {kind}, {init}, [&](ValueRange) {
      return SmallVector<Value>{k.load(0, position, boundary, pad)};
    })[0];
    if (op.getKind() == PoolKind::Avg)
      value = k.div(value, count());
    k.store(value, 0, k.dims(from.getRank()));
    return k.finish();
  }

private:
  int64_t windowDim(size_t spatial) const { return from.getRank() + spatial; }

  /// The position read along dimension `i`, and whether it can be outside the
  /// operand.
  void addPosition(size_t i, size_t s) {
    if (s == StringRef::npos) {
      position.push_back(k.dim(i));
      boundary.push_back(Boundary::Inside);
      return;
    }
    position.push_back(k.dim(i) * op.getStrides()[s] +
                       k.dim(windowDim(s)) * op.getDilations()[s] -
                       op.getPadLow()[s]);
    // The window leaves the operand in its first or its last position if at
    // all. The verifier bounds the last by the padded operand: no overflow.
    int64_t last = (op.getType().getDimSize(i) - 1) * op.getStrides()[s] +
                   (op.getKernel()[s] - 1) * op.getDilations()[s] -
                   op.getPadLow()[s];
    bool leaves = op.getPadLow()[s] > 0 || last >= from.getDimSize(i);
    boundary.push_back(leaves ? Boundary::Pad : Boundary::Inside);
  }

  /// The operator and its identity, which is also the value of the padding.
  std::pair<KernelReduce, Value> reduction() {
    if (op.getKind() == PoolKind::Sum || op.getKind() == PoolKind::Avg)
      return reduceOf(k, ReduceKind::Sum, element);
    const bool isMax = op.getKind() == PoolKind::Max;
    auto [kind, init] =
        reduceOf(k, isMax ? ReduceKind::Max : ReduceKind::Min, element);
    if (isFloatElement(element) && op.getIgnoreNan())
      kind = isMax ? KernelReduce::MaxNum : KernelReduce::MinNum;
    return {kind, init};
  }

  /// The number of elements an average divides by. Windows are boxes: it is the
  /// product over the dimensions of how many positions count, a constant except
  /// where padding does not count.
  Value count() {
    int64_t always = 1;
    Value inside;
    for (auto [i, s] : llvm::enumerate(spatialOf)) {
      if (s == StringRef::npos)
        continue;
      if (op.getCountIncludePad() || boundary[i] != Boundary::Pad) {
        always *= op.getKernel()[s];
        continue;
      }
      Value here = placesInside(k, i, op.getStrides()[s], op.getPadLow()[s],
                                op.getDilations()[s], op.getKernel()[s],
                                from.getDimSize(i));
      inside = inside ? k.binary<arith::MulIOp>(inside, here) : here;
    }
    if (!inside)
      return k.floatConstant(always);
    OpBuilder &builder = k.getBuilder();
    if (always != 1)
      inside = k.binary<arith::MulIOp>(
          inside, k.intConstant(always, builder.getI64Type()));
    return arith::SIToFPOp::create(builder, op.getLoc(), builder.getF32Type(),
                                   inside);
  }

  PoolOp op;
  KernelBuilder &k;
  RankedTensorType from;
  Type element;
  SmallVector<size_t> spatialOf; // by dimension of the tensor; npos for N, C
  SmallVector<AffineExpr> position;
  SmallVector<Boundary> boundary;
};
} // namespace

FailureOr<Operation *> PoolOp::buildKernel(OpBuilder &builder) {
  SmallVector<int64_t> sizes(getType().getShape());
  SmallVector<bool> parallel(sizes.size(), true);
  llvm::append_range(sizes, getKernel());
  parallel.resize(sizes.size(), false);
  KernelBuilder k(builder, getLoc(), getType(), getOperand(), sizes, parallel,
                  getOperation()->getName().stripDialect());
  return PoolKernel(*this, k).build();
}
