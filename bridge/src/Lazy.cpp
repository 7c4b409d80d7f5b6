// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lazy.h"
#include "Generator.h"
#include "Graph.h"
#include "History.h"
#include "Notes.h"
#include "Program.h"
#include "Tensors.h"
#include "gaudi-c/Monitoring.h"

#include <ATen/EmptyTensor.h>
#include <ATen/record_function.h>
#include <c10/core/DeviceGuard.h>
#include <c10/util/flat_hash_map.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <unordered_map>

namespace py = pybind11;
using namespace gaudi::bridge;
using at::Tensor;

// --- memory that is not there yet --------------------------------------------

namespace {

/// Addresses of memory that is not there: the two highest bits are 0, as no
/// address of a card has them (Runtime/Device/HandleTable.h), and the third is
/// none of an address of the host. Each storage has its own, so that what
/// compares addresses still tells storages apart.
constexpr uint64_t DEFERRED = uint64_t(1) << 61;
/// Set in those of storages whose graph could not be computed.
constexpr uint64_t LOST = uint64_t(1) << 60;

bool hasNoMemory(uint64_t address) { return address >> 61 == 1; }
bool isLost(uint64_t address) {
  return hasNoMemory(address) && (address & LOST) != 0;
}

uint64_t addressIn(const c10::StorageImpl &storage) {
  return reinterpret_cast<uint64_t>(storage.data_ptr().get());
}

/// Says where memory will be, and allocates none.
class DeferredAllocator final : public c10::Allocator {
public:
  c10::DataPtr allocate(size_t bytes) override {
    const c10::Device device(c10::kHPU, Card::get(-1).index());
    if (bytes == 0)
      return {nullptr, device};
    // What no card holds never gets any: the real allocator says so. No card
    // has less than 32 GiB.
    if (bytes >> 35 && bytes > Card::get(-1).memoryStats().limit)
      return gaudi::bridge::allocator().allocate(bytes);
    const uint64_t begin = next.fetch_add((bytes + 511) / 512 * 512);
    return {reinterpret_cast<void *>(DEFERRED | (begin & (LOST - 1))), device};
  }
  void copy_data(void *to, const void *from, size_t bytes) const override {
    gaudi::bridge::allocator().copy_data(to, from, bytes);
  }

private:
  std::atomic<uint64_t> next{512};
};

DeferredAllocator deferred;

/// What the addresses of lost storages number.
struct Failures {
  std::mutex mutex;
  std::vector<std::string> texts;
};

Failures &failures() {
  static auto *made = new Failures;
  return *made;
}

std::string failureOf(uint64_t address) {
  Failures &all = failures();
  const std::lock_guard lock(all.mutex);
  return all.texts.at(address & (LOST - 1));
}

/// Gives a storage memory, if it has none. `name`, `type`: of its owner.
void materialize(c10::StorageImpl &storage, const char *name,
                 at::ScalarType type) {
  const uint64_t address = addressIn(storage);
  if (!hasNoMemory(address))
    return;
  TORCH_CHECK(!(address & LOST),
              "this tensor of hpu has no value, since the graph that computes "
              "it has failed: ",
              failureOf(address));
  const c10::DeviceGuard guard(storage.device());
  const int64_t count = int64_t(storage.nbytes() / c10::elementSize(type));
  const Making making(name, count, type);
  storage.set_data_ptr_noswap(
      gaudi::bridge::allocator().allocate(storage.nbytes()));
}

// --- graphs ------------------------------------------------------------------

/// A tensor of a step: where its storage is in the graph's list, and where the
/// tensor begins in it. Sizes, strides and type are those of the decision.
struct Use {
  int64_t place, offset;
};

struct Step {
  std::shared_ptr<Decision> decision;
  const std::string *op;
  c10::SmallVector<Use, 4> operands;
  c10::SmallVector<int64_t, 2> results; // places of new tensors
  c10::SmallVector<at::Scalar, 1> numbers;
  Place place; // if notes are kept
};

struct Held {
  c10::Storage storage;
  at::ScalarType type;
  bool isWritten = false;
  const std::string *op = nullptr; // that writes first
};

void materialize(const Held &held) {
  materialize(*held.storage.unsafeGetStorageImpl(),
              held.op ? held.op->c_str() : "aten::empty", held.type);
}

struct Pending {
  const Card *card;
  c10::StreamId stream;
  std::vector<Step> steps;
  std::vector<Held> held;
  std::set<std::thread::id> threads;
  /// Of what it draws: taken when its first such step is recorded, so that the
  /// generator's state is as if that had run.
  std::optional<int64_t> key;
  uint64_t epoch = 0;
  std::thread::id cutBy; // none: it waits
};

/// One launch of a compiled graph, or what the host computes in its place.
struct Part {
  std::shared_ptr<Program> program;
  py::object function;
  std::vector<int64_t> inputs; // places, and what Plan::slots has besides
  std::vector<std::vector<int64_t>> sizes; // of those that are places
  std::vector<std::pair<int64_t, at::ScalarType>> numbers; // step << 16 | which
  std::vector<int64_t> outputs; // places; what is written is the whole storage
  /// From one place to another, before the launch or after it.
  std::vector<std::tuple<int64_t, int64_t, bool>> copies;
};

struct Compiled {
  std::vector<Part> parts;
  uint64_t lastUse = 0; // by State::uses
  uint64_t number;
  std::vector<std::shared_ptr<Decision>> decisions; // whose addresses are keys
};

struct Home {
  Pending *graph;
  int64_t place;
};

/// All of lazy mode that threads share. Python's lock is never taken inside of
/// the mutex.
struct State {
  std::mutex mutex;
  std::condition_variable done;
  std::vector<std::shared_ptr<Pending>> graphs;
  std::set<std::thread::id> stepping; // threads that have ended a step
  ska::flat_hash_map<const c10::StorageImpl *, Home> places;

  std::mutex cacheMutex;
  std::unordered_map<std::vector<int64_t>, std::shared_ptr<Compiled>, KeyHash>
      compiled;
  uint64_t made = 0, uses = 0;
  std::deque<lazy::Cut> cuts;
};

State &state() {
  static auto *made = new State; // tensors may outlive main
  return *made;
}

std::atomic<int> modeOfProcess{0};
std::atomic<size_t> waiting{0}; // graphs
std::atomic<uint64_t> stepCount{0}, cutCount{0}, hitCount{0}, missCount{0};
thread_local int eagerDepth = 0;
thread_local const char *readingWhy = nullptr;
/// While the thread's cut asks for addresses itself.
thread_local bool launching = false;
/// Graphs of the thread that ops without waiting operands become steps of.
thread_local std::weak_ptr<Pending> homes[8];

/// Of the environment; sizes count ops that are no part of others.
struct Limits {
  size_t steps = SIZE_MAX, graphs = 30000;
  Limits() {
    if (const char *text = std::getenv("HABANA_PGM_LRU_MAX"))
      if (const unsigned long long value = std::strtoull(text, nullptr, 10))
        graphs = std::max<size_t>(value, 3);
    for (const char *name :
         {"PT_HPU_MAX_COMPOUND_OP_SIZE", "PT_HPU_MAX_ACCUM_SIZE"})
      if (const char *text = std::getenv(name))
        if (const unsigned long long value = std::strtoull(text, nullptr, 10))
          steps = std::min<size_t>(steps, value);
  }
};

const Limits &limits() {
  static const Limits made;
  return made;
}

/// A part of the work between ops, as profilers see it, by the names of the
/// real bridge.
class Profiled {
public:
  explicit Profiled(const char *name) : function(at::RecordScope::FUNCTION) {
    if (function.isActive())
      function.before(name);
  }

private:
  at::RecordFunction function;
};

/// One of 16, the same ones in each run of a thread.
bool isAtRandom() {
  thread_local std::minstd_rand generator;
  return (generator() >> 8) % 16 == 0;
}

/// A compiled graph is found as a recipe of the cache would be. Without locks:
/// it calls functions that have subscribed.
void emitHit(uint64_t number) {
  const std::string name = "lazy graph " + std::to_string(number);
  GaudiEventParameter id = {};
  id.name = {"recipe_id", 9};
  id.kind = GaudiEventText;
  id.text = {name.data(), name.size()};
  check(gaudiEventEmit(GaudiEventCacheHit, &id, 1));
}

/// Waits until another thread has cut the graph, or left it as it was for want
/// of memory. Without Python's lock, which
/// that one may need.
void waitFor(std::unique_lock<std::mutex> &lock, const Pending *graph) {
  State &all = state();
  const auto isGone = [&] {
    return std::none_of(
        all.graphs.begin(), all.graphs.end(), [&](const auto &each) {
          return each.get() == graph && each->cutBy != std::thread::id();
        });
  };
  if (Py_IsInitialized() && PyGILState_Check()) {
    lock.unlock();
    {
      const py::gil_scoped_release release;
      lock.lock();
      all.done.wait(lock, isGone);
      lock.unlock();
    }
    lock.lock();
    return;
  }
  all.done.wait(lock, isGone);
}

// --- compiled graphs ---------------------------------------------------------

/// Which places are wanted once the graph has run: something else holds them,
/// and they were written.
std::vector<bool> wantedOf(const Pending &graph) {
  std::vector<bool> wanted;
  for (const Held &each : graph.held)
    wanted.push_back(each.isWritten && each.storage.use_count() > 1 &&
                     each.storage.nbytes() != 0);
  return wanted;
}

std::vector<int64_t> keyOf(const Pending &graph,
                           const std::vector<bool> &wanted) {
  std::vector<int64_t> key;
  key.reserve(graph.steps.size() * 6 + graph.held.size());
  key.push_back(graph.card->index());
  key.push_back(int64_t(graph.steps.size()));
  for (const Step &step : graph.steps) {
    key.push_back(reinterpret_cast<int64_t>(step.decision.get()));
    for (const Use &use : step.operands) {
      key.push_back(use.place);
      key.push_back(use.offset);
    }
  }
  for (size_t place = 0; place != graph.held.size(); ++place) {
    key.push_back(int64_t(graph.held[place].storage.nbytes()) << 1 |
                  int64_t(wanted[place]));
    key.push_back(int64_t(graph.held[place].type));
  }
  return key;
}

py::object describe(const Pending &graph, const std::vector<bool> &wanted) {
  py::list steps, held;
  for (const Step &step : graph.steps) {
    py::list operands;
    for (const Use &use : step.operands)
      operands.append(py::make_tuple(use.place, use.offset));
    py::object file = py::none();
    if (step.place.code)
      file = py::reinterpret_borrow<py::object>(step.place.code->co_filename);
    steps.append(py::make_tuple(
        step.decision->sketch->python, *step.op, operands,
        std::vector<int64_t>(step.results.begin(), step.results.end()), file,
        step.place.line, step.place.module ? *step.place.module : "",
        step.place.isBackward));
  }
  for (size_t place = 0; place != graph.held.size(); ++place) {
    const Held &each = graph.held[place];
    held.append(py::make_tuple(
        int64_t(each.storage.nbytes() / c10::elementSize(each.type)),
        py::cast(each.type), bool(wanted[place])));
  }
  return py::make_tuple(steps, held);
}

std::shared_ptr<Compiled> compile(const Pending &graph,
                                  const std::vector<bool> &wanted,
                                  uint64_t number, const lazy::Cut &cut) {
  const py::gil_scoped_acquire gil;
  const lazy::Eagerly eagerly;
  const py::list parts =
      py::module_::import("habana_frameworks.torch._lazy")
          .attr("compile")(*py::tuple(describe(graph, wanted)), number,
                           cut.reason, cut.file, cut.line);
  // The last owner may go without the interpreter's lock.
  std::shared_ptr<Compiled> made(new Compiled, [](Compiled *each) {
    const py::gil_scoped_acquire lock;
    delete each;
  });
  made->number = number;
  for (const py::handle &each : parts) {
    Part &part = made->parts.emplace_back();
    const auto row = each.cast<py::tuple>();
    if (py::isinstance<Program>(row[0]))
      part.program = row[0].cast<std::shared_ptr<Program>>();
    else if (!row[0].is_none())
      part.function = row[0];
    part.inputs = row[1].cast<std::vector<int64_t>>();
    part.sizes = row[2].cast<std::vector<std::vector<int64_t>>>();
    part.numbers =
        row[3].cast<std::vector<std::pair<int64_t, at::ScalarType>>>();
    part.outputs = row[4].cast<std::vector<int64_t>>();
    part.copies =
        row[5].cast<std::vector<std::tuple<int64_t, int64_t, bool>>>();
  }
  std::set<Decision *> seen;
  for (const Step &step : graph.steps)
    if (seen.insert(step.decision.get()).second)
      made->decisions.push_back(step.decision);
  return made;
}

// --- launches ----------------------------------------------------------------

Tensor tensorOf(const Held &held, at::IntArrayRef sizes) {
  Tensor tensor = at::detail::make_tensor<c10::TensorImpl>(
      c10::Storage(held.storage), c10::DispatchKeySet(c10::DispatchKey::HPU),
      c10::scalarTypeToTypeMeta(held.type));
  tensor.unsafeGetTensorImpl()->set_sizes_contiguous(sizes);
  return tensor;
}

Tensor wholeOf(const Held &held) {
  return tensorOf(
      held, {int64_t(held.storage.nbytes() / c10::elementSize(held.type))});
}

void copy(const Card &card, const Tensor &from, const Tensor &to) {
  check(gaudiStreamCopy(card.stream(), addressOf(*to.unsafeGetTensorImpl()),
                        addressOf(*from.unsafeGetTensorImpl()),
                        reachBytes(to)));
}

/// The storage takes over the memory of a new tensor, unless a captured graph
/// may use its own.
void replace(const Card &card, const Held &held, const Tensor &from) {
  c10::StorageImpl &storage = *held.storage.unsafeGetStorageImpl();
  c10::StorageImpl &other = *from.storage().unsafeGetStorageImpl();
  if (&other == &storage)
    return;
  if (hasCaptured && !hasNoMemory(addressIn(storage)))
    copy(card, from, wholeOf(held));
  else
    storage.set_data_ptr_noswap(
        other.set_data_ptr(c10::DataPtr(nullptr, storage.device())));
}

void launch(const Pending &graph, const Part &part, uint64_t number) {
  const Card &card = *graph.card;
  struct Launching {
    bool before = std::exchange(launching, true);
    ~Launching() { launching = before; }
  } const isLaunching;
  // The launch may read what these replace, and replace what they read.
  std::vector<std::pair<const Held *, Tensor>> early;
  for (const auto &[from, to, isBefore] : part.copies)
    if (isBefore) {
      const Tensor source = wholeOf(graph.held[size_t(from)]);
      materialize(graph.held[size_t(from)]);
      const Held &target = graph.held[size_t(to)];
      early.emplace_back(
          &target, emptyContiguous(source.sizes(), target.type, card.index()));
      copy(card, source, early.back().second);
    }
  std::vector<Tensor> inputs;
  inputs.reserve(part.inputs.size());
  for (size_t index = 0; index != part.inputs.size(); ++index) {
    const int64_t slot = part.inputs[index];
    if (slot >= 0) {
      const Held &held = graph.held[size_t(slot)];
      materialize(held);
      inputs.push_back(tensorOf(held, part.sizes[index]));
    } else if (slot == Plan::KEY || slot == Plan::OFFSET) {
      if (Graph *captured = slot == Plan::KEY ? capturedBy(card) : nullptr) {
        inputs.push_back(captured->draw(defaultGenerator(card.index())));
        continue;
      }
      // Parts draw from keys of their own.
      inputs.push_back(uploadNumber(card,
                                    slot == Plan::KEY
                                        ? int64_t(uint64_t(graph.key.value()) ^
                                                  number * 0x9E3779B97F4A7C15)
                                        : 0,
                                    at::kLong));
    } else {
      const auto &[which, type] = part.numbers[size_t(Plan::NUMBER - slot)];
      const Step &step = graph.steps[size_t(which >> 16)];
      inputs.push_back(
          uploadNumber(card, step.numbers[size_t(which & 0xFFFF)], type));
    }
  }
  std::vector<Tensor> outputs;
  if (part.program) {
    for (size_t index = 0; index != part.outputs.size(); ++index) {
      const Held &held = graph.held[size_t(part.outputs[index])];
      Tensor target = wholeOf(held);
      const bool isNew =
          hasNoMemory(addressIn(*held.storage.unsafeGetStorageImpl()));
      if (isNew)
        materialize(held);
      if (!isNew && !part.program->mayWriteTo(card, inputs, index, target))
        target = emptyContiguous(target.sizes(), held.type, card.index());
      outputs.push_back(std::move(target));
    }
    part.program->launch(card, inputs, outputs);
  } else if (part.function) {
    const py::gil_scoped_acquire gil;
    const lazy::Eagerly eagerly;
    const Notes::Silence silence; // it says itself which op is computed
    outputs = part.function(inputs).cast<std::vector<Tensor>>();
  }
  for (size_t index = 0; index != part.outputs.size(); ++index)
    replace(card, graph.held[size_t(part.outputs[index])], outputs[index]);
  for (const auto &[held, memory] : early)
    replace(card, *held, memory);
  for (const auto &[from, to, isBefore] : part.copies)
    if (!isBefore) {
      const Tensor target = wholeOf(graph.held[size_t(to)]);
      materialize(graph.held[size_t(to)]);
      copy(card, wholeOf(graph.held[size_t(from)]), target);
    }
}

/// The line of the script; takes the lock of Python.
void placeOf(lazy::Cut &cut) {
  if (!Py_IsInitialized())
    return;
  const py::gil_scoped_acquire lock;
  const auto [code, line] = scriptLine();
  if (!code)
    return;
  if (const char *text = PyUnicode_AsUTF8(code->co_filename))
    cut.file = text;
  else
    PyErr_Clear();
  cut.line = line;
}

/// What the graph should have written has no value any more, also where it has
/// an older one, which the program must not take for it.
void lose(const Pending &graph, const std::vector<bool> &wanted,
          const std::string &why) {
  uint64_t number = 0;
  {
    Failures &all = failures();
    const std::lock_guard lock(all.mutex);
    number = std::min<uint64_t>(all.texts.size(), 999);
    if (number == all.texts.size())
      all.texts.push_back(why);
    else // of the last one: the program has gone on after a thousand
      all.texts[number] = why;
  }
  for (size_t place = 0; place != wanted.size(); ++place) {
    c10::StorageImpl &storage =
        *graph.held[place].storage.unsafeGetStorageImpl();
    if (wanted[place])
      storage.set_data_ptr_noswap(
          {reinterpret_cast<void *>(DEFERRED | LOST | number),
           storage.device()});
  }
}

/// Finds it from now on, in place of what has not been used for longest.
void keep(std::vector<int64_t> key, const std::shared_ptr<Compiled> &made) {
  State &all = state();
  std::vector<std::shared_ptr<Compiled>> gone; // after the lock
  const std::lock_guard lock(all.cacheMutex);
  made->lastUse = ++all.uses;
  if (all.compiled.size() >= limits().graphs) {
    // A tenth at once, so that it is rare.
    std::vector<uint64_t> uses;
    for (const auto &each : all.compiled)
      uses.push_back(each.second->lastUse);
    const auto last = uses.begin() + ptrdiff_t(uses.size() / 10);
    std::nth_element(uses.begin(), last, uses.end());
    for (auto each = all.compiled.begin(); each != all.compiled.end();)
      if (each->second->lastUse <= *last) {
        gone.push_back(std::move(each->second));
        each = all.compiled.erase(each);
      } else {
        ++each;
      }
  }
  all.compiled.emplace(std::move(key), made);
}

/// Runs a graph that this thread has taken. Throws c10::OutOfMemoryError with
/// the graph as it was if its first launch finds no room.
void execute(const Pending &graph, lazy::Cut &cut) {
  State &all = state();
  const c10::DeviceGuard guard({c10::kHPU, graph.card->index()});
  const Profiled whole("SyncTensorsGraphInternal");
  const std::vector<bool> wanted = wantedOf(graph);
  bool hasBegun = false;
  try {
    if (std::find(wanted.begin(), wanted.end(), true) == wanted.end())
      return; // nobody sees what it computes
    std::vector<int64_t> key = keyOf(graph, wanted);
    std::shared_ptr<Compiled> compiled;
    {
      const std::lock_guard lock(all.cacheMutex);
      if (const auto found = all.compiled.find(key);
          found != all.compiled.end())
        compiled = found->second, compiled->lastUse = ++all.uses;
      else
        cut.graph = ++all.made;
    }
    cut.isHit = compiled != nullptr;
    if (compiled) {
      ++hitCount;
      emitHit(compiled->number);
    } else {
      const Profiled compiling("LaunchSyncTensorsGraph");
      ++missCount;
      compiled = compile(graph, wanted, cut.graph, cut);
      keep(std::move(key), compiled);
    }
    cut.graph = compiled->number;
    cut.programs = compiled->parts.size();
    const Profiled launches("ExecuteCachedGraph");
    const c10::StreamId before = graph.card->exchangeStream(graph.stream);
    try {
      for (size_t number = 0; number != compiled->parts.size(); ++number)
        launch(graph, compiled->parts[number], number), hasBegun = true;
    } catch (...) {
      graph.card->exchangeStream(before);
      throw;
    }
    graph.card->exchangeStream(before);
  } catch (const c10::OutOfMemoryError &error) {
    if (hasBegun)
      lose(graph, wanted, error.what_without_backtrace());
    throw;
  } catch (const c10::Error &error) {
    lose(graph, wanted, error.what_without_backtrace());
    throw;
  } catch (const std::exception &error) {
    lose(graph, wanted, error.what());
    throw;
  }
}

/// Cuts a graph that waits. Takes the lock, and gives it back locked.
void cutGraph(std::unique_lock<std::mutex> &lock,
              std::shared_ptr<Pending> graph, const char *reason) {
  State &all = state();
  if (graph->cutBy != std::thread::id()) {
    if (graph->cutBy != std::this_thread::get_id())
      waitFor(lock, graph.get());
    else
      TORCH_CHECK(launching, "this tensor of hpu is being computed by a graph "
                             "that this thread is compiling");
    return;
  }
  graph->cutBy = std::this_thread::get_id();
  lock.unlock();
  lazy::Cut cut;
  cut.reason = readingWhy ? readingWhy : reason;
  cut.steps = graph->steps.size();
  placeOf(cut);
  std::exception_ptr error;
  bool hasRoom = true;
  try {
    execute(*graph, cut);
  } catch (const c10::OutOfMemoryError &) {
    error = std::current_exception();
    hasRoom = false;
    for (const Held &each : graph->held)
      hasRoom |= isLost(addressIn(*each.storage.unsafeGetStorageImpl()));
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  if (!hasRoom) { // it waits on: the program may free memory
    graph->cutBy = std::thread::id();
    all.done.notify_all();
    std::rethrow_exception(error);
  }
  for (const Held &each : graph->held)
    all.places.erase(each.storage.unsafeGetStorageImpl());
  all.graphs.erase(std::find(all.graphs.begin(), all.graphs.end(), graph));
  waiting.store(all.graphs.size());
  ++cutCount;
  all.cuts.push_back(std::move(cut));
  if (all.cuts.size() > 10000)
    all.cuts.pop_front();
  all.done.notify_all();
  // Storages and decisions go without the lock: their ends may take others.
  lock.unlock();
  graph.reset();
  lock.lock();
  if (error)
    std::rethrow_exception(error);
}

/// Both graphs use other storages, so that no step of one depends on a step of
/// the other. Needs the lock.
void merge(Pending &into, Pending &from) {
  State &all = state();
  const auto shift = int64_t(into.held.size());
  for (Held &each : from.held) {
    Home &place = all.places[each.storage.unsafeGetStorageImpl()];
    place = {&into, place.place + shift};
    into.held.push_back(std::move(each));
  }
  for (Step &step : from.steps) {
    for (Use &use : step.operands)
      use.place += shift;
    for (int64_t &place : step.results)
      place += shift;
    into.steps.push_back(std::move(step));
  }
  if (from.key)
    into.key = from.key, into.epoch = from.epoch;
  into.threads.insert(from.threads.begin(), from.threads.end());
  all.graphs.erase(
      std::find_if(all.graphs.begin(), all.graphs.end(),
                   [&](const auto &each) { return each.get() == &from; }));
  waiting.store(all.graphs.size());
}

std::shared_ptr<Pending> sharedOf(const Pending *graph) {
  for (const auto &each : state().graphs)
    if (each.get() == graph)
      return each;
  return nullptr;
}

void write(Held &held, const std::string &op) {
  if (!held.isWritten)
    held.op = &op;
  held.isWritten = true;
}

/// The graph that a step with such operands belongs to: none of them is in
/// another one then. Needs the lock, and may give it back meanwhile.
std::shared_ptr<Pending> graphFor(std::unique_lock<std::mutex> &lock,
                                  const Card &card,
                                  at::ArrayRef<Tensor> operands, bool draws) {
  State &all = state();
  for (;;) {
    Pending *found = nullptr;
    bool isStable = true;
    for (const Tensor &each : operands) {
      const auto known = all.places.find(each.storage().unsafeGetStorageImpl());
      if (known == all.places.end())
        continue;
      Pending *graph = known->second.graph;
      const at::ScalarType type = graph->held[size_t(known->second.place)].type;
      if (graph->cutBy != std::thread::id() || type != each.scalar_type()) {
        cutGraph(lock, sharedOf(graph),
                 type == each.scalar_type()
                     ? "another thread cuts it"
                     : "a tensor is seen as another type");
        isStable = false;
        break;
      }
      if (found && found != graph &&
          ((found->key && graph->key) || found->stream != graph->stream)) {
        cutGraph(lock, sharedOf(graph),
                 found->stream != graph->stream ? "another stream is used"
                                                : "two graphs that draw meet");
        isStable = false;
        break;
      }
      if (found && found != graph)
        merge(*found, *graph);
      else
        found = graph;
    }
    if (!isStable)
      continue;
    std::weak_ptr<Pending> &home = homes[card.index()];
    std::shared_ptr<Pending> mine = found ? sharedOf(found) : home.lock();
    if (mine && (mine->cutBy != std::thread::id() || !sharedOf(mine.get())))
      mine.reset(); // cut, or merged
    if (!mine) {
      mine = std::make_shared<Pending>();
      mine->card = &card;
      mine->stream = card.currentStream();
      all.graphs.push_back(mine);
      waiting.store(all.graphs.size());
    }
    if (mine->stream != card.currentStream()) {
      cutGraph(lock, std::move(mine), "another stream is used");
      continue;
    }
    if (draws) {
      const at::Generator &generator = defaultGenerator(card.index());
      const uint64_t epoch = epochOf(generator);
      if (mine->key && mine->epoch != epoch) {
        cutGraph(lock, std::move(mine), "the generator was set, or read");
        continue;
      }
      if (!mine->key)
        mine->key = drawKey(generator), mine->epoch = epoch;
    }
    home = mine;
    mine->threads.insert(std::this_thread::get_id());
    return mine;
  }
}

} // namespace

// --- interface ---------------------------------------------------------------

void lazy::setMode(int mode) { modeOfProcess = mode; }
int lazy::mode() { return modeOfProcess; }

bool lazy::isOn() {
  return modeOfProcess.load(std::memory_order_relaxed) != 0 && eagerDepth == 0;
}

lazy::Eagerly::Eagerly() { ++eagerDepth; }
lazy::Eagerly::~Eagerly() { --eagerDepth; }

lazy::Reading::Reading(const char *why) : isOutermost(!readingWhy) {
  if (isOutermost)
    readingWhy = why;
}
lazy::Reading::~Reading() {
  if (isOutermost)
    readingWhy = nullptr;
}

c10::Allocator &lazy::allocator() { return deferred; }

Tensor lazy::makeTensor(at::IntArrayRef sizes, at::IntArrayRef strides,
                        at::ScalarType type) {
  const Making making("aten::empty_strided", sizes, type);
  return Tensor(at::detail::empty_strided_generic(
      sizes, strides, &deferred, c10::DispatchKeySet(c10::DispatchKey::HPU),
      type));
}

std::vector<Tensor> lazy::record(const Card &card,
                                 std::shared_ptr<Decision> decision,
                                 const std::string &op,
                                 at::ArrayRef<Tensor> operands,
                                 at::ArrayRef<at::Scalar> numbers) {
  const Sketch &sketch = *decision->sketch;
  std::vector<Tensor> results;
  results.reserve(sketch.results.size());
  for (const ResultSpec &spec : sketch.results)
    results.push_back(makeTensor(spec.sizes, spec.strides, spec.type));
  Step step;
  step.op = &op;
  step.numbers.assign(numbers.begin(), numbers.end());
  if (Notes::areKept()) {
    const py::gil_scoped_acquire gil;
    step.place = Notes::place(true);
  }
  State &all = state();
  std::unique_lock lock(all.mutex);
  std::shared_ptr<Pending> graph = graphFor(lock, card, operands, sketch.draws);
  for (const Tensor &each : operands) {
    c10::StorageImpl *storage = each.storage().unsafeGetStorageImpl();
    const auto [found, isNew] = all.places.emplace(
        storage, Home{graph.get(), int64_t(graph->held.size())});
    if (isNew)
      graph->held.push_back({each.storage(), each.scalar_type(), false});
    step.operands.push_back({found->second.place, each.storage_offset()});
  }
  for (int64_t written : sketch.writes)
    write(graph->held[size_t(step.operands[size_t(written)].place)], op);
  for (const Tensor &each : results) {
    step.results.push_back(int64_t(graph->held.size()));
    all.places.emplace(each.storage().unsafeGetStorageImpl(),
                       Home{graph.get(), int64_t(graph->held.size())});
    graph->held.push_back({each.storage(), each.scalar_type(), true, &op});
  }
  step.decision = std::move(decision);
  graph->steps.push_back(std::move(step));
  stepCount.fetch_add(1, std::memory_order_relaxed);
  if (modeOfProcess == 2 || graph->steps.size() >= limits().steps)
    cutGraph(lock, std::move(graph), "the limit of ops");
  else if (modeOfProcess == 3 && isAtRandom())
    cutGraph(lock, std::move(graph), "PT_HPU_LAZY_MODE=3");
  return results;
}

bool lazy::isDeferred(const void *memory) {
  return hasNoMemory(reinterpret_cast<uint64_t>(memory));
}

void lazy::resolve(c10::StorageImpl &storage) {
  if (waiting.load(std::memory_order_relaxed)) {
    State &all = state();
    std::unique_lock lock(all.mutex);
    const auto found = all.places.find(&storage);
    if (found != all.places.end())
      cutGraph(lock, sharedOf(found->second.graph), "memory is read");
  }
  if (storage.nbytes() != 0)
    materialize(storage, "aten::empty", at::kByte);
}

static void cutWhere(const char *reason, c10::DeviceIndex card, bool isAll,
                     int64_t stream) {
  State &all = state();
  const std::thread::id self = std::this_thread::get_id();
  if (!waiting.load(std::memory_order_relaxed))
    return;
  std::unique_lock lock(all.mutex);
  // Those of a thread of autograd are of whoever comes first.
  const auto isOurs = [&](const Pending &graph) {
    return isAll || graph.stream == stream || graph.threads.count(self) ||
           std::none_of(graph.threads.begin(), graph.threads.end(),
                        [&](std::thread::id each) {
                          return each != self && all.stepping.count(each);
                        });
  };
  for (;;) {
    std::shared_ptr<Pending> next;
    for (const auto &each : all.graphs)
      if ((card < 0 || each->card->index() == card) && each->cutBy != self &&
          isOurs(*each))
        next = each;
    if (!next)
      return;
    cutGraph(lock, std::move(next), reason);
  }
}

void lazy::cut(const char *reason, c10::DeviceIndex card,
               std::optional<c10::StreamId> stream) {
  cutWhere(reason, card, false, stream.value_or(-1));
}
void lazy::endStep(const char *reason) {
  thread_local bool isKnown = false;
  if (!isKnown) {
    State &all = state();
    const std::lock_guard lock(all.mutex);
    all.stepping.insert(std::this_thread::get_id());
    isKnown = true;
  }
  cut(reason);
}
void lazy::cutAll(const char *reason, c10::DeviceIndex card) {
  cutWhere(reason, card, true, -1);
}

lazy::Counts lazy::counts() {
  State &all = state();
  const std::lock_guard lock(all.cacheMutex);
  return {stepCount, cutCount, hitCount,
          missCount, waiting,  all.compiled.size()};
}

std::vector<lazy::Cut> lazy::takeCuts() {
  State &all = state();
  const std::lock_guard lock(all.mutex);
  std::vector<Cut> taken(all.cuts.begin(), all.cuts.end());
  all.cuts.clear();
  return taken;
}

void lazy::reset() {
  State &all = state();
  decltype(all.compiled) gone;
  {
    const std::lock_guard lock(all.cacheMutex);
    gone.swap(all.compiled);
  }
  stepCount = cutCount = hitCount = missCount = 0;
}
