// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executable memory of loaded kernels.
#ifndef GAUDI_LIB_RUNTIME_JIT_CODEMEMORY_H
#define GAUDI_LIB_RUNTIME_JIT_CODEMEMORY_H

#include "KernelImage.h"

#include <cstddef>
#include <vector>

namespace gaudi::runtime {

/// Executable memory with the images of a recipe. Written first, then made
/// read-only and executable, never both.
class CodeMemory {
public:
  CodeMemory() = default;
  CodeMemory(CodeMemory &&other) noexcept;
  CodeMemory &operator=(CodeMemory &&other) noexcept;
  ~CodeMemory();

  /// Adds one function per image, in order. Errors: a host function that this
  /// runtime does not have, a host that gives no executable memory.
  static Result<CodeMemory> load(const std::vector<KernelImage> &images,
                                 std::vector<KernelFunction> &functions);

private:
  void *base = nullptr;
  size_t size = 0;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_CODEMEMORY_H
