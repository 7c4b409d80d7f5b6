// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points of the front ends: passes that turn a source dialect into gaudi.
#ifndef GAUDI_CONVERSION_PASSES_H
#define GAUDI_CONVERSION_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include <memory>

namespace gaudi {

#define GEN_PASS_DECL
#include "Gaudi/Conversion/Passes.h.inc"
#include "Gaudi/Dialect/MLIR.h"

#define GEN_PASS_REGISTRATION
#include "Gaudi/Conversion/Passes.h.inc"

} // namespace gaudi

#endif // GAUDI_CONVERSION_PASSES_H
