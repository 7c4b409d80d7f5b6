// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logs, events and metrics for callers of the C interface.
#include "gaudi-c/Monitoring.h"

#include "Error.h"
#include "Gaudi/Monitoring/Events.h"
#include "Gaudi/Monitoring/Log.h"
#include "Gaudi/Monitoring/Metrics.h"
#include "GivenText.h"

#include <memory>
#include <string_view>
#include <vector>

using namespace gaudi;
using namespace gaudi::capi;
using monitoring::Event;
using monitoring::EventId;
using monitoring::Level;
using monitoring::Metric;
using monitoring::Module;

static_assert(GaudiLogOff == int(Level::Off) &&
                  GaudiEventOutOfMemory == int(EventId::OutOfMemory) &&
                  GaudiEventCustom == int(EventId::CustomEvent),
              "the numbers are those of the library");

/// Owns local metrics.
struct GaudiMetric {
  Metric *metric;
  std::unique_ptr<Metric> local;
};

namespace {

Result<Module> moduleOf(const char *name) {
  if (const auto module = monitoring::moduleNamed(name))
    return *module;
  return fail("there is no log module '{}'; gaudiLogModule lists them", name);
}

GaudiError *checkLevel(GaudiLogLevel level, GaudiLogLevel highest) {
  if (unsigned(level) <= unsigned(highest))
    return nullptr;
  return makeError(GaudiErrorInvalidArgument,
                   "{} is no log level, expected 0 to {}", unsigned(level),
                   unsigned(highest));
}

GaudiError *checkEvent(GaudiEventId event) {
  if (unsigned(event) < monitoring::eventCount)
    return nullptr;
  return makeError(GaudiErrorInvalidArgument,
                   "{} is no event, expected 0 to {}", unsigned(event),
                   monitoring::eventCount - 1);
}

std::string_view viewOf(GaudiStringRef text) {
  return {text.data, text.length};
}

void callBack(GaudiEventCallback callback, void *context, const Event &event) {
  std::vector<GaudiEventParameter> parameters(event.count);
  for (size_t i = 0; i < event.count; ++i) {
    GaudiEventParameter &to = parameters[i];
    to.name = refOf(event.parameters[i].name);
    const auto &value = event.parameters[i].value;
    to.kind = GaudiEventValue(value.index());
    if (const auto *integer = std::get_if<int64_t>(&value))
      to.integer = *integer;
    else if (const auto *number = std::get_if<double>(&value))
      to.number = *number;
    else
      to.text = refOf(std::get<std::string_view>(value));
  }
  const auto time = std::chrono::duration_cast<std::chrono::microseconds>(
      event.time.time_since_epoch());
  callback(context, GaudiEventId(event.id), time.count(), parameters.data(),
           parameters.size());
}

} // namespace

GaudiStringRef gaudiLogModule(size_t index) {
  return index < monitoring::moduleCount ? refOf(nameOf(Module(index)))
                                         : GaudiStringRef{nullptr, 0};
}

GaudiError *gaudiLogGetLevel(const char *module, GaudiLogLevel *level) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(module, "module"));
    GAUDI_C_CHECK(checkPointer(level, "level"));
    const Module found =
        GAUDI_C_TRY(GaudiErrorInvalidArgument, moduleOf(module));
    *level = GaudiLogLevel(monitoring::levelOf(found));
    return nullptr;
  });
}

GaudiError *gaudiLogSetLevel(const char *module, GaudiLogLevel level) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(module, "module"));
    GAUDI_C_CHECK(checkLevel(level, GaudiLogOff));
    const Module found =
        GAUDI_C_TRY(GaudiErrorInvalidArgument, moduleOf(module));
    monitoring::setLevel(found, Level(level));
    return nullptr;
  });
}

GaudiError *gaudiLogWrite(const char *module, GaudiLogLevel level,
                          const char *text) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(module, "module"));
    GAUDI_C_CHECK(checkPointer(text, "text"));
    GAUDI_C_CHECK(checkLevel(level, GaudiLogCritical));
    const Module found =
        GAUDI_C_TRY(GaudiErrorInvalidArgument, moduleOf(module));
    if (monitoring::isLogged(found, Level(level)))
      monitoring::writeLog(found, Level(level), text);
    return nullptr;
  });
}

GaudiError *gaudiEventSubscribe(GaudiEventId event, GaudiEventCallback callback,
                                void *context, uint64_t *subscription) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkEvent(event));
    if (!callback)
      return makeError(GaudiErrorInvalidArgument, "'callback' is null");
    GAUDI_C_CHECK(checkPointer(subscription, "subscription"));
    *subscription = monitoring::subscribe(
        EventId(event), [callback, context](const Event &told) {
          callBack(callback, context, told);
        });
    return nullptr;
  });
}

void gaudiEventUnsubscribe(uint64_t subscription) {
  monitoring::unsubscribe(subscription);
}

GaudiError *gaudiEventEmit(GaudiEventId event,
                           const GaudiEventParameter *parameters,
                           size_t count) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkEvent(event));
    if (count > 0)
      GAUDI_C_CHECK(checkPointer(parameters, "parameters"));
    std::vector<monitoring::EventParameter> read(count);
    for (size_t i = 0; i < count; ++i) {
      const GaudiEventParameter &from = parameters[i];
      read[i].name = viewOf(from.name);
      switch (from.kind) {
      case GaudiEventInteger:
        read[i].value = from.integer;
        break;
      case GaudiEventNumber:
        read[i].value = from.number;
        break;
      case GaudiEventText:
        read[i].value = viewOf(from.text);
        break;
      default:
        return makeError(GaudiErrorInvalidArgument,
                         "the value of parameter {} of an event has kind {}, "
                         "expected 0 to 2",
                         i, unsigned(from.kind));
      }
    }
    if (event == GaudiEventProcessExit)
      monitoring::emitProcessExit();
    else
      monitoring::emitEvent(EventId(event), read.data(), read.size());
    return nullptr;
  });
}

GaudiError *gaudiEventCpuFallback(const char *op, const char *operands) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(op, "op"));
    monitoring::emitCpuFallback(op, operands ? operands : "");
    return nullptr;
  });
}

GaudiError *gaudiLogCpuFallbacks(void) {
  return guarded([]() -> GaudiError * {
    monitoring::logCpuFallbacks();
    return nullptr;
  });
}

GaudiError *gaudiMetricGlobal(const char *name, GaudiMetric **metric) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(name, "name"));
    GAUDI_C_CHECK(checkPointer(metric, "metric"));
    Metric *found =
        GAUDI_C_TRY(GaudiErrorInvalidArgument, Metric::global(name));
    *metric = new GaudiMetric{found, nullptr};
    return nullptr;
  });
}

GaudiError *gaudiMetricStart(const char *name, GaudiMetric **metric) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(name, "name"));
    GAUDI_C_CHECK(checkPointer(metric, "metric"));
    auto started = GAUDI_C_TRY(GaudiErrorInvalidArgument, Metric::start(name));
    Metric *counting = started.get();
    *metric = new GaudiMetric{counting, std::move(started)};
    return nullptr;
  });
}

void gaudiMetricStop(GaudiMetric *metric) { metric->metric->stop(); }
void gaudiMetricReset(GaudiMetric *metric) { metric->metric->reset(); }

GaudiError *gaudiMetricStats(const GaudiMetric *metric, char **json) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(metric, "metric"));
    GAUDI_C_CHECK(checkPointer(json, "json"));
    give(monitoring::jsonText(metric->metric->stats()), json);
    return nullptr;
  });
}

void gaudiMetricDestroy(GaudiMetric *metric) { delete metric; }

GaudiError *gaudiMetricsDump(const char *path, const char *format) {
  return guarded([&]() -> GaudiError * {
    GAUDI_C_CHECK(checkPointer(path, "path"));
    GAUDI_C_CHECK(checkPointer(format, "format"));
    const auto known = GAUDI_C_TRY(GaudiErrorInvalidArgument,
                                   monitoring::dumpFormatNamed(format));
    GAUDI_C_TRY(GaudiErrorIo, monitoring::dumpMetrics(path, known));
    return nullptr;
  });
}
