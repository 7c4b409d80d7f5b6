// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops of training in C++.
#ifndef GAUDI_DIALECT_TRAININGOPS_H
#define GAUDI_DIALECT_TRAININGOPS_H

#include "Gaudi/Dialect/GaudiDialect.h"
#include "mlir/IR/PatternMatch.h"

#define GET_OP_CLASSES
#include "Gaudi/Dialect/TrainingOps.h.inc"

#endif // GAUDI_DIALECT_TRAININGOPS_H
