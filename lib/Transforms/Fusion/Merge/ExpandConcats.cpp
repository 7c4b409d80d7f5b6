// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Concatenations that kernels read become kernels.
//
// A rotary position embedding turns the halves of a row, or its even and odd
// elements: concat(-x[n:], x[:n]), read by the product with the sines. As a
// movement it keeps its pieces and its reader in kernels of their own. A select
// over the pieces can be fused with both; each piece is computed once for every
// piece, which costs little where they are elementwise.
#include "ExpandConcats.h"
#include "Gaudi/Dialect/KernelBuilder.h"
#include "Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

namespace {
/// Each point computes all pieces.
constexpr unsigned maxPieces = 4;
/// Tensors that are looked at for a common source.
constexpr size_t maxSources = 16;

/// True if kernels, and only they, read the tensor through views.
bool isReadByKernelsOnly(Value tensor) {
  SmallVector<Value> pending = {tensor};
  bool any = false;
  while (!pending.empty())
    for (Operation *user : pending.pop_back_val().getUsers()) {
      if (isa<KernelOp>(user)) {
        any = true;
        continue;
      }
      ValueRange views = viewsMadeBy(user);
      if (views.empty())
        return false;
      llvm::append_range(pending, views);
    }
  return any;
}

/// What a piece is computed from by kernels without loops: their operands, the
/// operands of those that make these, and so on, each without its views.
SmallPtrSet<Value, 8> sourcesOf(Value piece) {
  SmallPtrSet<Value, 8> sources = {rootOf(piece)};
  SmallVector<Value> pending = {rootOf(piece)};
  for (size_t i = 0; i < pending.size() && i < maxSources; ++i) {
    auto kernel = pending[i].getDefiningOp<KernelOp>();
    if (!kernel || !kernel.getBody().front().getOps<KernelLoopOp>().empty())
      continue;
    for (Value input : kernel->getOperands())
      if (Value root = rootOf(input); sources.insert(root).second)
        pending.push_back(root);
  }
  return sources;
}

/// True if the pieces have one type and one source in common. Kernels must make
/// one of them if kernels alone read the concatenation, and all of them, for it
/// alone, if others do: a matrix product, the host.
bool arePiecesOfOneTensor(ConcatOp concat) {
  ValueRange pieces = concat.getOperands();
  if (pieces.size() < 2 || pieces.size() > maxPieces ||
      !llvm::all_equal(pieces.getTypes()))
    return false;
  auto isComputed = [](Value piece) {
    return isa_and_nonnull<KernelOp>(rootOf(piece).getDefiningOp());
  };
  auto isItsOwn = [&](Value piece) {
    return isComputed(piece) && piece.hasOneUse() &&
           (rootOf(piece) == piece || rootOf(piece).hasOneUse());
  };
  const bool fits = isReadByKernelsOnly(concat.getResult())
                        ? llvm::any_of(pieces, isComputed)
                        : llvm::all_of(pieces, isItsOwn);
  if (!fits)
    return false;
  SmallPtrSet<Value, 8> common = sourcesOf(pieces.front());
  for (Value piece : pieces.drop_front()) {
    const SmallPtrSet<Value, 8> sources = sourcesOf(piece);
    common.remove_if([&](Value source) { return !sources.contains(source); });
  }
  return !common.empty();
}

void expand(ConcatOp concat) {
  OpBuilder builder(concat);
  assert(concat.getType().getRank() < int64_t(maxKernelDims) &&
         "a dimension for the number of the piece is added");
  const int64_t axis = concat.getAxis();
  const int64_t pieces = concat.getOperands().size();
  auto piece = tensorType(concat.getOperands().front());
  // The dimensions of a piece, with the number of the piece before the axis.
  SmallVector<int64_t> sizes(piece.getShape());
  sizes.insert(sizes.begin() + axis, pieces);
  const SmallVector<bool> parallel = parallelDims(sizes);
  KernelBuilder k(builder, concat.getLoc(), concat->getResultTypes(),
                  concat.getOperands(), sizes, parallel, "tpc.concat");
  auto point = [&] {
    SmallVector<AffineExpr> position = k.dims(sizes.size());
    position.erase(position.begin() + axis);
    // Loads of all pieces, selected from the last to the first.
    Value value = k.load(pieces - 1, position);
    bool isSame = true; // so far one tensor, which needs no selection
    for (int64_t i = pieces - 2; i >= 0; --i) {
      isSame &= concat.getOperands()[i] == concat.getOperands().back();
      if (isSame)
        continue;
      Value isThis = arith::CmpIOp::create(
          builder, k.getLoc(), arith::CmpIPredicate::eq, k.index(axis),
          k.intConstant(i, builder.getI64Type()));
      value = k.select(isThis, k.load(i, position), value);
    }
    // Stored at the position in the whole: pieces have the same size.
    position[axis] = position[axis] + k.dim(axis) * piece.getDimSize(axis);
    k.store(value, 0, position);
  };
  k.forEachPoint(sizes.size(), point);
  KernelOp kernel = k.finish();
  concat->replaceAllUsesWith(kernel->getResults());
  concat->erase();
}
} // namespace

void gaudi::fusion::expandConcats(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    auto concat = dyn_cast<ConcatOp>(op);
    if (!concat || concat.getType().getRank() >= int64_t(maxKernelDims) ||
        concat.getType().getNumElements() == 0 || !arePiecesOfOneTensor(concat))
      continue;
    expand(concat);
  }
}
