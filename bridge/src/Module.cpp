// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The extension module habana_frameworks.torch._C.
#include "Autocast.h"
#include "Card.h"
#include "Eager.h"
#include "Generator.h"
#include "Graph.h"
#include "History.h"
#include "Lazy.h"
#include "Migration.h"
#include "Notes.h"
#include "Observer.h"
#include "Plan.h"
#include "Profiler.h"
#include "Tensors.h"

#include "gaudi-c/Monitoring.h"

#include <ATen/ops/scalar_tensor.h>
#include <ATen/record_function.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/Event.h>
#include <torch/csrc/Generator.h>
#include <torch/csrc/utils/pybind.h>
#include <torch/csrc/utils/tensor_dtypes.h>

namespace py = pybind11;
using namespace gaudi::bridge;
using at::Tensor;

namespace {

/// The recipe is that of gaudi_mlir: Recipe.handle.
using Results = std::vector<
    std::tuple<std::vector<int64_t>, std::vector<int64_t>, at::ScalarType>>;

std::vector<ResultSpec> specsOf(const Results &results) {
  std::vector<ResultSpec> specs;
  for (const auto &[sizes, strides, type] : results)
    specs.push_back({sizes, strides, type});
  return specs;
}

std::shared_ptr<Program> makeProgram(uintptr_t recipe, const std::string &name,
                                     const Results &results) {
  return std::make_shared<Program>(
      reinterpret_cast<const GaudiRecipe *>(recipe), name, specsOf(results));
}

const Card &cardOf(const std::vector<Tensor> &inputs) {
  c10::DeviceIndex index = -1;
  for (const Tensor &each : inputs) {
    if (!each.is_hpu())
      continue;
    TORCH_CHECK(index < 0 || index == each.get_device(),
                "a compiled graph has tensors on hpu:", int(index), " and on ",
                each.device(),
                ", and a launch is on one card: compile a "
                "function for each");
    index = each.get_device();
  }
  return Card::get(index);
}

/// Launches on tensors in any layout; those of the host that have more than one
/// element are refused.
std::vector<Tensor> launchProgram(Program &program,
                                  std::vector<Tensor> inputs) {
  const Card &card = cardOf(inputs);
  for (Tensor &each : inputs)
    if (each.is_hpu())
      each = each.resolve_conj().resolve_neg().contiguous();
  std::vector<Tensor> outputs;
  const lazy::Reading reading("a compiled graph takes a tensor");
  RECORD_FUNCTION(program.title(), std::vector<c10::IValue>());
  program.launch(card, inputs, outputs);
  return outputs;
}

py::dict memoryStats(c10::DeviceIndex index) {
  const GaudiMemoryStats stats = Card::get(index).memoryStats();
  py::dict result;
  result["Limit"] = stats.limit;
  result["InUse"] = stats.inUse;
  result["MaxInUse"] = stats.maxInUse;
  result["NumAllocs"] = stats.numAllocs;
  result["NumFrees"] = stats.numFrees;
  result["ActiveAllocs"] = stats.activeAllocs;
  result["MaxAllocSize"] = stats.maxAllocSize;
  result["TotalSystemAllocs"] = stats.totalAllocs;
  result["TotalSystemFrees"] = stats.totalFrees;
  result["TotalActiveAllocs"] = stats.totalAllocs - stats.totalFrees;
  return result;
}

py::str takeText(char *text) {
  py::str result(text);
  gaudiTextDestroy(text);
  return result;
}

py::dict clockOf(c10::DeviceIndex index) {
  GaudiClockTimes times;
  times.size = sizeof(times);
  check(gaudiDeviceClock(Card::get(index).device(), &times));
  py::dict result;
  result["elapsed"] = times.elapsed;
  result["host"] = times.host;
  // "host" is the time of the host's calls.
  static const char *const names[] = {
      "MME", "TPC", "DMA", "NIC", "host loops", "copy up", "copy down"};
  for (int queue = 0; queue != GAUDI_CARD_QUEUES; ++queue)
    result[names[queue]] = times.busy[queue];
  return result;
}

void bindDevice(py::module_ &module) {
  module.def("device_count", [] { return int(Card::count()); });
  module.def("current_device", [] { return int(Card::current()); });
  module.def("check_index", [](int index) { Card::indexOf(index); });
  module.def("exchange_device", [](int index) {
    return int(Card::exchange(Card::indexOf(index)));
  });
  module.def("current_stream", [](int index) {
    const Card *card = Card::ifOpen(Card::indexOf(index));
    return card ? int64_t(card->currentStream()) : 0;
  });
  // PyTorch's own takes no class derived from torch.Event.
  module.def("elapsed_time", [](py::handle begin, py::handle end) {
    TORCH_CHECK_TYPE(THPEvent_Check(begin.ptr()) && THPEvent_Check(end.ptr()),
                     "elapsed_time: expected an event");
    return reinterpret_cast<THPEvent *>(begin.ptr())
        ->event.elapsedTime(reinterpret_cast<THPEvent *>(end.ptr())->event);
  });
  module.def("is_forked", [] { return Card::isForked(); });
  module.def("limit_cards", [](int count) { Card::limit(count); });
  module.def("migrate", &migrate, py::arg("converted"), py::arg("attributes"),
             py::arg("text"));
  module.def("is_op_name", &isOpName);
  module.def("set_cast_rules",
             [](const std::unordered_map<std::string, std::string> &byName,
                const std::string &others, bool isVerbose) {
               const std::unordered_map<std::string, CastRule> rules = {
                   {"lower", CastRule::Lower},
                   {"float", CastRule::Float},
                   {"widest", CastRule::Widest},
                   {"first", CastRule::First}};
               CastRules made{{}, rules.at(others), isVerbose};
               for (const auto &[name, rule] : byName)
                 made.byName.emplace(name, rules.at(rule));
               setCastRules(std::move(made));
             });
  module.def("clear_cast_rules", [] { setCastRules(std::nullopt); });
  module.def("init", [](int index) { Card::get(c10::DeviceIndex(index)); });
  module.def("is_open", [](int index) {
    return Card::ifOpen(Card::indexOf(index)) != nullptr;
  });
  module.def("kind", [](int index) {
    const GaudiStringRef kind =
        gaudiDeviceKind(Card::get(c10::DeviceIndex(index)).device());
    return std::string(kind.data, kind.length);
  });
  module.def("module_id", [](int index) {
    return gaudiDeviceModule(Card::get(c10::DeviceIndex(index)).device());
  });
  module.def("capacity", [](int index) {
    return gaudiDeviceCapacity(Card::get(c10::DeviceIndex(index)).device());
  });
  module.def(
      "synchronize",
      [](int index) {
        lazy::cutAll("the card is waited for", c10::DeviceIndex(index));
        Card::get(c10::DeviceIndex(index)).synchronize();
      },
      py::call_guard<py::gil_scoped_release>());
  module.def("memory_stats",
             [](int index) { return memoryStats(c10::DeviceIndex(index)); });
  module.def("memory_summary", [](int index) {
    char *text = nullptr;
    check(gaudiDeviceMemorySummary(Card::get(c10::DeviceIndex(index)).device(),
                                   &text));
    return takeText(text);
  });
  module.def("record_memory", [](bool events, bool frames, bool framesOfFrees,
                                 size_t maxEvents, bool clears) {
    recordMemory({events, frames, framesOfFrees, maxEvents}, clears);
  });
  module.def("set_internal", &setInternal);
  module.def("line_of_script", &lineOfScript);
  module.def("stop_recording_memory", &stopRecording);
  module.def("memory_snapshot", &memorySnapshot);
  module.def("reset_peak_memory", [](int index) {
    check(gaudiDeviceResetPeakMemory(
        Card::get(c10::DeviceIndex(index)).device()));
  });
  module.def("reset_accumulated_memory", [](int index) {
    check(gaudiDeviceResetAccumulatedMemory(
        Card::get(c10::DeviceIndex(index)).device()));
  });
  module.def("clock",
             [](int index) { return clockOf(c10::DeviceIndex(index)); });
  module.def("begin_trace", [](int index) {
    check(gaudiDeviceBeginTrace(Card::get(c10::DeviceIndex(index)).device()));
  });
  module.def("write_trace", [](int index, const std::string &path) {
    check(gaudiDeviceWriteTrace(Card::get(c10::DeviceIndex(index)).device(),
                                path.c_str()));
  });
  module.def("default_generator", [](int index) {
    return py::reinterpret_steal<py::object>(
        THPGenerator_Wrap(defaultGenerator(c10::DeviceIndex(index))));
  });
  // For a launch: of the host, or of the card if the launch is captured.
  module.def("draw_key", [](int index) {
    const Card &card = Card::get(c10::DeviceIndex(index));
    const at::Generator &generator = defaultGenerator(card.index());
    if (Graph *graph = capturedBy(card))
      return graph->draw(generator);
    return at::scalar_tensor(drawKey(generator), at::kLong);
  });
}

/// Of a function of Python that is called for each event.
struct Subscription {
  py::function function;
  uint64_t number = 0;

  static void call(void *context, GaudiEventId, int64_t microseconds,
                   const GaudiEventParameter *parameters, size_t count) {
    if (!Py_IsInitialized())
      return;
    const py::gil_scoped_acquire lock;
    py::dict values;
    for (size_t index = 0; index != count; ++index) {
      const GaudiEventParameter &each = parameters[index];
      py::object value;
      if (each.kind == GaudiEventInteger)
        value = py::int_(each.integer);
      else if (each.kind == GaudiEventNumber)
        value = py::float_(each.number);
      else
        value = py::str(each.text.data, each.text.length);
      values[py::str(each.name.data, each.name.length)] = value;
    }
    try {
      static_cast<Subscription *>(context)->function(microseconds, values);
    } catch (py::error_already_set &error) {
      error.discard_as_unraisable("a callback of an event of hpu");
    }
  }
  explicit Subscription(int event, py::function given)
      : function(std::move(given)) {
    check(gaudiEventSubscribe(GaudiEventId(event), &call, this, &number));
  }
  void end() {
    // A callback may be waiting for the lock of Python.
    const py::gil_scoped_release release;
    gaudiEventUnsubscribe(std::exchange(number, 0));
  }
  ~Subscription() {
    if (number)
      end();
  }
};

void bindMonitoring(py::module_ &module) {
  module.def("emit_mark_step",
             [] { check(gaudiEventEmit(GaudiEventMarkStep, nullptr, 0)); });
  module.def(
      "log", [](const std::string &name, int level, const std::string &text) {
        check(gaudiLogWrite(name.c_str(), GaudiLogLevel(level), text.c_str()));
      });
  py::class_<Subscription>(module, "Subscription")
      .def(py::init<int, py::function>(), py::arg("event"), py::arg("function"))
      .def("end", &Subscription::end);
  module.def("log_modules", [] {
    std::vector<std::string> names;
    for (size_t index = 0;; ++index) {
      const GaudiStringRef name = gaudiLogModule(index);
      if (!name.data)
        return names;
      names.emplace_back(name.data, name.length);
    }
  });
  module.def("log_level", [](const std::string &name) {
    GaudiLogLevel level = GaudiLogOff;
    check(gaudiLogGetLevel(name.c_str(), &level));
    return int(level);
  });
  module.def("set_log_level", [](const std::string &name, int level) {
    check(gaudiLogSetLevel(name.c_str(), GaudiLogLevel(level)));
  });
}

Limits limitsOf(const std::tuple<int64_t, int64_t, double> &limits) {
  const auto [least, most, largest] = limits;
  return {least, most, largest};
}

void bindPrograms(py::module_ &module) {
  py::class_<Program, std::shared_ptr<Program>>(module, "Program")
      .def(py::init(&makeProgram), py::arg("recipe"), py::arg("name"),
           py::arg("results"))
      .def("launch", &launchProgram, py::arg("inputs"),
           py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("number", &Program::number)
      .def_property_readonly("title", &Program::title);
  module.def("living_programs", &Program::living);
  py::class_<Plan>(module, "Plan")
      .def(py::init([](std::shared_ptr<Program> program,
                       std::vector<int64_t> slots,
                       std::vector<std::vector<int64_t>> returns,
                       std::vector<bool> areLists,
                       std::vector<std::pair<int64_t, int64_t>> writes,
                       std::vector<std::pair<int64_t, at::ScalarType>> numbers,
                       std::tuple<int64_t, int64_t, double> limits) {
             return Plan{std::move(program), std::move(slots),
                         std::move(returns), std::move(areLists),
                         std::move(writes),  std::move(numbers),
                         limitsOf(limits)};
           }),
           py::arg("program"), py::arg("slots"), py::arg("returns"),
           py::arg("are_lists"), py::arg("writes"), py::arg("numbers"),
           py::arg("limits"));
  py::class_<Decision>(module, "Decision")
      .def(py::init([](const Plan &plan) {
        Decision decision;
        decision.plan = plan;
        return decision;
      }))
      .def(py::init([](const std::string &reason, bool isError, bool isKept) {
             Decision decision;
             decision.reason = reason;
             decision.isError = isError;
             decision.isKept = isKept;
             return decision;
           }),
           py::arg("reason"), py::arg("is_error"), py::arg("is_kept") = true)
      .def(py::init([](const Sketch &sketch) {
        Decision decision;
        decision.sketch = sketch;
        return decision;
      }))
      .def(py::init([](py::function function) {
        Decision decision;
        decision.function = std::move(function);
        return decision;
      }));
  py::class_<Sketch>(module, "Sketch")
      .def(
          py::init([](py::object python, const Results &results,
                      std::vector<std::vector<int64_t>> returns,
                      std::vector<bool> areLists, std::vector<int64_t> writes,
                      std::vector<std::pair<int64_t, at::ScalarType>> numbers,
                      std::tuple<int64_t, int64_t, double> limits, bool draws) {
            return Sketch{std::move(python),  specsOf(results),
                          std::move(returns), std::move(areLists),
                          std::move(writes),  std::move(numbers),
                          limitsOf(limits),   draws};
          }),
          py::arg("python"), py::arg("results"), py::arg("returns"),
          py::arg("are_lists"), py::arg("writes"), py::arg("numbers"),
          py::arg("limits"), py::arg("draws"));
  module.def("eager_counts", [] {
    const EagerCounts counts = eagerCounts();
    return std::make_tuple(counts.hits, counts.misses, counts.onCpu);
  });
  module.def("eager_cache_size", &eagerCacheSize);
  module.def("reset_eager", &resetEager);
}

void bindLazy(py::module_ &module) {
  module.def("set_lazy_mode", &lazy::setMode);
  module.def("lazy_mode", &lazy::mode);
  const auto released = py::call_guard<py::gil_scoped_release>();
  module.def(
      "cut", [](const std::string &why) { lazy::cut(why.c_str()); }, released);
  module.def(
      "end_step", [](const std::string &why) { lazy::endStep(why.c_str()); },
      released);
  module.def(
      "cut_all", [](const std::string &why) { lazy::cutAll(why.c_str()); },
      released);
  module.def("lazy_counts", [] {
    const lazy::Counts counts = lazy::counts();
    py::dict result;
    result["steps"] = counts.steps, result["cuts"] = counts.cuts;
    result["hits"] = counts.hits, result["misses"] = counts.misses;
    result["waiting"] = counts.waiting, result["kept"] = counts.kept;
    return result;
  });
  module.def("take_cuts", [] {
    py::list rows;
    for (const lazy::Cut &each : lazy::takeCuts())
      rows.append(py::make_tuple(each.reason, each.file, each.line, each.graph,
                                 each.steps, each.programs, each.isHit));
    return rows;
  });
  module.def("keep_notes", &Notes::keep, py::arg("wanted"),
             py::arg("values") = false);
  module.def("keeps_notes", &Notes::areKept);
  module.def("take_notes", &Notes::take);
  module.def("set_module", &Notes::setModule);
  const auto described = [](const Place &place) {
    py::object file = py::none();
    if (place.code)
      file = py::reinterpret_borrow<py::object>(place.code->co_filename);
    return py::make_tuple(file, place.line, place.module ? *place.module : "",
                          place.isBackward);
  };
  // Of an op that has not gone through autograd.
  module.def("place_of_op",
             [described] { return described(Notes::place(false)); });
  module.def("last_place",
             [described] { return described(Notes::lastPlace()); });
  module.def("set_observer", &Observation::setObserver);
}

void bindGraphs(py::module_ &module) {
  py::class_<Graph, std::shared_ptr<Graph>>(module, "Graph")
      .def(py::init<>())
      .def("begin_capture", &Graph::beginCapture)
      .def("end_capture", &Graph::endCapture)
      .def("abandon_capture", &Graph::abandonCapture)
      .def("replay", &Graph::replay, py::arg("bound") = py::list(),
           py::call_guard<py::gil_scoped_release>())
      .def("reset", &Graph::reset)
      .def("free_between_replays", &Graph::freeBetweenReplays)
      .def("uses", &Graph::uses, py::arg("tensor"))
      .def_property_readonly("is_captured", &Graph::isCaptured)
      .def_property_readonly(
          "card", [](const Graph &graph) { return int(graph.card()); })
      .def("__len__", &Graph::size);
  module.def("is_capturing", [](int index) {
    const Card *card = Card::ifOpen(c10::DeviceIndex(index));
    return card && capturedBy(*card) != nullptr;
  });
  module.def("refuse_capture", [](int index, const std::string &what) {
    if (const Card *card = Card::ifOpen(c10::DeviceIndex(index)))
      refuseCapture(*card, what);
  });
}

} // namespace

PYBIND11_MODULE(_C, module) {
  module.doc() = "The device type \"hpu\" of PyTorch as an emulated Gaudi.";
  registerEager();
  registerProfiler();
  bindDevice(module);
  bindMonitoring(module);
  bindPrograms(module);
  bindLazy(module);
  bindGraphs(module);
}
