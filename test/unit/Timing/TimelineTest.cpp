// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Timelines of a few tasks, computed by hand.
#include "Tasks.h"

#include <chrono>
#include <gtest/gtest.h>

using namespace gaudi::timing;
using gaudi::device::DeviceSpec;

namespace {

constexpr size_t mme = size_t(Queue::Mme), tpc = size_t(Queue::Tpc),
                 dma = size_t(Queue::Dma);

/// Start and end in microseconds.
void expectSpan(const Timeline &line, size_t task, double start, double end) {
  EXPECT_EQ(line.spans[task].start, Picoseconds(start * us)) << "task " << task;
  EXPECT_EQ(line.spans[task].end, Picoseconds(end * us)) << "task " << task;
}

TEST(Timeline, OfNothingIsTheLaunch) {
  DeviceSpec spec = roundDevice();
  EXPECT_EQ(play({}, spec).end, 0);
  spec.launchSeconds.value = 13e-6;
  const Timeline line = play({}, spec);
  EXPECT_EQ(line.launch, 13 * us);
  EXPECT_EQ(line.end, 13 * us);
  EXPECT_TRUE(line.spans.empty() && line.criticalPath.empty());
  const Timeline one = play({task(Queue::Tpc, 2)}, spec);
  expectSpan(one, 0, 13, 15);
  EXPECT_EQ(one.queues[tpc].idleFor[queueCount], 0);
  EXPECT_EQ(one.queues[mme].idleFor[queueCount], 2 * us);
}

TEST(Timeline, OfAChainIsTheSum) {
  const Timeline line = play({task(Queue::Mme, 10), task(Queue::Tpc, 5, {0}),
                              task(Queue::Dma, 3, {1})},
                             roundDevice());
  expectSpan(line, 0, 0, 10);
  expectSpan(line, 1, 10, 15);
  expectSpan(line, 2, 15, 18);
  EXPECT_EQ(line.end, 18 * us);
  EXPECT_EQ(line.criticalPath, (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(line.spans[1].wait, Wait::Dependency);
  EXPECT_EQ(line.spans[1].waitedFor, 0);
  EXPECT_EQ(line.spans[1].waited, 10 * us);
  EXPECT_EQ(line.queues[tpc].idleFor[mme], 10 * us);
  EXPECT_EQ(line.queues[tpc].idleFor[queueCount], 3 * us);
  EXPECT_EQ(line.queues[dma].idleFor[tpc], 15 * us);
  EXPECT_EQ(line.queues[dma].exposed, 3 * us);
}

TEST(Timeline, OverlapsEnginesThatDoNotWait) {
  const Timeline line = play({task(Queue::Mme, 10), task(Queue::Tpc, 4),
                              task(Queue::Tpc, 2), task(Queue::Mme, 1, {1, 2})},
                             roundDevice());
  expectSpan(line, 0, 0, 10);
  expectSpan(line, 1, 0, 4);
  expectSpan(line, 2, 4, 6);
  expectSpan(line, 3, 10, 11);
  EXPECT_EQ(line.spans[2].wait, Wait::Engine);
  EXPECT_EQ(line.spans[2].waitedFor, 1);
  EXPECT_EQ(line.spans[2].waited, 0);
  EXPECT_EQ(line.spans[3].wait, Wait::Engine);
  EXPECT_EQ(line.criticalPath, (std::vector<uint32_t>{0, 3}));
  EXPECT_FALSE(line.spans[1].isCritical);
  EXPECT_EQ(line.queues[mme].busy, 11 * us);
  EXPECT_EQ(line.queues[mme].exposed, 5 * us);
  EXPECT_EQ(line.queues[tpc].exposed, 0);
}

TEST(Timeline, StartsDispatchesFillsAndDrains) {
  Task first = task(Queue::Mme, 10);
  first.cost.launch = 2 * us;
  first.cost.fill = 3 * us;
  first.cost.drain = 1 * us;
  Task second = first;
  Task dependent = task(Queue::Tpc, 1, {1});
  dependent.cost.launch = 4 * us;
  const Timeline line = play({first, second, dependent}, roundDevice());
  // Alone it takes its total; the launch is before the span.
  EXPECT_EQ(first.cost.total(), 16 * us);
  expectSpan(line, 0, 2, 16);
  EXPECT_EQ(line.spans[0].released, 15 * us);
  EXPECT_EQ(line.spans[0].wait, Wait::Dispatch);
  // Launch and fill of the second one are hidden, the drain of the first too.
  expectSpan(line, 1, 15, 26);
  EXPECT_EQ(line.spans[1].released, 25 * us);
  // Dependents wait for the drain, and have been dispatched long ago.
  expectSpan(line, 2, 26, 27);
  EXPECT_EQ(line.end, 27 * us);
}

TEST(Timeline, HidesAFillOnlyAsFarAsOperandsAreThere) {
  Task filled = task(Queue::Mme, 10, {1});
  filled.cost.fill = 3 * us;
  const Timeline line =
      play({task(Queue::Mme, 10), task(Queue::Tpc, 9), filled}, roundDevice());
  // The fill begins at 9 and ends at 12; the engine is free at 10.
  expectSpan(line, 2, 10, 22);
}

TEST(Timeline, SharesBandwidthInHalves) {
  // Each alone moves 1000 bytes in 1 us; together they take 2 us.
  const Timeline line =
      play({reader(Queue::Mme, 1, 1000), reader(Queue::Tpc, 1, 1000)},
           roundDevice());
  expectSpan(line, 0, 0, 2);
  expectSpan(line, 1, 0, 2);
  EXPECT_EQ(line.spans[0].bound, Bound::Read);
  ASSERT_EQ(line.bandwidth.size(), 2u);
  EXPECT_EQ(line.bandwidth[0].hbmRead, 1e9);
  EXPECT_EQ(line.bandwidth[1].time, 2 * us);
  EXPECT_EQ(line.bandwidth[1].hbmRead, 0);
}

TEST(Timeline, SharesBandwidthMaxMinFairly) {
  // Demands 200, 600 and 600 of 1000 bytes per us: the small one gets what it
  // asks for, the others 400 each, two thirds of their speed.
  const Timeline line =
      play({reader(Queue::Mme, 4, 800), reader(Queue::Tpc, 4, 2400),
            reader(Queue::Dma, 4, 2400)},
           roundDevice());
  expectSpan(line, 0, 0, 4);
  // At 4 us each has moved 1600 of its bytes; 500 per us move the rest.
  EXPECT_NEAR(double(line.spans[1].end), 5.6 * us, 2);
  EXPECT_NEAR(double(line.spans[2].end), 5.6 * us, 2);
  EXPECT_EQ(line.spans[0].bound, Bound::Array);
  EXPECT_EQ(line.spans[1].bound, Bound::Read);
}

TEST(Timeline, SharesBandwidthOnlyWhileTasksRunAtOnce) {
  // The first one runs alone for 2 of its 4 us, then at half the speed.
  const Timeline line = play({reader(Queue::Mme, 4, 4000), task(Queue::Tpc, 2),
                              reader(Queue::Dma, 1, 1000, {1})},
                             roundDevice());
  expectSpan(line, 2, 2, 4);
  expectSpan(line, 0, 0, 5);
}

TEST(Timeline, HasTheOverlapOfTheDocumentation) {
  // docs/device-time.md, "Bandwidth".
  DeviceSpec spec = DeviceSpec::all()[1];
  spec.launchSeconds.value = 0;
  const Timeline line =
      play({reader(Queue::Mme, 20, 30000000), reader(Queue::Tpc, 10, 15000000)},
           spec);
  EXPECT_NEAR(double(line.spans[1].end) / us, 14.36, 0.01);
  EXPECT_NEAR(double(line.spans[0].end) / us, 24.36, 0.01);
}

TEST(Timeline, LetsWritersThatFillAPortAloneRunAtFullSpeed) {
  // 1000 bytes read and 1000 written in 1 us: the model of the task says so.
  Task copy = reader(Queue::Dma, 1, 1000);
  copy.cost.hbmWritten = 1000;
  expectSpan(play({copy}, roundDevice()), 0, 0, 1);
}

TEST(Timeline, RunsSmallKernelsSideBySide) {
  Task kernel = task(Queue::Tpc, 10);
  kernel.cost.enginesUsed = 1;
  kernel.cost.launch = 1 * us;
  const Timeline line =
      play({kernel, kernel, kernel, kernel, kernel}, roundDevice());
  // One dispatch after the other; the fifth kernel waits for the first engine.
  expectSpan(line, 0, 1, 11);
  expectSpan(line, 1, 2, 12);
  expectSpan(line, 3, 4, 14);
  expectSpan(line, 4, 11, 21);
  EXPECT_EQ(line.spans[1].wait, Wait::Dispatch);
  EXPECT_EQ(line.spans[4].waitedFor, 0);
  for (uint32_t t = 0; t < 5; ++t)
    EXPECT_EQ(line.spans[t].firstEngine, t % 4);
  EXPECT_EQ(line.queues[tpc].busy, 20 * us);
}

TEST(Timeline, LetsALargeKernelWaitForAllItsEngines) {
  Task small = task(Queue::Tpc, 10), wide = task(Queue::Tpc, 1);
  small.cost.enginesUsed = 1;
  wide.cost.enginesUsed = 4;
  const Timeline line = play({small, wide, small}, roundDevice());
  expectSpan(line, 1, 10, 11);
  // In order: the free engines do not take it earlier.
  expectSpan(line, 2, 11, 21);
  EXPECT_EQ(line.spans[2].firstEngine, 1u);
}

TEST(Timeline, TakesTasksThatNeedNoTime) {
  Task nothing;
  Task after = task(Queue::Tpc, 0, {0});
  const Timeline line =
      play({nothing, after, task(Queue::Mme, 1, {1})}, roundDevice());
  expectSpan(line, 1, 0, 0);
  expectSpan(line, 2, 0, 1);
  EXPECT_EQ(line.end, 1 * us);
}

TEST(Timeline, SaturatesInsteadOfOverflowing) {
  Task endless = reader(Queue::Mme, 1, UINT64_MAX);
  endless.cost.compute = INT64_MAX;
  const Timeline line = play({endless, endless, endless}, roundDevice());
  EXPECT_EQ(line.end, Picoseconds(1) << 62);
}

/// Layers of a product, small kernels that share bandwidth with it, a copy.
std::vector<Task> manyTasks(uint32_t count) {
  std::vector<Task> tasks;
  while (tasks.size() < count) {
    const auto t = uint32_t(tasks.size());
    Task next = t % 7 == 0   ? reader(Queue::Mme, 5, 3000)
                : t % 7 == 6 ? reader(Queue::Dma, 3, 2000)
                             : reader(Queue::Tpc, 1 + t % 5, 1000);
    next.cost.launch = 100000;
    next.cost.fill = 50000 + t % 3;
    next.cost.drain = 30000;
    if (next.queue == Queue::Tpc)
      next.cost.enginesUsed = 1 + t % 3;
    if (t > 2)
      next.dependencies = {{t - 1, t % 7 == 1}, {t - 3, false}};
    next.maxSlices = 4;
    tasks.push_back(std::move(next));
  }
  return tasks;
}

TEST(Timeline, IsTheSameEachTime) {
  const std::vector<Task> tasks = manyTasks(2000);
  const Timeline a = play(tasks, roundDevice()), b = play(tasks, roundDevice());
  ASSERT_EQ(a.pieces.size(), b.pieces.size());
  for (size_t p = 0; p < a.pieces.size(); ++p)
    EXPECT_TRUE(a.pieces[p].start == b.pieces[p].start &&
                a.pieces[p].end == b.pieces[p].end);
  EXPECT_EQ(a.criticalPath, b.criticalPath);
  // Another host gives this number, too: all arithmetic is on integers.
  EXPECT_EQ(a.end, 6116525558);
}

TEST(Timeline, KeepsItsPromisesOnManyTasks) {
  const std::vector<Task> tasks = manyTasks(3000);
  const DeviceSpec spec = roundDevice();
  const Timeline line = play(tasks, spec);
  // An engine does one thing at a time.
  std::array<std::vector<Picoseconds>, queueCount> free;
  for (size_t q = 0; q < queueCount; ++q)
    free[q].assign(enginesOf(Queue(q), spec), 0);
  for (const Piece &piece : line.pieces) {
    auto &engines = free[size_t(tasks[piece.task].queue)];
    for (uint32_t e = 0; e < piece.engines; ++e) {
      auto &at = engines[(piece.firstEngine + e) % engines.size()];
      EXPECT_LE(at, piece.start);
      at = piece.end;
    }
  }
  for (uint32_t t = 0; t < tasks.size(); ++t) {
    const Span &span = line.spans[t];
    EXPECT_LE(span.start, span.released);
    EXPECT_LE(span.released, span.end);
    for (const Dependency &dependency : tasks[t].dependencies)
      if (!dependency.sliced)
        EXPECT_GE(span.start, line.spans[dependency.task].end);
  }
  for (const BandwidthSample &sample : line.bandwidth)
    EXPECT_LE(sample.hbmRead, double(spec.memory.dramBandwidth) * (1 + 1e-6));
  // Times of a queue add up to those of the timeline.
  for (const QueueTime &queue : line.queues) {
    Picoseconds sum = queue.busy;
    for (Picoseconds idle : queue.idleFor)
      sum += idle;
    EXPECT_EQ(sum, line.end - line.launch);
    EXPECT_LE(queue.exposed, queue.busy);
  }
}

TEST(Timeline, OfAHundredThousandTasksIsQuick) {
  const std::vector<Task> tasks = manyTasks(100000);
  const auto start = std::chrono::steady_clock::now();
  const Timeline line = play(tasks, DeviceSpec::all()[1]);
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  EXPECT_EQ(line.spans.size(), tasks.size());
  RecordProperty("seconds", std::to_string(seconds.count()));
  std::printf("100,000 tasks in %.3f s\n", seconds.count());
}

} // namespace
