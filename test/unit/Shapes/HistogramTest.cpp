// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Gaudi/Shapes/Histogram.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gaudi;
using namespace gaudi::shapes;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
Histogram mustParse(std::string_view text) {
  Result<Histogram> histogram = parseHistogram(text);
  if (!histogram)
    ADD_FAILURE() << histogram.error().message;
  return *histogram;
}

std::string errorOf(std::string_view text) {
  Result<Histogram> histogram = parseHistogram(text);
  return histogram ? "no error" : histogram.error().message;
}

TEST(Histogram, ReadsColumnsInAnyOrder) {
  const Histogram histogram =
      mustParse("\xef\xbb\xbf sequence,count , batch\r\n\r\n128, 3,1\r\n"
                "16,0,2\n128,4,1");
  EXPECT_THAT(histogram.names, ElementsAre("sequence", "batch"));
  ASSERT_EQ(histogram.observations.size(), 3u);
  EXPECT_THAT(histogram.observations[0].sizes, ElementsAre(128, 1));
  EXPECT_EQ(histogram.observations[0].count, 3u);
  EXPECT_EQ(histogram.observations[2].line, 5u);
  EXPECT_EQ(histogram.launches(), 7u);
  const Histogram merged = histogram.merged();
  ASSERT_EQ(merged.observations.size(), 1u);
  EXPECT_EQ(merged.observations[0].count, 7u);
}

TEST(Histogram, LinesOfATraceAreLaunches) {
  const Histogram histogram = mustParse("n\n5\n3\n5\n").merged();
  ASSERT_EQ(histogram.observations.size(), 2u);
  EXPECT_THAT(histogram.observations[0].sizes, ElementsAre(3));
  EXPECT_EQ(histogram.observations[1].count, 2u);
}

TEST(Histogram, ColumnsFollowTheSymbols) {
  const Histogram histogram = mustParse("user,seq,batch\n9,64,2\n");
  const Result<Histogram> chosen = histogram.columnsOf({"batch", "seq"});
  ASSERT_TRUE(chosen);
  EXPECT_THAT(chosen->observations[0].sizes, ElementsAre(2, 64));
  const Result<Histogram> missing = histogram.columnsOf({"heads"});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message,
            "the histogram has no column 'heads'; its "
            "columns are user,seq,batch; name a column of the first line so");
}

TEST(Histogram, CountsSaturate) {
  const std::string most = "9223372036854775807";
  EXPECT_EQ(mustParse("n,count\n1," + most + "\n1," + most + "\n1," + most)
                .merged()
                .launches(),
            UINT64_MAX);
}

TEST(Histogram, ErrorsNameTheLine) {
  EXPECT_EQ(errorOf(""), "the file is empty; expected a first line with the "
                         "columns, such as length,count");
  EXPECT_EQ(errorOf("\nlength,count\n"),
            "line 2: nothing follows the names of the columns; expected a line "
            "per row");
  EXPECT_EQ(errorOf("length,count,\n"),
            "line 1: column 3 has no name; the first line names the columns, "
            "such as length,count");
  EXPECT_EQ(errorOf("17,3\n"),
            "line 1: the first line must name the columns, such as "
            "length,count, but has the number '17'");
  EXPECT_EQ(errorOf("n,n\n"), "line 1: column 'n' is there twice");
  EXPECT_EQ(errorOf("count\n1\n"),
            "only the column 'count' is there; add a column with sizes, as in "
            "length,count");
  EXPECT_EQ(errorOf("n,count\n1,2\n3\n"),
            "line 3: 1 fields where the first line has 2 columns; give each "
            "line one field per column");
  EXPECT_EQ(errorOf("n,count\n1,2\n3,x\n"),
            "line 3: count must be a whole number that is not negative but is "
            "'x'");
  EXPECT_EQ(errorOf("n,count\n-1,2\n"),
            "line 2: n must be a whole number that is not negative but is "
            "'-1'");
  EXPECT_EQ(errorOf("n\n9223372036854775808\n"),
            "line 2: n '9223372036854775808' does not fit 64 bits");
  const Result<Histogram> file = readHistogram("/does/not/exist.csv");
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error().message,
              HasSubstr("cannot read '/does/not/exist.csv'"));
}
} // namespace
