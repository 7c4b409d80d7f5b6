// Contractions of 8-bit integers on micro kernels.
#ifndef GAUDI_LIB_RUNTIME_MME_INTEGERPRODUCT_H
#define GAUDI_LIB_RUNTIME_MME_INTEGERPRODUCT_H

#include "../Integers/Contraction.h"

namespace gaudi::runtime {

/// A command that writes the sums: i32, dense, of the contraction's sizes. Null
/// with an error that says why the host has no such command.
Prepared prepareIntegers(const IntegerContraction &contraction,
                         const BoundTensor &sums, PrepareContext &context);

/// Most bytes of staging that it takes, with those of the sums.
uint64_t integerStaging(const IntegerContraction &contraction);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_INTEGERPRODUCT_H
