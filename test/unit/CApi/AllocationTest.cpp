// Missing memory is an error; a launch like the last one takes none.
#include "Model.h"

#include <cstdlib>
#include <functional>
#include <new>

using namespace gaudi::test;

namespace {
/// The allocation of this thread that fails, counted from 1; 0: none.
thread_local int failing = 0;
thread_local int allocations = 0;
} // namespace

// Of the whole process, and so also of the library.
void *operator new(std::size_t size) {
  ++allocations;
  void *memory =
      failing && --failing == 0 ? nullptr : std::malloc(size ? size : 1);
  if (!memory)
    throw std::bad_alloc();
  return memory;
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

namespace {

/// Makes allocations of the call fail, one in each run: the first ones all,
/// later ones ever fewer. Returns how many there are, about.
int failEach(const std::function<GaudiError *()> &call) {
  for (int allocation = 1;; allocation += 1 + allocation / 32) {
    failing = allocation;
    GaudiError *error = call();
    const bool failed = failing == 0;
    failing = 0;
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
