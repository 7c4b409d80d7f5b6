// The emulated device behind gaudi-run.
#include "Device.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/Quote.h"

#include <chrono>

namespace gaudi::run {
namespace {

std::vector<Parameter>
parametersOf(const std::vector<runtime::TensorInfo> &infos) {
  std::vector<Parameter> parameters;
  for (const runtime::TensorInfo &info : infos)
    parameters.push_back({info.name, {info.type, info.shape}});
  return parameters;
}

} // namespace

Outcome<std::unique_ptr<Device>> Device::load(recipe::RecipeFile file,
                                              const Options &options,
                                              Progress &progress) {
  progress.step("loading " + inQuotes(options.file));
  const auto started = std::chrono::steady_clock::now();
  std::unique_ptr<Device> device(new Device);
  device->file = std::make_shared<const recipe::RecipeFile>(std::move(file));
  const std::string target(recipe::text(device->file->recipe().target()));
  if (options.device && *options.device != target)
    return badInput(inQuotes(options.file) + " was compiled for " + target +
                    ", not for " + *options.device);
  runtime::LoadOptions load;
  load.deviceMemory = options.deviceMemory;
  load.threads = options.threads;
  load.pipelined = options.pipelined;
  load.cacheDirectory = options.cacheDirectory;
  load.panelCacheBytes = options.panelCacheBytes;
  auto executable = runtime::Executable::load(device->file, load);
  if (!executable) {
    // A damaged file is the user's to mend, as when opening finds it.
    if (!device->file->constantsVerified())
      if (Status sound = device->file->verifyConstants(options.threads); !sound)
        return badInput(sound.error());
    return runError(executable.error());
  }
  device->executable = std::move(*executable);
  if (!options.entry.empty()) {
    auto entry = device->executable->findEntry(options.entry);
    if (!entry)
      return badInput(entry.error());
    device->entry = *entry;
  } else if (auto main = device->executable->findEntry("main")) {
    device->entry = *main;
  } else if (device->executable->numEntries() != 1) {
    return badInput(
        inQuotes(options.file) + " has " +
        std::to_string(device->executable->numEntries()) +
        " entries and none is called 'main'; choose one with --entry");
  }
  device->loadMilliseconds = std::chrono::duration<double, std::milli>(
                                 std::chrono::steady_clock::now() - started)
                                 .count();
  return device;
}

std::vector<Parameter> Device::inputs() const {
  return parametersOf(executable->inputs(entry));
}

std::vector<Parameter> Device::outputs() const {
  return parametersOf(executable->outputs(entry));
}

Outcome<std::vector<HostTensor>>
Device::launch(const std::vector<HostTensor> &inputs, const Options &options,
               Progress &progress) {
  progress.step("running " + inQuotes(options.file));
  const uint64_t total = uint64_t(options.warmup) + options.repeat;
  for (uint64_t i = 0; i < total; ++i) {
    progress.advance(i + 1, total);
    // A launch may overwrite its inputs.
    for (size_t k = 0; k < inputs.size(); ++k)
      if (Status set = executable->setInput(k, inputs[k].bytes.data(),
                                            inputs[k].bytes.size(), entry);
          !set)
        return runError(set.error());
    // Reading the clock after each command costs more than a small command,
    // so only one launch does it.
    executable->setTiming(options.report != ReportForm::None && i + 1 == total);
    auto stats = executable->launch(entry);
    if (!stats)
      return runError(stats.error());
    if (i >= options.warmup)
      launches.push_back(std::move(*stats));
  }
  std::vector<HostTensor> results;
  for (const Parameter &parameter : outputs()) {
    HostTensor tensor{parameter.name, parameter.type,
                      std::vector<uint8_t>(parameter.type.bytes())};
    if (Status got = executable->getOutput(results.size(), tensor.bytes.data(),
                                           tensor.bytes.size(), entry);
        !got)
      return runError(got.error());
    results.push_back(std::move(tensor));
  }
  return results;
}

DeviceReport Device::report() const {
  DeviceReport report;
  report.target = recipe::text(file->recipe().target());
  report.producer = recipe::text(file->recipe().producer());
  report.recipeBytes = file->fileSize();
  report.shares = fileShares(*file);
  report.threads = executable->threads();
  report.loadMilliseconds = loadMilliseconds;
  report.memory = executable->memory();
  report.kernels = executable->kernels();
  report.panels = executable->panels();
  report.commands = executable->commands(entry);
  report.largestBuffers =
      largestLiveBuffers(file->recipe(), uint32_t(entry), 5);
  if (!launches.empty()) {
    report.engineMilliseconds = launches.back().engineMilliseconds;
    report.commandMilliseconds = launches.back().commandMilliseconds;
  }
  for (const runtime::RunStats &launch : launches)
    report.launches.push_back(launch.milliseconds);
  return report;
}

} // namespace gaudi::run
