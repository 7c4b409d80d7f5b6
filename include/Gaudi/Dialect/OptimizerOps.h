// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops of optimizers in C++.
#ifndef GAUDI_DIALECT_OPTIMIZEROPS_H
#define GAUDI_DIALECT_OPTIMIZEROPS_H

#include "Gaudi/Dialect/GaudiDialect.h"

#include "Gaudi/Dialect/OptimizerInterfaces.h.inc"
#define GET_OP_CLASSES
#include "Gaudi/Dialect/OptimizerOps.h.inc"

#endif // GAUDI_DIALECT_OPTIMIZEROPS_H
