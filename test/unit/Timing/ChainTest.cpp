// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chains keep the matrix engine and the TPCs: timelines by hand.
#include "Tasks.h"

#include <gtest/gtest.h>

using namespace gaudi::timing;

namespace {

/// A chain of which the engines work for a part each.
Task chain(int64_t microseconds, int64_t mme, int64_t tpc,
           std::initializer_list<uint32_t> dependencies = {}) {
  Task result = task(Queue::Mme, microseconds, dependencies);
  result.cost.mmeBusy = mme * us;
  result.cost.tpcBusy = tpc * us;
  return result;
}

Task oneEngine(int64_t microseconds) {
  Task result = task(Queue::Tpc, microseconds);
  result.cost.enginesUsed = 1;
  return result;
}

// The kernel and the product begin when the chain ends, at 10 us. Alone, the
// chain's matrix engine works for 2 us and its TPCs for 6 us without the other;
// from 13 to 15 us only the kernel runs.
TEST(Chain, KeepsBothEngines) {
  const Timeline line =
      play({chain(10, 4, 8), task(Queue::Tpc, 5), task(Queue::Mme, 3)},
           roundDevice());
  EXPECT_EQ(line.spans[0].end, 10 * us);
  EXPECT_EQ(line.spans[1].start, 10 * us);
  EXPECT_EQ(line.spans[1].wait, Wait::Engine);
  EXPECT_EQ(line.spans[1].waitedFor, 0);
  EXPECT_EQ(line.spans[2].start, 10 * us);
  EXPECT_EQ(line.end, 15 * us);
  EXPECT_EQ(line.criticalPath, (std::vector<uint32_t>{0, 1}));
  ASSERT_EQ(line.pieces.size(), 4u);
  EXPECT_EQ(line.pieces[0].queue, Queue::Mme);
  EXPECT_EQ(line.pieces[1].queue, Queue::Tpc);
  EXPECT_EQ(line.pieces[1].task, 0u);
  EXPECT_EQ(line.pieces[1].engines, 4u);
  EXPECT_EQ(line.pieces[1].end, 10 * us);
  const QueueTime &mme = line.queues[size_t(Queue::Mme)],
                  &tpc = line.queues[size_t(Queue::Tpc)];
  EXPECT_EQ(mme.tasks, 2u);
  EXPECT_EQ(tpc.tasks, 2u);
  EXPECT_EQ(mme.busy, 7 * us);
  EXPECT_EQ(mme.idleFor[size_t(Queue::Tpc)], 6 * us);
  EXPECT_EQ(mme.idleFor[queueCount], 2 * us);
  EXPECT_EQ(mme.exposed, 2 * us);
  EXPECT_EQ(tpc.busy, 13 * us);
  EXPECT_EQ(tpc.idleFor[size_t(Queue::Mme)], 2 * us);
  EXPECT_EQ(tpc.exposed, 8 * us);
}

TEST(Chain, WaitsForKernels) {
  const Timeline line =
      play({task(Queue::Tpc, 5), chain(10, 4, 8)}, roundDevice());
  EXPECT_EQ(line.spans[1].start, 5 * us);
  EXPECT_EQ(line.spans[1].wait, Wait::Engine);
  EXPECT_EQ(line.spans[1].waitedFor, 0);
  EXPECT_EQ(line.queues[size_t(Queue::Tpc)].busy, 13 * us);
  EXPECT_EQ(line.queues[size_t(Queue::Mme)].exposed, 2 * us);
}

// Ten kernels of 3 us keep the four engines from 0 to 9 us. The chain is ready
// at 4 us: it waits for those that have begun, to 6 us, and not for the last.
TEST(Chain, IsNotOvertakenByLaterKernels) {
  std::vector<Task> tasks = {task(Queue::Mme, 4), chain(10, 4, 8, {0})};
  for (int i = 0; i < 10; ++i)
    tasks.push_back(oneEngine(3));
  const Timeline line = play(tasks, roundDevice());
  EXPECT_EQ(line.spans[1].start, 6 * us);
  EXPECT_EQ(line.spans[9].start, 3 * us);
  EXPECT_EQ(line.spans[10].start, 16 * us);
  EXPECT_EQ(line.end, 19 * us);
  // Kernels before it in the program go first.
  std::swap(tasks[1], tasks[11]);
  EXPECT_EQ(play(tasks, roundDevice()).spans[11].start, 9 * us);
}

// A copy and the chain ask for 800 bytes per microsecond each and get 500: 16
// us instead of 10. The engines of the chain work as long as before, and never
// alone.
TEST(Chain, SharesBandwidth) {
  Task slow = chain(10, 4, 8);
  slow.cost.hbmRead = 8000;
  const Timeline line =
      play({slow, reader(Queue::Dma, 10, 8000)}, roundDevice());
  EXPECT_EQ(line.spans[0].end, 16 * us);
  const QueueTime &tpc = line.queues[size_t(Queue::Tpc)];
  EXPECT_EQ(tpc.busy, 8 * us);
  EXPECT_EQ(tpc.idleFor[size_t(Queue::Mme)], 8 * us);
  EXPECT_EQ(tpc.exposed, 0);
}

} // namespace
