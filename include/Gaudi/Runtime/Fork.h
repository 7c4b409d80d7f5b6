// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells a process that fork() made from the one that loaded an
// executable or opened a device.
#ifndef GAUDI_RUNTIME_FORK_H
#define GAUDI_RUNTIME_FORK_H

#include <cstdint>

namespace gaudi::runtime {

/// How often this process and its parents have been made by fork() since the
/// library was loaded. The threads of what was made at a lower count are not
/// there any more, and locks that they held stay locked.
uint32_t forkCount();

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_FORK_H
