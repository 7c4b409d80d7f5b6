// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Subscriptions, and the calls of their callbacks.
#include "Gaudi/Monitoring/Events.h"

#include "Environment.h"
#include "Gaudi/Monitoring/Log.h"
#include "State.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <pthread.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace gaudi::monitoring {
namespace {

struct Subscriber {
  Subscription number;
  std::function<void(const Event &)> callback;
  unsigned running = 0; // calls
  bool hasEnded = false;
};
using Subscribers = std::vector<std::shared_ptr<Subscriber>>;

/// All subscriptions. Lives as long as the process.
struct Dispatcher {
  std::mutex mutex;
  std::condition_variable callEnded;
  Subscription last = 0;
  /// Copied to change them, so that who calls them needs no lock.
  std::array<std::shared_ptr<const Subscribers>, eventCount> lists;
  /// A child has none of the calls that other threads of its parent are in.
  uint64_t forks = 0;

  Dispatcher() {
    lists.fill(std::make_shared<const Subscribers>());
    // Without memory for the handlers a child of a busy parent may hang.
    ::pthread_atfork([] { instance().mutex.lock(); },
                     [] { instance().mutex.unlock(); },
                     [] { instance().becomeChild(); });
  }

  static Dispatcher &instance() {
    static Dispatcher *dispatcher = new Dispatcher;
    return *dispatcher;
  }

  void becomeChild() {
    ++forks;
    for (const auto &list : lists)
      for (const auto &subscriber : *list)
        subscriber->running = 0;
    mutex.unlock();
  }
};

const bool hasCacheEvents = isSet("PT_HPU_ENABLE_CACHE_METRICS");

/// How many callbacks the thread is in.
thread_local unsigned depth = 0;

void call(Subscriber &subscriber, const Event &event) {
  Dispatcher &all = Dispatcher::instance();
  uint64_t forks;
  {
    const std::lock_guard<std::mutex> guard(all.mutex);
    if (subscriber.hasEnded)
      return;
    ++subscriber.running;
    forks = all.forks;
  }
  ++depth;
  subscriber.callback(event);
  --depth;
  const std::lock_guard<std::mutex> guard(all.mutex);
  if (forks == all.forks)
    --subscriber.running;
  if (subscriber.hasEnded)
    all.callEnded.notify_all();
}

constexpr std::array<std::string_view, eventCount> names = {
    "GRAPH_COMPILE",   "MARK_STEP",    "PROCESS_EXIT",
    "DEVICE_ACQUIRED", "CUSTOM_EVENT", "MEMORY_DEFRAGMENTATION",
    "CPU_FALLBACK",    "CACHE_HIT",    "CACHE_MISS",
    "OUT_OF_MEMORY"};

} // namespace

std::mutex &stateMutex() { return Dispatcher::instance().mutex; }

std::string_view nameOf(EventId id) { return names[unsigned(id)]; }

Subscription addSubscriber(EventId id,
                           std::function<void(const Event &)> callback) {
  Dispatcher &all = Dispatcher::instance();
  const std::lock_guard<std::mutex> guard(all.mutex);
  auto &list = all.lists[unsigned(id)];
  auto changed = std::make_shared<Subscribers>(*list);
  changed->push_back(std::make_shared<Subscriber>(
      Subscriber{all.last + 1, std::move(callback)}));
  list = std::move(changed);
  return ++all.last;
}

Subscription subscribe(EventId id,
                       std::function<void(const Event &)> callback) {
  startMetrics();
  return addSubscriber(id, std::move(callback));
}

void unsubscribe(Subscription subscription) {
  Dispatcher &all = Dispatcher::instance();
  std::unique_lock<std::mutex> guard(all.mutex);
  for (auto &list : all.lists) {
    const std::shared_ptr<const Subscribers> before = list;
    const auto found =
        std::find_if(before->begin(), before->end(), [&](const auto &each) {
          return each->number == subscription;
        });
    if (found == before->end())
      continue;
    auto changed = std::make_shared<Subscribers>(*before);
    changed->erase(changed->begin() + (found - before->begin()));
    list = std::move(changed);
    Subscriber &subscriber = **found;
    subscriber.hasEnded = true;
    // Two callbacks that end each other's subscriptions must not wait.
    if (depth == 0)
      all.callEnded.wait(guard, [&] { return subscriber.running == 0; });
    return;
  }
}

void emitEvent(EventId id, const EventParameter *parameters, size_t count) {
  startMetrics();
  std::shared_ptr<const Subscribers> list;
  {
    const std::lock_guard<std::mutex> guard(stateMutex());
    list = Dispatcher::instance().lists[unsigned(id)];
  }
  const Event event{id, std::chrono::system_clock::now(), parameters, count};
  for (const auto &subscriber : *list)
    call(*subscriber, event);
}

void emitGraphCompile(int64_t microseconds, std::string_view recipe) {
  GAUDI_LOG(Bridge, Debug, "compiled '{}' in {} us", recipe, microseconds);
  emitEvent(EventId::GraphCompile,
            {{"duration", microseconds}, {"recipe", recipe}});
}

void emitCacheLookup(bool isHit, std::string_view recipeId) {
  if (hasCacheEvents)
    emitEvent(isHit ? EventId::CacheHit : EventId::CacheMiss,
              {{"recipe_id", recipeId}});
}

void emitCpuFallback(std::string_view op, std::string_view operands) {
  const size_t colon = op.rfind(':');
  GAUDI_LOG(Fallback, Debug, "CPU fallback {} : {}",
            colon == op.npos ? op : op.substr(colon + 1), operands);
  emitEvent(EventId::CpuFallback, {{"op_name", op}});
}

void emitDefragmentation(bool isSuccess, double milliseconds) {
  GAUDI_LOG(DevMem, Info, "defragmentation {} after {} ms",
            isSuccess ? "succeeded" : "failed", milliseconds);
  emitEvent(EventId::MemoryDefragmentation,
            {{"success", int64_t(isSuccess)}, {"milliseconds", milliseconds}});
}

void emitOutOfMemory(uint64_t bytes, std::string_view explanation) {
  GAUDI_LOG(DevMem, Error, "{}", explanation);
  emitEvent(EventId::OutOfMemory, {{"size", int64_t(bytes)}});
}

void emitDeviceAcquired(std::string_view device) {
  // Without memory for the handler there is no event at the end.
  [[maybe_unused]] static const int registered = std::atexit(emitProcessExit);
  GAUDI_LOG(Device, Info, "acquired a {}", device);
  emitEvent(EventId::DeviceAcquired, {{"device", device}});
}

void emitProcessExit() {
  static std::atomic<pid_t> ended{0};
  if (ended.exchange(::getpid()) != ::getpid())
    emitEvent(EventId::ProcessExit);
}

} // namespace gaudi::monitoring
