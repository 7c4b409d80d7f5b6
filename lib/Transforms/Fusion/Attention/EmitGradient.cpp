// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops that take the place of an attention's backward graph.
#include "Gaudi/Transforms/FusionRecord.h"
#include "MatchGradient.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fusion;

/// The tensor, read as `from`, with its elements ordered as `to` and of
/// `shape`.
static Value arranged(OpBuilder &builder, const AttentionAxes &names,
                      Value tensor, const Dims &from, const Dims &to,
                      ArrayRef<int64_t> shape) {
  auto flat = [](const Dims &dims) {
    SmallVector<Axis, 6> axes;
    for (ArrayRef<Axis> dim : dims)
      llvm::append_range(axes, dim);
    return axes;
  };
  const SmallVector<Axis, 6> source = flat(from), target = flat(to);
  assert(source.size() == target.size() && "the same axes in another order");
  Location loc = tensor.getLoc();
  Type element = getElementTypeOrSelf(tensor);
  auto reshaped = [&](Value value, ArrayRef<int64_t> sizes) -> Value {
    auto type = RankedTensorType::get(sizes, element);
    if (value.getType() == type)
      return value;
    return ReshapeOp::create(builder, loc, type, value);
  };
  // Split into axes, permute, and join again.
  if (source != target) {
    SmallVector<int64_t> split, ordered, permutation;
    for (Axis axis : source)
      split.push_back(names.sizeOf(axis));
    for (Axis axis : target) {
      ordered.push_back(names.sizeOf(axis));
      permutation.push_back(llvm::find(source, axis) - source.begin());
    }
    tensor = TransposeOp::create(builder, loc,
                                 RankedTensorType::get(ordered, element),
                                 reshaped(tensor, split), permutation);
  }
  return reshaped(tensor, shape);
}

/// What the gradient op says as the forward op does.
static SdpaGradOp::Properties propertiesOf(SdpaOp forward) {
  const SdpaOp::Properties &from = forward.getProperties();
  SdpaGradOp::Properties to;
  to.scale = from.scale;
  to.causal = from.causal;
  to.window = from.window;
  to.mask_value = from.mask_value;
  to.padding = from.padding;
  to.dropout = from.dropout;
  to.softmax_mode = from.softmax_mode;
  to.query_layout = from.query_layout;
  to.key_layout = from.key_layout;
  to.value_layout = from.value_layout;
  to.output_layout = from.output_layout;
  return to;
}

/// The op with m and linv as results, in its place.
static SdpaOp withStatistics(OpBuilder &builder, SdpaOp forward) {
  SdpaOp::Properties properties = forward.getProperties();
  properties.saves =
      AttentionSavesAttr::get(forward.getContext(), AttentionSaves::Statistics);
  SdpaOperands operands;
  operands.query = forward.getQuery();
  operands.key = forward.getKey();
  operands.value = forward.getValue();
  operands.mask = forward.getMask();
  operands.validLengths = forward.getValidLengths();
  operands.dropoutMask = forward.getDropoutMask();
  operands.seed = forward.getSeed();
  builder.setInsertionPoint(forward);
  auto saving = SdpaOp::create(builder, forward.getLoc(), operands, properties);
  forward.getOutput().replaceAllUsesWith(saving.getOutput());
  forward->erase();
  return saving;
}

/// True if what the op's results became is read before it.
static bool hasEarlyUser(Operation *op) {
  SmallVector<Operation *> pending = {op};
  while (!pending.empty())
    for (Operation *user : pending.pop_back_val()->getUsers()) {
      Operation *inBlock = op->getBlock()->findAncestorOpInBlock(*user);
      if (inBlock && inBlock->isBeforeInBlock(op))
        return true;
      if (isa<ReshapeOp, TransposeOp, CastOp>(user))
        pending.push_back(user);
    }
  return false;
}

/// The backward graph's products, and one vector op of those between them: the
/// least that it takes when all of these are one kernel.
static Picoseconds timeOfReplaced(const Gradient &gradient,
                                  const DeviceTime &time) {
  Picoseconds products = 0, vector = 0;
  for (Operation *op : gradient.replaced)
    if (isa<GemmOp>(op))
      products += time.of(op);
    else
      vector = std::max(vector, time.of(op));
  return products + vector;
}

static void report(SdpaGradOp op, SdpaOp forward, const Gradient &gradient,
                   const DeviceTime *time) {
  if (!time)
    return;
  const Picoseconds saved =
      timeOfReplaced(gradient, *time) - time->of(op.getOperation());
  const FusionRecord fused = {
      "sdpa_grad",
      op.getLoc(),
      true,
      0,
      0,
      saved,
      "fused the gradients of an attention to its query, key and value; " +
          time->saving(saved)};
  explain(op, fused, "fuse-gradient", "gaudi-fuse-sdpa");
  record(op->getParentOfType<ModuleOp>(), fused);
}

SdpaOp gaudi::fusion::emitGradient(SdpaOp forward, const Gradient &gradient,
                                   const DeviceTime *time) {
  OpBuilder builder(forward);
  // The forward op is replaced by one that also stores what the gradient needs.
  SdpaOp saving = withStatistics(builder, forward);
  // After all operands; the block is sorted if a user is in front.
  Operation *last = saving;
  Operation *grad = gradient.outputGrad.getDefiningOp();
  if (grad && last->isBeforeInBlock(grad))
    last = grad;
  builder.setInsertionPointAfter(last);
  AttentionAxes names(saving);
  names.split(gradient.outerImages, gradient.outerHeads);
  auto dimsOf = [&](StringRef layout, Axis length, Axis depth) {
    return names.dimsOf(layout, length, depth);
  };
  const Dims outputDims =
      dimsOf(outputLayoutOf(saving), Axis::Query, Axis::ValueDepth);
  // dO in the layout and type of the output, as the op reads it.
  SdpaGradOperands operands;
  operands.outputGrad =
      arranged(builder, names, gradient.outputGrad, gradient.outputGradDims,
               outputDims, tensorType(saving.getOutput()).getShape());
  Type element = getElementTypeOrSelf(saving.getQuery());
  if (getElementTypeOrSelf(operands.outputGrad) != element) {
    auto shape = tensorType(operands.outputGrad).getShape();
    operands.outputGrad = CastOp::create(builder, gradient.outputGrad.getLoc(),
                                         RankedTensorType::get(shape, element),
                                         operands.outputGrad);
  }
  operands.query = saving.getQuery();
  operands.key = saving.getKey();
  operands.value = saving.getValue();
  // A rounded output would make a sum that a narrow type's numbers do not have.
  if (element.isF32())
    operands.output = saving.getOutput();
  operands.mask = saving.getMask();
  operands.validLengths = saving.getValidLengths();
  operands.dropoutMask = saving.getDropoutMask();
  operands.seed = saving.getSeed();
  operands.m = saving.getMaxima();
  operands.linv = saving.getInverseSums();
  auto op = SdpaGradOp::create(builder, gradient.query.product->getLoc(),
                               operands, propertiesOf(saving));
  struct Replacement {
    Value result;
    FoundGradient found;
    Dims dims;
  };
  // Each gradient in the form that the graph reads it in.
  for (Replacement made :
       {Replacement{op.getQueryGrad(), gradient.query,
                    dimsOf(queryLayoutOf(op), Axis::Query, Axis::Depth)},
        Replacement{op.getKeyGrad(), gradient.key,
                    dimsOf(keyLayoutOf(op), Axis::Key, Axis::Depth)},
        Replacement{op.getValueGrad(), gradient.value,
                    dimsOf(valueLayoutOf(op), Axis::Key, Axis::ValueDepth)}}) {
    RankedTensorType wanted = tensorType(made.found.tensor);
    // Wider results are those of f32.
    if (wanted.getElementType().isF32())
      made.result.setType(RankedTensorType::get(
          tensorType(made.result).getShape(), wanted.getElementType()));
    Value value = arranged(builder, names, made.result, made.dims,
                           made.found.dims, wanted.getShape());
    if (value.getType() != wanted)
      value =
          CastOp::create(builder, made.found.tensor.getLoc(), wanted, value);
    made.found.tensor.replaceAllUsesWith(value);
  }
  // Users of a gradient may be before the op, which is after the forward pass.
  if (hasEarlyUser(op))
    sortTopologically(op->getBlock());
  report(op, saving, gradient, time);
  return saving;
}
