// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "History.h"
#include "Graph.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace py = pybind11;
using namespace gaudi::bridge;

// --- what is made ------------------------------------------------------------

namespace {

thread_local const Making *making = nullptr;

/// As the compiler writes it.
const char *shortName(at::ScalarType type) {
  switch (type) {
  case at::kFloat:
    return "f32";
  case at::kDouble:
    return "f64";
  case at::kHalf:
    return "f16";
  case at::kBFloat16:
    return "bf16";
  case at::kLong:
    return "i64";
  case at::kInt:
    return "i32";
  case at::kShort:
    return "i16";
  case at::kChar:
    return "i8";
  case at::kByte:
    return "ui8";
  case at::kBool:
    return "i1";
  default:
    return c10::toString(type);
  }
}

} // namespace

Making::Making(const char *name, at::IntArrayRef sizes, at::ScalarType type)
    : op(making ? making->op : name), sizes(sizes), kind(type),
      outer(std::exchange(making, this)) {}

Making::~Making() { making = outer; }

const Making *Making::current() { return making; }

std::string Making::shape() const {
  std::string text;
  for (const int64_t size : sizes) {
    text += std::to_string(size);
    text += 'x';
  }
  return text + shortName(kind);
}

// --- lines of Python ---------------------------------------------------------

namespace {

struct Frame {
  PyCodeObject *code; // held for ever: a program has not many
  int line;
};
using Frames = std::shared_ptr<const std::vector<Frame>>;

/// Of the thread, the innermost first. One that has none is of the autograd
/// engine, and works for the script, which waits in backward(). Takes the lock
/// of Python.
Frames framesOfThread() {
  if (!Py_IsInitialized())
    return nullptr;
  const py::gil_scoped_acquire lock;
  PyThreadState *const own = PyThreadState_Get();
  PyFrameObject *frame = PyThreadState_GetFrame(own);
  if (!frame) {
    PyThreadState *first = nullptr; // the last of the list
    for (PyThreadState *each = PyInterpreterState_ThreadHead(own->interp); each;
         each = PyThreadState_Next(each))
      first = each;
    frame = PyThreadState_GetFrame(first);
  }
  static std::unordered_set<PyCodeObject *> held; // by the lock of Python
  auto frames = std::make_shared<std::vector<Frame>>();
  while (frame) {
    PyCodeObject *const code = PyFrame_GetCode(frame);
    if (!held.insert(code).second)
      Py_DECREF(code);
    frames->push_back({code, PyFrame_GetLineNumber(frame)});
    Py_DECREF(std::exchange(frame, PyFrame_GetBack(frame)));
  }
  return frames;
}

/// Needs the lock of Python.
std::string fileOf(const Frame &frame) {
  const char *text = PyUnicode_AsUTF8(frame.code->co_filename);
  if (text)
    return text;
  PyErr_Clear();
  return "";
}

py::dict frameOf(std::string file, int line, py::object name) {
  py::dict result;
  result["filename"] = std::move(file);
  result["line"] = line;
  result["name"] = std::move(name);
  return result;
}

std::vector<std::string> internalFolders; // set once, at the import

bool isInternal(PyCodeObject *code) {
  static std::unordered_map<PyCodeObject *, bool> known; // which holds them
  const auto found = known.find(code);
  if (found != known.end())
    return found->second;
  const std::string file = fileOf({code, 0});
  bool result = file.empty() || file.front() == '<';
  for (const std::string &each : internalFolders)
    result |= file.compare(0, each.size(), each) == 0;
  Py_INCREF(code);
  return known[code] = result;
}

// --- the history -------------------------------------------------------------

struct Event {
  const char *action; // of PyTorch's viewer
  c10::DeviceIndex card;
  uint64_t address, bytes; // of an "oom" the free bytes in place of an address
  int64_t stream, time;
  Frames frames;
};

struct History {
  std::mutex mutex;
  RecordOptions options;
  std::deque<Event> events;
  // Of memory that was allocated while it was recorded; an address of one card
  // is none of another.
  std::unordered_map<GaudiDeviceAddress, Frames> live;

  void add(Event event) {
    if (options.maxEvents == 0)
      return;
    if (events.size() == options.maxEvents)
      events.pop_front();
    events.push_back(std::move(event));
  }
};

History history;
std::atomic<bool> isRecording = false;

int64_t microseconds() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// Cards' addresses begin at 0; those of PyTorch's snapshots are of one space.
uint64_t baseOf(c10::DeviceIndex card) { return uint64_t(card + 1) << 44; }

GaudiMemoryBlock newBlock() {
  GaudiMemoryBlock block = {};
  block.size = sizeof(block);
  return block;
}

/// The innermost line that is the script's own.
std::string whereOf(const std::vector<Frame> &frames) {
  const py::gil_scoped_acquire lock;
  for (const Frame &frame : frames) {
    if (!isInternal(frame.code))
      return fileOf(frame) + ":" + std::to_string(frame.line);
  }
  return "";
}

std::string gibibytes(uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f GiB", double(bytes) / (1 << 30));
  return text;
}

/// Throws another error if the card never holds as much.
void checkSize(const Card &card, uint64_t bytes, GaudiError *error) {
  const uint64_t limit = card.memoryStats().limit;
  if (bytes <= limit)
    return;
  gaudiErrorDestroy(error);
  const Making *const made = Making::current();
  const GaudiStringRef kind = gaudiDeviceKind(card.device());
  const std::string name(kind.data, kind.length);
  constexpr uint64_t gaudi3Bytes = uint64_t(128) << 30;
  const bool isNarrowed =
      made && made->type() == at::kFloat && bytes / 2 < limit;
  TORCH_CHECK_WITH(OutOfMemoryError, false, "out of device memory: a ",
                   "tensor", made ? " of " + made->shape() : "", " needs ",
                   gibibytes(bytes), ", and hpu:", int(card.index()), " (",
                   name, ") has ", gibibytes(limit), "; ask for a smaller one",
                   isNarrowed ? ", such as one of bfloat16" : "",
                   name != "gaudi3" && bytes < gaudi3Bytes
                       ? ", or for a card with 128 GiB: GAUDI_DEVICE=gaudi3"
                       : "");
}

/// An error while nothing is recorded: of a full card it says how to learn
/// which lines of the script hold its memory.
[[noreturn]] void throwWithoutLines(GaudiError *error) {
  const GaudiStringRef given = gaudiErrorMessage(error);
  const std::string text(given.data, given.length);
  if (text.rfind("out of device memory", 0) != 0) // but of the host's, say
    throwError(error);
  gaudiErrorDestroy(error);
  TORCH_CHECK_WITH(OutOfMemoryError, false, text,
                   "\n  to see the lines that allocated them: "
                   "torch.hpu.memory._record_memory_history() before");
}

} // namespace

std::pair<PyCodeObject *, int> gaudi::bridge::scriptLine() {
  PyFrameObject *frame = PyThreadState_GetFrame(PyThreadState_Get());
  if (!frame) { // of the autograd engine, which works for one that waits
    PyThreadState *first = nullptr;
    for (PyThreadState *each =
             PyInterpreterState_ThreadHead(PyThreadState_Get()->interp);
         each; each = PyThreadState_Next(each))
      first = each;
    frame = PyThreadState_GetFrame(first);
  }
  std::pair<PyCodeObject *, int> found(nullptr, 0);
  while (frame) {
    PyCodeObject *const code = PyFrame_GetCode(frame);
    if (!isInternal(code))
      found = {code, PyFrame_GetLineNumber(frame)};
    Py_DECREF(code);
    PyFrameObject *const outer = found.first ? nullptr : PyFrame_GetBack(frame);
    Py_DECREF(std::exchange(frame, outer));
  }
  return found;
}

std::string gaudi::bridge::lineOfScript() {
  const Frames frames = framesOfThread();
  return frames ? whereOf(*frames) : "";
}

void gaudi::bridge::setInternal(std::vector<std::string> folders) {
  internalFolders = std::move(folders);
}

GaudiDeviceAddress gaudi::bridge::allocateRecorded(const Card &card,
                                                   uint64_t bytes) {
  const Making *const made = Making::current();
  const std::string shape = made ? made->shape() : "";
  GaudiMemoryOwner owner = {made ? made->name() : nullptr,
                            made ? shape.c_str() : nullptr, nullptr};
  GaudiDeviceAddress address = 0;
  if (C10_LIKELY(!isRecording.load(std::memory_order_relaxed))) {
    GaudiError *error = gaudiDeviceAllocate(card.device(), card.stream(), bytes,
                                            &owner, &address);
    if (C10_UNLIKELY(error != nullptr)) {
      checkSize(card, bytes, error);
      throwWithoutLines(error);
    }
    if (Graph *graph = capturedBy(card))
      graph->own(address);
    return address;
  }
  RecordOptions options;
  {
    const std::lock_guard lock(history.mutex);
    options = history.options;
  }
  const Frames frames = options.frames ? framesOfThread() : nullptr;
  const std::string where = frames ? whereOf(*frames) : "";
  owner.where = where.c_str();
  GaudiError *error = gaudiDeviceAllocate(card.device(), card.stream(), bytes,
                                          &owner, &address);
  Event event = {"alloc",        card.index(), 0, bytes, card.currentStream(),
                 microseconds(), frames};
  if (error) {
    const GaudiMemoryStats stats = card.memoryStats();
    event.action = "oom";
    event.address = stats.limit - stats.inUse;
  } else {
    GaudiMemoryBlock block = newBlock();
    check(gaudiDeviceMemoryBlock(card.device(), address, &block));
    event.address = baseOf(card.index()) + block.begin;
    event.bytes = block.bytes;
  }
  {
    const std::lock_guard lock(history.mutex);
    if (!error)
      history.live[address] = frames;
    if (options.events)
      history.add(std::move(event));
  }
  if (error)
    checkSize(card, bytes, error);
  check(error);
  if (Graph *graph = capturedBy(card))
    graph->own(address);
  return address;
}

void gaudi::bridge::freeRecorded(const Card &card, GaudiDeviceAddress address) {
  if (C10_UNLIKELY(isRecording.load(std::memory_order_relaxed))) {
    GaudiMemoryBlock block = newBlock();
    GaudiError *error = gaudiDeviceMemoryBlock(card.device(), address, &block);
    // A thread that has not got the lock of Python may not wait for it here.
    const Frames frames =
        Py_IsInitialized() && PyGILState_Check() ? framesOfThread() : nullptr;
    const std::lock_guard lock(history.mutex);
    history.live.erase(address);
    if (history.options.events && !error)
      for (const char *action : {"free_requested", "free_completed"})
        history.add({action, card.index(), baseOf(card.index()) + block.begin,
                     block.bytes, 0, microseconds(),
                     history.options.framesOfFrees ? frames : nullptr});
    gaudiErrorDestroy(error);
  }
  gaudiErrorDestroy(gaudiDeviceFree(card.device(), address));
}

void gaudi::bridge::recordMemory(RecordOptions options, bool clears) {
  const std::lock_guard lock(history.mutex);
  history.options = std::move(options);
  if (clears)
    history.events.clear();
  while (history.events.size() > history.options.maxEvents)
    history.events.pop_front();
  isRecording = true;
}

void gaudi::bridge::stopRecording() {
  const std::lock_guard lock(history.mutex);
  isRecording = false;
  history.events.clear();
  history.live.clear();
}

// --- snapshots ---------------------------------------------------------------

namespace {

py::list framesOf(const Frames &frames) {
  py::list result;
  if (frames)
    for (const Frame &each : *frames)
      result.append(
          frameOf(fileOf(each), each.line,
                  py::reinterpret_borrow<py::object>(each.code->co_name)));
  return result;
}

std::string textOf(GaudiStringRef text) { return {text.data, text.length}; }

/// What is in one segment: PyTorch's of small blocks, and those of others.
struct Segments {
  c10::DeviceIndex card;
  py::list all;
  std::unordered_map<uint64_t, Frames> recorded; // by where blocks begin
  bool isSmall = false;

  explicit Segments(const Card &card) : card(card.index()) {}

  void add(const GaudiMemoryBlock &block) {
    if (all.empty() || isSmall != (block.isSmall != 0))
      begin(block);
    const bool isUsed = block.state == GaudiMemoryInUse;
    const bool isPending = block.state == GaudiMemoryPending;
    py::dict row;
    row["address"] = baseOf(card) + block.begin;
    row["size"] = block.bytes;
    row["requested_size"] = isUsed ? block.requested : 0;
    row["state"] = isUsed      ? "active_allocated"
                   : isPending ? "active_awaiting_free"
                               : "inactive";
    const auto found = isUsed ? recorded.find(block.begin) : recorded.end();
    py::list frames;
    const std::string name = textOf(block.name), shape = textOf(block.shape);
    if (isUsed && !(name.empty() && shape.empty()))
      frames.append(frameOf("", 0, py::str(name + " " + shape)));
    if (found != recorded.end())
      for (const py::handle each : framesOf(found->second))
        frames.append(each);
    row["frames"] = std::move(frames);
    py::dict segment = all[all.size() - 1];
    segment["blocks"].cast<py::list>().append(row);
    const auto grow = [&](const char *key, uint64_t bytes) {
      segment[key] = segment[key].cast<uint64_t>() + bytes;
    };
    grow("total_size", block.bytes);
    grow("allocated_size", isUsed ? block.bytes : 0);
    grow("active_size", isUsed || isPending ? block.bytes : 0);
    grow("requested_size", isUsed ? block.requested : 0);
  }

private:
  void begin(const GaudiMemoryBlock &block) {
    isSmall = block.isSmall != 0;
    py::dict segment;
    segment["device"] = int(card);
    segment["address"] = baseOf(card) + block.begin;
    for (const char *key :
         {"total_size", "allocated_size", "active_size", "requested_size"})
      segment[key] = 0;
    segment["stream"] = 0;
    segment["segment_type"] = isSmall ? "small" : "large";
    segment["segment_pool_id"] = py::make_tuple(0, 0);
    segment["is_expandable"] = false;
    segment["frames"] = py::list();
    segment["blocks"] = py::list();
    all.append(std::move(segment));
  }
};

} // namespace

py::dict gaudi::bridge::memorySnapshot() {
  std::deque<Event> events;
  decltype(history.live) live;
  {
    const std::lock_guard lock(history.mutex);
    events = history.events;
    live = history.live;
  }
  py::list all;
  for (c10::DeviceIndex index = 0; index != Card::count(); ++index) {
    const Card *card = Card::ifOpen(index);
    if (!card)
      continue;
    Segments segments(*card);
    for (const auto &[address, frames] : live) {
      GaudiMemoryBlock block = newBlock();
      // That of another card, or freed meanwhile.
      GaudiError *error =
          gaudiDeviceMemoryBlock(card->device(), address, &block);
      if (!error)
        segments.recorded.emplace(block.begin, frames);
      gaudiErrorDestroy(error);
    }
    std::vector<GaudiMemoryBlock> blocks;
    check(gaudiDeviceMemoryBlocks(
        card->device(),
        [](const GaudiMemoryBlock *block, void *blocks) {
          static_cast<std::vector<GaudiMemoryBlock> *>(blocks)->push_back(
              *block);
        },
        &blocks));
    for (const GaudiMemoryBlock &each : blocks)
      segments.add(each);
    for (const py::handle each : segments.all)
      all.append(each);
  }
  std::vector<py::list> traces(Card::count());
  for (const Event &event : events) {
    const bool isFull = std::string_view(event.action) == "oom";
    py::dict row;
    row["action"] = event.action;
    row[isFull ? "device_free" : "addr"] = event.address;
    row["size"] = event.bytes;
    row["stream"] = event.stream;
    row["time_us"] = event.time;
    row["compile_context"] = "N/A";
    row["user_metadata"] = "";
    row["pool_id"] = py::make_tuple(0, 0);
    row["frames"] = framesOf(event.frames);
    traces[event.card].append(std::move(row));
  }
  py::dict result;
  result["segments"] = std::move(all);
  result["device_traces"] = traces;
  result["allocator_settings"] = py::dict();
  result["external_annotations"] = py::list();
  return result;
}
