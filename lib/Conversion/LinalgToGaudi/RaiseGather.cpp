// Reads of a whole table at one loaded index (embeddings) to gaudi.tpc.gather.
#include "Nest.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::fromlinalg;

/// The value behind conversions that keep it.
static Value withoutCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::IndexCastOp, arith::ExtSIOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

Raised fromlinalg::raiseGather(Conversion &c, Nest &nest, std::string &why) {
  why = "";
  if (nest.hasReduction() || nest.numOutputs() != 1)
    return std::nullopt;
  auto extract = nest.yielded(0).getDefiningOp<tensor::ExtractOp>();
  if (!extract || extract->getBlock() != nest.body)
    return std::nullopt;
  Value table = extract.getTensor();
  auto tableType = cast<RankedTensorType>(table.getType());
  why = "the result is not written in the order of its dimensions";
  auto out = nest.outputDims(0);
  if (!out)
    return std::nullopt;

  // One index is loaded, the others count whole dimensions of the table.
  std::optional<unsigned> axis;
  BlockArgument loaded;
  DimList tableDims;
  for (auto [i, index] : llvm::enumerate(extract.getIndices())) {
    if (auto counter = index.getDefiningOp<linalg::IndexOp>()) {
      why = "a dimension of the table is read in part";
      if (nest.extents[counter.getDim()] != tableType.getDimSize(i))
        return std::nullopt;
      tableDims.push_back(
          nest.isUnit(counter.getDim()) ? unitDim : int64_t(counter.getDim()));
      continue;
    }
    auto argument = dyn_cast<BlockArgument>(withoutCasts(index));
    why = "not exactly one index of the table is read from a tensor";
    if (!argument || axis || argument.getOwner() != nest.body ||
        argument.getArgNumber() >= nest.numInputs())
      return std::nullopt;
    axis = i;
    loaded = argument;
    tableDims.push_back(unitDim);
  }
  if (!axis)
    return std::nullopt;
  Value indices = nest.input(loaded.getArgNumber());
  why = "the indices are neither i32 nor i64";
  auto indicesType = dyn_cast<RankedTensorType>(indices.getType());
  if (!indicesType || (!indicesType.getElementType().isInteger(32) &&
                       !indicesType.getElementType().isInteger(64)))
    return std::nullopt;
  why = "the indices are not read whole";
  auto indexDims = nest.inputDims(loaded.getArgNumber());
  if (!indexDims)
    return std::nullopt;

  // result = [dimensions before the axis, those of the indices, those after].
  SmallVector<int64_t> shape;
  DimList order;
  auto appendTable = [&](unsigned from, unsigned to) {
    for (unsigned i = from; i < to; ++i) {
      order.push_back(tableDims[i]);
      shape.push_back(tableType.getDimSize(i));
    }
  };
  appendTable(0, *axis);
  for (auto [dim, size] : llvm::zip_equal(*indexDims, indicesType.getShape())) {
    order.push_back(dim);
    shape.push_back(size);
  }
  appendTable(*axis + 1, tableDims.size());
  why = "the indices vary along a dimension of the table";
  DimList seen;
  for (int64_t dim : order) {
    if (dim == unitDim)
      continue;
    if (llvm::is_contained(seen, dim))
      return std::nullopt;
    seen.push_back(dim);
  }
  for (int64_t dim : *out) {
    why = "the result repeats along a dimension";
    if (dim != unitDim && !llvm::is_contained(seen, dim))
      return std::nullopt;
  }
  OpBuilder &b = c.rewriter;
  Location loc = nest.op.getLoc();
  auto outType = cast<RankedTensorType>(nest.init(0).getType());
  Value result = GatherOp::create(
      b, loc, RankedTensorType::get(shape, tableType.getElementType()), table,
      indices, *axis, /*batch_dims=*/0);
  return SmallVector<Value>{
      relayout(b, loc, result, order, *out, nest.extents, outType.getShape())};
}
