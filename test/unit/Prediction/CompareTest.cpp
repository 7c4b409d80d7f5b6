// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Gaudi/Prediction/Compare.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace gaudi::prediction;

namespace {

using Json = nlohmann::ordered_json;

Json command(const std::string &name, const std::string &operand, double start,
             double end, const std::string &bound = "array",
             double utilization = 0.5) {
  return {{"name", name},      {"operands", {operand}},
          {"start_us", start}, {"end_us", end},
          {"bound", bound},    {"utilization", utilization}};
}

Json prediction(const std::string &device, double time,
                std::vector<Json> commands, double peak = 1e14) {
  const Json engine = {{"busy_us", time / 2}};
  return {{"device", device},
          {"entry", "main"},
          {"time_us", time},
          {"mme_utilization", 0.25},
          {"flops", 1000},
          {"hbm_bytes", 4096},
          {"engines", {{"MME", engine}, {"TPC", engine}, {"DMA", engine}}},
          {"memory", {{"needed", 100}, {"workspace", 10}}},
          {"peaks",
           {{"hbm_bytes_per_second", 1e12},
            {"mme_flops_per_second", {{"bf16", 4 * peak}, {"f32", peak}}},
            {"tpc_flops_per_second", 1e13}}},
          {"commands", commands}};
}

/// The JSON of one prediction.
Json jsonOf(const Json &prediction) {
  Json json = Json::object();
  json["predictions"] = Json::array();
  json["predictions"].push_back(prediction);
  return json;
}

TEST(Compare, TheSentenceNamesWhatChangedMost) {
  const Json before = prediction("gaudi2", 30,
                                 {command("mme.gemm", "in 4x4xf32", 0, 10),
                                  command("mme.gemm", "in 4x4xf32", 10, 20),
                                  command("tpc.add", "in 4x4xf32", 20, 30)});
  const Json after = prediction("gaudi2", 18,
                                {command("mme.gemm", "in 4x4xbf16", 0, 3),
                                 command("mme.gemm", "in 4x4xbf16", 3, 6),
                                 command("tpc.add", "in 4x4xf32", 6, 16),
                                 command("tpc.cast", "in 4x4xf32", 16, 18)});
  const Json comparison = compare(before, after);
  EXPECT_EQ(comparison["line"],
            "a launch takes 18.0 us instead of 30.0 us: 12.0 us less "
            "(-40.0 %); most of it in mme.gemm: 2 instead of 2, 6.00 us "
            "instead of 20.0 us");
  ASSERT_EQ(comparison["commands"].size(), 2u); // tpc.add is as it was
  EXPECT_EQ(comparison["commands"][0]["change_us"], -14.0);
  EXPECT_EQ(comparison["commands"][0]["operands"].size(), 2u);
  EXPECT_EQ(comparison["commands"][1]["name"], "tpc.cast");
  EXPECT_EQ(comparison["commands"][1]["before"]["commands"], 0);
  const std::string text = compareText(comparison);
  EXPECT_NE(text.find("  -14.0 us  mme.gemm: 2 in 20.0 us -> 2 in 6.00 us\n"),
            text.npos)
      << text;
  EXPECT_NE(text.find("  +2.00 us  tpc.cast: none -> 1 in 2.00 us\n"),
            text.npos)
      << text;
  EXPECT_EQ(text.find("hbm_bytes"), text.npos) << "as it was";
}

TEST(Compare, NothingChanged) {
  const Json one =
      prediction("gaudi2", 30, {command("tpc.add", "in 4xf32", 0, 10)});
  EXPECT_EQ(compareText(compare(one, one)),
            "a launch takes 30.0 us as before\n  no command changed\n");
}

TEST(Compare, WhyADeviceIsSlower) {
  const auto of = [](const char *device, double time, const char *bound,
                     double utilization, double peak = 1e14) {
    return prediction(
        device, time,
        {command("mme.conv", "in 8x8xf32", 0, time, bound, utilization)}, peak);
  };
  const Json fast = of("gaudi2", 10, "array", 0.5);
  EXPECT_EQ(whySlower(of("gaudi3", 30, "array", 0.1), fast),
            "gaudi3 takes 20.0 us more than gaudi2, most of it in mme.conv: 1 "
            "mme.conv, 30.0 us instead of 10.0 us; its engines are 10 % used "
            "while they compute, those of gaudi2 50 %");
  EXPECT_EQ(whySlower(of("gaudi", 30, "read bandwidth", 0.5), fast),
            "gaudi takes 20.0 us more than gaudi2, most of it in mme.conv: 1 "
            "mme.conv, 30.0 us instead of 10.0 us; they are bound by array "
            "there, by read bandwidth here");
  EXPECT_EQ(whySlower(of("gaudi", 30, "array", 0.5, 2e13), fast),
            "gaudi takes 20.0 us more than gaudi2, most of it in mme.conv: 1 "
            "mme.conv, 30.0 us instead of 10.0 us; both are bound by array, "
            "which gives at most 20.0 Tflop/s here, 100 Tflop/s there");
  const Json other =
      prediction("gaudi", 30, {command("tpc.mul", "in 8xf32", 0, 30)});
  EXPECT_NE(whySlower(other, fast).find("which gaudi2 does not need"),
            std::string::npos);
  EXPECT_NE(whySlower(prediction("gaudi", 30, {}), fast)
                .find("though no command takes longer"),
            std::string::npos);
  EXPECT_EQ(slowerPairs({fast, of("gaudi", 30, "array", 0.5), fast}),
            (std::vector<std::pair<size_t, size_t>>{{1, 0}}));
}

TEST(Compare, ReadsPagesAndJson) {
  const Json one =
      prediction("gaudi2", 30, {command("tpc.add", "in 4xf32", 0, 10)});
  const std::string json = jsonOf(one).dump();
  const std::string page = "<!doctype html><script>x</script>"
                           "<script type=\"application/json\" id=\"data\">" +
                           json + "</script></html>";
  for (const std::string &text : {json, page}) {
    EXPECT_TRUE(looksLikePrediction(text));
    const auto read = readPredictions(text, "f");
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->size(), 1u);
    EXPECT_EQ((*read)[0], one);
  }
  EXPECT_FALSE(looksLikePrediction("GAUDIREC"));
  const auto errorOf = [](const std::string &text) {
    const auto read = readPredictions(text, "f");
    return read ? std::string() : read.error().message;
  };
  for (const char *text : {"", "[]", "{", "{\"predictions\": 3}"})
    EXPECT_NE(errorOf(text).find("'f' is no prediction; expected a page"),
              std::string::npos)
        << text;
  Json lacking = one;
  lacking.erase("commands");
  EXPECT_NE(errorOf(jsonOf(lacking).dump())
                .find("has a prediction without what is compared"),
            std::string::npos);
  Json wrong = one;
  wrong["commands"][0]["end_us"] = "late";
  EXPECT_NE(errorOf(jsonOf(wrong).dump()).find("without what is compared"),
            std::string::npos);
  EXPECT_EQ(errorOf(jsonOf({{"device", "gaudi"}, {"error", "no"}}).dump()),
            "'f' has no prediction: its devices refused the model");
}

} // namespace
