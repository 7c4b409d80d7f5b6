// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traces of launches of a model whose sizes are static.
#include "Gaudi/Analysis/SignatureReplay.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace gaudi::analysis {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

shapes::Signature tokens() {
  shapes::Signature signature;
  signature.device = "gaudi2";
  signature.inputs.push_back({"tokens", "i32", {1, 128}, ""});
  return signature;
}

SignatureReport replayOf(const char *text) {
  const auto trace = shapes::parseTrace(text);
  EXPECT_TRUE(trace);
  auto report = replaySignatures(tokens(), *trace, "t.csv");
  EXPECT_TRUE(report) << report.error().message;
  return report ? std::move(*report) : SignatureReport();
}

TEST(SignatureReplay, CountsEachSignatureOnce) {
  const SignatureReport report =
      replayOf("tokens,count\n1x128xi32,2\n1x200xi32,3\n"
               "tensor<1x200xi32>,1\n1x300xi32,1\n");
  EXPECT_EQ(report.launches, 7u);
  ASSERT_EQ(report.compilations.size(), 2u);
  EXPECT_EQ(report.compilations[0].line, 3u);
  EXPECT_EQ(report.compilations[0].launches, 4u);
  EXPECT_THAT(report.compilations[0].reason.text(),
              HasSubstr("dimension 1 of input 'tokens' is 200, was 128"));
  ASSERT_EQ(report.causes.size(), 1u);
  EXPECT_EQ(report.causes[0].compilations, 2u);
  EXPECT_THAT(report.causes[0].sizes, ElementsAre(128, 200, 300));
  EXPECT_THAT(report.causes[0].avoidedBy, HasSubstr("--shape=tokens:"));
  EXPECT_EQ(toJson(report)["compiles"].size(), 2u);
}

TEST(SignatureReplay, OrdersCausesByCompilations) {
  const SignatureReport report =
      replayOf("mode,tokens\na,1x128xi32\nb,1x128xi32\na,1x64xi32\n"
               "a,1x32xi32\n");
  EXPECT_THAT(report.unknown, ElementsAre("mode"));
  ASSERT_EQ(report.causes.size(), 2u);
  EXPECT_EQ(report.causes[0].compilations, 2u);
  EXPECT_EQ(report.causes[1].compilations, 1u);
}

TEST(SignatureReplay, NamesTheLineOfAFieldThatIsNoType) {
  const auto trace = shapes::parseTrace("tokens\n1x128xi32\n1x\n");
  ASSERT_TRUE(trace);
  const auto report = replaySignatures(tokens(), *trace, "t.csv");
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message, "t.csv: line 3: tokens must be a type, "
                                    "such as 1x128xi32, but is '1x'");
}

} // namespace
} // namespace gaudi::analysis
