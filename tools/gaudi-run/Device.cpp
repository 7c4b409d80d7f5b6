// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The emulated device as gaudi-run uses it.
#include "Device.h"
#include "Gaudi/Analysis/Entry.h"
#include "Gaudi/Analysis/Finite.h"
#include "Gaudi/Analysis/SymbolTable.h"
#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Recipe/Entries.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Runtime/FiniteObserver.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Stopwatch.h"
#include "Sizes.h"
#include "Values.h"

#include <algorithm>
#include <cassert>
#include <ctime>

namespace gaudi::run {
namespace {

/// Launches that a report reads the clock in after each command.
constexpr uint32_t mostProfiles = 5;

std::vector<recipe::Parameter>
parametersOf(const std::vector<runtime::TensorInfo> &infos) {
  std::vector<recipe::Parameter> parameters;
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
  load.maxIterations = options.maxIterations;
  load.maxKernelWeight = options.maxKernelWeight;
  // Every command must be seen on its own.
  load.pipelined = options.pipelined && !options.checkFinite;
  load.checkMemory = options.checkMemory;
  if (!options.numerics.empty())
    load.numerics = options.numerics == "chip" ? runtime::Numerics::Chip
                                               : runtime::Numerics::Exact;
  load.cacheDirectory = options.cacheDirectory;
  load.panelCacheBytes = options.panelCacheBytes;
  device->executable = GAUDI_TRY(runtime::Executable::load(device->file, load));
  device->loadMilliseconds = watch.milliseconds();
  return device;
}

Status Device::selectEntry(const std::string &name, const Options &options) {
  entry = GAUDI_TRY(analysis::chooseEntry(file->recipe(), name, options.file));
  if (!runtime::Dispatcher::hasVariants(*executable, entry)) {
    for (const auto &[given, option] :
         {std::pair(!options.sizes.empty(), "--sizes"),
          std::pair(options.poisonPadding, "--poison-padding"),
          std::pair(options.strictShapes, "--strict-shapes")})
      if (given)
        return fail("{}: entry {} takes tensors of one size; remove the option",
                    option, inQuotes(entryName()));
    return {};
  }
  dispatcher = GAUDI_TRY(runtime::Dispatcher::create(*executable, entry));
  dispatcher->setPoison(options.poisonPadding);
  return selectVariant(options);
}

Status Device::selectVariant(const Options &options) {
  assert(dispatcher && "the entry has variants");
  const shapes::Sizes sizes = GAUDI_TRY(sizesOfLaunch(*dispatcher, options));
  const shapes::Buckets &buckets = dispatcher->buckets();
  exact = GAUDI_TRY(shapes::Buckets::create(buckets.names(), {sizes})).text();
  shapes::Sizes limits;
  bool isInBounds = true;
  for (size_t s = 0; s < sizes.size(); ++s) {
    limits.push_back(dispatcher->symbols()[s].max);
    isInBounds &= sizes[s] <= limits[s];
  }
  if (isInBounds && !buckets.choose(sizes))
    missed = GAUDI_TRY(shapes::Buckets::create(
                           buckets.names(), {buckets.nearest(sizes, limits)}))
                 .text();
  GAUDI_TRY(dispatcher->selectSizes(sizes));
  entry = dispatcher->entry();
  return {};
}

shapes::Sizes Device::sizes() const {
  return dispatcher ? dispatcher->sizes() : shapes::Sizes();
}

bool Device::isExact() const {
  return missed.empty() &&
         dispatcher->buckets()[dispatcher->variant()] == sizes();
}

std::string Device::namedSizes() const {
  std::string text;
  const shapes::Sizes chosen = sizes();
  for (size_t s = 0; s < chosen.size(); ++s)
    text += fmt::format("{}{}={}", s ? "," : "", dispatcher->symbols()[s].name,
                        chosen[s]);
  return text;
}

bool Device::isState(const runtime::TensorInfo &info) const {
  return recipe::items(file->recipe().tensors())[info.tensor]->tensor_class() ==
         recipe::TensorClass::State;
}

std::vector<recipe::Parameter> Device::inputs() const {
  if (dispatcher)
    return parametersAt(dispatcher->inputs(), [&](size_t index) {
      return dispatcher->inputShape(index, dispatcher->sizes());
    });
  const std::vector<runtime::TensorInfo> &infos = executable->inputs(entry);
  std::vector<recipe::Parameter> parameters = parametersOf(infos);
  for (size_t k = 0; k < infos.size(); ++k)
    parameters[k].isState = isState(infos[k]);
  return parameters;
}

std::vector<recipe::Parameter> Device::outputs() const {
  if (dispatcher)
    return parametersAt(dispatcher->outputs(), [&](size_t index) {
      return dispatcher->outputShape(index, dispatcher->sizes());
    });
  return parametersOf(executable->outputs(entry));
}

/// Copies in the inputs of a step; those with fewer values than there are steps
/// start over.
Status Device::setInputs(const std::vector<recipe::HostTensor> &inputs,
                         States states) {
  if (states == States::Set)
    GAUDI_TRY(executable->resetStates());
  const std::vector<recipe::Parameter> parameters = this->inputs();
  inputMilliseconds.resize(parameters.size());
  for (size_t k = 0; k < inputs.size(); ++k) {
    if (states == States::Keep && parameters[k].isState)
      continue;
    const uint64_t size = parameters[k].type.bytes();
    const uint64_t values = size ? inputs[k].bytes.size() / size : 1;
    assert(values > 0 && "a value for one step at least");
    const Stopwatch watch;
    const uint8_t *const data = inputs[k].bytes.data() + step % values * size;
    GAUDI_TRY(dispatcher ? dispatcher->setInput(k, data, size)
                         : executable->setInput(k, data, size, entry));
    inputMilliseconds[k] = watch.milliseconds();
  }
  return {};
}

/// What the process has computed for, on all its threads.
static double cpuMilliseconds() {
  timespec now;
  [[maybe_unused]] const int failed =
      ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  assert(!failed && "Linux has this clock");
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) * 1e-6;
}

/// Keeps the statistics if `stats` is set.
Status Device::launchOnce(std::vector<runtime::RunStats> *stats) {
  const bool isTimed = stats == &launches;
  const double before = isTimed ? cpuMilliseconds() : 0;
  runtime::RunStats launch =
      GAUDI_TRY(dispatcher ? dispatcher->launch() : executable->launch(entry));
  if (isTimed)
    cpuTimes.push_back(cpuMilliseconds() - before);
  if (stats)
    stats->push_back(std::move(launch));
  return {};
}

Status Device::saveStates() {
  savedStates = GAUDI_TRY(readStates());
  return {};
}

Result<std::vector<std::vector<uint8_t>>> Device::readStates() const {
  std::vector<std::vector<uint8_t>> states;
  for (const runtime::TensorInfo &info : executable->states()) {
    states.emplace_back(info.bytes);
    GAUDI_TRY(executable->getState(states.size() - 1, states.back().data(),
                                   info.bytes));
  }
  return states;
}

Status Device::readStateInputs(std::vector<recipe::HostTensor> &inputs) const {
  const std::vector<runtime::TensorInfo> &infos = executable->inputs(entry),
                                         &states = executable->states();
  for (size_t k = 0; k < infos.size(); ++k)
    for (size_t s = 0; s < states.size(); ++s)
      if (states[s].tensor == infos[k].tensor)
        GAUDI_TRY(executable->getState(s, inputs[k].bytes.data(),
                                       inputs[k].bytes.size()));
  return {};
}

Result<std::optional<std::vector<recipe::HostTensor>>>
Device::inputsOfLastStep(const std::vector<recipe::HostTensor> &inputs) {
  std::vector<recipe::HostTensor> values = valuesOfStep(inputs, step);
  if (step == 0)
    return std::optional(std::move(values));
  const std::vector<runtime::TensorInfo> &infos = executable->inputs(entry);
  for (const runtime::TensorInfo &state : executable->states())
    if (std::none_of(infos.begin(), infos.end(), [&](const auto &info) {
          return info.tensor == state.tensor;
        }))
      return std::optional<std::vector<recipe::HostTensor>>();
  GAUDI_TRY(restoreStates());
  GAUDI_TRY(readStateInputs(values));
  return std::optional(std::move(values));
}

Result<std::vector<recipe::HostTensor>>
Device::observe(const std::vector<recipe::HostTensor> &inputs,
                const std::vector<std::vector<uint8_t>> &states,
                runtime::LaunchObserver &observer) {
  GAUDI_TRY(setInputs(inputs, States::Set));
  for (size_t s = 0; s < states.size(); ++s)
    GAUDI_TRY(executable->setState(s, states[s].data(), states[s].size()));
  // A state that is an input has the value of the input.
  if (!states.empty())
    GAUDI_TRY(setInputs(inputs, States::Keep));
  executable->setObserver(&observer);
  const Status launched = launchOnce(nullptr);
  executable->setObserver(nullptr);
  GAUDI_TRY(launched);
  std::vector<recipe::HostTensor> results;
  for (size_t i = 0; i < outputs().size(); ++i)
    results.push_back(GAUDI_TRY(output(i)));
  return results;
}

Status Device::restoreStates() {
  assert(savedStates.size() == executable->states().size() &&
         "the states before the last launch");
  for (size_t s = 0; s < savedStates.size(); ++s)
    GAUDI_TRY(
        executable->setState(s, savedStates[s].data(), savedStates[s].size()));
  return {};
}

Status Device::repeatLastLaunch(const std::vector<recipe::HostTensor> &inputs,
                                std::vector<runtime::RunStats> *stats) {
  GAUDI_TRY(restoreStates());
  GAUDI_TRY(setInputs(inputs, States::Keep));
  return launchOnce(stats);
}

/// Whether all outputs are, after the last launch.
Result<bool> Device::isFinite() const {
  for (size_t i = 0; i < outputs().size(); ++i)
    if (recipe::firstNonFinite(GAUDI_TRY(output(i))))
      return false;
  return true;
}

Status Device::checkPadding(const std::vector<recipe::HostTensor> &inputs,
                            const std::vector<recipe::HostTensor> &outputs) {
  constexpr int otherKinds = 2;
  for (int kind = 0; kind < otherKinds; ++kind) {
    GAUDI_TRY(repeatLastLaunch(inputs, nullptr));
    for (size_t i = 0; i < outputs.size(); ++i) {
      const recipe::HostTensor now = GAUDI_TRY(output(i));
      const auto index = analysis::firstDifference(outputs[i], now);
      if (index)
        return fail("output {} depends on the padding of inputs: it was {}, "
                    "with other padding {}; that is an error of the compiler: "
                    "keep the launch with --save-replay=FILE.zip and report it",
                    inQuotes(now.name), recipe::elementAt(outputs[i], *index),
                    elementText(now, *index));
    }
  }
  return {};
}

/// What the variants did since `before`.
void Device::countSince(const std::vector<runtime::VariantCount> &before) {
  counts = dispatcher->counts();
  for (size_t v = 0; v < counts.size(); ++v) {
    counts[v].launches -= before[v].launches;
    counts[v].real -= before[v].real;
    counts[v].padded -= before[v].padded;
  }
}

Result<recipe::HostTensor> Device::output(size_t index) const {
  const recipe::Parameter parameter = outputs()[index];
  recipe::HostTensor tensor{parameter.name, parameter.type,
                            std::vector<uint8_t>(parameter.type.bytes())};
  uint8_t *const data = tensor.bytes.data();
  const size_t size = tensor.bytes.size();
  GAUDI_TRY(dispatcher ? dispatcher->getOutput(index, data, size)
                       : executable->getOutput(index, data, size, entry));
  return tensor;
}

Result<std::vector<recipe::HostTensor>>
Device::launch(const std::vector<recipe::HostTensor> &inputs,
               const Options &options, Progress &progress,
               const AfterStep &afterStep) {
  progress.step(fmt::format("running {}", inQuotes(options.file)));
  // Reading the clock after each command costs more than a small command, so
  // timed launches do not do it, unless there is only one.
  const bool report =
      options.report != ReportForm::None || !options.trace.empty();
  const uint32_t timed = options.steps ? options.steps : options.repeat;
  const bool profileAll = report && timed == 1;
  const uint32_t extra =
      report && !profileAll ? std::min(timed, mostProfiles) : 0;
  const uint64_t total =
      uint64_t(options.warmup) + timed + extra + options.checkFinite;
  uint64_t done = 0;
  for (uint32_t i = 0; i < options.warmup; ++i) {
    progress.advance(++done, total);
    GAUDI_TRY(setInputs(inputs, States::Set));
    GAUDI_TRY(launchOnce(nullptr));
  }
  const std::vector<runtime::VariantCount> before =
      dispatcher ? dispatcher->counts() : std::vector<runtime::VariantCount>();
  executable->setTiming(profileAll);
  // Only steps continue from each other, and each reads values of its own.
  for (uint32_t i = 0; i < timed; ++i) {
    progress.advance(++done, total);
    step = options.steps ? i : 0;
    GAUDI_TRY(setInputs(inputs, step == 0 ? States::Set : States::Keep));
    // Any step may be the last one of --check-finite.
    const bool isLast = i + 1 == timed || options.steps;
    if ((extra && i + 1 == timed) ||
        ((options.checkFinite || options.poisonPadding) && isLast))
      GAUDI_TRY(saveStates());
    GAUDI_TRY(launchOnce(&launches));
    if (!options.steps)
      continue;
    GAUDI_TRY(afterStep(step));
    if (options.checkFinite && !GAUDI_TRY(isFinite()))
      break; // later steps would only carry it on
  }
  if (dispatcher)
    countSince(before);
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
    runtime::FiniteObserver observer(*executable, file->recipe(), entry);
    executable->setObserver(&observer);
    const Status launched = repeatLastLaunch(inputs, nullptr);
    executable->setObserver(nullptr);
    GAUDI_TRY(launched);
    origin = observer.origin();
    if (options.steps && !origin.empty())
      origin = fmt::format("in step {}, {}", step + 1, origin);
  }
  std::vector<recipe::HostTensor> results;
  outputMilliseconds.clear();
  for (size_t i = 0; i < outputs().size(); ++i) {
    const Stopwatch watch;
    results.push_back(GAUDI_TRY(output(i)));
    outputMilliseconds.push_back(watch.milliseconds());
  }
  if (options.poisonPadding)
    GAUDI_TRY(checkPadding(inputs, results));
  return results;
}

std::vector<PermutedTensor> Device::permutedTensors() const {
  std::vector<PermutedTensor> tensors;
  const auto add = [&](const std::vector<runtime::TensorInfo> &infos,
                       const std::vector<double> &times, const char *kind) {
    for (size_t i = 0; i < infos.size(); ++i)
      if (!infos[i].permutation.empty())
        tensors.push_back({kind,
                           infos[i].name,
                           {infos[i].type, infos[i].shape},
                           infos[i].permutation,
                           i < times.size() ? times[i] : 0});
  };
  add(executable->inputs(entry), inputMilliseconds, "input");
  add(executable->outputs(entry), outputMilliseconds, "output");
  return tensors;
}

/// The commands of a program are those of its parts, in the order in which they
/// are launched first; a prediction repeats them.
std::vector<uint32_t>
Device::predictedCommands(const prediction::Prediction &prediction) const {
  std::vector<uint32_t> numbers;
  std::vector<uint32_t> seen;
  for (const prediction::Launch &launch : prediction.launches) {
    if (std::count(seen.begin(), seen.end(), launch.entry))
      continue;
    seen.push_back(launch.entry);
    for (uint32_t c = 0; c < launch.count; ++c)
      numbers.push_back(launch.first + c);
  }
  return numbers;
}

std::vector<VariantHits> Device::variantHits() const {
  std::vector<VariantHits> variants;
  if (!dispatcher)
    return variants;
  const shapes::Buckets &buckets = dispatcher->buckets();
  for (size_t v = 0; v < buckets.size(); ++v) {
    const runtime::VariantCount &count = counts[v];
    variants.push_back({analysis::namedSizes(buckets.names(), buckets[v]),
                        count.launches, count.real, count.padded,
                        dispatcher->picoseconds(v)});
  }
  return variants;
}

Result<DeviceReport> Device::report(bool predicts) const {
  DeviceReport report;
  if (predicts) {
    report.prediction = GAUDI_TRY(prediction::predict(*file, uint32_t(entry)));
    report.predicted = predictedCommands(report.prediction);
    report.capacity = report.prediction.capacity;
    report.hostKernels = executable->hostKernels();
  }
  report.target = recipe::text(file->recipe().target());
  report.producer = recipe::text(file->recipe().producer());
  report.recipeBytes = file->fileSize();
  for (uint32_t e : recipe::callableEntries(file->recipe()))
    report.entries.emplace_back(executable->entryName(e));
  const auto *program =
      recipe::items(file->recipe().entries())[uint32_t(entry)]->program();
  if (program && !launches.empty())
    report.iterations = launches.back().iterations;
  report.shares.metadata = file->header().metadataSize;
  for (const recipe::Section *section :
       recipe::items(file->recipe().sections()))
    if (section->kind() == recipe::SectionKind::Const)
      report.shares.constants += section->size();
  report.threads = executable->threads();
  report.loadMilliseconds = loadMilliseconds;
  report.memory = executable->memory();
  for (const runtime::TensorInfo &state : executable->states())
    report.stateBytes += state.bytes;
  report.isLimited = memoryLimit != 0;
  report.kernels = executable->kernels();
  report.panels = executable->panels();
  report.commands = executable->commands(entry);
  assert((!predicts || report.commands.size() == report.predicted.size()) &&
         "the prediction has the commands that run");
  report.permuted = permutedTensors();
  report.variants = variantHits();
  if (dispatcher)
    report.sizes = analysis::namedSizes(dispatcher->buckets().names(),
                                        dispatcher->sizes());
  for (const runtime::RunStats &launch : launches)
    report.launches.push_back(launch.milliseconds);
  report.cpuTimes = cpuTimes;

  report.profiles = profiles.size();
  if (profiles.empty())
    return report;
  runtime::RunStats median = runtime::medianOf(profiles);
  report.engineMilliseconds = median.engineMilliseconds;
  report.commandMilliseconds = std::move(median.commandMilliseconds);
  return report;
}

} // namespace gaudi::run
