// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tolerance table, its page, and comparisons.
#include "ReferenceTest.h"
#include <fstream>

using namespace mlir;
using namespace gaudi;

namespace {
using NumericsTest = ReferenceTest;

TEST_F(NumericsTest, ThePageShowsTheTable) {
  std::ifstream page(GAUDI_NUMERICS_PAGE);
  ASSERT_TRUE(page) << GAUDI_NUMERICS_PAGE;
  std::vector<std::string> shown;
  for (std::string line; std::getline(page, line);)
    for (StringRef scope : {"| op |", "| model |"})
      if (StringRef(line).contains(scope))
        shown.push_back(line);
  std::vector<std::string> expected;
  for (const NumericsRow &row : numericsTable())
    for (bool isOp : {true, false}) {
      const Tolerance &t = isOp ? row.op : row.model;
      char line[160];
      std::snprintf(line, sizeof(line), "| %s | %s | %.9g | %.9g | %.9g |",
                    row.type.data(), isOp ? "op" : "model", t.ofLargest,
                    t.ofElement, t.absolute);
      expected.push_back(line);
    }
  EXPECT_EQ(shown, expected);
}

TEST_F(NumericsTest, EveryElementTypeHasItsRow) {
  EXPECT_EQ(
      toleranceOf(parseType("f8E4M3FN", &context), NumericsScope::Op).ofElement,
      0x1p-3);
  EXPECT_EQ(
      toleranceOf(parseType("bf16", &context), NumericsScope::Model).ofLargest,
      0x1p-6);
  for (StringRef name : {"i1", "i8", "ui32", "i64"})
    EXPECT_EQ(
        toleranceOf(parseType(name, &context), NumericsScope::Model).ofLargest,
        0);
  for (StringRef name : {"f32", "bf16", "f16", "f8E4M3FN", "f8E5M2"})
    EXPECT_GT(
        toleranceOf(parseType(name, &context), NumericsScope::Op).ofLargest, 0);
}

TEST_F(NumericsTest, NeighboursPassAtOpScope) {
  // One ulp apart, anywhere, in every narrow format.
  for (StringRef name : {"bf16", "f16", "f8E4M3FN", "f8E5M2"}) {
    const Type element = parseType(name, &context);
    const RankedTensorType one = RankedTensorType::get({1}, element);
    const int64_t bytes = deviceElementBytes(element);
    for (int64_t bits = 1; bits + 1 < int64_t(1) << (8 * bytes - 1); ++bits) {
      std::vector<char> low, high;
      for (int64_t b = 0; b < bytes; ++b) {
        low.push_back(static_cast<char>(bits >> (8 * b)));
        high.push_back(static_cast<char>((bits + 1) >> (8 * b)));
      }
      auto a = ReferenceTensor::fromBytes(one, low),
           b = ReferenceTensor::fromBytes(one, high);
      if (!std::isfinite(a->floats()[0]) || !std::isfinite(b->floats()[0]))
        continue;
      ASSERT_TRUE(compareTensors(*a, *b, NumericsScope::Op).passed)
          << name.str() << " " << bits;
      ASSERT_TRUE(compareTensors(*b, *a, NumericsScope::Op).passed)
          << name.str() << " " << bits;
    }
  }
}

TEST_F(NumericsTest, ReportsTheWorstElement) {
  const ReferenceTensor reference =
      tensor("tensor<2x3xf32>", {1, 2, 3, 4, 5, 100});
  const ReferenceTensor actual =
      tensor("tensor<2x3xf32>", {1, 2.5, 3, 4.25, 5, 100});
  const ComparisonReport report =
      compareTensors(actual, reference, NumericsScope::Op);
  EXPECT_FALSE(report.passed);
  EXPECT_EQ(report.failures, 2);
  EXPECT_EQ(report.worst, 1);
  EXPECT_EQ(report.largest, 100);
  EXPECT_EQ(report.describe(), "worst element [0, 1]: expected 2 but got 2.5 "
                               "(error 0.5, allowed 0.00102); "
                               "2 elements out of tolerance");
  EXPECT_TRUE(compareTensors(reference, reference, NumericsScope::Op).passed);
}

TEST_F(NumericsTest, SpecialValuesMustMeetThemselves) {
  const ReferenceTensor x =
      tensor("tensor<4xf32>", {NaN, infinity, -infinity, 1});
  EXPECT_TRUE(compareTensors(x, x, NumericsScope::Op).passed);
  EXPECT_EQ(compareTensors(x, x, NumericsScope::Op).largest, 1);
  EXPECT_EQ(
      compareTensors(tensor("tensor<4xf32>", {0, infinity, infinity, NaN}), x,
                     NumericsScope::Model)
          .failures,
      3);
}

TEST_F(NumericsTest, IntegersAreExact) {
  ReferenceTensor a(type("tensor<1xi64>")), b(type("tensor<1xi64>"));
  a.mutableInts()[0] = INT64_MAX;
  b.mutableInts()[0] = INT64_MAX - 1; // the same double
  const ComparisonReport report = compareTensors(a, b, NumericsScope::Model);
  EXPECT_FALSE(report.passed);
  EXPECT_EQ(report.error, 1);
}

TEST_F(NumericsTest, ShapesAndTypesMustAgree) {
  const ComparisonReport report =
      compareTensors(tensor("tensor<2xf32>", {1, 2}),
                     tensor("tensor<2xbf16>", {1, 2}), NumericsScope::Op);
  EXPECT_FALSE(report.passed);
  EXPECT_EQ(report.describe(),
            "expected a result of type tensor<2xbf16> but got tensor<2xf32>");
}

TEST_F(NumericsTest, EmptyTensorsAgree) {
  const ReferenceTensor empty = tensor("tensor<0x3xf32>", {});
  EXPECT_TRUE(compareTensors(empty, empty, NumericsScope::Op).passed);
  EXPECT_EQ(compareTensors(empty, empty, NumericsScope::Op).describe(),
            "no elements");
}
} // namespace
