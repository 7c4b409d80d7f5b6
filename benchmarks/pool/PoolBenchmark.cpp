// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nanoseconds of an allocation and a free of device memory, in the steady state
// of a training step: blocks live as long as activations and gradients do, the
// host is ahead of the card, so that freed memory is pending.
//
// Usage: PoolBenchmark
//
// Each row is the best of many rounds. `handle` adds what a tensor has beside:
// a handle, which is resolved once and removed.
#include "Gaudi/Runtime/Device/HandleTable.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <random>

using namespace gaudi;
using namespace gaudi::runtime;

namespace {

constexpr unsigned rounds = 50, pairs = 20000;

double nanosecondsOf(const std::function<void()> &round) {
  double best = 1e30;
  for (unsigned i = 0; i < rounds; ++i) {
    const auto start = std::chrono::steady_clock::now();
    round();
    const std::chrono::duration<double, std::nano> time =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / pairs);
  }
  return best;
}

struct Case {
  const char *name;
  unsigned live;    // blocks
  unsigned streams; // that allocate and use by turns
  int64_t lead;     // of the host before the card, in allocations
  bool small, handles;
};

void measure(const Case &row) {
  MemoryPool pool = *MemoryPool::create(uint64_t(96) << 30, 128);
  OwnerTexts texts;
  HandleTable handles(texts);
  std::mt19937 random(1);
  std::vector<uint64_t> sizes(4096);
  for (uint64_t &size : sizes)
    size = row.small ? 1 + random() % 128
                     : uint64_t(256) << random() % 16 | random() % 4096;
  struct Block {
    BlockId id;
    uint64_t handle;
  };
  std::vector<Block> blocks(row.live, {none, 0});
  std::vector<unsigned> order(4096);
  for (unsigned &index : order)
    index = random() % row.live;
  std::vector<StreamUse> waits;
  uint64_t step = 0, sum = 0;
  const double time = nanosecondsOf([&] {
    for (unsigned i = 0; i < pairs; ++i, ++step) {
      Block &block = blocks[order[step % order.size()]];
      const int64_t now = int64_t(step) * 1000;
      if (block.id != none) {
        if (row.handles)
          (void)handles.remove(block.handle);
        (void)pool.free(block.id, now);
      }
      const uint32_t stream = uint32_t(step % row.streams);
      const uint64_t bytes = sizes[step % sizes.size()];
      const auto result = pool.allocate({bytes, stream, now, {}}, waits);
      if (!result) {
        std::fprintf(stderr, "PoolBenchmark: error: no room\n");
        std::exit(2);
      }
      block.id = result->block;
      if (row.handles) {
        block.handle = *handles.add(block.id, bytes, {});
        sum += handles.resolve(block.handle + bytes / 2, 1)->offset;
      }
      pool.recordUse(block.id, {stream, step + 1, now + row.lead * 1000});
    }
  });
  std::printf("%-44s %6.1f ns\n", row.name, time);
  if (sum == 1)
    std::printf("\n"); // so that nothing is left out
}

void measureResolve() {
  OwnerTexts texts;
  HandleTable table(texts);
  std::vector<uint64_t> handles;
  for (BlockId i = 0; i < 1000; ++i)
    handles.push_back(*table.add(i, 1 << 20, {}));
  uint64_t sum = 0;
  const double time = nanosecondsOf([&] {
    for (unsigned i = 0; i < pairs; ++i)
      sum += table.resolve(handles[i * 7 % 1000] + 64, 64)->block;
  });
  std::printf("%-44s %6.1f ns\n", "resolve a handle", time + (sum == 1));
}

} // namespace

int main() {
  for (const Case &row : {
           Case{"free and allocate, 300 blocks", 300, 1, 0, false, false},
           {"the same, 10,000 blocks", 10000, 1, 0, false, false},
           {"host 200 allocations ahead", 300, 1, 200, false, false},
           {"host 5,000 allocations ahead", 300, 1, 5000, false, false},
           {"4 streams, host 200 ahead", 300, 4, 200, false, false},
           {"small blocks", 300, 1, 200, true, false},
           {"host 200 ahead, with handles", 300, 1, 200, false, true},
       })
    measure(row);
  measureResolve();
  return 0;
}
