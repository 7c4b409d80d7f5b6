// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that follow each other closely or after pauses, with more threads than
// the host has.
#include "Gaudi/Runtime/ThreadPool.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

using namespace gaudi;

namespace {

/// Each index once, each worker one range at a time.
void loop(runtime::ThreadPool &pool, int64_t count, int64_t grain) {
  std::vector<std::atomic<int>> hits(static_cast<size_t>(count));
  std::vector<std::atomic<int>> busy(pool.size());
  pool.parallelFor(count, grain,
                   [&](int64_t begin, int64_t end, unsigned worker) {
                     EXPECT_EQ(busy[worker]++, 0);
                     for (int64_t i = begin; i < end; ++i)
                       ++hits[size_t(i)];
                     --busy[worker];
                   });
  for (std::atomic<int> &hit : hits)
    EXPECT_EQ(hit, 1);
}

TEST(ThreadPool, CoversEveryIndexOnce) {
  for (unsigned threads : {1u, 2u, 5u}) {
    runtime::ThreadPool pool(threads);
    EXPECT_EQ(pool.size(), threads);
    for (int64_t count : {0, 1, 7, 1000})
      for (int64_t grain : {1, 3, 5000}) {
        std::vector<std::atomic<int>> hits(size_t(count) + 1);
        pool.parallelFor(count, grain,
                         [&](int64_t begin, int64_t end, unsigned worker) {
                           EXPECT_LT(worker, threads);
                           EXPECT_LE(end - begin, grain);
                           for (int64_t i = begin; i < end; ++i)
                             ++hits[size_t(i)];
                         });
        for (int64_t i = 0; i < count; ++i)
          EXPECT_EQ(hits[size_t(i)], 1);
      }
  }
}

TEST(ThreadPool, LoopAfterLoop) {
  for (unsigned threads : {2u, 4u, 64u}) {
    runtime::ThreadPool pool(threads);
    for (int round = 0; round < 1500; ++round)
      loop(pool, 1 + round % 90, 1 + round % 7);
  }
}

TEST(ThreadPool, LoopsAfterPauses) {
  for (unsigned threads : {2u, 4u, 64u}) {
    runtime::ThreadPool pool(threads);
    // Around the time after which workers sleep.
    for (int round = 0; round < 120; ++round) {
      std::this_thread::sleep_for(std::chrono::microseconds(round * 2));
      loop(pool, 40, 3);
    }
  }
}

TEST(ThreadPool, ChunksThatTakeLong) {
  runtime::ThreadPool pool(3);
  for (int round = 0; round < 10; ++round) {
    std::atomic<int> done{0};
    pool.parallelFor(4, 1, [&](int64_t, int64_t, unsigned) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      ++done;
    });
    EXPECT_EQ(done, 4);
  }
}

TEST(ThreadPool, EndsAtAnyTime) {
  for (int round = 0; round < 200; ++round) {
    runtime::ThreadPool pool(1 + unsigned(round) % 5);
    if (round % 3)
      loop(pool, 30, 4);
  }
}

} // namespace
