// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel language (Gaudi/Kernel) in MLIR's terms: opcodes of ops, element
// types of types, affine forms of affine expressions.
#ifndef GAUDI_DIALECT_KERNELLANGUAGE_H
#define GAUDI_DIALECT_KERNELLANGUAGE_H

#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Kernel/Affine.h"
#include "Gaudi/Kernel/ElementType.h"
#include "Gaudi/Kernel/Opcodes.h"
#include "Gaudi/Kernel/Reduce.h"
#include "mlir/IR/AffineMap.h"

namespace gaudi {

using kernel::Affine;

/// The opcode of a scalar op in a kernel's body, by the op's class; none if no
/// instruction has it. Bitcasts have two opcodes: this gives the one to i32.
std::optional<gaudi::kernel::Opcode> opcodeOf(OperationName name);

/// The device's name for one of its element types (isDeviceElement).
kernel::ElementType elementTypeOf(Type type);

/// True for argmax and argmin, which also give a position.
inline bool hasPosition(KernelReduce kind) { return kernel::hasPosition(kind); }
/// Results of a reduction: 1, or 2 with a position.
inline unsigned resultCount(KernelReduce kind) {
  return kernel::resultCount(kind);
}

/// The form of a sum of dimensions times constants. Fails for other
/// expressions, and where a coefficient does not fit 64 bits.
FailureOr<Affine> affineOf(AffineExpr expr);
/// The forms of a map's results, all of which must be such sums.
SmallVector<Affine> affineOf(AffineMap map);
/// The expression of a form, whose dimension d is called newDims[d].
AffineExpr exprOf(const Affine &form, ArrayRef<unsigned> newDims,
                  MLIRContext *context);

} // namespace gaudi

#endif // GAUDI_DIALECT_KERNELLANGUAGE_H
