// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs that are where the caller has them.
#ifndef GAUDI_LIB_RUNTIME_BINDINGS_H
#define GAUDI_LIB_RUNTIME_BINDINGS_H

#include "Gaudi/Runtime/LoadOptions.h"
#include "Gaudi/Support/Error.h"
#include "MovedTensors.h"

#include <vector>

namespace gaudi::runtime {

/// Views of bound inputs move with them. Errors name the binding, and why its
/// input cannot be used where it is.
Result<MovedTensors> moveTensors(const recipe::Recipe &recipe,
                                 const std::vector<InputBinding> &bindings);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_BINDINGS_H
