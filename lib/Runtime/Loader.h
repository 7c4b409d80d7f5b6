// Turns a verified recipe into prepared commands.
#ifndef GAUDI_LIB_RUNTIME_LOADER_H
#define GAUDI_LIB_RUNTIME_LOADER_H

#include "Cache/PanelCache.h"
#include "Commands/Command.h"

#include "Gaudi/Runtime/Arena.h"
#include "Gaudi/Runtime/Executable.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gaudi::runtime {

struct MmeApi;
class TpcCommand;

struct LoadedCommand {
  std::unique_ptr<PreparedCommand> body;
  TpcCommand *launch = nullptr; // `body`, if it is one
  unsigned engine = 0;
  /// The matrix command in whose tiles it runs; then it has no step.
  std::optional<uint32_t> within;
  /// How far into workspace sections it reaches: (section, end in bytes).
  std::vector<std::pair<uint32_t, uint64_t>> reach;
};

/// One step of a launch. Small kernels, which one thread runs as a whole, are
/// called straight from here.
struct LaunchStep {
  KernelFunction function = nullptr; // null: `body` runs
  void *const *operands = nullptr;
  int64_t points = 0;
  PreparedCommand *body = nullptr;
  uint32_t command = 0;
};

struct LoadedEntry {
  std::string name;
  std::vector<TensorInfo> inputs, outputs;
  std::vector<LoadedCommand> commands;
  std::vector<LaunchStep> steps; // commands that do something, in order
  std::vector<CommandInfo> infos;
  bool measured = false; // its reach is part of the measured peak
};

/// Everything of an Executable; members are destroyed last to first, so what
/// commands point into comes first.
struct LoadedRecipe {
  LoadedRecipe(std::shared_ptr<const recipe::RecipeFile> recipe,
               DeviceMemory memory, Arena staging, const LoadOptions &options)
      : file(std::move(recipe)), memory(std::move(memory)),
        panelCache(*options.cacheDirectory, options.panelCacheBytes, *file),
        staging(std::move(staging)), pool(options.threads) {}

  std::shared_ptr<const recipe::RecipeFile> file;
  DeviceMemory memory;
  PanelCache panelCache;
  const MmeApi *mme = nullptr; // null: no matrix commands
  PanelStats panelStats;
  Arena staging;                 // host memory for conversions
  Arena scratch = Arena::none(); // for the primitives, a part per worker
  KernelJit jit;
  ThreadPool pool;
  std::vector<BoundTensor> tensors;
  std::vector<LoadedEntry> entries;
  /// Null: no matrix commands. May refer to memory of commands.
  std::unique_ptr<PanelRequests> panels;
  std::vector<TensorInfo> states;
  uint64_t hostBytes = 0;
};

/// `options` with everything filled in.
Result<std::unique_ptr<LoadedRecipe>>
loadRecipe(std::shared_ptr<const recipe::RecipeFile> file,
           const LoadOptions &options);

/// `command 3 "tpc.add" (model.mlir:3:8)`.
std::string commandText(const recipe::Recipe &recipe,
                        const recipe::Command &command, uint32_t index);

/// The tensor as the host sees it, in the user's order of dimensions.
Layout hostLayout(const recipe::Tensor &tensor);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_LOADER_H
