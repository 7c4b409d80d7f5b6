// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What fills the memory at its fullest moment, and what would lower it.
#include "../KernelText.h"
#include "Gaudi/Prediction/Json.h"
#include "RecipeText.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

using namespace gaudi;
using namespace gaudi::prediction;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// `a` lives across the two copies through `big`, which make the peak. `input`
/// is what `a` is made of.
std::string across(const std::string &input, const std::string &more = "") {
  return R"(recipe 1.5 target "gaudi2" producer "tests"
location 1 "m.mlir:3:8"
section @0 persistent 65536 bytes
section @1 workspace 20480 bytes
tensor %0 "x" input @0+0 f32[1024]
tensor %1 "z" input @0+4096 f32[4096]
tensor %2 "y" output @0+20480 f32[1024]
tensor %3 "w" output @0+24576 f32[4096]
tensor %4 "v" output @0+40960 f32[1024]
tensor %5 "s" state @0+45056 f32[1024]
tensor %6 "a" workspace @1+0 f32[1024] loc 1
tensor %7 "big" workspace @1+4096 f32[64,64]
tensor %8 "flat" workspace @1+4096 f32[4096] alias %7
)" + gaudi::reluText(1024) +
         R"(entry "main" (%0, %1, %5) -> (%2, %3, %4, %5) {
  #0 tpc "tpc.relu" launch 0 )" +
         ("(" + input + ")") +
         R"( -> (%6) loc 1
  #1 dma "copy" transfer (%6) -> (%2) after [#0]
  #2 dma "copy" transfer (%1) -> (%8)
  #3 dma "copy" transfer (%8) -> (%3)
  #4 tpc "tpc.relu" launch 0 (%6) -> (%4)
  #5 dma "copy" transfer (%0) -> (%5) after [#4]
}
)" + more;
}

TEST(Blame, NamesWhatIsLiveAtThePeak) {
  const Prediction result = predictionOf(across("%0"));
  ASSERT_TRUE(result.peak.exists);
  EXPECT_EQ(result.peak.command, 2u);
  EXPECT_EQ(result.peak.live, 20480u);
  std::vector<std::string> names;
  for (const LiveBuffer &buffer : result.peak.buffers)
    names.push_back(buffer.name);
  EXPECT_THAT(names, ElementsAre("z", "w", "big", "x", "y", "v", "s", "a"));
  const LiveBuffer &big = result.peak.buffers[2], &a = result.peak.buffers[7];
  EXPECT_EQ(big.kind, "workspace");
  EXPECT_EQ(big.type, "64x64xf32");
  EXPECT_EQ(big.op, "copy");
  EXPECT_EQ(a.op, "tpc.relu");
  EXPECT_EQ(a.location, "m.mlir:3:8");
  EXPECT_EQ(result.peak.buffers[0].op, "");
}

TEST(Blame, KnowsWhatWouldLowerThePeak) {
  const Prediction result = predictionOf(across("%0"));
  ASSERT_EQ(result.remedies.size(), 2u);
  const Remedy &again = result.remedies[0];
  EXPECT_EQ(again.kind, Remedy::Kind::Recompute);
  EXPECT_EQ(again.peak, 16384u);
  EXPECT_EQ(again.saved, 4096u);
  EXPECT_EQ(again.cost, result.timeAlone(0));
  EXPECT_THAT(again.commands, ElementsAre(0u));
  EXPECT_EQ(again.text, "run 1 op again instead of keeping its result across "
                        "the peak: #0 tpc.relu at m.mlir:3:8");
  const Remedy &split = result.remedies[1];
  EXPECT_EQ(split.kind, Remedy::Kind::Split);
  EXPECT_EQ(split.peak, 10240u); // half of both
  EXPECT_THAT(split.commands, ElementsAre(0u, 1u, 2u, 3u, 4u));
  EXPECT_THAT(split.text, HasSubstr("to #4 tpc.relu in two parts"));
}

TEST(Blame, RunsNothingAgainThatReadsWhatIsGone) {
  // `a` is made of a state, which has another value when `a` is used again.
  std::string text = across("%5");
  const size_t from = text.find("  #4 tpc"), to = text.find("}\n", from);
  text.replace(from, to - from,
               "  #4 dma \"copy\" transfer (%0) -> (%5) after [#0]\n"
               "  #5 tpc \"tpc.relu\" launch 0 (%6) -> (%4)\n");
  const Prediction result = predictionOf(text);
  ASSERT_EQ(result.remedies.size(), 1u);
  EXPECT_EQ(result.remedies[0].kind, Remedy::Kind::Split);
}

TEST(Blame, TellsWhatPassesDid) {
  const Prediction result = predictionOf(across("%0", R"(
memory "main" program_order 24576 order 20480 order_bound 20480 planned 20480 planned_bound 20480 {
  sum view count 3 bytes 96 picoseconds 900
  sum copy count 2 bytes 96 picoseconds 2000000
  view "gaudi.reshape" bytes 64 loc 1
  copy "gaudi.copy" bytes 32 picoseconds 500000
  copy "gaudi.concat" bytes 64 picoseconds 1500000 reader "mme.gemm" reader_loc 1 reason "reads rows" remedy "donate 'x'" loc 1
}
)"));
  ASSERT_EQ(result.plans.size(), 1u);
  const MemoryPlan &plan = result.plans[0];
  const auto copies = plan.largest(MemoryKind::Copy, 1);
  ASSERT_EQ(copies.size(), 1u);
  EXPECT_EQ(copies[0]->reader, "mme.gemm");
  const nlohmann::ordered_json json = blameOf(result, 3);
  EXPECT_EQ(json["peak"]["buffers"].size(), 3u);
  EXPECT_EQ(json["peak"]["buffers_in_all"], 8);
  EXPECT_EQ(json["plans"][0]["program_order"], 24576);
  EXPECT_FALSE(json["plans"][0].contains("budget"));
  EXPECT_EQ(json["plans"][0]["sums"][1]["line"],
            "2 copies that remain move 96 B in 2.00 us");
  EXPECT_EQ(json["plans"][0]["entries"][2]["reader_location"], "m.mlir:3:8");
  EXPECT_EQ(json["remedies"][0]["saved"], 4096);
}

} // namespace
