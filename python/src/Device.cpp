// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cards: their memory, streams, events, programs and graphs.
//
// No call of the library is made with the interpreter's lock: it may wait for
// work that takes that lock (Stream.call), and objects may wait where they go.
#include "Operands.h"
#include "Recipe.h"

#include "gaudi-c/Device.h"

#include <memory>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace gaudi::python {

namespace {

// --- lifetime ----------------------------------------------------------------

/// Lets go of objects that may wait where they end.
template <typename T> void releaseUnlocked(T objects) {
  if (!nb::is_alive())
    return; // with the interpreter: `objects` ends all the same
  nb::gil_scoped_release release;
  objects = T();
}

/// Calls a function of the library with objects that stay while it runs, even
/// if another thread closes the device.
template <typename Call, typename... Ts>
void callUnlocked(Call call, std::shared_ptr<Ts>... objects) {
  checkUnlocked([&] {
    GaudiError *error = call(objects.get()...);
    ((objects = nullptr), ...);
    return error;
  });
}

/// What closing its device takes away.
class Part {
public:
  virtual std::shared_ptr<void> take() = 0;

protected:
  ~Part() = default;
};

struct Session;

/// A function of Python in the work of a stream.
struct HostCall {
  Session *session;
  const GaudiStream *stream;
  nb::object function;
};

/// What the parts of a device share; guarded by the interpreter's lock.
struct Session {
  std::shared_ptr<GaudiDevice> device; // null: it has been closed
  std::unordered_set<Part *> parts;
  /// That have not run yet, or never will because work before them failed.
  std::unordered_map<HostCall *, std::unique_ptr<HostCall>> calls;
  /// What functions raised, until somebody waits for their stream.
  std::vector<std::pair<const GaudiStream *, nb::object>> raised;

  Session() = default;
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;
  ~Session() {
    // The last of its objects: waits for its work, which may run calls.
    releaseUnlocked(std::move(device));
  }

  std::shared_ptr<GaudiDevice> open() const {
    if (!device)
      throwMessage("closed_device");
    return device;
  }
  /// Raises what the functions of the stream did; null: of all streams.
  void raise(const GaudiStream *stream) {
    for (auto it = raised.begin(); it != raised.end(); ++it) {
      if (stream && it->first != stream)
        continue;
      const nb::object exception = std::move(it->second);
      raised.erase(it);
      PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(exception.ptr())),
                      exception.ptr());
      throw nb::python_error();
    }
  }
};
using SharedSession = std::shared_ptr<Session>;

void runCall(void *argument) {
  auto *const call = static_cast<HostCall *>(argument);
  const nb::gil_scoped_acquire acquire;
  Session &session = *call->session;
  try {
    call->function();
  } catch (nb::python_error &error) {
    const nb::object value = nb::borrow(error.value());
    if (error.traceback().is_valid())
      PyException_SetTraceback(value.ptr(), error.traceback().ptr());
    session.raised.emplace_back(call->stream, value);
  }
  session.calls.erase(call);
}

/// An object of the library that belongs to a device.
template <typename T> class Held : public Part {
public:
  Held(SharedSession session, T *made, void (*destroy)(T *))
      : session(std::move(session)), object(made, destroy) {
    this->session->parts.insert(this);
  }
  Held(const Held &) = delete;
  Held &operator=(const Held &) = delete;
  ~Held() {
    session->parts.erase(this);
    releaseUnlocked(std::move(object));
  }

  std::shared_ptr<void> take() override { return std::move(object); }
  std::shared_ptr<T> get() const {
    if (!object)
      throwMessage("closed_device");
    return object;
  }

  const SharedSession session;

private:
  std::shared_ptr<T> object;
};

template <typename T, typename Make> T *make(Make create) {
  T *object = nullptr;
  create(&object);
  return object;
}

// --- device ------------------------------------------------------------------

class Stream;

/// A block of device memory, which is free when this goes.
class Memory {
public:
  Memory(SharedSession session, GaudiDeviceAddress address)
      : session(std::move(session)), address(address) {}
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;
  ~Memory() {
    std::shared_ptr<GaudiDevice> device = session->device;
    if (!device || !nb::is_alive())
      return;
    const nb::gil_scoped_release release;
    // That of a device of the parent process is not for us to free.
    gaudiErrorDestroy(gaudiDeviceFree(device.get(), address));
    device = nullptr; // another thread may have closed it meanwhile
  }

  GaudiDeviceAddress get() const {
    session->open();
    return address;
  }

private:
  SharedSession session;
  GaudiDeviceAddress address;
};

/// Pinned host memory. It keeps the device, also one that has been closed,
/// because arrays may still be in it.
class PinnedMemory {
public:
  PinnedMemory(std::shared_ptr<GaudiDevice> of, uint64_t bytes)
      : device(std::move(of)) {
    checkUnlocked([&] {
      return gaudiDeviceAllocatePinned(device.get(), bytes, &memory);
    });
  }
  PinnedMemory(const PinnedMemory &) = delete;
  PinnedMemory &operator=(const PinnedMemory &) = delete;
  ~PinnedMemory() {
    if (!nb::is_alive())
      return;
    const nb::gil_scoped_release release;
    // That of a device of the parent process is not for us to free.
    gaudiErrorDestroy(gaudiDeviceFreePinned(device.get(), memory));
    device = nullptr;
  }

  uintptr_t address() const { return reinterpret_cast<uintptr_t>(memory); }

private:
  std::shared_ptr<GaudiDevice> device;
  void *memory = nullptr;
};

class Device {
public:
  explicit Device(const nb::dict &options) {
    GaudiDeviceOptions all;
    gaudiDeviceOptionsInit(&all);
    const char *number64 = "a number from 0 to 2^64 - 1";
    const std::string kind = option<std::string>(
        options, "kind", "the name of a kind of card", "gaudi2");
    all.kind = kind.c_str();
    all.module = option<uint32_t>(options, "module", "the number of a card");
    if (!options.contains("module"))
      all.module = -1;
    all.capacity = option<uint64_t>(options, "capacity", number64);
    all.hostMemory = option<uint64_t>(options, "host_memory", number64);
    all.threads = option<uint64_t>(options, "threads", number64);
    all.measureHost = option<bool>(options, "measure_host", "True or False");
    all.hostEvents = option<bool>(options, "host_events", "True or False");
    all.hostFactor = option<double>(options, "host_factor", "a number", 1);
    GaudiDevice *opened = nullptr;
    checkUnlocked([&] { return gaudiDeviceOpen(&all, &opened); });
    session->device.reset(opened, &gaudiDeviceDestroy);
  }

  void close() {
    std::vector<std::shared_ptr<void>> all = {std::move(session->device)};
    for (Part *part : session->parts)
      all.push_back(part->take());
    releaseUnlocked(std::move(all));
  }

  bool isClosed() const { return !session->device; }
  nb::str kind() const { return text(gaudiDeviceKind(session->open().get())); }
  uint32_t module() const { return gaudiDeviceModule(session->open().get()); }
  uint64_t capacity() const {
    return gaudiDeviceCapacity(session->open().get());
  }

  void synchronize() {
    call(gaudiDeviceSynchronize);
    session->raise(nullptr);
  }

  std::unique_ptr<Memory> allocate(const Stream *stream, uint64_t bytes,
                                   const std::string &name,
                                   const std::string &shape,
                                   const std::string &where);
  void recordStream(GaudiDeviceAddress address, const Stream &stream);

  std::unique_ptr<PinnedMemory> allocatePinned(uint64_t bytes) {
    return std::make_unique<PinnedMemory>(session->open(), bytes);
  }
  void setSeed(int64_t seed) {
    call([&](GaudiDevice *device) { return gaudiDeviceSetSeed(device, seed); });
  }

  nb::dict memoryStats() {
    GaudiMemoryStats stats = {};
    stats.size = sizeof stats;
    call([&](GaudiDevice *device) {
      return gaudiDeviceMemoryStats(device, &stats);
    });
    nb::dict all;
    all["Limit"] = stats.limit;
    all["InUse"] = stats.inUse;
    all["MaxInUse"] = stats.maxInUse;
    all["NumAllocs"] = stats.numAllocs;
    all["NumFrees"] = stats.numFrees;
    all["ActiveAllocs"] = stats.activeAllocs;
    all["MaxAllocSize"] = stats.maxAllocSize;
    all["TotalSystemAllocs"] = stats.totalAllocs;
    all["TotalSystemFrees"] = stats.totalFrees;
    all["TotalActiveAllocs"] = stats.totalAllocs - stats.totalFrees;
    all["limit"] = stats.limit;
    all["in_use"] = stats.inUse;
    all["persistent"] = stats.inUse - stats.workspace;
    all["workspace"] = stats.workspace;
    all["last_workspace"] = stats.lastWorkspace;
    all["future"] = 0; // nobody says what he will allocate
    all["max_cntgs_chunk"] = stats.largestFreeRun;
    all["max_in_use"] = stats.maxInUse;
    all["num_allocs"] = stats.numAllocs;
    all["num_free"] = stats.numFrees;
    all["max_alloc_size"] = stats.maxAllocSize;
    all["active_allocs"] = stats.activeAllocs;
    all["fragmentation"] = stats.fragmentation;
    all["touched_bytes"] = stats.touchedBytes;
    return all;
  }
  /// (begin, bytes, requested, state, is small, name, shape, where) of each.
  nb::list memoryBlocks() {
    std::vector<GaudiMemoryBlock> blocks; // texts are the device's
    const std::shared_ptr<GaudiDevice> device = session->open();
    checkUnlocked([&] {
      return gaudiDeviceMemoryBlocks(
          device.get(),
          [](const GaudiMemoryBlock *block, void *all) {
            static_cast<std::vector<GaudiMemoryBlock> *>(all)->push_back(
                *block);
          },
          &blocks);
    });
    nb::list all;
    for (const GaudiMemoryBlock &each : blocks)
      all.append(nb::make_tuple(each.begin, each.bytes, each.requested,
                                each.state, each.isSmall != 0, text(each.name),
                                text(each.shape), text(each.where)));
    return all;
  }
  nb::str memorySummary() {
    char *summary = nullptr;
    call([&](GaudiDevice *device) {
      return gaudiDeviceMemorySummary(device, &summary);
    });
    return takeText(summary);
  }
  void resetPeak() { call(gaudiDeviceResetPeakMemory); }
  void resetAccumulated() { call(gaudiDeviceResetAccumulatedMemory); }

  /// (elapsed, host, busy of each queue, idle of each queue).
  nb::tuple clock() {
    GaudiClockTimes times = {};
    times.size = sizeof times;
    call([&](GaudiDevice *device) { return gaudiDeviceClock(device, &times); });
    nb::list busy, idle;
    for (size_t queue = 0; queue != GAUDI_CARD_QUEUES; ++queue) {
      busy.append(times.busy[queue]);
      idle.append(times.idle[queue]);
    }
    return nb::make_tuple(times.elapsed, times.host, busy, idle);
  }
  void advanceHost(int64_t time) {
    call([&](GaudiDevice *device) {
      return gaudiDeviceAdvanceHost(device, time);
    });
  }
  void beginTrace() { call(gaudiDeviceBeginTrace); }
  void writeTrace(const nb::bytes &path) {
    call([&](GaudiDevice *device) {
      return gaudiDeviceWriteTrace(device, path.c_str());
    });
  }

  template <typename Call> void call(Call function) {
    callUnlocked(function, session->open());
  }

  const SharedSession session = std::make_shared<Session>();
};

// --- graphs, events, programs ------------------------------------------------

class Graph final : public Held<GaudiGraph> {
public:
  Graph(SharedSession session, GaudiGraph *graph)
      : Held(std::move(session), graph, &gaudiGraphDestroy) {}
  size_t size() const { return gaudiGraphSize(get().get()); }
  void freeBetweenReplays() {
    callUnlocked(gaudiGraphFreeBetweenReplays, get());
  }
};

class Event final : public Held<GaudiEvent> {
public:
  explicit Event(const Device &device)
      : Held(device.session, make<GaudiEvent>([&](GaudiEvent **event) {
               callUnlocked(
                   [&](GaudiDevice *of) { return gaudiEventCreate(of, event); },
                   device.session->open());
             }),
             &gaudiEventDestroy) {}

  void synchronize() { callUnlocked(gaudiEventSynchronize, get()); }
  bool query() {
    int32_t isDone = 0;
    callUnlocked(
        [&](GaudiEvent *event) { return gaudiEventQuery(event, &isDone); },
        get());
    return isDone != 0;
  }
  int64_t since(const Event &begin) const {
    int64_t time = 0;
    callUnlocked(
        [&](GaudiEvent *first, GaudiEvent *last) {
          return gaudiEventElapsed(first, last, &time);
        },
        begin.get(), get());
    return time;
  }
};

class Program final : public Held<GaudiProgram> {
public:
  Program(const Device &device, const Recipe &recipe, const std::string &name,
          const nb::dict &options)
      : Held(device.session, make<GaudiProgram>([&](GaudiProgram **program) {
               GaudiProgramOptions all;
               gaudiProgramOptionsInit(&all);
               all.name = name.c_str();
               if (options.contains("cache_dir"))
                 all.cacheDirectory =
                     nb::cast<nb::bytes>(options["cache_dir"]).c_str();
               all.maxIterations = option<uint64_t>(
                   options, "max_iterations", "a number from 0 to 2^64 - 1");
               callUnlocked(
                   [&](GaudiDevice *of) {
                     return gaudiProgramLoad(of, recipe.get(), &all, program);
                   },
                   device.session->open());
             }),
             &gaudiProgramDestroy) {}

  /// (name, bytes, alignment, whether it is written) of what a launch takes.
  nb::list tensors(size_t entry) const {
    const std::shared_ptr<GaudiProgram> program = get();
    size_t count = 0;
    check(gaudiProgramNumTensors(program.get(), entry, &count));
    nb::list all;
    for (size_t index = 0; index != count; ++index) {
      GaudiLaunchTensor tensor = {};
      tensor.size = sizeof tensor;
      check(gaudiProgramTensor(program.get(), entry, index, &tensor));
      all.append(nb::make_tuple(text(tensor.name), tensor.bytes,
                                tensor.alignment, tensor.isWritten != 0));
    }
    return all;
  }
  /// (launch tensor, offset, whether it is dense) of an input or output.
  nb::tuple place(size_t entry, size_t index, bool isOutput) const {
    const std::shared_ptr<GaudiProgram> program = get();
    int64_t tensor = -1;
    uint64_t offset = 0;
    int32_t isDense = 0;
    check((isOutput ? gaudiProgramOutput : gaudiProgramInput)(
        program.get(), entry, index, &tensor, &offset));
    check(gaudiProgramIsDense(program.get(), entry, index, isOutput, &isDense));
    return nb::make_tuple(tensor, offset, isDense != 0);
  }
  bool mayAlias(size_t entry, size_t input, size_t output) const {
    int32_t may = 0;
    check(gaudiProgramMayAlias(get().get(), entry, input, output, &may));
    return may != 0;
  }
  uint64_t state(size_t index) const {
    GaudiDeviceAddress address = 0;
    check(gaudiProgramState(get().get(), index, &address));
    return address;
  }
  int64_t time(size_t entry) const {
    int64_t time = 0;
    check(gaudiProgramTime(get().get(), entry, &time));
    return time;
  }
};

// --- streams -----------------------------------------------------------------

class Stream final : public Held<GaudiStream> {
public:
  /// Without a name: the default stream.
  Stream(const Device &device, const std::optional<std::string> &name,
         int32_t priority)
      : Held(device.session, make<GaudiStream>([&](GaudiStream **stream) {
               callUnlocked(
                   [&](GaudiDevice *of) {
                     return name ? gaudiStreamCreate(of, name->c_str(),
                                                     priority, stream)
                                 : gaudiDeviceDefaultStream(of, stream);
                   },
                   device.session->open());
             }),
             &gaudiStreamDestroy) {}

  void copyIn(uint64_t to, uintptr_t from, uint64_t bytes, bool blocking) {
    issue([&](GaudiStream *stream) {
      return gaudiStreamCopyIn(stream, to, reinterpret_cast<void *>(from),
                               bytes, blocking);
    });
    if (blocking)
      session->raise(get().get());
  }
  void copyOut(uintptr_t to, uint64_t from, uint64_t bytes, bool blocking) {
    issue([&](GaudiStream *stream) {
      return gaudiStreamCopyOut(stream, reinterpret_cast<void *>(to), from,
                                bytes, blocking);
    });
    if (blocking)
      session->raise(get().get());
  }
  void copy(uint64_t to, uint64_t from, uint64_t bytes) {
    issue([&](GaudiStream *stream) {
      return gaudiStreamCopy(stream, to, from, bytes);
    });
  }
  void fill(uint64_t to, uint64_t bytes, uint64_t pattern, uint32_t size) {
    issue([&](GaudiStream *stream) {
      return gaudiStreamFill(stream, to, bytes, pattern, size);
    });
  }
  void call(nb::object function) {
    std::shared_ptr<GaudiStream> stream = get();
    auto made = std::make_unique<HostCall>(
        HostCall{session.get(), stream.get(), std::move(function)});
    HostCall *const call = made.get();
    session->calls.emplace(call, std::move(made));
    try {
      callUnlocked(
          [&](GaudiStream *to) { return gaudiStreamCall(to, &runCall, call); },
          std::move(stream));
    } catch (nb::python_error &) {
      session->calls.erase(call); // it will not be run
      throw;
    }
  }
  void drawSeed(uint64_t seed, uint64_t offset, uint64_t blocks) {
    issue([&](GaudiStream *stream) {
      return gaudiStreamDrawSeed(stream, seed, offset, blocks);
    });
  }
  void launch(const Program &program, size_t entry,
              const std::vector<uint64_t> &addresses) {
    callUnlocked(
        [&](GaudiStream *stream, GaudiProgram *of) {
          return gaudiStreamLaunch(stream, of, entry, addresses.data(),
                                   addresses.size());
        },
        get(), program.get());
  }
  void record(const Event &event) {
    callUnlocked(gaudiStreamRecord, get(), event.get());
  }
  void wait(const Event &event) {
    callUnlocked(gaudiStreamWait, get(), event.get());
  }
  void synchronize() {
    issue(gaudiStreamSynchronize);
    session->raise(get().get());
  }
  bool query() {
    int32_t isDone = 0;
    issue(
        [&](GaudiStream *stream) { return gaudiStreamQuery(stream, &isDone); });
    return isDone != 0;
  }
  void beginCapture() { issue(gaudiStreamBeginCapture); }
  std::unique_ptr<Graph> endCapture() {
    GaudiGraph *graph = nullptr;
    issue([&](GaudiStream *stream) {
      return gaudiStreamEndCapture(stream, &graph);
    });
    return std::make_unique<Graph>(session, graph);
  }
  void replay(const Graph &graph,
              const std::vector<std::pair<uint64_t, uint64_t>> &rebindings) {
    std::vector<GaudiRebinding> all;
    for (const auto &[from, to] : rebindings)
      all.push_back({from, to});
    callUnlocked(
        [&](GaudiGraph *of, GaudiStream *stream) {
          return gaudiGraphReplay(of, stream, all.data(), all.size());
        },
        graph.get(), get());
  }

private:
  template <typename Call> void issue(Call function) {
    callUnlocked(function, get());
  }
};

std::unique_ptr<Memory> Device::allocate(const Stream *stream, uint64_t bytes,
                                         const std::string &name,
                                         const std::string &shape,
                                         const std::string &where) {
  const GaudiMemoryOwner owner = {name.c_str(), shape.c_str(), where.c_str()};
  GaudiDeviceAddress address = 0;
  callUnlocked(
      [&](GaudiDevice *device, GaudiStream *of) {
        return gaudiDeviceAllocate(device, of, bytes, &owner, &address);
      },
      session->open(), stream ? stream->get() : nullptr);
  return std::make_unique<Memory>(session, address);
}

void Device::recordStream(GaudiDeviceAddress address, const Stream &stream) {
  callUnlocked(
      [&](GaudiDevice *device, GaudiStream *of) {
        return gaudiDeviceRecordStream(device, address, of);
      },
      session->open(), stream.get());
}

// --- host memory -------------------------------------------------------------

/// (address, owner) of a dense array of that element type ("bf16") and shape;
/// its memory is there as long as the owner.
nb::tuple denseMemory(nb::handle array, const std::string &name,
                      const std::string &element, std::vector<int64_t> shape,
                      bool isWritten) {
  GaudiTensorInfo info = {};
  info.name = {name.data(), name.size()};
  while (element != gaudiElementTypeName(info.type))
    info.type = GaudiElementType(info.type + 1);
  info.rank = static_cast<uint32_t>(shape.size());
  info.shape = shape.data();
  info.state = -1;
  const Tensor tensor(info);
  auto operands = std::make_unique<Operands>(1);
  operands->add(tensor, array, isWritten ? Access::Write : Access::Read,
                "array");
  const GaudiBuffer &buffer = *operands->data();
  if (!std::equal(shape.begin(), shape.end(), buffer.shape,
                  buffer.shape + buffer.rank))
    throwMessage("wrong_host_shape", name, array, tensor.typeText());
  if (buffer.strides && buffer.rank != 0)
    throwMessage("host_not_dense", name);
  nb::capsule owner(operands.get(), [](void *kept) noexcept {
    delete static_cast<Operands *>(kept);
  });
  operands.release();
  return nb::make_tuple(reinterpret_cast<uintptr_t>(buffer.data), owner);
}

} // namespace

void registerDevice(nb::module_ &module) {
  nb::class_<Memory>(module, "DeviceMemory")
      .def_prop_ro("address", &Memory::get);
  nb::class_<Device>(module, "Device")
      .def(nb::init<const nb::dict &>(), nb::arg("options"))
      .def("close", &Device::close)
      .def_prop_ro("is_closed", &Device::isClosed)
      .def_prop_ro("kind", &Device::kind)
      .def_prop_ro("module", &Device::module)
      .def_prop_ro("capacity", &Device::capacity)
      .def("synchronize", &Device::synchronize)
      .def("allocate", &Device::allocate, nb::arg("stream").none(),
           nb::arg("bytes"), nb::arg("name"), nb::arg("shape"),
           nb::arg("where"))
      .def("record_stream", &Device::recordStream)
      .def("allocate_pinned", &Device::allocatePinned)
      .def("set_seed", &Device::setSeed)
      .def("memory_stats", &Device::memoryStats)
      .def("memory_blocks", &Device::memoryBlocks)
      .def("memory_summary", &Device::memorySummary)
      .def("reset_peak_memory", &Device::resetPeak)
      .def("reset_accumulated_memory", &Device::resetAccumulated)
      .def("clock", &Device::clock)
      .def("advance_host", &Device::advanceHost)
      .def("begin_trace", &Device::beginTrace)
      .def("write_trace", &Device::writeTrace);
  nb::class_<Event>(module, "Event")
      .def(nb::init<const Device &>(), nb::arg("device"))
      .def("synchronize", &Event::synchronize)
      .def("query", &Event::query)
      .def("since", &Event::since);
  nb::class_<Program>(module, "Program")
      .def(nb::init<const Device &, const Recipe &, const std::string &,
                    const nb::dict &>(),
           nb::arg("device"), nb::arg("recipe"), nb::arg("name"),
           nb::arg("options"))
      .def("tensors", &Program::tensors)
      .def("place", &Program::place)
      .def("may_alias", &Program::mayAlias)
      .def("state", &Program::state)
      .def("time", &Program::time);
  nb::class_<PinnedMemory>(module, "PinnedMemory")
      .def_prop_ro("address", &PinnedMemory::address);
  nb::class_<Graph>(module, "Graph")
      .def_prop_ro("size", &Graph::size)
      .def("free_between_replays", &Graph::freeBetweenReplays);
  nb::class_<Stream>(module, "Stream")
      .def(nb::init<const Device &, const std::optional<std::string> &,
                    int32_t>(),
           nb::arg("device"), nb::arg("name").none(), nb::arg("priority"))
      .def("copy_in", &Stream::copyIn)
      .def("copy_out", &Stream::copyOut)
      .def("copy", &Stream::copy)
      .def("fill", &Stream::fill)
      .def("call", &Stream::call)
      .def("draw_seed", &Stream::drawSeed)
      .def("launch", &Stream::launch)
      .def("record", &Stream::record)
      .def("wait", &Stream::wait)
      .def("synchronize", &Stream::synchronize)
      .def("query", &Stream::query)
      .def("begin_capture", &Stream::beginCapture)
      .def("end_capture", &Stream::endCapture)
      .def("replay", &Stream::replay);
  module.def("dense_memory", &denseMemory);
}

} // namespace gaudi::python
