// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the order of a queue implies: commands that share bytes wait.
#include "RecipeText.h"

#include <gmock/gmock.h>

namespace gaudi::prediction {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<uint32_t> waitsFor(const Prediction &prediction, uint32_t command) {
  std::vector<uint32_t> result;
  for (const timing::Dependency &dependency :
       prediction.tasks[command].dependencies)
    result.push_back(dependency.task);
  return result;
}

/// Small kernels on one queue; the recipe names no dependency. The workspace
/// tensors %2 and %4 share their bytes.
TEST(Hazards, OrderCommandsThatShareBytes) {
  const Prediction prediction = predictionOf(
      R"(recipe 1.0 target "gaudi2" producer "tests"

section @0 persistent 1024 bytes
section @1 workspace 512 bytes

tensor %0 "x" input @0+0 f32[4,8]
tensor %1 "y" output @0+128 f32[4,8]
tensor %2 "a" workspace @1+0 f32[4,8]
tensor %3 "b" workspace @1+128 f32[4,8]
tensor %4 "c" workspace @1+0 f32[4,8]
tensor %5 "z" output @0+256 f32[4,8]

kernel 0 "exp" {
  space [4 parallel, 8 parallel]
  in0 : f32 rank 2
  out0 : f32 rank 2
  stage {
    %0 = load in0[d0, d1] : f32
    %1 = expf %0 : f32
    store %1 -> out0[d0, d1]
  }
}

entry "main" (%0) -> (%1, %5) {
  #0 tpc "tpc.exp" launch 0 (%0) -> (%2)
  #1 tpc "tpc.exp" launch 0 (%0) -> (%3)
  #2 tpc "tpc.exp" launch 0 (%2) -> (%1)
  #3 tpc "tpc.exp" launch 0 (%3) -> (%4)
  #4 tpc "tpc.exp" launch 0 (%4) -> (%5)
}
)");
  ASSERT_EQ(prediction.tasks.size(), 5u);
  EXPECT_THAT(waitsFor(prediction, 0), IsEmpty());
  EXPECT_THAT(waitsFor(prediction, 1), IsEmpty()); // both only read the input
  EXPECT_THAT(waitsFor(prediction, 2), ElementsAre(0)); // reads a
  // Reads b; overwrites a, which 0 wrote and 2 reads.
  EXPECT_THAT(waitsFor(prediction, 3), ElementsAre(0, 1, 2));
  EXPECT_THAT(waitsFor(prediction, 4), ElementsAre(3)); // reads c
  // Independent kernels of one engine each overlap.
  const std::vector<timing::Span> &spans = prediction.timeline.spans;
  EXPECT_LT(spans[1].start, spans[0].end);
  EXPECT_GE(spans[2].start, spans[0].end);
  EXPECT_GE(spans[3].start, spans[2].end);
}

} // namespace
} // namespace gaudi::prediction
