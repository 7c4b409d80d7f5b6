// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The TPC kernels of a recipe as host code. No LLVM type appears here.
#ifndef GAUDI_LIB_RUNTIME_JIT_KERNELJIT_H
#define GAUDI_LIB_RUNTIME_JIT_KERNELJIT_H

#include "KernelTypes.h"

#include "Gaudi/Runtime/Statistics.h"
#include "Gaudi/Support/Error.h"

#include <memory>
#include <vector>

namespace gaudi::recipe {
class RecipeFile;
} // namespace gaudi::recipe

namespace gaudi::runtime {

class DiskCache;
class ThreadPool;

/// Collects the kernels of a recipe and owns their code, which comes from the
/// cache or from the code generator. The code generator's library is opened
/// only for kernels that the cache does not have.
class KernelJit {
public:
  KernelJit();
  ~KernelJit();

  /// Returns a handle. Equal kernels on equal layouts share one. The kernel
  /// must outlive `compile`; one `ofRecipe` lives as long as the recipe.
  unsigned add(const recipe::Kernel &kernel,
               const std::vector<KernelOperand> &operands,
               bool ofRecipe = false);
  /// Finds or generates the code of all kernels added, on all threads. Call
  /// once. Fails before any is compiled if those that the cache lacks have a
  /// weight (Gaudi/Kernel/CodeSize.h) of more than `maxWeight` together.
  /// `shares`: with all of this process that do; their code is looked for
  /// before that of the cache. With a recipe, those of its kernels that do
  /// little work may get quick code, until they are hot.
  Status compile(ThreadPool &pool, std::shared_ptr<DiskCache> cache,
                 uint64_t maxWeight, bool shares,
                 std::shared_ptr<const recipe::RecipeFile> recipe = nullptr);
  /// Counts launches. A number of them makes quick kernels hot: they are
  /// compiled again in the background. Any thread.
  void launched();
  const CompiledKernel &get(unsigned handle) const;
  const KernelStats &stats() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_KERNELJIT_H
