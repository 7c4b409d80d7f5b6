// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every host function that compiled kernels may call, by name.
#ifndef GAUDI_LIB_RUNTIME_JIT_HOSTFUNCTIONS_H
#define GAUDI_LIB_RUNTIME_JIT_HOSTFUNCTIONS_H

#include <string_view>

namespace gaudi::runtime {

/// Null if there is none of that name.
void *hostFunction(std::string_view name);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_HOSTFUNCTIONS_H
