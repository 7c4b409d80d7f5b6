// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions in squares of 2 x 2 outputs: numbers that their factors do not
// hold.
#include "ConvCase.h"

using namespace gaudi;
using namespace gaudi::test;

namespace {

/// A convolution by 3 x 3 with numbers of its own, in f32.
struct PlainSquares {
  static constexpr int64_t size = 12, channels = 32;
  std::vector<float> x = std::vector<float>(size_t(size * size * channels));
  std::vector<float> w = std::vector<float>(size_t(channels * 9 * channels));
  int64_t countedRow = -1; // of the outputs that count; all

  float &input(int64_t row, int64_t column, int64_t channel) {
    return x[size_t((row * size + column) * channels + channel)];
  }
  float &weight(int64_t out, int64_t tap, int64_t in) {
    return w[size_t((out * 9 + tap) * channels + in)];
  }

  double expected(int64_t row, int64_t column, int64_t out) {
    double sum = 0;
    for (int64_t tap = 0; tap < 9; ++tap) {
      const int64_t h = row + tap / 3 - 1, i = column + tap % 3 - 1;
      if (h < 0 || h >= size || i < 0 || i >= size)
        continue;
      for (int64_t k = 0; k < channels; ++k)
        sum += double(input(h, i, k)) * double(weight(out, tap, k));
    }
    return sum;
  }

  /// Runs it, and compares with plain loops: a share of the largest result may
  /// be wrong.
  void check(double share, std::string *implementation) {
    TestRecipe recipe;
    recipe::ConvT body;
    body.input_layout = body.output_layout = "NHWC";
    body.filter_layout = "OHWI";
    body.strides = body.dilations = body.pad_low = body.pad_high = {1, 1};
    body.groups = 1;
    const Dims sizes = {1, size, size, channels};
    const uint32_t in = recipe.input(F32, sizes);
    recipe.command(
        recipe::Engine::MME, "mme.conv", body,
        {in, recipe.constant(F32, {channels, 3, 3, channels}, bytesOf(w))},
        {recipe.output(F32, sizes)});
    auto executable = recipe.load({});
    ASSERT_TRUE(executable);
    *implementation = executable->commands()[0].implementation;
    const auto got =
        valuesOf<float>(TestRecipe::run(*executable, {bytesOf(x)})[0]);
    double largest = 0, error = 0;
    for (int64_t i = 0; i < size * size; ++i)
      for (int64_t o = 0; o < channels; ++o) {
        if (countedRow >= 0 && i / size != countedRow)
          continue;
        const double value = expected(i / size, i % size, o);
        const double off = double(got[size_t(i * channels + o)]) - value;
        largest = std::max(largest, std::fabs(value));
        error = std::max(error,
                         std::isnan(off) ? double(INFINITY) : std::fabs(off));
      }
    EXPECT_LE(error, share * largest) << *implementation;
  }
};

/// No sum overflows that the definition does not have.
TEST(ConvSquares, FactorsThatOverflow) {
  for (const char *kernel : {"", "portable"}) {
    const WithKernel chosen(kernel);
    // Differences of neighbours, 6e38, are no floats.
    PlainSquares c;
    for (int64_t i = 0; i < c.size * c.size; ++i)
      for (int64_t k = 0; k < c.channels; ++k)
        c.input(i / c.size, i % c.size, k) =
            (i / c.size + i) % 2 ? -3e38f : 3e38f;
    for (int64_t k = 0; k < c.channels; ++k)
      for (int64_t tap = 0; tap < 9; ++tap)
        c.weight(k, tap, k) = tap == 4 ? 0.5f : 0x1p-6f;
    std::string implementation;
    c.check(1e-6, &implementation);
    EXPECT_EQ(implementation.find("winograd:"), 0u) << implementation;
  }
}

/// Inputs that only zero or tiny weights meet may be far larger than the
/// others, and weights may be subnormal: the factors would lose the result.
TEST(ConvSquares, UnequalWeightsTakeAllProducts) {
  for (const char *kernel : {"", "portable"}) {
    const WithKernel chosen(kernel);
    Random random(17);
    PlainSquares dense;
    dense.x = random.values(dense.x.size());
    dense.w = random.values(dense.w.size());
    std::string implementation;
    dense.check(1e-5, &implementation);
    EXPECT_EQ(implementation.find("winograd:"), 0u) << implementation;
    auto expectPlain = [&](PlainSquares &c) {
      c.check(1e-5, &implementation);
      EXPECT_EQ(implementation.find("winograd:"), std::string::npos);
      EXPECT_NE(implementation.find("plain:"), std::string::npos)
          << implementation;
    };

    // Of Sobel's filter the middle line is zero in all channels; here also with
    // 1e-4 there, and in one channel only. The lines of the image that it meets
    // where outputs count are huge.
    for (const float middle : {0.0f, 1e-4f})
      for (const int64_t outputs : {dense.channels, int64_t(1)}) {
        SCOPED_TRACE(fmt::format("'{}' {} {}", kernel, middle, outputs));
        PlainSquares c = dense;
        for (int64_t o = 0; o < outputs; ++o)
          for (int64_t tap = 3; tap < 6; ++tap)
            for (int64_t k = 0; k < c.channels; ++k)
              c.weight(o, tap, k) = middle;
        for (int64_t column = 0; column < c.size; ++column)
          for (int64_t k = 0; k < c.channels; ++k)
            c.input(5, column, k) *= 1e4f;
        c.countedRow = outputs == c.channels ? 5 : -1;
        expectPlain(c);
      }

    PlainSquares subnormal = dense;
    for (float &weight : subnormal.w)
      weight *= 1e-41f;
    for (float &value : subnormal.x)
      value *= 1e12f;
    expectPlain(subnormal);

    // A channel without weights is harmless.
    PlainSquares pruned = dense;
    for (int64_t tap = 0; tap < 9; ++tap)
      for (int64_t k = 0; k < pruned.channels; ++k)
        pruned.weight(3, tap, k) = 0;
    pruned.check(1e-5, &implementation);
    EXPECT_EQ(implementation.find("winograd:"), 0u) << implementation;
  }
}

} // namespace
