// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recipe on a card: its constants are in the card's memory, its launches take
// the addresses of all other tensors.
#ifndef GAUDI_RUNTIME_DEVICE_PROGRAM_H
#define GAUDI_RUNTIME_DEVICE_PROGRAM_H

#include "Gaudi/Prediction/Prediction.h"
#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Runtime/Device/Device.h"
#include "Gaudi/Runtime/Executable.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gaudi::runtime {

/// Part of LoadOptions that a caller of a device may choose.
struct ProgramOptions {
  std::string name = {}; ///< for errors and traces; empty: that of the entry
  std::optional<std::string> cacheDirectory; ///< as LoadOptions
  uint64_t maxIterations = 0;                ///< 0: as LoadOptions
  bool quickStart = true;                    ///< as LoadOptions
};

class Program {
public:
  /// Errors: as of Executable::load; a recipe for another kind of card; no
  /// device memory for constants and states.
  static Result<std::shared_ptr<Program>>
  load(const std::shared_ptr<Device> &device,
       const std::shared_ptr<const recipe::RecipeFile> &file,
       const ProgramOptions &options = {});
  /// Its constants and states are free at once; launches that were issued
  /// still run.
  ~Program();

  const std::string &name() const { return programName; }
  /// What a launch of the entry takes addresses of: inputs and results in
  /// memory of the caller, without states, which the program has. They have
  /// the sizes and the order that the device stores (TensorInfo::strides).
  const std::vector<LaunchTensor> &tensors(size_t entry) const;
  /// The entry's inputs and outputs; where in `tensors` each is.
  const Executable &executable() const { return *loaded; }
  size_t numEntries() const { return entries.size(); }
  Result<size_t> findEntry(std::string_view name) const;

  /// Where an input or output of the entry is among `tensors`; nothing: it is
  /// a state or constant. Errors: the entry has no such input or output.
  Result<std::optional<LaunchPlace>> placeOf(size_t entry, size_t index,
                                             bool isOutput) const;
  /// Whether a launch may have one address for two of `tensors`, an input and
  /// an output: the input is read before or as the output is written. Errors:
  /// the entry has no such tensors.
  Result<bool> mayAlias(size_t entry, size_t input, size_t output) const;
  /// Whether the device stores it as dense rows in the caller's order.
  Result<bool> isDense(size_t entry, size_t index, bool isOutput) const;

  /// The address of a state, which the program owns.
  Result<DeviceAddress> state(size_t index) const;
  /// What one launch takes on the card.
  const prediction::Prediction &prediction(size_t entry) const;
  const WorkTimes &times(size_t entry) const;

private:
  friend class Stream;
  struct Entry {
    std::vector<LaunchTensor> tensors; // of the caller
    /// Of the executable's launch tensors: the caller's number, or that of a
    /// state of the program.
    struct Source {
      bool isState = false;
      size_t index = 0;
    };
    std::vector<Source> sources;
    std::shared_ptr<const prediction::Prediction> prediction;
    WorkTimes times;
    AddressOrder order; // of the last launch, guarded by the device's lock
  };

  Program() = default;
  /// The error of an entry that has variants, or is a part of another one.
  Status checkLaunchable(size_t entry) const;
  Result<const TensorInfo *> infoOf(size_t entry, size_t index,
                                    bool isOutput) const;
  Status takeMemory(const recipe::Recipe &recipe);
  Status resetState(size_t index, uint64_t bytes);
  Status listEntries(const recipe::RecipeFile &file);

  std::shared_ptr<Device> device;
  std::string programName;
  std::shared_ptr<Executable> loaded; // launches that are issued keep it
  std::vector<Entry> entries;
  std::vector<DeviceAddress> states; // by number among its states
  DeviceAddress constants = 0;
};

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_DEVICE_PROGRAM_H
