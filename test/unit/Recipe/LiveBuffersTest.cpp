// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What fills device memory at the worst moment.
#include "../KernelText.h"
#include "Samples.h"

#include "Gaudi/Recipe/LiveBuffers.h"

#include <gtest/gtest.h>

using namespace gaudi;
using namespace gaudi::recipe;
using namespace gaudi::recipe::test;

namespace {

/// x is copied, clamped to `second` and to `third`, and copied to y.
std::string chain(const std::string &second, const std::string &third) {
  return R"(recipe 1.0 target "gaudi2" producer "test"

section @0 persistent 128 bytes
section @1 workspace 192 bytes

tensor %0 "x" input @0+0 f32[16]
tensor %1 "y" output @0+64 f32[16]
tensor %2 "first" workspace @1+0 f32[16]
tensor %3 "second" workspace @1+)" +
         second + R"( f32[16]
tensor %4 "third" workspace @1+)" +
         third + R"( f32[16]

)" + gaudi::reluText(16) +
         R"(
entry "main" (%0) -> (%1) {
  #0 dma "copy" transfer (%0) -> (%2)
  #1 tpc "relu" launch 0 (%2) -> (%3) after [#0]
  #2 tpc "relu" launch 0 (%3) -> (%4) after [#1]
  #3 dma "copy" transfer (%4) -> (%1) after [#2]
}
)";
}

LiveBuffers liveOf(const std::string &text) {
  Result<RecipeFile> file = RecipeFile::fromBuffer(spanOf(bytesOfText(text)));
  EXPECT_TRUE(file) << file.error().message;
  return file ? liveAtPeak(file->recipe(), 0) : LiveBuffers();
}

TEST(LiveBuffers, TwoAreAliveWhileOneIsMadeOfTheOther) {
  const LiveBuffers live = liveOf(chain("64", "128"));
  EXPECT_EQ(live.workspace, 128u);
  EXPECT_EQ(live.command, 1u);
  EXPECT_EQ(live.tensors, (std::vector<uint32_t>{0, 1, 2, 3}));
}

TEST(LiveBuffers, WhatIsWrittenOverAnOperandCountsOnce) {
  const LiveBuffers live = liveOf(chain("0", "0"));
  EXPECT_EQ(live.workspace, 64u);
  EXPECT_EQ(live.tensors, (std::vector<uint32_t>{0, 1, 2}));
  // Only the second step needs a place of its own.
  const LiveBuffers last = liveOf(chain("0", "64"));
  EXPECT_EQ(last.workspace, 128u);
  EXPECT_EQ(last.command, 2u);
  EXPECT_EQ(last.tensors, (std::vector<uint32_t>{0, 1, 3, 4}));
}

} // namespace
