// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entries whose program launches others, and states with initial values.
#include "TextRecipe.h"

#include <gtest/gtest.h>

using namespace gaudi;

namespace {

/// Counts `n` down to zero, in as many iterations. The state `v` is on its own.
const char *const countdown = R"(recipe 1.2 target "gaudi2" producer ""
section @0 persistent 512 bytes
section @1 const 32 bytes align 64
tensor %0 "n" input @0+0 i64[]
tensor %1 "rest" output @0+64 i64[]
tensor %2 "left" state @0+128 i64[]
tensor %3 "goes_on" state @0+192 i1[]
tensor %4 "v" state @0+256 f32[2,2] initial %5
tensor %5 "v.initial" const @1+0 f32[2,2] strides[0,1]
tensor %6 "view" output @0+256 f32[2,2] alias %4
kernel 0 "count" {
  space [1 parallel]
  in0 : i64 rank 0
  out0 : i64 rank 0
  out1 : i1 rank 0
  stage {
    %0 = load in0[] : i64
    %1 = const 1 : i64
    %2 = subi %0, %1 : i64
    %3 = const 0 : i64
    %4 = cmpi sgt %2, %3 : i1
    store %2 -> out0[]
    store %4 -> out1[]
  }
}
entry "main" (%0) -> (%1) program [launch 1 while %3 [launch 2] launch 3] {
}
entry "main.before" (%0) -> () {
  #0 dma "copy" transfer (%0) -> (%2)
  #1 dma "fill" fill 0x1 () -> (%3)
}
entry "main.loop" () -> () {
  #0 tpc "count" launch 0 (%2) -> (%2, %3)
}
entry "main.after" () -> (%1) {
  #0 dma "copy" transfer (%2) -> (%1)
}
entry "values" () -> (%6) {
}
bytes @1 { 0x0000803f000000400000404000008040 0x00000000000000000000000000000000 }
)";

std::unique_ptr<runtime::Executable>
load(const runtime::LoadOptions &options = {}) {
  return test::loadText(countdown, options);
}

Result<runtime::RunStats> count(runtime::Executable &executable, int64_t n) {
  EXPECT_TRUE(executable.setInput(0, &n, sizeof(n)));
  return executable.launch();
}

int64_t rest(const runtime::Executable &executable) {
  int64_t value = -1;
  EXPECT_TRUE(executable.getOutput(0, &value, sizeof(value)));
  return value;
}

struct Counter : runtime::LaunchObserver {
  void before(size_t command) override { started.push_back(command); }
  void after(size_t) override { ++ended; }
  std::vector<size_t> started;
  size_t ended = 0;
};

TEST(Program, RunsItsPartsAndLoops) {
  auto executable = load();
  auto stats = count(*executable, 5);
  ASSERT_TRUE(stats) << stats.error().message;
  EXPECT_EQ(stats->iterations, 5u);
  EXPECT_EQ(rest(*executable), 0);
  // The condition is true before the first iteration.
  stats = count(*executable, -3);
  ASSERT_TRUE(stats) << stats.error().message;
  EXPECT_EQ(stats->iterations, 1u);
  EXPECT_EQ(rest(*executable), -4);
  EXPECT_FALSE(executable->isPart(0));
  EXPECT_TRUE(executable->isPart(1) && executable->isPart(3));
  EXPECT_FALSE(executable->isPart(4));
}

TEST(Program, AddsUpTheCommandsOfItsParts) {
  auto executable = load();
  ASSERT_EQ(executable->commands().size(), 4u);
  EXPECT_EQ(executable->commands()[2].name, "count");
  const runtime::CommandPlace place = executable->place(0, 3);
  EXPECT_EQ(place.entry, 3u);
  EXPECT_EQ(place.command, 0u);
  Counter counter;
  executable->setObserver(&counter);
  auto stats = count(*executable, 3);
  ASSERT_TRUE(stats) << stats.error().message;
  EXPECT_EQ(counter.started, (std::vector<size_t>{0, 1, 2, 2, 2, 3}));
  EXPECT_EQ(counter.ended, 6u);
  ASSERT_EQ(stats->commandMilliseconds.size(), 4u);
  double sum = 0;
  for (double milliseconds : stats->commandMilliseconds)
    sum += milliseconds;
  EXPECT_NEAR(stats->engineMilliseconds[1] + stats->engineMilliseconds[2], sum,
              1e-9);
}

TEST(Program, EndsAfterTheIterationsThatItMayTake) {
  runtime::LoadOptions options;
  options.maxIterations = 4;
  auto executable = load(options);
  ASSERT_TRUE(count(*executable, 4));
  auto stats = count(*executable, 5);
  ASSERT_FALSE(stats);
  EXPECT_EQ(stats.error().message,
            "entry \"main\": its loops have not ended after 4 iterations: "
            "their condition is still true; allow more: --max-iterations=40");
}

TEST(State, HasItsInitialValueUntilItIsSet) {
  auto executable = load();
  const std::vector<float> initial = {1, 2, 1, 2}, other = {5, 6, 7, 8};
  std::vector<float> got(4);
  const size_t bytes = 16;
  ASSERT_EQ(executable->states()[2].name, "v");
  ASSERT_TRUE(executable->getState(2, got.data(), bytes));
  EXPECT_EQ(got, initial);
  ASSERT_TRUE(executable->setState(2, other.data(), bytes));
  ASSERT_TRUE(executable->launch(4));
  ASSERT_TRUE(executable->getOutput(0, got.data(), bytes, 4));
  EXPECT_EQ(got, other);
  ASSERT_TRUE(executable->resetStates());
  ASSERT_TRUE(executable->getState(2, got.data(), bytes));
  EXPECT_EQ(got, initial);
}

} // namespace
