// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loaded recipe as data: what loading fills in and launches read.
#ifndef GAUDI_LIB_RUNTIME_LOADEDRECIPE_H
#define GAUDI_LIB_RUNTIME_LOADEDRECIPE_H

#include "Cache/PanelCache.h"
#include "Commands/Command.h"
#include "Jit/KernelJit.h"

#include "Gaudi/Runtime/Arena.h"
#include "Gaudi/Runtime/LaunchResources.h"
#include "Gaudi/Runtime/LoadOptions.h"
#include "LaunchBindings.h"
#include "MovedTensors.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gaudi::runtime {

struct MmeApi;
class IntegerCommand;
class KernelCommand;
class TpcCommand;

struct LoadedCommand {
  std::unique_ptr<PreparedCommand> body;
  /// `body`, if it is one: any command that runs kernels of the KernelJit, or
  /// of those the two kinds that others ask about.
  KernelCommand *kernels = nullptr;
  TpcCommand *tpc = nullptr;
  IntegerCommand *integers = nullptr;
  unsigned engine = 0;
  /// The matrix command in whose tiles it runs; then it has no step.
  std::optional<uint32_t> within;
  /// The command that reads the constant behind what this one writes; nothing
  /// else reads that, so this one has no step.
  std::optional<uint32_t> skippedFor;
  /// How far it reaches into workspace sections: (section, end in bytes).
  std::vector<std::pair<uint32_t, uint64_t>> reach;
};

/// A step of a program; loops know where they end and begin.
struct LoadedStep {
  recipe::StepKind kind;
  uint32_t id;    // the place of a part, or the tensor that a loop tests
  uint32_t other; // of While its End, of End its While
};

/// An entry that a program launches.
struct LoadedPart {
  uint32_t entry;
  size_t firstCommand; // of its commands among those of the program
};

struct LoadedEntry {
  std::string name;
  std::vector<TensorInfo> inputs, outputs;
  std::vector<LoadedCommand> commands;
  std::vector<LaunchStep> steps; // commands with work to do, in order
  std::vector<CommandInfo> infos;
  bool measured = false; // its reach is part of the measured peak
  bool isPart = false;   // a program launches it
  std::vector<LoadedStep> program;
  std::vector<LoadedPart> parts; // of the program, by their first launch
};

/// Everything of an Executable. Members are destroyed last to first, so each
/// may point into those before it.
struct LoadedRecipe {
  LoadedRecipe(std::shared_ptr<const recipe::RecipeFile> recipe,
               DeviceMemory memory, std::shared_ptr<LaunchResources> resources,
               const LoadOptions &options)
      : file(std::move(recipe)), memory(std::move(memory)),
        addresses(file->recipe()),
        panelCache(*options.cacheDirectory, options.panelCacheBytes, *file),
        resources(std::move(resources)), pool(this->resources->pool()) {}

  /// An error if the tensor has no memory yet.
  Status checkBound(uint32_t tensor, std::string_view name) const;

  std::shared_ptr<const recipe::RecipeFile> file;
  DeviceMemory memory; // without bytes if callers bind addresses
  LaunchBindings addresses;
  PanelCache panelCache;
  const MmeApi *mme = nullptr; // null: no matrix commands
  PanelStats panelStats;
  /// Shared by all executables of a recipe that were made of one another.
  std::shared_ptr<KernelJit> jit;
  std::shared_ptr<LaunchResources> resources;
  ThreadPool &pool; // of launches
  std::vector<BoundTensor> tensors;
  MovedTensors moved; // bound inputs: in memory of the caller
  std::vector<LoadedEntry> entries;
  /// Null: no matrix commands. May refer to memory of commands.
  std::unique_ptr<PanelRequests> panels;
  std::vector<TensorInfo> states;
  uint64_t maxIterations = 0; // of the loops of one launch
  uint64_t hostBytes = 0;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_LOADEDRECIPE_H
