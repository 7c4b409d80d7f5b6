// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Missing memory is an error of the interface, not an exception.
#include "FailingNew.h"
#include "Gaudi/Runtime/Dispatch.h"
#include "TestRecipe.h"
#include "TextRecipe.h"

#include <functional>

using namespace gaudi;
using namespace gaudi::test;

namespace {

/// Makes every allocation of the call fail once, and returns how many there
/// are.
int failEach(const std::string &message, const std::function<Status()> &call) {
  for (int allocation = 1;; ++allocation) {
    const auto [status, failed] = callWithFailing(allocation, call);
    if (!failed) {
      EXPECT_TRUE(status) << status.error().message;
      return allocation - 1;
    }
    EXPECT_FALSE(status);
    if (!status)
      EXPECT_EQ(status.error().message, message);
  }
}

TEST(Allocation, FailuresOfHostDataAreErrors) {
  TestRecipe r;
  const auto F32 = ElementType::F32;
  const uint32_t in = r.input(F32, {2, 3});
  const uint32_t state = r.state(F32, {2, 3});
  r.command(recipe::Engine::DMA, "copy", recipe::TransferT(), {in}, {state});
  r.command(recipe::Engine::DMA, "copy", recipe::TransferT(), {in},
            {r.output(F32, {2, 3})});
  auto executable = r.load();
  ASSERT_TRUE(executable);
  std::vector<float> v(6);
  EXPECT_GT(failEach("not enough host memory to set an input",
                     [&] { return executable->setInput(0, v.data(), 24); }),
            0);
  // A copy like the last one takes none.
  EXPECT_EQ(failEach("", [&] { return executable->setInput(0, v.data(), 24); }),
            0);
  EXPECT_EQ(
      failEach("", [&] { return executable->setInput("in0", v.data(), 24); }),
      0);
  EXPECT_GT(failEach("not enough host memory to get an output",
                     [&] { return executable->getOutput(0, v.data(), 24); }),
            0);
  EXPECT_GT(failEach("not enough host memory to set a state",
                     [&] { return executable->setState(0, v.data(), 24); }),
            0);
  EXPECT_GT(failEach("not enough host memory to get a state",
                     [&] { return executable->getState(0, v.data(), 24); }),
            0);
  EXPECT_GT(failEach("not enough host memory to get a tensor",
                     [&] { return executable->getTensor(in, v.data(), 24); }),
            0);
}

TEST(Allocation, ALaunchWithoutTimesAllocatesNothing) {
  TestRecipe r;
  const uint32_t in = r.input(ElementType::F32, {64});
  r.command(recipe::Engine::DMA, "copy", recipe::TransferT(), {in},
            {r.output(ElementType::F32, {64})});
  auto executable = r.load();
  ASSERT_TRUE(executable);
  ASSERT_TRUE(executable->launch());
  EXPECT_EQ(failEach("",
                     [&]() -> Status {
                       GAUDI_TRY(executable->launch());
                       return {};
                     }),
            0);
  executable->setTiming(true);
  EXPECT_GT(failEach("not enough host memory to launch",
                     [&]() -> Status {
                       GAUDI_TRY(executable->launch());
                       return {};
                     }),
            0);
}

TEST(Allocation, FailuresAroundVariantsAreErrors) {
  auto executable = loadText(R"(recipe 1.6 target "gaudi2" producer ""
section @0 persistent 4096 bytes
tensor %0 "x" input @0+0 f32[8,4]
tensor %1 "y" output @0+256 f32[8,4]
entry "main" dispatch {
  symbol "rows" 1 to 8
  input "x" f32[s0, 4]
  output "y" f32[s0, 4]
  variant 1 sizes [8]
}
entry "main.0" (%0) -> (%1) {
  #0 dma "copy" transfer (%0) -> (%1)
}
)");
  ASSERT_TRUE(executable);
  std::unique_ptr<runtime::Dispatcher> dispatcher;
  EXPECT_GT(failEach("not enough host memory to load the variants",
                     [&]() -> Status {
                       dispatcher = GAUDI_TRY(
                           runtime::Dispatcher::create(*executable, 0));
                       return {};
                     }),
            0);
  // Nothing of a choice that failed remains.
  const std::vector<Dims> shape = {{3, 4}};
  EXPECT_GT(failEach("not enough host memory to choose a variant",
                     [&] { return dispatcher->select(shape); }),
            0);
  EXPECT_EQ(failEach("", [&] { return dispatcher->select(shape); }), 0);
  std::vector<float> v(12);
  dispatcher->setPoison(true);
  EXPECT_GT(failEach("not enough host memory to set an input",
                     [&] { return dispatcher->setInput(0, v.data(), 48); }),
            0);
  EXPECT_GT(failEach("not enough host memory to get an output",
                     [&] { return dispatcher->getOutput(0, v.data(), 48); }),
            0);
  EXPECT_EQ(failEach("",
                     [&]() -> Status {
                       GAUDI_TRY(dispatcher->launch());
                       return {};
                     }),
            0);
}

} // namespace
