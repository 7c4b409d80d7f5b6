// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statistics of events, and the files that they are dumped to.
#include "Gaudi/Monitoring/Metrics.h"

#include "../Support/TempFolder.h"
#include "Gaudi/Monitoring/Events.h"
#include "Process.h"

#include <atomic>
#include <gmock/gmock.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace gaudi::monitoring;
using gaudi::test::Ended;
using gaudi::test::runProcess;
using nlohmann::json;
using ::testing::HasSubstr;

namespace {

GAUDI_PROCESS(CompilesThreeTimes) {
  emitDeviceAcquired("gaudi2");
  emitGraphCompile(10, "a");
  emitGraphCompile(20, "b");
  emitEvent(EventId::MarkStep);
  emitGraphCompile(60, "a");
  emitCpuFallback("aten::digamma");
}

GAUDI_PROCESS(CompilesWithoutACard) { emitGraphCompile(10, "a"); }

GAUDI_PROCESS(ForksAndExits) {
  emitDeviceAcquired("gaudi2");
  const pid_t child = ::fork();
  if (child == 0) {
    emitGraphCompile(10, "of the child");
    std::exit(0);
  }
  ::waitpid(child, nullptr, 0);
}

GAUDI_PROCESS(LooksUpRecipes) {
  emitCacheLookup(false, "7");
  for (int i = 0; i < 9; ++i)
    emitCacheLookup(true, "7");
  if (dumpMetrics("/dev/stdout/x", DumpFormat::Json))
    std::exit(1);
  const auto cache = Metric::global("recipe_cache");
  std::fputs(cache ? jsonText((*cache)->stats()).c_str() : "none", stderr);
}

GAUDI_PROCESS(FallsBack) {
  emitCpuFallback("aten::digamma", "self=HPUBFloat16Type");
  emitCpuFallback("aten::lgamma");
  emitCpuFallback("aten::lgamma");
  logCpuFallbacks();
  logCpuFallbacks(); // nothing new
}

GAUDI_PROCESS(PrintsDetails) {
  emitGraphCompile(10, "a");
  emitGraphCompile(20, "a");
  std::fputs(jsonText((*Metric::global("graph_compilation"))->stats()).c_str(),
             stderr);
}

TEST(Metrics, LocalOnesCountWhileTheyRun) {
  const auto start = [] {
    return std::move(*Metric::start("graph_compilation"));
  };
  Metric *global = *Metric::global("graph_compilation");
  global->reset();
  const auto outer = start();
  emitGraphCompile(10, "a");
  const auto inner = start();
  emitGraphCompile(30, "b");
  inner->stop();
  emitGraphCompile(50, "c");
  EXPECT_EQ(jsonText(inner->stats()),
            R"({"TotalNumber":1,"TotalTime":30,"AvgTime":30.0})");
  EXPECT_EQ(jsonText(outer->stats()),
            R"({"TotalNumber":3,"TotalTime":90,"AvgTime":30.0})");
  EXPECT_EQ(jsonText(global->stats()), jsonText(outer->stats()));
  outer->reset();
  EXPECT_EQ(jsonText(outer->stats()),
            R"({"TotalNumber":0,"TotalTime":0,"AvgTime":0.0})");
}

TEST(Metrics, FallbacksAndDefragmentations) {
  const auto fallbacks = std::move(*Metric::start("cpu_fallback"));
  const auto moves = std::move(*Metric::start("memory_defragmentation"));
  emitCpuFallback("aten::b");
  emitCpuFallback("aten::a");
  emitCpuFallback("aten::b");
  emitDefragmentation(true, 1);
  emitDefragmentation(false, 4);
  EXPECT_EQ(jsonText(fallbacks->stats()),
            R"({"TotalNumber":3,"FallbackOps":{"aten::a":1,"aten::b":2}})");
  EXPECT_EQ(
      jsonText(moves->stats()),
      R"({"TotalNumber":2,"TotalSuccessful":1,"AvgTime":2.5,"MaxTime":4.0})");
}

TEST(Metrics, RecipeCacheOnlyIfItIsAskedFor) {
  EXPECT_EQ(runProcess("LooksUpRecipes", {}).errors, "none");
  EXPECT_EQ(
      runProcess("LooksUpRecipes", {"PT_HPU_ENABLE_CACHE_METRICS=1"}).errors,
      R"({"TotalHit":9,"RecipeHit":{"7":9},"TotalMiss":1,"RecipeMiss":{"7":1}})");
}

TEST(Metrics, OneMayGoInACallback) {
  // Another thread may be counting in it, which that callback must not await.
  std::atomic<bool> ends{false};
  std::thread counting([&] {
    while (!ends)
      emitGraphCompile(1, "a");
  });
  for (int round = 0; round < 200; ++round) {
    std::unique_ptr<Metric> metric = *Metric::start("graph_compilation");
    const Subscription subscription =
        subscribe(EventId::MarkStep, [&](const Event &) { metric.reset(); });
    emitEvent(EventId::MarkStep);
    EXPECT_FALSE(metric);
    unsubscribe(subscription);
  }
  ends = true;
  counting.join();
}

TEST(Metrics, UnknownNames) {
  EXPECT_FALSE(Metric::global("compilation"));
  EXPECT_THAT(Metric::start("compilation").error().message,
              HasSubstr("there is no metric 'compilation'; expected "
                        "graph_compilation, cpu_fallback, "
                        "memory_defragmentation or, with "
                        "PT_HPU_ENABLE_CACHE_METRICS=1, recipe_cache"));
  EXPECT_THAT(
      dumpFormatNamed("csv").error().message,
      HasSubstr("'csv' is no format of metrics, expected json or text"));
}

TEST(Metrics, DetailsNameEachGraph) {
  EXPECT_EQ(
      runProcess("PrintsDetails", {"PT_HPU_METRICS_GC_DETAILS=true"}).errors,
      R"({"TotalNumber":2,"TotalTime":30,"AvgTime":15.0,"recipe":[["a",10],["a",20]]})");
}

TEST(Dumps, AtTheEndOfTheProcess) {
  const TempFolder folder;
  runProcess("CompilesThreeTimes",
             {"PT_HPU_METRICS_FILE=" + folder.file("x/metrics.json")});
  const json dumped = json::parse(folder.read("x/metrics.json"));
  ASSERT_EQ(dumped.size(), 3u);
  EXPECT_EQ(dumped[0]["metric_name"], "graph_compilation");
  EXPECT_EQ(dumped[0]["triggered_by"], "process_exit");
  EXPECT_EQ(dumped[0]["statistics"],
            (json{{"TotalNumber", 3}, {"TotalTime", 90}, {"AvgTime", 30}}));
  EXPECT_TRUE(std::regex_match(
      dumped[0]["generated_on"].get<std::string>(),
      std::regex("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}")));
  EXPECT_EQ(dumped[1]["metric_name"], "cpu_fallback");
  EXPECT_EQ(dumped[2]["metric_name"], "memory_defragmentation");
}

TEST(Dumps, AtEachChangeAndStep) {
  const TempFolder folder;
  runProcess("CompilesThreeTimes",
             {"HABANA_PT_METRICS_FILE=" + folder.file("metrics"),
              "PT_HPU_METRICS_DUMP_TRIGGERS=metric_change,mark_step"});
  const json dumped = json::parse(folder.read("metrics"));
  std::vector<std::string> entries;
  for (const json &entry : dumped)
    entries.push_back(entry["triggered_by"].get<std::string>() + " " +
                      entry["metric_name"].get<std::string>() + " " +
                      entry["statistics"]["TotalNumber"].dump());
  EXPECT_EQ(entries,
            (std::vector<std::string>{"metric_change graph_compilation 1",
                                      "metric_change graph_compilation 2",
                                      "mark_step graph_compilation 2",
                                      "mark_step cpu_fallback 0",
                                      "mark_step memory_defragmentation 0",
                                      "metric_change graph_compilation 3",
                                      "metric_change cpu_fallback 1"}));
}

TEST(Dumps, AsText) {
  const TempFolder folder;
  runProcess("CompilesThreeTimes",
             {"PT_HPU_METRICS_FILE=" + folder.file("metrics.txt"),
              "PT_HPU_METRICS_FILE_FORMAT=text"});
  const std::string text = folder.read("metrics.txt");
  EXPECT_TRUE(std::regex_search(
      text,
      std::regex("^Metric name: graph_compilation\n"
                 "Triggered by: process_exit\n"
                 "Generated on: [-0-9]+T[.:0-9]+\n"
                 "Statistics:\n"
                 "\tTotalNumber: 3\n\tTotalTime: 90\n\tAvgTime: 30\\.0\n\n"
                 "Metric name: cpu_fallback\n")))
      << text;
  EXPECT_THAT(text, HasSubstr("\tFallbackOps: {\"aten::digamma\":1}\n\n"));
}

TEST(Dumps, NamesWithARankAndOfFilesThatAreThere) {
  const TempFolder folder;
  const std::string file = "PT_HPU_METRICS_FILE=" + folder.file("m.txt.json");
  runProcess("CompilesThreeTimes", {file, "RANK=0"});
  EXPECT_NE(folder.read("m.txt-rank0.json"), "");
  folder.write("plain", "mine");
  for (int i = 0; i < 2; ++i)
    runProcess("CompilesThreeTimes",
               {"PT_HPU_METRICS_FILE=" + folder.file("plain"),
                "OMPI_COMM_WORLD_RANK="});
  EXPECT_EQ(folder.read("plain"), "mine");
  EXPECT_NE(folder.read("plain.1"), "");
  EXPECT_NE(folder.read("plain.2"), "");
}

TEST(Dumps, OnlyOfProcessesWithACardAndNotOfChildren) {
  const TempFolder folder;
  const std::string file = "PT_HPU_METRICS_FILE=" + folder.file("metrics");
  runProcess("CompilesWithoutACard", {file});
  EXPECT_EQ(folder.count(), 0u);
  runProcess("ForksAndExits", {file});
  EXPECT_EQ(folder.count(), 1u);
  EXPECT_EQ(json::parse(folder.read("metrics"))[0]["statistics"]["TotalNumber"],
            0);
}

TEST(Dumps, WrongVariablesAreNamed) {
  const TempFolder folder;
  const Ended ended =
      runProcess("CompilesThreeTimes",
                 {"PT_HPU_METRICS_FILE=" + folder.file("metrics"),
                  "PT_HPU_METRICS_FILE_FORMAT=xml",
                  "PT_HPU_METRICS_DUMP_TRIGGERS=process_exit,never"});
  EXPECT_THAT(ended.errors,
              HasSubstr("gaudi-mlir: warning: PT_HPU_METRICS_FILE_FORMAT: "
                        "'xml' is no format of metrics, expected json or text; "
                        "json is taken"));
  EXPECT_THAT(ended.errors,
              HasSubstr("PT_HPU_METRICS_DUMP_TRIGGERS names 'never', expected "
                        "process_exit, mark_step, metric_change or user; it is "
                        "ignored"));
  EXPECT_EQ(json::parse(folder.read("metrics")).size(), 3u);
}

TEST(Dumps, AFileThatCannotBeWrittenIsOneWarning) {
  const TempFolder folder;
  folder.write("file", "");
  const Ended ended =
      runProcess("CompilesThreeTimes",
                 {"PT_HPU_METRICS_FILE=" + folder.file("file/metrics"),
                  "PT_HPU_METRICS_DUMP_TRIGGERS=process_exit,metric_change"});
  EXPECT_EQ(ended.code, 0);
  const std::string message = "metrics cannot be written to '";
  ASSERT_THAT(ended.errors, HasSubstr(message));
  EXPECT_EQ(ended.errors.find(message), ended.errors.rfind(message));
}

TEST(Dumps, OfTheUser) {
  const TempFolder folder;
  ASSERT_TRUE(dumpMetrics(folder.file("metrics.json"), DumpFormat::Json));
  const json dumped = json::parse(folder.read("metrics.json"));
  EXPECT_EQ(dumped[0]["triggered_by"], "user");
  EXPECT_EQ(dumped.size(), 3u);
}

TEST(Fallbacks, AreLoggedInBothForms) {
  const auto errors = [](const char *level) {
    return runProcess("FallsBack",
                      {"ENABLE_CONSOLE=true",
                       std::string("LOG_LEVEL_PT_FALLBACK=") + level})
        .errors;
  };
  const std::string table = "\n2\taten::lgamma\n1\taten::digamma\n";
  const std::string critical = errors("5");
  EXPECT_TRUE(std::regex_match(
      critical, std::regex("\\[.*\\]\\[PT_FALLBACK\\]\\[critical\\] CPU "
                           "Fallback stats:\n2\taten::lgamma\n1\taten::"
                           "digamma\n")))
      << critical;
  const std::string debug = errors("1");
  EXPECT_THAT(debug,
              HasSubstr("CPU fallback digamma : self=HPUBFloat16Type\n"));
  EXPECT_THAT(debug, HasSubstr("CPU Fallback stats:" + table));
  EXPECT_THAT(debug, HasSubstr("Frequency of op and op name that were executed "
                               "on CPU:" +
                               table));
}

} // namespace
