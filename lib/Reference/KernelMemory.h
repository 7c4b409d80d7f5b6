// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps that move elements between tensors and rows of lanes.
#ifndef GAUDI_LIB_REFERENCE_KERNELMEMORY_H
#define GAUDI_LIB_REFERENCE_KERNELMEMORY_H

#include "Gaudi/Dialect/GaudiDialect.h"
#include "KernelProgram.h"

namespace gaudi::reference {

/// Reads an element of `tensor` per lane into row `to`. `indexRows` are the int
/// rows of the kernel's dimensions, `rowOf` finds the row of an index that is a
/// value. Fails with an error on a map that is no affine sum.
FailureOr<Step> makeLoad(KernelLoadOp op, const ReferenceTensor &tensor,
                         ArrayRef<unsigned> indexRows,
                         llvm::function_ref<unsigned(Value)> rowOf,
                         unsigned to);

/// Writes row `from`, rounded to the tensor's element type, into `tensor`.
FailureOr<Step> makeStore(KernelStoreOp op, ReferenceTensor &tensor,
                          ArrayRef<unsigned> indexRows, unsigned from);

} // namespace gaudi::reference

#endif // GAUDI_LIB_REFERENCE_KERNELMEMORY_H
