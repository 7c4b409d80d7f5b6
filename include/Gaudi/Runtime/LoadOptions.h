// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a host says and sees of a recipe it loads: options, and the tensors it
// exchanges with it.
#ifndef GAUDI_RUNTIME_LOADOPTIONS_H
#define GAUDI_RUNTIME_LOADOPTIONS_H

#include "Gaudi/Kernel/CodeSize.h"
#include "Gaudi/Recipe/Recipe_generated.h"
#include "Gaudi/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gaudi::runtime {

class LaunchResources;

/// LoadOptions::panelCacheBytes unless it says otherwise.
constexpr uint64_t defaultPanelCacheBytes = uint64_t(4) << 30;

/// Host memory that commands read as input `input` of `entry`, in place: dense,
/// aligned, until the recipe is unloaded. What it holds when a launch begins is
/// what the launch reads.
struct InputBinding {
  size_t entry = 0; ///< which the host may launch
  size_t input = 0; ///< among those that the host sees
  const void *data = nullptr;
  uint64_t bytes = 0;
};

/// Kernels load elements, and vectors of them wherever they begin.
constexpr uint64_t bindingAlignment = 8;

/// What engines compute. Chip: sums of products as the chip adds them, as far
/// as it is published (docs/numerics.md); slow. All else is as with Exact.
enum class Numerics : uint8_t { Exact, Chip };

struct LoadOptions {
  /// Device memory in bytes; 0: what the recipe's device has, at most what the
  /// host has available.
  uint64_t deviceMemory = 0;
  /// Most bytes of host memory for the scratch of commands (sorted lines,
  /// tiles), over all threads; 0: what the host has available.
  uint64_t hostScratch = 0;
  /// Worker threads, the caller included; 0: one per host CPU. Results do not
  /// depend on it. With `resources`, threads of loading: launches take those.
  unsigned threads = 0;
  /// Threads and memory that launches of several executables use in turn; null:
  /// the executable has its own. Functions that copy tensors or launch must not
  /// run beside launches of the others; loading may.
  std::shared_ptr<LaunchResources> resources;
  /// Inputs, outputs, states and the workspace have no memory of the device but
  /// are bound to addresses before launches (Executable::bind). Not with
  /// `checkMemory` or `bindings`.
  bool relocatable = false;
  /// Code of kernels is looked for first among that of other recipes of this
  /// process that are loaded so, of which it keeps up to 32 MiB.
  bool sharesKernels = false;
  /// Measure every command of launches (see setTiming).
  bool timing = false;
  /// Fuse TPC kernels into the tiles of the matrix command before them where
  /// possible. Results do not depend on it.
  bool pipelined = true;
  /// Poison memory that holds no value, and stop a launch at the first command
  /// that reads such memory or writes outside its outputs. Not `pipelined`
  /// then; slow, and takes twice the memory.
  bool checkMemory = false;
  /// To check launches by address: before each launch all tensors and the
  /// workspace move to other addresses, and those of before can be neither read
  /// nor written. Results do not depend on it; slow. Not with `checkMemory` or
  /// `relocatable`.
  bool movesTensors = false;
  /// Absent: $GAUDI_NUMERICS (exact or chip), else Exact.
  std::optional<Numerics> numerics;
  /// Most iterations that the loops of one launch may take together.
  uint64_t maxIterations = 1000000;
  /// Most weight of the kernels that are compiled (Gaudi/Kernel/CodeSize.h);
  /// those in the cache do not count.
  uint64_t maxKernelWeight = kernel::maxRecipeWeight;
  /// Kernels of little work that are not in the cache begin with code that is
  /// compiled quickly and runs slower. A recipe that is launched again and
  /// again gets the other code meanwhile. Results do not depend on it.
  bool quickStart = false;
  /// Folder for compiled kernels and packed constants; empty: none. Absent:
  /// $GAUDI_CACHE_DIR, else gaudi-mlir in the user's cache folder. A damaged or
  /// missing cache costs time, nothing else.
  std::optional<std::string> cacheDirectory;
  /// Most bytes of packed constants in it; 0: none are cached.
  uint64_t panelCacheBytes = defaultPanelCacheBytes;
  /// Not with `checkMemory`, whose shadow is that of the device's own memory.
  std::vector<InputBinding> bindings;
};

/// Why an input cannot be used where it is: launches write it, or the device
/// stores it in another way. Loading gives the same errors.
Status checkBindings(const recipe::Recipe &recipe,
                     const std::vector<InputBinding> &bindings);

/// An input, output or state of an entry as the host sees it: dense, row-major,
/// with the caller's order of dimensions.
struct TensorInfo {
  std::string name;
  recipe::ElementType type;
  std::vector<int64_t> shape;
  uint64_t bytes = 0;
  uint32_t tensor = 0; // index into Recipe.tensors
  /// The device's order: its dimension i is dimension permutation[i] of
  /// `shape`. Empty: the same.
  std::vector<uint8_t> permutation;
  /// How the device stores it: elements from index to index of each dimension
  /// of `shape`.
  std::vector<int64_t> strides;
};

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_LOADOPTIONS_H
