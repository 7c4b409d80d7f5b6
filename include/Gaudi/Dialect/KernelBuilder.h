// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds gaudi.tpc.kernel ops: index space, loads, loops and stores.
#ifndef GAUDI_DIALECT_KERNELBUILDER_H
#define GAUDI_DIALECT_KERNELBUILDER_H

#include "Gaudi/Dialect/ScalarBuilder.h"
#include "Gaudi/Kernel/Limits.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gaudi {

using kernel::maxKernelDims;
using kernel::maxParallelDims;

/// Creates a kernel op at the builder's insertion point and emits its body.
/// While a KernelBuilder lives, the OpBuilder inserts into the body; finish()
/// (or destruction) puts it back after the kernel.
class KernelBuilder : public ScalarBuilder {
public:
  using LoopBody =
      llvm::function_ref<SmallVector<Value>(ValueRange accumulators)>;

  KernelBuilder(OpBuilder &builder, Location loc, TypeRange outputs,
                ValueRange inputs, ArrayRef<int64_t> indexSpace,
                ArrayRef<bool> parallel, StringRef label);

  /// The index of kernel dimension `dim` as an affine expression.
  AffineExpr dim(unsigned dim);
  AffineExpr cst(int64_t value);
  /// The indices of dimensions 0 to `count` - 1.
  SmallVector<AffineExpr> dims(unsigned count);
  /// The index of kernel dimension `dim` as an i64 value.
  Value index(unsigned dim);

  /// Element of input number `input`; every position must be inside.
  Value load(unsigned input, ArrayRef<AffineExpr> position);
  /// With one boundary rule per tensor dimension; `pad` for rule pad.
  Value load(unsigned input, ArrayRef<AffineExpr> position,
             ArrayRef<Boundary> boundary, TypedAttr pad = {});
  /// Tensor dimensions `dynamicDims`, in ascending order, are indexed by the
  /// i64 `indices`; their position is 0.
  Value loadAt(unsigned input, ArrayRef<AffineExpr> position,
               ArrayRef<int64_t> dynamicDims, ValueRange indices,
               ArrayRef<Boundary> boundary, TypedAttr pad = {});
  void store(Value value, unsigned output, ArrayRef<AffineExpr> position);

  /// A loop over sequential dimensions; the body returns the operands of its
  /// yield. Returns the results of the loop.
  SmallVector<Value> loop(ArrayRef<int64_t> dims, ArrayRef<KernelReduce> reduce,
                          ValueRange inits, LoopBody body);

  /// Calls `point` once for each point of the kernel's first `rank` dimensions:
  /// inside a loop over those of them that are sequential. Loops do not nest,
  /// so `point` makes none if there are any.
  void forEachPoint(unsigned rank, llvm::function_ref<void()> point);

  KernelOp finish();
  KernelOp getOp() { return kernel; }

private:
  OpBuilder::InsertionGuard guard;
  KernelOp kernel;
};

/// Splits an iteration space into kernel dimensions: the last five dimensions
/// of extent > 1 stay parallel, earlier ones become sequential.
SmallVector<bool> parallelDims(ArrayRef<int64_t> sizes);

} // namespace gaudi

#endif // GAUDI_DIALECT_KERNELBUILDER_H
