// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts of candidates for fusions, and the options that name kinds.
#include "Gaudi/Support/Fusions.h"

#include <gtest/gtest.h>
#include <limits>

using namespace gaudi;

namespace {

std::vector<std::string> linesOf(const std::vector<FusionOutcome> &outcomes) {
  std::vector<std::string> lines;
  for (const FusionCount &count : countFusions(outcomes))
    lines.push_back(count.line);
  return lines;
}

FusionOutcome fused(std::string_view kind, uint64_t members = 0) {
  return {kind, true, members, 8, 100, "m.mlir:1:1", "fused it"};
}

FusionOutcome missed(std::string_view kind, std::string_view location,
                     std::string_view text) {
  return {kind, false, 3, 0, 0, location, text};
}

TEST(Fusions, KindsHaveNamesOfTheirOwn) {
  for (const FusionKind &kind : fusionKinds()) {
    EXPECT_EQ(findFusionKind(kind.name), &kind);
    EXPECT_FALSE(kind.title.empty());
  }
  EXPECT_EQ(findFusionKind("origami"), nullptr);
}

TEST(Fusions, LinesCountEachKind) {
  EXPECT_EQ(linesOf({}), std::vector<std::string>());
  EXPECT_EQ(
      linesOf({fused("layer_norm"), fused("adamw", 148), fused("sdpa"),
               fused("sdpa"),
               missed("layer_norm", "a.mlir:2:3",
                      "not fused layer norm: no mean")}),
      (std::vector<std::string>{"attention 2/2", "adamw 1/1 (148 parameters)",
                                "layer norm 1/2: one at a.mlir:2:3: no mean"}));
}

TEST(Fusions, SavingsAreOfTheFusedOnes) {
  const auto counts =
      countFusions({fused("sgd", 2), fused("sgd", 3), missed("sgd", "", "")});
  ASSERT_EQ(counts.size(), 1u);
  EXPECT_EQ(counts[0].candidates, 3u);
  EXPECT_EQ(counts[0].fused, 2u);
  EXPECT_EQ(counts[0].members, 5u);
  EXPECT_EQ(counts[0].bytesSaved, 16);
  EXPECT_EQ(counts[0].picosecondsSaved, 200);
  EXPECT_EQ(counts[0].line, "sgd 2/3 (5 parameters): one");
}

TEST(Fusions, SavingsBeyond64BitsAreTheNearestNumber) {
  FusionOutcome outcome = fused("sgd");
  outcome.bytesSaved = std::numeric_limits<int64_t>::min();
  outcome.picosecondsSaved = std::numeric_limits<int64_t>::max();
  const auto counts = countFusions({outcome, outcome});
  ASSERT_EQ(counts.size(), 1u);
  EXPECT_EQ(counts[0].bytesSaved, std::numeric_limits<int64_t>::min());
  EXPECT_EQ(counts[0].picosecondsSaved, std::numeric_limits<int64_t>::max());
}

TEST(Fusions, MissesAreToldByReason) {
  EXPECT_EQ(
      linesOf({missed("sdpa", "a:1:1", "x: A"), missed("sdpa", "a:2:1", "y: B"),
               missed("sdpa", "a:3:1", "z: B"), missed("sdpa", "a:4:1", "x: C"),
               missed("sdpa", "a:5:1", "x: D"),
               missed("sdpa", "a:6:1", "x: E")}),
      (std::vector<std::string>{
          "attention 0/6: 2, the first at a:2:1: B; one at a:1:1: A; one at "
          "a:4:1: C; 2 for other reasons"}));
}

TEST(Fusions, UnknownKindsComeLastAndStayOneLine) {
  EXPECT_EQ(
      linesOf({missed("origami", "a\n:1", "no: paper\x1b"), fused("silu")}),
      (std::vector<std::string>{"silu 1/1",
                                "origami 0/1: one at a\\x0a:1: paper\\x1b"}));
}

TEST(Fusions, NamesAreReadFromLists) {
  const std::vector<std::string_view> known = {"sdpa", "tpc"};
  EXPECT_EQ(*parseFusionNames("", known), std::vector<std::string>());
  EXPECT_EQ(*parseFusionNames("tpc,sdpa", known),
            (std::vector<std::string>{"tpc", "sdpa"}));
  EXPECT_EQ(parseFusionNames("tpc,", known).error().message,
            "unknown fusion ''; expected some of sdpa, tpc");
  EXPECT_EQ(parseFusionNames("flash", known).error().message,
            "unknown fusion 'flash'; expected some of sdpa, tpc");
  EXPECT_EQ(parseFusionNames("spda", known).error().message,
            "unknown fusion 'spda'; did you mean 'sdpa'? expected some of "
            "sdpa, tpc");
  EXPECT_EQ(parseFusionNames("tpc,tpc", known).error().message,
            "'tpc' is given twice; give it once");
}

TEST(Fusions, RequirementsAreKindsWithNumbers) {
  EXPECT_EQ(*parseRequiredFusions("sdpa:12,adamw:1"),
            (std::vector<std::pair<std::string, uint64_t>>{{"sdpa", 12},
                                                           {"adamw", 1}}));
  EXPECT_EQ(parseRequiredFusions("sdpa").error().message,
            "expected KIND:NUMBER, such as sdpa:12, but got 'sdpa'");
  EXPECT_EQ(parseRequiredFusions("sdpa=12").error().message,
            "expected KIND:NUMBER, such as sdpa:12, but got 'sdpa=12'");
  for (const char *bad : {"sdpa:", "sdpa:x", "sdpa:1x", "sdpa:-1", "sdpa:1:2",
                          "sdpa:99999999999999999999"})
    EXPECT_FALSE(parseRequiredFusions(bad)) << bad;
  EXPECT_EQ(parseRequiredFusions("sdpa:1,sdpa:2").error().message,
            "'sdpa' is given twice; give it once");
  const std::string unknown = parseRequiredFusions("tpc:1").error().message;
  EXPECT_EQ(unknown.rfind("unknown kind of fusion 'tpc'; expected one of "
                          "sdpa, sdpa_grad, clip_norm, adamw, sgd, ",
                          0),
            0u)
      << unknown;
}

} // namespace
