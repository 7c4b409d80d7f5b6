// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns a relocatable object into a kernel image.
#ifndef GAUDI_LIB_RUNTIME_JIT_IMAGEWRITER_H
#define GAUDI_LIB_RUNTIME_JIT_IMAGEWRITER_H

#include "Gaudi/Support/Error.h"

#include "llvm/Support/MemoryBufferRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gaudi::runtime {

/// Lays out code and constants of an ELF object for x86-64 or aarch64, applies
/// relocations, and adds a table of pointers to what it imports. `entry` names
/// the kernel's function. Errors: a relocation or section that such an image
/// cannot have.
Result<std::vector<uint8_t>> writeImage(llvm::MemoryBufferRef object,
                                        const std::string &entry);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_IMAGEWRITER_H
