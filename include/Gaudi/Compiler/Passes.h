// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the pipeline that need more than one room.
#ifndef GAUDI_COMPILER_PASSES_H
#define GAUDI_COMPILER_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include <memory>
#include <string>

namespace gaudi {

#define GEN_PASS_DECL
#include "Gaudi/Compiler/Passes.h.inc"
#include "Gaudi/Dialect/MLIR.h"

#define GEN_PASS_REGISTRATION
#include "Gaudi/Compiler/Passes.h.inc"

/// Attribute of a function without a body whose variants are not all there yet:
/// the sizes that are missing, an array of arrays of i64.
constexpr llvm::StringLiteral missingBoxesAttrName = "gaudi.missing_boxes";

/// Attribute of such a function: so many of its variants, the first ones, are
/// there for gaudi-check-samples only.
constexpr llvm::StringLiteral sourceSamplesAttrName = "gaudi.source_samples";

/// Up to so many variants are compiled one by one, each as good as it can be.
constexpr size_t fewBuckets = 4;

} // namespace gaudi

#endif // GAUDI_COMPILER_PASSES_H
