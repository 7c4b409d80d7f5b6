// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host memory behind a card: touched pages, and pinned memory.
#include "Gaudi/Runtime/Device/DevicePages.h"
#include "Gaudi/Runtime/Device/PinnedMemory.h"
#include "Gaudi/Runtime/ErrorKind.h"

#include "Sizes.h"

#include <cstring>
#include <gmock/gmock.h>

using namespace gaudi;
using namespace gaudi::runtime;
using testing::HasSubstr;

namespace {

/// Resident bytes of the process.
uint64_t residentBytes() {
  std::FILE *file = std::fopen("/proc/self/statm", "re");
  unsigned long long size = 0, resident = 0;
  EXPECT_EQ(std::fscanf(file, "%llu %llu", &size, &resident), 2);
  std::fclose(file);
  return resident * 4096;
}

TEST(DevicePages, ALargeCardOnASmallHost) {
  const uint64_t capacity = 96 * GiB;
  MemoryPool pool = *MemoryPool::create(capacity, 256);
  DevicePages pages = *DevicePages::create(capacity, 64 * MiB);
  std::vector<StreamUse> waits;
  const auto block = [&](uint64_t bytes) {
    return pool.allocate({bytes, 0, 0, {}}, waits)->block;
  };
  const auto touch = [&](BlockId id) {
    const uint64_t begin = pool.address(id), end = begin + pool.bytes(id);
    const Status status = pages.touch(begin, end, &pool);
    if (status)
      std::memset(pages.data() + begin, 1, end - begin);
    return status;
  };
  const uint64_t before = residentBytes();
  block(90 * GiB); // nobody touches it
  const BlockId a = block(40 * MiB), b = block(30 * MiB);
  ASSERT_TRUE(touch(a));
  EXPECT_EQ(pages.touchedBytes(), 42 * MiB);
  ASSERT_TRUE(touch(a));
  EXPECT_EQ(pages.touchedBytes(), 42 * MiB);
  EXPECT_TRUE(pages.touch(0, 0, &pool));
  EXPECT_LT(residentBytes() - before, 64 * MiB);

  const Status status = touch(b);
  ASSERT_FALSE(status);
  EXPECT_EQ(kindOf(status.error()), ErrorKind::HostMemory);
  EXPECT_THAT(status.error().message,
              HasSubstr("for the card's memory: 42.0 MiB are touched, 30.0 MiB "
                        "more are needed, and the limit is 64.0 MiB; the card "
                        "itself would have room. Raise the limit or use less "
                        "memory at a time"));
  // A task that may run keeps the pages of freed memory.
  pool.recordUse(a, {1, 1, 0});
  ASSERT_TRUE(pool.free(a, 10));
  EXPECT_FALSE(touch(b));
  pool.completed(1, 1);
  EXPECT_TRUE(touch(b));
  EXPECT_LE(pages.touchedBytes(), 36 * MiB);
  const BlockId again = block(40 * MiB);
  EXPECT_EQ(pages.data()[pool.address(again) + 8 * MiB], 0);
}

TEST(DevicePages, TheLastPageIsShort) {
  const uint64_t capacity = 9 * MiB;
  MemoryPool pool = *MemoryPool::create(capacity, 256, 1);
  DevicePages pages = *DevicePages::create(capacity, GiB);
  ASSERT_TRUE(pages.touch(capacity - 1, capacity, &pool));
  ASSERT_TRUE(pages.touch(0, 1, &pool));
  EXPECT_EQ(pages.touchedBytes(), 4 * MiB);
  EXPECT_EQ(pages.release(1, capacity - 1), 0u);
  EXPECT_EQ(pages.release(1, capacity), 2 * MiB);
  EXPECT_EQ(pages.touchedBytes(), 2 * MiB);
}

TEST(DevicePages, MoreThanAnyHostMaps) {
  const auto pages = DevicePages::create(uint64_t(1) << 57, GiB);
  ASSERT_FALSE(pages);
  EXPECT_EQ(kindOf(pages.error()), ErrorKind::HostMemory);
}

TEST(PinnedMemory, TakesTheSmallestThatHasRoom) {
  PinnedMemory memory(MiB);
  std::vector<void *> blocks;
  for (uint64_t bytes : {40960, 8192, 20480})
    blocks.push_back(*memory.allocate(bytes));
  EXPECT_EQ(memory.bytesInUse(), 69632u);
  for (void *block : blocks) {
    std::memset(block, 1, 8192);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 4096, 0u);
    EXPECT_TRUE(memory.free(block));
  }
  EXPECT_EQ(memory.bytesCached(), 69632u);
  EXPECT_EQ(*memory.allocate(8193), blocks[2]);
  EXPECT_EQ(*memory.allocate(1), blocks[1]);
  EXPECT_EQ(*memory.allocate(1), blocks[0]);
  EXPECT_EQ(memory.bytesCached(), 0u);
  const auto *inside = static_cast<char *>(blocks[2]) + 100;
  EXPECT_TRUE(memory.contains(inside, 20480 - 100));
  EXPECT_FALSE(memory.contains(inside, 20480 - 99));
  EXPECT_FALSE(memory.contains(nullptr, 1));
}

TEST(PinnedMemory, DropsItsCacheUnderPressure) {
  PinnedMemory memory(MiB);
  void *block = *memory.allocate(900 << 10);
  EXPECT_TRUE(memory.free(block));
  void *larger = *memory.allocate(1000 << 10);
  EXPECT_EQ(memory.bytesCached(), 0u);
  const auto refused = memory.allocate(100 << 10);
  ASSERT_FALSE(refused);
  EXPECT_EQ(kindOf(refused.error()), ErrorKind::HostMemory);
  EXPECT_THAT(refused.error().message,
              HasSubstr("to pin 100 KiB: 1000 KiB are pinned, and the limit "
                        "is 1.00 MiB; free some of it"));
  EXPECT_FALSE(memory.allocate(UINT64_MAX));
  EXPECT_THAT(memory.free(static_cast<char *>(larger) + 1).error().message,
              HasSubstr("is not the first byte of pinned memory"));
  EXPECT_TRUE(memory.free(larger));
  EXPECT_FALSE(memory.free(larger));
  PinnedMemory uncached(MiB, false);
  EXPECT_TRUE(uncached.free(*uncached.allocate(1)));
  EXPECT_EQ(uncached.bytesCached(), 0u);
}

} // namespace
