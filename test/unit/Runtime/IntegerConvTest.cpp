// Convolutions of 8-bit integers, as kernels have them.
#include "IntegerCase.h"

using namespace gaudi;
using namespace gaudi::test;

namespace {

/// y[n, h, w, o] = the sum over (kh, kw, c) of
///   (x[n, s h + d kh - p, s w + d kw - p, c] - z) (f[kh, kw, c, o] - q)
struct ConvCase {
  int64_t n = 1, size = 7, in = 8, out = 16, taps = 3;
  int64_t stride = 1, dilation = 1, pad = 1, groups = 1;
  bool signedX = false, signedF = true;
  bool channelsFirst = false; // x, f and y
  bool channelsOuter = false; // of the kernel's dimensions, as in y
  bool reversed = false;      // the groups of x
  uint8_t padValue = 3;
  bool flips = false; // 128 is added to the bytes of x before they are extended
  int64_t zero = 3, zeroF = 0;

  void check() const;
};

void ConvCase::check() const {
  SCOPED_TRACE(::testing::Message()
               << size << " square of " << in << " to " << out << ", " << taps
               << " taps, stride " << stride << ", groups " << groups);
  const int64_t result =
      (size + 2 * pad - dilation * (taps - 1) - 1) / stride + 1;
  const int64_t perGroup = in / groups, outs = out / groups;
  const auto typeX = signedX ? ElementType::I8 : ElementType::U8;
  const auto typeF = signedF ? ElementType::I8 : ElementType::U8;
  const uint8_t padBits = pad > 0 ? padValue : 0;
  const Bytes x = someBytes(n * size * size * in, 1),
              f = someBytes(taps * taps * perGroup * out, 2);

  // Dimensions: n, g, (h, w, o) or (o, h, w), kh, kw, c.
  const unsigned dimO = channelsOuter ? 2 : 4, dimH = channelsOuter ? 3 : 2,
                 dimW = dimH + 1;
  KernelBuilder b(
      channelsOuter
          ? Dims{n, groups, outs, result, result, taps, taps, perGroup}
          : Dims{n, groups, result, result, outs, taps, taps, perGroup},
      {true, true, true, true, true, false, false, false});
  b.input(typeX, 4).input(typeF, 4).output(ElementType::I32, 4);
  auto position = [&](unsigned dim, unsigned tap) {
    return b.at({{dim, stride}, {tap, dilation}}, -pad,
                pad > 0 ? recipe::Boundary::Pad : recipe::Boundary::Inside);
  };
  auto channel = [&](unsigned dim, int64_t count) {
    return dim == 7 && reversed ? b.at({{1, -count}, {dim, 1}}, in - perGroup)
                                : b.at({{1, count}, {dim, 1}});
  };
  const uint32_t accessX =
      channelsFirst ? b.access(0, padBits, b.at({{0, 1}}), channel(7, perGroup),
                               position(dimH, 5), position(dimW, 6))
                    : b.access(0, padBits, b.at({{0, 1}}), position(dimH, 5),
                               position(dimW, 6), channel(7, perGroup));
  const uint32_t accessF =
      channelsFirst ? b.access(1, 0, channel(dimO, outs), b.at({{7, 1}}),
                               b.at({{5, 1}}), b.at({{6, 1}}))
                    : b.access(1, 0, b.at({{5, 1}}), b.at({{6, 1}}),
                               b.at({{7, 1}}), channel(dimO, outs));
  const uint32_t accessY =
      channelsFirst ? b.access(2, 0, b.at({{0, 1}}), channel(dimO, outs),
                               b.at({{dimH, 1}}), b.at({{dimW, 1}}))
                    : b.access(2, 0, b.at({{0, 1}}), b.at({{dimH, 1}}),
                               b.at({{dimW, 1}}), channel(dimO, outs));
  b.stage();
  const uint32_t init = b.constant(ElementType::I32, 0);
  b.stage({5, 6, 7});
  auto factor = [&](uint32_t access, bool isSigned, int64_t point) {
    uint32_t byte = b.inst(Op::Load, ElementType::I8, access);
    if (flips && access == accessX)
      byte = b.inst(Op::AddI, ElementType::I8, byte,
                    b.constant(ElementType::I8, 128));
    return b.inst(
        Op::SubI, ElementType::I32,
        b.inst(isSigned ? Op::ExtSI : Op::ExtUI, ElementType::I32, byte),
        b.constant(ElementType::I32, uint32_t(point)));
  };
  b.reduce(recipe::ReduceOp::Add, init,
           b.inst(Op::MulI, ElementType::I32, factor(accessX, signedX, zero),
                  factor(accessF, signedF, zeroF)));
  const uint32_t sum = b.endStage();
  b.stage();
  b.store(accessY, sum);

  TestRecipe recipe;
  const uint32_t inX = recipe.input(
      typeX, channelsFirst ? Dims{n, in, size, size} : Dims{n, size, size, in});
  const uint32_t inF =
      recipe.constant(typeF,
                      channelsFirst ? Dims{out, perGroup, taps, taps}
                                    : Dims{taps, taps, perGroup, out},
                      f);
  recipe.launch(b, {inX, inF},
                {recipe.output(ElementType::I32,
                               channelsFirst ? Dims{n, out, result, result}
                                             : Dims{n, result, result, out})});

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

} // namespace
