// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host functions that compiled kernels may call.
#ifndef GAUDI_LIB_RUNTIME_JIT_MATHSYMBOLS_H
#define GAUDI_LIB_RUNTIME_JIT_MATHSYMBOLS_H

#include "Gaudi/Recipe/Recipe_generated.h"

#include <utility>
#include <vector>

namespace gaudi::runtime {

/// Put before the names, so that LLVM does not take them for the C functions
/// and rewrite calls with rules of its own.
constexpr const char *mathPrefix = "gaudi.";
constexpr const char *recordFaultName = "gaudi.recordFault";

/// "expf" for ExpF, ...; null if the operation is not a call.
const char *mathFunctionName(recipe::Op op);

/// Name (without prefix) and address of every math function.
const std::vector<std::pair<const char *, void *>> &mathFunctions();

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_MATHSYMBOLS_H
