// From a text in memory to numbers.
#include "Model.h"

#include <gmock/gmock.h>

using namespace gaudi::test;
using ::testing::ElementsAre;

TEST(CRun, CompilesFromMemoryAndRuns) {
  const RecipeOwner recipe = compile(matmul);
  const ExecutableOwner executable = load(recipe);
  ASSERT_TRUE(executable);
  const float x[] = {1, 2, 3, 4, 5, 6}, w[] = {1, 0, 0, 1, 1, 1};
  float y[4] = {};
  const Buffer bx(x, GaudiF32, {2, 3}), bw(w, GaudiF32, {3, 2}),
      by(y, GaudiF32, {2, 2});
  const GaudiBuffer inputs[] = {bx, bw};
  GaudiRunStats stats = {};
  stats.size = sizeof(stats);
  ASSERT_TRUE(isFine(gaudiExecutableRun(executable.get(), 0, inputs, 2,
                                        &by.buffer, 1, &stats)));
  EXPECT_THAT(y, ElementsAre(4, 5, 10, 11));
  EXPECT_GT(stats.launchMicroseconds, 0);
  EXPECT_EQ(stats.variant, -1);
}
