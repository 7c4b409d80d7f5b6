// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The custom directives of the assembly formats in KernelOps.td.
#ifndef GAUDI_LIB_DIALECT_KERNELSYNTAX_H
#define GAUDI_LIB_DIALECT_KERNELSYNTAX_H

#include "Gaudi/Dialect/GaudiDialect.h"

namespace gaudi {

/// KernelBody: the region of a kernel.
ParseResult parseKernelBody(OpAsmParser &parser, Region &body,
                            DenseI64ArrayAttr indexSpace);
void printKernelBody(OpAsmPrinter &printer, KernelOp kernel, Region &body,
                     DenseI64ArrayAttr indexSpace);

/// Position: `[d0 + 1, %i]`, sums of kernel dimensions and, in a load, values.
ParseResult
parsePosition(OpAsmParser &parser, AffineMapAttr &map,
              SmallVectorImpl<OpAsmParser::UnresolvedOperand> &indices,
              DenseI64ArrayAttr &dynamicDims);
ParseResult parsePosition(OpAsmParser &parser, AffineMapAttr &map);
void printPosition(OpAsmPrinter &printer, KernelLoadOp load, AffineMapAttr map,
                   OperandRange indices, DenseI64ArrayAttr dynamicDims);
void printPosition(OpAsmPrinter &printer, KernelStoreOp store,
                   AffineMapAttr map);

/// TensorOfScalar: the type of the tensor, from which that of the scalar
/// follows.
ParseResult parseTensorOfScalar(OpAsmParser &parser, Type &tensor,
                                Type &scalar);
void printTensorOfScalar(OpAsmPrinter &printer, Operation *op, Type tensor,
                         Type scalar);

} // namespace gaudi

#endif // GAUDI_LIB_DIALECT_KERNELSYNTAX_H
