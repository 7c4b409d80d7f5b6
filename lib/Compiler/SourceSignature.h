// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the compilation of a function depends on, read from the source.
#ifndef GAUDI_LIB_COMPILER_SOURCESIGNATURE_H
#define GAUDI_LIB_COMPILER_SOURCESIGNATURE_H

#include "Gaudi/Dialect/MLIR.h"
#include "Gaudi/Shapes/Recompile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gaudi {

/// Inputs, outputs, ops and constants of `entry` and of the functions that are
/// left beside it, in any dialect. Values are numbered along the data flow from
/// the results, so that neither their names nor the order of independent ops in
/// the text matter; ops that only nothing uses are not there. `fileName` and
/// `text` are the source: names of constants come from it. O(ops + bytes of
/// constants).
shapes::Signature sourceSignature(func::FuncOp entry, StringRef fileName,
                                  StringRef text);

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_SOURCESIGNATURE_H
