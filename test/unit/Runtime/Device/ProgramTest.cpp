// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs of one process share.
#include "DeviceRecipe.h"

using namespace gaudi;
using namespace gaudi::test;

namespace {

TEST(Program, SharesCompiledKernels) {
  const auto device = openDevice(), second = openDevice();
  constexpr int64_t n = 777; // as no other test
  const auto stats = [](const std::shared_ptr<Program> &program) {
    return program->executable().kernels();
  };
  const auto first = loadScaled(device, n, 2);
  ASSERT_TRUE(first);
  EXPECT_EQ(stats(first).compiled, 1u);
  EXPECT_EQ(stats(first).shared, 0u);
  const auto same = loadScaled(second, n, 2);
  ASSERT_TRUE(same);
  EXPECT_EQ(stats(same).compiled, 0u);
  EXPECT_EQ(stats(same).shared, 1u);
  EXPECT_EQ(stats(same).fromCache, 0u);
  const auto other = loadScaled(second, n, 3);
  ASSERT_TRUE(other);
  EXPECT_EQ(stats(other).compiled, 1u) << "of another factor";
  // Each has code of its own: it is replaced once it is hot, and may go.
  auto &stream = second->defaultStream();
  ASSERT_GET(x, second->allocate(n * 4, stream));
  EXPECT_OK(stream.fill(x, n * 4, 0, 4));
  for (int i = 0; i < 10; ++i)
    EXPECT_OK(stream.launch(*same, 0, {x, x}));
  std::vector<float> out(n);
  EXPECT_OK(stream.copyOut(out.data(), x, n * 4, true));
  EXPECT_EQ(out, std::vector<float>(n, 1023));
}

} // namespace
