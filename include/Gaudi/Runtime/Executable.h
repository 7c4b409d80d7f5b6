// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recipe loaded onto the emulated device, ready to launch.
//
// Loading resolves everything: addresses, compiled TPC kernels, library
// primitives and packed constants. A launch then only walks an array of
// prepared commands. One Executable is used by one thread at a time.
//
//   auto file = recipe::RecipeFile::open("model.recipe");
//   auto exe = runtime::Executable::load(
//       std::make_shared<const recipe::RecipeFile>(std::move(*file)), {});
//   (*exe)->setInput(0, data, bytes);
//   (*exe)->launch();
//   (*exe)->getOutput(0, result, resultBytes);
#ifndef GAUDI_RUNTIME_EXECUTABLE_H
#define GAUDI_RUNTIME_EXECUTABLE_H

#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Runtime/HostBuffer.h"
#include "Gaudi/Runtime/LaunchAddresses.h"
#include "Gaudi/Runtime/LoadOptions.h"
#include "Gaudi/Runtime/Statistics.h"
#include "Gaudi/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace gaudi::runtime {

struct LoadedRecipe;

/// Looks into a launch, command by command. Commands that run on the tiles of
/// another one (CommandInfo::within) are not seen; load without `pipelined` to
/// see them all.
class LaunchObserver {
public:
  virtual ~LaunchObserver() = default;
  virtual void before(size_t command) = 0;
  virtual void after(size_t command) = 0;
};

/// A command of the recipe.
struct CommandPlace {
  size_t entry, command;
};

/// Errors are values: what returns a Result or a Status throws nothing, not
/// even where host memory is missing.
class Executable {
public:
  /// Errors: device memory too small (names the largest live buffers), host
  /// memory too small, unknown target, a command this host cannot run.
  static Result<std::unique_ptr<Executable>>
  load(std::shared_ptr<const recipe::RecipeFile> file,
       const LoadOptions &options = {});
  /// Another one of the same recipe for launches at the same time, with the
  /// same options but for the size of its device memory, which is not 0.
  /// Constants, their packed form, bound inputs and code are shared with this
  /// one, which may be launched meanwhile and destroyed before.
  Result<std::unique_ptr<Executable>> another(uint64_t deviceMemory) const;
  /// Writes packed constants that are not cached yet, for a second at most.
  ~Executable();
  Executable(const Executable &) = delete;
  Executable &operator=(const Executable &) = delete;

  size_t numEntries() const;
  std::string_view entryName(size_t entry) const;
  /// True if the entry is a part of another one, whose program launches it.
  bool isPart(size_t entry) const;
  /// The error lists the entries that exist.
  Result<size_t> findEntry(std::string_view name) const;

  const std::vector<TensorInfo> &inputs(size_t entry = 0) const;
  const std::vector<TensorInfo> &outputs(size_t entry = 0) const;
  /// Tensors of class State, shared by all entries; after loading they have
  /// their initial values, or are zero.
  const std::vector<TensorInfo> &states() const;

  /// Whether commands read the input where the caller has it.
  bool isBound(size_t input, size_t entry) const;

  /// Copies dense row-major host bytes in. The size must match exactly.
  Status setInput(size_t index, const void *data, size_t bytes,
                  size_t entry = 0);
  Status setInput(std::string_view name, const void *data, size_t bytes,
                  size_t entry = 0);
  /// The same in two steps, for buffers of any strides: the first one checks
  /// the buffer, whose type and shape must match exactly; the second one copies
  /// what it holds then. Only strides other than those of the last buffer take
  /// memory.
  Status prepareInput(size_t index, const HostBuffer &buffer, size_t entry);
  void copyInput(size_t index, const void *data, size_t entry);
  /// Copies an output out as dense row-major bytes.
  Status getOutput(size_t index, void *data, size_t bytes,
                   size_t entry = 0) const;
  /// In two steps; the first one may be before the launch.
  Status prepareOutput(size_t index, const HostBuffer &buffer, size_t entry);
  void copyOutput(size_t index, void *data, size_t entry) const;
  Status setState(size_t index, const void *data, size_t bytes);
  Status setState(size_t index, const HostBuffer &buffer);
  Status getState(size_t index, void *data, size_t bytes) const;
  Status getState(size_t index, const HostBuffer &buffer) const;
  /// Gives the states that have an initial value that value.
  Status resetStates();

  /// Whether the next launches read the clock after each command.
  void setTiming(bool on);

  /// Whom the next launches call around each command; null: nobody. Such a
  /// launch reads the clock after each command as well.
  void setObserver(LaunchObserver *observer);

  /// Any tensor of the recipe, for observers.
  TensorInfo tensor(uint32_t id) const;
  /// Copies it out as it is now, as dense row-major bytes.
  Status getTensor(uint32_t id, void *data, size_t bytes) const;

  /// Runs all commands of the entry, or its program. Errors: an index outside
  /// its tensor, no host memory, loops that exceed LoadOptions::maxIterations.
  Result<RunStats> launch(size_t entry = 0);

  // Of an executable that is relocatable (LoadOptions). All that reads or
  // writes tensors works on the memory that was bound last; before that it is
  // an error.

  /// What launches of the entry work on, in the order of its inputs, then its
  /// outputs, then what is left of its states. Results that are views of
  /// constants are not among them.
  const std::vector<LaunchTensor> &launchTensors(size_t entry = 0) const;
  /// Where a tensor of the entry is; none: it is constant, or of the workspace.
  std::optional<LaunchPlace> launchPlace(uint32_t tensor,
                                         size_t entry = 0) const;
  uint64_t workspaceBytes() const;
  /// Whether an output may have the address of an input, both launch tensors:
  /// each command has read what it or a later one then writes, and nothing
  /// reads the input afterwards. It follows from the recipe, not from the host.
  bool mayAlias(size_t input, size_t output, size_t entry = 0) const;
  /// Binds the entry's tensors and the workspace for launches of this entry.
  /// Costs a comparison if the addresses are those of the last launch. Tensors
  /// that nobody writes may share memory, and so may those that mayAlias()
  /// allows, if their begin does. Errors: another number of tensors, an address
  /// that is null or not aligned, other memory that is shared and written.
  Status bind(const LaunchAddresses &addresses, size_t entry = 0);
  Result<RunStats> launch(const LaunchAddresses &addresses, size_t entry = 0);
  /// The errors of bind() for as many addresses as the entry has tensors, also
  /// while another thread launches it. `order`: any, kept from call to call.
  /// `shown`: how errors write the address of a tensor.
  Status checkAddresses(const LaunchAddresses &addresses, size_t entry,
                        AddressOrder &order, const ShownAddress &shown) const;
  /// A launch on addresses for which that gave no error.
  Result<RunStats> launchChecked(const LaunchAddresses &addresses,
                                 size_t entry);
  /// Writes the value of a state before the first launch, as the device stores
  /// it, to the address of its launch tensor: its initial value, or zeros.
  Status writeInitialState(size_t index, void *tensor) const;

  const MemoryStats &memory() const;
  const KernelStats &kernels() const;
  /// Includes what happened since the recipe was loaded.
  PanelStats panels() const;
  /// Compares kernels that no command has used yet with portable code.
  HostKernels hostKernels() const;
  /// The commands of the entry; of one with a program, those of the entries
  /// that it launches, each once, in the order of their first launch.
  const std::vector<CommandInfo> &commands(size_t entry = 0) const;
  /// Where command `index` of that list is in the recipe.
  CommandPlace place(size_t entry, size_t index) const;
  unsigned threads() const;

private:
  friend class Dispatcher;
  LoadedRecipe &loadedRecipe() const;
  struct Impl;
  explicit Executable(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_EXECUTABLE_H
