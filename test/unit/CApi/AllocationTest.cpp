// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Missing memory is an error; a launch like the last one takes none.
#include "../Runtime/FailingNew.h"
#include "../Runtime/TextRecipe.h"
#include "Model.h"

#include <atomic>
#include <functional>
#include <set>
#include <thread>

using namespace gaudi::test;

namespace {

/// Makes allocations of the call fail, one in each run: the first ones all,
/// later ones ever fewer. Returns how many there are, about.
int failEach(const std::function<GaudiError *()> &call) {
  for (int allocation = 1;; allocation += 1 + allocation / 32) {
    const auto [error, failed] = callWithFailing(allocation, call);
    if (!failed) {
      EXPECT_TRUE(isFine(error));
      return allocation - 1;
    }
    // Some have a way without the memory, such as the caches.
    if (error)
      EXPECT_EQ(gaudiErrorCode(error), GaudiErrorOutOfMemory)
          << textOf(gaudiErrorMessage(error));
    gaudiErrorDestroy(error);
  }
}

RecipeOwner recipeOf(const std::string &text) {
  GaudiRecipe *recipe = nullptr;
  if (const auto file = fileOfText(text))
    EXPECT_TRUE(isFine(gaudiRecipeFromMemory(file->bytes().data,
                                             file->bytes().size, &recipe)));
  return RecipeOwner(recipe);
}

} // namespace

TEST(CAllocations, ThatFailAreErrors) {
  const RecipeOwner recipe = compile(matmul);
  const void *data = nullptr;
  size_t bytes = 0;
  gaudiRecipeBytes(recipe.get(), &data, &bytes);
  EXPECT_GT(failEach([&] {
              GaudiRecipe *opened = nullptr;
              GaudiError *error = gaudiRecipeFromMemory(data, bytes, &opened);
              gaudiRecipeDestroy(opened);
              return error;
            }),
            10);
  GaudiLoadOptions options;
  gaudiLoadOptionsInit(&options);
  options.threads = 1;
  // The code generator, which has no such errors, has done its work.
  EXPECT_TRUE(load(recipe, &options));
  EXPECT_GT(failEach([&] {
              GaudiExecutable *executable = nullptr;
              GaudiError *error =
                  gaudiExecutableLoad(recipe.get(), &options, &executable);
              gaudiExecutableDestroy(executable);
              return error;
            }),
            10);
}

/// The memory of a launch that finds that of the first one in use: launches of
/// "busy" have the states, and so are always the first.
TEST(CAllocations, OfAnotherLaunchAtOnceThatFailAreErrors) {
  const RecipeOwner recipe = recipeOf(R"(recipe 1.6 target "gaudi2" producer ""
section @0 persistent 16778240 bytes
tensor %0 "x" input @0+0 f32[4]
tensor %1 "y" output @0+512 f32[4]
tensor %2 "large" state @0+1024 f32[4194304]
entry "main" (%0) -> (%1) {
  #0 dma "copy" transfer (%0) -> (%1)
}
entry "busy" () -> () {
  #0 dma "fill" fill 0x1 () -> (%2)
}
)");
  GaudiLoadOptions options;
  gaudiLoadOptionsInit(&options);
  options.threads = 1;
  options.maxLaunches = 2;
  const ExecutableOwner executable = load(recipe, &options);
  ASSERT_TRUE(executable);
  float x[4] = {1, 2, 3, 4}, y[4] = {};
  const Buffer in(x, GaudiF32, {4}), out(y, GaudiF32, {4});
  const auto run = [&] {
    return gaudiExecutableRun(executable.get(), 0, &in.buffer, 1, &out.buffer,
                              1, nullptr);
  };
  const auto launchesAtOnce = [&] {
    GaudiExecutableStats stats = {};
    stats.size = sizeof(stats);
    gaudiExecutableStats(executable.get(), &stats);
    return stats.contexts;
  };
  ASSERT_TRUE(isFine(run())); // it prepares copies
  std::atomic<bool> isDone = false;
  std::thread busy([&] {
    while (!isDone)
      EXPECT_TRUE(isFine(gaudiExecutableRun(executable.get(), 1, nullptr, 0,
                                            nullptr, 0, nullptr)));
  });
  std::set<std::string> messages;
  for (int allocation = 1; launchesAtOnce() < 2;) {
    const auto [error, failed] = callWithFailing(allocation, run);
    // None, where it came between two launches of the other thread.
    if (error)
      messages.insert(messageOf(error, GaudiErrorOutOfMemory));
    if (failed)
      allocation += 1 + allocation / 32;
  }
  isDone = true;
  busy.join();
  EXPECT_EQ(messages.count("no memory of its own for another launch: "
                           "std::bad_alloc"),
            1u);
  EXPECT_EQ(messages.count("not enough host memory to load the recipe again"),
            1u);
  EXPECT_TRUE(isFine(run()));
  EXPECT_EQ(y[3], 4);
}

TEST(CAllocations, OfLaunchesAreNone) {
  const RecipeOwner recipe = compile(matmul);
  const ExecutableOwner executable = load(recipe);
  float x[6] = {}, w[6] = {}, y[4];
  const Buffer bx(x, GaudiF32, {2, 3}), bw(w, GaudiF32, {3, 2}, {1, 3}),
      by(y, GaudiF32, {2, 2});
  const GaudiBuffer inputs[] = {bx, bw};
  const auto run = [&] {
    return gaudiExecutableRun(executable.get(), 0, inputs, 2, &by.buffer, 1,
                              nullptr);
  };
  EXPECT_GT(failEach(run), 0) << "the first one prepares copies";
  const int before = allocations;
  for (int launch = 0; launch < 10; ++launch)
    EXPECT_EQ(run(), nullptr);
  EXPECT_EQ(allocations, before);
}
