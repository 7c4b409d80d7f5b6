// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Subscriptions under threads, in callbacks and after fork().
#include "Gaudi/Monitoring/Events.h"

#include <atomic>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace gaudi::monitoring;

namespace {

TEST(Events, ArriveWithTheirParameters) {
  std::vector<std::string> seen;
  const auto note = [&](const Event &event) {
    seen.push_back(std::string(nameOf(event.id)) + " " +
                   std::to_string(event.get<int64_t>("duration", -1)) + " " +
                   std::string(event.get<std::string_view>("recipe", "none")));
    EXPECT_LT(std::chrono::system_clock::now() - event.time,
              std::chrono::minutes(1));
  };
  const Subscription first = subscribe(EventId::GraphCompile, note);
  const Subscription second = subscribe(EventId::MarkStep, note);
  emitGraphCompile(12, "matmul");
  emitEvent(EventId::MarkStep);
  unsubscribe(first);
  emitGraphCompile(13, "other");
  unsubscribe(second);
  unsubscribe(second);
  EXPECT_EQ(seen, (std::vector<std::string>{"GRAPH_COMPILE 12 matmul",
                                            "MARK_STEP -1 none"}));
}

TEST(Events, ParametersOfEach) {
  double milliseconds = 0;
  int64_t success = -1, bytes = 0;
  std::string op;
  const std::vector<Subscription> all = {
      subscribe(EventId::MemoryDefragmentation,
                [&](const Event &event) {
                  milliseconds = event.get<double>("milliseconds");
                  success = event.get<int64_t>("success", -1);
                }),
      subscribe(
          EventId::OutOfMemory,
          [&](const Event &event) { bytes = event.get<int64_t>("size"); }),
      subscribe(EventId::CpuFallback, [&](const Event &event) {
        op = event.get<std::string_view>("op_name");
      })};
  emitDefragmentation(false, 2.5);
  emitOutOfMemory(1 << 20, "too much");
  emitCpuFallback("aten::digamma", "self=HPUBFloat16Type");
  for (const Subscription each : all)
    unsubscribe(each);
  EXPECT_EQ(milliseconds, 2.5);
  EXPECT_EQ(success, 0);
  EXPECT_EQ(bytes, 1 << 20);
  EXPECT_EQ(op, "aten::digamma");
}

TEST(Events, CallbacksMayDoEverything) {
  int inner = 0, outer = 0;
  Subscription own = 0;
  own = subscribe(EventId::CustomEvent, [&](const Event &) {
    ++outer;
    const Subscription nested =
        subscribe(EventId::MarkStep, [&](const Event &) { ++inner; });
    emitEvent(EventId::MarkStep);
    unsubscribe(nested);
    unsubscribe(own);
  });
  emitEvent(EventId::CustomEvent);
  emitEvent(EventId::CustomEvent);
  emitEvent(EventId::MarkStep);
  EXPECT_EQ(outer, 1);
  EXPECT_EQ(inner, 1);
}

TEST(Events, NoCallAfterUnsubscribe) {
  std::atomic<bool> isDone{false};
  std::thread emitter([&] {
    while (!isDone)
      emitEvent(EventId::CustomEvent);
  });
  for (int i = 0; i < 2000; ++i) {
    // What the callback uses is gone afterwards.
    auto count = std::make_unique<std::atomic<int>>(0);
    const Subscription subscription =
        subscribe(EventId::CustomEvent,
                  [counter = count.get()](const Event &) { ++*counter; });
    if (i % 100 == 0)
      while (*count == 0)
        std::this_thread::yield();
    unsubscribe(subscription);
  }
  isDone = true;
  emitter.join();
}

TEST(Events, TwoCallbacksEndEachOther) {
  std::atomic<int> inside{0};
  Subscription first = 0, second = 0;
  const auto meet = [&](Subscription &other) {
    ++inside;
    while (inside < 2)
      std::this_thread::yield();
    unsubscribe(other);
  };
  first = subscribe(EventId::CustomEvent, [&](const Event &) { meet(second); });
  second = subscribe(EventId::MarkStep, [&](const Event &) { meet(first); });
  std::thread other([] { emitEvent(EventId::MarkStep); });
  emitEvent(EventId::CustomEvent);
  other.join();
  EXPECT_EQ(inside, 2);
}

TEST(Events, AChildOfABusyParentGoesOn) {
  std::atomic<bool> isDone{false};
  const Subscription subscription =
      subscribe(EventId::CustomEvent, [](const Event &) {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      });
  std::thread emitter([&] {
    while (!isDone)
      emitEvent(EventId::CustomEvent);
  });
  for (int i = 0; i < 20; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(20);
      emitEvent(EventId::CustomEvent);
      unsubscribe(subscription); // no thread of the child is in a call
      ::_exit(0);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  isDone = true;
  emitter.join();
  unsubscribe(subscription);
}

} // namespace
