// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops and branches, which the commands of a recipe lack, for all front ends.
#ifndef GAUDI_LIB_CONVERSION_COMMON_UNROLL_H
#define GAUDI_LIB_CONVERSION_COMMON_UNROLL_H

#include "Gaudi/Conversion/ConversionReport.h"
#include "Gaudi/Conversion/Inlining.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gaudi {

/// Why a loop with this condition has no known number of iterations.
std::string dependsOnData(Value condition);

/// Expands the ops of control flow for which `isWanted` holds, and those inside
/// them, folding constants on the way:
/// - `scf.for`, `scf.while` and `tosa.while_loop` whose number of iterations is
///   constant are unrolled, together with the loops inside,
/// - `scf.if` becomes the branch that a constant condition takes, else both
///   branches and a select of each result.
/// With `onHost`, other loops at the top of functions become loops that the
/// host runs (HostLoop.h). What cannot be expanded, or exceeds the budget,
/// stays and is added to the report. True if something changed.
bool expandControlFlow(ModuleOp module, ConversionReport &report,
                       ExpansionBudget &budget, StringRef category, bool onHost,
                       llvm::function_ref<bool(Operation *)> isWanted);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_COMMON_UNROLL_H
