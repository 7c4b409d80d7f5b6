// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds broadcasts into gemms, and batch dimensions along which one matrix
// serves all others into the rows of one product.
#include "Gaudi/Dialect/MatrixOrders.h"
#include "Gaudi/Kernel/Limits.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"

namespace gaudi {
#define GEN_PASS_DEF_FOLDGEMMBATCH
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
constexpr StringLiteral foldGemmBatchCategory = "gaudi-fold-gemm-batch";

Value reshapeTo(OpBuilder &b, Location loc, Value value,
                ArrayRef<int64_t> shape) {
  RankedTensorType type = tensorType(value);
  if (type.getShape() == shape)
    return value;
  return ReshapeOp::create(b, loc, type.clone(shape), value);
}

/// A dimension of a batch, or a part of one after it was split.
struct BatchDim {
  int64_t size;
  bool isBroadcast;
};

/// What a factor of a gemm repeats: `source` has the elements of the factor but
/// for the repetitions, in order, and each batch dimension of the factor is the
/// product of its parts.
struct Repetition {
  BroadcastOp broadcast;
  SmallVector<SmallVector<BatchDim>> parts;
};

/// The parts of each dimension of `to`, given those of `from`, whose elements
/// it has in the same order; none if a dimension of `to` would collapse only a
/// part of one of `from`. Two pointers walk both shapes and the smaller product
/// advances, so the work is linear in the ranks.
std::optional<SmallVector<SmallVector<BatchDim>>> split(ArrayRef<BatchDim> from,
                                                        ArrayRef<int64_t> to) {
  SmallVector<SmallVector<BatchDim>> parts(to.size());
  size_t i = 0;
  for (size_t j = 0; j < to.size(); ++j) {
    int64_t left = 1;
    while (left < to[j] && i < from.size()) {
      left *= from[i].size;
      parts[j].push_back(from[i++]);
    }
    if (left == to[j])
      continue;
    // The last part goes on in the next dimensions: it is split if it is all.
    if (parts[j].size() != 1 || to[j] == 0 || left % to[j] != 0)
      return std::nullopt;
    const BatchDim whole = parts[j].front();
    parts[j].front().size = to[j];
    for (int64_t rest = whole.size / to[j]; rest > 1; rest /= to[j]) {
      ++j;
      if (j == to.size() || to[j] == 0 || rest % to[j] != 0)
        return std::nullopt;
      parts[j].push_back({to[j], whole.isBroadcast});
    }
  }
  // Leftover dimensions of size 1 hold no elements apart.
  for (; i < from.size(); ++i)
    if (from[i].size != 1)
      return std::nullopt;
  return parts;
}

/// What `factor` repeats along batch dimensions, or nothing.
std::optional<Repetition> repetitionOf(Value factor) {
  ArrayRef<int64_t> shape = tensorType(factor).getShape();
  Value repeated = factor;
  // The broadcast may have a reshape after it, which collapses dimensions.
  if (auto reshape = factor.getDefiningOp<ReshapeOp>())
    repeated = reshape.getOperand();
  auto broadcast = repeated.getDefiningOp<BroadcastOp>();
  if (!broadcast || elementCount(factor) == 0)
    return std::nullopt;
  RankedTensorType from = broadcast.getType();
  // Only batch dimensions may be reshaped: the matrices stay as they are.
  if (from.getRank() < 2 || from.getShape().take_back(2) != shape.take_back(2))
    return std::nullopt;
  SmallVector<BatchDim> dims;
  for (int64_t size : from.getShape())
    dims.push_back({size, size != 1});
  ArrayRef<int64_t> source = tensorType(broadcast.getOperand()).getShape();
  // A dimension whose size the source has is no broadcast.
  for (auto [dim, size] : llvm::zip_equal(broadcast.getDims(), source))
    if (size == dims[dim].size)
      dims[dim].isBroadcast = false;
  // Repeated rows or columns are no repeated matrices.
  if (dims.pop_back_val().isBroadcast || dims.pop_back_val().isBroadcast ||
      llvm::none_of(dims, [](const BatchDim &dim) { return dim.isBroadcast; }))
    return std::nullopt;
  // Which dimensions of the broadcast make up each batch dimension of the
  // factor.
  auto parts = split(dims, shape.drop_back(2));
  if (!parts)
    return std::nullopt;
  return Repetition{broadcast, std::move(*parts)};
}

struct FoldGemmBatch : impl::FoldGemmBatchBase<FoldGemmBatch> {
  using FoldGemmBatchBase::FoldGemmBatchBase;

  void runOnOperation() override {
    const device::DeviceSpec *spec = deviceOf(getOperation(), device);
    if (!spec)
      return signalPassFailure();
    time.emplace(*spec);
    SmallVector<GemmOp> gemms;
    // The batch of a product with orders is not the front of its tensors.
    getOperation()->walk([&](GemmOp op) {
      if (!hasOrders(op))
        gemms.push_back(op);
    });
    for (GemmOp op : gemms) {
      // A factor that is split may show the repetition of the other.
      GemmOp next = op;
      for (unsigned operand : {1, 0})
        if (GemmOp folded = foldBroadcast(next, operand))
          next = folded;
      foldIntoRows(multiplyOnce(next));
    }
  }

  /// Exchanges a broadcast and the transpose after it, so that the small tensor
  /// is transposed and the broadcast comes last.
  static void sinkBroadcast(OpOperand &use) {
    auto transpose = use.get().getDefiningOp<TransposeOp>();
    auto broadcast = transpose
                         ? transpose.getOperand().getDefiningOp<BroadcastOp>()
                         : BroadcastOp();
    if (!broadcast)
      return;
    RankedTensorType type = tensorType(broadcast.getOperand());
    // The transpose of the small tensor has the order of its dimensions in the
    // result.
    SmallVector<int64_t> permutation, dims, shape;
    for (auto [to, from] : llvm::enumerate(transpose.getPermutation())) {
      const auto *at = llvm::find(broadcast.getDims(), from);
      if (at == broadcast.getDims().end())
        continue;
      permutation.push_back(at - broadcast.getDims().begin());
      dims.push_back(to);
      shape.push_back(type.getDimSize(permutation.back()));
    }
    OpBuilder b(use.getOwner());
    Location loc = transpose.getLoc();
    Value small = broadcast.getOperand();
    // Often they keep their order, and nothing is to transpose.
    if (!llvm::is_sorted(permutation))
      small =
          TransposeOp::create(b, loc, type.clone(shape), small, permutation);
    use.set(BroadcastOp::create(b, loc, transpose.getType(), small, dims));
  }

  /// The gemm on what the factor repeats, or null. Batch dimensions that hold
  /// repeated and other dimensions are split in both factors and the result.
  GemmOp foldBroadcast(GemmOp op, unsigned operand) {
    sinkBroadcast(op->getOpOperand(operand));
    Value factor = op->getOperand(operand);
    auto repetition = repetitionOf(factor);
    if (!repetition)
      return {};
    RankedTensorType result = op.getType();
    SmallVector<int64_t> own, others, all;
    Value other = op->getOperand(1 - operand);
    ArrayRef<int64_t> otherShape = tensorType(other).getShape();
    // Split where the factor's dimension is made of repeated and other parts.
    for (auto [dim, parts] : llvm::enumerate(repetition->parts)) {
      const bool isShared = otherShape[dim] == 1;
      // A factor of one matrix along this dimension has no parts.
      if (tensorType(factor).getDimSize(dim) == 1)
        parts.assign(1, {result.getDimSize(dim), true});
      for (const BatchDim &part : parts) {
        all.push_back(part.size);
        own.push_back(part.isBroadcast ? 1 : part.size);
        others.push_back(isShared ? 1 : part.size);
      }
    }
    // Splitting adds dimensions.
    if (int64_t(all.size()) + 2 > kernel::maxRank) {
      if (explains(op))
        keepBroadcast(op, llvm::formatv("the product would have {0} "
                                        "dimensions; tensors have at most {1}",
                                        all.size() + 2, kernel::maxRank)
                              .str());
      return {};
    }
    auto withMatrix = [](SmallVector<int64_t> &batch, ArrayRef<int64_t> shape) {
      llvm::append_range(batch, shape.take_back(2));
    };
    withMatrix(own, tensorType(factor).getShape());
    withMatrix(others, otherShape);
    withMatrix(all, result.getShape());
    OpBuilder b(op);
    Location loc = op.getLoc();
    // The new product is made first and timed, then one of the two is erased.
    Value factors[2];
    factors[operand] =
        reshapeTo(b, loc, repetition->broadcast.getOperand(), own);
    factors[1 - operand] = reshapeTo(b, loc, other, others);
    auto gemm =
        GemmOp::create(b, loc, result.clone(all), factors[0], factors[1],
                       op.getTransposeA(), op.getTransposeB());
    // A broadcast with other readers stays.
    const Picoseconds repeat = repetition->broadcast->hasOneUse()
                                   ? time->of(repetition->broadcast)
                                   : 0;
    const Picoseconds before = repeat + time->of(op), after = time->of(gemm);
    if (after > before) {
      if (explains(op))
        keepBroadcast(op,
                      "the product would take " + time->change(before, after));
      eraseChain(gemm);
      return {};
    }
    ++numBroadcasts;
    if (explains(op))
      remark::passed(loc, remark::RemarkOpts::name("fold-broadcast")
                              .category(foldGemmBatchCategory))
          << remark::add(
                 "folded the broadcast of operand {0} into the product: {1} "
                 "matrices "
                 "less to copy, {2}",
                 operand,
                 computeProduct(tensorType(factor).getShape().drop_back(2)) -
                     computeProduct(ArrayRef(own).drop_back(2)),
                 time->saving(before - after));
    op.replaceAllUsesWith(
        reshapeTo(b, loc, gemm.getResult(), result.getShape()));
    eraseChain(op);
    return gemm;
  }

  static void keepBroadcast(GemmOp op, const std::string &why) {
    remark::missed(op.getLoc(), remark::RemarkOpts::name("keep-broadcast")
                                    .category(foldGemmBatchCategory))
        << remark::reason("broadcast not folded: {0}", why);
  }

  /// Where neither factor varies along a batch dimension, the product is made
  /// once and its result repeated, or a factor is repeated, whichever takes
  /// less time: a command needs a factor of the size of the result.
  GemmOp multiplyOnce(GemmOp op) {
    RankedTensorType result = op.getType();
    SmallVector<int64_t> shape(result.getShape());
    // Dimensions along which both factors have one matrix.
    for (int64_t dim = 0; dim + 2 < result.getRank(); ++dim)
      if (tensorType(op.getLhs()).getDimSize(dim) == 1 &&
          tensorType(op.getRhs()).getDimSize(dim) == 1)
        shape[dim] = 1;
    if (ArrayRef(shape) == result.getShape())
      return op;
    OpBuilder b(op);
    const auto dims = llvm::to_vector(llvm::seq(result.getRank()));
    auto repeat = [&](Value value, RankedTensorType type) {
      return BroadcastOp::create(b, op.getLoc(), type, value, dims);
    };
    auto once =
        GemmOp::create(b, op.getLoc(), result.clone(shape), op.getLhs(),
                       op.getRhs(), op.getTransposeA(), op.getTransposeB());
    BroadcastOp repeated = repeat(once, result);
    const Picoseconds after = time->of(once) + time->of(repeated);
    // The smaller factor along the dimensions that both lack.
    const unsigned smaller =
        byteCount(op.getLhs()) < byteCount(op.getRhs()) ? 0 : 1;
    RankedTensorType factor = tensorType(op->getOperand(smaller));
    SmallVector<int64_t> wide(factor.getShape());
    for (auto [dim, size] : llvm::enumerate(shape))
      if (size != result.getDimSize(dim))
        wide[dim] = result.getDimSize(dim);
    // The alternative: the smaller factor is repeated.
    BroadcastOp copies = repeat(op->getOperand(smaller), factor.clone(wide));
    const Picoseconds before =
        time->of(copies) + time->ofChanged(op, [&](Operation *product) {
          product->setOperand(smaller, copies);
        });
    const bool pays = after <= before;
    if (explains(op))
      reportOnce(op, shape, before, after);
    if (!pays) {
      repeated.erase();
      once.erase();
      op->setOperand(smaller, copies);
      return op;
    }
    copies.erase();
    op.replaceAllUsesWith(repeated.getResult());
    op.erase();
    return once;
  }

  void reportOnce(GemmOp op, ArrayRef<int64_t> shape, Picoseconds before,
                  Picoseconds after) {
    auto name = remark::RemarkOpts::name("multiply-once")
                    .category(foldGemmBatchCategory);
    if (after > before)
      remark::missed(op.getLoc(), name)
          << remark::reason("a factor is repeated, although neither varies: "
                            "repeating the product would take {0}",
                            time->change(before, after));
    else
      remark::passed(op.getLoc(), name)
          << remark::add("multiplied once where neither factor varies: {0} of "
                         "{1} matrices, {2}",
                         computeProduct(shape.drop_back(2)),
                         computeProduct(op.getType().getShape().drop_back(2)),
                         time->saving(before - after));
  }

  /// Erases `op` and what only it read of the broadcast.
  static void eraseChain(Operation *op) {
    SmallVector<Value> operands(op->getOperands());
    op->erase();
    for (Value operand : operands) {
      Operation *producer = operand.getDefiningOp();
      if (producer && producer->use_empty() &&
          isa<BroadcastOp, ReshapeOp, TransposeOp>(producer))
        eraseChain(producer);
    }
  }

  /// True if the transpose that made `value`, seen through reshapes, may become
  /// a flag of the gemm, which wants the rows and columns of single matrices.
  static bool isTransposed(Value value) {
    while (auto reshape = value.getDefiningOp<ReshapeOp>())
      value = reshape.getOperand();
    auto transpose = value.getDefiningOp<TransposeOp>();
    if (!transpose)
      return false;
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    const int64_t rank = permutation.size();
    return permutation[rank - 2] == rank - 1;
  }

  /// Rows of all matrices of lhs meet the same rhs along the last batch
  /// dimensions: they are rows of one product.
  void foldIntoRows(GemmOp op) {
    RankedTensorType lhs = tensorType(op.getLhs()),
                     rhs = tensorType(op.getRhs());
    RankedTensorType result = op.getType();
    const int64_t matrix = result.getRank() - 2;
    int64_t first = matrix;
    // Only the innermost batch dimensions are contiguous with the rows.
    while (first > 0 && rhs.getDimSize(first - 1) == 1 &&
           lhs.getDimSize(first - 1) == result.getDimSize(first - 1))
      --first;
    const int64_t batch =
        computeProduct(result.getShape().slice(first, matrix - first));
    if (batch <= 1)
      return;
    auto keepBatch = [&](const std::string &why) {
      remark::missed(op.getLoc(), remark::RemarkOpts::name("fold-batch")
                                      .category(foldGemmBatchCategory))
          << remark::reason("batch of {0} not folded into the rows: {1}", batch,
                            why);
    };
    // Rows of a transposed matrix are not contiguous with those of the next
    // one.
    if (op.getTransposeA() || isTransposed(op.getLhs())) {
      if (explains(op))
        keepBatch("lhs is transposed; the product takes " +
                  time->text(time->of(op)));
      return;
    }
    auto folded = [&](RankedTensorType type, int64_t rows) {
      SmallVector<int64_t> shape(type.getShape().take_front(first));
      shape.push_back(rows);
      shape.push_back(type.getShape().back());
      return shape;
    };
    const int64_t rows = batch * result.getDimSize(matrix);
    OpBuilder b(op);
    Location loc = op.getLoc();
    auto gemm = GemmOp::create(
        b, loc, result.clone(folded(result, rows)),
        reshapeTo(b, loc, op.getLhs(), folded(lhs, rows)),
        reshapeTo(b, loc, op.getRhs(), folded(rhs, rhs.getDimSize(matrix))),
        /*transpose_a=*/false, op.getTransposeB());
    const Picoseconds before = time->of(op), after = time->of(gemm);
    if (after > before) {
      if (explains(op))
        keepBatch("one product would take " + time->change(before, after));
      eraseChain(gemm);
      return;
    }
    ++numFolded;
    if (explains(op))
      remark::passed(loc, remark::RemarkOpts::name("fold-batch")
                              .category(foldGemmBatchCategory))
          << remark::add("folded a batch of {0} into the rows: one product of "
                         "{1} rows, {2}",
                         batch, rows, time->saving(before - after));
    op.replaceAllUsesWith(
        reshapeTo(b, loc, gemm.getResult(), result.getShape()));
    op.erase();
  }

  std::optional<DeviceTime> time;
};
} // namespace
} // namespace gaudi
