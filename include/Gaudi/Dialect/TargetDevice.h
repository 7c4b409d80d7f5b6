// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The name of the device that IR is compiled for.
#ifndef GAUDI_DIALECT_TARGETDEVICE_H
#define GAUDI_DIALECT_TARGETDEVICE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace gaudi {

/// Module attribute with the name of the device the module is compiled for; of
/// a function that is kept outside of a module, too.
constexpr llvm::StringLiteral deviceAttrName = "gaudi.device";

/// The name on the closest op around `op` that has one; empty if none has.
inline llvm::StringRef deviceNameFor(mlir::Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto name = op->getAttrOfType<mlir::StringAttr>(deviceAttrName))
      return name.getValue();
  return {};
}

} // namespace gaudi

#endif // GAUDI_DIALECT_TARGETDEVICE_H
