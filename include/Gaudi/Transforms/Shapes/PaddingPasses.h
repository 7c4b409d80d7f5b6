// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes on padding of static variants.
#ifndef GAUDI_TRANSFORMS_SHAPES_PADDINGPASSES_H
#define GAUDI_TRANSFORMS_SHAPES_PADDINGPASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include <memory>
#include <string>

namespace gaudi {

#define GEN_PASS_DECL
#include "Gaudi/Dialect/MLIR.h"
#include "Gaudi/Transforms/PaddingPasses.h.inc"

#define GEN_PASS_REGISTRATION
#include "Gaudi/Transforms/PaddingPasses.h.inc"

} // namespace gaudi

#endif // GAUDI_TRANSFORMS_SHAPES_PADDINGPASSES_H
