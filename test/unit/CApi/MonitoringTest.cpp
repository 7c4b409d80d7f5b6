// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logs, events and metrics by the headers.
#include "../Support/TempFolder.h"
#include "Model.h"

#include "gaudi-c/Monitoring.h"
#include "gaudi-c/Recipe.h"

#include <gmock/gmock.h>

using namespace gaudi::test;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

namespace {

std::string refusalOf(GaudiError *error) {
  return messageOf(error, GaudiErrorInvalidArgument);
}

struct DestroyMetric {
  void operator()(GaudiMetric *metric) const { gaudiMetricDestroy(metric); }
};
using MetricOwner = std::unique_ptr<GaudiMetric, DestroyMetric>;

MetricOwner start(const char *name) {
  GaudiMetric *metric = nullptr;
  EXPECT_TRUE(isFine(gaudiMetricStart(name, &metric)));
  return MetricOwner(metric);
}

std::string statsOf(const MetricOwner &metric) {
  char *json = nullptr;
  EXPECT_TRUE(isFine(gaudiMetricStats(metric.get(), &json)));
  std::string text = json ? json : "";
  gaudiTextDestroy(json);
  return text;
}

TEST(CMonitoring, ACompilationIsAnEvent) {
  const MetricOwner metric = start("graph_compilation");
  std::string seen;
  uint64_t subscription = 0;
  const auto note = [](void *context, GaudiEventId, int64_t microseconds,
                       const GaudiEventParameter *parameters, size_t count) {
    EXPECT_GT(microseconds, 1'600'000'000'000'000);
    ASSERT_EQ(count, 2u);
    EXPECT_EQ(textOf(parameters[0].name), "duration");
    EXPECT_EQ(parameters[0].kind, GaudiEventInteger);
    EXPECT_GT(parameters[0].integer, 0);
    EXPECT_EQ(parameters[1].kind, GaudiEventText);
    *static_cast<std::string *>(context) = textOf(parameters[1].text);
  };
  ASSERT_TRUE(isFine(
      gaudiEventSubscribe(GaudiEventGraphCompile, note, &seen, &subscription)));
  EXPECT_TRUE(compile(matmul));
  gaudiEventUnsubscribe(subscription);
  EXPECT_EQ(seen, "test.mlir");
  EXPECT_THAT(statsOf(metric),
              MatchesRegex(".\"TotalNumber\":1,\"TotalTime\":[0-9]+,"
                           "\"AvgTime\":[0-9]+\\.0."));
  gaudiMetricStop(metric.get());
  EXPECT_TRUE(compile(matmul));
  EXPECT_THAT(statsOf(metric), HasSubstr("\"TotalNumber\":1,"));
  gaudiMetricReset(metric.get());
  EXPECT_THAT(statsOf(metric), HasSubstr("\"TotalNumber\":0,"));
}

TEST(CMonitoring, EventsOfTheCaller) {
  const MetricOwner moves = start("memory_defragmentation"),
                    ops = start("cpu_fallback");
  const GaudiEventParameter parameters[] = {
      {{"success", 7}, GaudiEventInteger, 1, 0, {}},
      {{"milliseconds", 12}, GaudiEventNumber, 0, 2.5, {}}};
  EXPECT_TRUE(
      isFine(gaudiEventEmit(GaudiEventMemoryDefragmentation, parameters, 2)));
  const GaudiEventParameter op = {
      {"op_name", 7}, GaudiEventText, 0, 0, {"aten::a", 7}};
  EXPECT_TRUE(isFine(gaudiEventEmit(GaudiEventCpuFallback, &op, 1)));
  EXPECT_TRUE(isFine(gaudiEventCpuFallback("aten::a", nullptr)));
  EXPECT_TRUE(isFine(gaudiLogCpuFallbacks()));
  EXPECT_EQ(statsOf(moves), "{\"TotalNumber\":1,\"TotalSuccessful\":1,"
                            "\"AvgTime\":2.5,\"MaxTime\":2.5}");
  EXPECT_EQ(statsOf(ops),
            "{\"TotalNumber\":2,\"FallbackOps\":{\"aten::a\":2}}");
  GaudiMetric *global = nullptr;
  ASSERT_TRUE(isFine(gaudiMetricGlobal("cpu_fallback", &global)));
  EXPECT_EQ(statsOf(MetricOwner(global)), statsOf(ops));
}

TEST(CMonitoring, LevelsOfModules) {
  GaudiLogLevel level{};
  size_t count = 0;
  for (; gaudiLogModule(count).data; ++count) {
    const std::string name = textOf(gaudiLogModule(count));
    EXPECT_TRUE(isFine(gaudiLogGetLevel(name.c_str(), &level)));
    EXPECT_EQ(level, GaudiLogOff);
  }
  EXPECT_EQ(count, 29u);
  EXPECT_TRUE(isFine(gaudiLogSetLevel("PT_TEST", GaudiLogError)));
  EXPECT_TRUE(isFine(gaudiLogGetLevel("PT_TEST", &level)));
  EXPECT_EQ(level, GaudiLogError);
  const TempFolder folder;
  ::setenv("HABANA_LOGS", folder.path.c_str(), 1);
  EXPECT_TRUE(isFine(gaudiLogWrite("PT_TEST", GaudiLogWarning, "too low")));
  EXPECT_EQ(folder.count(), 0u);
  EXPECT_TRUE(isFine(gaudiLogWrite("PT_TEST", GaudiLogCritical, "a line")));
  EXPECT_THAT(folder.read("pytorch_log.txt"),
              MatchesRegex(".*\\]\\[PT_TEST\\]\\[critical\\] a line\n"));
  EXPECT_TRUE(isFine(gaudiLogSetLevel("PT_TEST", GaudiLogOff)));
  ::unsetenv("HABANA_LOGS");
}

TEST(CMonitoring, WrongArgumentsAreNamed) {
  GaudiLogLevel level{};
  GaudiMetric *metric = nullptr;
  uint64_t subscription = 0;
  char *json = nullptr;
  const auto ignore = [](void *, GaudiEventId, int64_t,
                         const GaudiEventParameter *, size_t) {};
  EXPECT_EQ(refusalOf(gaudiLogGetLevel("PT_NONE", &level)),
            "there is no log module 'PT_NONE'; gaudiLogModule lists them");
  EXPECT_EQ(refusalOf(gaudiLogSetLevel("PT_TEST", GaudiLogLevel(7))),
            "7 is no log level, expected 0 to 6");
  EXPECT_EQ(refusalOf(gaudiLogWrite("PT_TEST", GaudiLogOff, "")),
            "6 is no log level, expected 0 to 5");
  EXPECT_EQ(refusalOf(gaudiLogWrite("PT_TEST", GaudiLogError, nullptr)),
            "'text' is null");
  EXPECT_EQ(refusalOf(gaudiEventSubscribe(GaudiEventId(10), ignore, nullptr,
                                          &subscription)),
            "10 is no event, expected 0 to 9");
  EXPECT_EQ(refusalOf(gaudiEventSubscribe(GaudiEventCustom, nullptr, nullptr,
                                          &subscription)),
            "'callback' is null");
  EXPECT_EQ(refusalOf(gaudiEventEmit(GaudiEventCustom, nullptr, 1)),
            "'parameters' is null");
  const GaudiEventParameter wrong = {{"x", 1}, GaudiEventValue(3), 0, 0, {}};
  EXPECT_EQ(refusalOf(gaudiEventEmit(GaudiEventCustom, &wrong, 1)),
            "the value of parameter 0 of an event has kind 3, expected 0 to 2");
  EXPECT_THAT(refusalOf(gaudiMetricStart("x", &metric)),
              HasSubstr("there is no metric 'x'"));
  EXPECT_THAT(refusalOf(gaudiMetricGlobal("x", &metric)),
              HasSubstr("there is no metric 'x'"));
  EXPECT_EQ(refusalOf(gaudiMetricStats(nullptr, &json)), "'metric' is null");
  EXPECT_THAT(refusalOf(gaudiMetricsDump("/tmp/x", "csv")),
              HasSubstr("'csv' is no format of metrics"));
  EXPECT_THAT(messageOf(gaudiMetricsDump("/dev/null/x", "json"), GaudiErrorIo),
              HasSubstr("metrics cannot be written to '/dev/null/x': Not a "
                        "directory; name a file in a folder that you may "
                        "write to"));
}

} // namespace
