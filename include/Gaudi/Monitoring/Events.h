// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happens in this process, told to those who asked: the events of the
// bridge of the real stack, and OUT_OF_MEMORY.
//
// Any thread may call any function. Callbacks run in the thread of the event,
// with no lock held: they may subscribe, unsubscribe, and cause events. They
// must not throw. Metrics (Metrics.h) listen to events from the first one on.
#ifndef GAUDI_MONITORING_EVENTS_H
#define GAUDI_MONITORING_EVENTS_H

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <variant>

namespace gaudi::monitoring {

enum class EventId : uint8_t {
  GraphCompile,          // duration (microseconds), recipe
  MarkStep,              //
  ProcessExit,           //
  DeviceAcquired,        // device
  CustomEvent,           // whatever the caller gives
  MemoryDefragmentation, // success, milliseconds
  CpuFallback,           // op_name
  CacheHit,              // recipe_id
  CacheMiss,             // recipe_id
  OutOfMemory            // size (bytes)
};
constexpr unsigned eventCount = unsigned(EventId::OutOfMemory) + 1;

/// "GRAPH_COMPILE", ...
std::string_view nameOf(EventId id);

struct EventParameter {
  std::string_view name;
  std::variant<int64_t, double, std::string_view> value;
};

struct Event {
  EventId id;
  std::chrono::system_clock::time_point time;
  const EventParameter *parameters; // as long as the callback runs
  size_t count;

  /// The value of a parameter, `absent` if the event has none of that name and
  /// type.
  template <typename T> T get(std::string_view name, T absent = T()) const {
    for (size_t i = 0; i < count; ++i)
      if (const T *value = std::get_if<T>(&parameters[i].value);
          value && parameters[i].name == name)
        return *value;
    return absent;
  }
};

using Subscription = uint64_t;

/// Calls `callback` for each event of that kind from now on.
Subscription subscribe(EventId id, std::function<void(const Event &)> callback);
/// Ends a subscription; one that has ended is ignored. No call is running when
/// it returns, unless it is called in a callback.
void unsubscribe(Subscription subscription);

void emitEvent(EventId id, const EventParameter *parameters, size_t count);
inline void emitEvent(EventId id,
                      std::initializer_list<EventParameter> parameters = {}) {
  emitEvent(id, parameters.begin(), parameters.size());
}

// The events with their parameters, and the lines of the log that go with them.

/// `microseconds`: that the compiler took.
void emitGraphCompile(int64_t microseconds, std::string_view recipe);
/// A lookup of a recipe. Only with PT_HPU_ENABLE_CACHE_METRICS.
void emitCacheLookup(bool isHit, std::string_view recipeId);
/// An op runs on the CPU: "aten::digamma". `operands`: "self=HPUBFloat16Type".
void emitCpuFallback(std::string_view op, std::string_view operands = {});
void emitDefragmentation(bool isSuccess, double milliseconds);
/// `bytes`: that were asked for; `explanation`: what the log says about it.
void emitOutOfMemory(uint64_t bytes, std::string_view explanation);
/// A card was opened; from here on metrics may be dumped. `device`: its kind.
/// At the end of the process PROCESS_EXIT follows.
void emitDeviceAcquired(std::string_view device);
/// The first call of a process emits PROCESS_EXIT, later ones nothing: whoever
/// knows first that the process ends calls it.
void emitProcessExit();

} // namespace gaudi::monitoring

#endif // GAUDI_MONITORING_EVENTS_H
