// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialects of XLA's exporters (stablehlo, mhlo, chlo, sdy), as far as
// reading them needs: without their ops, which are parsed in the generic form
// and known by name.
#ifndef GAUDI_CONVERSION_STABLEHLO_H
#define GAUDI_CONVERSION_STABLEHLO_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/Support/LLVM.h"

namespace mlir {
class DialectRegistry;
class OperationName;
} // namespace mlir

namespace gaudi {

/// Registers the dialects. Their ops parse in the generic form; a call of
/// a function that has such ops can be inlined. An attribute in the dialect's
/// own syntax becomes a builtin attribute: `#stablehlo<comparison_direction
/// EQ>` a string, `#stablehlo.dot<...>` a dictionary of the fields, in which
/// lists of numbers are arrays of i64. `#sdy...` says where tensors lie among
/// devices; it becomes a unit attribute.
void registerStablehloDialects(DialectRegistry &registry);

/// True if `name` is of one of these dialects.
bool isStablehlo(OperationName name);

} // namespace gaudi

#endif // GAUDI_CONVERSION_STABLEHLO_H
