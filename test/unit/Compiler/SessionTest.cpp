// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler's C interface beyond what gaudi-run calls in its order.
#include "Gaudi/Compiler/CompilerApi.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

const std::string model = R"(
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = gaudi.tpc.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
)";

class Session : public testing::Test {
protected:
  void SetUp() override { create(nullptr); }
  void create(const char *state) {
    TearDown();
    api = gaudiCompilerApi(GAUDI_COMPILER_API_VERSION);
    ASSERT_NE(api, nullptr);
    GaudiSessionOptions options = {};
    options.device = "gaudi2";
    options.state = state;
    session = api->create(&options);
    ASSERT_NE(session, nullptr);
  }
  void TearDown() override {
    if (session)
      api->destroy(session);
    session = nullptr;
  }

  int32_t parse(const std::string &text) {
    return api->parse(
        session, "model.mlir",
        {reinterpret_cast<const uint8_t *>(text.data()), text.size()});
  }
  /// Empty after an error.
  std::vector<uint8_t> compile() {
    GaudiBytes recipe = {};
    if (api->compile(session, &recipe) != 0)
      return {};
    std::vector<uint8_t> bytes(recipe.data, recipe.data + recipe.size);
    api->releaseRecipe(session);
    return bytes;
  }
  std::string error() const { return api->error(session); }

  const GaudiCompilerApi *api = nullptr;
  GaudiSession *session = nullptr;
};

TEST_F(Session, NothingRunsBeforeAModelWasParsed) {
  EXPECT_TRUE(compile().empty());
  EXPECT_EQ(error(), "no model has been parsed");
}

TEST_F(Session, NothingRunsAfterAModelWasRefused) {
  const std::string deep = model + std::string(100000, '[');
  EXPECT_NE(parse(deep), 0);
  EXPECT_EQ(error(),
            "cannot parse 'model.mlir': brackets nest too deep in line 6; at "
            "most 2000 are read");
  EXPECT_TRUE(compile().empty());
  EXPECT_EQ(error(), "no model has been parsed");
  EXPECT_NE(api->import(session), 0);
}

TEST_F(Session, RunsAgainInAnyOrder) {
  ASSERT_EQ(parse(model), 0) << error();
  const std::vector<uint8_t> first = compile();
  ASSERT_FALSE(first.empty()) << error();
  EXPECT_EQ(api->import(session), 0) << error();
  EXPECT_EQ(api->numInputs(session), 1u);
  EXPECT_EQ(compile(), first) << error();
}

TEST_F(Session, StateOfTheOptionsIsInEveryRun) {
  ASSERT_EQ(parse(model), 0) << error();
  const std::vector<uint8_t> plain = compile();
  create("0=out0");
  ASSERT_EQ(parse(model), 0) << error();
  const std::vector<uint8_t> first = compile();
  ASSERT_FALSE(first.empty()) << error();
  EXPECT_NE(first, plain);
  EXPECT_EQ(api->import(session), 0) << error();
  EXPECT_EQ(compile(), first) << error();
}

TEST_F(Session, SpeaksOfTensorsInTheOrderOfCallers) {
  ASSERT_EQ(parse(R"(
func.func @main(%x: tensor<3x2xf32> {gaudi.permutation = array<i64: 1, 0>})
    -> (tensor<3x2xf32> {gaudi.permutation = array<i64: 1, 0>}, tensor<3x2xf32>) {
  return %x, %x : tensor<3x2xf32>, tensor<3x2xf32>
})"),
            0)
      << error();
  uint32_t samples = 0;
  EXPECT_NE(api->drawInputs(session, nullptr, nullptr, 0, 1, 1e6, &samples), 0);
  EXPECT_EQ(error(), "no model has been imported");
  ASSERT_EQ(api->import(session), 0) << error();
  const auto shapeOf = [](const GaudiTensorType &type) {
    return std::vector<int64_t>(type.shape, type.shape + type.rank);
  };
  EXPECT_EQ(shapeOf(api->input(session, 0)), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(shapeOf(api->output(session, 0)), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(shapeOf(api->output(session, 1)), (std::vector<int64_t>{3, 2}));
  const std::vector<float> x = {1, 2, 3, 4, 5, 6};
  const GaudiBytes bytes = {reinterpret_cast<const uint8_t *>(x.data()),
                            x.size() * sizeof(float)};
  ASSERT_EQ(api->evaluate(session, &bytes, 1, 0, 0), 0) << error();
  const uint8_t varies = 1;
  ASSERT_EQ(api->drawInputs(session, &bytes, &varies, 1, 1, 1e6, &samples), 0)
      << error();
  ASSERT_GT(samples, 0u);
  EXPECT_STREQ(api->drawnInputs(session, 0).regime, "scaled");
  EXPECT_EQ(api->drawnInputs(session, 0).inputs[0].size, bytes.size);
  const auto valuesOf = [&](uint32_t index) {
    const GaudiValues values = api->result(session, index);
    return std::vector<double>(values.floats, values.floats + values.count);
  };
  EXPECT_EQ(valuesOf(0), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(valuesOf(1), (std::vector<double>{1, 4, 2, 5, 3, 6}));
}

TEST_F(Session, StateThatDoesNotFitIsRefusedWithTheModel) {
  create("0=out1");
  EXPECT_NE(parse(model), 0);
  EXPECT_EQ(error(),
            "--state: no output is called 'out1'; did you mean 'out0'? there "
            "are: out0; out0 has no name of its own in the model, such "
            "as {gaudi.name = \"x\"}");
  EXPECT_TRUE(compile().empty());
}

const std::string dynamicModel = R"(
func.func @main(%x: tensor<?x2xf32> {gaudi.dims = ["n=1..8", ""]})
    -> tensor<?x2xf32> {
  %0 = "stablehlo.add"(%x, %x)
      : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}
)";

TEST_F(Session, SelectsSizesOfADynamicModel) {
  ASSERT_EQ(parse(dynamicModel), 0) << error();
  ASSERT_EQ(api->numSymbols(session), 1u);
  const GaudiSymbol symbol = api->symbol(session, 0);
  EXPECT_STREQ(symbol.name, "n");
  EXPECT_EQ(symbol.min, 1);
  EXPECT_EQ(symbol.max, 8);
  EXPECT_EQ(symbol.multiple, 1);
  EXPECT_NE(api->import(session), 0);
  EXPECT_EQ(error(), "'main' has dynamic dimensions; choose their sizes: n "
                     "from 1 to 8");
  // Several sizes, one after the other.
  for (int64_t size : {3, 5}) {
    ASSERT_EQ(api->select(session, &size, 1), 0) << error();
    ASSERT_EQ(api->numInputs(session), 1u);
    ASSERT_EQ(api->input(session, 0).rank, 2u);
    EXPECT_EQ(api->input(session, 0).shape[0], size);
    EXPECT_EQ(api->output(session, 0).shape[0], size);
    const std::vector<float> values(size_t(size) * 2, 1.5f);
    const GaudiBytes input = {reinterpret_cast<const uint8_t *>(values.data()),
                              values.size() * sizeof(float)};
    ASSERT_EQ(api->evaluate(session, &input, 1, 0, 0), 0) << error();
    const GaudiValues result = api->result(session, 0);
    ASSERT_EQ(result.count, values.size());
    EXPECT_EQ(result.floats[result.count - 1], 3.0);
  }
  EXPECT_FALSE(compile().empty()) << error();
}

TEST_F(Session, SelectRefusesWhatTheModelHasNot) {
  const int64_t sizes[] = {3, 4};
  EXPECT_NE(api->select(session, sizes, 2), 0);
  EXPECT_EQ(error(), "no model has been parsed");
  ASSERT_EQ(parse(dynamicModel), 0) << error();
  EXPECT_NE(api->select(session, sizes, 2), 0);
  EXPECT_EQ(error(), "'main' has 1 dynamic size but 2 are given; give one of "
                     "each: n from 1 to 8");
  const int64_t large = 9;
  EXPECT_NE(api->select(session, &large, 1), 0);
  EXPECT_EQ(error(), "cannot bring 'main' with n=9 to the device: 1 error");
  create(nullptr);
  ASSERT_EQ(parse(model), 0) << error();
  EXPECT_EQ(api->numSymbols(session), 0u);
  EXPECT_NE(api->select(session, sizes, 1), 0);
  EXPECT_EQ(error(), "'main' has no dynamic dimension; choose no sizes");
}

struct Heard {
  std::vector<std::string> remarks;
  std::string diagnostics;
};

TEST(SessionRemarks, ReachTheCallbackWithoutBeingPrinted) {
  const GaudiCompilerApi *api = gaudiCompilerApi(GAUDI_COMPILER_API_VERSION);
  Heard heard;
  GaudiSessionOptions options = {};
  options.device = "gaudi2";
  options.context = &heard;
  options.remark = [](void *context, const GaudiRemark *remark) {
    static_cast<Heard *>(context)->remarks.push_back(
        std::string(remark->pass) + "|" + remark->kind + "|" +
        remark->location + "|" + remark->text);
  };
  options.diagnostic = [](void *context, const char *text, size_t length) {
    static_cast<Heard *>(context)->diagnostics.append(text, length);
  };
  GaudiSession *session = api->create(&options);
  ASSERT_NE(session, nullptr);
  const GaudiBytes bytes = {reinterpret_cast<const uint8_t *>(model.data()),
                            model.size()};
  GaudiBytes recipe = {};
  EXPECT_EQ(api->parse(session, "folder/model.mlir", bytes), 0);
  EXPECT_EQ(api->compile(session, &recipe), 0);
  api->destroy(session);
  EXPECT_EQ(heard.diagnostics, "");
  bool expanded = false;
  for (const std::string &remark : heard.remarks)
    expanded |=
        remark.rfind("gaudi-expand-kernels|passed|model.mlir:3:8|", 0) == 0;
  EXPECT_TRUE(expanded) << testing::PrintToString(heard.remarks);
}

/// Names of ops, their operands, and the constants of a model.
std::string description(const GaudiCompilerApi *api, GaudiSession *session) {
  GaudiSourceSummary summary = {};
  EXPECT_EQ(api->describe(session, &summary), 0) << api->error(session);
  std::string text;
  for (uint32_t i = 0; i < summary.numOps; ++i) {
    const GaudiSourceOp op = api->sourceOp(session, i);
    text += std::string(op.name) + ":";
    for (uint32_t f = 0; f < op.numFields; ++f)
      if (const GaudiSourceField field = api->sourceField(session, i, f);
          std::string(field.label) == "operands")
        text += field.text;
    text += ";";
  }
  for (uint32_t i = 0; i < summary.numConstants; ++i) {
    const GaudiSourceConstant constant = api->sourceConstant(session, i);
    text += std::string(" ") + constant.name + "=" +
            std::to_string(constant.numValues ? constant.values[0] : -1) +
            " of " + std::to_string(constant.numValues);
  }
  return text;
}

TEST_F(Session, RefusesABatchThatIsNoMultiple) {
  ASSERT_EQ(parse(R"(
func.func @main(%x: tensor<4x8xf32>) -> tensor<2x2x8xf32> {
  %0 = gaudi.reshape %x : tensor<4x8xf32> -> tensor<2x2x8xf32>
  return %0 : tensor<2x2x8xf32>
}
)"),
            0)
      << error();
  GaudiBatch batch = {};
  ASSERT_EQ(api->findBatch(session, nullptr, &batch), 0) << error();
  EXPECT_EQ(batch.size, 4);
  EXPECT_EQ(batch.step, 2);
  GaudiBytes recipe = {};
  EXPECT_NE(api->compileBatch(session, 3, &recipe), 0);
  EXPECT_EQ(error(), "a batch of 3 is no multiple of 2; choose a multiple");
  EXPECT_EQ(api->compileBatch(session, 6, &recipe), 0) << error();
}

TEST_F(Session, DescribesWhatCompilationDependsOn) {
  GaudiSourceSummary summary = {};
  EXPECT_NE(api->describe(session, &summary), 0);
  EXPECT_EQ(error(), "no model has been parsed");
  // The unused op is gone, the order of the independent ones is that of use.
  const std::string text = R"(
func.func @main(%x: tensor<4xf32> {gaudi.name = "x"}) -> tensor<4xf32> {
  %two = "stablehlo.constant"() <{value = dense<2.0> : tensor<4xf32>}> : () -> tensor<4xf32>
  %1 = "stablehlo.exponential"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %unused = "stablehlo.tanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.add"(%1, %two) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
)";
  ASSERT_EQ(parse(text), 0) << error();
  EXPECT_EQ(description(api, session),
            "stablehlo.exponential:%0 ;stablehlo.constant:;"
            "stablehlo.add:%1 %2 ;func.return:%3 ; two=2.000000 of 1");
  ASSERT_EQ(api->describe(session, &summary), 0);
  EXPECT_EQ(summary.numInputs, 1u);
  EXPECT_EQ(summary.numOutputs, 1u);
  const GaudiSourceInput input = api->sourceInput(session, 0);
  EXPECT_STREQ(input.name, "x");
  EXPECT_STREQ(input.elementType, "f32");
  ASSERT_EQ(input.rank, 1u);
  EXPECT_EQ(input.shape[0], 4);
  // It needs no import, and changes nothing for one.
  EXPECT_EQ(api->import(session), 0) << error();
  EXPECT_FALSE(compile().empty()) << error();
}

} // namespace
