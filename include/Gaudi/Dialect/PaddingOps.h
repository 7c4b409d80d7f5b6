// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops of padded variants in C++.
#ifndef GAUDI_DIALECT_PADDINGOPS_H
#define GAUDI_DIALECT_PADDINGOPS_H

#include "Gaudi/Dialect/GaudiDialect.h"

#define GET_OP_CLASSES
#include "Gaudi/Dialect/PaddingOps.h.inc"

#endif // GAUDI_DIALECT_PADDINGOPS_H
