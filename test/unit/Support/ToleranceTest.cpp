// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tolerance table, and the comparison under it.
#include "Gaudi/Support/Tolerance.h"

#include <gtest/gtest.h>
#include <vector>

using namespace gaudi;

TEST(Tolerance, FindsRowsByElementType) {
  for (const char *type : {"f32", "bf16", "f16", "f8E4M3FN", "f8E5M2"})
    EXPECT_EQ(toleranceRow(type).type, type);
  for (const char *type : {"i1", "i8", "u8", "i64"})
    EXPECT_EQ(toleranceRow(type).type, "integer");
}

TEST(Tolerance, IntegersMustBeEqual) {
  const Tolerance tolerance = toleranceRow("i32").model;
  EXPECT_EQ(tolerance.ofLargest, 0);
  EXPECT_EQ(tolerance.ofElement, 0);
  EXPECT_EQ(tolerance.absolute, 0);
}

TEST(Tolerance, ModelsMayBeFurtherOffThanOps) {
  for (const ToleranceRow &row : toleranceTable) {
    EXPECT_GE(row.model.ofLargest, row.op.ofLargest) << row.type;
    EXPECT_GE(row.model.ofElement, row.op.ofElement) << row.type;
  }
}

template <typename T>
static Deviation compareVectors(const std::vector<T> &actual,
                                const std::vector<T> &reference,
                                Tolerance tolerance) {
  return compareElements(
      reference.size(), [&](uint64_t i) { return actual[i]; },
      [&](uint64_t i) { return reference[i]; }, tolerance);
}

TEST(Tolerance, NamesTheElementWorstAgainstWhatIsAllowed) {
  // Allowed is 0.1 * |reference| + 0.5: an error of 3 at 100, not of 2 at 10.
  const Deviation found =
      compareVectors<double>({103, 12, 5}, {100, 10, 5}, {0, 0.1, 0.5});
  EXPECT_EQ(found.failures, 1u);
  EXPECT_FALSE(found.passed());
  EXPECT_EQ(found.worst, 1u);
  EXPECT_EQ(found.actual, 12);
  EXPECT_EQ(found.reference, 10);
  EXPECT_EQ(found.error, 2);
  EXPECT_EQ(found.allowed, 1.5);
  EXPECT_EQ(found.largest, 100);
}

TEST(Tolerance, InfinitiesAndNaNsMeetTheirLike) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::nan("");
  EXPECT_TRUE(
      compareVectors<double>({infinity, nan, 1}, {infinity, nan, 1}, {1, 1, 1})
          .passed());
  EXPECT_EQ(
      compareVectors<double>({-infinity, 1, nan}, {infinity, nan, 1}, {1, 1, 1})
          .failures,
      3u);
}

TEST(Tolerance, SeesIntegersThatAreOneDouble) {
  const int64_t large = int64_t(1) << 60;
  const Deviation found =
      compareVectors<int64_t>({large + 1}, {large}, {0, 0, 0});
  EXPECT_EQ(found.failures, 1u);
  EXPECT_EQ(found.error, 1);
  EXPECT_TRUE(compareVectors<int64_t>({}, {}, {0, 0, 0}).passed());
}
