// The public face of a loaded recipe: host data in and out, launches.
#include "Gaudi/Runtime/Executable.h"

#include "Gaudi/Device/DeviceSpec.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Geometry.h"
#include "Loader.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

namespace gaudi::runtime {

using namespace recipe;
using Clock = std::chrono::steady_clock;

const char *engineName(unsigned engine) {
  static const char *const names[engineCount] = {"MME", "TPC", "DMA", "NIC",
                                                 "host"};
  return engine < engineCount ? names[engine] : "?";
}

struct Executable::Impl {
  std::unique_ptr<LoadedRecipe> loaded;
  MemoryStats memory;
  bool timing = false;
  std::map<uint32_t, uint64_t> reached; // end per workspace section

  Error faultError(size_t entry, size_t command, const Fault &fault) const;
  void measure(LoadedEntry &entry);
  Status copyIn(const TensorInfo &info, const std::string &what,
                const void *data, size_t bytes);
  Status copyOut(const TensorInfo &info, const std::string &what, void *data,
                 size_t bytes) const;
};

Executable::Executable(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Executable::~Executable() = default;

Result<std::unique_ptr<Executable>>
Executable::load(std::shared_ptr<const RecipeFile> file,
                 const LoadOptions &options) {
  auto spec = device::DeviceSpec::lookup(text(file->recipe().target()));
  if (!spec)
    return tl::unexpected<Error>(spec.error());
  LoadOptions all = options;
  if (all.deviceMemory == 0) {
    all.deviceMemory = (*spec)->memory.dramBytes;
    if (const uint64_t host = availableHostMemory())
      all.deviceMemory = std::min(all.deviceMemory, host);
  }
  if (all.threads == 0)
    all.threads = std::max(1u, std::thread::hardware_concurrency());
  all.threads = std::min(all.threads, 1024u);
  if (!all.cacheDirectory)
    all.cacheDirectory = defaultCacheDirectory();
  auto loaded = loadRecipe(std::move(file), all);
  if (!loaded)
    return tl::unexpected<Error>(loaded.error());

  auto impl = std::make_unique<Impl>();
  impl->loaded = std::move(*loaded);
  impl->timing = options.timing;
  const DeviceMemory &memory = impl->loaded->memory;
  impl->memory.persistent = memory.persistentBytes();
  impl->memory.constants = memory.constBytes();
  impl->memory.workspace = memory.workspaceBytes();
  impl->memory.capacity = all.deviceMemory;
  impl->memory.hostScratch =
      impl->loaded->hostBytes + impl->loaded->panelStats.packedBytes;
  impl->memory.hostMapped = impl->loaded->panelStats.mappedBytes;
  impl->memory.hostShared = impl->loaded->panelStats.sharedBytes;
  return std::unique_ptr<Executable>(new Executable(std::move(impl)));
}

size_t Executable::numEntries() const { return impl->loaded->entries.size(); }

std::string_view Executable::entryName(size_t entry) const {
  return impl->loaded->entries[entry].name;
}

Result<size_t> Executable::findEntry(std::string_view name) const {
  std::string names;
  for (size_t e = 0; e < numEntries(); ++e) {
    if (entryName(e) == name)
      return e;
    names += (e ? ", \"" : "\"") + std::string(entryName(e)) + "\"";
  }
  return fail("the recipe has no entry \"" + std::string(name) + "\", it has " +
              (names.empty() ? "none" : names));
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
  return impl->loaded->jit.stats();
}
PanelStats Executable::panels() const {
  PanelStats stats = impl->loaded->panelStats;
  if (stats.constants)
    stats.cacheNote = impl->loaded->panelCache.note();
  return stats;
}
const std::vector<CommandInfo> &Executable::commands(size_t entry) const {
  return impl->loaded->entries[entry].infos;
}
unsigned Executable::threads() const { return impl->loaded->pool.size(); }

// --- host data -------------------------------------------------------------

static std::string describe(const TensorInfo &info, const std::string &what) {
  std::string shape;
  for (int64_t size : info.shape)
    shape += std::to_string(size) + "x";
  return what + " \"" + info.name + "\" is a " + shape +
         std::string(elementName(info.type));
}

static Status checkBytes(const TensorInfo &info, const std::string &what,
                         size_t bytes) {
  if (bytes == info.bytes)
    return {};
  return fail(describe(info, what) + ": expected " +
              std::to_string(info.bytes) + " bytes but got " +
              std::to_string(bytes));
}

template <typename Infos>
static Status checkIndex(const Infos &infos, const char *what, size_t index) {
  if (index < infos.size())
    return {};
  return fail("there is no " + std::string(what) + " " + std::to_string(index) +
              ", the recipe has " + std::to_string(infos.size()));
}

Status Executable::Impl::copyIn(const TensorInfo &info, const std::string &what,
                                const void *data, size_t bytes) {
  if (Status status = checkBytes(info, what, bytes); !status)
    return status;
  const Layout layout =
      hostLayout(*loaded->file->recipe().tensors()->Get(info.tensor));
  StridedCopy(layout.sizes, denseStrides(layout.sizes), layout.strides,
              info.type, info.type)
      .run(loaded->pool, data, loaded->tensors[info.tensor].data);
  return {};
}

Status Executable::Impl::copyOut(const TensorInfo &info,
                                 const std::string &what, void *data,
                                 size_t bytes) const {
  if (Status status = checkBytes(info, what, bytes); !status)
    return status;
  const Layout layout =
      hostLayout(*loaded->file->recipe().tensors()->Get(info.tensor));
  StridedCopy(layout.sizes, layout.strides, denseStrides(layout.sizes),
              info.type, info.type)
      .run(loaded->pool, loaded->tensors[info.tensor].data, data);
  return {};
}

static Status checkEntry(const Executable &executable, size_t entry) {
  if (entry < executable.numEntries())
    return {};
  return fail("there is no entry " + std::to_string(entry) +
              ", the recipe has " + std::to_string(executable.numEntries()));
}

Status Executable::setInput(size_t index, const void *data, size_t bytes,
                            size_t entry) {
  if (Status status = checkEntry(*this, entry); !status)
    return status;
  if (Status status = checkIndex(inputs(entry), "input", index); !status)
    return status;
  return impl->copyIn(inputs(entry)[index], "input " + std::to_string(index),
                      data, bytes);
}

Status Executable::setInput(std::string_view name, const void *data,
                            size_t bytes, size_t entry) {
  if (Status status = checkEntry(*this, entry); !status)
    return status;
  std::string names;
  const std::vector<TensorInfo> &all = inputs(entry);
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == name)
      return setInput(i, data, bytes, entry);
    names += (i ? ", \"" : "\"") + all[i].name + "\"";
  }
  return fail("there is no input \"" + std::string(name) +
              "\", the recipe has " + (names.empty() ? "none" : names));
}

Status Executable::getOutput(size_t index, void *data, size_t bytes,
                             size_t entry) const {
  if (Status status = checkEntry(*this, entry); !status)
    return status;
  if (Status status = checkIndex(outputs(entry), "output", index); !status)
    return status;
  return impl->copyOut(outputs(entry)[index], "output " + std::to_string(index),
                       data, bytes);
}

Status Executable::setState(size_t index, const void *data, size_t bytes) {
  if (Status status = checkIndex(states(), "state", index); !status)
    return status;
  return impl->copyIn(states()[index], "state " + std::to_string(index), data,
                      bytes);
}

Status Executable::getState(size_t index, void *data, size_t bytes) const {
  if (Status status = checkIndex(states(), "state", index); !status)
    return status;
  return impl->copyOut(states()[index], "state " + std::to_string(index), data,
                       bytes);
}

// --- launch ----------------------------------------------------------------

Error Executable::Impl::faultError(size_t entry, size_t command,
                                   const Fault &fault) const {
  const Recipe &recipe = loaded->file->recipe();
  const Command &culprit = *recipe.entries()
                                ->Get(unsigned(entry))
                                ->commands()
                                ->Get(unsigned(command));
  const auto inputs = items(culprit.inputs());
  const uint32_t id =
      fault.operand < inputs.size()
          ? inputs[fault.operand]
          : items(culprit.outputs())[fault.operand - inputs.size()];
  const Tensor &tensor = *recipe.tensors()->Get(id);
  return {commandText(recipe, culprit, unsigned(command)) + ": index " +
          std::to_string(fault.index) + " is out of bounds for dimension " +
          std::to_string(fault.dimension) + " of \"" +
          std::string(text(tensor.name())) + "\" (size " +
          std::to_string(tensor.sizes()->Get(fault.dimension)) + ")"};
}

/// Which workspace bytes a command touches is fixed at load, so the first
/// launch of an entry measures all later ones.
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

static void runStep(const LaunchStep &step, LaunchContext &context) {
  if (step.function)
    step.function(step.operands, 0, step.points, &context.fault);
  else
    step.body->run(context);
}

/// The same, with the time of each command.
static size_t runTimed(const LoadedEntry &entry, LaunchContext &context,
                       RunStats &stats) {
  stats.commandMilliseconds.resize(entry.commands.size());
  Clock::time_point before = Clock::now();
  size_t s = 0;
  for (; s < entry.steps.size() && !context.fault.raised; ++s) {
    const LaunchStep &step = entry.steps[s];
    runStep(step, context);
    const Clock::time_point now = Clock::now();
    const double milliseconds =
        std::chrono::duration<double, std::milli>(now - before).count();
    before = now;
    stats.commandMilliseconds[step.command] = milliseconds;
    stats.engineMilliseconds[entry.commands[step.command].engine] +=
        milliseconds;
  }
  return s;
}

Result<RunStats> Executable::launch(size_t index) {
  if (Status status = checkEntry(*this, index); !status)
    return tl::unexpected<Error>(status.error());
  LoadedEntry &entry = impl->loaded->entries[index];
  RunStats stats;
  Fault fault;
  LaunchContext context{impl->loaded->pool, fault};
  const Clock::time_point start = Clock::now();
  size_t done = 0;
  if (impl->timing)
    done = runTimed(entry, context, stats);
  else
    for (; done < entry.steps.size() && !fault.raised; ++done)
      runStep(entry.steps[done], context);
  stats.milliseconds =
      std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  if (fault.raised)
    return tl::unexpected<Error>(
        impl->faultError(index, entry.steps[done - 1].command, fault));
  if (!entry.measured)
    impl->measure(entry);
  return stats;
}

} // namespace gaudi::runtime
