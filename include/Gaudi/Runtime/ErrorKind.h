// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What errors of the runtime are about, for callers that do more than print.
#ifndef GAUDI_RUNTIME_ERRORKIND_H
#define GAUDI_RUNTIME_ERRORKIND_H

#include "Gaudi/Support/Error.h"

namespace gaudi::runtime {

enum class ErrorKind {
  Other,
  DeviceMemory,   ///< the recipe needs more than the device has
  HostMemory,     ///< of the emulation
  MissingLibrary, ///< one of this build is not there, or is of another build
  OtherProcess,   ///< has the card, or the threads of the device
  Work,           ///< that was issued to a device has failed
};

/// An error is its sentence: the kind shows in the phrases that all errors of
/// that kind share.
ErrorKind kindOf(const Error &error);

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_ERRORKIND_H
