// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes on the types in which products are computed.
#ifndef GAUDI_TRANSFORMS_PRECISIONPASSES_H
#define GAUDI_TRANSFORMS_PRECISIONPASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include <memory>
#include <string>

namespace gaudi {

#define GEN_PASS_DECL
#include "Gaudi/Dialect/MLIR.h"
#include "Gaudi/Transforms/PrecisionPasses.h.inc"

#define GEN_PASS_REGISTRATION
#include "Gaudi/Transforms/PrecisionPasses.h.inc"

} // namespace gaudi

#endif // GAUDI_TRANSFORMS_PRECISIONPASSES_H
