// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device bytes of constant attributes.
#ifndef GAUDI_LIB_CONVERSION_GAUDITORECIPE_CONSTANTBYTES_H
#define GAUDI_LIB_CONVERSION_GAUDITORECIPE_CONSTANTBYTES_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/BuiltinAttributes.h"
#include <deque>
#include <vector>

namespace gaudi {

/// The little-endian dense bytes of `value` (i1: one byte per element). With
/// `oneElement`, only those of the first element of a splat. Points into the
/// attribute where it can, else into a new entry of `owned`.
ArrayRef<uint8_t> constantBytes(ElementsAttr value, bool oneElement,
                                std::deque<std::vector<uint8_t>> &owned);

/// The bits of a scalar attribute, low bits first.
uint64_t scalarBits(TypedAttr value);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_GAUDITORECIPE_CONSTANTBYTES_H
