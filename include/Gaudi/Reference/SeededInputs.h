// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seeded inputs as reference tensors (formula: Gaudi/Support/SeededInputs.h).
#ifndef GAUDI_REFERENCE_SEEDEDINPUTS_H
#define GAUDI_REFERENCE_SEEDEDINPUTS_H

#include "Gaudi/Reference/Tensor.h"

namespace gaudi {

/// The values of argument number `argument` for `seed`.
ReferenceTensor seededInput(RankedTensorType type, uint32_t argument,
                            uint32_t seed);

/// One tensor per type, numbered from 0. The types must be static tensors of
/// the device's element types.
SmallVector<ReferenceTensor> seededInputs(TypeRange types, uint32_t seed);

} // namespace gaudi

#endif // GAUDI_REFERENCE_SEEDEDINPUTS_H
