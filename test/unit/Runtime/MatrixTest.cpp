// Gemm and convolution against plain loops in double, and bit identity over
// thread counts.
#include "TestRecipe.h"

#include <cmath>

using namespace gaudi;
using namespace gaudi::test;

namespace {

/// Error allowed for f32 sums of `k` products of values below 1, plus half a
/// unit of the output format.
double tolerance(ElementType type, double expected, double k) {
  double unit = 0x1p-23;
  if (type == ElementType::BF16)
    unit = 0x1p-8;
  else if (type == ElementType::F16)
    unit = 0x1p-11;
  else if (type == ElementType::F8E4M3FN)
    unit = 0x1p-4;
  else if (type == ElementType::F8E5M2)
    unit = 0x1p-3;
  const double smallest = type == ElementType::F8E4M3FN ? 0x1p-10
                          : type == ElementType::F8E5M2 ? 0x1p-17
                          : type == ElementType::F16    ? 0x1p-25
                                                        : 0;
  return 1.001 * unit * std::fabs(expected) + smallest + k * 1e-6;
}

int64_t offsetOf(const Dims &index, const Dims &sizes) {
  int64_t offset = 0;
  for (size_t d = 0; d < sizes.size(); ++d)
    offset = offset * sizes[d] + (sizes[d] == 1 ? 0 : index[d]);
  return offset;
}

struct GemmCase {
  Dims a, b; // stored sizes
  bool ta = false, tb = false;
  ElementType in = ElementType::F32, out = ElementType::F32;
  Dims aStrides = {}, bStrides = {}, cStrides = {};
  bool constantB = false;
};

std::vector<Bytes> runGemm(const GemmCase &g, unsigned threads,
                           std::string *implementation = nullptr) {
  Dims c(g.a.size());
  const size_t r = c.size();
  for (size_t d = 0; d + 2 < r; ++d)
    c[d] = std::max(g.a[d], g.b[d]);
  c[r - 2] = g.ta ? g.a[r - 1] : g.a[r - 2];
  c[r - 1] = g.tb ? g.b[r - 2] : g.b[r - 1];
  const int64_t k = g.ta ? g.a[r - 2] : g.a[r - 1];
  Random random(uint64_t(k * 31 + c[r - 1]));
  const Bytes aBytes = encodeAll(g.in, random.values(size_t(count(g.a))));
  const Bytes bBytes = encodeAll(g.in, random.values(size_t(count(g.b))));
  TestRecipe recipe;
  const uint32_t a = recipe.input(g.in, g.a, g.aStrides);
  const uint32_t b = g.constantB ? recipe.constant(g.in, g.b, bBytes)
                                 : recipe.input(g.in, g.b, g.bStrides);
  const uint32_t out = recipe.output(g.out, c, g.cStrides);
  recipe::GemmT body;
  body.transpose_a = g.ta;
  body.transpose_b = g.tb;
  recipe.command(recipe::Engine::MME, "mme.gemm", body, {a, b}, {out});
  std::vector<Bytes> inputs = {aBytes};
  if (!g.constantB)
    inputs.push_back(bBytes);
  runtime::LoadOptions options;
  options.threads = threads;
  auto executable = recipe.load(options);
  if (!executable)
    return {};
  if (implementation)
    *implementation = executable->commands()[0].implementation;
  std::vector<Bytes> outputs = TestRecipe::run(*executable, inputs);

  if (threads != 1)
    return outputs; // compared with the one that was checked

  const auto x = decodeAll(g.in, aBytes), y = decodeAll(g.in, bBytes);
  const auto z = decodeAll(g.out, outputs[0]);
  Dims at(r, 0);
  for (int64_t i = 0; i < count(c); ++i) {
    int64_t rest = i;
    for (size_t d = r; d-- > 0; rest /= c[d])
      at[d] = rest % c[d];
    double sum = 0;
    for (int64_t j = 0; j < k; ++j) {
      Dims p = at, q = at;
      p[r - 2] = g.ta ? j : at[r - 2];
      p[r - 1] = g.ta ? at[r - 2] : j;
      q[r - 2] = g.tb ? at[r - 1] : j;
      q[r - 1] = g.tb ? j : at[r - 1];
      sum += double(x[size_t(offsetOf(p, g.a))]) *
             double(y[size_t(offsetOf(q, g.b))]);
    }
    if (std::fabs(z[size_t(i)] - sum) > tolerance(g.out, sum, double(k))) {
      ADD_FAILURE() << "element " << i << " expected " << sum << " got "
                    << z[size_t(i)];
      break;
    }
  }
  return outputs;
}

const ElementType F32 = ElementType::F32, BF16 = ElementType::BF16,
                  F16 = ElementType::F16, E4 = ElementType::F8E4M3FN,
                  E5 = ElementType::F8E5M2;

std::vector<GemmCase> gemmCases() {
  return {
      {{3, 5}, {5, 7}},
      {{1, 1}, {1, 1}},
      {{64, 48}, {48, 80}, false, false, BF16, BF16},
      {{48, 64}, {80, 48}, true, true, F32, F32},
      {{48, 64}, {48, 80}, true, false, BF16, F32},
      {{128, 256}, {256, 512}, false, false, F32, F32, {}, {}, {}, true},
      {{512, 256}, {256, 128}, false, false, BF16, BF16, {}, {}, {}, true},
      {{300, 200}, {130, 200}, false, true, F32, BF16},
      {{17, 33}, {33, 9}, false, false, F16, F16},
      {{17, 33}, {33, 9}, false, false, E4, BF16},
      {{17, 33}, {33, 9}, false, false, E5, E5},
      {{4, 3, 20, 30}, {4, 3, 30, 10}},
      {{4, 3, 20, 30}, {1, 3, 30, 10}, false, false, BF16, BF16},
      {{1, 3, 20, 30}, {4, 1, 30, 10}},
      {{12, 128, 64}, {12, 128, 64}, false, true, BF16, BF16},
      {{1, 1000}, {1000, 333}},
      {{200, 1000}, {1000, 1}},
      // Rows apart, columns apart, repeated rows, transposed result.
      {{20, 30}, {30, 10}, false, false, F32, F32, {64, 1}, {16, 1}, {12, 1}},
      {{20, 30}, {30, 10}, false, false, F32, F32, {64, 2}, {32, 3}, {30, 3}},
      {{20, 30}, {30, 10}, false, false, F32, F32, {}, {}, {1, 20}},
      {{20, 30}, {30, 10}, false, false, BF16, BF16, {1, 20}, {1, 32}, {1, 24}},
      // Heads in the middle: [S, H, D] seen as [H, S, D].
      {{8, 32, 16},
       {8, 32, 16},
       false,
       true,
       F32,
       F32,
       {16, 128, 1},
       {16, 128, 1},
       {}},
      {{2, 8, 32, 32},
       {2, 8, 32, 16},
       false,
       false,
       BF16,
       BF16,
       {},
       {4096, 16, 128, 1},
       {4096, 16, 128, 1}},
  };
}

TEST(Gemm, AllFormsAndSameBitsForAnyThreads) {
  size_t number = 0;
  for (const GemmCase &g : gemmCases()) {
    SCOPED_TRACE("case " + std::to_string(number++));
    std::string implementation;
    const auto one = runGemm(g, 1, &implementation);
    EXPECT_EQ(implementation.find("onednn:ref"), std::string::npos)
        << implementation;
    for (unsigned threads : {2u, 3u, 4u})
      EXPECT_TRUE(one == runGemm(g, threads)) << threads << " threads";
  }
}

TEST(Gemm, RepeatedRowsNeedNoFullOperand) {
  // B's rows all are one row: stride 0.
  TestRecipe recipe;
  const uint32_t a = recipe.input(F32, {4, 6});
  const uint32_t row = recipe.input(F32, {6, 5}, {5, 1});
  auto view = std::make_unique<recipe::TensorT>(*recipe.recipe.tensors[row]);
  view->strides = {0, 1};
  view->alias_of = int32_t(row);
  recipe.recipe.tensors.push_back(std::move(view));
  const uint32_t repeated = uint32_t(recipe.recipe.tensors.size() - 1);
  const uint32_t c = recipe.output(F32, {4, 5});
  recipe.command(recipe::Engine::MME, "mme.gemm", recipe::GemmT(),
                 {a, repeated}, {c});
  Random random(5);
  const auto x = random.values(24), y = random.values(30);
  const auto z = valuesOf<float>(recipe.run({bytesOf(x), bytesOf(y)})[0]);
  for (size_t m = 0; m < 4; ++m)
    for (size_t n = 0; n < 5; ++n) {
      double sum = 0;
      for (size_t k = 0; k < 6; ++k)
        sum += double(x[m * 6 + k]) * double(y[n]);
      EXPECT_NEAR(z[m * 5 + n], sum, 1e-5);
    }
}

struct ConvCase {
  std::string xLayout, wLayout, yLayout;
  Dims x, k; // spatial
  int64_t n, in, out;
  Dims stride, dilation, low, high;
  int64_t groups = 1;
  bool transposed = false;
  ElementType type = ElementType::F32, result = ElementType::F32;
  bool constantWeights = true;
};

std::vector<Bytes> runConv(const ConvCase &c, unsigned threads,
                           std::string *implementation = nullptr) {
  const size_t rank = c.x.size();
  const std::string letters = std::string("DHW").substr(3 - rank);
  Dims y(rank);
  for (size_t d = 0; d < rank; ++d) {
    const int64_t reach = (c.k[d] - 1) * c.dilation[d] + 1;
    y[d] = c.transposed
               ? (c.x[d] - 1) * c.stride[d] + reach - c.low[d] - c.high[d]
               : (c.x[d] + c.low[d] + c.high[d] - reach) / c.stride[d] + 1;
  }
  auto arrange = [&](const std::string &layout, char outer, int64_t outerSize,
                     char inner, int64_t innerSize, const Dims &spatial) {
    Dims sizes;
    for (char letter : layout)
      sizes.push_back(letter == outer   ? outerSize
                      : letter == inner ? innerSize
                                        : spatial[letters.find(letter)]);
    return sizes;
  };
  const Dims xs = arrange(c.xLayout, 'N', c.n, 'C', c.in, c.x);
  const Dims ws = arrange(c.wLayout, 'O', c.transposed ? c.in : c.out, 'I',
                          (c.transposed ? c.out : c.in) / c.groups, c.k);
  const Dims ys = arrange(c.yLayout, 'N', c.n, 'C', c.out, y);
  Random random(uint64_t(count(xs) + 3 * count(ws)));
  const Bytes xBytes = encodeAll(c.type, random.values(size_t(count(xs))));
  const Bytes wBytes = encodeAll(c.type, random.values(size_t(count(ws))));
  TestRecipe recipe;
  const uint32_t in = recipe.input(c.type, xs);
  const uint32_t weights = c.constantWeights
                               ? recipe.constant(c.type, ws, wBytes)
                               : recipe.input(c.type, ws);
  const uint32_t out = recipe.output(c.result, ys);
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
  auto executable = recipe.load(options);
  if (!executable)
    return {};
  if (implementation)
    *implementation = executable->commands()[0].implementation;
  std::vector<Bytes> inputs = {xBytes};
  if (!c.constantWeights)
    inputs.push_back(wBytes);
  std::vector<Bytes> outputs = TestRecipe::run(*executable, inputs);

  if (threads != 1)
    return outputs;

  const auto xv = decodeAll(c.type, xBytes), wv = decodeAll(c.type, wBytes);
  const auto got = decodeAll(c.result, outputs[0]);
  auto flat = [&](const std::string &layout, const Dims &sizes, char outer,
                  int64_t o, char inner, int64_t i, const Dims &spatial) {
    int64_t offset = 0;
    for (size_t d = 0; d < layout.size(); ++d)
      offset = offset * sizes[d] + (layout[d] == outer ? o
                                    : layout[d] == inner
                                        ? i
                                        : spatial[letters.find(layout[d])]);
    return size_t(offset);
  };
  auto forEach = [](const Dims &sizes, auto body) {
    Dims at(sizes.size(), 0);
    for (int64_t i = 0; i < count(sizes); ++i) {
      int64_t rest = i;
      for (size_t d = sizes.size(); d-- > 0; rest /= sizes[d])
        at[d] = rest % sizes[d];
      body(at);
    }
  };
  const int64_t perGroupIn = c.in / c.groups, perGroupOut = c.out / c.groups;
  std::vector<double> expected(size_t(count(ys)), 0);
  for (int64_t n = 0; n < c.n; ++n)
    for (int64_t o = 0; o < c.out; ++o)
      for (int64_t i = 0; i < perGroupIn; ++i) {
        const int64_t channel = o / perGroupOut * perGroupIn + i;
        forEach(c.transposed ? c.x : y, [&](const Dims &p) {
          forEach(c.k, [&](const Dims &k) {
            Dims q(rank); // the other side's position
            for (size_t d = 0; d < rank; ++d) {
              q[d] = p[d] * c.stride[d] + k[d] * c.dilation[d] - c.low[d];
              if (q[d] < 0 || q[d] >= (c.transposed ? y[d] : c.x[d]))
                return;
            }
            const Dims &xp = c.transposed ? p : q, &yp = c.transposed ? q : p;
            expected[flat(c.yLayout, ys, 'N', n, 'C', o, yp)] +=
                double(xv[flat(c.xLayout, xs, 'N', n, 'C', channel, xp)]) *
                double(c.transposed
                           ? wv[flat(c.wLayout, ws, 'O', channel, 'I',
                                     o % perGroupOut, k)]
                           : wv[flat(c.wLayout, ws, 'O', o, 'I', i, k)]);
          });
        });
      }
  for (size_t i = 0; i < expected.size(); ++i)
    if (!(std::fabs(got[i] - expected[i]) <=
          tolerance(c.result, expected[i], double(perGroupIn * count(c.k))))) {
      ADD_FAILURE() << "element " << i << " expected " << expected[i] << " got "
                    << got[i];
      break;
    }
  return outputs;
}

std::vector<ConvCase> convCases() {
  using D = Dims;
  return {
      {"NHWC",
       "OHWI",
       "NHWC",
       {9, 11},
       {3, 3},
       2,
       8,
       16,
       {1, 1},
       {1, 1},
       {1, 1},
       {1, 1}},
      {"NHWC",
       "HWIO",
       "NHWC",
       {56, 56},
       {3, 3},
       1,
       16,
       32,
       {1, 1},
       {1, 1},
       {1, 1},
       {1, 1}},
      {"NHWC",
       "OIHW",
       "NHWC",
       {33, 33},
       {7, 7},
       1,
       3,
       64,
       {2, 2},
       {1, 1},
       {3, 3},
       {3, 3}},
      {"NCHW",
       "OIHW",
       "NCHW",
       {17, 19},
       {3, 3},
       2,
       5,
       7,
       {2, 1},
       {1, 1},
       {0, 1},
       {1, 0}},
      {"NCHW",
       "OIHW",
       "NHWC",
       {17, 19},
       {3, 2},
       2,
       5,
       7,
       {1, 1},
       {2, 3},
       {2, 1},
       {0, 1}},
      {"CNHW",
       "HWOI",
       "HWNC",
       {8, 8},
       {3, 3},
       3,
       4,
       6,
       {1, 1},
       {1, 1},
       {0, 0},
       {0, 0}},
      // 1x1 with a stride that leaves a row and a column out.
      {"NHWC",
       "OHWI",
       "NHWC",
       {56, 56},
       {1, 1},
       1,
       64,
       128,
       {2, 2},
       {1, 1},
       {0, 0},
       {0, 0}},
      // Groups, depthwise, depthwise with a multiplier.
      {"NHWC",
       "OHWI",
       "NHWC",
       {12, 12},
       {3, 3},
       1,
       12,
       18,
       {1, 1},
       {1, 1},
       {1, 1},
       {1, 1},
       3},
      {"NHWC",
       "OHWI",
       "NHWC",
       {14, 14},
       {3, 3},
       1,
       24,
       24,
       {2, 2},
       {1, 1},
       {1, 1},
       {1, 1},
       24},
      {"NCHW",
       "OIHW",
       "NCHW",
       {14, 14},
       {5, 5},
       2,
       8,
       16,
       {1, 1},
       {1, 1},
       {2, 2},
       {2, 2},
       8},
      // One and three spatial dimensions.
      {"NWC", "OWI", "NWC", {40}, {5}, 2, 6, 10, {2}, {1}, {2}, {2}},
      {"NCW", "OIW", "NCW", {40}, {4}, 1, 6, 10, {1}, {3}, {0}, {4}},
      {"NDHWC",
       "ODHWI",
       "NDHWC",
       {6, 7, 8},
       {3, 3, 3},
       1,
       4,
       8,
       {1, 2, 1},
       {1, 1, 1},
       {1, 1, 1},
       {1, 0, 1}},
      {"NCDHW",
       "OIDHW",
       "NCDHW",
       {6, 7, 8},
       {2, 1, 3},
       2,
       3,
       5,
       {1, 1, 2},
       {1, 1, 1},
       {0, 0, 1},
       {0, 0, 1},
       1},
      // More padding than kernel, on both sides.
      {"NHWC",
       "OHWI",
       "NHWC",
       {5, 5},
       {3, 3},
       1,
       4,
       4,
       {1, 1},
       {1, 1},
       {4, 5},
       {6, 0}},
      {"NHWC",
       "OHWI",
       "NHWC",
       {5, 5},
       {1, 1},
       1,
       4,
       4,
       {3, 1},
       {1, 1},
       {4, 0},
       {4, 0}},
      // Types.
      {"NHWC",
       "OHWI",
       "NHWC",
       {14, 14},
       {3, 3},
       1,
       32,
       32,
       {1, 1},
       {1, 1},
       {1, 1},
       {1, 1},
       1,
       false,
       BF16,
       BF16},
      {"NCHW",
       "OIHW",
       "NCHW",
       {14, 14},
       {3, 3},
       2,
       16,
       8,
       {1, 1},
       {1, 1},
       {1, 1},
       {1, 1},
       1,
       false,
       BF16,
       F32},
      {"NHWC",
       "OHWI",
       "NHWC",
       {9, 9},
       {3, 3},
       1,
       8,
       8,
       {1, 1},
       {1, 1},
       {1, 1},
       {1, 1},
       1,
       false,
       F16,
       F16},
      {"NHWC",
       "OHWI",
       "NHWC",
       {9, 9},
       {3, 3},
       1,
       8,
       8,
       {1, 1},
       {1, 1},
       {1, 1},
       {1, 1},
       1,
       false,
       E4,
       BF16},
      {"NHWC",
       "OHWI",
       "NHWC",
       {9, 9},
       {3, 3},
       1,
       8,
       8,
       {1, 1},
       {1, 1},
       {1, 1},
       {1, 1},
       1,
       false,
       E5,
       E5},
      {"NHWC",
       "OHWI",
       "NHWC",
       {9, 9},
       {3, 3},
       1,
       8,
       8,
       {1, 1},
       {1, 1},
       {1, 1},
       {1, 1},
       8,
       false,
       BF16,
       BF16},
      // Weights that are not constant.
      {"NHWC",
       "OHWI",
       "NHWC",
       {9, 11},
       {3, 3},
       2,
       8,
       16,
       {1, 1},
       {1, 1},
       {1, 1},
       {1, 1},
       1,
       false,
       F32,
       F32,
       false},
      {"NHWC",
       "OHWI",
       "NHWC",
       {9, 11},
       {3, 3},
       2,
       8,
       16,
       {1, 1},
       {1, 1},
       {1, 1},
       {1, 1},
       2,
       false,
       F16,
       F32,
       false},
      // Transposed, cropped, extended, grouped.
      {"NHWC",
       "OHWI",
       "NHWC",
       {7, 9},
       {4, 4},
       2,
       6,
       10,
       {2, 2},
       {1, 1},
       {1, 1},
       {1, 1},
       1,
       true},
      {"NCHW",
       "OIHW",
       "NCHW",
       {7, 9},
       {3, 3},
       1,
       6,
       4,
       {2, 3},
       {1, 1},
       {0, 0},
       {0, 0},
       1,
       true},
      {"NHWC",
       "OHWI",
       "NHWC",
       {5, 5},
       {3, 3},
       1,
       6,
       4,
       {2, 2},
       {2, 1},
       {1, 1},
       {0, -1},
       1,
       true},
      {"NHWC",
       "OHWI",
       "NHWC",
       {5, 5},
       {3, 3},
       1,
       6,
       4,
       {2, 2},
       {1, 1},
       {-2, 4},
       {1, 0},
       1,
       true},
      {"NHWC",
       "OHWI",
       "NHWC",
       {5, 6},
       {3, 3},
       1,
       6,
       4,
       {1, 2},
       {1, 1},
       {1, 1},
       {1, 1},
       2,
       true},
      {"NHWC",
       "OHWI",
       "NHWC",
       {5, 6},
       {3, 3},
       1,
       8,
       8,
       {2, 2},
       {1, 1},
       {1, 1},
       {0, 0},
       1,
       true,
       BF16,
       BF16},
      {"NWC",
       "OWI",
       "NWC",
       {6},
       {3},
       1,
       4,
       5,
       {2},
       {1},
       {0},
       {0},
       1,
       true,
       F16,
       F16},
      {"NDHWC",
       "ODHWI",
       "NDHWC",
       {3, 4, 5},
       {2, 3, 2},
       1,
       4,
       3,
       {1, 2, 2},
       {1, 1, 1},
       {0, 1, 0},
       {0, 1, 0},
       1,
       true},
      // Large enough to be cut into pieces.
      {"NHWC",
       "OHWI",
       "NHWC",
       {28, 28},
       {3, 3},
       1,
       96,
       96,
       D{1, 1},
       {1, 1},
       {1, 1},
       {1, 1},
       1,
       false,
       BF16,
       BF16},
      {"NHWC",
       "OHWI",
       "NHWC",
       {30, 30},
       {3, 3},
       4,
       48,
       64,
       D{2, 2},
       {1, 1},
       {1, 1},
       {0, 0}},
  };
}

TEST(Conv, AllFormsAndSameBitsForAnyThreads) {
  size_t number = 0;
  for (const ConvCase &c : convCases()) {
    SCOPED_TRACE("case " + std::to_string(number++));
    std::string implementation;
    const auto one = runConv(c, 1, &implementation);
    // Only rare forms may take the slow reference code of the library.
    if (!c.transposed && c.groups == 1)
      EXPECT_EQ(implementation.find("onednn:ref"), std::string::npos)
          << implementation;
    for (unsigned threads : {2u, 3u, 4u})
      EXPECT_TRUE(one == runConv(c, threads)) << threads << " threads";
  }
}

} // namespace
