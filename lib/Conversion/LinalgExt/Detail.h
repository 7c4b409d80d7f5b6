// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the ops of both dialects share: syntax and checks.
#ifndef GAUDI_LIB_CONVERSION_LINALGEXT_DETAIL_H
#define GAUDI_LIB_CONVERSION_LINALGEXT_DETAIL_H

#include "Gaudi/Conversion/LinalgExt.h"

namespace gaudi {

/// The operands in `ins`. An op without `operandSegmentSizes` has as many
/// outputs as results.
ValueRange linalgExtInputs(Operation *op);

/// Reads `attr-dict? clause* ins(...)? outs(...) region? (-> types)?`, with
/// clauses such as `dimension(1)` and `dimension_map = [0]`.
ParseResult parseLinalgExt(OpAsmParser &parser, OperationState &result);
void printLinalgExt(OpAsmPrinter &printer, Operation *op);

LogicalResult verifyLinalgExt(Operation *op);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_LINALGEXT_DETAIL_H
