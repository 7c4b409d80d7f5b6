// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locations as reports and recipes have them.
#ifndef GAUDI_DIALECT_LOCATIONTEXT_H
#define GAUDI_DIALECT_LOCATIONTEXT_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/Location.h"
#include <string>

namespace gaudi {

/// "file:line:column" without the folder, names of named locations, fused
/// locations joined by ", ".
std::string locationText(Location loc);

} // namespace gaudi

#endif // GAUDI_DIALECT_LOCATIONTEXT_H
