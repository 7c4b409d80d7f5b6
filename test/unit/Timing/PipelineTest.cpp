// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks in slices, computed by hand.
#include "Tasks.h"

#include <gtest/gtest.h>

using namespace gaudi::timing;

namespace {

/// Lets a task wait slice by slice for the one before it.
Task sliced(Task task, uint32_t slices) {
  task.maxSlices = slices;
  for (Dependency &dependency : task.dependencies)
    dependency.sliced = true;
  return task;
}

TEST(Pipeline, OverlapsAllButOneSlice) {
  // Slices of 2 us each: the kernel follows the product by one of them.
  const std::vector<Task> tasks = {sliced(task(Queue::Mme, 8), 4),
                                   sliced(task(Queue::Tpc, 8, {0}), 4)};
  const Timeline line = play(tasks, roundDevice());
  EXPECT_EQ(line.spans[0].end, 8 * us);
  EXPECT_EQ(line.spans[1].start, 2 * us);
  EXPECT_EQ(line.spans[1].end, 10 * us);
  EXPECT_EQ(line.spans[0].slices, 4u);
  EXPECT_EQ(line.pieces.size(), 8u);
  EXPECT_EQ(line.queues[size_t(Queue::Tpc)].tasks, 1u);
  EXPECT_EQ(line.queues[size_t(Queue::Tpc)].exposed, 2 * us);
  EXPECT_EQ(line.criticalPath, (std::vector<uint32_t>{0, 1}));
  const Timeline apart = play(tasks, roundDevice(), {false});
  EXPECT_EQ(apart.end, 16 * us);
  EXPECT_EQ(apart.spans[0].slices, 1u);
}

TEST(Pipeline, WaitsForTheBuffersOfSlices) {
  // The kernel is slow. Its slices end at 5, 9, 13, ...; the product may be
  // three slices ahead, so that its last ones begin at 9 and 13.
  const Timeline line = play(
      {sliced(task(Queue::Mme, 6), 6), sliced(task(Queue::Tpc, 24, {0}), 6)},
      roundDevice());
  EXPECT_EQ(line.spans[1].end, 25 * us);
  std::vector<Picoseconds> begins;
  for (const Piece &piece : line.pieces)
    if (piece.task == 0)
      begins.push_back(piece.start / us);
  EXPECT_EQ(begins, (std::vector<Picoseconds>{0, 1, 2, 5, 9, 13}));
}

TEST(Pipeline, InterleavesThreeStages) {
  // Product, kernel, product: 1 us per slice each. The matrix engine is busy
  // from 0 to 8, but for slice 0 of the second product, which needs 2 us.
  const Timeline line =
      play({sliced(task(Queue::Mme, 4), 4), sliced(task(Queue::Tpc, 4, {0}), 4),
            sliced(task(Queue::Mme, 4, {1}), 4)},
           roundDevice());
  EXPECT_EQ(line.end, 8 * us);
  EXPECT_EQ(line.queues[size_t(Queue::Mme)].busy, 8 * us);
}

TEST(Pipeline, CutsWithoutLosingTime) {
  Task odd = task(Queue::Mme, 1);
  odd.cost.compute = 1000003;
  const Timeline line = play(
      {sliced(odd, 7), sliced(task(Queue::Tpc, 0, {0}), 7)}, roundDevice());
  EXPECT_EQ(line.spans[0].end, 1000003);
}

TEST(Pipeline, NeedsNeighbours) {
  // Another task stands between: the dependency is an ordinary one.
  const Timeline line =
      play({sliced(task(Queue::Mme, 8), 4), task(Queue::Dma, 1),
            sliced(task(Queue::Tpc, 8, {0}), 4)},
           roundDevice());
  EXPECT_EQ(line.spans[2].start, 8 * us);
  EXPECT_EQ(line.spans[0].slices, 1u);
}

TEST(Pipeline, TakesTheFewestSlicesOfItsTasks) {
  const Timeline line = play(
      {sliced(task(Queue::Mme, 8), 4), sliced(task(Queue::Tpc, 8, {0}), 2)},
      roundDevice());
  EXPECT_EQ(line.spans[0].slices, 2u);
  EXPECT_EQ(line.spans[1].end, 12 * us);
}

TEST(Pipeline, WaitsForAllSlicesOfAnOperandThatIsWhole) {
  Task both = task(Queue::Tpc, 4, {0, 1});
  both.maxSlices = 4;
  both.dependencies[1].sliced = true;
  const Timeline line =
      play({task(Queue::Dma, 6), sliced(task(Queue::Mme, 4), 4), both,
            task(Queue::Host, 1, {2})},
           roundDevice());
  EXPECT_EQ(line.spans[2].start, 6 * us);
  EXPECT_EQ(line.spans[2].end, 10 * us);
  EXPECT_EQ(line.spans[3].start, 10 * us);
}

} // namespace
