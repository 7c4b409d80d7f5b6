// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants in each form an attribute can have.
#include "Gaudi/Dialect/ConstantValues.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mlir;
using namespace gaudi;
using ::testing::ElementsAre;

namespace {
class ConstantValuesTest : public ::testing::Test {
protected:
  ConstantValuesTest() { context.loadDialect<GaudiDialect>(); }

  ConstantValues parse(StringRef text) {
    auto values = ConstantValues::of(parseAttribute(text, &context));
    EXPECT_TRUE(values) << text.str();
    return *values;
  }

  Attribute resource(StringRef type, ArrayRef<char> bytes) {
    return DenseResourceElementsAttr::get(
        cast<ShapedType>(parseType(type, &context)), "r",
        HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, 1));
  }

  MLIRContext context;
};

TEST_F(ConstantValuesTest, ReadsFloatsOfEachWidth) {
  EXPECT_EQ(parse("dense<[1.5, -2.0]> : tensor<2xf32>").number(1), -2);
  EXPECT_EQ(parse("dense<[1.5, -2.0]> : tensor<2xbf16>").number(0), 1.5);
  EXPECT_EQ(parse("dense<[1.5, -2.0]> : tensor<2xf8E5M2>").number(1), -2);
  EXPECT_EQ(parse("dense<[1.5, -2.0]> : tensor<2xf32>").get<float>(0), 1.5f);
}

TEST_F(ConstantValuesTest, ReadsIntegersAsTheTypeSays) {
  EXPECT_EQ(parse("dense<[-1, 3]> : tensor<2xi8>").integer(0), -1);
  EXPECT_EQ(parse("dense<[255, 3]> : tensor<2xui8>").integer(0), 255);
  EXPECT_EQ(parse("dense<[true, false]> : tensor<2xi1>").integer(0), 1);
  EXPECT_EQ(parse("dense<true> : tensor<2xi1>").integer(1), 1);
}

TEST_F(ConstantValuesTest, OneElementOfASplatStandsForAll) {
  ConstantValues splat = parse("dense<7> : tensor<3x5xi32>");
  EXPECT_TRUE(splat.isSplat());
  EXPECT_EQ(splat.size(), 15);
  EXPECT_EQ(splat.bytes().size(), 4u);
  EXPECT_EQ(splat.integer(14), 7);
}

TEST_F(ConstantValuesTest, ReadsResources) {
  const char bytes[] = {1, 0, 2, 0};
  auto values = ConstantValues::of(resource("tensor<2xi16>", bytes));
  ASSERT_TRUE(values);
  EXPECT_EQ(values->integer(1), 2);
  // Booleans: packed, or one byte each.
  const char packed[] = {char(0x82), 1};
  values = ConstantValues::of(resource("tensor<9xi1>", packed));
  ASSERT_TRUE(values);
  EXPECT_TRUE(values->bytes().empty());
  std::vector<int64_t> bits;
  for (int64_t i = 0; i < 9; ++i)
    bits.push_back(values->integer(i));
  EXPECT_THAT(bits, ElementsAre(0, 1, 0, 0, 0, 0, 0, 1, 1));
  const char single[] = {1, 0};
  values = ConstantValues::of(resource("tensor<2xi1>", single));
  ASSERT_TRUE(values);
  EXPECT_EQ(values->integer(0), 1);
  EXPECT_EQ(values->integer(1), 0);
}

TEST_F(ConstantValuesTest, KnowsZerosOfEitherSign) {
  EXPECT_TRUE(parse("dense<[0.0, -0.0]> : tensor<2xbf16>").isZero());
  EXPECT_TRUE(parse("dense<-0.0> : tensor<3x5xf64>").isZero());
  EXPECT_TRUE(parse("dense<0> : tensor<2xui8>").isZero());
  EXPECT_TRUE(parse("dense<[]> : tensor<0xf32>").isZero());
  EXPECT_FALSE(parse("dense<[0.0, 1.0e-300]> : tensor<2xf64>").isZero());
  EXPECT_FALSE(parse("dense<[false, true]> : tensor<2xi1>").isZero());
  // The pattern of -0 is the NaN of this format.
  EXPECT_FALSE(parse("dense<0x80> : tensor<2xf8E4M3FNUZ>").isZero());
}

TEST_F(ConstantValuesTest, BecomesDense) {
  const char packed[] = {char(0x82), 1};
  for (auto [text, attribute] :
       {std::pair("dense<[1, 2]> : tensor<2xi16>",
                  resource("tensor<2xi16>", {1, 0, 2, 0})),
        std::pair("dense<[true, false]> : tensor<2xi1>",
                  resource("tensor<2xi1>", {1, 0})),
        std::pair("dense<[0, 1, 0, 0, 0, 0, 0, 1, 1]> : tensor<9xi1>",
                  resource("tensor<9xi1>", packed)),
        std::pair("dense<7> : tensor<4xi32>",
                  parseAttribute("dense<7> : tensor<4xi32>", &context))}) {
    auto values = ConstantValues::of(attribute);
    ASSERT_TRUE(values) << text;
    EXPECT_EQ(values->toDense(), parseAttribute(text, &context));
  }
}

TEST_F(ConstantValuesTest, RefusesElementsOfMoreThan64Bits) {
  EXPECT_FALSE(ConstantValues::of(
      parseAttribute("dense<[1, 2]> : tensor<2xi128>", &context)));
}

TEST_F(ConstantValuesTest, RefusesAResourceOfAnotherSize) {
  const char bytes[] = {1, 0, 2};
  EXPECT_FALSE(ConstantValues::of(resource("tensor<2xi16>", bytes)));
  EXPECT_FALSE(ConstantValues::of(Attribute()));
}

TEST_F(ConstantValuesTest, ReadsThroughAMap) {
  ConstantValues values =
      parse("dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>");
  // Transposed, then the last two columns backwards.
  EXPECT_THAT(values.numbers({3, 2}, {{1}, {0}}),
              ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(values.numbers({2, 2}, {{0}, {1, -1, 2}}),
              ElementsAre(3, 2, 6, 5));
  // Row 1 for each of two points.
  EXPECT_THAT(values.numbers({2, 3}, {{StridedIndex::none, 1, 1}, {1}}),
              ElementsAre(4, 5, 6, 4, 5, 6));
}

TEST_F(ConstantValuesTest, ConstantsAreRoundedOnce) {
  auto type = cast<RankedTensorType>(parseType("tensor<2xbf16>", &context));
  auto values = ConstantValues::of(
      Attribute(constantOf(type, {1 + 0x1p-8f, 1 + 3 * 0x1p-8f})));
  ASSERT_TRUE(values);
  EXPECT_EQ(values->number(0), 1);
  EXPECT_EQ(values->number(1), 1 + 0x1p-6f);
}
} // namespace
