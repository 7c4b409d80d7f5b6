// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of a variant that hold sizes which a launch chooses.
#ifndef GAUDI_LIB_TRANSFORMS_SHAPES_EXTENTS_H
#define GAUDI_LIB_TRANSFORMS_SHAPES_EXTENTS_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AffineExpr.h"

namespace gaudi {

/// Adds an argument, a tensor<i32>, which has the value of `size` at a launch;
/// `size` is over that many symbols.
BlockArgument addExtent(func::FuncOp function, AffineExpr size,
                        unsigned symbols);

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_SHAPES_EXTENTS_H
