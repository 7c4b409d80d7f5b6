// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Concatenations that kernels read become kernels, so that they can be fused.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_MERGE_EXPANDCONCATS_H
#define GAUDI_LIB_TRANSFORMS_FUSION_MERGE_EXPANDCONCATS_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/Block.h"

namespace gaudi::fusion {

/// Replaces each concatenation of few equal pieces that are computed from one
/// tensor. The kernel computes all pieces at each of its points and selects
/// one.
void expandConcats(Block &block);

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_MERGE_EXPANDCONCATS_H
