// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models of gathers and scatters.
#include "Gaudi/Dialect/TrainingOps.h"
#include "Indexing.h"
#include "Models.h"
#include "Scalars.h"
#include "Strided.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::reference;

namespace {

LogicalResult checkIndices(Operation *op, const ReferenceTensor &indices,
                           int64_t size) {
  for (auto [position, index] : llvm::enumerate(indices.ints()))
    if (index < 0 || index >= size)
      return op->emitError()
             << "expected indices in [0, " << size << ") but got " << index
             << " in element " << position << " of the indices";
  return success();
}

LogicalResult evaluateGather(GatherOp op, Operands operands, Results &results) {
  const ReferenceTensor &data = operands[0], &indices = operands[1];
  const int64_t batchDims = op.getBatchDims();
  const AxisView axis(data.getShape(), op.getAxis());
  if (failed(checkIndices(op, indices, axis.size)))
    return failure();
  // result[b, o, i, r] = data[b, o, indices[b, i], r]
  const int64_t outer =
      product(data.getShape().slice(batchDims, op.getAxis() - batchDims));
  const int64_t picked = product(indices.getShape().drop_front(batchDims));
  const int64_t inner = axis.inner;
  auto source = [&](int64_t element) {
    const int64_t r = element % inner;
    const int64_t i = element / inner % picked;
    const int64_t bo = element / inner / picked;
    const int64_t b = bo / outer;
    return (bo * axis.size + indices.ints()[b * picked + i]) * inner + r;
  };
  results.push_back(data.gathered(op.getType().getShape(), source));
  return success();
}

/// Calls f(element, position) for each element of `indices`, with the position
/// in a tensor of shape `shape` that it points at along `axis`.
template <typename F>
void walkIndexed(const ReferenceTensor &indices, ArrayRef<int64_t> shape,
                 int64_t axis, F f) {
  SmallVector<int64_t> strides = denseStrides(shape);
  const int64_t along = strides[axis];
  strides[axis] = 0;
  walkStrided<1>(indices.getShape(), {strides}, {0},
                 [&](int64_t i, const std::array<int64_t, 1> &at) {
                   f(i, at[0] + indices.ints()[i] * along);
                 });
}

LogicalResult evaluateGatherElements(GatherElementsOp op, Operands operands,
                                     Results &results) {
  const ReferenceTensor &data = operands[0], &indices = operands[1];
  if (failed(checkIndices(op, indices, data.getDim(op.getAxis()))))
    return failure();
  std::vector<int64_t> sources(indices.getCount());
  walkIndexed(indices, data.getShape(), op.getAxis(),
              [&](int64_t i, int64_t position) { sources[i] = position; });
  results.push_back(
      data.gathered(indices.getShape(), [&](int64_t i) { return sources[i]; }));
  return success();
}

/// data with rows replaced or, if the op `adds`, increased.
LogicalResult scatterRows(Operation *op, Operands operands, bool adds,
                          bool dropsOutside, Results &results) {
  const ReferenceTensor &data = operands[0], &indices = operands[1],
                        &updates = operands[2];
  const int64_t rows = data.getDim(1), columns = data.getDim(2),
                writes = indices.getDim(1);
  if (!dropsOutside && failed(checkIndices(op, indices, rows)))
    return failure();
  ReferenceTensor y = data;
  auto scatter = [&](auto to, auto from, auto combine) {
    // In the order of writes: the last one to a place stays.
    for (int64_t n = 0; n < indices.getDim(0); ++n)
      for (int64_t w = 0; w < writes; ++w) {
        const int64_t row = indices.ints()[n * writes + w];
        if (row < 0 || row >= rows)
          continue;
        for (int64_t c = 0; c < columns; ++c) {
          auto &element = to[(n * rows + row) * columns + c];
          element = combine(element, from[(n * writes + w) * columns + c]);
        }
      }
  };
  if (y.isFloat()) {
    const FloatRounder round(y.getElementType(), operands.noise);
    scatter(y.mutableFloats(), updates.floats(),
            [&](double a, double b) { return adds ? round(a + b) : b; });
  } else {
    const IntKind kind = IntKind::of(y.getElementType());
    scatter(y.mutableInts(), updates.ints(), [&](int64_t a, int64_t b) {
      return adds ? addInt(a, b, kind) : b;
    });
  }
  results.push_back(y);
  return success();
}

LogicalResult evaluateScatter(ScatterOp op, Operands operands,
                              Results &results) {
  return scatterRows(op, operands, /*adds=*/false, /*dropsOutside=*/false,
                     results);
}

LogicalResult evaluateScatterRows(ScatterRowsOp op, Operands operands,
                                  Results &results) {
  return scatterRows(op, operands, op.getAccumulate(), op.getDropOutside(),
                     results);
}

LogicalResult evaluateScatterElements(ScatterElementsOp op, Operands operands,
                                      Results &results) {
  const ReferenceTensor &data = operands[0], &indices = operands[1],
                        &updates = operands[2];
  if (failed(checkIndices(op, indices, data.getDim(op.getAxis()))))
    return failure();
  ReferenceTensor y = data;
  // Sequential: several updates of one element are added in order.
  if (y.isFloat()) {
    const FloatRounder round(y.getElementType(), operands.noise);
    auto to = y.mutableFloats();
    walkIndexed(indices, data.getShape(), op.getAxis(),
                [&](int64_t i, int64_t position) {
                  const double update = updates.floats()[i];
                  to[position] = op.getAccumulate()
                                     ? round(to[position] + update)
                                     : update;
                });
  } else {
    const IntKind kind = IntKind::of(y.getElementType());
    auto to = y.mutableInts();
    walkIndexed(indices, data.getShape(), op.getAxis(),
                [&](int64_t i, int64_t position) {
                  const int64_t update = updates.ints()[i];
                  to[position] = op.getAccumulate()
                                     ? addInt(to[position], update, kind)
                                     : update;
                });
  }
  results.push_back(y);
  return success();
}
} // namespace

void reference::attachIndexedModels(MLIRContext *context) {
  attach<GatherOp, evaluateGather>(context);
  attach<GatherElementsOp, evaluateGatherElements>(context);
  attach<ScatterOp, evaluateScatter>(context);
  attach<ScatterRowsOp, evaluateScatterRows>(context);
  attach<ScatterElementsOp, evaluateScatterElements>(context);
}
