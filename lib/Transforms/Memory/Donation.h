// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments whose buffers callers give away.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_DONATION_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_DONATION_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/Support/LLVM.h"

namespace gaudi {

/// Attribute of an argument: a result must be written to its buffer without a
/// copy, the one of the given number, or with a unit attribute any of its type.
/// gaudi-mark-state makes the argument state and leaves the unit attribute;
/// gaudi-alias-buffers reports an error where a copy is needed.
constexpr llvm::StringLiteral donatedAttrName = "gaudi.donated";

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_DONATION_H
