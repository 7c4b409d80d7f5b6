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
            "line 4: 3 fields where the first line has 2 columns");
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(reader.line(), 4u);
}

TEST(Csv, TextsWithoutLinesHaveNone) {
  EXPECT_FALSE(CsvReader("").next());
  EXPECT_FALSE(CsvReader("\n \r\n").next());
}

} // namespace
