// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code of a kernel in the form that is cached and loaded: one block of
// position-independent bytes, and what its table of pointers must contain.
//
//   header | imports | rebases | names | code
//
// The code block has instructions, constants and the table. Numbers are in the
// host's byte order: an image is used only on the host it was made on.
#ifndef GAUDI_LIB_RUNTIME_JIT_KERNELIMAGE_H
#define GAUDI_LIB_RUNTIME_JIT_KERNELIMAGE_H

#include "KernelTypes.h"

#include "Gaudi/Recipe/Container.h"
#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace gaudi::runtime {

/// Images begin at multiples of this, so that constants of kernels may be
/// aligned to at most this. Code of aarch64 forms addresses from numbers of
/// 4 KiB pages, which must not change with the image's place.
#if defined(__aarch64__)
constexpr uint32_t imageAlignment = 4096;
#else
constexpr uint32_t imageAlignment = 64;
#endif

/// The pointer at `slot` becomes the host function of that name.
struct ImageImport {
  uint32_t slot;
  uint32_t name; // offset of a NUL-terminated string in the names
};

/// The pointer at `slot` becomes the address of the code block plus `target`.
struct ImageRebase {
  uint32_t slot;
  uint32_t target;
};

/// A view of an image; the memory belongs to the caller.
struct KernelImage {
  uint32_t entry = 0; // offset of the kernel function
  std::vector<ImageImport> imports;
  std::vector<ImageRebase> rebases;
  std::string_view names;
  recipe::ByteSpan code;

  std::vector<uint8_t> encode() const;
  /// Checks every offset. `bytes` must outlive the result.
  static Result<KernelImage> decode(recipe::ByteSpan bytes);
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_KERNELIMAGE_H
