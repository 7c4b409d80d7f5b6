// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cards, streams, events, programs and graphs for C.
#include "gaudi-c/Device.h"

#include "Error.h"
#include "Gaudi/Runtime/Device/Device.h"
#include "Gaudi/Runtime/Device/Program.h"
#include "Gaudi/Runtime/ErrorKind.h"
#include "GivenText.h"
#include "Recipe.h"

using namespace gaudi;
using namespace gaudi::capi;
namespace rt = gaudi::runtime;

struct GaudiDevice {
  std::shared_ptr<rt::Device> device;
};
/// Null `own`: the device's default stream.
struct GaudiStream {
  std::shared_ptr<rt::Device> device;
  std::shared_ptr<rt::Stream> own;
  rt::Stream &get() const { return own ? *own : device->defaultStream(); }
};
struct GaudiEvent {
  std::shared_ptr<rt::Event> event;
};
struct GaudiGraph {
  std::shared_ptr<rt::Graph> graph;
};
struct GaudiProgram {
  std::shared_ptr<rt::Program> program;
  std::vector<size_t> entries; // of the host, by number
};

namespace {

/// What most functions do: check the object, act, give the error.
template <typename Object, typename Act>
GaudiError *with(const Object *object, const char *name, Act &&act) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(object, name));
    GAUDI_C_TRY(GaudiErrorInvalidArgument, act());
    return nullptr;
  });
}

std::string_view textOf(const char *text) { return text ? text : ""; }

/// Of what gives no errors itself.
GaudiError *checkOpen(const GaudiDevice *device) {
  GAUDI_C_CHECK(checkPointer(device, "device"));
  GAUDI_C_TRY(GaudiErrorUnavailable, device->device->checkProcess());
  return nullptr;
}

template <typename Struct>
GaudiError *checkSize(const Struct *stats, const char *name) {
  GAUDI_C_CHECK(checkPointer(stats, name));
  if (isPossibleSize<Struct>(stats->size))
    return nullptr;
  return makeError(GaudiErrorInvalidArgument,
                   "'size' of {} is {}; set it to the size of the structure",
                   name, stats->size);
}

/// A number of an entry of the host in that of the recipe.
GaudiError *readEntry(const GaudiProgram *program, size_t number,
                      size_t &entry) {
  GAUDI_C_CHECK(checkPointer(program, "program"));
  if (number >= program->entries.size())
    return makeError(GaudiErrorInvalidArgument,
                     "there is no entry {}, the program has {}", number,
                     program->entries.size());
  entry = program->entries[number];
  return nullptr;
}

} // namespace

// --- device ------------------------------------------------------------------

GaudiError *gaudiDeviceOpen(const GaudiDeviceOptions *given,
                            GaudiDevice **device) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(device, "device"));
    GaudiDeviceOptions options;
    gaudiDeviceOptionsInit(&options);
    GAUDI_C_CHECK(readOptions(given, "gaudiDeviceOptions", options));
    rt::DeviceOptions all;
    if (options.kind)
      all.kind = options.kind;
    if (options.module > int64_t(UINT32_MAX))
      return makeError(GaudiErrorInvalidArgument, "there is no card {}",
                       options.module);
    if (options.module >= 0)
      all.module = unsigned(options.module);
    all.capacity = options.capacity;
    all.hostMemory = options.hostMemory;
    all.threads = unsigned(std::min<uint64_t>(options.threads, 1024));
    all.hostClock = options.measureHost ? rt::HostClockKind::Measured
                                        : rt::HostClockKind::Table;
    all.eventClock = options.hostEvents ? rt::EventClockKind::Host
                                        : rt::EventClockKind::Card;
    if (options.hostFactor != 0) {
      // No processor is that much slower.
      if (!(options.hostFactor > 0 && options.hostFactor <= 1e6))
        return makeError(GaudiErrorInvalidArgument,
                         "'hostFactor' is {}; it is above 0 and at most 1e6",
                         options.hostFactor);
      all.hostFactor = options.hostFactor;
    }
    auto opened = std::make_unique<GaudiDevice>();
    opened->device =
        GAUDI_C_TRY(GaudiErrorInvalidArgument, rt::Device::open(all));
    *device = opened.release();
    return nullptr;
  });
}

void gaudiDeviceDestroy(GaudiDevice *device) { delete device; }

GaudiStringRef gaudiDeviceKind(const GaudiDevice *device) {
  return refOf(device->device->spec().name);
}
uint32_t gaudiDeviceModule(const GaudiDevice *device) {
  return device->device->module();
}
uint64_t gaudiDeviceCapacity(const GaudiDevice *device) {
  return device->device->capacity();
}

GaudiError *gaudiDeviceSynchronize(GaudiDevice *device) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(device, "device"));
    GAUDI_C_TRY(GaudiErrorInvalidArgument, device->device->synchronize());
    return nullptr;
  });
}

// --- memory ------------------------------------------------------------------

GaudiError *gaudiDeviceAllocate(GaudiDevice *device, GaudiStream *stream,
                                uint64_t bytes, const GaudiMemoryOwner *owner,
                                GaudiDeviceAddress *address) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(device, "device"));
    GAUDI_C_CHECK(checkPointer(address, "address"));
    rt::MemoryOwner all;
    if (owner)
      all = {textOf(owner->name), textOf(owner->shape), textOf(owner->where)};
    rt::Stream &of = stream ? stream->get() : device->device->defaultStream();
    *address = GAUDI_C_TRY(GaudiErrorInvalidArgument,
                           device->device->allocate(bytes, of, all));
    return nullptr;
  });
}

GaudiError *gaudiDeviceFree(GaudiDevice *device, GaudiDeviceAddress address) {
  return with(device, "device", [&] { return device->device->free(address); });
}

GaudiError *gaudiDeviceRecordStream(GaudiDevice *device,
                                    GaudiDeviceAddress address,
                                    GaudiStream *stream) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(device, "device"));
    GAUDI_C_CHECK(checkPointer(stream, "stream"));
    GAUDI_C_TRY(GaudiErrorInvalidArgument,
                device->device->recordStream(address, stream->get()));
    return nullptr;
  });
}

GaudiError *gaudiDeviceMemoryStats(GaudiDevice *device,
                                   GaudiMemoryStats *stats) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkOpen(device));
    GAUDI_C_CHECK(checkSize(stats, "GaudiMemoryStats"));
    const rt::DeviceMemoryStats from = device->device->memoryStats();
    const rt::MemoryStatistics &pool = from.pool;
    GaudiMemoryStats all = {};
    all.limit = pool.limit;
    all.inUse = pool.inUse;
    all.maxInUse = pool.maxInUse;
    all.numAllocs = pool.numAllocs;
    all.numFrees = pool.numFrees;
    all.activeAllocs = pool.numAllocs - pool.numFrees;
    all.maxAllocSize = pool.maxAllocSize;
    all.totalAllocs = pool.totalAllocs;
    all.totalFrees = pool.totalFrees;
    all.workspace = pool.workspace;
    all.lastWorkspace = pool.lastWorkspace;
    all.largestFreeRun = pool.largestFreeRun;
    all.fragmentation = pool.fragmentation();
    all.touchedBytes = from.touchedBytes;
    writeStats(all, stats);
    return nullptr;
  });
}

static GaudiMemoryBlock blockOf(const rt::DeviceMemoryBlock &from) {
  const rt::MemorySpan &span = from.span;
  GaudiMemoryBlock block = {};
  block.size = sizeof(block);
  block.begin = span.begin;
  block.bytes = span.bytes;
  block.requested = span.requested;
  block.state = span.state == rt::ChunkState::InUse     ? GaudiMemoryInUse
                : span.state == rt::ChunkState::Pending ? GaudiMemoryPending
                                                        : GaudiMemoryFree;
  block.isSmall = span.isSmall;
  block.name = refOf(from.owner.name);
  block.shape = refOf(from.owner.shape);
  block.where = refOf(from.owner.where);
  return block;
}

GaudiError *gaudiDeviceMemoryBlock(GaudiDevice *device,
                                   GaudiDeviceAddress address,
                                   GaudiMemoryBlock *block) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkOpen(device));
    GAUDI_C_CHECK(checkSize(block, "GaudiMemoryBlock"));
    writeStats(blockOf(GAUDI_C_TRY(GaudiErrorInvalidArgument,
                                   device->device->memoryBlock(address))),
               block);
    return nullptr;
  });
}

GaudiError *gaudiDeviceMemoryBlocks(GaudiDevice *device,
                                    void (*visit)(const GaudiMemoryBlock *,
                                                  void *),
                                    void *argument) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkOpen(device));
    GAUDI_C_CHECK(checkPointer(reinterpret_cast<const void *>(visit), "visit"));
    for (const rt::DeviceMemoryBlock &each : device->device->memoryBlocks()) {
      const GaudiMemoryBlock block = blockOf(each);
      visit(&block, argument);
    }
    return nullptr;
  });
}

GaudiError *gaudiDeviceMemorySummary(GaudiDevice *device, char **text) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkOpen(device));
    GAUDI_C_CHECK(checkPointer(text, "text"));
    give(device->device->memoryStats().pool.summary(), text);
    return nullptr;
  });
}

GaudiError *gaudiDeviceResetPeakMemory(GaudiDevice *device) {
  return with(device, "device", [&]() -> Status {
    GAUDI_TRY(device->device->checkProcess());
    device->device->resetPeakMemory();
    return {};
  });
}

GaudiError *gaudiDeviceResetAccumulatedMemory(GaudiDevice *device) {
  return with(device, "device", [&]() -> Status {
    GAUDI_TRY(device->device->checkProcess());
    device->device->resetAccumulatedMemory();
    return {};
  });
}

GaudiError *gaudiDeviceAllocatePinned(GaudiDevice *device, uint64_t bytes,
                                      void **memory) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(device, "device"));
    GAUDI_C_CHECK(checkPointer(memory, "memory"));
    *memory = GAUDI_C_TRY(GaudiErrorInvalidArgument,
                          device->device->allocatePinned(bytes));
    return nullptr;
  });
}

GaudiError *gaudiDeviceFreePinned(GaudiDevice *device, void *memory) {
  return with(device, "device",
              [&] { return device->device->freePinned(memory); });
}

GaudiError *gaudiDeviceSetSeed(GaudiDevice *device, int64_t seed) {
  return with(device, "device", [&]() -> Status {
    GAUDI_TRY(device->device->checkProcess());
    device->device->setSeed(seed);
    return {};
  });
}

// --- streams -----------------------------------------------------------------

GaudiError *gaudiStreamCreate(GaudiDevice *device, const char *name,
                              int32_t priority, GaudiStream **stream) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(device, "device"));
    GAUDI_C_CHECK(checkPointer(stream, "stream"));
    auto made = std::make_unique<GaudiStream>();
    made->device = device->device;
    made->own = GAUDI_C_TRY(
        GaudiErrorInvalidArgument,
        device->device->createStream({std::string(textOf(name)), priority}));
    *stream = made.release();
    return nullptr;
  });
}

GaudiError *gaudiDeviceDefaultStream(GaudiDevice *device,
                                     GaudiStream **stream) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(device, "device"));
    GAUDI_C_CHECK(checkPointer(stream, "stream"));
    *stream = new GaudiStream{device->device, nullptr};
    return nullptr;
  });
}

void gaudiStreamDestroy(GaudiStream *stream) { delete stream; }

GaudiError *gaudiStreamCopyIn(GaudiStream *stream, GaudiDeviceAddress to,
                              const void *from, uint64_t bytes,
                              int32_t blocking) {
  return with(stream, "stream", [&] {
    return stream->get().copyIn(to, from, bytes, blocking != 0);
  });
}

GaudiError *gaudiStreamCopyOut(GaudiStream *stream, void *to,
                               GaudiDeviceAddress from, uint64_t bytes,
                               int32_t blocking) {
  return with(stream, "stream", [&] {
    return stream->get().copyOut(to, from, bytes, blocking != 0);
  });
}

GaudiError *gaudiStreamCopy(GaudiStream *stream, GaudiDeviceAddress to,
                            GaudiDeviceAddress from, uint64_t bytes) {
  return with(stream, "stream",
              [&] { return stream->get().copy(to, from, bytes); });
}

GaudiError *gaudiStreamCopyStrided(GaudiStream *stream, GaudiDeviceAddress to,
                                   GaudiDeviceAddress from,
                                   const GaudiStridedDim *dims, size_t rank,
                                   uint32_t elementBytes) {
  return guarded([&]() -> GaudiError * {
    if (rank)
      GAUDI_C_CHECK(checkPointer(dims, "dims"));
    std::vector<runtime::StridedDim> given;
    for (size_t d = 0; d < rank; ++d)
      given.push_back({dims[d].size, dims[d].toStride, dims[d].fromStride});
    return with(stream, "stream", [&] {
      return stream->get().copyStrided(to, from, given, elementBytes);
    });
  });
}

GaudiError *gaudiStreamFill(GaudiStream *stream, GaudiDeviceAddress to,
                            uint64_t bytes, uint64_t pattern,
                            uint32_t patternBytes) {
  return with(stream, "stream", [&] {
    return stream->get().fill(to, bytes, pattern, patternBytes);
  });
}

GaudiError *gaudiStreamDrawSeed(GaudiStream *stream, GaudiDeviceAddress seed,
                                GaudiDeviceAddress offset, uint64_t blocks) {
  return with(stream, "stream",
              [&] { return stream->get().drawSeed(seed, offset, blocks); });
}

GaudiError *gaudiStreamCall(GaudiStream *stream, void (*function)(void *),
                            void *argument) {
  return with(stream, "stream", [&]() -> Status {
    if (!function)
      return fail("'function' is null");
    return stream->get().call([function, argument] { function(argument); });
  });
}

GaudiError *gaudiStreamSynchronize(GaudiStream *stream) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(stream, "stream"));
    GAUDI_C_TRY(GaudiErrorInvalidArgument, stream->get().synchronize());
    return nullptr;
  });
}

GaudiError *gaudiStreamQuery(GaudiStream *stream, int32_t *isDone) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(stream, "stream"));
    GAUDI_C_CHECK(checkPointer(isDone, "isDone"));
    *isDone = GAUDI_C_TRY(GaudiErrorInvalidArgument, stream->get().query());
    return nullptr;
  });
}

// --- events ------------------------------------------------------------------

GaudiError *gaudiEventCreate(GaudiDevice *device, GaudiEvent **event) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(device, "device"));
    GAUDI_C_CHECK(checkPointer(event, "event"));
    auto made = std::make_unique<GaudiEvent>();
    made->event =
        GAUDI_C_TRY(GaudiErrorInvalidArgument, device->device->createEvent());
    *event = made.release();
    return nullptr;
  });
}

void gaudiEventDestroy(GaudiEvent *event) { delete event; }

GaudiError *gaudiStreamRecord(GaudiStream *stream, GaudiEvent *event) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(stream, "stream"));
    GAUDI_C_CHECK(checkPointer(event, "event"));
    GAUDI_C_TRY(GaudiErrorInvalidArgument, stream->get().record(*event->event));
    return nullptr;
  });
}

GaudiError *gaudiStreamWait(GaudiStream *stream, GaudiEvent *event) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(stream, "stream"));
    GAUDI_C_CHECK(checkPointer(event, "event"));
    GAUDI_C_TRY(GaudiErrorInvalidArgument, stream->get().wait(*event->event));
    return nullptr;
  });
}

GaudiError *gaudiEventSynchronize(GaudiEvent *event) {
  return with(event, "event", [&] { return event->event->synchronize(); });
}

GaudiError *gaudiEventQuery(GaudiEvent *event, int32_t *isDone) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(event, "event"));
    GAUDI_C_CHECK(checkPointer(isDone, "isDone"));
    *isDone = GAUDI_C_TRY(GaudiErrorInvalidArgument, event->event->query());
    return nullptr;
  });
}

GaudiError *gaudiEventElapsed(const GaudiEvent *begin, const GaudiEvent *end,
                              int64_t *picoseconds) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(begin, "begin"));
    GAUDI_C_CHECK(checkPointer(end, "end"));
    GAUDI_C_CHECK(checkPointer(picoseconds, "picoseconds"));
    *picoseconds = GAUDI_C_TRY(GaudiErrorInvalidArgument,
                               end->event->since(*begin->event));
    return nullptr;
  });
}

// --- programs ----------------------------------------------------------------

GaudiError *gaudiProgramLoad(GaudiDevice *device, const GaudiRecipe *recipe,
                             const GaudiProgramOptions *given,
                             GaudiProgram **program) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(device, "device"));
    GAUDI_C_CHECK(checkPointer(recipe, "recipe"));
    GAUDI_C_CHECK(checkPointer(program, "program"));
    GaudiProgramOptions options;
    gaudiProgramOptionsInit(&options);
    GAUDI_C_CHECK(readOptions(given, "gaudiProgramOptions", options));
    rt::ProgramOptions all;
    all.name = textOf(options.name);
    if (options.cacheDirectory)
      all.cacheDirectory = options.cacheDirectory;
    all.maxIterations = options.maxIterations;
    auto loaded = std::make_unique<GaudiProgram>();
    loaded->program =
        GAUDI_C_TRY(GaudiErrorInvalidRecipe,
                    rt::Program::load(device->device, recipe->file, all));
    for (const HostEntry &entry : recipe->signature.entries)
      loaded->entries.push_back(entry.index);
    *program = loaded.release();
    return nullptr;
  });
}

void gaudiProgramDestroy(GaudiProgram *program) { delete program; }

GaudiError *gaudiProgramNumTensors(const GaudiProgram *program, size_t number,
                                   size_t *count) {
  return guarded([&]() -> GaudiError * {
    size_t entry = 0;
    GAUDI_C_CHECK(readEntry(program, number, entry));
    GAUDI_C_CHECK(checkPointer(count, "count"));
    *count = program->program->tensors(entry).size();
    return nullptr;
  });
}

GaudiError *gaudiProgramTensor(const GaudiProgram *program, size_t number,
                               size_t index, GaudiLaunchTensor *tensor) {
  return guarded([&]() -> GaudiError * {
    size_t entry = 0;
    GAUDI_C_CHECK(readEntry(program, number, entry));
    GAUDI_C_CHECK(checkSize(tensor, "GaudiLaunchTensor"));
    const auto &tensors = program->program->tensors(entry);
    if (index >= tensors.size())
      return makeError(GaudiErrorInvalidArgument,
                       "there is no launch tensor {}, the entry has {}", index,
                       tensors.size());
    GaudiLaunchTensor all = {};
    all.name = refOf(tensors[index].name);
    all.bytes = tensors[index].bytes;
    all.alignment = tensors[index].alignment;
    all.isWritten = tensors[index].isWritten;
    writeStats(all, tensor);
    return nullptr;
  });
}

/// Where a tensor that the host sees is.
static GaudiError *placeOf(const GaudiProgram *program, size_t number,
                           size_t index, bool isOutput, int64_t *tensor,
                           uint64_t *offset) {
  return guarded([&]() -> GaudiError * {
    size_t entry = 0;
    GAUDI_C_CHECK(readEntry(program, number, entry));
    GAUDI_C_CHECK(checkPointer(tensor, "tensor"));
    GAUDI_C_CHECK(checkPointer(offset, "offset"));
    const auto place =
        GAUDI_C_TRY(GaudiErrorInvalidArgument,
                    program->program->placeOf(entry, index, isOutput));
    *tensor = place ? int64_t(place->tensor) : -1;
    *offset = place ? place->offset : 0;
    return nullptr;
  });
}

GaudiError *gaudiProgramInput(const GaudiProgram *program, size_t entry,
                              size_t index, int64_t *tensor, uint64_t *offset) {
  return placeOf(program, entry, index, false, tensor, offset);
}

GaudiError *gaudiProgramOutput(const GaudiProgram *program, size_t entry,
                               size_t index, int64_t *tensor,
                               uint64_t *offset) {
  return placeOf(program, entry, index, true, tensor, offset);
}

GaudiError *gaudiProgramIsDense(const GaudiProgram *program, size_t number,
                                size_t index, int32_t isOutput,
                                int32_t *isDense) {
  return guarded([&]() -> GaudiError * {
    size_t entry = 0;
    GAUDI_C_CHECK(readEntry(program, number, entry));
    GAUDI_C_CHECK(checkPointer(isDense, "isDense"));
    *isDense =
        GAUDI_C_TRY(GaudiErrorInvalidArgument,
                    program->program->isDense(entry, index, isOutput != 0));
    return nullptr;
  });
}

GaudiError *gaudiProgramMayAlias(const GaudiProgram *program, size_t number,
                                 size_t input, size_t output, int32_t *may) {
  return guarded([&]() -> GaudiError * {
    size_t entry = 0;
    GAUDI_C_CHECK(readEntry(program, number, entry));
    GAUDI_C_CHECK(checkPointer(may, "may"));
    *may = GAUDI_C_TRY(GaudiErrorInvalidArgument,
                       program->program->mayAlias(entry, input, output));
    return nullptr;
  });
}

GaudiError *gaudiProgramState(const GaudiProgram *program, size_t index,
                              GaudiDeviceAddress *address) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(program, "program"));
    GAUDI_C_CHECK(checkPointer(address, "address"));
    *address =
        GAUDI_C_TRY(GaudiErrorInvalidArgument, program->program->state(index));
    return nullptr;
  });
}

GaudiError *gaudiProgramTime(const GaudiProgram *program, size_t number,
                             int64_t *picoseconds) {
  return guarded([&]() -> GaudiError * {
    size_t entry = 0;
    GAUDI_C_CHECK(readEntry(program, number, entry));
    GAUDI_C_CHECK(checkPointer(picoseconds, "picoseconds"));
    *picoseconds = program->program->times(entry).duration;
    return nullptr;
  });
}

GaudiError *gaudiStreamLaunch(GaudiStream *stream, GaudiProgram *program,
                              size_t number,
                              const GaudiDeviceAddress *addresses,
                              size_t count) {
  return guarded([&]() -> GaudiError * {
    size_t entry = 0;
    GAUDI_C_CHECK(checkPointer(stream, "stream"));
    GAUDI_C_CHECK(readEntry(program, number, entry));
    if (count)
      GAUDI_C_CHECK(checkPointer(addresses, "addresses"));
    GAUDI_C_TRY(GaudiErrorInvalidArgument,
                stream->get().launch(*program->program, entry,
                                     {addresses, addresses + count}));
    return nullptr;
  });
}

// --- graphs ------------------------------------------------------------------

GaudiError *gaudiStreamBeginCapture(GaudiStream *stream) {
  return with(stream, "stream", [&] { return stream->get().beginCapture(); });
}

GaudiError *gaudiStreamEndCapture(GaudiStream *stream, GaudiGraph **graph) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(stream, "stream"));
    GAUDI_C_CHECK(checkPointer(graph, "graph"));
    auto made = std::make_unique<GaudiGraph>();
    made->graph =
        GAUDI_C_TRY(GaudiErrorInvalidArgument, stream->get().endCapture());
    *graph = made.release();
    return nullptr;
  });
}

void gaudiGraphDestroy(GaudiGraph *graph) { delete graph; }

GaudiError *gaudiGraphFreeBetweenReplays(GaudiGraph *graph) {
  return with(graph, "graph",
              [&] { return graph->graph->freeBetweenReplays(); });
}

size_t gaudiGraphSize(const GaudiGraph *graph) { return graph->graph->size(); }

GaudiError *gaudiGraphReplay(GaudiGraph *graph, GaudiStream *stream,
                             const GaudiRebinding *rebindings, size_t count) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(graph, "graph"));
    GAUDI_C_CHECK(checkPointer(stream, "stream"));
    if (count)
      GAUDI_C_CHECK(checkPointer(rebindings, "rebindings"));
    std::vector<rt::Graph::Rebinding> all;
    for (size_t i = 0; i < count; ++i)
      all.push_back({rebindings[i].from, rebindings[i].to});
    GAUDI_C_TRY(GaudiErrorInvalidArgument,
                graph->graph->replay(stream->get(), all));
    return nullptr;
  });
}

// --- clock -------------------------------------------------------------------

GaudiError *gaudiDeviceClock(GaudiDevice *device, GaudiClockTimes *times) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkOpen(device));
    GAUDI_C_CHECK(checkSize(times, "GaudiClockTimes"));
    const rt::Device::ClockTimes from = device->device->clockTimes();
    GaudiClockTimes all = {};
    all.elapsed = from.elapsed;
    all.host = device->device->hostTime();
    static_assert(GAUDI_CARD_QUEUES == rt::cardQueueCount);
    for (size_t q = 0; q < rt::cardQueueCount; ++q) {
      all.busy[q] = from.queues[q].busy;
      all.idle[q] = from.queues[q].idle;
    }
    writeStats(all, times);
    return nullptr;
  });
}

uint64_t gaudiHostThread(void) { return rt::hostThread(); }

void gaudiHostIssueForThread(uint64_t thread) { rt::issueForThread(thread); }

GaudiError *gaudiDeviceAdvanceHost(GaudiDevice *device, int64_t picoseconds) {
  return with(device, "device", [&]() -> Status {
    GAUDI_TRY(device->device->checkProcess());
    if (picoseconds < 0)
      return fail("the host's clock goes forward, not by {} ps", picoseconds);
    return device->device->advanceHost(picoseconds);
  });
}

GaudiError *gaudiDeviceBeginTrace(GaudiDevice *device) {
  return with(device, "device", [&] { return device->device->beginTrace(); });
}

void gaudiDeviceSetTraceLabel(uint64_t label) {
  gaudi::runtime::Device::setTraceLabel(label);
}

GaudiError *gaudiDeviceWriteTrace(GaudiDevice *device, const char *path) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(device, "device"));
    GAUDI_C_CHECK(checkPointer(path, "path"));
    GAUDI_C_TRY(GaudiErrorIo, device->device->writeTrace(path));
    return nullptr;
  });
}
