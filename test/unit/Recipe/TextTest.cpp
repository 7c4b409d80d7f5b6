// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text form: round trips, elision, and errors with their place.
#include "Samples.h"

#include <gtest/gtest.h>

using namespace gaudi;
using namespace gaudi::recipe;
using namespace gaudi::recipe::test;

namespace {

std::string errorOf(const std::string &text) {
  Result<ParsedRecipe> parsed = parseRecipeText(text);
  return parsed ? "parsed" : parsed.error().message;
}

/// The sample with the first `from` replaced.
std::string edited(const std::string &from, const std::string &to) {
  std::string text = sampleText;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(Text, TextToBinaryToTextIsTheSame) {
  Result<RecipeFile> file =
      RecipeFile::fromBuffer(spanOf(bytesOfText(sampleText)));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(printed(*file), sampleText);
}

TEST(Text, BinaryToTextToBinaryIsTheSame) {
  const std::vector<uint8_t> bytes = bytesOfText(sampleText);
  Result<RecipeFile> file = RecipeFile::fromBuffer(spanOf(bytes));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(bytesOfText(printed(*file)), bytes);
}

/// A one-kernel recipe around constants of one type.
std::string constantKernel(const std::string &constant,
                           const std::string &type) {
  return "recipe 1.0 target \"gaudi\" producer \"\"\n\nkernel 0 \"c\" {\n"
         "  space []\n  stage {\n    %0 = const " +
         constant + " : " + type + "\n  }\n}\n";
}

TEST(Text, ConstantsKeepTheirBits) {
  const std::pair<const char *, const char *> constants[] = {
      {"0.0", "f32"},
      {"-0.0", "f32"},
      {"1e-45", "f32"},
      {"3.4028235e+38", "f32"},
      {"-inf", "f32"},
      {"0x7fc00001", "f32"},
      {"0.1", "f32"},
      {"16777216.0", "f32"},
      {"true", "i1"},
      {"false", "i1"},
      {"-128", "i8"},
      {"32767", "i16"},
      {"-2147483648", "i32"},
      {"-9223372036854775808", "i64"},
      {"9223372036854775807", "i64"}};
  for (auto [constant, type] : constants) {
    const std::string text = constantKernel(constant, type);
    Result<RecipeFile> file = RecipeFile::fromBuffer(spanOf(bytesOfText(text)));
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(printed(*file), text);
  }
}

TEST(Text, NamesMayHoldAnyByte) {
  const std::string text = "recipe 1.0 target \"gaudi\" producer "
                           "\"a\\\"b\\\\c\\x0a\\xff\\x00 \xc3\xa9\"\n";
  Result<RecipeFile> file = RecipeFile::fromBuffer(spanOf(bytesOfText(text)));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ((*file)->producer()->str(),
            std::string("a\"b\\c\n\xff\0 \xc3\xa9", 11));
  EXPECT_EQ(printed(*file), text);
}

TEST(Text, CommentsAndBlanksDoNotMatter) {
  const std::string text =
      edited("\nsection @0", " // a comment\n\n\t section   @0");
  EXPECT_EQ(bytesOfText(text), bytesOfText(sampleText));
}

TEST(Text, ElidedConstantsAreRefused) {
  Result<RecipeFile> file =
      RecipeFile::fromBuffer(spanOf(bytesOfText(sampleText)));
  ASSERT_TRUE(file) << file.error().message;
  PrintOptions options;
  options.elideConstantsAbove = 100;
  const std::string text = printed(*file, options);
  EXPECT_NE(text.find("bytes @1 {\n  <elided 208 bytes>\n}"),
            std::string::npos);
  EXPECT_EQ(errorOf(text),
            "160:3: the bytes of section @1 are elided; print the recipe with "
            "all its constants to parse it");
  options.elideConstantsAbove = 208;
  EXPECT_EQ(printed(*file, options), sampleText);
}

TEST(Text, SizesAreInfix) {
  const auto error = [](const std::string &size) {
    std::string text = dispatchText;
    const std::string from = "(s0 * s1)]";
    text.replace(text.find(from), from.size(), size + "]");
    const std::string message = errorOf(text);
    return message.substr(std::min(message.find(' ') + 1, message.size()));
  };
  EXPECT_EQ(error("((s0 floordiv 2) - -3)"), "parsed");
  EXPECT_EQ(error("t0"), "expected a number, a symbol like s0, or '(' but got "
                         "'t0'");
  EXPECT_EQ(error("s"), "expected a number, a symbol like s0, or '(' but got "
                        "'s'");
  EXPECT_EQ(error("(s0 / 2)"),
            "expected '+', '-', '*', 'floordiv', 'ceildiv', 'mod', 'min' or "
            "'max' but got '/'");
  EXPECT_EQ(error(std::string(100, '(')), "this size is nested too deeply");
}

struct SyntaxError {
  const char *from;
  const char *to;
  const char *expected;
};

TEST(Text, ErrorsNameLineAndColumn) {
  const SyntaxError errors[] = {
      {"recipe 1.0", "model 1.0", "1:1: expected 'recipe' but got 'model'"},
      {"recipe 1.0", "recipe \"1.0\"",
       "1:8: expected a version but got '\"1.0\"'"},
      {"recipe 1.0", "recipe 2.0",
       "1:8: version is 2.0 but this build reads 1.0 to 1.7"},
      {"recipe tests\"", "recipe tests", "1:37: this string has no end"},
      {"\"gaudi2\"", "gaudi2",
       "1:19: expected a string in double quotes but got 'gaudi2'"},
      {"\"gaudi2\"", "\"\\n\"",
       "1:19: unknown escape in this string; expected \\\", \\\\ or \\xHH"},
      {"location 2", "location 3", "4:10: expected location 2"},
      {"location 2", "place 2",
       "4:1: expected 'location', 'section', 'tensor', 'kernel', 'entry', "
       "'fusion', 'region', 'memory' or 'bytes' but got 'place'"},
      {"section @2", "section @3", "8:10: expected section 2"},
      {"@2 workspace", "@2 workplace",
       "8:12: unknown kind of section 'workplace'"},
      {"@2 workspace 512", "@2 workspace 99999999999999999999",
       "8:22: '99999999999999999999' is no whole number from 0 to "
       "18446744073709551615"},
      {"@2 workspace 512", "@2 workspace many",
       "8:22: expected a number but got 'many'"},
      {"f32[2,8] loc 1", "f33[2,8] loc 1", "10:26: unknown element type 'f33'"},
      {"f32[2,8] loc 1", "f32[2,8 loc 1", "10:34: expected ']' but got 'loc'"},
      {"tensor %1", "tensor %7", "11:9: expected tensor 1"},
      {"\"ids\" input", "\"ids\" imput",
       "11:17: unknown class of tensor 'imput'"},
      {"kernel 1", "kernel 2", "58:8: expected kernel 1"},
      {"%1 = const 0.0", "%2 = const 0.0", "37:6: expected the next value, %1"},
      {"const 0.0", "const 1e99",
       "37:16: expected a number that its type can hold but got '1e99'"},
      {"const -7 : i32", "const -200 : i8",
       "136:16: the number does not fit i8"},
      {"= subf", "= subtract", "45:10: unknown instruction 'subtract'"},
      {"ogt %0", "gt %0", "132:15: unknown predicate 'gt'"},
      {"roundto bf16 %4", "roundby bf16 nearest %4, %4",
       "134:23: unknown rounding 'nearest'"},
      {"%4, %3 : f32", "%4, %3 : bf16",
       "45:24: 'bf16' is no type of kernel values"},
      {"reduce max", "reduce best", "41:12: unknown reduction operator 'best'"},
      {"in0[d0, d1]", "in1[d0, d1]", "40:15: 'in1' is no operand"},
      {"in0[d0, d1]", "in0[d0, d2]",
       "40:23: 'd2' is no dimension of the index space"},
      {"in0[d0, d1]", "in0[d0, d1 + d1]", "40:28: d1 appears twice"},
      {"in0[d0, d1]", "in0[d0, d1 + 1 + 2]",
       "40:32: this index has two offsets"},
      {"in0[d0, d1]", "in0[d0, 9223372036854775808*d1]",
       "40:23: the number does not fit 64 bits"},
      {"2*d1 - 1 pad", "2*d1 - 1 wrap", "125:30: unknown boundary 'wrap'"},
      {" else 0.25", "", "126:3: expected 'else' but got 'access'"},
      {"access #1", "access #2", "126:11: expected access #1"},
      {"out0 : f32 rank 2", "out1 : f32 rank 2",
       "34:3: expected the next input or output, 'access', 'stage', 'loop' or "
       "'}' but got 'out1'"},
      {"store %11 -> out0[d0, d1]",
       "store %11 -> out0[d0, d1]\n    %12 = const 0.0 : f32",
       "55:5: instructions come before the reductions and stores of their "
       "stage"},
      {"store %11 -> out0[d0, d1]",
       "store %11 -> out0[d0, d1]\n    reduce add %11 init %0 -> %12",
       "55:12: reductions come before the stores of their stage"},
      {"#1 dma", "#2 dma", "146:4: expected command 1"},
      {"#1 dma", "#1 gpu", "146:6: unknown engine 'gpu'"},
      {"transfer (%6)", "move (%6)",
       "146:17: expected 'launch', 'gemm', 'conv', 'transfer', 'fill', "
       "'library', 'conv_weight_grad', 'attention' or 'attention_grad' but got "
       "'move'"},
      {"transfer (%6)", "attention with [masks]",
       "146:33: unknown tensor 'masks'"},
      {"transfer (%6)",
       "attention q \"NLD\" k \"NLD\" v \"NLD\" o \"NLD\" "
       "scale 1.0 softmax_mode slow",
       "146:82: unknown softmax mode 'slow'"},
      {"bytes @1 {", "memory \"main\" { best \"x\" }\nbytes @1 {",
       "159:17: unknown kind of memory record 'best'"},
      {"bytes @1 {", "bytes @0 {", "159:8: @0 is no const section"},
      {"0x803f0040", "0x803f004",
       "164:3: expected bytes in hexadecimal, two digits each, after 0x"},
      {"  0x803f004040408040a040c040e0400041\n", "",
       "const section @1 has 208 bytes but the text gives 192"},
      {"0041\n}\n", "0041\n}\nbytes @1 {}\n",
       "168:8: the bytes of section @1 are given twice"},
      {"0041\n}\n", "0041\n",
       "167:1: expected '}' but got the end of the text"},
  };
  for (const SyntaxError &error : errors)
    EXPECT_EQ(errorOf(edited(error.from, error.to)), error.expected)
        << error.from << " -> " << error.to;
}

TEST(Text, EveryPrefixIsAnErrorAndNeverCrashes) {
  const std::string text = sampleText;
  for (size_t length = 0; length + 3 < text.size(); length += 7)
    (void)parseRecipeText(text.substr(0, length));
  EXPECT_EQ(errorOf(""), "1:1: expected 'recipe' but got the end of the text");
}

} // namespace
