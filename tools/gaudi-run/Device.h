// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads a recipe onto the emulated device and launches it.
#ifndef GAUDI_RUN_DEVICE_H
#define GAUDI_RUN_DEVICE_H

#include "Gaudi/Recipe/HostTensor.h"
#include "Gaudi/Runtime/Dispatch.h"
#include "Gaudi/Runtime/Executable.h"
#include "Options.h"
#include "Progress.h"
#include "Report.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace gaudi::run {

class Device {
public:
  /// No entry is selected.
  static Result<std::unique_ptr<Device>>
  load(std::shared_ptr<const recipe::RecipeFile> file, const Options &options);

  /// Selects the entry `name`; if that is empty the only one, else `main` or
  /// `forward`. Errors: no such entry, an ambiguous choice.
  Status selectEntry(const std::string &name, const Options &options);

  /// Selects the variant of an entry that has some, by --sizes and the shapes
  /// of inputs. Nothing of what follows means anything before.
  Status selectVariant(const Options &options);

  const recipe::RecipeFile &recipe() const { return *file; }
  /// After selectEntry: the sizes of the launch; empty: they are static.
  shapes::Sizes sizes() const;
  /// The same as --sizes has them: "batch=8,seq=64".
  std::string namedSizes() const;
  /// The same before a variant has been selected, even if none takes them, as
  /// text for --buckets; empty: the sizes are static.
  const std::string &exactBucket() const { return exact; }
  /// Whether the variant that is selected has exactly these sizes.
  bool isExact() const;
  /// After it failed because no variant takes the sizes: the one that would, as
  /// text for --buckets; else empty.
  const std::string &missedBucket() const { return missed; }

  /// Of a variant, its own.
  std::string entryName() const {
    return std::string(executable->entryName(entry));
  }
  std::vector<recipe::Parameter> inputs() const;
  std::vector<recipe::Parameter> outputs() const;

  /// Whether launches keep values for each other.
  bool hasState() const { return !executable->states().empty(); }

  /// Called with the number of a step, from 0, after it.
  using AfterStep = std::function<Status(uint32_t)>;

  /// Warm-up launches and the timed ones, or the steps; then those that a
  /// report profiles and one that --check-finite observes. Inputs are set
  /// before each, those that are state only before the first step. The launches
  /// that nobody asked for start from the states before the last timed one, so
  /// that outputs and states end as that launch left them.
  Result<std::vector<recipe::HostTensor>>
  launch(const std::vector<recipe::HostTensor> &inputs, const Options &options,
         Progress &progress, const AfterStep &afterStep);

  /// The last step that ran, from 0. With --check-finite it is the first whose
  /// outputs are not finite, if there is one.
  uint32_t lastStep() const { return step; }

  /// One launch from these states (empty: the initial ones), whose commands
  /// the observer sees; its outputs.
  Result<std::vector<recipe::HostTensor>>
  observe(const std::vector<recipe::HostTensor> &inputs,
          const std::vector<std::vector<uint8_t>> &states,
          runtime::LaunchObserver &observer);
  /// All states as they are now.
  Result<std::vector<std::vector<uint8_t>>> readStates() const;
  /// Puts the states that are inputs of the model into `inputs`.
  Status readStateInputs(std::vector<recipe::HostTensor> &inputs) const;
  const runtime::Executable &executed() const { return *executable; }
  size_t entryNumber() const { return entry; }

  /// An output as the last launch left it.
  Result<recipe::HostTensor> output(size_t index) const;

  /// With the prediction or, where nobody reads it, without.
  Result<DeviceReport> report(bool predicts) const;
  /// FiniteObserver::origin of the observed launch; else empty.
  const std::string &nonFiniteOrigin() const { return origin; }
  /// The values of that step's inputs, with the states before it, after which
  /// no launch follows; none if there are other states than inputs.
  Result<std::optional<std::vector<recipe::HostTensor>>>
  inputsOfLastStep(const std::vector<recipe::HostTensor> &inputs);

private:
  Device() = default;
  bool isState(const runtime::TensorInfo &info) const;
  enum class States { Set, Keep };
  Status setInputs(const std::vector<recipe::HostTensor> &inputs,
                   States states);
  Status launchOnce(std::vector<runtime::RunStats> *stats);
  std::vector<uint32_t>
  predictedCommands(const prediction::Prediction &prediction) const;
  std::vector<PermutedTensor> permutedTensors() const;
  std::vector<VariantHits> variantHits() const;
  void countSince(const std::vector<runtime::VariantCount> &before);
  Status saveStates();
  Status restoreStates();
  Result<bool> isFinite() const;
  /// Launches again with other garbage in the padding of inputs, so that each
  /// had every kind. An error if an element of `outputs` changes.
  Status checkPadding(const std::vector<recipe::HostTensor> &inputs,
                      const std::vector<recipe::HostTensor> &outputs);
  /// Launches again from the saved states.
  Status repeatLastLaunch(const std::vector<recipe::HostTensor> &inputs,
                          std::vector<runtime::RunStats> *stats);

  std::shared_ptr<const recipe::RecipeFile> file;
  std::unique_ptr<runtime::Executable> executable;
  /// Null unless the entry has variants; `entry` is then the selected one.
  std::unique_ptr<runtime::Dispatcher> dispatcher;
  std::vector<runtime::VariantCount> counts; ///< of the timed launches
  std::string exact, missed;
  size_t entry = 0;
  uint32_t step = 0; ///< 0 unless launches continue from each other
  double loadMilliseconds = 0;
  uint64_t memoryLimit = 0; ///< --device-memory; 0: the card's
  /// What copying each input in and each output out took last.
  std::vector<double> inputMilliseconds, outputMilliseconds;
  std::vector<runtime::RunStats> launches; ///< the timed ones
  std::vector<double> cpuTimes; ///< ms of all threads in each of them
  std::vector<runtime::RunStats> profiles; ///< with a time for each command
  std::string origin;
  std::vector<std::vector<uint8_t>> savedStates; ///< before the last launch
};

} // namespace gaudi::run

#endif // GAUDI_RUN_DEVICE_H
