// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products added up as a chip does (ChipSum.h). Slow.
#ifndef GAUDI_LIB_RUNTIME_MME_GEMM_CHIPGEMM_H
#define GAUDI_LIB_RUNTIME_MME_GEMM_CHIPGEMM_H

#include "../../Commands/Command.h"
#include "ChipSum.h"

namespace gaudi::runtime {

/// `chip` is that of the operands' type. Results are rounded once, to nearest
/// even.
std::unique_ptr<PreparedCommand>
buildChipGemm(const ChipSum &chip, const recipe::Gemm &gemm,
              const BoundTensor &a, const BoundTensor &b, const BoundTensor &c,
              PrepareContext &context);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_GEMM_CHIPGEMM_H
