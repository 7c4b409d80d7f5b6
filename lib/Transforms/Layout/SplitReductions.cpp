// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions over several dimensions in two steps.
#include "SplitReductions.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::layout;

/// On the first of two steps, for as long as the placement runs.
constexpr StringLiteral partialAttrName = "gaudi_layout.partial";

/// Floats accumulate in f32; a narrower type would round between the steps.
static bool isExactInSteps(ReduceOp op) {
  const Type element = op.getType().getElementType();
  switch (op.getKind()) {
  case ReduceKind::Sum:
  case ReduceKind::Prod:
  case ReduceKind::Mean:
    return element.isF32() || element.isInteger();
  case ReduceKind::Max:
  case ReduceKind::Min:
  case ReduceKind::All:
  case ReduceKind::Any:
    return true;
  }
  llvm_unreachable("all kinds");
}

static RankedTensorType reducedType(RankedTensorType type,
                                    ArrayRef<int64_t> dims, bool keepsDims) {
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (!llvm::is_contained(dims, int64_t(dim)))
      shape.push_back(size);
    else if (keepsDims)
      shape.push_back(1);
  return type.clone(shape);
}

static ReduceOp reduce(OpBuilder &builder, ReduceOp like, Value operand,
                       ArrayRef<int64_t> dims) {
  return ReduceOp::create(
      builder, like.getLoc(),
      reducedType(tensorType(operand), dims, like.getKeepDims()),
      like.getKind(), operand, dims, like.getKeepDims());
}

/// `operand` reduced over all dims but the first, and then over that: its
/// number is the same, since it comes before them.
static ReduceOp reduceInSteps(OpBuilder &builder, ReduceOp like, Value operand,
                              ArrayRef<int64_t> dims) {
  ReduceOp partial = reduce(builder, like, operand, dims.drop_front());
  return reduce(builder, like, partial.getResult(), dims.front());
}

static Picoseconds timeOfSteps(ReduceOp last, const DeviceTime &time) {
  return time.of(last) + time.of(last.getOperand().getDefiningOp());
}

/// True if two steps take less time on a tensor that is stored with the reduced
/// dimensions before the others.
static bool paysInnermost(ReduceOp op, const DeviceTime &time) {
  const RankedTensorType type = tensorType(op.getOperand());
  Order order(op.getDims());
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(op.getDims(), dim))
      order.push_back(dim);
  Block scratch;
  const Value operand =
      scratch.addArgument(storedType(type, order), op.getLoc());
  OpBuilder builder(op.getContext());
  builder.setInsertionPointToEnd(&scratch);
  const auto dims =
      llvm::to_vector(llvm::seq<int64_t>(0, int64_t(op.getDims().size())));
  const Picoseconds one = time.of(reduce(builder, op, operand, dims));
  const Picoseconds two =
      timeOfSteps(reduceInSteps(builder, op, operand, dims), time);
  return two < one;
}

void layout::splitReductions(func::FuncOp function, const DeviceTime &time) {
  for (auto op :
       llvm::make_early_inc_range(function.front().getOps<ReduceOp>())) {
    const RankedTensorType type = tensorType(op.getOperand());
    const ArrayRef<int64_t> dims = op.getDims();
    // Without a first dimension to share, or one that remains, there is nothing
    // to gain.
    if (dims.size() < 2 || type.getDimSize(dims.front()) <= 1 ||
        op.getType().getNumElements() <= 1 || !isExactInSteps(op) ||
        !paysInnermost(op, time))
      continue;
    OpBuilder builder(op);
    ReduceOp last = reduceInSteps(builder, op, op.getOperand(), dims);
    last.getOperand().getDefiningOp()->setAttr(partialAttrName,
                                               builder.getUnitAttr());
    op.replaceAllUsesWith(last.getResult());
    op.erase();
  }
}

/// The dims of `partial`, and `dim` of its result, as dims of its operand.
static SmallVector<int64_t> allDims(ReduceOp partial, int64_t dim) {
  SmallVector<int64_t> dims(partial.getDims());
  if (!partial.getKeepDims())
    for (int64_t reduced : partial.getDims())
      dim += reduced <= dim;
  dims.push_back(dim);
  llvm::sort(dims);
  return dims;
}

void layout::mergeReductions(func::FuncOp function, const DeviceTime &time) {
  SmallVector<ReduceOp> partials;
  // The attribute is removed in any case: it means nothing to later passes.
  for (auto op : function.front().getOps<ReduceOp>())
    if (op->removeDiscardableAttr(partialAttrName))
      partials.push_back(op);
  for (ReduceOp partial : partials) {
    auto last = partial->hasOneUse()
                    ? dyn_cast<ReduceOp>(*partial->getUsers().begin())
                    : ReduceOp();
    // The other step may have become a kernel or read another order.
    if (!last || last.getKind() != partial.getKind() ||
        last.getDims().size() != 1 ||
        last.getKeepDims() != partial.getKeepDims())
      continue;
    OpBuilder builder(last);
    ReduceOp one = reduce(builder, last, partial.getOperand(),
                          allDims(partial, last.getDims().front()));
    const Picoseconds before = time.of(one), after = timeOfSteps(last, time);
    if (after < before) {
      if (explains(last))
        remark::passed(last.getLoc(),
                       remark::RemarkOpts::name("split-reduction")
                           .category("gaudi-place-permutations")
                           .function(function.getName()))
            << remark::add("reduced {0} in two steps, the first to {1}, {2}",
                           partial.getOperand().getType(), partial.getType(),
                           time.saving(before - after));
      one.erase();
      continue;
    }
    assert(one.getType() == last.getType() && "the same dimensions remain");
    last.replaceAllUsesWith(one.getResult());
    last.erase();
    partial.erase();
  }
}
