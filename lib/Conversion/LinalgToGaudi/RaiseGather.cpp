// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of a whole table at one loaded index (embeddings) to gaudi.tpc.gather.
//
//   result[..] = table[i0, .., indices[j..], .., in]
// with the other indices whole loops of their own. The result of the op has the
// table's dimensions with those of the indices in place of the axis; relayout
// brings it into the order in which the nest writes.
#include "Nest.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

namespace {
struct GatherPlan {
  Value table, indices;
  unsigned axis = 0;
  /// Loop dimensions and sizes of gaudi.tpc.gather's result: the dimensions of
  /// the table before the axis, those of the indices, those after the axis.
  DimList order;
  SmallVector<int64_t> shape;
  DimList out;
};
} // namespace

/// The table's indices: one is loaded from an input, whose number is returned;
/// the others count whole dimensions of the table.
static FailureOr<unsigned> matchIndices(Nest &nest, tensor::ExtractOp extract,
                                        unsigned &axis, DimList &tableDims,
                                        Matcher &m) {
  auto tableType = tensorType(extract.getTensor());
  std::optional<unsigned> loaded;
  for (auto [i, index] : llvm::enumerate(extract.getIndices())) {
    // A counter must run over the whole dimension: the op has no windows.
    if (auto counter = index.getDefiningOp<linalg::IndexOp>()) {
      if (nest.extents[counter.getDim()] != tableType.getDimSize(i))
        return m.refuse("a dimension of the table is read in part");
      tableDims.push_back(
          nest.isUnit(counter.getDim()) ? unitDim : int64_t(counter.getDim()));
      continue;
    }
    auto argument = dyn_cast<BlockArgument>(withoutCasts(index));
    if (!argument || loaded || argument.getOwner() != nest.body ||
        argument.getArgNumber() >= nest.numInputs())
      return m.refuse("not exactly one index of the table is read from a "
                      "tensor");
    axis = i;
    loaded = argument.getArgNumber();
    tableDims.push_back(unitDim);
  }
  if (!loaded)
    return m.refuse("not exactly one index of the table is read from a tensor");
  return *loaded;
}

static LogicalResult checkOrder(const GatherPlan &plan, Matcher &m) {
  DimList seen;
  for (int64_t dim : plan.order) {
    if (dim == unitDim)
      continue;
    if (llvm::is_contained(seen, dim))
      return m.refuse("the indices vary along a dimension of the table");
    seen.push_back(dim);
  }
  for (int64_t dim : plan.out)
    if (dim != unitDim && !llvm::is_contained(seen, dim))
      return m.refuse("the result repeats along a dimension");
  return success();
}

LinalgMatch fromlinalg::raiseGather(Nest &nest, Matcher &m) {
  if (nest.hasReduction() || nest.numOutputs() != 1)
    return failure();
  auto extract = nest.yielded(0).getDefiningOp<tensor::ExtractOp>();
  if (!extract || extract->getBlock() != nest.body)
    return failure();
  GatherPlan plan;
  plan.table = extract.getTensor();
  auto out = nest.outputDims(0);
  if (!out)
    return m.refuse("the result is not written in the order of its dimensions");
  plan.out = *out;
  DimList tableDims;
  auto loaded = matchIndices(nest, extract, plan.axis, tableDims, m);
  if (failed(loaded))
    return failure();
  plan.indices = nest.input(*loaded);
  auto indicesType = dyn_cast<RankedTensorType>(plan.indices.getType());
  if (!indicesType || (!indicesType.getElementType().isInteger(32) &&
                       !indicesType.getElementType().isInteger(64)))
    return m.refuse("the indices are neither i32 nor i64");
  auto indexDims = nest.inputDims(*loaded);
  if (!indexDims)
    return m.refuse("the indices are not read whole");

  // A negative or too large index stops the launch, which the nest leaves
  // undefined.
  auto tableType = tensorType(plan.table);
  ArrayRef<int64_t> dims = tableDims, sizes = tableType.getShape();
  auto append = [&](ArrayRef<int64_t> moreDims, ArrayRef<int64_t> moreSizes) {
    llvm::append_range(plan.order, moreDims);
    llvm::append_range(plan.shape, moreSizes);
  };
  // The shape of the op's result, and which loop each of its dimensions is.
  append(dims.take_front(plan.axis), sizes.take_front(plan.axis));
  append(*indexDims, indicesType.getShape());
  append(dims.drop_front(plan.axis + 1), sizes.drop_front(plan.axis + 1));
  if (failed(checkOrder(plan, m)))
    return failure();
  return build([&nest, plan](Conversion &c) {
    OpBuilder &b = c.rewriter;
    Location loc = nest.op.getLoc();
    Type element = getElementTypeOrSelf(plan.table);
    Value result =
        GatherOp::create(b, loc, RankedTensorType::get(plan.shape, element),
                         plan.table, plan.indices, plan.axis, /*batch_dims=*/0);
    auto outType = tensorType(nest.init(0));
    return relayout(b, loc, result, plan.order, plan.out, nest.extents,
                    outType.getShape());
  });
}
