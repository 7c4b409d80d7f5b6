// Loads a recipe onto the emulated device and launches it.
#ifndef GAUDI_RUN_DEVICE_H
#define GAUDI_RUN_DEVICE_H

#include "Gaudi/Runtime/Executable.h"
#include "HostTensor.h"
#include "Options.h"
#include "Progress.h"
#include "Report.h"

#include <memory>
#include <vector>

namespace gaudi::run {

class Device {
public:
  static Outcome<std::unique_ptr<Device>>
  load(recipe::RecipeFile file, const Options &options, Progress &progress);

  std::string entryName() const {
    return std::string(executable->entryName(entry));
  }
  std::vector<Parameter> inputs() const;
  std::vector<Parameter> outputs() const;

  /// Warm-up launches, then the timed ones. Inputs are set before each.
  Outcome<std::vector<HostTensor>> launch(const std::vector<HostTensor> &inputs,
                                          const Options &options,
                                          Progress &progress);

  DeviceReport report() const;

private:
  Device() = default;
  std::shared_ptr<const recipe::RecipeFile> file;
  std::unique_ptr<runtime::Executable> executable;
  size_t entry = 0;
  double loadMilliseconds = 0;
  std::vector<runtime::RunStats> launches;
};

} // namespace gaudi::run

#endif // GAUDI_RUN_DEVICE_H
