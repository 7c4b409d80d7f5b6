// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schemas as PyTorch prints them.
#include "Gaudi/Torch/Schema.h"
#include <gtest/gtest.h>

using namespace gaudi;
using namespace gaudi::torch;
using Kind = Parameter::Kind;

namespace {

TEST(Schema, HasNamesKindsAndDefaults) {
  auto schema = parseSchema(
      "aten::max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], "
      "int[2] padding=0, bool ceil_mode=False, *, Scalar? bound=None, "
      "float eps=1e-05, str mode=\"none\") -> (Tensor values, Tensor)");
  ASSERT_TRUE(schema) << schema.error().message;
  EXPECT_EQ(schema->name, "aten.max_pool2d");
  EXPECT_EQ(schema->numResults, 2);
  EXPECT_FALSE(schema->returnsList);
  const auto &p = schema->parameters;
  ASSERT_EQ(p.size(), 8u);
  EXPECT_EQ(p[0].kind, Kind::Tensor);
  EXPECT_FALSE(p[0].value);
  EXPECT_TRUE(p[1].isList);
  EXPECT_EQ(p[1].listLength, 2);
  EXPECT_EQ(std::get<Ints>(*p[2].value).size(), 0u);
  // One number stands for two.
  EXPECT_EQ(text(std::get<Ints>(*p[3].value)), "[0,0]");
  EXPECT_FALSE(std::get<bool>(*p[4].value));
  EXPECT_TRUE(p[5].isOptional);
  EXPECT_TRUE(isNone(*p[5].value));
  EXPECT_EQ(std::get<double>(*p[6].value), 1e-05);
  EXPECT_EQ(std::get<std::string>(*p[7].value), "none");
}

TEST(Schema, ReadsOverAliases) {
  auto schema = parseSchema("aten::split.Tensor(Tensor(a -> *) self, SymInt "
                            "split_size, int dim=0) -> Tensor(a)[]");
  ASSERT_TRUE(schema) << schema.error().message;
  EXPECT_EQ(schema->name, "aten.split.Tensor");
  EXPECT_TRUE(schema->returnsList);
  auto inPlace = parseSchema("aten::add_.Tensor(Tensor(a!) self, Tensor other) "
                             "-> Tensor(a!)");
  ASSERT_TRUE(inPlace);
  EXPECT_EQ(inPlace->parameters[0].kind, Kind::Tensor);
  auto index = parseSchema("aten::index.Tensor(Tensor self, Tensor?[] indices) "
                           "-> Tensor");
  ASSERT_TRUE(index);
  EXPECT_TRUE(index->parameters[1].hasOptionalItems);
}

TEST(Schema, RefusesWhatItDoesNotKnow) {
  const std::pair<const char *, const char *> cases[] = {
      {"f(Tensor a) -> Tensor",
       "schema 'f(Tensor a) -> Tensor': expected '::'"},
      {"aten::add(Tensor self) Tensor", "': expected '->' at 'Tensor'"},
      {"aten::f(Stream s) -> Tensor", "': unknown type 'Stream'"},
      {"aten::f(int n=x) -> Tensor", "': expected a number at 'x) -> Tensor'"},
      {"aten::f(float[] f=[1.5]) -> Tensor",
       "': a default is a list of other than integers"}};
  for (const auto &[text, why] : cases) {
    auto schema = parseSchema(text);
    ASSERT_FALSE(schema) << text;
    EXPECT_NE(schema.error().message.find(why), std::string::npos)
        << schema.error().message;
  }
}

std::string complaint(const char *type, const Argument &argument) {
  auto schema = parseSchema(std::string("aten::f(") + type + " x) -> Tensor");
  EXPECT_TRUE(schema);
  auto checked = checkArgument(schema->parameters[0], argument);
  return checked ? "" : checked.error().message;
}

TEST(Schema, ChecksArguments) {
  EXPECT_EQ(complaint("int", int64_t(3)), "");
  EXPECT_EQ(complaint("int", true), "argument 'x' must be an integer");
  EXPECT_EQ(complaint("int?", Argument()), "");
  EXPECT_EQ(complaint("int", Argument()), "argument 'x' must be an integer");
  EXPECT_EQ(complaint("float", int64_t(3)), "");
  EXPECT_EQ(complaint("Scalar", true), "");
  EXPECT_EQ(complaint("Tensor", 1.5), "argument 'x' must be a tensor");
  EXPECT_EQ(complaint("int[]?", true),
            "argument 'x' must be a list of integers or None");
  EXPECT_EQ(complaint("Device?", Argument()), "");
  EXPECT_EQ(complaint("Tensor[]", Tensors{std::nullopt}),
            "argument 'x' has None among its tensors");
  EXPECT_EQ(complaint("Tensor?[]", Tensors{std::nullopt}), "");
}

} // namespace
