// The tolerance table: rows found by name, sane order of the numbers.
#include "Gaudi/Support/Tolerance.h"

#include <gtest/gtest.h>

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
