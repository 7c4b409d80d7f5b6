// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles: arithmetic on them, and each way to use a wrong one.
#include "Gaudi/Runtime/Device/HandleTable.h"

#include "Sizes.h"

#include <gmock/gmock.h>

using namespace gaudi;
using namespace gaudi::runtime;
using testing::HasSubstr;

namespace {

class Handles : public testing::Test {
protected:
  OwnerTexts texts;
  HandleTable table{texts};
  Owner weight = {texts.intern("w"), texts.intern("f32[256]"),
                  texts.intern("train.py:3")};

  std::string error(uint64_t handle, uint64_t bytes = 1) {
    const auto place = table.resolve(handle, bytes);
    EXPECT_FALSE(place);
    return place ? "" : place.error().message;
  }
};

TEST_F(Handles, ResolveInteriorAddresses) {
  BlockId block = 0;
  std::vector<uint64_t> handles;
  const uint64_t sizes[] = {0,           1,       (4 << 20) - 1, 4 << 20,
                            4 * GiB - 1, 4 * GiB, 1024 * GiB};
  for (uint64_t bytes : sizes)
    handles.push_back(*table.add(block++, bytes, weight));
  for (size_t i = 0; i < handles.size(); ++i)
    for (uint64_t offset : {uint64_t(0), sizes[i] / 2, sizes[i]}) {
      const auto place = table.resolve(handles[i] + offset, sizes[i] - offset);
      ASSERT_TRUE(place);
      EXPECT_EQ(place->block, i);
      EXPECT_EQ(place->offset, offset);
    }
  EXPECT_EQ(handles[2] >> 62, 1u);
  EXPECT_EQ(handles[3] >> 62, 2u);
  EXPECT_EQ(handles[6] >> 62, 3u);
  EXPECT_EQ(*table.remove(handles[4]), 4u);
}

TEST_F(Handles, NamesWhatIsWrong) {
  int onHost = 0;
  EXPECT_THAT(error(reinterpret_cast<uintptr_t>(&onHost)),
              HasSubstr("is no device address; addresses of the host cannot be "
                        "used on the device"));
  EXPECT_THAT(error(0), HasSubstr("0x0 is no device address"));
  const uint64_t handle = *table.add(5, 1024, weight);
  EXPECT_THAT(error(handle + (uint64_t(1) << 22)),
              HasSubstr("was never given out"));
  EXPECT_THAT(error(handle + 1000, 25),
              HasSubstr("25 bytes at offset 1000 end outside of 'w' f32[256] "
                        "(allocated at train.py:3), which has 1024 bytes"));
  EXPECT_THAT(error(handle, UINT64_MAX), HasSubstr("end outside of"));
  EXPECT_THAT(error(handle + 1025, 0), HasSubstr("0 bytes at offset 1025"));
  EXPECT_THAT(table.remove(handle + 4).error().message,
              HasSubstr("is 4 bytes within 'w' f32[256] (allocated at "
                        "train.py:3); memory is freed by the address of its "
                        "first byte"));
  EXPECT_EQ(*table.remove(handle), 5u);
  const char *freed = "is in freed memory, which was of 'w' f32[256]";
  EXPECT_THAT(error(handle + 8), HasSubstr(freed));
  EXPECT_THAT(table.remove(handle).error().message, HasSubstr(freed));
  const uint64_t next = *table.add(6, 1024, {texts.intern("b"), 0, 0});
  EXPECT_NE(next, handle);
  EXPECT_THAT(error(handle + 8),
              HasSubstr("is in freed memory, or was never given out; it is not "
                        "in 'b', which has its slot"));
}

TEST_F(Handles, NamesTheCardOfAnAddress) {
  HandleTable third(texts, 3);
  const char *message = " was never given out by card 0; those of card 3 look "
                        "like it";
  for (const uint64_t bytes : {uint64_t(1024), 5 * MiB, 5 * GiB}) {
    const uint64_t other = *third.add(1, bytes, weight);
    EXPECT_THAT(error(other), HasSubstr(message)); // no slot has been taken
    const uint64_t own = *table.add(1, bytes, weight);
    EXPECT_THAT(error(other), HasSubstr(message));
    EXPECT_THAT(third.resolve(own, 0).error().message,
                HasSubstr("by card 3; those of card 0 look like it"));
  }
}

TEST_F(Handles, SlotsRunOut) {
  std::vector<uint64_t> handles;
  for (BlockId i = 0; i < 1024; ++i)
    handles.push_back(*table.add(i, 4 * GiB, weight));
  const char *message = "no handle is left for 4.00 GiB of device memory; 1024 "
                        "blocks of such sizes are allocated";
  EXPECT_THAT(table.add(1, 4 * GiB, weight).error().message,
              HasSubstr(message));
  EXPECT_TRUE(table.remove(handles[9]));
  EXPECT_FALSE(table.add(1, 4096 * GiB, weight));
  EXPECT_TRUE(table.add(1, 4 * GiB, weight));
}

/// A stale handle is known as one until all generations of its slot are used.
TEST_F(Handles, GenerationsWrap) {
  const uint64_t first = *table.add(1, 8, weight);
  EXPECT_TRUE(table.remove(first));
  for (unsigned i = 1; i < 1u << 16; ++i) {
    const uint64_t handle = *table.add(1, 8, weight);
    ASSERT_FALSE(table.resolve(first, 1));
    ASSERT_TRUE(table.remove(handle));
  }
  EXPECT_EQ(*table.add(1, 8, weight), first);
}

} // namespace
