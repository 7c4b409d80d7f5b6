// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Missing host memory as an error.
#ifndef GAUDI_LIB_RUNTIME_WITHMEMORY_H
#define GAUDI_LIB_RUNTIME_WITHMEMORY_H

#include "ErrorPhrases.h"
#include "Gaudi/Support/Error.h"

#include <new>

namespace gaudi::runtime {

/// What `call` returns. Errors are values at public interfaces, so memory that
/// is missing becomes one; `purpose` says what for.
template <typename Call>
auto withMemoryFor(const char *purpose, Call &&call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::bad_alloc &) {
    return fail("{} to {}", notEnoughHostMemory, purpose);
  }
}

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_WITHMEMORY_H
