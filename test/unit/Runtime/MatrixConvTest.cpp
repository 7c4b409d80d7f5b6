// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions against plain loops in double, and bit identity over thread
// counts.
#include "ConvCase.h"

using namespace gaudi;
using namespace gaudi::test;

namespace {

struct ConvTensors {
  Lettered x, w, y;
  Bytes xBytes, wBytes;

  explicit ConvTensors(const ConvCase &c)
      : x(c, c.xLayout, 'N', c.n, 'C', c.in, c.x),
        w(c, c.wLayout, 'O', c.transposed ? c.in : c.out, 'I',
          (c.transposed ? c.out : c.in) / c.groups, c.k),
        y(c, c.yLayout, 'N', c.n, 'C', c.out, c.y()) {
    Random random(uint64_t(count(x.sizes) + 3 * count(w.sizes)));
    xBytes = convValues(c.type, x.sizes, c.specialInputs, random);
    wBytes = convValues(c.type, w.sizes, c.specialWeights, random);
  }
};

/// The definition: the sum over the taps inside the input. Where y is the
/// larger side (transposed), each input is spread over it.
std::vector<double> expectedConv(const ConvCase &c, const ConvTensors &t) {
  const auto xv = decodeAll(c.type, t.xBytes), wv = decodeAll(c.type, t.wBytes);
  const int64_t perGroupIn = c.in / c.groups, perGroupOut = c.out / c.groups;
  const Dims y = c.y();
  std::vector<double> expected(size_t(count(t.y.sizes)), 0);
  for (int64_t n = 0; n < c.n; ++n)
    for (int64_t o = 0; o < c.out; ++o)
      for (int64_t i = 0; i < perGroupIn; ++i) {
        const int64_t channel = o / perGroupOut * perGroupIn + i;
        forEachIndex(c.transposed ? c.x : y, [&](const Dims &p) {
          forEachIndex(c.k, [&](const Dims &k) {
            Dims q(c.rank()); // the other side's position
            for (size_t d = 0; d < c.rank(); ++d) {
              q[d] = p[d] * c.stride[d] + k[d] * c.dilation[d] - c.low[d];
              if (q[d] < 0 || q[d] >= (c.transposed ? y[d] : c.x[d]))
                return;
            }
            const size_t weight = c.transposed
                                      ? t.w.at(channel, o % perGroupOut, k)
                                      : t.w.at(o, i, k);
            expected[t.y.at(n, o, c.transposed ? q : p)] +=
                double(xv[t.x.at(n, channel, c.transposed ? p : q)]) *
                double(wv[weight]);
          });
        });
      }
  return expected;
}

std::unique_ptr<runtime::Executable>
loadConv(const ConvCase &c, const ConvTensors &t, unsigned threads) {
  TestRecipe recipe;
  const uint32_t in = recipe.input(c.type, t.x.sizes);
  const uint32_t weights = c.constantWeights
                               ? recipe.constant(c.type, t.w.sizes, t.wBytes)
                               : recipe.input(c.type, t.w.sizes);
  const uint32_t out = recipe.output(c.result, t.y.sizes);
  recipe::ConvT body;
  body.input_layout = c.xLayout;
  body.filter_layout = c.wLayout;
  body.output_layout = c.yLayout;
  body.strides = c.stride;
  body.dilations = c.dilation;
  body.pad_low = c.low;
  body.pad_high = c.high;
  body.groups = c.groups;
  body.transposed = c.transposed;
  recipe.command(recipe::Engine::MME, "mme.conv", body, {in, weights}, {out});
  runtime::LoadOptions options;
  options.threads = threads;
  return recipe.load(options);
}

std::vector<Bytes> runConv(const ConvCase &c, unsigned threads,
                           std::string *implementation = nullptr) {
  const ConvTensors t(c);
  auto executable = loadConv(c, t, threads);
  if (!executable)
    return {};
  if (implementation)
    *implementation = executable->commands()[0].implementation;
  std::vector<Bytes> inputs = {t.xBytes};
  if (!c.constantWeights)
    inputs.push_back(t.wBytes);
  std::vector<Bytes> outputs = TestRecipe::run(*executable, inputs);
  if (threads != 1)
    return outputs; // compared with the one that was checked

  const auto got = decodeAll(c.result, outputs[0]);
  const std::vector<double> expected = expectedConv(c, t);
  const double terms = double(c.in / c.groups * count(c.k));
  for (size_t i = 0; i < expected.size(); ++i)
    if (!isNear(c.result, got[i], expected[i], terms)) {
      ADD_FAILURE() << "element " << i << " expected " << expected[i] << " got "
                    << got[i] << " from "
                    << executable->commands()[0].implementation;
      break;
    }
  return outputs;
}

std::vector<ConvCase> convCases() {
  // layouts of x, w and y; image, filter; batch, channels in and out; strides,
  // dilations, pads low and high; groups, transposed, types of operands and
  // result, constant filter
  // clang-format off
  return {
      {"NHWC", "OHWI", "NHWC", {9, 11}, {3, 3}, 2, 8, 16, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
      {"NHWC", "HWIO", "NHWC", {56, 56}, {3, 3}, 1, 16, 32, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
      {"NHWC", "OIHW", "NHWC", {33, 33}, {7, 7}, 1, 3, 64, {2, 2}, {1, 1}, {3, 3}, {3, 3}},
      {"NCHW", "OIHW", "NCHW", {17, 19}, {3, 3}, 2, 5, 7, {2, 1}, {1, 1}, {0, 1}, {1, 0}},
      {"NCHW", "OIHW", "NHWC", {17, 19}, {3, 2}, 2, 5, 7, {1, 1}, {2, 3}, {2, 1}, {0, 1}},
      {"CNHW", "HWOI", "HWNC", {8, 8}, {3, 3}, 3, 4, 6, {1, 1}, {1, 1}, {0, 0}, {0, 0}},
      // 1x1 with a stride that leaves a row and a column out.
      {"NHWC", "OHWI", "NHWC", {56, 56}, {1, 1}, 1, 64, 128, {2, 2}, {1, 1}, {0, 0}, {0, 0}},
      // 1x1 with contiguous positions: the filter from the left.
      {"NCHW", "OIHW", "NCHW", {9, 11}, {1, 1}, 2, 5, 7, {1, 1}, {1, 1}, {0, 0}, {0, 0}},
      {"CNHW", "HWIO", "CNHW", {10, 10}, {1, 1}, 3, 40, 18, {1, 1}, {1, 1}, {0, 0}, {0, 0}},
      {"NHWC", "OHWI", "NCHW", {8, 9}, {1, 1}, 1, 33, 20, {1, 1}, {1, 1}, {0, 0}, {0, 0}, 1, false, BF16, BF16, false},
      {"NCW", "OIW", "NCW", {130}, {1}, 3, 7, 10, {1}, {1}, {0}, {0}, 1, false, BF16, F32},
      {"NCDHW", "OIDHW", "NCDHW", {4, 5, 6}, {1, 1, 1}, 1, 96, 64, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {0, 0, 0}},
      // Groups, depthwise, depthwise with a multiplier.
      {"NHWC", "OHWI", "NHWC", {12, 12}, {3, 3}, 1, 12, 18, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 3},
      {"NHWC", "OHWI", "NHWC", {14, 14}, {3, 3}, 1, 24, 24, {2, 2}, {1, 1}, {1, 1}, {1, 1}, 24},
      {"NCHW", "OIHW", "NCHW", {14, 14}, {5, 5}, 2, 8, 16, {1, 1}, {1, 1}, {2, 2}, {2, 2}, 8},
      // One and three spatial dimensions.
      {"NWC", "OWI", "NWC", {40}, {5}, 2, 6, 10, {2}, {1}, {2}, {2}},
      {"NCW", "OIW", "NCW", {40}, {4}, 1, 6, 10, {1}, {3}, {0}, {4}},
      {"NDHWC", "ODHWI", "NDHWC", {6, 7, 8}, {3, 3, 3}, 1, 4, 8, {1, 2, 1}, {1, 1, 1}, {1, 1, 1}, {1, 0, 1}},
      {"NCDHW", "OIDHW", "NCDHW", {6, 7, 8}, {2, 1, 3}, 2, 3, 5, {1, 1, 2}, {1, 1, 1}, {0, 0, 1}, {0, 0, 1}, 1},
      // One tap that some positions, or all, do not see.
      {"NHWC", "HWIO", "NHWC", {1, 1}, {1, 1}, 1, 32, 64, {1, 1}, {1, 1}, {0, 0}, {2, 2}, 1, false, F32, F32, false},
      {"NHWC", "HWIO", "NHWC", {1, 1}, {1, 1}, 1, 32, 64, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, false, F32, F32, false},
      {"NHWC", "OHWI", "NHWC", {1, 2}, {1, 1}, 1, 32, 64, {1, 2}, {1, 1}, {0, 0}, {0, 0}, 1, true, F32, F32, false},
      {"NHWC", "HWIO", "NHWC", {1, 1}, {1, 1}, 1, 32, 64, {1, 2}, {1, 1}, {0, 1}, {0, 2}, 1, false, F32, F32, false},
      // More padding than kernel, on both sides.
      {"NHWC", "OHWI", "NHWC", {5, 5}, {3, 3}, 1, 4, 4, {1, 1}, {1, 1}, {4, 5}, {6, 0}},
      {"NHWC", "OHWI", "NHWC", {5, 5}, {1, 1}, 1, 4, 4, {3, 1}, {1, 1}, {4, 0}, {4, 0}},
      // Types.
      {"NHWC", "OHWI", "NHWC", {14, 14}, {3, 3}, 1, 32, 32, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, false, BF16, BF16},
      {"NCHW", "OIHW", "NCHW", {14, 14}, {3, 3}, 2, 16, 8, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, false, BF16, F32},
      {"NHWC", "OHWI", "NHWC", {9, 9}, {3, 3}, 1, 8, 8, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, false, F16, F16},
      {"NHWC", "OHWI", "NHWC", {9, 9}, {3, 3}, 1, 8, 8, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, false, E4, BF16},
      {"NHWC", "OHWI", "NHWC", {9, 9}, {3, 3}, 1, 8, 8, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, false, E5, E5},
      {"NHWC", "OHWI", "NHWC", {9, 9}, {3, 3}, 1, 8, 8, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 8, false, BF16, BF16},
      // Weights that are not constant.
      {"NHWC", "OHWI", "NHWC", {9, 11}, {3, 3}, 2, 8, 16, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, false, F32, F32, false},
      {"NHWC", "OHWI", "NHWC", {9, 11}, {3, 3}, 2, 8, 16, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 2, false, F16, F32, false},
      // Transposed, cropped, extended, grouped.
      {"NHWC", "OHWI", "NHWC", {7, 9}, {4, 4}, 2, 6, 10, {2, 2}, {1, 1}, {1, 1}, {1, 1}, 1, true},
      {"NCHW", "OIHW", "NCHW", {7, 9}, {3, 3}, 1, 6, 4, {2, 3}, {1, 1}, {0, 0}, {0, 0}, 1, true},
      {"NHWC", "OHWI", "NHWC", {5, 5}, {3, 3}, 1, 6, 4, {2, 2}, {2, 1}, {1, 1}, {0, -1}, 1, true},
      {"NHWC", "OHWI", "NHWC", {5, 5}, {3, 3}, 1, 6, 4, {2, 2}, {1, 1}, {-2, 4}, {1, 0}, 1, true},
      {"NHWC", "OHWI", "NHWC", {5, 6}, {3, 3}, 1, 6, 4, {1, 2}, {1, 1}, {1, 1}, {1, 1}, 2, true},
      {"NHWC", "OHWI", "NHWC", {5, 6}, {3, 3}, 1, 8, 8, {2, 2}, {1, 1}, {1, 1}, {0, 0}, 1, true, BF16, BF16},
      {"NWC", "OWI", "NWC", {6}, {3}, 1, 4, 5, {2}, {1}, {0}, {0}, 1, true, F16, F16},
      {"NDHWC", "ODHWI", "NDHWC", {3, 4, 5}, {2, 3, 2}, 1, 4, 3, {1, 2, 2}, {1, 1, 1}, {0, 1, 0}, {0, 1, 0}, 1, true},
      // Odd numbers of channels in pairs, with collapsed taps and in groups.
      {"NHWC", "OHWI", "NHWC", {20, 23}, {7, 7}, 2, 3, 20, {2, 2}, {1, 1}, {3, 2}, {3, 3}, 1, false, BF16, BF16},
      {"NCHW", "OIHW", "NHWC", {9, 8}, {3, 3}, 1, 15, 24, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 3, false, BF16, F32},
      {"NHWC", "HWOI", "NHWC", {9, 30}, {1, 3}, 1, 17, 40, {1, 1}, {1, 2}, {0, 2}, {0, 2}, 1, false, BF16, BF16,
       false},
      // Depthwise: long lines, channels that fill no vector, positions that see
      // padding only, layouts and types that are copied, weights that change.
      {"NHWC", "OHWI", "NHWC", {1, 700}, {1, 31}, 1, 72, 72, {1, 1}, {1, 1}, {0, 15}, {0, 15}, 72},
      {"NHWC", "OHWI", "NHWC", {1, 700}, {1, 31}, 1, 72, 72, {1, 1}, {1, 1}, {0, 15}, {0, 15}, 72, false, BF16, BF16},
      {"NWC", "OWI", "NWC", {50}, {4}, 3, 19, 19, {1}, {2}, {6}, {0}, 19},
      {"NHWC", "HWOI", "NHWC", {7, 7}, {3, 3}, 4, 100, 100, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 100},
      {"NHWC", "OHWI", "NHWC", {5, 6}, {3, 2}, 1, 17, 17, {2, 3}, {1, 4}, {4, 7}, {6, 3}, 17, false, BF16, BF16},
      {"NCHW", "OIHW", "NCHW", {20, 33}, {5, 5}, 2, 33, 33, {1, 2}, {1, 1}, {2, 2}, {2, 1}, 33, false, F32, F16},
      {"NDHWC", "ODHWI", "NDHWC", {4, 5, 9}, {3, 2, 3}, 1, 40, 40, {1, 2, 1}, {1, 1, 1}, {1, 0, 1}, {1, 1, 1}, 40},
      {"NHWC", "OHWI", "NHWC", {6, 6}, {9, 9}, 1, 24, 24, {1, 1}, {1, 1}, {4, 4}, {4, 4}, 24, false, F32, F32, false},
      // Groups of 2, 4 and 8 channels, of one tap, in three dimensions, with
      // weights that change.
      {"NHWC", "OHWI", "NHWC", {12, 13}, {3, 3}, 2, 44, 44, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 11},
      {"NHWC", "OHWI", "NHWC", {12, 13}, {3, 3}, 2, 44, 44, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 11, false, BF16, BF16},
      {"NHWC", "HWOI", "NHWC", {30, 29}, {3, 3}, 1, 34, 34, {2, 1}, {1, 2}, {1, 0}, {2, 1}, 17, false, F16, F32},
      {"NCHW", "OIHW", "NCHW", {20, 21}, {3, 3}, 1, 56, 56, {2, 1}, {1, 2}, {1, 2}, {1, 0}, 7},
      {"NHWC", "OHWI", "NHWC", {6, 7}, {3, 3}, 3, 40, 40, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 5, false, E4, E4},
      {"NHWC", "HWIO", "NHWC", {9, 9}, {1, 1}, 1, 64, 64, {1, 1}, {1, 1}, {0, 0}, {0, 0}, 16},
      {"NHWC", "OHWI", "NHWC", {1, 300}, {1, 15}, 1, 256, 256, {1, 1}, {1, 1}, {0, 7}, {0, 7}, 64, false, BF16, F32},
      {"NDHWC", "ODHWI", "NDHWC", {4, 5, 9}, {3, 2, 3}, 1, 40, 40, {1, 2, 1}, {1, 1, 1}, {1, 0, 1}, {1, 1, 1}, 20},
      {"NHWC", "OHWI", "NHWC", {9, 9}, {3, 3}, 1, 32, 32, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 8, false, F32, F32, false},
      // Large enough to be cut into tiles.
      {"NHWC", "OHWI", "NHWC", {28, 28}, {3, 3}, 1, 96, 96, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, false, BF16, BF16},
      {"NHWC", "OHWI", "NHWC", {30, 30}, {3, 3}, 4, 48, 64, {2, 2}, {1, 1}, {1, 1}, {0, 0}},
      // Few channels per tap with weights that are packed in each launch.
      {"NCHW", "OIHW", "NCHW", {12, 5}, {4, 2}, 2, 3, 2, {3, 2}, {1, 1}, {1, 2}, {3, 1}, 1, true, BF16, BF16, false},
      {"NHWC", "OHWI", "NHWC", {7, 6}, {5, 5}, 1, 2, 40, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, false, BF16, BF16, false},
  };
  // clang-format on
}

void checkAll(const std::string &kernel, std::vector<unsigned> otherThreads) {
  const WithKernel chosen(kernel);
  size_t number = 0;
  for (const ConvCase &c : convCases()) {
    SCOPED_TRACE("case " + std::to_string(number++));
    const auto one = runConv(c, 1);
    for (unsigned threads : otherThreads)
      EXPECT_TRUE(one == runConv(c, threads)) << threads << " threads";
  }
}

TEST(Conv, AllFormsAndSameBitsForAnyThreads) { checkAll("", {2, 3, 4}); }
TEST(Conv, PortableKernels) { checkAll("portable", {3}); }
TEST(Conv, PortableTiles) { checkAll("portableamx", {3}); }
TEST(Conv, Vectors128) { checkAll("vector128", {3}); }

TEST(Conv, ChannelsByThemselvesHaveAKernel) {
  // clang-format off
  const ConvCase depthwise = {"NHWC", "OHWI", "NHWC", {20, 20}, {3, 3}, 1, 48, 48, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 48};
  // clang-format on
  std::string implementation;
  runConv(depthwise, 1, &implementation);
  EXPECT_EQ(implementation.find("depth:"), 0u) << implementation;
  ConvCase changing = depthwise, transposed = depthwise;
  changing.constantWeights = false;
  transposed.transposed = true;
  for (const ConvCase &other : {changing, transposed}) {
    runConv(other, 1, &implementation);
    EXPECT_EQ(implementation.find("depth:"), 0u) << implementation;
  }
  ConvCase multiplied = depthwise;
  multiplied.out = 96;
  runConv(multiplied, 1, &implementation);
  EXPECT_NE(implementation.find("filled up"), std::string::npos);
}

/// Groups of other sizes than the kernel has, on both sides.
TEST(Conv, GroupsAreFilledUp) {
  // clang-format off
  const ConvCase cases[] = {
      {"NHWC", "OHWI", "NHWC", {9, 11}, {3, 3}, 2, 24, 48, {2, 1}, {1, 1}, {1, 1}, {1, 1}, 24},
      {"NCHW", "OIHW", "NCHW", {9, 11}, {3, 3}, 1, 48, 48, {1, 1}, {1, 2}, {1, 2}, {1, 2}, 16, false, BF16, BF16},
      {"NHWC", "HWIO", "NHWC", {9, 11}, {3, 2}, 1, 36, 36, {1, 1}, {1, 1}, {1, 1}, {1, 0}, 12, true, F32, F32, false},
      {"NHWC", "OHWI", "NHWC", {8, 9}, {3, 3}, 1, 24, 48, {2, 2}, {1, 1}, {1, 1}, {0, 0}, 24, true},
      {"NWC", "OWI", "NWC", {30}, {5}, 2, 64, 32, {2}, {1}, {2}, {2}, 32, false, F16, F32},
  };
  // clang-format on
  for (const std::string &kernel : {"", "portable", "vector128"}) {
    const WithKernel chosen(kernel);
    for (ConvCase c : cases)
      for (const int64_t special : {0, 2}) {
        c.specialWeights = c.specialInputs = special;
        SCOPED_TRACE(fmt::format("'{}' {}", kernel, text(c)));
        std::string implementation;
        const auto one = runConv(c, 1, &implementation);
        EXPECT_NE(implementation.find("filled up"), std::string::npos)
            << implementation;
        EXPECT_TRUE(one == runConv(c, 3));
      }
  }
}

/// Outputs of each remainder modulo the strides are a convolution of their own.
TEST(Conv, TransposedChannelsByThemselves) {
  // clang-format off
  const ConvCase cases[] = {
      {"NHWC", "OHWI", "NHWC", {9, 11}, {3, 3}, 2, 48, 48, {2, 2}, {1, 1}, {1, 1}, {1, 1}, 48, true},
      {"NHWC", "HWOI", "NHWC", {9, 11}, {4, 2}, 1, 17, 17, {2, 3}, {1, 1}, {1, 0}, {0, -1}, 17, true, BF16, BF16},
      {"NCHW", "OIHW", "NCHW", {6, 7}, {5, 5}, 2, 32, 32, {1, 2}, {2, 1}, {2, 2}, {2, 1}, 32, true, F32, F32, false},
      // Fewer taps than the stride, and more padding than taps.
      {"NHWC", "OHWI", "NHWC", {5, 6}, {1, 2}, 1, 24, 24, {2, 4}, {1, 1}, {0, -3}, {-1, 0}, 24, true},
      {"NHWC", "OHWI", "NHWC", {5, 6}, {3, 3}, 1, 24, 24, {2, 1}, {1, 1}, {4, 3}, {1, 0}, 24, true},
      // Groups of 2 and 4; three dimensions.
      {"NHWC", "OHWI", "NHWC", {8, 9}, {3, 3}, 2, 44, 44, {2, 2}, {1, 1}, {1, 1}, {0, 0}, 11, true, BF16, F32},
      {"NHWC", "HWIO", "NHWC", {8, 9}, {3, 3}, 1, 34, 34, {1, 1}, {1, 2}, {1, 2}, {1, 2}, 17, true},
      {"NDHWC", "ODHWI", "NDHWC", {3, 4, 5}, {2, 3, 3}, 1, 40, 40, {1, 2, 2}, {1, 1, 1}, {0, 1, 1}, {0, 0, 1}, 40, true},
  };
  // clang-format on
  for (const std::string &kernel : kernelNames()) {
    const WithKernel chosen(kernel);
    for (ConvCase c : cases)
      for (const int64_t special : {0, 2}) {
        c.specialWeights = c.specialInputs = special;
        SCOPED_TRACE(fmt::format("'{}' {}", kernel, text(c)));
        std::string implementation;
        const auto one = runConv(c, 1, &implementation);
        EXPECT_EQ(implementation.find("depth:"), 0u) << implementation;
        EXPECT_TRUE(one == runConv(c, 3));
      }
  }
}

TEST(Conv, GroupsOfFewChannelsHaveAKernel) {
  // clang-format off
  const ConvCase grouped = {"NHWC", "OHWI", "NHWC", {20, 20}, {3, 3}, 1, 48, 48, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 12};
  // clang-format on
  std::string implementation;
  runConv(grouped, 1, &implementation);
  EXPECT_NE(implementation.find("groups of 4"), std::string::npos)
      << implementation;
  ConvCase wider = grouped; // a result of more channels than the input
  wider.out = 96;
  ConvCase unequal = grouped; // of 6 and one
  unequal.in = 72;
  unequal.out = 12;
  for (const ConvCase &other : {wider, unequal}) {
    runConv(other, 1, &implementation);
    EXPECT_EQ(implementation.find("depth:"), std::string::npos)
        << implementation;
  }
}

/// Lines of a narrow input are converted when they are needed: the sums have
/// the bits of those on an f32 input, rounded once.
std::vector<ConvCase> narrowDepthCases() {
  // clang-format off
  return {
      {"NHWC", "OHWI", "NHWC", {20, 21}, {3, 3}, 2, 48, 48, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 48},
      // Channels in several parts, tiles over several images.
      {"NHWC", "OHWI", "NHWC", {7, 7}, {3, 3}, 5, 400, 400, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 400},
      {"NHWC", "OHWI", "NHWC", {15, 14}, {3, 3}, 2, 592, 592, {2, 2}, {1, 1}, {1, 0}, {1, 1}, 592},
      // Dilations, strides that leave lines out, pads larger than the filter.
      {"NHWC", "OHWI", "NHWC", {19, 9}, {3, 2}, 2, 40, 40, {1, 2}, {4, 3}, {4, 3}, {5, 1}, 40},
      {"NHWC", "OHWI", "NHWC", {23, 12}, {2, 3}, 1, 33, 33, {5, 1}, {1, 1}, {3, 1}, {7, 1}, 33},
      // Groups of several channels.
      {"NHWC", "OHWI", "NHWC", {20, 21}, {3, 3}, 2, 48, 48, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 12},
      // Columns that are not contiguous, one and three dimensions.
      {"NWHC", "OHWI", "NHWC", {12, 13}, {5, 5}, 2, 64, 64, {1, 1}, {1, 1}, {2, 2}, {2, 2}, 64},
      {"NWC", "OWI", "NWC", {60}, {5}, 4, 32, 32, {1}, {1}, {2}, {2}, 32},
      {"NDHWC", "ODHWI", "NDHWC", {7, 6, 9}, {3, 2, 3}, 2, 40, 40, {1, 2, 1}, {2, 1, 1}, {1, 0, 1}, {1, 1, 1}, 40},
  };
  // clang-format on
}

TEST(Conv, NarrowLinesOfDepthwiseOnes) {
  for (const ConvCase &form : narrowDepthCases())
    for (const ElementType type : {BF16, F16, E4, E5}) {
      ConvCase c = form;
      c.type = c.result = type;
      SCOPED_TRACE(text(c));
      const ConvTensors narrow(c);
      ConvCase wideCase = form;
      ConvTensors wide = narrow;
      wide.xBytes = bytesOf(decodeAll(type, narrow.xBytes));
      wide.wBytes = bytesOf(decodeAll(type, narrow.wBytes));
      Bytes other = wide.xBytes; // of the second launch
      std::reverse(reinterpret_cast<float *>(other.data()),
                   reinterpret_cast<float *>(other.data() + other.size()));
      const auto onWide = loadConv(wideCase, wide, 1);
      ASSERT_TRUE(onWide);
      auto expected = [&](const Bytes &x) {
        return encodeAll(type,
                         valuesOf<float>(TestRecipe::run(*onWide, {x})[0]));
      };
      for (const unsigned threads : {1u, 2u, 3u}) {
        const auto executable = loadConv(c, narrow, threads);
        ASSERT_TRUE(executable);
        const std::string how = executable->commands()[0].implementation;
        if (how.find("depth:") != 0)
          GTEST_SKIP() << "this host has no kernel for them";
        EXPECT_NE(how.find("lines converted"), std::string::npos) << how;
        for (const Bytes &x : {wide.xBytes, other})
          EXPECT_TRUE(
              TestRecipe::run(*executable,
                              {encodeAll(type, valuesOf<float>(x))})[0] ==
              expected(x))
              << threads << " threads";
      }
    }
}

/// 3 x 3 taps in squares of 2 x 2 outputs: odd sizes, uneven pads, channels
/// that fill no vector, columns in several chunks, and so many channels that
/// their sum is cut.
std::vector<ConvCase> squareCases() {
  // clang-format off
  return {
      {"NHWC", "HWIO", "NHWC", {9, 11}, {3, 3}, 2, 37, 45, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
      {"HNWC", "OHWI", "NWHC", {6, 16}, {3, 3}, 2, 32, 40, {1, 1}, {1, 1}, {1, 1}, {0, 0}},
      {"NHWC", "OIHW", "NHWC", {13, 16}, {3, 3}, 1, 40, 33, {1, 1}, {1, 1}, {2, 0}, {1, 3}},
      {"NHWC", "OHWI", "NHWC", {12, 12}, {3, 3}, 1, 300, 32, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
      {"NHWC", "OHWI", "NHWC", {10, 12}, {3, 3}, 3, 32, 161, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
      {"NHWC", "OHWI", "NHWC", {12, 12}, {3, 3}, 1, 32, 32, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, false, F16, F16},
      {"NHWC", "OHWI", "NHWC", {12, 13}, {3, 3}, 1, 32, 35, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, false, F16, BF16},
  };
  // clang-format on
}

TEST(Conv, ThreeByThreeTakesFewerProducts) {
  for (const char *kernel : {"", "portable"}) {
    const WithKernel chosen(kernel);
    for (const ConvCase &c : squareCases()) {
      SCOPED_TRACE(fmt::format("'{}' {}", kernel, text(c)));
      std::string implementation;
      const auto one = runConv(c, 1, &implementation);
      EXPECT_EQ(implementation.find("winograd:"), 0u) << implementation;
      EXPECT_TRUE(one == runConv(c, 3));
    }
  }
  // Other forms are not done so.
  ConvCase other = squareCases()[0];
  other.stride = {1, 2};
  std::string implementation;
  runConv(other, 1, &implementation);
  EXPECT_EQ(implementation.find("winograd:"), std::string::npos);
  other = squareCases()[0];
  other.constantWeights = false;
  runConv(other, 1, &implementation);
  EXPECT_EQ(implementation.find("winograd:"), std::string::npos);
}

/// An output sees the infinities of its window and no others.
TEST(Conv, SquaresKeepInfinitiesApart) {
  for (const char *kernel : {"", "portable"}) {
    const WithKernel chosen(kernel);
    for (size_t i : {0, 1, 6}) {
      ConvCase c = squareCases()[i];
      c.specialInputs = 3;
      SCOPED_TRACE(fmt::format("'{}' {}", kernel, text(c)));
      runConv(c, 1);
      c.specialWeights = 2;
      runConv(c, 1);
    }
  }
}

/// Padding adds nothing to a sum, whatever the weights: on every engine, in
/// every form.
TEST(Conv, RandomFormsWithInfinitiesAndNan) {
  for (const std::string &kernel : kernelNames()) {
    const WithKernel chosen(kernel);
    Random random(20);
    for (int i = 0; i < 150; ++i) {
      const ConvCase c = randomConv(random);
      SCOPED_TRACE(fmt::format("'{}' case {}: {}", kernel, i, text(c)));
      runConv(c, 1);
    }
  }
}

/// A tap in the padding of a block of which other rows have it, by every way
/// in which the taps of a block are found.
TEST(Conv, PaddingTimesInfinityAddsNothing) {
  // clang-format off
  std::vector<ConvCase> cases = {
      // One tap that some positions do not see.
      {"NHWC", "OHWI", "NHWC", {1, 1}, {1, 1}, 1, 1, 1, {1, 1}, {1, 1}, {0, 0}, {1, 0}},
      {"NHWC", "HWIO", "NHWC", {1, 1}, {1, 1}, 1, 32, 64, {1, 1}, {1, 1}, {0, 0}, {2, 2}},
      // Several taps, images with more than one block, and strided ones.
      {"NHWC", "OHWI", "NHWC", {4, 4}, {3, 3}, 2, 20, 24, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
      {"NHWC", "OHWI", "NCHW", {7, 7}, {1, 1}, 1, 20, 24, {2, 2}, {1, 1}, {1, 1}, {1, 0}},
      // Collapsed taps, and in pairs of odd channels.
      {"NHWC", "OHWI", "NHWC", {6, 12}, {3, 3}, 1, 3, 20, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
      {"NHWC", "OHWI", "NHWC", {6, 12}, {3, 3}, 1, 3, 20, {2, 2}, {1, 1}, {1, 2}, {1, 1}, 1, false, BF16, BF16},
      // Groups, thin groups, depthwise, transposed.
      {"NHWC", "OHWI", "NHWC", {5, 5}, {3, 3}, 1, 16, 32, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 2},
      {"NHWC", "OHWI", "NHWC", {5, 5}, {3, 3}, 1, 8, 8, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 4},
      {"NHWC", "OHWI", "NHWC", {5, 5}, {3, 3}, 1, 24, 24, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 24},
      {"NHWC", "OHWI", "NHWC", {5, 5}, {3, 3}, 1, 8, 16, {2, 2}, {1, 1}, {1, 1}, {0, 0}, 1, true},
      // Several ranges of the reduction, and a result that is rounded.
      {"NHWC", "OHWI", "NHWC", {3, 3}, {3, 3}, 1, 520, 24, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, false, F32, BF16},
  };
  // clang-format on
  for (const std::string &kernel : kernelNames()) {
    const WithKernel chosen(kernel);
    size_t number = 0;
    for (ConvCase c : cases)
      for (const bool constant : {true, false})
        for (const int64_t special : {1, 3}) {
          c.constantWeights = constant;
          c.specialWeights = special;
          SCOPED_TRACE(
              fmt::format("'{}' case {}: {}", kernel, number++, text(c)));
          runConv(c, 1);
        }
  }
}

/// Runs of collapsed taps that end within a pair: the value after a run belongs
/// to other outputs, the last one to none.
TEST(Conv, CollapsedTapsKeepInfinitiesApart) {
  // clang-format off
  const std::vector<ConvCase> cases = {
      {"NHWC", "OHWI", "NHWC", {20, 23}, {7, 7}, 2, 3, 20, {2, 2}, {1, 1}, {3, 2}, {3, 3}, 1, false, BF16, BF16},
      {"NHWC", "OHWI", "NHWC", {9, 15}, {3, 3}, 2, 3, 33, {1, 1}, {1, 1}, {0, 0}, {0, 0}, 1, false, BF16, F32},
      {"NHWC", "HWIO", "NHWC", {6, 31}, {1, 5}, 1, 1, 40, {1, 1}, {1, 1}, {0, 2}, {0, 2}, 1, false, BF16, BF16},
      {"NCHW", "OIHW", "NCHW", {12, 12}, {4, 4}, 1, 3, 24, {4, 4}, {1, 1}, {0, 0}, {0, 0}, 1, false, BF16, BF16},
      {"NHWC", "OHWI", "NHWC", {8, 14}, {3, 3}, 1, 5, 16, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, false, E4, F32},
  };
  // clang-format on
  for (const std::string &kernel : kernelNames()) {
    const WithKernel chosen(kernel);
    for (ConvCase c : cases)
      for (const int64_t special : {0, 1, 12}) {
        c.specialInputs = special;
        SCOPED_TRACE(fmt::format("'{}' {}", kernel, text(c)));
        std::string implementation;
        const std::vector<Bytes> one = runConv(c, 1, &implementation);
        EXPECT_NE(implementation.find("taps collapsed"), std::string::npos)
            << implementation;
        EXPECT_TRUE(one == runConv(c, 3));
      }
  }
}

/// Lines with their padding in a copy, whose rows matrix tiles load where they
/// are, also beyond the end of a run: no infinity of a neighbour, nor one that
/// a weight has in the padding, is seen.
TEST(Conv, LinesOnTilesHavePadding) {
  // clang-format off
  const std::vector<ConvCase> cases = {
      {"NHWC", "OHWI", "NHWC", {6, 70}, {3, 3}, 2, 18, 20, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, false, BF16, BF16},
      {"NHWC", "OIHW", "NHWC", {5, 30}, {3, 3}, 1, 64, 40, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, false, BF16, F32},
      {"NHWC", "HWIO", "NCHW", {4, 17}, {2, 5}, 1, 17, 24, {1, 1}, {1, 1}, {1, 3}, {0, 1}, 1, false, BF16, BF16},
      {"NCHW", "OIHW", "NCHW", {3, 11}, {3, 2}, 1, 200, 33, {1, 1}, {1, 1}, {1, 1}, {1, 0}, 1, false, BF16, BF16},
  };
  // clang-format on
  for (const char *kernel : {"", "portableamx"}) {
    const WithKernel chosen(kernel);
    for (ConvCase c : cases)
      for (const int64_t special : {0, 1, 12}) {
        c.specialInputs = special;
        c.specialWeights = special / 4;
        SCOPED_TRACE(fmt::format("'{}' {}", kernel, text(c)));
        std::string implementation;
        const std::vector<Bytes> one = runConv(c, 1, &implementation);
        EXPECT_EQ(implementation.find("taps collapsed") != std::string::npos,
                  implementation.find("amxbf16") != std::string::npos)
            << implementation;
        EXPECT_TRUE(one == runConv(c, 3));
      }
  }
}

/// Rows that are apart and meet many panels, in one range or several, and of
/// groups. A tap that all rows of a block have in the padding has no rows.
TEST(Conv, RowsOnTilesThatAreApartAreCopied) {
  // clang-format off
  const std::vector<ConvCase> cases = {
      {"NHWC", "OHWI", "NHWC", {3, 3}, {3, 3}, 2, 200, 480, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, false, BF16, BF16},
      {"NHWC", "OHWI", "NHWC", {9, 9}, {1, 1}, 1, 256, 160, {2, 2}, {1, 1}, {0, 0}, {0, 0}, 1, false, BF16, BF16},
      {"NHWC", "OHWI", "NHWC", {9, 9}, {1, 1}, 1, 512, 320, {2, 2}, {1, 1}, {0, 0}, {2, 0}, 2, false, BF16, F32},
  };
  // clang-format on
  for (const char *kernel : {"", "portableamx"}) {
    const WithKernel chosen(kernel);
    for (ConvCase c : cases)
      for (const int64_t special : {0, 1}) {
        c.specialInputs = c.specialWeights = special;
        SCOPED_TRACE(fmt::format("'{}' {}", kernel, text(c)));
        std::string implementation;
        const std::vector<Bytes> one = runConv(c, 1, &implementation);
        EXPECT_EQ(implementation.find("rows copied") != std::string::npos,
                  implementation.find("amxbf16") != std::string::npos)
            << implementation;
        EXPECT_TRUE(one == runConv(c, 3));
      }
  }
}

/// The work of loading is bounded by the output, not by strides: at 2 s per
/// 1e8 of a stride this would never end.
TEST(Conv, StridesBeyondTheOutput) {
  const int64_t huge = int64_t(1) << 31;
  ConvCase c = {"NDHWC",   "ODHWI",   "NDHWC",
                {1, 1, 1}, {2, 1, 3}, 1,
                4,         3,         {huge, huge, huge},
                {1, 1, 1}, {0, 0, 0}, {0, 0, 0},
                1,         true};
  for (const char *kernel : {"", "portable", "portableamx"}) {
    const WithKernel chosen(kernel);
    SCOPED_TRACE(kernel);
    runConv(c, 1);
  }
}

} // namespace
