// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines and fields of CSV files.
#include "Gaudi/Support/Csv.h"

#include <gtest/gtest.h>

using namespace gaudi;

namespace {

using Fields = std::vector<std::string_view>;

TEST(Csv, SkipsWhatIsNoField) {
  CsvReader reader("\xef\xbb\xbf a , b,\r\n\n \t\n1,,2");
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.line(), 1u);
  EXPECT_EQ(reader.fields(), (Fields{"a", "b", ""}));
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.line(), 4u);
  EXPECT_EQ(reader.fields(), (Fields{"1", "", "2"}));
  EXPECT_TRUE(reader.expectFields(3));
  EXPECT_EQ(reader.expectFields(2).error().message,
            "line 4: 3 fields where the first line has 2 columns; give each "
            "line one field per column");
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(reader.line(), 4u);
}

TEST(Csv, NamesOtherSeparators) {
  const auto problem = [](std::string_view text, size_t columns) {
    CsvReader reader(text);
    reader.next();
    const Status status =
        columns ? reader.expectFields(columns) : reader.expectCommas();
    return status ? "" : status.error().message;
  };
  EXPECT_EQ(problem("batch;count", 0),
            "line 1: its fields are separated by semicolons; separate them by "
            "commas, in all lines");
  EXPECT_EQ(problem("\n1\t2", 2),
            "line 2: its fields are separated by tabs; separate them by "
            "commas, in all lines");
  EXPECT_EQ(problem("a|b", 0),
            "line 1: its fields are separated by bars; separate them by "
            "commas, in all lines");
  EXPECT_EQ(problem("a;b,c", 0), "");
  EXPECT_EQ(problem("batch", 0), "");
  EXPECT_EQ(problem("a;b", 1), "");
}

TEST(Csv, TextsWithoutLinesHaveNone) {
  EXPECT_FALSE(CsvReader("").next());
  EXPECT_FALSE(CsvReader("\n \r\n").next());
}

} // namespace
