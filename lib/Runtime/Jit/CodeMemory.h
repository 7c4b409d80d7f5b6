// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executable memory of loaded kernels.
#ifndef GAUDI_LIB_RUNTIME_JIT_CODEMEMORY_H
#define GAUDI_LIB_RUNTIME_JIT_CODEMEMORY_H

#include "KernelImage.h"

#include <cstddef>
#include <vector>

namespace gaudi::runtime {

/// Executable memory with the images of a recipe. Written first, then made
/// read-only and executable, never both; only addresses of replaceable code,
/// in pages of their own, stay writable.
class CodeMemory {
public:
  CodeMemory() = default;
  CodeMemory(CodeMemory &&other) noexcept;
  CodeMemory &operator=(CodeMemory &&other) noexcept;
  ~CodeMemory();

  /// Adds one function per image, in order. Those that are `replaceable` (a
  /// flag per image; fewer: the rest is not) are jumps to their code. Errors: a
  /// host function that this runtime does not have, a host that gives no
  /// executable memory.
  static Result<CodeMemory> load(const std::vector<KernelImage> &images,
                                 std::vector<KernelFunction> &functions,
                                 const std::vector<bool> &replaceable = {});

  /// Whether this processor has jumps that can be redirected.
  static bool canReplace();
  /// From now on calls of the function of that image, which is replaceable, run
  /// `code`, which must outlive this; calls that run now end in the old code.
  /// Any thread.
  void replace(size_t image, KernelFunction code);

private:
  void *base = nullptr;
  size_t size = 0;
  /// Per image: where the address of its code is; null: not replaceable.
  std::vector<KernelFunction *> targets;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_CODEMEMORY_H
