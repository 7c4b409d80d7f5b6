// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StableHLO ops that become other StableHLO ops before anything is converted:
// control flow, composites and implicit broadcasts.
#ifndef GAUDI_LIB_CONVERSION_STABLEHLOTOGAUDI_EXPAND_H
#define GAUDI_LIB_CONVERSION_STABLEHLOTOGAUDI_EXPAND_H

#include "../Common/Unroll.h"
#include "Gaudi/Conversion/ConversionReport.h"
#include "mlir/IR/BuiltinOps.h"

namespace gaudi {

/// Writes ops that another op says as well as that op: dynamic ops with static
/// results, custom calls that carry an op, torch_index_select.
void writeStaticForms(ModuleOp module);

/// Gives loops and branches of tuples one value for each element. Elements are
/// then taken of tuples that are made in the same function.
void flattenTuples(ModuleOp module);

/// Copies scalars that are computed of constants into the regions that read
/// them, in the whole module: kernels compute regions, which see nothing else.
void copyConstantsIntoRegions(ModuleOp module);

/// On an op of i64 whose operands are ui64 in the source.
inline constexpr StringLiteral unsignedMark = "gaudi.unsigned";

/// Gives values of ui64, which the device does not have, the type i64 where
/// every op that makes or reads them gives the same bits. Others are reported.
void retypeUnsigned64(ModuleOp module, ConversionReport &report);

/// Expands in the whole module, outermost ops first:
/// - `while` with a bound that is known is unrolled; if it may end earlier, by
///   a condition on data, later iterations keep the values they are given,
/// - `if` and `case` become the chosen branch, or all branches and a choice,
/// - `composite` becomes a call of its decomposition,
/// - `chlo.broadcast_*` becomes broadcasts and the op,
/// - tuples are taken apart.
/// Integer scalars that become constant are folded on the way, so that the
/// indices of unrolled iterations are known. What cannot be expanded is added
/// to the report. Fails where so much was cloned (ExpansionBudget) that nothing
/// more is expanded.
LogicalResult expandStablehlo(ModuleOp module, ConversionReport &report,
                              uint64_t maxExpandedOps);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_STABLEHLOTOGAUDI_EXPAND_H
