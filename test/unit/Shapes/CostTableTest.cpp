// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Gaudi/Shapes/CostTable.h"

#include <gtest/gtest.h>
#include <limits>

using namespace gaudi;
using namespace gaudi::shapes;

namespace {
std::string errorOf(const Result<CostTable> &table) {
  return table ? "no error" : table.error().message;
}

TEST(CostTable, InterpolatesAlongEachAxis) {
  const Result<CostTable> table =
      CostTable::parse("b,cost,a\n10,30,2\n0,10,2\n0,0,1\n10,20,1\n20,70,1\n"
                       "20,80,2\n",
                       {"a", "b"});
  ASSERT_TRUE(table) << table.error().message;
  EXPECT_EQ((*table)({1, 0}), 0);
  EXPECT_EQ((*table)({2, 20}), 80);
  EXPECT_EQ((*table)({1, 5}), 10);
  EXPECT_EQ((*table)({1, 12}), 30);
  // Beyond the grid: one more unit of each axis, and not below zero.
  EXPECT_EQ((*table)({3, 20}), 90);
  EXPECT_EQ((*table)({2, 22}), 90);
  EXPECT_EQ((*table)({0, 0}), 0);
}

TEST(CostTable, PrintsWhatItReads) {
  const std::string text = "a,b,cost\n1,4,10\n1,8,20\n3,4,30\n3,8,41\n";
  const Result<CostTable> table = CostTable::parse(text, {"a", "b"});
  ASSERT_TRUE(table);
  EXPECT_EQ(table->print({"a", "b"}), text);
}

TEST(CostTable, OneSizeIsConstant) {
  const Result<CostTable> table = CostTable::create({{4}}, {7});
  ASSERT_TRUE(table);
  EXPECT_EQ((*table)({100}), 7);
}

TEST(CostTable, RefusesWhatIsNoGrid) {
  EXPECT_EQ(errorOf(CostTable::create({{4, 4}}, {1, 2})),
            "the sizes of a table of costs must ascend");
  EXPECT_EQ(errorOf(CostTable::create({{4, 5}}, {1})),
            "there are 1 costs for 2 combinations of sizes; give each one "
            "once");
  EXPECT_EQ(errorOf(CostTable::create(
                {{4}}, {std::numeric_limits<double>::infinity()})),
            "a cost is inf; costs must be finite and not negative");
  EXPECT_EQ(errorOf(CostTable::parse("a,cost\n1,2\n", {"n"})),
            "column 'n' is missing; the columns are the symbols and cost");
  EXPECT_EQ(errorOf(CostTable::parse("a,b,cost\n1,1,2\n1,1,3\n2,2,4\n2,1,4\n",
                                     {"a", "b"})),
            "line 3: these sizes are there twice");
}
} // namespace
