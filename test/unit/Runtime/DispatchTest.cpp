// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entries with variants: the choice, tensors of any size, extents, padding that
// nobody sees, and sentences for what does not fit.
#include "Gaudi/Runtime/Dispatch.h"
#include "TextRecipe.h"

#include <chrono>
#include <cmath>
#include <gtest/gtest.h>

using namespace gaudi;
using runtime::Dispatcher;
using Shape = Dispatcher::Shape;

namespace {

/// Copies x, adds one to the state, and returns the extents. The wide variant
/// stores x in the other order of dimensions; the small one is predicted to
/// take more time than the middle one.
const char *const copies = R"(recipe 1.6 target "gaudi2" producer ""
section @0 persistent 4096 bytes
tensor %0 "x" input @0+0 f32[64]
tensor %1 "y" output @0+256 f32[64]
tensor %2 "rows" input @0+512 i32[]
tensor %3 "cells" input @0+576 i32[1]
tensor %4 "state" state @0+640 i32[]
tensor %5 "n" output @0+704 i32[]
tensor %6 "x.2" input @0+0 f32[2,4] alias %0
tensor %7 "y.2" output @0+256 f32[2,4] alias %1
tensor %8 "x.4" input @0+0 f32[4,4] alias %0
tensor %9 "y.4" output @0+256 f32[4,4] alias %1
tensor %10 "x.8" input @0+0 f32[8,8] perm[1,0] alias %0
tensor %11 "y.8" output @0+256 f32[8,8] perm[1,0] alias %1
tensor %12 "next" output @0+640 i32[] alias %4
tensor %13 "cell" output @0+768 i32[1]
kernel 0 "increment" {
  space [1 parallel]
  in0 : i32 rank 0
  out0 : i32 rank 0
  stage {
    %0 = load in0[] : i32
    %1 = const 1 : i32
    %2 = addi %0, %1 : i32
    store %2 -> out0[]
  }
}
entry "main" dispatch {
  symbol "rows" 1 to 8
  symbol "columns" 2 to 8 multiple 2
  input "x" f32[s0, s1]
  input "state" i32[]
  output "y" f32[s0, s1]
  output "n" i32[]
  output "next" i32[]
  output "cell" i32[1]
  variant 1 sizes [2, 4] picoseconds 900 extent 1 = s0 extent 3 = (s0 * s1)
  variant 2 sizes [4, 4] picoseconds 800 extent 1 = s0 extent 3 = (s0 * s1)
  variant 3 sizes [8, 8] picoseconds 2000 extent 1 = s0 extent 3 = (s0 * s1)
}
entry "main.0" (%6, %2, %4, %3) -> (%7, %5, %12, %13) {
  #0 dma "copy" transfer (%6) -> (%7)
  #1 dma "copy" transfer (%2) -> (%5)
  #2 dma "copy" transfer (%3) -> (%13)
  #3 tpc "increment" launch 0 (%4) -> (%12)
}
entry "main.1" (%8, %2, %4, %3) -> (%9, %5, %12, %13) {
  #0 dma "copy" transfer (%8) -> (%9)
  #1 dma "copy" transfer (%2) -> (%5)
  #2 dma "copy" transfer (%3) -> (%13)
  #3 tpc "increment" launch 0 (%4) -> (%12)
}
entry "main.2" (%10, %2, %4, %3) -> (%11, %5, %12, %13) {
  #0 dma "copy" transfer (%10) -> (%11)
  #1 dma "copy" transfer (%2) -> (%5)
  #2 dma "copy" transfer (%3) -> (%13)
  #3 tpc "increment" launch 0 (%4) -> (%12)
}
)";

class Dispatch : public testing::Test {
protected:
  void SetUp() override { load(copies); }

  void load(const std::string &text) {
    executable = test::loadText(text);
    ASSERT_TRUE(executable);
    ASSERT_TRUE(Dispatcher::hasVariants(*executable, 0));
    EXPECT_FALSE(Dispatcher::hasVariants(*executable, 1));
    auto made = Dispatcher::create(*executable, 0);
    ASSERT_TRUE(made) << made.error().message;
    dispatcher = std::move(*made);
  }

  /// The error of selecting for x of this shape, or the empty string.
  std::string select(const Shape &x) {
    const Status status = dispatcher->select({x, {}});
    return status ? "" : status.error().message;
  }

  std::unique_ptr<runtime::Executable> executable;
  std::unique_ptr<Dispatcher> dispatcher;
};

TEST_F(Dispatch, IsTheOnlyWayToLaunch) {
  EXPECT_EQ(executable->launch(0).error().message,
            "entry \"main\" has variants; a Dispatcher launches the one that "
            "fits");
}

TEST_F(Dispatch, TellsItsSignature) {
  EXPECT_EQ(dispatcher->inputs()[0].shape, "rows x columns");
  EXPECT_FALSE(dispatcher->inputs()[0].isState);
  EXPECT_TRUE(dispatcher->inputs()[1].isState);
  EXPECT_EQ(dispatcher->outputShape(0, {3, 6}), (Shape{3, 6}));
  EXPECT_EQ(dispatcher->symbols()[1].multiple, 2);
  EXPECT_EQ(dispatcher->picoseconds(2), 2000);
}

TEST_F(Dispatch, TakesTheFastestThatFits) {
  const auto variantFor = [&](const Shape &x) {
    EXPECT_EQ(select(x), "");
    return dispatcher->variant();
  };
  EXPECT_EQ(variantFor({2, 4}), 1u); // it fits the first, which takes longer
  EXPECT_EQ(variantFor({4, 4}), 1u);
  EXPECT_EQ(variantFor({5, 4}), 2u);
  EXPECT_EQ(variantFor({1, 6}), 2u);
  EXPECT_EQ(dispatcher->entry(), 3u);
}

TEST_F(Dispatch, CopiesOnlyWhatCallersSee) {
  unsigned launches = 0;
  for (const bool poisons : {false, true})
    for (int64_t rows = 1; rows <= 8; ++rows)
      for (int64_t columns = 2; columns <= 8; columns += 2) {
        dispatcher->setPoison(poisons);
        ASSERT_EQ(select({rows, columns}), "");
        std::vector<float> x(size_t(rows * columns)), y(x.size());
        for (size_t i = 0; i < x.size(); ++i)
          x[i] = float(i + 1) + float(launches);
        const size_t bytes = x.size() * sizeof(float);
        if (launches == 0) {
          const int32_t state = 10;
          ASSERT_TRUE(dispatcher->setInput(1, &state, sizeof(state)));
        }
        ASSERT_TRUE(dispatcher->setInput(0, x.data(), bytes));
        ASSERT_TRUE(dispatcher->launch());
        ASSERT_TRUE(dispatcher->getOutput(0, y.data(), bytes));
        EXPECT_EQ(x, y);
        int32_t n = 0, state = 0, cells = 0;
        ASSERT_TRUE(dispatcher->getOutput(1, &n, sizeof(n)));
        ASSERT_TRUE(dispatcher->getOutput(2, &state, sizeof(state)));
        ASSERT_TRUE(dispatcher->getOutput(3, &cells, sizeof(cells)));
        EXPECT_EQ(n, rows);
        EXPECT_EQ(cells, rows * columns);
        // The state goes on, whichever variant ran.
        EXPECT_EQ(state, int32_t(10 + ++launches));
      }
  uint64_t counted = 0;
  double real = 0, padded = 0;
  for (const runtime::VariantCount &count : dispatcher->counts()) {
    counted += count.launches;
    real += count.real;
    padded += count.padded;
  }
  EXPECT_EQ(counted, launches);
  EXPECT_EQ(real, 2 * 36 * 20);
  EXPECT_EQ(padded, 2 * (8 * 16 + 24 * 64));
  EXPECT_EQ(dispatcher->counts()[0].launches, 0u);
}

TEST_F(Dispatch, PoisonFillsThePadding) {
  dispatcher->setPoison(true);
  ASSERT_EQ(select({3, 2}), "");
  const std::vector<float> x(6, 1.0f);
  const auto paddingOf = [&] {
    EXPECT_TRUE(dispatcher->setInput(0, x.data(), 24));
    std::vector<float> all(64);
    EXPECT_TRUE(executable->getTensor(0, all.data(), 256));
    EXPECT_EQ(all[0], 1.0f); // a row of four, of which callers see two
    EXPECT_EQ(all[1], 1.0f);
    EXPECT_TRUE(dispatcher->launch());
    return all[2];
  };
  EXPECT_TRUE(std::isnan(paddingOf()));
  EXPECT_TRUE(std::isinf(paddingOf()));
  const float random = paddingOf();
  EXPECT_NE(random, 1.0f);
  paddingOf();
  paddingOf();
  EXPECT_NE(paddingOf(), random);
}

TEST_F(Dispatch, SaysWhatDoesNotFit) {
  EXPECT_EQ(select({9, 4}),
            "input \"x\" has 9 elements in dimension 0: rows 9 exceeds the "
            "largest bucket 8; nearest would be rows 16, columns 4 at 77.8 % "
            "padding");
  EXPECT_EQ(select({0, 4}), "input \"x\" has 0 elements in dimension 0: rows 0 "
                            "is outside what the model takes: 1 to 8");
  EXPECT_EQ(select({4, 3}),
            "input \"x\" has 3 elements in dimension 1: columns 3 is outside "
            "what the model takes: 2 to 8 in multiples of 2");
  EXPECT_EQ(select({4}),
            "input \"x\" has the shape 4, expected rows x columns; give it as "
            "many dimensions");
  const Status state = dispatcher->select({{4, 4}, {1}});
  ASSERT_FALSE(state);
  EXPECT_EQ(state.error().message,
            "input \"state\" has the shape 1, expected a scalar; give it as "
            "many dimensions");
  const Status count = dispatcher->select({{4, 4}});
  ASSERT_FALSE(count);
  EXPECT_EQ(count.error().message, "got the shapes of 1 input, expected 2");
  EXPECT_FALSE(dispatcher->launch());
  const float one = 1;
  EXPECT_EQ(dispatcher->setInput(0, &one, 4).error().message,
            "no variant is selected; give the shapes of all inputs first");
  ASSERT_EQ(select({3, 2}), "");
  EXPECT_EQ(dispatcher->setInput(0, &one, 4).error().message,
            "input 0 \"x\" is rows x columns = 3x2 of f32: expected 24 bytes "
            "but got 4");
  EXPECT_EQ(dispatcher->setInput(2, &one, 4).error().message,
            "there is no input 2, the entry has 2");
  EXPECT_EQ(dispatcher->selectSizes({3}).error().message,
            "got 1 size, expected 2");
  EXPECT_TRUE(dispatcher->selectSizes({3, 2}));
}

TEST_F(Dispatch, FindsSizesOfSomeShapes) {
  const auto sizes = dispatcher->sizesOf({Shape{3, 4}, std::nullopt});
  ASSERT_TRUE(sizes) << sizes.error().message;
  EXPECT_EQ(*sizes, (shapes::Sizes{3, 4}));
  EXPECT_EQ(*dispatcher->sizesOf({std::nullopt, std::nullopt}, {5, 6}),
            (shapes::Sizes{5, 6}));
  EXPECT_EQ(dispatcher->sizesOf({std::nullopt, std::nullopt}, {5, -1})
                .error()
                .message,
            "the size of columns is not known: give input \"x\" a value, or "
            "--sizes=columns=N");
  EXPECT_EQ(
      dispatcher->sizesOf({Shape{3, 4}, std::nullopt}, {2, -1}).error().message,
      "input \"x\" has the shape 3x4, expected rows x columns = 2x4 with rows "
      "2, columns 4; give it that shape, or leave --sizes=rows=2 out, as "
      "shapes tell the sizes");
}

TEST_F(Dispatch, SaysWhichInputsDisagree) {
  load(R"(recipe 1.6 target "gaudi2" producer ""
section @0 persistent 4096 bytes
tensor %0 "x" input @0+0 f32[8]
tensor %1 "z" input @0+256 f32[8]
tensor %2 "y" output @0+512 f32[8]
entry "main" dispatch {
  symbol "n" 1 to 8
  input "x" f32[s0]
  input "z" f32[s0]
  output "y" f32[s0]
  variant 1 sizes [8]
}
entry "main.0" (%0, %1) -> (%2) {
  #0 dma "fill" fill 0x0 () -> (%2)
}
)");
  EXPECT_EQ(dispatcher->sizesOf({Shape{3}, Shape{4}}).error().message,
            "input \"z\" has the shape 4, expected n = 3 with n 3; give it "
            "that shape, or the other inputs sizes that fit");
  // Another input says n, so that this one is wrong.
  EXPECT_EQ(dispatcher->sizesOf({std::nullopt, Shape{4}}, {3}).error().message,
            "input \"z\" has the shape 4, expected n = 3 with n 3; give it "
            "that shape, or the other inputs sizes that fit");
}

TEST_F(Dispatch, SolvesSizesOfSums) {
  load(R"(recipe 1.6 target "gaudi2" producer ""
section @0 persistent 4096 bytes
tensor %0 "x" input @0+0 f32[15]
tensor %1 "y" output @0+256 f32[8]
entry "main" dispatch {
  symbol "n" 1 to 8
  input "x" f32[((2 * s0) - 1)]
  output "y" f32[s0]
  variant 1 sizes [8]
}
entry "main.0" (%0) -> (%1) {
  #0 dma "fill" fill 0x0 () -> (%1)
}
)");
  ASSERT_TRUE(dispatcher->select({{9}}));
  EXPECT_EQ(dispatcher->sizes(), shapes::Sizes{5});
  EXPECT_EQ(dispatcher->select({{10}}).error().message,
            "input \"x\" has 10 elements in dimension 0, but no n gives that: "
            "its shape is ((2 * n) - 1); give it a size of that form");
}

TEST_F(Dispatch, SizesOutsideOfTheirBoundsAreNotComputedWith) {
  load(R"(recipe 1.6 target "gaudi2" producer ""
section @0 persistent 4096 bytes
tensor %0 "x" input @0+0 f32[64]
tensor %1 "r" input @0+256 f32[8]
tensor %2 "y" output @0+512 f32[4]
entry "main" dispatch {
  symbol "rows" 1 to 8
  symbol "columns" 1 to 8
  input "x" f32[(s0 * s1)]
  input "r" f32[s0]
  output "y" f32[(s1 - 4)]
  variant 1 sizes [8, 8]
}
entry "main.0" (%0, %1) -> (%2) {
  #0 dma "fill" fill 0x0 () -> (%2)
}
)");
  const std::string expected = "rows 4611686018427387904 is outside what "
                               "the model takes: 1 to 8";
  const int64_t huge = int64_t(1) << 62;
  EXPECT_EQ(dispatcher->sizesOf({Shape{12}, std::nullopt}, {huge, -1})
                .error()
                .message,
            expected);
  EXPECT_EQ(dispatcher->select({{huge}, {huge}}).error().message, expected);
  EXPECT_TRUE(dispatcher->select({{12}, {2}}));
  // A size that is negative for some launches is an error of these.
  EXPECT_EQ(dispatcher->select({{6}, {2}}).error().message,
            "output \"y\" of the shape (columns - 4) has -1 elements in "
            "dimension 0 at rows 2, columns 3");
}

/// What a launch adds to that of a static entry: some tens of nanoseconds; the
/// bound leaves room for a busy host.
TEST_F(Dispatch, ChoosingTakesLessThanAMicrosecond) {
  const std::vector<Shape> shapes = {{5, 4}, {}};
  double best = 1e9;
  for (unsigned round = 0; round < 20; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (unsigned i = 0; i < 1000; ++i)
      ASSERT_TRUE(dispatcher->select(shapes));
    const std::chrono::duration<double, std::nano> time =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / 1000);
  }
  RecordProperty("nanoseconds", int(best));
  EXPECT_LT(best, 1000);
}

TEST_F(Dispatch, SizesThatFallAreComparedOneByOne) {
  // y has 9 - rows elements: more than in a variant of more rows.
  load(R"(recipe 1.6 target "gaudi2" producer ""
section @0 persistent 4096 bytes
tensor %0 "x" input @0+0 f32[8]
tensor %1 "y" output @0+256 f32[8]
tensor %2 "x.4" input @0+0 f32[4] alias %0
tensor %3 "y.4" output @0+256 f32[5] alias %1
tensor %4 "y.8" output @0+256 f32[1] alias %1
entry "main" dispatch {
  symbol "n" 1 to 8
  input "x" f32[s0]
  output "y" f32[(9 - s0)]
  variant 1 sizes [4]
  variant 2 sizes [8]
}
entry "main.0" (%2) -> (%3) {
  #0 dma "fill" fill 0x0 () -> (%3)
}
entry "main.1" (%0) -> (%4) {
  #0 dma "fill" fill 0x0 () -> (%4)
}
)");
  EXPECT_TRUE(dispatcher->selectSizes({4}));
  EXPECT_EQ(dispatcher->selectSizes({3}).error().message,
            "no variant has room for all tensors at 3");
  EXPECT_TRUE(dispatcher->selectSizes({8}));
}

} // namespace
