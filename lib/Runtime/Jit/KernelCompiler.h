// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code generator, in a library of its own that is opened only when a
// kernel is not in the cache. No LLVM type appears here.
#ifndef GAUDI_LIB_RUNTIME_JIT_KERNELCOMPILER_H
#define GAUDI_LIB_RUNTIME_JIT_KERNELCOMPILER_H

#include "KernelPlan.h"

#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace gaudi::runtime {

/// Code of both tiers gives the same bits: both are written from one plan by
/// the same emitter, and no pass of LLVM may change what its operations give.
enum class KernelTier {
  Quick, // the least work for the code generator
  Full   // the fastest code
};

/// Compiles kernels one after the other; one thread at a time uses it.
class KernelCompiler {
public:
  virtual ~KernelCompiler() = default;
  /// An encoded KernelImage for this host.
  virtual Result<std::vector<uint8_t>>
  compile(const recipe::Kernel &kernel, const KernelPlan &plan,
          const std::vector<recipe::ElementType> &types, KernelTier tier) = 0;
};

/// What libGaudiKernelCompiler.so offers, found by the name
/// `gaudiKernelCompiler` (a PluginFunction).
struct KernelCompilerApi {
  Result<std::unique_ptr<KernelCompiler>> (*create)();
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_KERNELCOMPILER_H
