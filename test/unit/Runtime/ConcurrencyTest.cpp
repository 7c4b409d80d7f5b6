// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What threads share: two executables of one process that load and launch at
// the same time, on one cache. Run under the thread sanitizer by
// scripts/sanitize.sh --thread.
#include "ProductRecipe.h"
#include "TemporaryFolder.h"

#include "Gaudi/Runtime/ThreadPool.h"

#include <atomic>
#include <new>
#include <thread>

using namespace gaudi;
using namespace gaudi::test;

namespace {

constexpr int64_t rows = 64, columns = 512;

/// Loads the recipe and launches it some times; the output of the last launch.
Bytes loadAndLaunch(const std::string &cache, uint64_t seed) {
  TestRecipe r;
  addTanhOfProduct(r, rows, columns);
  runtime::LoadOptions options;
  options.threads = 3;
  options.cacheDirectory = cache;
  auto executable = r.load(options);
  if (!executable)
    return {};
  const Bytes in = bytesOf(Random(seed).values(size_t(rows * columns)));
  Bytes out;
  for (int launch = 0; launch < 4; ++launch)
    out = TestRecipe::run(*executable, {in})[0];
  return out;
}

TEST(Concurrency, ThreadsWithAnExecutableEach) {
  const TemporaryFolder folder;
  const Bytes expected[] = {loadAndLaunch("", 1), loadAndLaunch("", 2)};
  EXPECT_NE(expected[0], expected[1]);
  for (int round = 0; round < 3; ++round) {
    std::vector<Bytes> results(4);
    std::vector<std::thread> threads;
    for (size_t t = 0; t < results.size(); ++t)
      threads.emplace_back(
          [&, t] { results[t] = loadAndLaunch(folder.path, 1 + t % 2); });
    for (std::thread &thread : threads)
      thread.join();
    for (size_t t = 0; t < results.size(); ++t)
      EXPECT_EQ(results[t], expected[t % 2]);
  }
}

TEST(Concurrency, OneExecutableMovesBetweenThreads) {
  TestRecipe r;
  addTanhOfProduct(r, rows, columns);
  runtime::LoadOptions options;
  options.threads = 3;
  options.cacheDirectory = "";
  auto executable = r.load(options);
  ASSERT_TRUE(executable);
  const Bytes in = bytesOf(Random(1).values(size_t(rows * columns)));
  const Bytes expected = TestRecipe::run(*executable, {in})[0];
  // By one thread at a time, which need not be the one that loaded it.
  for (int round = 0; round < 5; ++round)
    std::thread([&] {
      EXPECT_EQ(TestRecipe::run(*executable, {in})[0], expected);
    }).join();
}

TEST(Concurrency, ExceptionsOfBodiesReachTheCaller) {
  runtime::ThreadPool pool(4);
  for (int round = 0; round < 200; ++round) {
    const int64_t culprit = round % 40;
    std::atomic<int> ran{0};
    EXPECT_THROW(pool.parallelFor(40, 1,
                                  [&](int64_t begin, int64_t, unsigned) {
                                    ++ran;
                                    if (begin == culprit)
                                      throw std::bad_alloc();
                                  }),
                 std::bad_alloc);
    EXPECT_GE(ran, 1);
    // The pool is as good as before.
    std::atomic<int> all{0};
    pool.parallelFor(40, 1, [&](int64_t, int64_t, unsigned) { ++all; });
    EXPECT_EQ(all, 40);
  }
}

} // namespace
