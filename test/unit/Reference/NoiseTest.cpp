// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws of a device's rounding errors, and what they allow.
#include "ReferenceTest.h"

using namespace mlir;
using namespace gaudi;

namespace {
class NoiseTest : public ReferenceTest {
protected:
  /// The reference of a function of one argument and one result, and what two
  /// pairs of draws tell about the result.
  void run(StringRef text, ArrayRef<ReferenceTensor> inputs) {
    OwningOpRef<ModuleOp> module = parse(text);
    ASSERT_TRUE(module);
    auto function = *module->getOps<func::FuncOp>().begin();
    auto evaluate = [&](const Noise *noise) {
      auto results = evaluateFunction(function, inputs, nullptr, noise);
      EXPECT_TRUE(succeeded(results));
      return (*results)[0];
    };
    reference = evaluate(nullptr);
    std::vector<ReferenceTensor> draws;
    for (uint64_t k = 0; k < 4; ++k) {
      const Noise noise(k / 2 + 1, k % 2 != 0);
      draws.push_back(evaluate(&noise));
    }
    estimate = NoiseEstimate::of(reference, draws);
  }

  /// Whether a device may give these elements.
  bool passes(ArrayRef<double> device) {
    const gaudi::ExpectedNoise expected = {
        estimate.noise.data(), estimate.allowed.data(), estimate.seen.data(),
        estimate.reach.data(), estimate.squares,        estimate.strays,
        estimate.strayError};
    const uint64_t count = device.size();
    auto element = [&](uint64_t i) { return device[i]; };
    if (reference.isFloat())
      return gaudi::compareElements(
                 count, element,
                 [&](uint64_t i) { return reference.floats()[i]; }, expected)
          .passed();
    return gaudi::compareElements(
               count, [&](uint64_t i) { return int64_t(device[i]); },
               [&](uint64_t i) { return reference.ints()[i]; }, expected)
        .passed();
  }

  ReferenceTensor reference;
  NoiseEstimate estimate;
};

TEST_F(NoiseTest, ErrorsDependOnDrawAndValue) {
  const Noise one(1, false), mirrored(1, true), two(2, false);
  const double third = 1.0 / 3;
  EXPECT_EQ(one.disturbed(0.375), 0.375); // float32 has it
  EXPECT_EQ(one.disturbed(-infinity), -infinity);
  EXPECT_NE(one.disturbed(third), third);
  EXPECT_EQ(one.disturbed(third), one.disturbed(third));
  EXPECT_NE(one.disturbed(third), two.disturbed(third));
  EXPECT_NEAR(one.disturbed(third) + mirrored.disturbed(third), 2 * third,
              1e-15);
  EXPECT_NEAR(one.disturbed(third), third, third * Noise::units * 0x1p-24);
  EXPECT_EQ(one.disturbedSum(7, 9), 7);       // small integers
  EXPECT_NE(one.disturbedSum(0, third), 0.0); // terms that cancel
}

TEST_F(NoiseTest, ExactOpsAllowOneRounding) {
  run("func.func @f(%0: tensor<3xf32>) -> tensor<3xf32> {\n"
      "%r = gaudi.tpc.neg %0 : tensor<3xf32>\n"
      "return %r : tensor<3xf32>\n}",
      {tensor("tensor<3xf32>", {1, -2, 0.1})});
  EXPECT_EQ(estimate.noise, (std::vector<double>{0, 0, 0}));
  EXPECT_TRUE(passes({-1, 2, reference.floats()[2]}));
  EXPECT_FALSE(passes({-1, 2.000001, reference.floats()[2]}));
}

TEST_F(NoiseTest, SumsHaveTheNoiseOfTheirTerms) {
  // 1000.1 - 1000.1 + 0.1: the result is small, its noise that of 2000.
  StringRef text = "func.func @f(%0: tensor<1x3xf32>) -> tensor<1xf32> {\n"
                   "%r = gaudi.tpc.reduce <sum> %0 dims [1] : "
                   "tensor<1x3xf32> -> tensor<1xf32>\n"
                   "return %r : tensor<1xf32>\n}";
  run(text, {tensor("tensor<1x3xf32>", {1000.1, -1000.1, 0.1})});
  EXPECT_GT(estimate.noise[0], 1e-5);
  EXPECT_LT(estimate.allowed[0], 0.02);
  EXPECT_FALSE(passes({0.2}));
  run(text, {tensor("tensor<1x3xf32>", {0.1, 0.1, 0.1})});
  EXPECT_LT(estimate.allowed[0], 1e-5);
}

TEST_F(NoiseTest, CancellationIsSeenDownstream) {
  // (x * y - c) where x * y is near c: the error of the product is left.
  run("func.func @f(%0: tensor<2xf32>, %1: tensor<2xf32>, %2: tensor<2xf32>)"
      " -> tensor<2xf32> {\n"
      "%p = gaudi.tpc.mul %0, %1 : tensor<2xf32>, tensor<2xf32> -> "
      "tensor<2xf32>\n"
      "%r = gaudi.tpc.sub %p, %2 : tensor<2xf32>, tensor<2xf32> -> "
      "tensor<2xf32>\n"
      "return %r : tensor<2xf32>\n}",
      {tensor("tensor<2xf32>", {123.456, 0.1}),
       tensor("tensor<2xf32>", {7.89, 0.1}),
       tensor("tensor<2xf32>", {123.456 * 7.89, 0.7})});
  EXPECT_GT(estimate.noise[0], 1e-5);
  EXPECT_TRUE(passes({reference.floats()[0] + 1e-4, reference.floats()[1]}));
  EXPECT_FALSE(passes({reference.floats()[0] + 0.1, reference.floats()[1]}));
}

TEST_F(NoiseTest, RoundingsFlipNearTies) {
  // The product lies 2^-25 of itself beside a tie of bf16 in the first element
  // and far from ties in the second.
  run("func.func @f(%0: tensor<2xf32>, %1: tensor<2xf32>) -> tensor<2xi32> {\n"
      "%p = gaudi.tpc.div %0, %1 : tensor<2xf32>, tensor<2xf32> -> "
      "tensor<2xf32>\n"
      "%b = gaudi.tpc.cast %p : tensor<2xf32> -> tensor<2xbf16>\n"
      "%w = gaudi.tpc.cast %b : tensor<2xbf16> -> tensor<2xf32>\n"
      "%c = gaudi.tpc.add %w, %w : tensor<2xf32>, tensor<2xf32> -> "
      "tensor<2xf32>\n"
      "%s = gaudi.tpc.mul %c, %1 : tensor<2xf32>, tensor<2xf32> -> "
      "tensor<2xf32>\n"
      "%r = gaudi.tpc.cast %s : tensor<2xf32> -> tensor<2xi32>\n"
      "return %r : tensor<2xi32>\n}",
      {tensor("tensor<2xf32>", {303 * 3, 300.3 * 3}),
       tensor("tensor<2xf32>", {3.0000002, 3})});
  // Twice six units of bf16.
  EXPECT_GE(estimate.allowed[0], 24);
  EXPECT_EQ(estimate.allowed[1], 0);
  EXPECT_TRUE(
      passes({double(reference.ints()[0]) - 12, double(reference.ints()[1])}));
  EXPECT_FALSE(
      passes({double(reference.ints()[0]) + 600, double(reference.ints()[1])}));
}

TEST_F(NoiseTest, PositionsDifferOnlyWhereValuesNearlyTie) {
  run("func.func @f(%0: tensor<2x3xf32>) -> tensor<2xi32> {\n"
      "%e = gaudi.tpc.exp %0 : tensor<2x3xf32>\n"
      "%r = gaudi.tpc.arg_reduce %e axis 1 is_max : tensor<2x3xf32> -> "
      "tensor<2xi32>\n"
      "return %r : tensor<2xi32>\n}",
      {tensor("tensor<2x3xf32>", {0.5, 0.70000005, 0.7, 0.1, 0.2, 0.3})});
  EXPECT_EQ(estimate.allowed[0], 2);
  EXPECT_EQ(estimate.allowed[1], 0);
  // Equal values have equal errors: the first wins as on a device.
  run("func.func @f(%0: tensor<1x3xf32>) -> tensor<1xi32> {\n"
      "%e = gaudi.tpc.exp %0 : tensor<1x3xf32>\n"
      "%r = gaudi.tpc.arg_reduce %e axis 1 is_max : tensor<1x3xf32> -> "
      "tensor<1xi32>\n"
      "return %r : tensor<1xi32>\n}",
      {tensor("tensor<1x3xf32>", {0.5, 0.7, 0.7})});
  EXPECT_EQ(estimate.allowed[0], 0);
}

TEST_F(NoiseTest, OverflowIsMarginal) {
  const ReferenceTensor finite = tensor("tensor<2xf32>", {3.4e38, 1}),
                        overflown = tensor("tensor<2xf32>", {infinity, 1});
  const NoiseEstimate found = NoiseEstimate::of(finite, {finite, overflown});
  EXPECT_LT(found.allowed[0], 1e32);
  EXPECT_GE(found.reach[0], 0);
  EXPECT_LT(found.allowed[1], 1e-6);
  EXPECT_LT(found.reach[1], 0);
  reference = finite;
  estimate = found;
  EXPECT_TRUE(passes({infinity, 1}));
  EXPECT_FALSE(passes({1e6, 1}));
  EXPECT_FALSE(passes({3.4e38, infinity}));
  // A difference of the root of a variance near 0: a number, or NaN.
  reference = tensor("tensor<1xf32>", {0});
  estimate =
      NoiseEstimate::of(reference, {tensor("tensor<1xf32>", {1e-4}),
                                    tensor("tensor<1xf32>", {std::nan("")})});
  EXPECT_TRUE(passes({std::nan("")}));
  EXPECT_TRUE(passes({1e-4}));
  EXPECT_FALSE(passes({1e6}));
}

TEST_F(NoiseTest, NoisyElementsExcuseNoOthers) {
  std::vector<double> values(128, 1.5), noisy = values, other = values;
  for (size_t i = 0; i < 64; ++i) {
    values[i] = noisy[i] = other[i] = 1 + double(i) / 64;
    noisy[i] += 1e-7;
    other[i] -= 1e-7;
  }
  for (size_t i = 64; i < 128; ++i) {
    noisy[i] = 1.8;
    other[i] = 1.2;
  }
  reference = tensor("tensor<128xf32>", values);
  std::vector<ReferenceTensor> draws;
  for (int k = 0; k < 8; ++k) {
    draws.push_back(tensor("tensor<128xf32>", noisy));
    draws.push_back(tensor("tensor<128xf32>", other));
  }
  estimate = NoiseEstimate::of(reference, draws);
  EXPECT_TRUE(passes(values));
  values[3] += 0.01;
  EXPECT_FALSE(passes(values));
}

TEST_F(NoiseTest, FewErrorsBeyondTheOthersAreStrays) {
  // One draw decides one element otherwise, the others another one: a device
  // may do so at an element that no draw touched, but not at many.
  const int64_t count = 100;
  std::vector<double> zeros(count), one = zeros, other = zeros;
  one[3] = 1;
  other[70] = 1;
  reference = tensor("tensor<100xf32>", zeros);
  estimate = NoiseEstimate::of(reference,
                               {tensor("tensor<100xf32>", one), reference,
                                tensor("tensor<100xf32>", other), reference});
  std::vector<double> device = zeros;
  device[50] = 1;
  EXPECT_TRUE(passes(device));
  device[50] = 3;
  EXPECT_FALSE(passes(device));
  std::fill(device.begin() + 10, device.begin() + 40, 1.0);
  EXPECT_FALSE(passes(device));
}

TEST_F(NoiseTest, ManySmallErrorsAreFound) {
  // One unit of bf16 is allowed of an element, but not of a third of them.
  std::vector<double> values(300, 1.5);
  reference = tensor("tensor<300xbf16>", values);
  estimate = NoiseEstimate::of(reference, {reference, reference});
  values[7] += 0x1p-7;
  EXPECT_TRUE(passes(values));
  for (size_t i = 0; i < values.size(); i += 3)
    values[i] = 1.5 + 0x1p-7;
  EXPECT_FALSE(passes(values));
}

TEST_F(NoiseTest, ProductsOfBf16MayFlush) {
  // A host's bf16 instructions take a subnormal operand for zero, whatever it
  // is multiplied by.
  const StringRef product =
      "func.func @main(%a: tensor<1x1xf32>, %b: tensor<1x1xf32>) -> "
      "tensor<1x1xf32> {\n  %c = gaudi.mme.gemm %a, %b : tensor<1x1xf32>, "
      "tensor<1x1xf32> -> tensor<1x1xf32>\n  return %c : tensor<1x1xf32>\n}";
  const ReferenceTensor large = tensor("tensor<1x1xf32>", {0x1p20});
  run(product, {tensor("tensor<1x1xf32>", {0x1p-130}), large});
  EXPECT_TRUE(passes({0x1p-110}));
  EXPECT_TRUE(passes({0}));
  EXPECT_FALSE(passes({0x1p-105}));
  // An operand that bf16 does not hold is multiplied as f32.
  run(product, {tensor("tensor<1x1xf32>", {0x1p-130 + 0x1p-145}), large});
  EXPECT_TRUE(passes({0x1p-110 + 0x1p-125}));
  EXPECT_FALSE(passes({0}));
}

TEST_F(NoiseTest, SubnormalResultsMayBeFlushed) {
  const std::vector<double> values(100, 0x1p-128);
  reference = tensor("tensor<100xf32>", values);
  estimate = NoiseEstimate::of(reference, {reference, reference});
  EXPECT_TRUE(passes(std::vector<double>(100, 0)));
  EXPECT_FALSE(passes(std::vector<double>(100, 0x1p-124)));
}
} // namespace
