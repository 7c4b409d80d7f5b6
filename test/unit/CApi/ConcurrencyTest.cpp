// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches at once of one load: bit-equal to one after the other. Run under the
// thread sanitizer by scripts/sanitize.sh --thread.
#include "../Runtime/ProductRecipe.h"
#include "gaudi-c/Executable.h"

#include <atomic>
#include <thread>

using namespace gaudi;
using namespace gaudi::test;

namespace {

constexpr int64_t rows = 64, columns = 256;
const ElementType F32 = ElementType::F32;

GaudiRecipe *openRecipe(TestRecipe &r) {
  const auto bytes = r.write();
  GaudiRecipe *recipe = nullptr;
  EXPECT_TRUE(bytes) << bytes.error().message;
  if (bytes)
    EXPECT_EQ(gaudiRecipeFromMemory(bytes->data(), bytes->size(), &recipe),
              nullptr);
  return recipe;
}

GaudiExecutable *loadRecipe(const GaudiRecipe *recipe, uint32_t launches,
                            uint64_t deviceMemory = 0) {
  GaudiLoadOptions options;
  gaudiLoadOptionsInit(&options);
  options.threads = 2;
  options.maxLaunches = launches;
  options.deviceMemory = deviceMemory;
  options.cacheDirectory = "";
  GaudiExecutable *executable = nullptr;
  GaudiError *error = gaudiExecutableLoad(recipe, &options, &executable);
  EXPECT_EQ(error, nullptr) << (error ? gaudiErrorMessage(error).data : "");
  return executable;
}

const int64_t shape[] = {rows, columns};

std::vector<float> launch(GaudiExecutable *executable, uint64_t seed) {
  std::vector<float> in = Random(seed).values(size_t(rows * columns)),
                     out(in.size());
  const GaudiBuffer input = {in.data(), GaudiF32, 2, shape, nullptr},
                    output = {out.data(), GaudiF32, 2, shape, nullptr};
  EXPECT_EQ(gaudiExecutableRun(executable, 0, &input, 1, &output, 1, nullptr),
            nullptr);
  return out;
}

GaudiExecutableStats statsOf(const GaudiExecutable *executable) {
  GaudiExecutableStats stats = {};
  stats.size = sizeof(stats);
  gaudiExecutableStats(executable, &stats);
  return stats;
}

TEST(CConcurrency, LaunchesAtOnceGiveTheSameBits) {
  TestRecipe r;
  addTanhOfProduct(r, rows, columns);
  GaudiRecipe *recipe = openRecipe(r);
  GaudiExecutable *serial = loadRecipe(recipe, 1);
  std::vector<std::vector<float>> expected;
  for (uint64_t seed = 0; seed < 4; ++seed)
    expected.push_back(launch(serial, seed));
  gaudiExecutableDestroy(serial);
  EXPECT_NE(expected[0], expected[1]);

  constexpr uint32_t most = 3;
  constexpr size_t callers = 5, rounds = 20;
  GaudiExecutable *executable = loadRecipe(recipe, most);
  gaudiRecipeDestroy(recipe); // the executable stays
  std::vector<std::thread> threads;
  std::vector<int> wrong(callers);
  for (size_t t = 0; t < callers; ++t)
    threads.emplace_back([&, t] {
      for (size_t round = 0; round < rounds; ++round) {
        const uint64_t seed = (t + round) % expected.size();
        wrong[t] += launch(executable, seed) != expected[seed];
        (void)statsOf(executable);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, std::vector<int>(callers));
  const GaudiExecutableStats stats = statsOf(executable);
  EXPECT_EQ(stats.launches, callers * rounds);
  EXPECT_GE(stats.contexts, 1u);
  EXPECT_LE(stats.contexts, most);
  gaudiExecutableDestroy(executable);
}

TEST(CConcurrency, AnyNumberOfLaunchesMayBeAllowed) {
  TestRecipe r;
  addTanhOfProduct(r, rows, columns);
  GaudiRecipe *recipe = openRecipe(r);
  GaudiExecutable *executable = loadRecipe(recipe, UINT32_MAX);
  gaudiRecipeDestroy(recipe);
  ASSERT_NE(executable, nullptr);
  launch(executable, 0);
  EXPECT_EQ(statsOf(executable).contexts, 1u);
  gaudiExecutableDestroy(executable);
}

/// The one that finds the first launch's memory in use gets the error.
TEST(CConcurrency, LaunchesThatTheDeviceHasNoMemoryForFail) {
  TestRecipe r;
  addTanhOfProduct(r, rows, columns);
  GaudiRecipe *recipe = openRecipe(r);
  const GaudiMemoryInfo memory = gaudiRecipeMemory(recipe);
  const uint64_t one = memory.persistent + memory.constants + memory.workspace;
  GaudiExecutable *executable = loadRecipe(recipe, 2, one + memory.workspace);
  gaudiRecipeDestroy(recipe);
  ASSERT_NE(executable, nullptr);
  std::atomic<bool> isMet = false;
  std::string messages[2];
  const auto launchUntilMet = [&](std::string &message) {
    std::vector<float> in(size_t(rows * columns)), out(in.size());
    const GaudiBuffer input = {in.data(), GaudiF32, 2, shape, nullptr},
                      output = {out.data(), GaudiF32, 2, shape, nullptr};
    while (!isMet)
      if (GaudiError *error = gaudiExecutableRun(executable, 0, &input, 1,
                                                 &output, 1, nullptr)) {
        EXPECT_EQ(gaudiErrorCode(error), GaudiErrorOutOfMemory);
        message = gaudiErrorMessage(error).data;
        gaudiErrorDestroy(error);
        isMet = true;
      }
  };
  std::thread other([&] { launchUntilMet(messages[1]); });
  launchUntilMet(messages[0]);
  other.join();
  const std::string &message = messages[messages[0].empty()];
  EXPECT_EQ(message.find("out of device memory"), 0u) << message;
  EXPECT_NE(
      message.find("\nother launches take the rest: 1; lower maxLaunches"),
      std::string::npos)
      << message;
  EXPECT_EQ(statsOf(executable).contexts, 1u);
  launch(executable, 1); // there still is the first one
  gaudiExecutableDestroy(executable);
}

TEST(CConcurrency, EntriesWithStatesRunOneAfterTheOther) {
  TestRecipe r;
  // count += in
  const uint32_t in = r.input(F32, {1});
  const uint32_t count = r.state(F32, {1});
  KernelBuilder k({1}, {true});
  k.input(F32, 1).input(F32, 1).output(F32, 1);
  k.stage();
  const uint32_t a = k.inst(Op::Load, F32, k.access(0, 0, k.at({{0, 1}})));
  const uint32_t b = k.inst(Op::Load, F32, k.access(1, 0, k.at({{0, 1}})));
  const uint32_t sum = r.workspace(F32, {1});
  k.store(k.access(2, 0, k.at({{0, 1}})), k.inst(Op::AddF, F32, a, b));
  r.launch(k, {in, count}, {sum});
  r.command(recipe::Engine::DMA, "copy", recipe::TransferT(), {sum}, {count});
  GaudiRecipe *recipe = openRecipe(r);
  GaudiExecutable *executable = loadRecipe(recipe, 4);
  constexpr int callers = 4, rounds = 50;
  std::vector<std::thread> threads;
  for (int t = 0; t < callers; ++t)
    threads.emplace_back([&] {
      const int64_t one[] = {1};
      float value = 1;
      const GaudiBuffer input = {&value, GaudiF32, 1, one, nullptr};
      for (int round = 0; round < rounds; ++round)
        EXPECT_EQ(
            gaudiExecutableRun(executable, 0, &input, 1, nullptr, 0, nullptr),
            nullptr);
    });
  for (std::thread &thread : threads)
    thread.join();
  float value = 0;
  const int64_t one[] = {1};
  const GaudiBuffer state = {&value, GaudiF32, 1, one, nullptr};
  EXPECT_EQ(gaudiExecutableGetState(executable, 0, &state), nullptr);
  EXPECT_EQ(value, callers * rounds);
  EXPECT_EQ(statsOf(executable).contexts, 1u);
  gaudiExecutableDestroy(executable);
  gaudiRecipeDestroy(recipe);
}

} // namespace
