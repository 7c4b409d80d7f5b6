// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops of GaudiDialect.h: one umbrella over the tables split by engine. The
// tables whose ops have headers of their own are in Reference.td.
#ifndef GAUDI_DIALECT_GAUDI_TD
#define GAUDI_DIALECT_GAUDI_TD

include "Gaudi/Dialect/GaudiBase.td"
include "Gaudi/Dialect/Attributes.td"
include "Gaudi/Dialect/MMEOps.td"
include "Gaudi/Dialect/TPCOps.td"
include "Gaudi/Dialect/KernelOps.td"
include "Gaudi/Dialect/MoveOps.td"
include "Gaudi/Dialect/ViewOps.td"

#endif // GAUDI_DIALECT_GAUDI_TD
