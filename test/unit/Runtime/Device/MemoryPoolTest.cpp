// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The allocator of device memory beside a model of its rules.
#include "Gaudi/Runtime/Device/MemoryPool.h"

#include "Gaudi/Runtime/ErrorKind.h"
#include "PoolModel.h"
#include "Sizes.h"

#include <gmock/gmock.h>
#include <numeric>
#include <random>

using namespace gaudi;
using namespace gaudi::runtime;
using testing::HasSubstr;

namespace {

constexpr uint64_t alignment = 256;
constexpr uint64_t region = (MemoryPool::smallUnits + 1) * alignment;

class Pool : public testing::Test {
protected:
  MemoryPool pool = *MemoryPool::create(64 * MiB, alignment);
  OwnerTexts texts;
  std::vector<StreamUse> waits;

  std::optional<MemoryPool::Allocation>
  tryAllocate(uint64_t bytes, uint32_t stream = 0, int64_t now = 0) {
    return pool.allocate({bytes, stream, now, {}}, waits);
  }
  BlockId allocate(uint64_t bytes, uint32_t stream = 0, int64_t now = 0) {
    const auto result = tryAllocate(bytes, stream, now);
    EXPECT_TRUE(result);
    return result ? result->block : none;
  }
  void free(BlockId block, int64_t now = 0) {
    EXPECT_TRUE(pool.free(block, now));
    EXPECT_EQ(pool.verify(), "");
  }
};

/// Random calls on a pool and on the model; both must agree in all they say.
class Twins {
public:
  Twins(unsigned seed, unsigned numStreams)
      : random(seed), sequences(numStreams) {}

  void run(unsigned steps) {
    for (unsigned step = 0; step < steps; ++step) {
      now += below(4);
      const unsigned kind = below(100);
      if (kind < 45 && blocks.size() < 60)
        allocate();
      else if (kind < 80 && !blocks.empty())
        free();
      else if (kind < 96 && !blocks.empty())
        use(blocks[below(blocks.size())]);
      else if (kind == 96)
        changeWorkspace();
      else if (kind == 97)
        defragment();
      else if (kind == 98)
        complete();
      else if (below(20) == 0)
        reset();
      if (step % 256 == 0)
        ASSERT_EQ(pool.verify(), "");
      ASSERT_NO_FATAL_FAILURE(compareStatistics());
    }
  }
  unsigned failures = 0, moves = 0, waitLists = 0, readLists = 0;

private:
  uint64_t below(uint64_t bound) { return random() % bound; }

  void compareWaits(const PoolModel::Uses &previous, uint32_t stream) {
    std::map<uint32_t, StreamUse> expected;
    for (const auto &[other, use] : previous)
      if (other != stream && use.sequence > completed[other])
        expected.emplace(other, use);
    ASSERT_EQ(waits.size(), expected.size());
    for (const StreamUse &wait : waits)
      ASSERT_EQ(expected.at(wait.stream).sequence, wait.sequence);
    waitLists += !waits.empty();
  }

  void allocate() {
    static const uint64_t sizes[] = {100, 256, 300, 5000, 70000, MiB, 3 * MiB};
    uint64_t bytes = sizes[below(7)];
    bytes += below(3) ? 0 : below(bytes);
    const uint32_t stream = uint32_t(below(sequences.size()));
    PoolModel::Uses previous;
    const auto expected = model.allocate(bytes, stream, now, previous);
    const auto result = pool.allocate({bytes, stream, now, {}}, waits);
    ASSERT_EQ(result.has_value(), expected.has_value());
    if (!result) {
      ++failures;
      return;
    }
    ASSERT_EQ(result->address, *expected);
    compareWaits(previous, stream);
    blocks.push_back(result->block);
  }

  void free() {
    std::swap(blocks[below(blocks.size())], blocks.back());
    model.free(pool.address(blocks.back()), now);
    ASSERT_TRUE(pool.free(blocks.back(), now));
    blocks.pop_back();
  }

  void use(BlockId block) {
    const uint32_t stream = uint32_t(below(sequences.size()));
    StreamUse use = {stream, ++sequences[stream], now + int64_t(below(60))};
    const bool writes = below(3) == 0;
    if (writes)
      use.written = use.sequence;
    // Reads wait for writes, writes for all.
    pool.waitsOf(block, stream, writes, waits);
    std::map<uint32_t, uint64_t> expected;
    for (const auto &[other, last] : model.usesOf(pool.address(block)))
      if (const uint64_t until = writes ? last.sequence : last.written;
          other != stream && until > completed[other])
        expected[other] = until;
    ASSERT_EQ(waits.size(), expected.size());
    for (const StreamUse &wait : waits)
      ASSERT_EQ(expected.at(wait.stream),
                writes ? wait.sequence : wait.written);
    readLists += !writes && !waits.empty();
    model.use(pool.address(block), use);
    pool.recordUse(block, use);
  }

  void changeWorkspace() {
    const uint64_t bytes = below(8 * MiB);
    if (below(4) == 0) {
      pool.shrinkWorkspace(bytes, now);
      model.shrinkWorkspace(bytes, now);
      return;
    }
    const uint32_t stream = uint32_t(below(sequences.size()));
    bool grown = pool.growWorkspace(bytes, stream, now, waits);
    ASSERT_EQ(grown, model.growWorkspace(bytes, stream, now));
    if (!grown && below(2)) {
      settle();
      const auto plan = pool.planWorkspace(bytes);
      if (!plan)
        return;
      apply(*plan);
      ASSERT_TRUE(pool.growWorkspace(bytes, stream, now, waits));
      ASSERT_TRUE(model.growWorkspace(bytes, stream, now));
      grown = true;
    }
    if (grown)
      use(pool.workspace());
  }

  void settle() {
    pool.settle();
    model.settle();
  }
  void apply(const std::vector<MemoryPool::Move> &plan) {
    for (const MemoryPool::Move &move : plan)
      model.move(move.from, move.to);
    pool.apply(plan);
    moves += unsigned(plan.size());
    ASSERT_EQ(pool.verify(), "");
  }
  void defragment() {
    if (below(8))
      return;
    settle();
    const uint64_t bytes = MiB + below(20 * MiB);
    const auto plan = pool.planDefragmentation(bytes);
    if (!plan)
      return;
    apply(*plan);
    ASSERT_TRUE(pool.fitsAfterWaiting(bytes));
  }
  void complete() {
    const uint32_t stream = uint32_t(below(sequences.size()));
    completed[stream] = below(sequences[stream] + 1);
    for (auto &[other, sequence] : completed)
      pool.completed(other, sequence = std::max(sequence, done[other]));
    done = completed;
  }
  void reset() {
    if (below(2)) {
      pool.resetPeak();
      model.stats.maxInUse = 0;
      return;
    }
    pool.resetAccumulated();
    model.stats.numAllocs = model.stats.numFrees = 0;
    model.stats.maxAllocSize = 0;
    model.stats.maxInUse = model.stats.inUse;
  }

  void compareStatistics() {
    ASSERT_EQ(pool.inUse(), model.stats.inUse);
    ASSERT_EQ(pool.maxInUse(), model.stats.maxInUse);
    if (below(64))
      return;
    ASSERT_EQ(pool.statistics().rows(), model.stats.rows());
  }

  std::mt19937 random;
  MemoryPool pool = *MemoryPool::create(32 * MiB, alignment, MiB);
  PoolModel model{32 * MiB, alignment, MiB};
  std::vector<BlockId> blocks;
  std::vector<uint64_t> sequences;
  std::map<uint32_t, uint64_t> completed, done;
  std::vector<StreamUse> waits;
  int64_t now = 0;
};

TEST(MemoryPoolModel, AMillionCalls) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    Twins twins(seed, 1 + seed % 4);
    twins.run(125000);
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << "seed " << seed;
    EXPECT_GT(twins.failures, 100u);
    EXPECT_GT(twins.moves, 100u);
    EXPECT_EQ(twins.waitLists > 100, seed % 4 != 0);
  }
}

TEST(MemoryPoolErrors, Sizes) {
  EXPECT_THAT(MemoryPool::create(uint64_t(1) << 43, alignment).error().message,
              HasSubstr("a memory pool has at most 4 TiB; got 8.00 TiB"));
  EXPECT_THAT(MemoryPool::create(5 * MiB, alignment).error().message,
              HasSubstr("a memory pool of 5.00 MiB has no room for its small "
                        "region of 1.50 MiB and a workspace of 4.00 MiB; a "
                        "card has at least 5768192 bytes"));
}

TEST_F(Pool, CountsChunksWithHeaders) {
  const uint64_t idle = region + 4 * MiB + alignment;
  EXPECT_EQ(pool.inUse(), idle);
  const BlockId block = allocate(1000);
  EXPECT_EQ(pool.address(block), region + alignment);
  EXPECT_EQ(pool.bytes(block), 1000u);
  EXPECT_EQ(pool.inUse(), idle + 5 * alignment);
  free(block);
  EXPECT_EQ(pool.inUse(), idle);
  EXPECT_EQ(pool.maxInUse(), idle + 5 * alignment);
}

TEST_F(Pool, SplitsByTheRules) {
  const BlockId first = allocate(10 * alignment - alignment);
  allocate(MiB);
  free(first);
  // 9 of 10 units are not less than 0.9 of the chunk: it stays whole.
  BlockId block = allocate(8 * alignment);
  EXPECT_EQ(pool.address(block), region + alignment);
  const uint64_t before = pool.inUse();
  free(block);
  EXPECT_EQ(before - pool.inUse(), 10 * alignment);
  block = allocate(7 * alignment);
  EXPECT_EQ(pool.inUse(), before - 2 * alignment);
  EXPECT_EQ(pool.verify(), "");
}

TEST_F(Pool, WastesLessThan128MiB) {
  pool = *MemoryPool::create(16 * GiB, alignment);
  for (uint64_t waste : {128 * MiB - alignment, 128 * MiB}) {
    const BlockId block = allocate(2 * GiB), guard = allocate(MiB);
    const uint64_t before = pool.inUse();
    free(block);
    const BlockId again = allocate(2 * GiB - waste);
    EXPECT_EQ(pool.inUse(), before - (waste < 128 * MiB ? 0 : waste));
    free(again);
    free(guard);
  }
}

TEST_F(Pool, BinsArePowersOfTwo) {
  EXPECT_EQ(pool.binOf(alignment), 0u);
  EXPECT_EQ(pool.binOf(4 * alignment - 1), 0u);
  EXPECT_EQ(pool.binOf(4 * alignment), 1u);
  EXPECT_EQ(pool.binOf(uint64_t(1) << 40), 20u);
}

TEST_F(Pool, SmallBlocksAreNotCounted) {
  const uint64_t before = pool.inUse();
  std::vector<BlockId> blocks;
  for (uint64_t i = 0; i < MemoryPool::smallUnits; ++i) {
    blocks.push_back(allocate(i % 257));
    EXPECT_EQ(pool.address(blocks.back()), (i + 1) * alignment);
  }
  EXPECT_EQ(pool.inUse(), before);
  EXPECT_EQ(pool.statistics().numAllocs, int64_t(MemoryPool::smallUnits));
  EXPECT_EQ(pool.statistics().maxAllocSize, 0u);
  // The region is full; other streams and sizes never use it.
  EXPECT_GT(pool.address(allocate(1)), region);
  free(blocks[7]);
  EXPECT_GT(pool.address(allocate(1, 1)), region);
  EXPECT_GT(pool.address(allocate(257)), region);
  EXPECT_EQ(pool.address(allocate(1)), 8 * alignment);
}

TEST_F(Pool, SmallBlocksWaitForOtherStreams) {
  const BlockId block = allocate(1);
  pool.recordUse(block, {1, 5, 100});
  free(block);
  EXPECT_EQ(pool.nextMaturity(), 100);
  EXPECT_EQ(pool.address(allocate(1, 0, 99)), 2 * alignment);
  EXPECT_EQ(pool.address(allocate(1, 0, 100)), alignment);
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(waits[0].sequence, 5u);
}

TEST_F(Pool, TheSameStreamReusesAtOnce) {
  const BlockId block = allocate(50 * MiB);
  pool.recordUse(block, {0, 1, 1000});
  free(block, 10);
  EXPECT_FALSE(tryAllocate(50 * MiB, 1, 20));
  EXPECT_EQ(pool.nextMaturity(), 1000);
  EXPECT_TRUE(pool.fitsAfterWaiting(50 * MiB));
  const BlockId again = allocate(50 * MiB, 0, 20);
  EXPECT_TRUE(waits.empty());
  // Nothing has used it, but the task of its former owner may not have run.
  free(again, 30);
  EXPECT_FALSE(tryAllocate(50 * MiB, 1, 999));
  allocate(50 * MiB, 1, 1000);
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(waits[0].stream, 0u);
  EXPECT_EQ(waits[0].sequence, 1u);
  EXPECT_EQ(pool.nextMaturity(), std::nullopt);
}

TEST_F(Pool, SeveralStreamsLetGoOneByOne) {
  const BlockId block = allocate(50 * MiB);
  pool.recordUse(block, {1, 1, 100});
  pool.recordUse(block, {2, 1, 200});
  free(block);
  EXPECT_FALSE(tryAllocate(50 * MiB, 1, 50));
  EXPECT_FALSE(tryAllocate(50 * MiB, 2, 50));
  EXPECT_FALSE(tryAllocate(50 * MiB, 1, 100));
  allocate(50 * MiB, 2, 100);
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(waits[0].stream, 1u);
}

TEST_F(Pool, WhatHasRunNeedsNoWait) {
  const BlockId block = allocate(50 * MiB);
  pool.recordUse(block, {1, 7, 100});
  pool.completed(1, 7);
  free(block);
  // The card is not there yet, even if this host is.
  EXPECT_FALSE(tryAllocate(50 * MiB, 2, 99));
  allocate(50 * MiB, 2, 100);
  EXPECT_TRUE(waits.empty());
}

TEST_F(Pool, PendingRunsAreJoined) {
  const BlockId a = allocate(20 * MiB), b = allocate(20 * MiB);
  const uint64_t address = pool.address(a);
  for (BlockId block : {a, b}) {
    pool.recordUse(block, {0, 1, 1000});
    free(block);
  }
  EXPECT_FALSE(tryAllocate(39 * MiB, 1));
  EXPECT_EQ(pool.address(allocate(39 * MiB)), address);
  EXPECT_EQ(pool.verify(), "");
}

TEST_F(Pool, ErrorsOfFree) {
  const BlockId block = allocate(MiB);
  free(block);
  for (BlockId bad : {block, pool.workspace(), BlockId(12345)})
    EXPECT_THAT(pool.free(bad, 0).error().message,
                HasSubstr("of the memory pool is not allocated"));
}

TEST_F(Pool, WorkspaceGrowsDownAndShrinks) {
  const uint64_t top = pool.address(pool.workspace());
  EXPECT_EQ(top, 60 * MiB);
  EXPECT_TRUE(pool.growWorkspace(10 * MiB, 0, 0, waits));
  EXPECT_EQ(pool.address(pool.workspace()), 54 * MiB);
  EXPECT_TRUE(pool.growWorkspace(8 * MiB, 0, 0, waits));
  EXPECT_EQ(pool.address(pool.workspace()), 54 * MiB);
  MemoryStatistics statistics = pool.statistics();
  EXPECT_EQ(statistics.workspace, 10 * MiB + alignment);
  EXPECT_EQ(statistics.lastWorkspace, 8 * MiB);
  EXPECT_EQ(statistics.numAllocs, 0);
  pool.recordUse(pool.workspace(), {1, 3, 100});
  pool.shrinkWorkspace(2 * MiB, 0);
  EXPECT_EQ(pool.verify(), "");
  EXPECT_EQ(pool.address(pool.workspace()), 62 * MiB);
  // What it gave up is pending, but a run with the rest for stream 1.
  EXPECT_FALSE(tryAllocate(59 * MiB, 0));
  allocate(59 * MiB, 1);
  EXPECT_FALSE(pool.growWorkspace(4 * MiB, 1, 0, waits));
  EXPECT_FALSE(pool.growWorkspace(UINT64_MAX, 1, 0, waits));
  EXPECT_TRUE(pool.growWorkspace(1, 0, 0, waits));
  EXPECT_EQ(waits.size(), 1u);
}

TEST_F(Pool, DefragmentationMovesTheLeast) {
  std::vector<BlockId> blocks;
  for (int i = 0; i < 11; ++i)
    blocks.push_back(allocate((i % 2 ? 3 : 7) * MiB));
  for (size_t i : {0, 2, 6, 8})
    free(blocks[i]);
  EXPECT_FALSE(tryAllocate(13 * MiB));
  EXPECT_FALSE(pool.fitsAfterWaiting(13 * MiB));
  const OutOfMemory report = pool.explain(13 * MiB);
  EXPECT_TRUE(report.movingHelps);
  EXPECT_NEAR(report.statistics.fragmentation(), 76.3, 0.1);
  auto plan = pool.planDefragmentation(13 * MiB);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->size(), 1u);
  EXPECT_EQ(plan->front().block, blocks[1]);
  EXPECT_EQ(plan->front().bytes, 3 * MiB);
  EXPECT_EQ(plan->front().from - plan->front().to, 7 * MiB + alignment);
  // A fixed block is in no run.
  pool.setFixed(blocks[1], true);
  plan = pool.planDefragmentation(13 * MiB);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->front().block, blocks[7]);
  pool.apply(*plan);
  EXPECT_EQ(pool.verify(), "");
  EXPECT_EQ(pool.address(blocks[7]), plan->front().to);
  allocate(13 * MiB);
  EXPECT_FALSE(pool.planDefragmentation(20 * MiB));
  EXPECT_FALSE(pool.planDefragmentation(UINT64_MAX));
}

TEST_F(Pool, WorkspaceSwapsWhatIsBelow) {
  const BlockId low = allocate(20 * MiB), middle = allocate(20 * MiB),
                high = allocate(17 * MiB);
  free(low);
  EXPECT_FALSE(pool.growWorkspace(18 * MiB, 0, 0, waits));
  auto plan = pool.planWorkspace(18 * MiB);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->size(), 1u);
  EXPECT_EQ(plan->front().block, high);
  EXPECT_EQ(plan->front().to, region + alignment);
  pool.setFixed(high, true);
  EXPECT_FALSE(pool.planWorkspace(18 * MiB));
  pool.setFixed(high, false);
  pool.apply(*plan);
  EXPECT_EQ(pool.verify(), "");
  EXPECT_TRUE(pool.growWorkspace(18 * MiB, 0, 0, waits));
  // Now nothing has room for `middle` as a whole: it slides.
  plan = pool.planWorkspace(23 * MiB);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->front().block, middle);
  pool.apply(*plan);
  EXPECT_TRUE(pool.growWorkspace(23 * MiB, 0, 0, waits));
  EXPECT_EQ(pool.verify(), "");
  pool.setFixed(middle, true);
  EXPECT_FALSE(pool.planWorkspace(30 * MiB));
  EXPECT_TRUE(pool.planWorkspace(1)->empty());
}

TEST_F(Pool, WorkspaceSwapsToTheSmallestChunk) {
  const BlockId large = allocate(10 * MiB);
  allocate(MiB);
  const BlockId small = allocate(6 * MiB);
  allocate(34 * MiB);
  const BlockId high = allocate(5 * MiB);
  const uint64_t to = pool.address(small);
  free(large);
  free(small);
  const auto plan = pool.planWorkspace(8 * MiB);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->size(), 1u);
  EXPECT_EQ(plan->front().block, high);
  EXPECT_EQ(plan->front().to, to);
}

TEST_F(Pool, IdleMemoryIsWhatNothingTouches) {
  const BlockId a = allocate(MiB), b = allocate(MiB), c = allocate(MiB);
  pool.recordUse(b, {1, 2, 50});
  const auto idle = [&] {
    std::vector<std::pair<uint64_t, uint64_t>> ranges;
    pool.forEachIdle(
        [&](uint64_t begin, uint64_t end) { ranges.emplace_back(begin, end); });
    return ranges.size();
  };
  EXPECT_EQ(idle(), 1u); // the rest
  free(a, 60);
  EXPECT_EQ(idle(), 2u);
  free(b, 60);
  EXPECT_EQ(idle(), 1u); // coalesced with what may be in use
  pool.completed(1, 2);
  EXPECT_EQ(idle(), 2u);
  free(c, 60);
}

TEST_F(Pool, ResetsAsTheCardDoes) {
  const BlockId block = allocate(MiB);
  pool.resetPeak();
  EXPECT_EQ(pool.maxInUse(), 0u);
  free(block);
  EXPECT_EQ(pool.maxInUse(), 0u);
  pool.resetAccumulated();
  EXPECT_EQ(pool.maxInUse(), pool.inUse());
  const BlockId other = allocate(MiB);
  pool.resetAccumulated();
  free(other);
  const auto rows = pool.statistics().rows();
  const std::map<std::string_view, int64_t> named(rows.begin(), rows.end());
  EXPECT_EQ(named.at("Limit"), int64_t(64 * MiB));
  EXPECT_EQ(named.at("NumAllocs"), 0);
  EXPECT_EQ(named.at("NumFrees"), 1);
  EXPECT_EQ(named.at("ActiveAllocs"), -1);
  EXPECT_EQ(named.at("MaxAllocSize"), 0);
  EXPECT_EQ(named.at("TotalSystemAllocs"), 2);
  EXPECT_EQ(named.at("TotalSystemFrees"), 2);
  EXPECT_EQ(named.at("TotalActiveAllocs"), 0);
  EXPECT_EQ(rows.size(), 10u);
}

TEST_F(Pool, ExtendedStatisticsAndSummary) {
  allocate(2 * MiB);
  const auto rows = pool.statistics().extendedRows(77);
  const std::map<std::string_view, int64_t> named(rows.begin(), rows.end());
  EXPECT_EQ(named.at("persistent"), int64_t(region + 2 * MiB + alignment));
  EXPECT_EQ(named.at("workspace"), int64_t(4 * MiB + alignment));
  EXPECT_EQ(named.at("future"), 77);
  EXPECT_EQ(named.at("max_cntgs_chunk"),
            int64_t(64 * MiB) - named.at("in_use"));
  EXPECT_EQ(rows.size(), 12u);
  EXPECT_EQ(pool.statistics().summary(),
            "  Limit:                         67108864 (0.06 GB)\n"
            "  InUse:                          7865088 (7.50 MB)\n"
            "  MaxInUse:                       7865088 (7.50 MB)\n"
            "  NumAllocs:                            1\n"
            "  NumFrees:                             0\n"
            "  MaxAllocSize:                   2097408 (2.00 MB)\n"
            "  ActiveAllocs:                         1\n");
}

TEST_F(Pool, OutOfMemoryNamesHoldersAndWays) {
  const Owner weight = {texts.intern("w"), texts.intern("f32[1024,1024]"),
                        texts.intern("train.py:3")};
  std::vector<BlockId> blocks;
  for (int i = 0; i < 7; ++i)
    blocks.push_back(pool.allocate({4 * MiB, 0, 0, weight}, waits)->block);
  allocate(10 * MiB);
  const BlockId last = allocate(8 * MiB);
  pool.recordUse(last, {1, 1, 3'000'000'000});
  free(last);
  OutOfMemory report = pool.explain(12 * MiB);
  EXPECT_TRUE(report.waitingHelps);
  EXPECT_EQ(report.nextMaturity, 3'000'000'000);
  std::string text = report.text(texts);
  EXPECT_EQ(kindOf({text}), ErrorKind::DeviceMemory);
  EXPECT_THAT(text, HasSubstr("Allocation failed for size::12582912 "
                              "(12.00)MB; the pool has 64.0 MiB"));
  EXPECT_THAT(text, HasSubstr("\n  28.0 MiB in 7 blocks: 'w' f32[1024,1024] "
                              "(allocated at train.py:3)"));
  EXPECT_THAT(text, HasSubstr("\n  10.0 MiB in 1 block: unnamed memory"));
  EXPECT_THAT(text, HasSubstr("\n  to free memory: wait for 8.00 MiB that "
                              "tasks still use, the first until 3.00 ms of "
                              "the card's clock; that makes room"));
  EXPECT_THAT(report.text(texts, 1),
              HasSubstr("\n  and 1 more owner with 10.0 MiB"));
  EXPECT_EQ(std::accumulate(report.freeChunks.begin(), report.freeChunks.end(),
                            uint64_t(0)),
            2u);

  // Below the pool's size, but beside its workspace and small blocks.
  MemoryPool empty = *MemoryPool::create(64 * MiB, alignment);
  const uint64_t largest = pool.explain(60 * MiB).largest;
  EXPECT_FALSE(empty.allocate({largest + 1, 0, 0, weight}, waits));
  EXPECT_TRUE(empty.allocate({largest, 0, 0, weight}, waits));
  for (const uint64_t bytes : {60 * MiB, 65 * MiB, UINT64_MAX}) {
    text = pool.explain(bytes).text(texts);
    EXPECT_THAT(text, HasSubstr("\n  to free memory: none does: the pool has "
                                "room for a tensor of "));
    EXPECT_THAT(text, HasSubstr("when it is empty; ask for a smaller one"));
    EXPECT_THAT(text, testing::Not(HasSubstr("of blocks, for instance")));
  }

  free(blocks[1]);
  free(blocks[3]);
  EXPECT_THAT(pool.explain(24 * MiB).text(texts),
              HasSubstr("\n  to free memory: defragment; that makes room"));
  EXPECT_TRUE(pool.growWorkspace(8 * MiB, 0, 0, waits));
  for (BlockId block : {blocks[2], blocks[4], blocks[5], blocks[6]})
    pool.setFixed(block, true);
  text = pool.explain(24 * MiB).text(texts);
  EXPECT_THAT(text, HasSubstr("release 16.0 MiB that graphs hold in place, "
                              "which defragmentation cannot move"));
  EXPECT_THAT(text, HasSubstr("shrink the workspace of 8.00 MiB"));
  EXPECT_THAT(pool.explain(50 * MiB).text(texts),
              HasSubstr("of blocks, for instance 'w' f32[1024,1024]"));
}

TEST_F(Pool, OutOfMemoryNamesWhatIsNotSplitOff) {
  const BlockId first = allocate(26 * MiB);
  allocate(27 * MiB);
  free(first);
  allocate(24 * MiB); // more than 0.9 of the chunk
  OutOfMemory report = pool.explain(7 * MiB);
  EXPECT_EQ(report.waste, 2 * MiB + 2 * alignment);
  const auto wasted =
      HasSubstr("\n  2.00 MiB of the blocks are headers and what was not split "
                "off; without them there would be room");
  EXPECT_THAT(report.text(texts), wasted);
  EXPECT_THAT(pool.explain(8 * MiB).text(texts), testing::Not(wasted));

  // A request of all free bytes lacks those of a header.
  report = pool.explain(pool.statistics().limit - pool.inUse());
  EXPECT_EQ(report.needed, report.requested + alignment);
  EXPECT_THAT(report.text(texts), HasSubstr("free 256 B of blocks"));
}

} // namespace
