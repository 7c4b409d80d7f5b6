// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Metrics and CPU fallbacks. gaudi_mlir/metrics.py makes values of the JSON
// that comes from here.
#include "Native.h"

#include "gaudi-c/Monitoring.h"

#include <memory>
#include <string>

namespace gaudi::python {
namespace {

struct DestroyMetric {
  void operator()(GaudiMetric *metric) const { gaudiMetricDestroy(metric); }
};

class Metric {
public:
  using Make = GaudiError *(*)(const char *, GaudiMetric **);

  static Metric make(const std::string &name, Make function) {
    GaudiMetric *metric = nullptr;
    check(function(name.c_str(), &metric));
    Metric result;
    result.metric.reset(metric);
    return result;
  }

  nb::str stats() const {
    return textOf(
        [&](char **json) { return gaudiMetricStats(metric.get(), json); });
  }
  void reset() { gaudiMetricReset(metric.get()); }
  void stop() {
    // It waits for callbacks that other threads run.
    nb::gil_scoped_release release;
    gaudiMetricStop(metric.get());
  }

private:
  std::unique_ptr<GaudiMetric, DestroyMetric> metric;
};

} // namespace

void registerMonitoring(nb::module_ &module) {
  nb::class_<Metric>(module, "Metric")
      .def("stats", &Metric::stats)
      .def("reset", &Metric::reset)
      .def("stop", &Metric::stop);
  module.def("global_metric", [](const std::string &name) {
    return Metric::make(name, gaudiMetricGlobal);
  });
  module.def("start_metric", [](const std::string &name) {
    return Metric::make(name, gaudiMetricStart);
  });
  module.def("dump_metrics",
             [](const nb::bytes &path, const std::string &format) {
               checkUnlocked([&] {
                 return gaudiMetricsDump(path.c_str(), format.c_str());
               });
             });
  module.def("cpu_fallback",
             [](const std::string &op, const std::string &operands) {
               check(gaudiEventCpuFallback(op.c_str(), operands.c_str()));
             });
  module.def("log_cpu_fallbacks", [] { check(gaudiLogCpuFallbacks()); });
}

} // namespace gaudi::python
