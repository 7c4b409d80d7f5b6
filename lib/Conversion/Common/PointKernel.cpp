// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that compute their results element by element.
#include "PointKernel.h"

using namespace mlir;
using namespace gaudi;

SmallVector<Value> gaudi::pointKernel(FrontEndBuilder &b, StringRef label,
                                      TypeRange results, ValueRange inputs,
                                      ArrayRef<int64_t> loops,
                                      PointValues point) {
  ArrayRef<int64_t> shape =
      llvm::cast<RankedTensorType>(results.front()).getShape();
  // No points: a kernel has at least one.
  if (llvm::is_contained(shape, 0))
    return llvm::map_to_vector(results, [&](Type type) -> Value {
      return gaudi::ConstantOp::create(
          b, DenseElementsAttr::getFromRawBuffer(
                 llvm::cast<RankedTensorType>(type), {}));
    });
  assert(!llvm::is_contained(loops, 0) && "what is summed has elements");
  ++b.numKernels;
  // Dimensions that `point` loops over come after those of the results.
  SmallVector<int64_t> space(shape);
  space.append(loops.begin(), loops.end());
  assert(space.size() <= maxKernelDims && "checked by the caller");
  SmallVector<bool> parallel = parallelDims(shape);
  parallel.resize(space.size(), false);
  KernelBuilder k(b, b.getLoc(), results, inputs, space, parallel, label);
  k.forEachPoint(shape.size(), [&] {
    for (auto [i, value] : llvm::enumerate(point(k)))
      k.store(value, i, k.dims(shape.size()));
  });
  return SmallVector<Value>(k.finish()->getResults());
}
