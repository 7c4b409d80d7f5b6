// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How large integers computed from positions and constants can be.
#ifndef GAUDI_LIB_CONVERSION_COMMON_INTEGERBOUND_H
#define GAUDI_LIB_CONVERSION_COMMON_INTEGERBOUND_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/Value.h"
#include <optional>

namespace gaudi {

/// A number that no absolute value of the scalar, or of an element of the
/// tensor, exceeds; none if nothing is known.
std::optional<int64_t> largestMagnitude(Value value);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_COMMON_INTEGERBOUND_H
