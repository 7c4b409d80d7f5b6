// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gemm and convolution against direct sums that share nothing with the model.
#include "ReferenceTest.h"
#include <cmath>
#include <limits>
#include <map>

using namespace mlir;
using namespace gaudi;

namespace {

/// A tensor read and written by named indices.
struct Named {
  std::string layout;
  SmallVector<int64_t> shape;
  std::vector<double> values;

  int64_t size(char letter) const {
    const size_t at = layout.find(letter);
    return at == std::string::npos ? 1 : shape[at];
  }
  double &at(const std::map<char, int64_t> &index) {
    int64_t position = 0;
    for (size_t d = 0; d < layout.size(); ++d)
      position = position * shape[d] + index.at(layout[d]);
    return values[position];
  }
};

class MmeTest : public ReferenceTest {
protected:
  Named named(StringRef layout, const ReferenceTensor &tensor) {
    return {layout.str(), SmallVector<int64_t>(tensor.getShape()),
            numbers(tensor)};
  }

  /// A convolution; each of the three ops gives one of its tensors.
  struct Case {
    const char *x, *w, *y; ///< tensor types
    const char *layouts[3];
    std::vector<int64_t> stride, dilation, padLow, padHigh;
    int64_t groups = 1;
  };
  struct Role {
    const char *name;
    unsigned operands[2], result; ///< of x, w, y
  };
  static constexpr Role roles[] = {{"conv", {0, 1}, 2},
                                   {"conv_input_grad", {2, 1}, 0},
                                   {"conv_weight_grad", {0, 2}, 1}};

  void check(const Case &c, bool special = false) {
    for (const Role &role : roles)
      check(c, role, special);
  }

  /// The definition in the op's text, term by term: for every pair of positions
  /// the convolution relates, the product of two of x, w and y is added to the
  /// third.
  void check(const Case &c, const Role &role, bool special) {
    const char *const types[] = {c.x, c.w, c.y};
    std::vector<ReferenceTensor> inputs;
    for (unsigned i : role.operands)
      inputs.push_back(seededInput(type(types[i]), i == 1, 1));
    if (special) {
      const double infinity = std::numeric_limits<double>::infinity();
      MutableArrayRef<double> w = inputs[1].mutableFloats();
      w[0] = infinity;
      w[w.size() / 3] = -infinity;
      w[w.size() / 2] = std::nan("");
      inputs[0].mutableFloats()[inputs[0].floats().size() / 2] = -infinity;
    }
    std::vector<Named> tensors;
    for (unsigned i = 0; i < 3; ++i)
      tensors.push_back(
          named(c.layouts[i], i == role.operands[0] ? inputs[0]
                              : i == role.operands[1]
                                  ? inputs[1]
                                  : ReferenceTensor(type(types[i]))));
    Named &big = tensors[0], &w = tensors[1], &small = tensors[2];
    const Named &result = tensors[role.result];
    const int64_t out = small.size('C') / c.groups,
                  in = big.size('C') / c.groups;
    auto along = [&](char letter, int64_t p, int64_t k) {
      const size_t d =
          std::string("DHW").substr(3 - c.stride.size()).find(letter);
      return d == std::string::npos
                 ? 0
                 : p * c.stride[d] - c.padLow[d] + k * c.dilation[d];
    };
    for (int64_t n = 0; n < big.size('N'); ++n)
      for (int64_t o = 0; o < small.size('C'); ++o)
        for (int64_t i = 0; i < in; ++i)
          for (int64_t pd = 0; pd < small.size('D'); ++pd)
            for (int64_t ph = 0; ph < small.size('H'); ++ph)
              for (int64_t pw = 0; pw < small.size('W'); ++pw)
                for (int64_t kd = 0; kd < w.size('D'); ++kd)
                  for (int64_t kh = 0; kh < w.size('H'); ++kh)
                    for (int64_t kw = 0; kw < w.size('W'); ++kw) {
                      const int64_t qd = along('D', pd, kd),
                                    qh = along('H', ph, kh),
                                    qw = along('W', pw, kw);
                      if (qd < 0 || qh < 0 || qw < 0 || qd >= big.size('D') ||
                          qh >= big.size('H') || qw >= big.size('W'))
                        continue;
                      const std::map<char, int64_t> k{
                          {'O', o}, {'I', i}, {'D', kd}, {'H', kh}, {'W', kw}};
                      const std::map<char, int64_t> p{
                          {'N', n}, {'C', o}, {'D', pd}, {'H', ph}, {'W', pw}};
                      const std::map<char, int64_t> q{{'N', n},
                                                      {'C', o / out * in + i},
                                                      {'D', qd},
                                                      {'H', qh},
                                                      {'W', qw}};
                      double *const terms[] = {&big.at(q), &w.at(k),
                                               &small.at(p)};
                      *terms[role.result] +=
                          *terms[role.operands[0]] * *terms[role.operands[1]];
                    }
    auto list = [](ArrayRef<int64_t> numbers) {
      std::string text;
      llvm::raw_string_ostream out(text);
      out << "[";
      llvm::interleaveComma(numbers, out);
      out << "]";
      return text;
    };
    auto joined = [&](const auto &of, const std::string &quote) {
      return quote + of[role.operands[0]] + quote + ", " + quote +
             of[role.operands[1]] + quote;
    };
    const std::string op = std::string("%r = gaudi.mme.") + role.name +
                           " %0, %1 layout " + joined(c.layouts, "\"") +
                           ", \"" + c.layouts[role.result] + "\" strides " +
                           list(c.stride) + " dilations " + list(c.dilation) +
                           " pad " + list(c.padLow) + ", " + list(c.padHigh) +
                           " groups " + std::to_string(c.groups) + " : " +
                           joined(types, "") + " -> " + types[role.result];
    const std::vector<double> actual =
        valuesOf(op, {inputs[0], inputs[1]}, types[role.result]);
    ASSERT_EQ(actual.size(), result.values.size()) << op;
    for (size_t i = 0; i < actual.size(); ++i)
      if (std::isfinite(result.values[i]))
        EXPECT_NEAR(actual[i], result.values[i], 1e-6)
            << op << " element " << i;
      else if (std::isnan(result.values[i]))
        EXPECT_TRUE(std::isnan(actual[i])) << op << " element " << i;
      else
        EXPECT_EQ(actual[i], result.values[i]) << op << " element " << i;
  }
};

TEST_F(MmeTest, GemmByHand) {
  const ReferenceTensor a = tensor("tensor<2x3xf32>", {1, 2, 3, 4, 5, 6});
  EXPECT_THAT(valuesOf("%r = gaudi.mme.gemm %0, %1 : tensor<2x3xf32>, "
                       "tensor<3x2xf32> -> tensor<2x2xf32>",
                       {a, tensor("tensor<3x2xf32>", {1, 0, 0, 1, 1, 1})},
                       "tensor<2x2xf32>"),
              same({4, 5, 10, 11}));
  EXPECT_THAT(valuesOf("%r = gaudi.mme.gemm %0, %1 transpose_a : "
                       "tensor<2x3xf32>, tensor<2x1xf32> -> tensor<3x1xf32>",
                       {a, tensor("tensor<2x1xf32>", {1, 10})},
                       "tensor<3x1xf32>"),
              same({41, 52, 63}));
  EXPECT_THAT(valuesOf("%r = gaudi.mme.gemm %0, %1 transpose_b : "
                       "tensor<2x3xf32>, tensor<1x3xf32> -> tensor<2x1xf32>",
                       {a, tensor("tensor<1x3xf32>", {1, 10, 100})},
                       "tensor<2x1xf32>"),
              same({321, 654}));
}

// A product of stored tensors is the plain product between transposes.
TEST_F(MmeTest, GemmInEveryOrder) {
  const auto text = [](ArrayRef<int64_t> list) {
    std::string text = "[";
    for (int64_t i : list)
      text += (text.size() > 1 ? ", " : "") + std::to_string(i);
    return text + "]";
  };
  const auto typeText = [](RankedTensorType type) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return text;
  };
  const RankedTensorType types[] = {type("tensor<2x1x4x5xf32>"),
                                    type("tensor<2x3x6x5xf32>"),
                                    type("tensor<2x3x4x6xf32>")};
  const ReferenceTensor a = seededInput(types[0], 0, 1);
  const ReferenceTensor b = seededInput(types[1], 1, 1);
  const std::string plain =
      "%r = gaudi.mme.gemm %0, %1 transpose_b : tensor<2x1x4x5xf32>, "
      "tensor<2x3x6x5xf32> -> tensor<2x3x4x6xf32>";
  const std::vector<double> expected =
      valuesOf(plain, {a, b}, "tensor<2x3x4x6xf32>");
  ASSERT_EQ(expected.size(), 2u * 3 * 4 * 6);
  std::vector<Order> orders;
  Order order = identityOrder(4);
  do
    orders.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  // 7 and 11 do not divide 24: each order comes once for each tensor.
  for (size_t i = 0; i < orders.size(); ++i) {
    const Order given[] = {orders[i], orders[(i * 7 + 1) % 24],
                           orders[(i * 11 + 5) % 24]};
    std::string stored[3];
    for (unsigned t : {0, 1, 2})
      stored[t] = typeText(storedType(types[t], given[t]));
    const std::string op =
        "%a = gaudi.transpose %0 permutation " + text(given[0]) + " : " +
        typeText(types[0]) + " -> " + stored[0] +
        "\n  %b = gaudi.transpose %1 permutation " + text(given[1]) + " : " +
        typeText(types[1]) + " -> " + stored[1] +
        "\n  %c = gaudi.mme.gemm %a, %b transpose_b order_a " + text(given[0]) +
        " order_b " + text(given[1]) + " order_c " + text(given[2]) + " : " +
        stored[0] + ", " + stored[1] + " -> " + stored[2] +
        "\n  %r = gaudi.transpose %c permutation " +
        text(inverseOrder(given[2])) + " : " + stored[2] + " -> " +
        typeText(types[2]);
    EXPECT_EQ(valuesOf(op, {a, b}, "tensor<2x3x4x6xf32>"), expected) << op;
  }
}

TEST_F(MmeTest, GemmRoundsOnce) {
  // 256 + 1 + 1: one rounding to bf16 at the end keeps the 2.
  EXPECT_THAT(valuesOf("%r = gaudi.mme.gemm %0, %1 : tensor<1x3xbf16>, "
                       "tensor<3x1xbf16> -> tensor<1x1xbf16>",
                       {tensor("tensor<1x3xbf16>", {256, 1, 1}),
                        tensor("tensor<3x1xbf16>", {1, 1, 1})},
                       "tensor<1x1xbf16>"),
              same({258}));
}

TEST_F(MmeTest, GemmBatchesRepeatAndSizesCrossTheBlocks) {
  const ReferenceTensor a = seededInput(type("tensor<2x1x37x300xf32>"), 0, 1);
  const ReferenceTensor b = seededInput(type("tensor<1x3x270x300xf32>"), 1, 1);
  const std::vector<double> actual = valuesOf(
      "%r = gaudi.mme.gemm %0, %1 transpose_b : tensor<2x1x37x300xf32>, "
      "tensor<1x3x270x300xf32> -> tensor<2x3x37x270xf32>",
      {a, b}, "tensor<2x3x37x270xf32>");
  ASSERT_EQ(actual.size(), 2u * 3 * 37 * 270);
  size_t i = 0;
  for (int64_t p = 0; p < 2; ++p)
    for (int64_t q = 0; q < 3; ++q)
      for (int64_t m = 0; m < 37; ++m)
        for (int64_t n = 0; n < 270; ++n) {
          double sum = 0;
          for (int64_t k = 0; k < 300; ++k)
            sum += a.floats()[(p * 37 + m) * 300 + k] *
                   b.floats()[(q * 270 + n) * 300 + k];
          ASSERT_NEAR(actual[i++], sum, 1e-6);
        }
}

TEST_F(MmeTest, Convolutions) {
  check({"tensor<2x7x8x3xf32>",
         "tensor<5x3x2x3xf32>",
         "tensor<2x4x4x5xf32>",
         {"NHWC", "OHWI", "NHWC"},
         {2, 2},
         {1, 1},
         {1, 0},
         {1, 1}});
  check({"tensor<1x4x9x9xf32>",
         "tensor<6x2x3x3xf32>",
         "tensor<1x6x5x5xf32>",
         {"NCHW", "OIHW", "NCHW"},
         {1, 1},
         {2, 2},
         {0, 0},
         {0, 0},
         2});
  check({"tensor<1x6x6x4xf32>",
         "tensor<3x3x1x4xf32>",
         "tensor<1x6x6x4xf32>",
         {"NHWC", "HWIO", "NHWC"},
         {1, 1},
         {1, 1},
         {1, 1},
         {1, 1},
         4});
  check({"tensor<2x10x3xf32>",
         "tensor<4x3x4xf32>",
         "tensor<2x4x5xf32>",
         {"NWC", "WIO", "NCW"},
         {2},
         {1},
         {2},
         {0}});
  check({"tensor<1x2x4x5x6xf32>",
         "tensor<3x2x2x3x2xf32>",
         "tensor<1x3x3x3x5xf32>",
         {"NCDHW", "OIDHW", "NCDHW"},
         {1, 1, 1},
         {1, 1, 1},
         {0, 0, 0},
         {0, 0, 0}});
  // More positions than one job takes.
  check({"tensor<1x20x20x2xf32>",
         "tensor<3x1x1x2xf32>",
         "tensor<1x20x20x3xf32>",
         {"NHWC", "OHWI", "NHWC"},
         {1, 1},
         {1, 1},
         {0, 0},
         {0, 0}});
}

/// Pads that crop, and inputs beyond the last window.
TEST_F(MmeTest, Gradients) {
  const Case cases[] = {{"tensor<1x8x9x5xf32>",
                         "tensor<2x3x2x5xf32>",
                         "tensor<1x3x4x2xf32>",
                         {"NHWC", "OHWI", "NHWC"},
                         {2, 2},
                         {1, 1},
                         {0, 0},
                         {0, 0}},
                        {"tensor<2x6x10xf32>",
                         "tensor<4x3x3xf32>",
                         "tensor<2x4x5xf32>",
                         {"NCW", "OIW", "NCW"},
                         {2},
                         {2},
                         {1},
                         {2},
                         2},
                        {"tensor<3x2x9x7xf32>",
                         "tensor<2x3x3x2xf32>",
                         "tensor<3x3x5x8xf32>",
                         {"NCHW", "HWOI", "NCHW"},
                         {1, 1},
                         {2, 1},
                         {-2, 3},
                         {0, 0}}};
  for (const Case &c : cases)
    for (unsigned gradient : {1, 2})
      for (const bool special : {false, true})
        check(c, roles[gradient], special);
}

TEST_F(MmeTest, PaddingAddsNothingWhateverTheWeight) {
  check({"tensor<1x1x1x1xf32>",
         "tensor<1x1x1x1xf32>",
         "tensor<1x2x1x1xf32>",
         {"NHWC", "OHWI", "NHWC"},
         {1, 1},
         {1, 1},
         {0, 0},
         {1, 0}},
        true);
  check({"tensor<2x7x8x4xf32>",
         "tensor<6x3x2x2xf32>",
         "tensor<2x4x4x6xf32>",
         {"NHWC", "OHWI", "NHWC"},
         {2, 2},
         {1, 1},
         {1, 0},
         {1, 1},
         2},
        true);
}

TEST_F(MmeTest, ConvolutionRoundsItsOutput) {
  EXPECT_THAT(
      valuesOf(
          "%r = gaudi.mme.conv %0, %1 layout \"NCW\", \"OIW\", \"NCW\" strides "
          "[1] dilations [1] pad [0], [0] groups 1"
          " : tensor<1x3x1xbf16>, tensor<1x3x1xbf16> -> tensor<1x1x1xbf16>",
          {tensor("tensor<1x3x1xbf16>", {256, 1, 1}),
           tensor("tensor<1x3x1xbf16>", {1, 1, 1})},
          "tensor<1x1x1xbf16>"),
      same({258}));
}
} // namespace
