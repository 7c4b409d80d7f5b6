// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Norms, softmax and losses that a model has in parts.
#ifndef GAUDI_LIB_TRANSFORMS_PRECISION_NORMUNITS_H
#define GAUDI_LIB_TRANSFORMS_PRECISION_NORMUNITS_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/Block.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace gaudi {

/// "softmax", "log_softmax", "cross_entropy_loss", "mse_loss", "l1_loss" or
/// "layer_norm", which is here any op that scales or shifts a tensor by
/// statistics of its own.
struct NormUnit {
  std::string name;
  SmallVector<Operation *> ops;
};

/// In a block of gaudi ops, of those that did not come from an op of PyTorch.
/// Linear in the ops: what is followed from a reduction has a bound.
std::vector<NormUnit> findNormUnits(Block &block);

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_PRECISION_NORMUNITS_H
