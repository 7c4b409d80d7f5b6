// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two forms of a function, op by op.
#include "Gaudi/Reference/Bisect.h"
#include "ReferenceTest.h"

using namespace mlir;
using namespace gaudi;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {
constexpr StringLiteral model = R"(
  func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %c = gaudi.constant dense<2.0> : tensor<1x1xf32>
    %0 = gaudi.tpc.mul %x, %c : tensor<2x3xf32>, tensor<1x1xf32> -> tensor<2x3xf32>
    %1 = gaudi.tpc.exp %0 : tensor<2x3xf32>
    %2 = gaudi.tpc.add %1, %x : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  })";

class BisectTest : public ReferenceTest {
protected:
  /// Compares a form with the model on inputs that differ.
  void compare(StringRef text) {
    compare(model, text,
            tensor("tensor<2x3xf32>", {0.1, 0.2, 0.3, -0.4, 0.5, 1.6}));
  }
  void compare(StringRef right, StringRef text, const ReferenceTensor &x) {
    trusted = parse(right);
    suspect = parse(text);
    ASSERT_TRUE(trusted && suspect);
    function = *trusted->getOps<func::FuncOp>().begin();
    SmallVector<ReferenceTensor> results;
    auto made =
        traceFunction(*suspect->getOps<func::FuncOp>().begin(), x, results);
    ASSERT_TRUE(succeeded(made));
    trace = std::move(*made);
    ops = opsOf(function);
    auto compared =
        compareTrace(trace, function, x, {Noise(1, false), Noise(1, true)},
                     false, align(trace.ops, ops, false));
    ASSERT_TRUE(succeeded(compared));
    found = std::move(*compared);
  }
  std::string firstName() const {
    return found.first.empty()
               ? "none"
               : trace.ops[found.differences[found.first[0].first].op].name;
  }
  std::string how(size_t op) const {
    return howTheyDiffer(trace.ops[op].op, ops[found.alignment.partners[op]].op,
                         [](unsigned) { return true; });
  }

  OwningOpRef<ModuleOp> trusted, suspect;
  func::FuncOp function;
  Trace trace;
  std::vector<TracedOp> ops;
  TraceComparison found;
};

TEST_F(BisectTest, EqualFormsHaveNoDifference) {
  compare(model);
  EXPECT_THAT(found.alignment.partners, ElementsAre(0, 1, 2, 3));
  EXPECT_TRUE(found.differences.empty());
  EXPECT_THAT(found.states, ::testing::Each(TraceState::Within));
}

TEST_F(BisectTest, AnotherFunctionIsFirst) {
  compare(R"(
  func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %c = gaudi.constant dense<2.0> : tensor<1x1xf32>
    %0 = gaudi.tpc.mul %x, %c : tensor<2x3xf32>, tensor<1x1xf32> -> tensor<2x3xf32>
    %1 = gaudi.tpc.exp2 %0 : tensor<2x3xf32>
    %2 = gaudi.tpc.add %1, %x : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  })");
  EXPECT_EQ(firstName(), "tpc.exp2");
  ASSERT_EQ(found.differences.size(), 2u);
  EXPECT_EQ(how(2), "'gaudi.tpc.exp2' where the model has 'gaudi.tpc.exp'");
  EXPECT_EQ(how(3), "");
}

TEST_F(BisectTest, AConstantIsFirst) {
  compare(R"(
  func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %c = gaudi.constant dense<2.5> : tensor<1x1xf32>
    %0 = gaudi.tpc.mul %x, %c : tensor<2x3xf32>, tensor<1x1xf32> -> tensor<2x3xf32>
    %1 = gaudi.tpc.exp %0 : tensor<2x3xf32>
    %2 = gaudi.tpc.add %1, %x : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  })");
  EXPECT_EQ(firstName(), "constant");
  EXPECT_THAT(how(0), HasSubstr("with value = dense<2.500000e+00>"));
}

TEST_F(BisectTest, OpsWithoutACounterpartMayGiveTheSameValues) {
  // The product is transposed and back: one value of another shape, one equal.
  compare(R"(
  func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %c = gaudi.constant dense<2.0> : tensor<1x1xf32>
    %t = gaudi.transpose %x permutation [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
    %m = gaudi.tpc.mul %t, %c : tensor<3x2xf32>, tensor<1x1xf32> -> tensor<3x2xf32>
    %0 = gaudi.transpose %m permutation [1, 0] : tensor<3x2xf32> -> tensor<2x3xf32>
    %1 = gaudi.tpc.exp %0 : tensor<2x3xf32>
    %2 = gaudi.tpc.add %1, %x : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  })");
  EXPECT_TRUE(found.differences.empty());
  EXPECT_EQ(found.states[2], TraceState::Within) << "transposed";
  EXPECT_EQ(found.states[3], TraceState::Within);
}

TEST_F(BisectTest, BlamesWhatHasNoCounterpart) {
  // A rounding that the model has not: what reads it is as in the model.
  compare(R"(
  func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %c = gaudi.constant dense<2.0> : tensor<1x1xf32>
    %0 = gaudi.tpc.mul %x, %c : tensor<2x3xf32>, tensor<1x1xf32> -> tensor<2x3xf32>
    %n = gaudi.tpc.cast %0 : tensor<2x3xf32> -> tensor<2x3xbf16>
    %w = gaudi.tpc.cast %n : tensor<2x3xbf16> -> tensor<2x3xf32>
    %1 = gaudi.tpc.exp %w : tensor<2x3xf32>
    %2 = gaudi.tpc.add %1, %x : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  })");
  EXPECT_EQ(firstName(), "tpc.exp");
  ASSERT_FALSE(found.first.empty());
  EXPECT_EQ(trace.ops[found.first[0].second].name, "tpc.cast");
}

TEST_F(BisectTest, LargeResultsBehindTheFirstAreNotCompared) {
  const auto chain = [](StringRef first) {
    return (R"(
  func.func @main(%x: tensor<128x128xf32>) -> (tensor<128x128xf32>, tensor<128x128xf32>) {
    %0 = gaudi.tpc.)" +
            first + R"( %x : tensor<128x128xf32>
    %1 = gaudi.tpc.neg %0 : tensor<128x128xf32>
    %2 = gaudi.tpc.abs %1 : tensor<128x128xf32>
    %3 = gaudi.tpc.sqrt %x : tensor<128x128xf32>
    return %2, %3 : tensor<128x128xf32>, tensor<128x128xf32>
  })")
        .str();
  };
  compare(chain("exp"), chain("exp2"),
          tensor("tensor<128x128xf32>", std::vector<double>(128 * 128, 0.7)));
  EXPECT_THAT(found.states,
              ElementsAre(TraceState::Beyond, TraceState::Skipped,
                          TraceState::Skipped, TraceState::Within));
  EXPECT_EQ(found.differences.size(), 1u);
  ASSERT_EQ(found.first.size(), 1u);
}

TEST_F(BisectTest, ReportsWhatCannotBeRead) {
  compare(model);
  trace.value = [](size_t, size_t) { return failure(); };
  auto compared = compareTrace(trace, function,
                               tensor("tensor<2x3xf32>", {1, 2, 3, 4, 5, 6}),
                               {}, false, found.alignment);
  ASSERT_TRUE(succeeded(compared));
  EXPECT_EQ(compared->states[1], TraceState::Unknown);
}
} // namespace
