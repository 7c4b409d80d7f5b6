// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The public interface of a loaded recipe: loading and launches.
#include "ExecutableImpl.h"

#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Runtime/Dispatch.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Stopwatch.h"
#include "Mme/Library.h"
#include "WithMemory.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <fmt/format.h>
#include <thread>

namespace gaudi::runtime {

using namespace recipe;

/// Whether the environment asks for it, of all recipes that can.
static Result<bool> wantsMoves() {
  const char *wanted = std::getenv("GAUDI_MOVE_TENSORS");
  if (wanted && std::string_view(wanted) != "1")
    return fail("the environment variable GAUDI_MOVE_TENSORS is '{}'; unset "
                "it, or set it to 1",
                wanted);
  return wanted != nullptr;
}

/// What the environment asks for, of all recipes that do not say it.
static Result<Numerics> wantedNumerics() {
  const char *wanted = std::getenv("GAUDI_NUMERICS");
  if (!wanted || std::string_view(wanted) == "exact")
    return Numerics::Exact;
  if (std::string_view(wanted) == "chip")
    return Numerics::Chip;
  return fail("the environment variable GAUDI_NUMERICS is '{}'; set it to "
              "exact or chip",
              wanted);
}

Status Executable::Impl::load(std::shared_ptr<const RecipeFile> file,
                              const LoadOptions &given) {
  const auto spec =
      GAUDI_TRY(device::DeviceSpec::lookup(text(file->recipe().target())));
  LoadOptions all = given;
  uint64_t host = 0; // asked for if something depends on it: that takes time
  if (all.deviceMemory == 0 || all.hostScratch == 0)
    host = availableHostMemory();
  if (host == 0) // it does not say
    host = UINT64_MAX;
  if (all.deviceMemory == 0)
    all.deviceMemory = std::min(spec->memory.dramBytes, host);
  if (all.hostScratch == 0)
    all.hostScratch = host;
  if (all.threads == 0)
    all.threads = std::max(1u, std::thread::hardware_concurrency());
  all.threads = std::min(all.threads, 1024u);
  if (!all.cacheDirectory)
    all.cacheDirectory = defaultCacheDirectory();
  // Each command is checked by itself.
  all.pipelined = all.pipelined && !all.checkMemory;
  if (all.checkMemory && !all.bindings.empty())
    return fail("inputs cannot be bound where memory is checked");
  if (!all.numerics)
    all.numerics = GAUDI_TRY(wantedNumerics());
  if (GAUDI_TRY(wantsMoves()) && !all.checkMemory && !all.relocatable)
    all.movesTensors = true;
  if (all.relocatable && !all.bindings.empty())
    return fail("no input can be bound for good where launches bind all");
  if (all.checkMemory + all.relocatable + all.movesTensors > 1)
    return fail("memory has one of three ways: it is checked, launches bind "
                "it, or it moves from launch to launch");
  return finishLoad(std::move(file), all, nullptr);
}

Status Executable::Impl::finishLoad(std::shared_ptr<const RecipeFile> file,
                                    const LoadOptions &all,
                                    const LoadedRecipe *other) {
  const auto spec =
      GAUDI_TRY(device::DeviceSpec::lookup(text(file->recipe().target())));
  options = all;
  loaded = GAUDI_TRY(loadRecipe(std::move(file), all, other));
  if (all.checkMemory)
    check =
        std::make_unique<MemoryCheck>(*loaded, spec->memory.addressAlignment);
  if (all.movesTensors)
    GAUDI_TRY(moving.emplace().move(loaded->addresses));
  timing = all.timing;
  memory.bound = loaded->moved.bytes;
  memory.persistent = loaded->memory.persistentBytes();
  memory.constants = loaded->memory.constBytes();
  memory.workspace = loaded->memory.workspaceBytes();
  memory.capacity = all.deviceMemory;
  memory.hostScratch = loaded->hostBytes + loaded->panelStats.packedBytes;
  memory.hostMapped = loaded->panelStats.mappedBytes;
  memory.hostShared = loaded->panelStats.sharedBytes;
  copies.resize(loaded->entries.size());
  return all.relocatable ? Status() : resetStates();
}

Executable::Executable(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Executable::~Executable() = default;

Result<std::unique_ptr<Executable>>
Executable::load(std::shared_ptr<const RecipeFile> file,
                 const LoadOptions &options) {
  return withMemoryFor(
      "load the recipe", [&]() -> Result<std::unique_ptr<Executable>> {
        std::unique_ptr<Executable> executable(
            new Executable(std::make_unique<Impl>()));
        GAUDI_TRY(executable->impl->load(std::move(file), options));
        return executable;
      });
}

Result<std::unique_ptr<Executable>>
Executable::another(uint64_t deviceMemory) const {
  return withMemoryFor("load the recipe again",
                       [&]() -> Result<std::unique_ptr<Executable>> {
                         std::unique_ptr<Executable> executable(
                             new Executable(std::make_unique<Impl>()));
                         LoadOptions options = impl->options;
                         options.deviceMemory = deviceMemory;
                         GAUDI_TRY(executable->impl->finishLoad(
                             impl->loaded->file, options, impl->loaded.get()));
                         return executable;
                       });
}

bool Executable::isBound(size_t input, size_t entry) const {
  return impl->loaded->moved.of(inputs(entry)[input].tensor) != nullptr;
}

LoadedRecipe &Executable::loadedRecipe() const { return *impl->loaded; }

size_t Executable::numEntries() const { return impl->loaded->entries.size(); }

std::string_view Executable::entryName(size_t entry) const {
  return impl->loaded->entries[entry].name;
}

Result<size_t> Executable::findEntry(std::string_view name) const {
  return withMemoryFor("find an entry", [&]() -> Result<size_t> {
    std::string names;
    for (size_t e = 0; e < numEntries(); ++e) {
      if (entryName(e) == name)
        return e;
      names += fmt::format("{}\"{}\"", e ? ", " : "", entryName(e));
    }
    return fail("the recipe has no entry \"{}\", it has {}", name,
                names.empty() ? "none" : names);
  });
}

bool Executable::isPart(size_t entry) const {
  return impl->loaded->entries[entry].isPart;
}

const std::vector<TensorInfo> &Executable::inputs(size_t entry) const {
  return impl->loaded->entries[entry].inputs;
}
const std::vector<TensorInfo> &Executable::outputs(size_t entry) const {
  return impl->loaded->entries[entry].outputs;
}
const std::vector<TensorInfo> &Executable::states() const {
  return impl->loaded->states;
}
const MemoryStats &Executable::memory() const { return impl->memory; }
const KernelStats &Executable::kernels() const {
  return impl->loaded->jit->stats();
}
PanelStats Executable::panels() const {
  PanelStats stats = impl->loaded->panelStats;
  if (stats.constants)
    stats.cacheNote = impl->loaded->panelCache.problem();
  return stats;
}
HostKernels Executable::hostKernels() const {
  const MmeApi *mme = impl->loaded->mme;
  return mme ? mme->hostKernels() : HostKernels{};
}
const std::vector<CommandInfo> &Executable::commands(size_t entry) const {
  return impl->loaded->entries[entry].infos;
}
CommandPlace Executable::place(size_t entry, size_t index) const {
  assert(index < commands(entry).size() && "a command of the entry");
  // The last part that begins at or before it.
  CommandPlace place = {entry, index};
  for (const LoadedPart &part : impl->loaded->entries[entry].parts)
    if (part.firstCommand <= index)
      place = {part.entry, index - part.firstCommand};
  return place;
}
unsigned Executable::threads() const { return impl->loaded->pool.size(); }

// --- launch ----------------------------------------------------------------

Error Executable::Impl::faultError(size_t entry, size_t command,
                                   const Fault &fault) const {
  const Recipe &recipe = loaded->file->recipe();
  const Command &culprit = *recipe.entries()
                                ->Get(unsigned(entry))
                                ->commands()
                                ->Get(unsigned(command));
  const auto inputs = items(culprit.inputs());
  assert(fault.operand < inputs.size() + items(culprit.outputs()).size() &&
         "operands are inputs, then outputs");
  const uint32_t id =
      fault.operand < inputs.size()
          ? inputs[fault.operand]
          : items(culprit.outputs())[fault.operand - inputs.size()];
  const Tensor &tensor = *recipe.tensors()->Get(id);
  // The name is known to callers, and so is the number of the dimension.
  const auto order = items(tensor.permutation());
  return {fmt::format(
      "{}: index {} is out of bounds for dimension {} of \"{}\" (size {})",
      commandText(recipe, culprit, unsigned(command)), fault.index,
      order.empty() ? fault.dimension : order[fault.dimension],
      text(tensor.name()), tensor.sizes()->Get(fault.dimension))};
}

/// Which workspace bytes a command touches is fixed at load, so measuring the
/// first launch of an entry is enough.
void Executable::Impl::measure(LoadedEntry &entry) {
  for (const LoadedCommand &command : entry.commands)
    for (auto [section, end] : command.reach)
      reached[section] = std::max(reached[section], end);
  entry.measured = true;
  memory.measuredPeak = memory.persistent + memory.constants;
  for (auto [section, end] : reached)
    memory.measuredPeak += end;
}

void Executable::setTiming(bool on) { impl->timing = on; }

void Executable::setObserver(LaunchObserver *observer) {
  impl->observer = observer;
}

static void runStep(const LaunchStep &step, LaunchContext &context) {
  if (step.function)
    step.function(step.operands, 0, step.points, &context.fault);
  else
    step.body->run(context);
}

/// Runs all steps like runEntry(), reads the clock after each, and calls who
/// watches; commands count from `first`. Returns how many steps ran; fewer than
/// all after a fault.
static Result<size_t> runWatched(const LoadedEntry &entry, size_t index,
                                 size_t first, LaunchContext &context,
                                 LaunchObserver *observer, MemoryCheck *check,
                                 RunStats &stats) {
  if (check)
    GAUDI_TRY(check->beginEntry(index));
  Stopwatch watch;
  size_t s = 0;
  for (; s < entry.steps.size() && !context.fault.raised; ++s) {
    const LaunchStep &step = entry.steps[s];
    if (check)
      GAUDI_TRY(check->before(index, step.command));
    if (observer)
      observer->before(first + step.command);
    // The clock starts after the hooks, which may take longer than the command.
    if (check || observer)
      watch = Stopwatch();
    runStep(step, context);
    const double milliseconds = watch.milliseconds();
    watch = Stopwatch();
    // After a fault the command's results are not those that it promises.
    if (observer && !context.fault.raised)
      observer->after(first + step.command);
    if (check && !context.fault.raised)
      GAUDI_TRY(check->after(index, step.command));
    stats.commandMilliseconds[first + step.command] += milliseconds;
    stats.engineMilliseconds[entry.commands[step.command].engine] +=
        milliseconds;
  }
  if (check && !context.fault.raised)
    GAUDI_TRY(check->endEntry(index));
  return s;
}

namespace {

/// Held while a launch uses what it shares with others.
struct Lane {
  explicit Lane(LaunchResources &resources)
      : resources(resources), isFree(resources.enter()) {}
  ~Lane() {
    if (isFree)
      resources.leave();
  }
  Lane(const Lane &) = delete;
  Lane &operator=(const Lane &) = delete;

  LaunchResources &resources;
  const bool isFree;
};

} // namespace

Status Executable::Impl::runEntry(size_t index, size_t firstCommand,
                                  RunStats &stats) {
  LoadedEntry &entry = loaded->entries[index];
  Fault fault;
  LaunchContext context{loaded->pool, fault};
  size_t done = 0;
  if (timing || observer || check)
    done = GAUDI_TRY(runWatched(entry, index, firstCommand, context, observer,
                                check.get(), stats));
  else
    for (; done < entry.steps.size() && !fault.raised; ++done)
      runStep(entry.steps[done], context);
  if (fault.raised)
    return tl::unexpected<Error>(
        faultError(index, entry.steps[done - 1].command, fault));
  if (!entry.measured)
    measure(entry);
  if (check)
    memory.checkedCommands = check->commandsChecked();
  return {};
}

/// The error of a loop whose condition, a tensor, stays true: where it is
/// computed, and the inputs that this reads.
static Error endlessLoop(const Recipe &recipe, std::string_view entryName,
                         uint32_t condition, uint64_t iterations) {
  const auto has = [](const auto *ids, uint32_t id) {
    for (const uint32_t other : items(ids))
      if (other == id)
        return true;
    return false;
  };
  std::vector<std::string> read;
  for (const recipe::Entry *part : items(recipe.entries()))
    for (const Command *command : items(part->commands())) {
      if (!has(command->outputs(), condition))
        continue;
      for (const uint32_t id : items(command->inputs())) {
        std::string name = inQuotes(text(recipe.tensors()->Get(id)->name()));
        if (has(part->inputs(), id) &&
            std::find(read.begin(), read.end(), name) == read.end())
          read.push_back(std::move(name));
      }
    }
  const auto locations = items(recipe.locations());
  const uint32_t location = recipe.tensors()->Get(condition)->location();
  return {fmt::format(
      "entry \"{}\": its loops have not ended after {} iterations: {} is still "
      "true; {}allow more: --max-iterations={}",
      entryName, iterations,
      location && location < locations.size()
          ? fmt::format("the condition at {}", text(locations[location]))
          : "their condition",
      read.empty() ? ""
                   : fmt::format("give it another value of {}, or ",
                                 fmt::join(read, " or ")),
      iterations * 10)};
}

/// The host tests the condition of a loop between launches, as it would read it
/// from a card.
Status Executable::Impl::runProgram(const LoadedEntry &entry, RunStats &stats) {
  for (size_t s = 0; s < entry.program.size(); ++s) {
    const LoadedStep &step = entry.program[s];
    switch (step.kind) {
    case StepKind::Launch: {
      const LoadedPart &part = entry.parts[step.id];
      GAUDI_TRY(runEntry(part.entry, part.firstCommand, stats));
      break;
    }
    case StepKind::While:
      if (*loaded->tensors[step.id].data == 0) {
        s = step.other; // its End
        break;
      }
      if (stats.iterations == loaded->maxIterations)
        return tl::unexpected<Error>(endlessLoop(loaded->file->recipe(),
                                                 entry.name, step.id,
                                                 loaded->maxIterations));
      ++stats.iterations;
      break;
    case StepKind::End:
      s = size_t(step.other) - 1; // its While is next
      break;
    }
  }
  return {};
}

Result<RunStats> Executable::Impl::launch(size_t index) {
  LoadedEntry &entry = loaded->entries[index];
  if (!loaded->addresses.isBound(index))
    return fail("entry \"{}\" has no addresses: bind them before the launch",
                entry.name);
  const Lane lane(*loaded->resources);
  if (!lane.isFree)
    return fail("another launch uses the same resources");
  if (moving)
    GAUDI_TRY(moving->move(loaded->addresses));
  if (options.resources)
    GAUDI_TRY(loaded->addresses.prepare(*loaded->resources));
  RunStats stats;
  if (timing || observer || check)
    stats.commandMilliseconds.resize(entry.infos.size());
  if (check)
    check->beginLaunch(index);
  const Stopwatch watch;
  if (entry.program.empty())
    GAUDI_TRY(runEntry(index, 0, stats));
  else
    GAUDI_TRY(runProgram(entry, stats));
  stats.milliseconds = watch.milliseconds();
  loaded->jit->launched();
  if (check)
    GAUDI_TRY(check->endLaunch());
  return stats;
}

const std::vector<LaunchTensor> &Executable::launchTensors(size_t entry) const {
  static const std::vector<LaunchTensor> none;
  const LaunchBindings &addresses = impl->loaded->addresses;
  return addresses.isOpen() ? addresses.entry(entry).tensors : none;
}

std::optional<LaunchPlace> Executable::launchPlace(uint32_t tensor,
                                                   size_t entry) const {
  const LaunchBindings &addresses = impl->loaded->addresses;
  return addresses.isOpen() ? addresses.placeOf(tensor, entry) : std::nullopt;
}

uint64_t Executable::workspaceBytes() const {
  return impl->loaded->addresses.workspaceBytes();
}

Status Executable::bind(const LaunchAddresses &addresses, size_t entry) {
  return withMemoryFor("bind addresses", [&]() -> Status {
    GAUDI_TRY(impl->checkEntry(entry));
    if (!impl->loaded->addresses.isOpen())
      return fail("the recipe was not loaded as relocatable: its tensors have "
                  "memory of their own");
    if (Status status = impl->loaded->addresses.bind(entry, addresses); !status)
      return fail("entry \"{}\": {}", entryName(entry), status.error().message);
    return {};
  });
}

Result<RunStats> Executable::launch(const LaunchAddresses &addresses,
                                    size_t entry) {
  GAUDI_TRY(bind(addresses, entry));
  return launch(entry);
}

bool Executable::mayAlias(size_t input, size_t output, size_t entry) const {
  return impl->loaded->addresses.mayAlias(entry, input, output);
}

Status Executable::checkAddresses(const LaunchAddresses &addresses,
                                  size_t entry, AddressOrder &order,
                                  const ShownAddress &shown) const {
  return impl->loaded->addresses.check(entry, addresses, order, shown);
}

Result<RunStats> Executable::launchChecked(const LaunchAddresses &addresses,
                                           size_t entry) {
  impl->loaded->addresses.bindChecked(entry, addresses);
  return launch(entry);
}

Result<RunStats> Executable::launch(size_t index) {
  // Commands take their memory at load. What is left (timings, a library's own
  // allocations) may still fail, in a worker too: see ThreadPool.h.
  return withMemoryFor("launch", [&]() -> Result<RunStats> {
    GAUDI_TRY(impl->checkEntry(index));
    if (Dispatcher::hasVariants(*this, index))
      return fail("entry \"{}\" has variants; a Dispatcher launches the one "
                  "that fits",
                  entryName(index));
    return impl->launch(index);
  });
}

} // namespace gaudi::runtime
