// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MLIR's names in namespace gaudi: the dialect, passes and front ends say
// `Value`, not `mlir::Value`.
//
// Our own names go before MLIR's. Code that knows nothing of MLIR (recipes, the
// runtime, device time) does not include this header.
#ifndef GAUDI_DIALECT_MLIR_H
#define GAUDI_DIALECT_MLIR_H

namespace mlir {}

namespace gaudi {
using namespace mlir;
} // namespace gaudi

#endif // GAUDI_DIALECT_MLIR_H
