// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loaded recipe consists of.
#ifndef GAUDI_LIB_RUNTIME_EXECUTABLEIMPL_H
#define GAUDI_LIB_RUNTIME_EXECUTABLEIMPL_H

#include "Gaudi/Runtime/Executable.h"
#include "HostCopy.h"
#include "Loader.h"
#include "Memory/MemoryCheck.h"
#include "MovingMemory.h"

#include <map>
#include <optional>

namespace gaudi::runtime {

struct Executable::Impl {
  /// Copies of inputs and outputs, made when the first one is needed.
  struct EntryCopies {
    std::vector<HostCopy> inputs, outputs;
  };

  LoadOptions options; // everything filled in
  std::unique_ptr<LoadedRecipe> loaded;
  MemoryStats memory;
  bool timing = false;
  LaunchObserver *observer = nullptr;
  std::unique_ptr<MemoryCheck> check;   // null: launches are not checked
  std::optional<MovingMemory> moving;   // if launches move tensors
  std::map<uint32_t, uint64_t> reached; // end per workspace section
  std::vector<EntryCopies> copies;      // by entry
  EntryCopies stateCopies;              // in and out

  Status load(std::shared_ptr<const recipe::RecipeFile> file,
              const LoadOptions &options);
  /// `all`: everything filled in.
  Status finishLoad(std::shared_ptr<const recipe::RecipeFile> file,
                    const LoadOptions &all, const LoadedRecipe *other);
  Error faultError(size_t entry, size_t command, const Fault &fault) const;
  void measure(LoadedEntry &entry);
  Result<RunStats> launch(size_t entry);
  Status runEntry(size_t entry, size_t firstCommand, RunStats &stats);
  Status runProgram(const LoadedEntry &entry, RunStats &stats);
  Status checkEntry(size_t entry) const;
  /// Everything about one input, output or state and how it is copied.
  struct Place {
    const std::vector<TensorInfo> &infos;
    const char *kind;
    size_t index;
    HostCopy::Direction direction;
    std::vector<HostCopy> &copies;
  };
  Place input(size_t entry, size_t index);
  Place output(size_t entry, size_t index);
  Place state(size_t index, HostCopy::Direction direction);
  std::vector<HostCopy> &copiesOf(const Place &place) const;
  /// Checks a buffer and prepares its copy. `bytes`: it is dense and has no
  /// shape but that many bytes.
  Status prepare(const Place &place, const HostBuffer &buffer,
                 const size_t *bytes);
  /// Copies what was prepared.
  void copy(const Place &place, void *data) const;
  Status prepareAndCopy(const Place &place, const HostBuffer &buffer,
                        const size_t *bytes);
  Status resetStates();
  /// Copies the initial value of a state, which has one.
  void initialize(size_t state, uint8_t *to) const;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_EXECUTABLEIMPL_H
