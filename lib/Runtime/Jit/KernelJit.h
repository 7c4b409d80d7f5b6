// The TPC kernels of a recipe as host code. No LLVM type appears here.
#ifndef GAUDI_LIB_RUNTIME_JIT_KERNELJIT_H
#define GAUDI_LIB_RUNTIME_JIT_KERNELJIT_H

#include "Gaudi/Recipe/Recipe_generated.h"
#include "Gaudi/Runtime/Statistics.h"
#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace gaudi::runtime {

class DiskCache;
class ThreadPool;

/// The first (in row-major order of the points) out-of-range index of a
/// launch. `raised` is read without the lock after all threads are done.
struct Fault {
  bool raised = false;
  int64_t point = 0;
  uint32_t operand = 0; // of the command: inputs first, then outputs
  uint32_t dimension = 0;
  int64_t index = 0;
  std::mutex mutex;

  void record(int64_t point, uint32_t operand, uint32_t dimension,
              int64_t index);
};

/// One operand as a launch sees it.
struct KernelOperand {
  recipe::ElementType type;
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  uint64_t address; // only compared with those of the other operands
};

/// Runs the points [begin, end) of the flattened parallel space.
using KernelFunction = void (*)(void *const *operands, int64_t begin,
                                int64_t end, Fault *fault);

struct CompiledKernel {
  KernelFunction function = nullptr;
  int64_t points = 0;      // size of the flattened parallel space
  int64_t row = 1;         // chunks of multiples of this are the fastest
  double workPerPoint = 1; // instructions, roughly
  bool splittable = true;  // false: one call with all points
  bool faults = false;     // a launch can find an index out of range
  /// Per operand: elements that belong to one point (PointBlocks.h), or 0.
  std::vector<int64_t> blocks;
  std::string description; // for reports
};

/// Collects the kernels of a recipe and owns their code: from the cache, or
/// from the code generator, which is loaded only then.
class KernelJit {
public:
  KernelJit();
  ~KernelJit();

  /// Returns a handle. Equal kernels on equal layouts share one. The kernel
  /// must live until `compile` returns.
  unsigned add(const recipe::Kernel &kernel,
               const std::vector<KernelOperand> &operands);
  /// Makes the code of everything added, on all threads. Call once.
  Status compile(ThreadPool &pool, DiskCache &cache);
  const CompiledKernel &get(unsigned handle) const;
  const KernelStats &stats() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_KERNELJIT_H
