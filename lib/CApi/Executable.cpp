// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads recipes and launches them.
#include "gaudi-c/Executable.h"
#include "Contexts.h"
#include "Error.h"
#include "Gaudi/Monitoring/Events.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Runtime/Background.h"
#include "Gaudi/Runtime/Fork.h"
#include "Gaudi/Support/Stopwatch.h"
#include "Recipe.h"

#include <algorithm>
#include <atomic>
#include <thread>

using namespace gaudi;
using namespace gaudi::capi;
using runtime::Dispatcher;
using runtime::HostBuffer;

struct GaudiExecutable {
  std::unique_ptr<Contexts> contexts;
  std::vector<HostEntry> entries; ///< for messages
  std::atomic<uint64_t> launches{0};
  size_t boundInputs = 0;
  const uint32_t forks = runtime::forkCount();
};

size_t gaudiBindingAlignment(void) { return runtime::bindingAlignment; }
void gaudiFinishBackground(void) { runtime::finishBackground(); }

namespace {

/// One launch at a time has all CPUs.
uint32_t threadsPerLaunch(const GaudiLoadOptions &options, size_t launches) {
  if (options.threads)
    return options.threads;
  const size_t cpus = std::max(1u, std::thread::hardware_concurrency());
  return uint32_t(std::max<size_t>(1, cpus / launches));
}

runtime::LoadOptions loadOptions(const GaudiLoadOptions &given,
                                 size_t launches) {
  runtime::LoadOptions options;
  options.deviceMemory = given.deviceMemory;
  // Callers wait for the first launch.
  options.quickStart = true;
  options.threads = threadsPerLaunch(given, launches);
  if (given.maxIterations)
    options.maxIterations = given.maxIterations;
  if (given.maxKernelWeight)
    options.maxKernelWeight = given.maxKernelWeight;
  if (given.cacheDirectory)
    options.cacheDirectory = given.cacheDirectory;
  return options;
}

HostBuffer hostBuffer(const GaudiBuffer &buffer) {
  // A number out of range must not become a type.
  const auto type = unsigned(buffer.type) > unsigned(recipe::ElementType::MAX)
                        ? recipe::ElementType(255)
                        : recipe::ElementType(uint8_t(buffer.type));
  return {buffer.data, type, buffer.rank, buffer.shape, buffer.strides};
}

/// Null if the threads of the executable are those of this process.
GaudiError *checkExecutable(const GaudiExecutable *executable) {
  GAUDI_C_CHECK(checkPointer(executable, "executable"));
  if (executable->forks == runtime::forkCount())
    return nullptr;
  return makeError(GaudiErrorUnavailable,
                   "the executable was loaded before fork() made this process, "
                   "which has none of its threads; load the recipe again here");
}

GaudiError *checkEntry(const GaudiExecutable *executable, size_t entry) {
  const size_t count = executable->contexts->entries().size();
  if (entry < count)
    return nullptr;
  return makeError(GaudiErrorInvalidArgument,
                   "there is no entry {}, the recipe has {}", entry, count);
}

/// Bindings in the numbers of the recipe; marks their inputs.
GaudiError *readBindings(const GaudiLoadOptions &options,
                         const GaudiRecipe &recipe,
                         std::vector<LaunchedEntry> &entries,
                         std::vector<runtime::InputBinding> &bindings) {
  if (options.numBindings && !options.bindings)
    return makeError(GaudiErrorInvalidArgument,
                     "'bindings' is null, but 'numBindings' is {}",
                     options.numBindings);
  for (size_t i = 0; i < options.numBindings; ++i) {
    const GaudiBinding &binding = options.bindings[i];
    if (binding.entry >= entries.size())
      return makeError(GaudiErrorInvalidArgument,
                       "binding {} names entry {}, the recipe has {}", i,
                       binding.entry, entries.size());
    LaunchedEntry &entry = entries[binding.entry];
    if (binding.input >= entry.isBound.size())
      return makeError(
          GaudiErrorInvalidArgument,
          "binding {} names input {}, entry \"{}\" has {}", i, binding.input,
          recipe.signature.entries[binding.entry].name, entry.isBound.size());
    if (entry.isBound[binding.input])
      return makeError(GaudiErrorInvalidArgument,
                       "binding {} names input {} of entry {}, which another "
                       "one binds",
                       i, binding.input, binding.entry);
    entry.isBound[binding.input] = true;
    bindings.push_back(
        {entry.index, binding.input, binding.data, binding.bytes});
  }
  GAUDI_C_TRY(GaudiErrorInvalidArgument,
              runtime::checkBindings(recipe.file->recipe(), bindings));
  return nullptr;
}

GaudiError *checkBuffers(const HostEntry &entry, const char *kind,
                         const std::vector<HostTensor> &expected,
                         const GaudiBuffer *buffers, size_t given) {
  if (given != expected.size())
    return makeError(GaudiErrorInvalidArgument, "{}",
                     wrongCount(entry, kind, expected, given));
  if (given && !buffers)
    return makeError(GaudiErrorInvalidArgument, "'{}s' is null", kind);
  return nullptr;
}

void readShapes(const GaudiBuffer *inputs,
                std::vector<Dispatcher::Shape> &shapes) {
  for (size_t i = 0; i < shapes.size(); ++i)
    shapes[i].assign(inputs[i].shape,
                     inputs[i].shape + (inputs[i].shape ? inputs[i].rank : 0));
}

/// One launch: the steps of a static entry and of one with variants.
class Launch {
public:
  Launch(const LaunchedEntry &entry, size_t number, Context &context,
         const GaudiBuffer *inputs, const GaudiBuffer *outputs)
      : entry(entry), executable(*context.executable),
        dispatcher(context.dispatchers[number].get()),
        shapes(context.shapes[number]), inputs(inputs), outputs(outputs) {}

  /// Finds all that is wrong before anything is changed.
  Status prepare() {
    if (dispatcher) {
      readShapes(inputs, shapes);
      GAUDI_TRY(dispatcher->select(shapes));
    }
    for (size_t i = 0; i < entry.isState.size(); ++i)
      if (isCopied(i)) {
        const HostBuffer buffer = hostBuffer(inputs[i]);
        GAUDI_TRY(dispatcher ? dispatcher->prepareInput(i, buffer)
                             : executable.prepareInput(i, buffer, entry.index));
      }
    for (size_t i = 0; i < entry.numOutputs; ++i)
      if (outputs[i].data) {
        const HostBuffer buffer = hostBuffer(outputs[i]);
        GAUDI_TRY(dispatcher
                      ? dispatcher->prepareOutput(i, buffer)
                      : executable.prepareOutput(i, buffer, entry.index));
      }
    return {};
  }

  void copyIn() {
    for (size_t i = 0; i < entry.isState.size(); ++i)
      if (isCopied(i)) {
        if (dispatcher)
          dispatcher->copyInput(i, inputs[i].data);
        else
          executable.copyInput(i, inputs[i].data, entry.index);
      }
  }

  Result<runtime::RunStats> run() {
    return dispatcher ? dispatcher->launch() : executable.launch(entry.index);
  }

  void copyOut() {
    for (size_t i = 0; i < entry.numOutputs; ++i)
      if (outputs[i].data) {
        if (dispatcher)
          dispatcher->copyOutput(i, outputs[i].data);
        else
          executable.copyOutput(i, outputs[i].data, entry.index);
      }
  }

  void describe(GaudiRunStats &stats) const {
    stats.variant = dispatcher ? int64_t(dispatcher->variant()) : -1;
    stats.predictedPicoseconds =
        dispatcher ? dispatcher->picoseconds(dispatcher->variant()) : -1;
  }

private:
  bool isCopied(size_t input) const {
    return !entry.isBound[input] &&
           (inputs[input].data || !entry.isState[input]);
  }

  const LaunchedEntry &entry;
  runtime::Executable &executable;
  Dispatcher *dispatcher;
  std::vector<Dispatcher::Shape> &shapes;
  const GaudiBuffer *inputs, *outputs;
};

} // namespace

/// The first load of a process is what opens its card.
static void tellDevice(const GaudiRecipe &recipe) {
  static std::atomic<uint32_t> told{0};
  const uint32_t process = runtime::forkCount() + 1;
  if (told.exchange(process) != process)
    monitoring::emitDeviceAcquired(
        recipe::text(recipe.file->recipe().target()));
}

GaudiError *gaudiExecutableLoad(const GaudiRecipe *recipe,
                                const GaudiLoadOptions *given,
                                GaudiExecutable **executable) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(recipe, "recipe"));
    GAUDI_C_CHECK(checkPointer(executable, "executable"));
    GaudiLoadOptions options;
    gaudiLoadOptionsInit(&options);
    GAUDI_C_CHECK(readOptions(given, "gaudiLoadOptions", options));
    const size_t launches = std::max<size_t>(1, options.maxLaunches);
    auto loaded = std::make_unique<GaudiExecutable>();
    std::vector<LaunchedEntry> entries =
        launchedEntries(recipe->file->recipe(), recipe->signature);
    runtime::LoadOptions all = loadOptions(options, launches);
    GAUDI_C_CHECK(readBindings(options, *recipe, entries, all.bindings));
    loaded->boundInputs = options.numBindings;
    loaded->entries = recipe->signature.entries;
    loaded->contexts =
        GAUDI_C_TRY(GaudiErrorInvalidRecipe,
                    Contexts::create(recipe->file, std::move(all),
                                     std::move(entries), launches));
    tellDevice(*recipe);
    *executable = loaded.release();
    return nullptr;
  });
}

void gaudiExecutableDestroy(GaudiExecutable *executable) {
  // After a fork() there is no thread to wait for: what they share stays.
  if (executable && executable->forks == runtime::forkCount())
    delete executable;
}

GaudiError *gaudiExecutableRun(GaudiExecutable *executable, size_t number,
                               const GaudiBuffer *inputs, size_t numInputs,
                               const GaudiBuffer *outputs, size_t numOutputs,
                               GaudiRunStats *stats) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkExecutable(executable));
    GAUDI_C_CHECK(checkEntry(executable, number));
    if (stats)
      GAUDI_C_CHECK(checkStats(stats, "GaudiRunStats"));
    const LaunchedEntry &entry = executable->contexts->entries()[number];
    const HostEntry &host = executable->entries[number];
    GAUDI_C_CHECK(checkBuffers(host, "input", host.inputs, inputs, numInputs));
    GAUDI_C_CHECK(
        checkBuffers(host, "output", host.outputs, outputs, numOutputs));
    const Contexts::Use context = GAUDI_C_TRY(
        GaudiErrorOutOfMemory, executable->contexts->take(entry.hasStates));
    Launch launch(entry, number, *context, inputs, outputs);
    GAUDI_C_TRY(GaudiErrorInvalidArgument, launch.prepare());
    const Stopwatch copyingIn;
    launch.copyIn();
    double copies = copyingIn.milliseconds();
    const auto run = launch.run();
    if (!run)
      return makeError(GaudiErrorLaunch, run.error());
    const Stopwatch copyingOut;
    launch.copyOut();
    copies += copyingOut.milliseconds();
    executable->launches.fetch_add(1, std::memory_order_relaxed);
    if (stats) {
      GaudiRunStats all = {};
      all.launchMicroseconds = run->milliseconds * 1e3;
      all.copyMicroseconds = copies * 1e3;
      all.iterations = run->iterations;
      launch.describe(all);
      writeStats(all, stats);
    }
    return nullptr;
  });
}

GaudiError *gaudiExecutableOutputShape(GaudiExecutable *executable,
                                       size_t number, const GaudiBuffer *inputs,
                                       size_t numInputs, size_t index,
                                       int64_t *shape) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkExecutable(executable));
    GAUDI_C_CHECK(checkPointer(shape, "shape"));
    GAUDI_C_CHECK(checkEntry(executable, number));
    const LaunchedEntry &entry = executable->contexts->entries()[number];
    if (index >= entry.numOutputs)
      return makeError(GaudiErrorInvalidArgument,
                       "there is no output {}, entry \"{}\" has {}", index,
                       executable->entries[number].name, entry.numOutputs);
    // Nothing of the first context that launches change is used.
    const Context &context = executable->contexts->first();
    const Dispatcher *dispatcher = context.dispatchers[number].get();
    if (!dispatcher) {
      const std::vector<int64_t> &known =
          context.executable->outputs(entry.index)[index].shape;
      std::copy(known.begin(), known.end(), shape);
      return nullptr;
    }
    const HostEntry &host = executable->entries[number];
    GAUDI_C_CHECK(checkBuffers(host, "input", host.inputs, inputs, numInputs));
    std::vector<Dispatcher::Shape> shapes(numInputs);
    readShapes(inputs, shapes);
    const shapes::Sizes sizes =
        GAUDI_C_TRY(GaudiErrorInvalidArgument,
                    dispatcher->sizesOf({shapes.begin(), shapes.end()}));
    const Dispatcher::Shape known = dispatcher->outputShape(index, sizes);
    std::copy(known.begin(), known.end(), shape);
    return nullptr;
  });
}

// --- states ------------------------------------------------------------------

/// Calls `act` for the context that has the states, while no launch uses it.
template <typename Act>
static GaudiError *withStates(GaudiExecutable *executable, Act &&act) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkExecutable(executable));
    const Contexts::Use context =
        GAUDI_C_TRY(GaudiErrorOutOfMemory,
                    executable->contexts->take(/*needsStates=*/true));
    return act(*context->executable);
  });
}

GaudiError *gaudiExecutableSetState(GaudiExecutable *executable, size_t index,
                                    const GaudiBuffer *value) {
  return withStates(executable,
                    [&](runtime::Executable &first) -> GaudiError * {
                      GAUDI_C_CHECK(checkPointer(value, "value"));
                      GAUDI_C_TRY(GaudiErrorInvalidArgument,
                                  first.setState(index, hostBuffer(*value)));
                      return nullptr;
                    });
}

GaudiError *gaudiExecutableGetState(GaudiExecutable *executable, size_t index,
                                    const GaudiBuffer *value) {
  return withStates(executable,
                    [&](runtime::Executable &first) -> GaudiError * {
                      GAUDI_C_CHECK(checkPointer(value, "value"));
                      GAUDI_C_TRY(GaudiErrorInvalidArgument,
                                  first.getState(index, hostBuffer(*value)));
                      return nullptr;
                    });
}

GaudiError *gaudiExecutableResetStates(GaudiExecutable *executable) {
  return withStates(executable,
                    [&](runtime::Executable &first) -> GaudiError * {
                      GAUDI_C_TRY(GaudiErrorOutOfMemory, first.resetStates());
                      return nullptr;
                    });
}

GaudiError *gaudiExecutableStats(const GaudiExecutable *executable,
                                 GaudiExecutableStats *stats) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkExecutable(executable));
    GAUDI_C_CHECK(checkPointer(stats, "stats"));
    GAUDI_C_CHECK(checkStats(stats, "GaudiExecutableStats"));
    GaudiExecutableStats all = {};
    const Contexts::Counts counts = executable->contexts->counts();
    const runtime::KernelStats &kernels =
        executable->contexts->first().executable->kernels();
    all.launches = executable->launches.load(std::memory_order_relaxed);
    all.contexts = counts.mostAtOnce;
    all.peakBytes = counts.peakBytes;
    all.boundInputs = executable->boundInputs;
    all.kernels = kernels.kernels;
    all.kernelsFromCache = kernels.fromCache;
    all.kernelsCompiled = kernels.compiled;
    writeStats(all, stats);
    return nullptr;
  });
}
