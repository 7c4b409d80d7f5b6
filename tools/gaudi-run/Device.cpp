// The emulated device as gaudi-run uses it.
#include "Device.h"
#include "Finite.h"
#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/Quote.h"
#include "Stopwatch.h"

#include <algorithm>
#include <cassert>

namespace gaudi::run {
namespace {

/// Launches that a report reads the clock in after each command.
constexpr uint32_t mostProfiles = 5;

std::vector<Parameter>
parametersOf(const std::vector<runtime::TensorInfo> &infos) {
  std::vector<Parameter> parameters;
  for (const runtime::TensorInfo &info : infos)
    parameters.push_back({info.name, {info.type, info.shape}});
  return parameters;
}

} // namespace

Result<std::unique_ptr<Device>>
Device::load(std::shared_ptr<const recipe::RecipeFile> file,
             const Options &options) {
  Stopwatch watch;
  std::unique_ptr<Device> device(new Device);
  device->file = std::move(file);
  device->memoryLimit = options.deviceMemory;
  runtime::LoadOptions load;
  load.deviceMemory = options.deviceMemory;
  load.threads = options.threads;
  // Every command must be seen on its own.
  load.pipelined = options.pipelined && !options.checkFinite;
  load.cacheDirectory = options.cacheDirectory;
  load.panelCacheBytes = options.panelCacheBytes;
  device->executable = GAUDI_TRY(runtime::Executable::load(device->file, load));
  device->loadMilliseconds = watch.milliseconds();
  return device;
}

Status Device::selectEntry(const Options &options) {
  if (!options.entry.empty()) {
    entry = GAUDI_TRY(executable->findEntry(options.entry));
    return {};
  }
  const size_t count = executable->numEntries();
  if (auto main = executable->findEntry("main"))
    entry = *main;
  else if (count != 1)
    return fail("{} has {} entries and none is called 'main'; choose one with "
                "--entry",
                inQuotes(options.file), count);
  return {};
}

std::vector<Parameter> Device::inputs() const {
  return parametersOf(executable->inputs(entry));
}

std::vector<Parameter> Device::outputs() const {
  return parametersOf(executable->outputs(entry));
}

/// Keeps the statistics if `stats` is set.
Status Device::launchOnce(const std::vector<HostTensor> &inputs,
                          std::vector<runtime::RunStats> *stats) {
  // A launch may overwrite its inputs.
  for (size_t k = 0; k < inputs.size(); ++k)
    GAUDI_TRY(executable->setInput(k, inputs[k].bytes.data(),
                                   inputs[k].bytes.size(), entry));
  runtime::RunStats launch = GAUDI_TRY(executable->launch(entry));
  if (stats)
    stats->push_back(std::move(launch));
  return {};
}

Status Device::saveStates() {
  for (const runtime::TensorInfo &info : executable->states()) {
    savedStates.emplace_back(info.bytes);
    GAUDI_TRY(executable->getState(savedStates.size() - 1,
                                   savedStates.back().data(), info.bytes));
  }
  return {};
}

Status Device::repeatLastLaunch(const std::vector<HostTensor> &inputs,
                                std::vector<runtime::RunStats> *stats) {
  assert(savedStates.size() == executable->states().size() &&
         "the states before the last launch");
  for (size_t s = 0; s < savedStates.size(); ++s)
    GAUDI_TRY(
        executable->setState(s, savedStates[s].data(), savedStates[s].size()));
  return launchOnce(inputs, stats);
}

Result<std::vector<HostTensor>>
Device::launch(const std::vector<HostTensor> &inputs, const Options &options,
               Progress &progress) {
  progress.step(fmt::format("running {}", inQuotes(options.file)));
  // Reading the clock after each command costs more than a small command, so
  // timed launches do not do it, unless there is only one.
  const bool report = options.report != ReportForm::None;
  const bool profileAll = report && options.repeat == 1;
  const uint32_t extra =
      report && !profileAll ? std::min(options.repeat, mostProfiles) : 0;
  const uint64_t total =
      uint64_t(options.warmup) + options.repeat + extra + options.checkFinite;
  uint64_t done = 0;
  for (uint32_t i = 0; i < options.warmup; ++i) {
    progress.advance(++done, total);
    GAUDI_TRY(launchOnce(inputs, nullptr));
  }
  executable->setTiming(profileAll);
  for (uint32_t i = 0; i < options.repeat; ++i) {
    progress.advance(++done, total);
    if (i + 1 == options.repeat && (extra || options.checkFinite))
      GAUDI_TRY(saveStates());
    GAUDI_TRY(launchOnce(inputs, &launches));
  }
  if (profileAll)
    profiles = launches;
  executable->setTiming(true);
  for (uint32_t i = 0; i < extra; ++i) {
    progress.advance(++done, total);
    GAUDI_TRY(repeatLastLaunch(inputs, &profiles));
  }
  executable->setTiming(false);
  if (options.checkFinite) {
    progress.advance(++done, total);
    FiniteObserver observer(*executable, file->recipe(), entry);
    executable->setObserver(&observer);
    const Status launched = repeatLastLaunch(inputs, nullptr);
    executable->setObserver(nullptr);
    GAUDI_TRY(launched);
    origin = observer.origin();
  }
  std::vector<HostTensor> results;
  for (const Parameter &parameter : outputs()) {
    HostTensor &tensor = results.emplace_back(
        HostTensor{parameter.name, parameter.type,
                   std::vector<uint8_t>(parameter.type.bytes())});
    GAUDI_TRY(executable->getOutput(results.size() - 1, tensor.bytes.data(),
                                    tensor.bytes.size(), entry));
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
  report.capacity = memoryLimit;
  if (!memoryLimit)
    if (auto spec = device::DeviceSpec::lookup(report.target))
      report.capacity = (*spec)->memory.dramBytes;
  report.kernels = executable->kernels();
  report.panels = executable->panels();
  report.commands = executable->commands(entry);
  report.largestBuffers =
      largestLiveBuffers(file->recipe(), uint32_t(entry), 5);
  for (const runtime::RunStats &launch : launches)
    report.launches.push_back(launch.milliseconds);

  report.profiles = profiles.size();
  if (profiles.empty())
    return report;
  const auto medianOver = [&](auto time) {
    std::vector<double> times;
    for (const runtime::RunStats &profile : profiles)
      times.push_back(time(profile));
    return spreadOf(std::move(times)).median;
  };
  for (size_t engine = 0; engine < runtime::engineCount; ++engine)
    report.engineMilliseconds[engine] =
        medianOver([&](const runtime::RunStats &profile) {
          return profile.engineMilliseconds[engine];
        });
  for (size_t c = 0; c < report.commands.size(); ++c)
    report.commandMilliseconds.push_back(
        medianOver([&](const runtime::RunStats &profile) {
          assert(c < profile.commandMilliseconds.size());
          return profile.commandMilliseconds[c];
        }));
  return report;
}

} // namespace gaudi::run
