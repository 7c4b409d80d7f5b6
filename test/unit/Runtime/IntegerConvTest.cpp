// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of 8-bit integers, as kernels have them.
#include "IntegerCase.h"
#include "MatrixTest.h"

using namespace gaudi;
using namespace gaudi::test;

namespace {

struct ConvCase : IntegerConv {
  int bitsF = 8; // of the filter

  void check() const;
};

void ConvCase::check() const {
  SCOPED_TRACE(::testing::Message()
               << size << " square of " << in << " to " << out << ", " << taps
               << " taps, stride " << stride << ", groups " << groups);
  const int64_t result = this->result(), perGroup = in / groups,
                outs = out / groups;
  const Bytes x = someBytes(n * size * size * in, 1),
              f = narrowed(someBytes(taps * taps * perGroup * out, 2), bitsF,
                           signedF);
  KernelBuilder b = kernel();
  TestRecipe recipe;
  recipe.launch(b,
                {recipe.input(byteType(signedX), image(size, in)),
                 recipe.constant(byteType(signedF), filter(), f)},
                {recipe.output(ElementType::I32, image(result, out))});

  std::vector<uint32_t> wanted(size_t(n * result * result * out));
  auto place = [&](int64_t i, int64_t h, int64_t w, int64_t c, int64_t edge,
                   int64_t channels) {
    return size_t(channelsFirst ? ((i * channels + c) * edge + h) * edge + w
                                : ((i * edge + h) * edge + w) * channels + c);
  };
  for (int64_t i = 0; i < n; ++i)
    for (int64_t h = 0; h < result; ++h)
      for (int64_t w = 0; w < result; ++w)
        for (int64_t o = 0; o < out; ++o) {
          uint32_t &value = wanted[place(i, h, w, o, result, out)];
          for (int64_t kh = 0; kh < taps; ++kh)
            for (int64_t kw = 0; kw < taps; ++kw)
              for (int64_t c = 0; c < perGroup; ++c) {
                const int64_t row = h * stride + kh * dilation - pad,
                              column = w * stride + kw * dilation - pad;
                const int64_t group =
                    reversed ? groups - 1 - o / outs : o / outs;
                const bool inside =
                    row >= 0 && row < size && column >= 0 && column < size;
                const uint8_t byte =
                    inside ? x[place(i, row, column, group * perGroup + c, size,
                                     in)]
                           : padValue;
                const uint8_t weight = f[size_t(
                    channelsFirst
                        ? ((o * perGroup + c) * taps + kh) * taps + kw
                        : ((kh * taps + kw) * perGroup + c) * out + o)];
                value += (extended(flips ? byte ^ 0x80 : byte, signedX) -
                          uint32_t(zero)) *
                         (extended(weight, signedF) - uint32_t(zeroF));
              }
        }
  expectIntegers(recipe, {x}, bytesOf(wanted));
  if (bitsF < 8)
    expectSmallConstants(recipe, true);
}

TEST(IntegerConv, Forms) {
  ConvCase().check();
  ConvCase c;
  c.stride = 2;
  c.n = 2;
  c.check();
  c.dilation = 2;
  c.signedX = true;
  c.check();
  c.pad = 0;
  c.taps = 1;
  c.check();
}

TEST(IntegerConv, PaddingThatIsNotTheZeroPoint) {
  ConvCase c;
  c.padValue = 200;
  c.zeroF = 9;
  c.check();
  c.signedX = true;
  c.signedF = false;
  c.check();
  // What padding reads is flipped with the rest.
  c.flips = true;
  c.check();
  c.signedX = false;
  c.check();
}

// Kernels with functions for signed rows read them in place, padding included.
TEST(IntegerConv, SignedRows) {
  for (bool flips : {false, true})
    for (int64_t zeroF : {0, -7})
      for (int64_t in : {16, 18}) {
        ConvCase c;
        c.signedX = !flips;
        c.flips = flips;
        c.zeroF = zeroF;
        c.zero = zeroF == 0 ? 0 : -128;
        c.padValue = 0x85;
        c.in = in;
        c.out = 70;
        c.n = 2;
        c.check();
        c.groups = 2;
        c.out = 64;
        c.reversed = true;
        c.check();
      }
}

TEST(IntegerConv, ChannelsThatAreNoWholeSteps) {
  for (int64_t in : {3, 5, 17}) {
    ConvCase c;
    c.in = in;
    c.out = 33;
    c.size = 9;
    c.zeroF = in == 5;
    c.check();
  }
}

TEST(IntegerConv, ChannelsFirst) {
  ConvCase c;
  c.channelsFirst = true;
  c.in = 12;
  c.check();
  c.stride = 2;
  c.in = 3;
  c.n = 2;
  c.check();
}

// The columns of the sums are apart, and rows are neighbours.
TEST(IntegerConv, ChannelsOuter) {
  for (int64_t size : {1, 2, 3, 5, 7, 11}) {
    ConvCase c;
    c.channelsFirst = c.channelsOuter = true;
    c.size = size;
    c.out = 42;
    c.n = 2;
    c.check();
    c.stride = 2;
    c.zeroF = 5;
    c.signedX = true;
    c.check();
  }
}

// The kernel walks its points in another order than that of its result.
TEST(IntegerConv, SumsLieInTheOrderOfTheResult) {
  for (bool channelsFirst : {false, true})
    for (bool channelsOuter : {false, true})
      for (int64_t groups : {1, 2}) {
        ConvCase c;
        c.channelsFirst = channelsFirst;
        c.channelsOuter = channelsOuter;
        c.groups = groups;
        c.n = 2;
        c.size = 8;
        c.out = 48;
        c.padValue = 9;
        c.check();
        c.zeroF = 3;
        c.signedX = true;
        c.check();
      }
  // More columns than values in a sum: of the weights, since they are
  // neighbours in the result.
  ConvCase c;
  c.channelsOuter = true;
  c.taps = 1;
  c.pad = 0;
  c.size = 10;
  c.out = 64;
  KernelBuilder b = c.kernel();
  TestRecipe recipe;
  recipe.launch(b,
                {recipe.input(byteType(c.signedX), c.image(c.size, c.in)),
                 recipe.constant(byteType(c.signedF), c.filter(),
                                 someBytes(c.in * c.out, 2))},
                {recipe.output(ElementType::I32, c.image(c.result(), c.out))});
  auto executable = recipe.load();
  ASSERT_TRUE(executable);
  const std::string how = executable->commands()[0].implementation;
  EXPECT_NE(how.find("packed once"), std::string::npos) << how;
}

TEST(IntegerConv, Groups) {
  ConvCase c;
  c.groups = 3;
  c.in = 12;
  c.out = 48;
  c.check();
  c.channelsFirst = true;
  c.n = 2;
  c.check();
}

TEST(IntegerConv, GroupsBackwards) {
  for (bool signedX : {false, true}) {
    ConvCase c;
    c.groups = 3;
    c.in = 12;
    c.out = 48;
    c.reversed = true;
    c.signedX = signedX;
    c.check();
  }
}

TEST(IntegerConv, WideFilters) {
  ConvCase c;
  c.size = 23;
  c.in = 3;
  c.out = 64;
  c.taps = 7;
  c.stride = 2;
  c.pad = 3;
  c.check();
}

// A copy holds the padding of a line, whose taps are one run.
TEST(IntegerConv, CollapsedTaps) {
  for (bool channelsFirst : {false, true})
    for (int64_t in : {1, 3}) {
      ConvCase c;
      c.channelsFirst = channelsFirst;
      c.in = in;
      c.size = 11;
      c.n = 2;
      c.out = 40;
      c.taps = 5;
      c.pad = 2;
      c.stride = 2;
      c.padValue = 77;
      c.signedX = in == 3;
      c.zeroF = in == 3 ? 5 : 0;
      c.check();
      c.flips = true;
      c.dilation = in == 1 ? 1 : 2; // one channel has no run then
      c.check();
    }
  // The copy would be mostly padding.
  ConvCase c;
  c.in = 3;
  c.size = 4;
  c.taps = 9;
  c.pad = 8;
  c.n = 40;
  c.check();
}

// Three steps of a tap, five of a run of collapsed ones.
TEST(IntegerConv, SmallFilters) {
  for (const int bits : {6, 7})
    for (const int64_t channels : {12, 3}) {
      ConvCase c;
      c.bitsF = bits;
      c.signedX = false;
      c.in = channels;
      c.taps = channels == 3 ? 7 : 3;
      c.pad = 1;
      c.check();
    }
}

std::string howItRuns(const ConvCase &c) {
  KernelBuilder b = c.kernel();
  TestRecipe recipe;
  recipe.launch(b,
                {recipe.input(byteType(c.signedX), c.image(c.size, c.in)),
                 recipe.constant(byteType(c.signedF), c.filter(),
                                 someBytes(c.taps * c.taps * c.in * c.out, 2))},
                {recipe.output(ElementType::I32, c.image(c.result(), c.out))});
  auto executable = recipe.load();
  return executable ? executable->commands()[0].implementation : "";
}

TEST(IntegerConv, CollapsedTapsAreReported) {
  ConvCase c;
  c.in = 3;
  c.taps = 7;
  c.pad = 3;
  const std::string how = howItRuns(c);
  EXPECT_NE(how.find("taps collapsed"), std::string::npos) << how;
}

// Rows of a line on matrix tiles, which are evenly spaced in a copy with its
// padding. Strided ones are not copied.
TEST(IntegerConv, LinesOnTilesHavePadding) {
  const WithKernel chosen("portableamx");
  for (const int64_t stride : {1, 2})
    for (const int64_t size : {12, 21, 37}) {
      ConvCase c;
      c.in = 20;
      c.out = 40;
      c.n = 2;
      c.size = size;
      c.stride = stride;
      c.taps = 3;
      c.pad = 1;
      c.padValue = 77;
      c.check();
      const std::string how = howItRuns(c);
      EXPECT_EQ(how.find("taps collapsed") != std::string::npos, stride == 1)
          << how;
    }
}

} // namespace
