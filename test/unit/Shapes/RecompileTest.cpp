// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Gaudi/Shapes/Recompile.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace gaudi::shapes;

namespace {

const std::string mark(1, sizeMark);

Signature::Constant constant(const std::string &name, double value,
                             const std::string &element = "f32") {
  Signature::Constant result;
  result.name = name;
  result.location = "m.mlir:3:1";
  result.element = element;
  result.hash = uint64_t(value * 1e6);
  result.values = {value};
  return result;
}

/// Two inputs that share a size, and an op with a slice of one.
Signature model(int64_t batch, int64_t sequence) {
  Signature model;
  model.device = "gaudi2";
  model.compiler = "gaudi-mlir 1";
  model.inputs = {{"tokens", "i32", {batch, sequence}, ""},
                  {"mask", "f32", {batch, 1, sequence, sequence}, ""}};
  model.outputs = 1;
  Signature::Op slice;
  slice.name = "slice";
  slice.location = "m.mlir:4:1";
  slice.fields = {
      {"operands", "%0", {}},
      {"attribute 'limits'", mark + " " + mark, {batch, sequence - 1}}};
  model.ops = {slice};
  model.constants = {constant("scale", 0.25)};
  return model;
}

TEST(Recompile, EqualSignaturesNeedNone) {
  EXPECT_TRUE(differences(model(1, 128), model(1, 128)).empty());
}

TEST(Recompile, OneDimensionIsTheReasonOfAllThatFollows) {
  Signature was = model(1, 128), is = model(1, 200);
  was.constants.push_back(constant("mean", 1.0 / 128));
  is.constants.push_back(constant("mean", 1.0 / 200));
  was.constants.push_back(constant("count", 127));
  is.constants.push_back(constant("count", 199));
  was.constants.push_back(constant("root", 1 / std::sqrt(128.0)));
  is.constants.push_back(constant("root", 1 / std::sqrt(200.0)));
  const auto found = differences(was, is);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].cause, Cause::Dimension);
  EXPECT_EQ(found[0].text(), "dimension 1 of input 'tokens' is 200, was 128; 2 "
                             "other dimensions and 3 constants follow from it");
  EXPECT_EQ(howToAvoid(found, was, is),
            "one recipe for both sizes: --shape=tokens:tokens_1=128..200 "
            "--shape=mask:tokens_1,tokens_1 '--buckets=tokens_1=128,200', with "
            "a dynamic size ('?') where the model has 200");
}

TEST(Recompile, DimensionsOfTheirOwnAreCounted) {
  const Signature was = model(4, 128), is = model(8, 200);
  const auto found = differences(was, is);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].text(), "dimension 0 of input 'tokens' is 8, was 4; 1 "
                             "other dimension follows from it");
  EXPECT_EQ(found[1].text(), "dimension 1 of input 'tokens' is 200, was 128; 2 "
                             "other dimensions follow from it");
  EXPECT_EQ(howToAvoid(found, was, is),
            "one recipe for both sizes: --shape=tokens:tokens_0=4..8,tokens_1="
            "128..200 --shape=mask:tokens_0,tokens_1,tokens_1 '--buckets="
            "tokens_0,tokens_1=4x128,8x200', with a dynamic size ('?') where "
            "the model has 8");
}

// Both sizes double, which proves no connection.
TEST(Recompile, EqualGrowthIsNoTie) {
  EXPECT_EQ(differences(model(4, 128), model(8, 256)).size(), 2u);
}

TEST(Recompile, AProductAndAPastFollow) {
  Signature was = model(4, 128), is = model(8, 200);
  was.inputs.push_back({"flat", "f32", {4 * 128}, ""});
  is.inputs.push_back({"flat", "f32", {8 * 200}, ""});
  was.inputs.push_back({"past", "f32", {127}, ""});
  is.inputs.push_back({"past", "f32", {199}, ""});
  const auto found = differences(was, is);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].dimensions, 2u);
  EXPECT_EQ(found[1].dimensions, 3u);
}

// The mean over windows of windows.
TEST(Recompile, ProductsOfSizesInsideFollow) {
  Signature was = model(1, 224), is = model(1, 231);
  was.ops[0].fields.push_back({"type of result 0", mark, {56}});
  is.ops[0].fields.push_back({"type of result 0", mark, {58}});
  was.constants = {constant("count", 56 * 56)};
  is.constants = {constant("count", 58 * 58)};
  const auto found = differences(was, is);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].constants, 1u);
}

TEST(Recompile, AConstantOfItsOwnIsAReason) {
  Signature was = model(1, 128), is = model(1, 128);
  is.constants[0] = constant("scale", 0.5);
  auto found = differences(was, is);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].text(), "constant 'scale' (m.mlir:3:1) is 0.5, was 0.25");
  EXPECT_EQ(howToAvoid(found, was, is),
            "an input instead of the constant, so that its value may change "
            "from launch to launch");
  // Beside a dimension that does not explain it.
  is = model(1, 200);
  is.constants[0] = constant("scale", 0.7);
  found = differences(was, is);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].cause, Cause::Dimension);
  EXPECT_EQ(found[1].cause, Cause::Constant);
}

TEST(Recompile, ShapesOfConstantsExplainOps) {
  Signature was = model(1, 128), is = model(1, 128);
  was.constants[0].sizes = {64, 64};
  is.constants[0].sizes = {64, 96};
  was.ops[0].fields.push_back({"type of result 0", mark + "xf32", {64}});
  is.ops[0].fields.push_back({"type of result 0", mark + "xf32", {96}});
  const auto found = differences(was, is);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].text(),
            "constant 'scale' (m.mlir:3:1) is 64x96xf32, was 64x64xf32");
}

TEST(Recompile, OpsComeBeforeDimensions) {
  Signature was = model(1, 128), is = model(1, 200);
  is.ops[0].name = "pad";
  is.ops[0].location = "n.mlir:9:1";
  auto found = differences(was, is);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].text(),
            "op 'pad' (n.mlir:9:1) is where 'slice' (m.mlir:4:1) was");
  // Exporters leave ops out where a size is 1.
  is = model(2, 128);
  is.ops[0].name = "pad";
  found = differences(was, is);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].cause, Cause::Dimension);
  EXPECT_EQ(found[1].cause, Cause::Op);
  // Or share ops where a size is that of another dimension: 127 is in a slice.
  is = model(1, 127);
  is.ops[0].name = "pad";
  found = differences(was, is);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].cause, Cause::Dimension);
  // A size that no dimension explains.
  is = model(1, 200);
  is.ops[0].fields[1].sizes[0] = 7;
  found = differences(was, is);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].text(), "attribute 'limits' of op 'slice' (m.mlir:4:1) is "
                             "7 199, was 1 127 (m.mlir:4:1)");
  is = model(1, 128);
  is.ops.push_back(is.ops[0]);
  found = differences(was, is);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].text(), "op 'slice' (m.mlir:4:1) is new");
}

TEST(Recompile, TheOrderOfReasons) {
  Signature was = model(1, 128), is = model(2, 128);
  is.device = "gaudi3";
  is.compiler = "gaudi-mlir 2";
  is.options = {{"--memory-budget", "512"}};
  is.outputs = 2;
  is.inputs[0].element = "i64";
  is.inputs[1].sizes = {1, 128};
  is.constants[0] = constant("scale", 0.5);
  const auto found = differences(was, is);
  std::vector<Cause> causes;
  for (const Difference &difference : found)
    causes.push_back(difference.cause);
  // Ops and constants follow from the types of inputs.
  EXPECT_EQ(causes,
            (std::vector<Cause>{Cause::Device, Cause::Compiler, Cause::Option,
                                Cause::Signature, Cause::ElementType,
                                Cause::Rank, Cause::Dimension}));
  EXPECT_EQ(found[0].text(), "the device is gaudi3, was gaudi2");
  EXPECT_EQ(found[2].text(), "--memory-budget is 512, was not given");
  EXPECT_EQ(found[3].text(), "the number of outputs is 2, was 1");
  EXPECT_EQ(found[4].text(), "the element type of input 'tokens' is i64, was "
                             "i32");
  EXPECT_EQ(found[5].text(), "the rank of input 'mask' is 2 (1x128xf32), was 4 "
                             "(1x1x128x128xf32)");
}

TEST(Recompile, NewInputsAreNamed) {
  Signature was = model(1, 128), is = model(1, 128);
  is.inputs.push_back({"bias", "f32", {4}, ""});
  auto found = differences(was, is);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].text(),
            "the number of inputs is 3 ('bias' is new), was 2");
}

TEST(Recompile, DynamicSizes) {
  Signature was = model(1, 128), is = model(1, 128);
  is.inputs[0].sizes[1] = dynamicSize;
  const auto found = differences(was, is);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].text(),
            "dimension 1 of input 'tokens' is dynamic, was 128");
}

TEST(Recompile, NegativeAttributesAreNumbers) {
  Signature was = model(1, 128), is = model(1, 128);
  is.ops[0].fields[1].sizes[0] = -1;
  was.ops[0].fields[1].sizes[1] = dynamicSize;
  const auto found = differences(was, is);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].text(), "attribute 'limits' of op 'slice' (m.mlir:4:1) is "
                             "-1 127, was 1 ? (m.mlir:4:1)");
}

// Sentinels and extremes must not overflow.
TEST(Recompile, ExtremeNumbers) {
  for (int64_t a : {INT64_MIN, INT64_MIN + 1, int64_t(-1), int64_t(0),
                    int64_t(1), INT64_MAX - 1, INT64_MAX})
    for (int64_t b :
         {INT64_MIN, int64_t(-1), int64_t(0), int64_t(1), INT64_MAX}) {
      Signature was = model(1, 128), is = model(1, 200);
      was.ops[0].fields[1].sizes[0] = a;
      is.ops[0].fields[1].sizes[0] = b;
      was.constants[0] = constant("scale", 1);
      was.constants[0].values = {double(a)};
      is.constants[0].values = {double(b)};
      is.constants[0].hash = 1;
      EXPECT_GE(differences(was, is).size(), 1u);
    }
}

} // namespace
