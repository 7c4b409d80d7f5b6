// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weight gradients of convolutions against plain loops in double, and bit
// identity over thread counts.
#include "ConvCase.h"

using namespace gaudi;
using namespace gaudi::test;

namespace {

/// Of a forward ConvCase: `specialWeights` counts special gradients of the
/// output.
struct GradTensors {
  Lettered x, dw, dy;
  Bytes xBytes, dyBytes;

  explicit GradTensors(const ConvCase &c)
      : x(c, c.xLayout, 'N', c.n, 'C', c.in, c.x),
        dw(c, c.wLayout, 'O', c.out, 'I', c.in / c.groups, c.k),
        dy(c, c.yLayout, 'N', c.n, 'C', c.out, c.y()) {
    Random random(uint64_t(count(x.sizes) + 3 * count(dy.sizes)));
    xBytes = convValues(c.type, x.sizes, c.specialInputs, random);
    dyBytes = convValues(c.type, dy.sizes, c.specialWeights, random);
  }
};

/// The definition: the sum over images and positions whose tap is inside.
std::vector<double> expectedGrad(const ConvCase &c, const GradTensors &t) {
  const auto xv = decodeAll(c.type, t.xBytes),
             dyv = decodeAll(c.type, t.dyBytes);
  const int64_t in = c.in / c.groups, out = c.out / c.groups;
  std::vector<double> expected(size_t(count(t.dw.sizes)), 0);
  forEachIndex(c.y(), [&](const Dims &p) {
    forEachIndex(c.k, [&](const Dims &k) {
      Dims q(c.rank());
      for (size_t d = 0; d < c.rank(); ++d) {
        q[d] = p[d] * c.stride[d] + k[d] * c.dilation[d] - c.low[d];
        if (q[d] < 0 || q[d] >= c.x[d])
          return;
      }
      for (int64_t o = 0; o < c.out; ++o)
        for (int64_t i = 0; i < in; ++i)
          for (int64_t n = 0; n < c.n; ++n)
            expected[t.dw.at(o, i, k)] +=
                double(xv[t.x.at(n, o / out * in + i, q)]) *
                double(dyv[t.dy.at(n, o, p)]);
    });
  });
  return expected;
}

std::unique_ptr<runtime::Executable> loadGrad(const ConvCase &c,
                                              unsigned threads) {
  const GradTensors t(c);
  TestRecipe recipe;
  const uint32_t x = recipe.input(c.type, t.x.sizes);
  const uint32_t dy = recipe.input(c.type, t.dy.sizes);
  const uint32_t dw = recipe.output(c.result, t.dw.sizes);
  recipe::ConvWeightGradT body;
  body.input_layout = c.xLayout;
  body.filter_layout = c.wLayout;
  body.output_layout = c.yLayout;
  body.strides = c.stride;
  body.dilations = c.dilation;
  body.pad_low = c.low;
  body.pad_high = c.high;
  body.groups = c.groups;
  recipe.command(recipe::Engine::MME, "mme.conv_weight_grad", body, {x, dy},
                 {dw});
  runtime::LoadOptions options;
  options.threads = threads;
  return recipe.load(options);
}

/// Checks one thread, and that others give the same bits.
void checkGrad(const ConvCase &c, std::vector<unsigned> otherThreads,
               std::string *implementation = nullptr) {
  const GradTensors t(c);
  std::vector<Bytes> first;
  otherThreads.insert(otherThreads.begin(), 1);
  for (const unsigned threads : otherThreads) {
    auto executable = loadGrad(c, threads);
    ASSERT_TRUE(executable);
    const auto outputs = TestRecipe::run(*executable, {t.xBytes, t.dyBytes});
    if (threads != 1) {
      EXPECT_TRUE(outputs == first) << threads << " threads";
      continue;
    }
    first = outputs;
    const std::string how = executable->commands()[0].implementation;
    if (implementation)
      *implementation = how;
    const auto got = decodeAll(c.result, outputs[0]);
    const std::vector<double> expected = expectedGrad(c, t);
    for (size_t i = 0; i < expected.size(); ++i)
      if (!isNear(c.result, got[i], expected[i], double(c.n * count(c.y())))) {
        ADD_FAILURE() << "element " << i << " expected " << expected[i]
                      << " got " << got[i] << " from " << how;
        break;
      }
  }
}

std::vector<ConvCase> gradCases() {
  // clang-format off
  return {
      {"NHWC", "OHWI", "NHWC", {9, 11}, {3, 3}, 2, 8, 16, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
      {"NHWC", "HWIO", "NHWC", {33, 33}, {7, 7}, 2, 3, 64, {2, 2}, {1, 1}, {3, 3}, {3, 3}},
      {"NCHW", "OIHW", "NCHW", {17, 19}, {3, 2}, 2, 5, 7, {2, 1}, {2, 3}, {2, 1}, {0, 1}},
      {"NHWC", "OHWI", "NHWC", {14, 14}, {1, 1}, 3, 64, 48, {2, 2}, {1, 1}, {0, 0}, {0, 0}},
      {"CNHW", "HWOI", "HWNC", {8, 8}, {3, 3}, 3, 4, 6, {1, 1}, {1, 1}, {0, 0}, {0, 0}},
      // Groups, depthwise, depthwise with a multiplier.
      {"NHWC", "OHWI", "NHWC", {12, 12}, {3, 3}, 1, 12, 18, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 3},
      {"NHWC", "OHWI", "NHWC", {14, 14}, {3, 3}, 4, 24, 24, {2, 2}, {1, 1}, {1, 1}, {1, 1}, 24},
      {"NCHW", "OIHW", "NCHW", {14, 14}, {5, 5}, 2, 8, 16, {1, 1}, {1, 1}, {2, 2}, {2, 2}, 8},
      // One and three spatial dimensions.
      {"NWC", "OWI", "NWC", {40}, {5}, 2, 6, 10, {2}, {1}, {2}, {2}},
      {"NDHWC", "ODHWI", "NDHWC", {6, 7, 8}, {3, 3, 3}, 2, 4, 8, {1, 2, 1}, {1, 1, 1}, {1, 1, 1}, {1, 0, 1}},
      {"NCDHW", "OIDHW", "NCDHW", {6, 7, 8}, {2, 1, 3}, 2, 3, 5, {1, 1, 2}, {1, 1, 1}, {0, 0, 1}, {0, 0, 1}},
      // Cropped inputs, more padding than filter, a remainder of the stride.
      {"NHWC", "OHWI", "NHWC", {9, 8}, {3, 3}, 1, 4, 4, {1, 1}, {1, 1}, {-2, 1}, {0, -3}},
      {"NHWC", "OHWI", "NHWC", {5, 5}, {3, 3}, 1, 4, 4, {1, 1}, {1, 1}, {4, 5}, {6, 0}},
      {"NHWC", "OHWI", "NHWC", {8, 10}, {2, 3}, 1, 4, 4, {3, 3}, {1, 1}, {0, 0}, {0, 0}},
      // A depthwise one in several parts; one tap in several ranges of steps.
      {"NHWC", "OHWI", "NHWC", {56, 56}, {3, 3}, 2, 64, 64, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 64},
      {"NHWC", "OHWI", "NHWC", {41, 41}, {1, 1}, 1, 24, 40, {1, 1}, {1, 1}, {0, 0}, {0, 0}},
      {"NHWC", "OHWI", "NHWC", {41, 41}, {1, 1}, 1, 40, 24, {1, 1}, {1, 1}, {0, 0}, {0, 0}, 1, false, BF16, F32},
      // All of the output's gradient meets padding.
      {"NHWC", "OHWI", "NHWC", {2, 2}, {1, 1}, 1, 4, 4, {9, 9}, {1, 1}, {4, 0}, {0, 0}},
      // Types.
      {"NHWC", "OHWI", "NHWC", {14, 14}, {3, 3}, 1, 32, 32, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, false, BF16, F32},
      {"NCHW", "OIHW", "NCHW", {9, 9}, {3, 3}, 2, 16, 8, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, false, BF16, BF16},
      {"NHWC", "HWIO", "NHWC", {9, 9}, {3, 3}, 1, 8, 8, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, false, F16, F16},
      {"NHWC", "OHWI", "NHWC", {9, 9}, {3, 3}, 1, 8, 8, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, false, E4, BF16},
      {"NHWC", "OHWI", "NHWC", {9, 9}, {3, 3}, 1, 8, 8, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, false, E5, E5},
      // One tap: more inputs than outputs, in groups, strided, odd numbers of
      // positions.
      {"NHWC", "OHWI", "NHWC", {7, 9}, {1, 1}, 3, 40, 24, {1, 1}, {1, 1}, {0, 0}, {0, 0}, 1, false, BF16, F32},
      {"NCHW", "OIHW", "NHWC", {7, 9}, {1, 1}, 3, 80, 32, {1, 1}, {1, 1}, {0, 0}, {0, 0}, 2},
      {"NHWC", "HWIO", "NCHW", {7, 9}, {1, 1}, 3, 80, 32, {2, 2}, {1, 1}, {0, 0}, {0, 0}, 2, false, BF16, BF16},
      {"NHWC", "OHWI", "NHWC", {7, 9}, {1, 1}, 2, 24, 40, {1, 1}, {1, 1}, {0, 1}, {1, 2}},
      {"NHWC", "OHWI", "NHWC", {7, 9}, {3, 1}, 2, 24, 40, {1, 2}, {1, 1}, {1, 0}, {1, 0}, 1, false, BF16, F32},
      // Groups of few channels: filters wider than a call, odd groups.
      {"NHWC", "OHWI", "NHWC", {9, 21}, {3, 9}, 2, 20, 20, {1, 1}, {1, 1}, {1, 4}, {1, 4}, 20},
      {"NHWC", "HWIO", "NHWC", {9, 12}, {3, 3}, 2, 36, 18, {1, 2}, {2, 1}, {1, 1}, {1, 1}, 6, false, BF16, BF16},
      {"NCHW", "OIHW", "NHWC", {9, 4}, {2, 3}, 3, 20, 40, {2, 1}, {1, 3}, {0, 2}, {1, 2}, 10},
      // Many images, large ones, many channels, also of groups.
      {"NHWC", "OHWI", "NHWC", {14, 14}, {3, 3}, 6, 32, 48, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
      {"NHWC", "OHWI", "NHWC", {40, 24}, {3, 3}, 1, 16, 64, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
      {"NHWC", "OHWI", "NHWC", {40, 24}, {3, 3}, 1, 16, 64, {2, 1}, {2, 1}, {3, 1}, {0, 1}},
      {"NHWC", "OHWI", "NHWC", {5, 5}, {3, 3}, 2, 192, 192, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
      {"NCHW", "OIHW", "NCHW", {8, 8}, {3, 3}, 6, 192, 192, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 4},
  };
  // clang-format on
}

TEST(WeightGrad, AllFormsAndSameBitsForAnyThreads) {
  size_t number = 0;
  for (const ConvCase &c : gradCases()) {
    SCOPED_TRACE(fmt::format("case {}: {}", number++, text(c)));
    checkGrad(c, {2, 3});
  }
}

/// Multiply-adds.
int64_t workOf(const ConvCase &c) {
  return c.n * count(c.y()) * c.out * (c.in / c.groups) * count(c.k);
}

TEST(WeightGrad, OtherKernels) {
  for (const std::string &kernel : kernelNames()) {
    if (kernel.empty())
      continue;
    const WithKernel chosen(kernel);
    for (const ConvCase &c : gradCases()) {
      // Kernels in plain C++ are slow.
      if (workOf(c) > 1000000)
        continue;
      SCOPED_TRACE(fmt::format("'{}' {}", kernel, text(c)));
      checkGrad(c, {});
    }
  }
}

TEST(WeightGrad, GroupsOfOneInputHaveAKernel) {
  for (const ConvCase &c : gradCases()) {
    if (workOf(c) > 1000000)
      continue;
    std::string implementation;
    checkGrad(c, {}, &implementation);
    const bool few =
        c.groups > 1 && c.in == c.groups && c.out / c.groups < 8 && c.out >= 16;
    EXPECT_EQ(implementation.find("depth:") == 0, few)
        << text(c) << ": " << implementation;
  }
}

TEST(WeightGrad, RandomFormsWithInfinitiesAndNan) {
  Random random(7);
  const std::vector<std::string> kernels = kernelNames();
  for (int i = 0; i < 400; ++i) {
    const WithKernel chosen(kernels[size_t(i) % kernels.size()]);
    ConvCase c = randomConv(random);
    c.transposed = false;
    for (size_t d = 0; d < c.rank(); ++d) {
      c.low[d] -= int64_t(random.next() % 3);
      c.high[d] -= int64_t(random.next() % 3);
      while (c.x[d] + c.low[d] + c.high[d] < (c.k[d] - 1) * c.dilation[d] + 1)
        ++c.x[d];
    }
    SCOPED_TRACE(fmt::format("case {}: {}", i, text(c)));
    checkGrad(c, {});
  }
}

/// What a tap reaches decides, not the stride.
TEST(WeightGrad, StridesBeyondTheInput) {
  const int64_t huge = (int64_t(1) << 31) - 1;
  const ConvCase c = {"NWC", "OWI", "NWC",  {1},    {2},    2,
                      3,     4,     {huge}, {huge}, {huge}, {huge}};
  checkGrad(c, {2});
}

TEST(WeightGrad, UnknownKernelIsAnError) {
  const WithKernel chosen("nonsense");
  TestRecipe recipe;
  recipe::ConvWeightGradT body;
  body.input_layout = body.output_layout = "NWC";
  body.filter_layout = "OWI";
  body.strides = body.dilations = {1};
  body.pad_low = body.pad_high = {0};
  recipe.command(recipe::Engine::MME, "mme.conv_weight_grad", body,
                 {recipe.input(F32, {1, 4, 2}), recipe.input(F32, {1, 3, 5})},
                 {recipe.output(F32, {5, 2, 2})});
  auto executable = recipe.tryLoad({});
  ASSERT_FALSE(executable);
  EXPECT_NE(executable.error().message.find("GAUDI_MME is 'nonsense'"),
            std::string::npos)
      << executable.error().message;
}

} // namespace
