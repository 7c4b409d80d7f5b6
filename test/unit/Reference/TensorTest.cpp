// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reference tensors: rounding, bytes, attributes, sharing.
#include "ReferenceTest.h"

using namespace mlir;
using namespace gaudi;
using ::testing::ElementsAre;

namespace {
using TensorTest = ReferenceTest;

TEST_F(TensorTest, RoundsOnceToNearestEven) {
  const Type bf16 = BFloat16Type::get(&context);
  EXPECT_EQ(roundTo(bf16, 1 + 0x1p-8), 1);              // tie to even
  EXPECT_EQ(roundTo(bf16, 1 + 3 * 0x1p-8), 1 + 0x1p-6); // tie to even, up
  // A rounding to f32 on the way would turn this into the tie above.
  EXPECT_EQ(roundTo(bf16, 1 + 0x1p-8 + 0x1p-40), 1 + 0x1p-7);
  EXPECT_EQ(roundTo(bf16, 3.4e38), infinity);
  EXPECT_EQ(roundTo(bf16, 0x1p-133), 0x1p-133); // smallest subnormal
  EXPECT_EQ(roundTo(bf16, 0x1p-134), 0);
  EXPECT_TRUE(std::signbit(roundTo(bf16, -0x1p-140)));
  const Type f16 = Float16Type::get(&context);
  EXPECT_EQ(roundTo(f16, 65519), 65504);
  EXPECT_EQ(roundTo(f16, 65520), infinity);
  EXPECT_EQ(roundTo(f16, 0x1p-24 * 1.5), 0x1p-23);
  const Type e4m3 = Float8E4M3FNType::get(&context);
  EXPECT_EQ(roundTo(e4m3, 448), 448);
  EXPECT_EQ(roundTo(e4m3, 464), 448);
  EXPECT_TRUE(std::isnan(roundTo(e4m3, 465)));
  const Type e5m2 = Float8E5M2Type::get(&context);
  EXPECT_EQ(roundTo(e5m2, 57344), 57344);
  EXPECT_EQ(roundTo(e5m2, -61440), -infinity);
  EXPECT_EQ(roundTo(Float32Type::get(&context), 1 + 0x1p-25), 1);
}

TEST_F(TensorTest, FastRoundingAgreesWithTheFormat) {
  // Every bit pattern decodes to itself, and a value between two neighbours
  // goes to the nearer one.
  for (StringRef name : {"bf16", "f16", "f8E4M3FN", "f8E5M2"}) {
    const Type element = parseType(name, &context);
    const int64_t bytes = deviceElementBytes(element);
    const int64_t patterns = int64_t(1) << (8 * bytes - 1); // positive ones
    std::vector<char> data;
    for (int64_t bits = 0; bits < patterns; ++bits)
      for (int64_t b = 0; b < bytes; ++b)
        data.push_back(static_cast<char>(bits >> (8 * b)));
    auto all = ReferenceTensor::fromBytes(
        RankedTensorType::get({patterns}, element), data);
    ASSERT_TRUE(succeeded(all));
    for (int64_t bits = 0; bits + 1 < patterns; ++bits) {
      const double value = all->floats()[bits], next = all->floats()[bits + 1];
      if (!std::isfinite(value) || !std::isfinite(next))
        continue;
      EXPECT_EQ(roundTo(element, value), value);
      EXPECT_EQ(roundTo(element, value + (next - value) * 0.49), value);
      EXPECT_EQ(roundTo(element, -(value + (next - value) * 0.51)), -next);
      EXPECT_EQ(roundTo(element, (value + next) / 2), bits % 2 ? next : value);
    }
  }
}

TEST_F(TensorTest, WrapsIntegers) {
  auto wrapped = [&](StringRef name, int64_t value) {
    return wrapTo(parseType(name, &context), value);
  };
  EXPECT_EQ(wrapped("i8", 200), -56);
  EXPECT_EQ(wrapped("ui8", -56), 200);
  EXPECT_EQ(wrapped("i16", 0x18000), -0x8000);
  EXPECT_EQ(wrapped("ui32", -1), 0xffffffff);
  EXPECT_EQ(wrapped("i64", INT64_MIN), INT64_MIN);
  EXPECT_EQ(wrapped("i1", 3), 1);
}

TEST_F(TensorTest, BytesRoundTrip) {
  for (StringRef name : {"f32", "bf16", "f16", "f8E4M3FN", "f8E5M2"}) {
    ReferenceTensor x = tensor(("tensor<6x" + name + ">").str(),
                               {0, -0.0, 1.5, -2, 0.875, -infinity});
    auto back = ReferenceTensor::fromBytes(x.getType(), x.toBytes());
    ASSERT_TRUE(succeeded(back));
    EXPECT_THAT(numbers(*back), same(numbers(x))) << name.str();
  }
  for (StringRef name : {"i8", "ui8", "i16", "ui16", "i32", "ui32", "i64"}) {
    ReferenceTensor x = tensor(("tensor<3x" + name + ">").str(), {0, 127, -1});
    auto back = ReferenceTensor::fromBytes(x.getType(), x.toBytes());
    ASSERT_TRUE(succeeded(back));
    EXPECT_EQ(back->ints(), x.ints()) << name.str();
  }
}

TEST_F(TensorTest, BytesAreLittleEndian) {
  EXPECT_THAT(tensor("tensor<1xi32>", {0x01020304}).toBytes(),
              ElementsAre(4, 3, 2, 1));
  EXPECT_THAT(tensor("tensor<1xf32>", {1}).toBytes(),
              ElementsAre(0, 0, char(0x80), 0x3f));
  EXPECT_THAT(tensor("tensor<3xi1>", {1, 0, 1}).toBytes(),
              ElementsAre(1, 0, 1));
  // Any byte but 0 is true.
  EXPECT_EQ(ReferenceTensor::fromBytes(type("tensor<2xi1>"), {2, 0})->ints(),
            ArrayRef<int64_t>({1, 0}));
}

TEST_F(TensorTest, RefusesBytesOfAnotherSize) {
  EXPECT_TRUE(
      failed(ReferenceTensor::fromBytes(type("tensor<2xf32>"), {0, 0, 0, 0})));
}

TEST_F(TensorTest, ReadsConstants) {
  EXPECT_THAT(
      valuesOf("%r = gaudi.constant dense<[[1.5, -2.0]]> : tensor<1x2xbf16>",
               {}, "tensor<1x2xbf16>"),
      same({1.5, -2}));
  EXPECT_THAT(valuesOf("%r = gaudi.constant dense<0.1> : tensor<2xf32>", {},
                       "tensor<2xf32>"),
              same({double(0.1f), double(0.1f)}));
  EXPECT_THAT(
      valuesOf("%r = gaudi.constant dense<[true, false, true]> : tensor<3xi1>",
               {}, "tensor<3xi1>"),
      same({1, 0, 1}));
  EXPECT_THAT(valuesOf("%r = gaudi.constant dense<true> : tensor<2xi1>", {},
                       "tensor<2xi1>"),
              same({1, 1}));
  EXPECT_THAT(valuesOf("%r = gaudi.constant dense<[200, 1]> : tensor<2xui8>",
                       {}, "tensor<2xui8>"),
              same({200, 1}));
  EXPECT_THAT(valuesOf("%r = gaudi.constant dense<[-3, 4]> : tensor<2xi64>", {},
                       "tensor<2xi64>"),
              same({-3, 4}));
  EXPECT_THAT(valuesOf("%r = gaudi.constant dense<> : tensor<0xf32>", {},
                       "tensor<0xf32>"),
              same({}));
}

TEST_F(TensorTest, ReadsResources) {
  const char *text = R"(
    func.func @f() -> tensor<2xf32> {
      %0 = gaudi.constant dense_resource<weights> : tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    {-# dialect_resources: { builtin: { weights: "0x040000000000803F000000C0" } } #-})";
  OwningOpRef<ModuleOp> module = parse(text);
  auto results = evaluateFunction(*module->getOps<func::FuncOp>().begin(), {});
  ASSERT_TRUE(succeeded(results));
  EXPECT_THAT(numbers((*results)[0]), same({1, -2}));
}

TEST_F(TensorTest, ReadsPackedBooleanResources) {
  // 10 booleans in 2 bytes, the lowest bit first.
  const char *text = R"(
    func.func @f() -> tensor<10xi1> {
      %0 = gaudi.constant dense_resource<mask> : tensor<10xi1>
      return %0 : tensor<10xi1>
    }
    {-# dialect_resources: { builtin: { mask: "0x010000000502" } } #-})";
  OwningOpRef<ModuleOp> module = parse(text);
  auto results = evaluateFunction(*module->getOps<func::FuncOp>().begin(), {});
  ASSERT_TRUE(succeeded(results));
  EXPECT_THAT(numbers((*results)[0]), same({1, 0, 1, 0, 0, 0, 0, 0, 0, 1}));
}

/// The dialect's verifier refuses these two, but not everybody verifies.
class BadResourceTest : public ReferenceTest {
protected:
  void evaluate(StringRef resources) {
    const std::string text = (R"(
      func.func @f() -> tensor<2xf32> {
        %0 = gaudi.constant dense_resource<weights> : tensor<2xf32>
        return %0 : tensor<2xf32>
      })" + resources)
                                 .str();
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
        text, ParserConfig(&context, /*verifyAfterParse=*/false));
    ASSERT_TRUE(module);
    EXPECT_TRUE(
        failed(evaluateFunction(*module->getOps<func::FuncOp>().begin(), {})));
  }
};

TEST_F(BadResourceTest, NamesAResourceWithoutData) {
  evaluate("");
  EXPECT_THAT(
      messages,
      ElementsAre(
          "'gaudi.constant' op refers to resource 'weights', whose data is not "
          "in the file; make it an argument (gaudi-run --lift-elided does)"));
}

TEST_F(BadResourceTest, NamesAResourceOfAnotherSize) {
  evaluate(
      R"({-# dialect_resources: { builtin: { weights: "0x040000000000803F" } } #-})");
  EXPECT_THAT(
      messages,
      ElementsAre("'gaudi.constant' op resource 'weights' has 4 bytes but "
                  "'tensor<2xf32>' needs 8"));
}

TEST_F(TensorTest, CopiesShareUntilWritten) {
  ReferenceTensor a = tensor("tensor<2xf32>", {1, 2});
  ReferenceTensor b = a;
  EXPECT_EQ(a.floats().data(), b.floats().data());
  b.mutableFloats()[0] = 5;
  EXPECT_EQ(a.floats()[0], 1);
  EXPECT_EQ(b.floats()[0], 5);
}
} // namespace
