// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cards do, as activities of torch.profiler: Kineto, which PyTorch has
// inside, takes other profilers beside its own, and asks them when it begins
// and ends. The work of a card carries the number of the op that issued it.
//
// The Python package reads the card's trace
// (habana_frameworks/torch/_trace.py).
#include "Profiler.h"
#include "Card.h"

#include <kineto/libkineto.h>
#include <kineto/output_base.h>
#include <pybind11/stl.h>
#include <torch/csrc/utils/pybind.h>

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace py = pybind11;
using namespace gaudi::bridge;
using libkineto::ActivityType;

namespace {

/// Ops that the calling thread is in, the innermost last.
thread_local std::vector<uint64_t> ops;

py::object call(const char *name, py::tuple arguments = py::tuple()) {
  return py::module_::import("habana_frameworks.torch._trace")
      .attr(name)(*arguments);
}

class Session final : public libkineto::IActivityProfilerSession {
public:
  void start() override {
    const py::gil_scoped_acquire lock;
    try {
      call("begin");
    } catch (const py::error_already_set &error) {
      problems.emplace_back(error.what());
    }
  }

  void stop() override {
    const py::gil_scoped_acquire lock;
    buffer = std::make_unique<libkineto::CpuTraceBuffer>();
    try {
      for (const py::handle each : call("end", py::make_tuple(outermost)))
        add(py::cast<py::tuple>(each));
    } catch (const std::exception &error) {
      problems.emplace_back(error.what());
    }
  }

  std::vector<std::string> errors() override { return problems; }

  void processTrace(libkineto::ActivityLogger &logger) override {
    for (const auto &each : buffer->activities)
      each->log(logger);
  }
  void processTrace(libkineto::ActivityLogger &logger,
                    libkineto::getLinkedActivityCallback linked, int64_t,
                    int64_t) override {
    for (const auto &each : buffer->activities) {
      if (each->id)
        each->linked = linked(each->id);
      each->log(logger);
    }
  }

  std::unique_ptr<libkineto::DeviceInfo> getDeviceInfo() override {
    if (devices.empty())
      return nullptr;
    const int64_t card = *devices.begin();
    const std::string name = "HPU " + std::to_string(card);
    return std::make_unique<libkineto::DeviceInfo>(
        libkineto::DeviceInfo{card, card + libkineto::kExceedMaxPid, name,
                              name + " (predicted time)"});
  }
  std::vector<libkineto::ResourceInfo> getResourceInfos() override {
    std::vector<libkineto::ResourceInfo> infos;
    for (const auto &[card, stream] : streams)
      infos.push_back(
          {stream, stream, card, "stream " + std::to_string(stream)});
    return infos;
  }
  std::unique_ptr<libkineto::CpuTraceBuffer> getTraceBuffer() override {
    return std::move(buffer);
  }

  void pushCorrelationId(uint64_t id) override {
    if (ops.empty()) {
      const py::gil_scoped_acquire lock;
      try {
        call("enter", py::make_tuple(id));
      } catch (const py::error_already_set &) {
        PyErr_Clear(); // a trace without the line
      }
    } else {
      const std::lock_guard lock(mutex);
      outermost[id] = ops.front();
    }
    ops.push_back(id);
    gaudiDeviceSetTraceLabel(id);
  }
  void popCorrelationId() override {
    if (!ops.empty())
      ops.pop_back();
    gaudiDeviceSetTraceLabel(ops.empty() ? 0 : ops.back());
  }

private:
  /// Name, begin, end, card, stream, op, line and module of a piece of work.
  void add(const py::tuple &row) {
    auto made = std::make_unique<libkineto::GenericTraceActivity>(
        buffer->span, ActivityType::HPU_OP, row[0].cast<std::string>());
    made->startTime = row[1].cast<int64_t>();
    made->endTime = row[2].cast<int64_t>();
    made->device = row[3].cast<int32_t>();
    made->resource = row[4].cast<int32_t>();
    made->threadId = made->resource;
    made->id = int32_t(row[5].cast<int64_t>());
    if (made->id) {
      made->flow.id = uint32_t(made->id);
      made->flow.type = libkineto::kLinkAsyncCpuGpu;
      made->flow.start = 0;
    }
    // Not addMetadata(), which would take the library of fmt.
    if (const auto line = row[6].cast<std::string>(); !line.empty())
      made->addMetadataQuoted("line", line);
    if (const auto module = row[7].cast<std::string>(); !module.empty())
      made->addMetadataQuoted("module", module);
    devices.insert(made->device);
    streams.insert({made->device, made->resource});
    buffer->activities.push_back(std::move(made));
  }

  std::unique_ptr<libkineto::CpuTraceBuffer> buffer;
  std::set<int64_t> devices;
  std::set<std::pair<int64_t, int64_t>> streams;
  std::vector<std::string> problems;
  std::mutex mutex;
  std::unordered_map<uint64_t, uint64_t> outermost; // op that an op is in
};

class Profiler final : public libkineto::IActivityProfiler {
public:
  const std::string &name() const override {
    static const std::string text = "gaudi-mlir";
    return text;
  }
  const std::set<ActivityType> &availableActivities() const override {
    static const std::set<ActivityType> types = {ActivityType::HPU_OP};
    return types;
  }
  std::unique_ptr<libkineto::IActivityProfilerSession>
  configure(const std::set<ActivityType> &types,
            const libkineto::Config &) override {
    return types.count(ActivityType::HPU_OP) ? std::make_unique<Session>()
                                             : nullptr;
  }
  std::unique_ptr<libkineto::IActivityProfilerSession>
  configure(int64_t, int64_t, const std::set<ActivityType> &types,
            const libkineto::Config &config) override {
    return configure(types, config);
  }
};

} // namespace

void gaudi::bridge::registerProfiler() {
  libkineto::api().registerProfilerFactory(
      [] { return std::make_unique<Profiler>(); });
}
