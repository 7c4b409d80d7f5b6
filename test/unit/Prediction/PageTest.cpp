// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pages as text: data and its escapes. A browser opens them in
// test/Tools/gaudi-run/page.test.
#include "Gaudi/Prediction/Page.h"
#include "Gaudi/Prediction/Json.h"
#include "MadePrediction.h"
#include "WrittenFile.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace gaudi::prediction {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

std::string pageOf(const PageInput &input) {
  return written([&](OutputFile &file) { return writePage(file, input); });
}

/// What is in the element of the data, which no text may end.
Json dataOf(const std::string &page) {
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const size_t at = page.find(begin) + begin.size();
  return Json::parse(page.substr(at, page.find("</script", at) - at));
}

PageInput inputOf(const Prediction &prediction) {
  PageInput input;
  input.title = "a.mlir";
  input.devices.push_back({&prediction, {}, {}});
  return input;
}

size_t countOf(const std::string &text, std::string_view word) {
  size_t count = 0;
  for (size_t at = text.find(word); at != text.npos;
       at = text.find(word, at + 1))
    ++count;
  return count;
}

TEST(Page, HoldsTheJson) {
  Made made;
  made.add("tpc.add", Queue::Tpc, elementwise(64, 64), {}, "a.mlir:2:3");
  const Prediction &prediction = made.finish();
  const Json data = dataOf(pageOf(inputOf(prediction)));
  EXPECT_EQ(data["predictions"][0], toJson(prediction));
  EXPECT_EQ(data["title"], "a.mlir");
  EXPECT_TRUE(data["remarks"][0].is_null());
  EXPECT_TRUE(data["source"].is_null());
  EXPECT_TRUE(data["measured"].is_null());
}

TEST(Page, LetsNoNameEndTheScript) {
  const std::string bad = "</script><!-- <script> ]]> \xff\xfe \" ' & @DATA@";
  Made made;
  made.add(bad, Queue::Tpc, elementwise(64, 64), {}, bad + ".mlir:1:1");
  made.prediction.commands[0].operands = {bad};
  made.prediction.entry = bad;
  made.prediction.notes = {bad};
  made.prediction.fusions.push_back(
      {bad, false, 0, 0, 0, bad, bad + ": " + bad});
  made.prediction.permutations.emplace_back().entry = bad;
  made.prediction.permutations[0].transposes.push_back({true, 1, 1, bad, bad});
  made.prediction.permutations[0].ops.push_back({bad, bad, {1, 0}});
  PageInput input = inputOf(made.finish());
  input.title = input.sourceName = bad + ".mlir";
  const std::string source = bad + "\n";
  input.source = source;
  input.devices[0].remarks = {{bad, bad, bad, bad}};
  input.devices[0].advice.push_back({AdviceKind::Pad, bad, bad, {0}, {bad}});
  input.refused.push_back({bad, bad});
  const std::string page = pageOf(input);
  // Those of the template: the data and the program.
  EXPECT_EQ(countOf(page, "</script"), 2u);
  EXPECT_EQ(countOf(page, "<script"), 2u);
  const Json data = dataOf(page);
  const std::string text =
      "</script><!-- <script> ]]> \ufffd\ufffd \" ' & @DATA@";
  EXPECT_EQ(data["title"], text + ".mlir");
  EXPECT_EQ(data["predictions"][0]["commands"][0]["name"], text);
  EXPECT_EQ(data["predictions"][0]["fusions"]["candidates"][0]["kind"], text);
  const Json &region = data["predictions"][0]["permutations"]["regions"][0];
  EXPECT_EQ(region["entry"], text);
  EXPECT_EQ(region["transposes"][0]["text"], text);
  EXPECT_EQ(region["ops"][0]["name"], text);
  EXPECT_EQ(data["remarks"][0][0]["text"], text);
  EXPECT_EQ(data["source"]["lines"]["1"], text);
  EXPECT_EQ(data["refused"][0]["error"], text);
}

TEST(Page, HoldsTheLinesThatLocationsName) {
  Made made;
  made.add("tpc.add", Queue::Tpc, elementwise(64, 64), {},
           "a.mlir:2:3, ba.mlir:1:1, a.mlir:4:1");
  made.add("tpc.mul", Queue::Tpc, elementwise(64, 64), {},
           "x at a.mlir:5:1 called at a.mlir:99:1");
  PageInput input = inputOf(made.finish());
  input.sourceName = "a.mlir";
  const std::string source =
      "one\ntwo\nthree\n" + std::string(5000, 'd') + "\nfive"; // no last '\n'
  input.source = source;
  const Json lines = dataOf(pageOf(input))["source"]["lines"];
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines["2"], "two");
  EXPECT_EQ(lines["4"], std::string(300, 'd') + " ...");
  EXPECT_EQ(lines["5"], "five");
}

TEST(Page, FetchesNothing) {
  Made made;
  const std::string page = pageOf(inputOf(made.finish()));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  for (const char *word : {"http:", "https:", "//cdn", "@import", "url(",
                           "src=", "import(", "fetch(", "@STYLE@", "@SCRIPT@"})
    EXPECT_EQ(countOf(page, word), 0u) << word;
}

TEST(Page, TakesSomeHundredBytesPerCommand) {
  Made made;
  constexpr uint32_t commands = 10000;
  for (uint32_t i = 0; i < commands; ++i)
    made.add("tpc.add+mul", Queue::Tpc, elementwise(256, 256),
             i ? std::vector<uint32_t>{i - 1} : std::vector<uint32_t>{},
             "model.mlir:" + std::to_string(i) + ":10");
  EXPECT_LT(pageOf(inputOf(made.finish())).size(), commands * 1200u);
}

} // namespace
} // namespace gaudi::prediction
