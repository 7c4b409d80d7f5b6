// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What passes ask the device table, in the dialect's terms.
#ifndef GAUDI_TRANSFORMS_DEVICEMODEL_H
#define GAUDI_TRANSFORMS_DEVICEMODEL_H

#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/TargetDevice.h"
#include "mlir/IR/BuiltinOps.h"

namespace gaudi {

/// The table of the device named on the module, or null after an error that
/// says to run gaudi-place-ops first.
const device::DeviceSpec *deviceOf(ModuleOp module);
/// The same for passes before gaudi-place-ops: `fallback` is the device of a
/// module that names none.
const device::DeviceSpec *deviceOf(ModuleOp module, StringRef fallback);

/// The engine that moves `elementType` data on the device.
Engine engineFor(const device::DeviceSpec &spec, Movement movement,
                 Type elementType);

/// True for the products of the matrix engine; false for a transpose that the
/// engine of some devices moves.
bool isMatrixProduct(Operation *op);

} // namespace gaudi

#endif // GAUDI_TRANSFORMS_DEVICEMODEL_H
