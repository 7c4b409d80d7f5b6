// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dense booleans with a byte each, of all lengths around those of bytes.
#include "Gaudi/Compiler/PackBooleans.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>
#include <random>

using gaudi::packBooleans;

namespace {

std::string constantOf(const std::string &digits, const std::string &type) {
  return "dense<\"0x" + digits + "\"> : " + type;
}

TEST(PackBooleans, GivesTheValuesThatBytesHave) {
  mlir::MLIRContext context;
  std::mt19937 random(1);
  for (unsigned count = 2; count < 70; ++count) {
    std::vector<bool> values;
    std::string digits;
    for (unsigned i = 0; i < count; ++i) {
      values.push_back(i == 0 || (i > 1 && random() % 2 == 0));
      digits += values.back() ? "01" : "00";
    }
    const std::string type = "tensor<" + std::to_string(count) + "xi1>";
    const std::string given = constantOf(digits, type);
    const auto packed = packBooleans(given);
    ASSERT_TRUE(packed) << given;
    EXPECT_EQ(packed->size(), given.size());
    const auto parsed = llvm::dyn_cast_or_null<mlir::DenseElementsAttr>(
        mlir::parseAttribute(*packed, &context));
    ASSERT_TRUE(parsed) << *packed;
    EXPECT_EQ(std::vector<bool>(parsed.getValues<bool>().begin(),
                                parsed.getValues<bool>().end()),
              values);
    // What is packed stays as it is.
    EXPECT_FALSE(packBooleans(*packed));
  }
}

TEST(PackBooleans, GivesOneValueToAllElements) {
  mlir::MLIRContext context;
  for (const char *digits : {"00", "01"}) {
    const std::string given = constantOf(digits, "vector<3x5xi1>");
    const auto packed = packBooleans(given);
    ASSERT_TRUE(packed);
    EXPECT_EQ(mlir::parseAttribute(*packed, &context),
              mlir::DenseElementsAttr::get(
                  llvm::cast<mlir::ShapedType>(
                      mlir::parseType("vector<3x5xi1>", &context)),
                  digits[1] == '1'));
  }
}

TEST(PackBooleans, KeepsLinesAndColumns) {
  const std::string zeros(2 * 12, '0');
  const std::string text = "a\n" + constantOf(zeros, "tensor<3x4xi1>") +
                           " b\n" + constantOf("FF0F", "tensor<12xi1>") +
                           constantOf(zeros, "tensor<12xi8>") +
                           constantOf(zeros, "tensor<2x6xi1>") + "\nc";
  const auto packed = packBooleans(text);
  ASSERT_TRUE(packed);
  ASSERT_EQ(packed->size(), text.size());
  EXPECT_EQ(packed->substr(0, 14), "a\ndense<\"0x000");
  EXPECT_EQ(packed->find(" b\n"), text.find(" b\n"));
  EXPECT_NE(packed->find(constantOf("FF0F", "tensor<12xi1>")),
            std::string::npos);
  EXPECT_NE(packed->find(constantOf(zeros, "tensor<12xi8>")),
            std::string::npos);
  EXPECT_TRUE(llvm::StringRef(*packed).ends_with(
      "dense<\"0x0000\"" + std::string(20, ' ') + "> : tensor<2x6xi1>\nc"));
}

TEST(PackBooleans, LeavesOtherTextToTheParser) {
  for (const std::string &text :
       {std::string("dense<\"0x"), std::string("dense<\"0x0101"),
        std::string("dense<\"0x0101\">"), std::string("dense<\"0x0101\"> : "),
        constantOf("0102", "tensor<2xi1>"), constantOf("010", "tensor<2xi1>"),
        constantOf("0101", "tensor<?xi1>"), constantOf("0101", "tensor<2xi2>"),
        constantOf("0101", "tensor<99999999999999999999xi1>"),
        constantOf("0101", "tensor<4294967296x4294967296x4294967296xi1>"),
        constantOf("0101", "memref<2xi1>"),
        std::string("ML\xefR") + constantOf("0101", "tensor<2xi1>")})
    EXPECT_FALSE(packBooleans(text)) << text;
}

} // namespace
