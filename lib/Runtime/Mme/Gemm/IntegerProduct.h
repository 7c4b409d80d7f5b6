// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contractions of 8-bit integers on micro kernels.
#ifndef GAUDI_LIB_RUNTIME_MME_GEMM_INTEGERPRODUCT_H
#define GAUDI_LIB_RUNTIME_MME_GEMM_INTEGERPRODUCT_H

#include "../../Integers/Contraction.h"

namespace gaudi::runtime {

/// A command that writes the sums: i32, dense, of the contraction's sizes. Null
/// with a reason if the host has none for it.
Prepared prepareIntegers(const IntegerContraction &contraction,
                         const BoundTensor &sums, PrepareContext &context,
                         std::string &reason);

/// Most bytes of staging that it takes, with those of the sums.
uint64_t integerStaging(const IntegerContraction &contraction);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_GEMM_INTEGERPRODUCT_H
