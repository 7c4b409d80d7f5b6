// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of the elementwise ops that GaudiDialect.h declares.
#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/ScalarBuilder.h"

using namespace mlir;
using namespace gaudi;

#define GET_OP_CLASSES
#include "Gaudi/Dialect/ArithmeticOps.cpp.inc"
