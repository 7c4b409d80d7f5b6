// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traces beyond what small models have: limits, odd names, full disks.
#include "Gaudi/Prediction/Trace.h"
#include "Gaudi/Timing/Attention.h"
#include "MadePrediction.h"
#include "WrittenFile.h"

#include <gmock/gmock.h>
#include <map>
#include <nlohmann/json.hpp>

namespace gaudi::prediction {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

Json traceOf(const std::vector<const Prediction *> &devices,
             const HostRun *host = nullptr, const TraceLimits &limits = {}) {
  return Json::parse(written([&](OutputFile &file) {
    return writeTrace(file, devices, host, limits);
  }));
}

/// The events of a kind that have a command, or all of another kind.
std::vector<Json> eventsOf(const Json &trace, const std::string &phase) {
  std::vector<Json> result;
  for (const Json &event : trace["traceEvents"])
    if (event["ph"] == phase &&
        (phase != "X" || event["args"].contains("command")))
      result.push_back(event);
  return result;
}

std::string labelOf(const Json &trace) {
  for (const Json &event : trace["traceEvents"])
    if (event["name"] == "process_labels")
      return event["args"]["labels"];
  return "";
}

/// Products, each read by a kernel: 2 * pairs commands.
Made chain(uint32_t pairs) {
  Made made;
  std::vector<uint32_t> before;
  for (uint32_t i = 0; i < pairs; ++i) {
    const uint32_t product =
        made.add("mme.gemm", Queue::Mme, gemm(512, 512, 64 << (i % 5)), before);
    before = {made.add("tpc.add", Queue::Tpc, elementwise(512, 512), {product},
                       "a.mlir:3:5")};
  }
  made.finish();
  return made;
}

// Attention is drawn on the matrix engine and on each TPC.
TEST(Trace, DrawsChainsOnBothEngines) {
  Made made;
  const Operand query = operandOf({2, 16, 512, 64});
  made.add("mme.sdpa", Queue::Mme,
           timing::attentionWork({}, {query, query, query}, {query}));
  const Json trace = traceOf({&made.finish()});
  std::map<std::string, int> slices;
  for (const Json &event : eventsOf(trace, "X")) {
    EXPECT_EQ(event["name"], "mme.sdpa");
    ++slices[event["cat"]];
  }
  EXPECT_EQ(slices, (std::map<std::string, int>{{"MME", 1}, {"TPC", 24}}));
}

TEST(Trace, HasASlicePerEngineAndAnArrowPerDependency) {
  const Made made = chain(8);
  const Json trace = traceOf({&made.prediction});
  uint64_t engines = 0;
  for (const timing::Piece &piece : made.prediction.timeline.pieces)
    engines += piece.engines;
  EXPECT_EQ(eventsOf(trace, "X").size(), engines);
  EXPECT_EQ(eventsOf(trace, "s").size(), 15u);
  EXPECT_EQ(eventsOf(trace, "f").size(), 15u);
  EXPECT_THAT(labelOf(trace), Not(HasSubstr("left out")));
}

TEST(Trace, KeepsOneEngineOfEachCommandAboveTheLimit) {
  const Made made = chain(8);
  const Json trace = traceOf({&made.prediction}, nullptr, {16, 100});
  EXPECT_EQ(eventsOf(trace, "X").size(),
            made.prediction.timeline.pieces.size());
  EXPECT_THAT(labelOf(trace), HasSubstr("on their first engine only"));
  EXPECT_THAT(labelOf(trace), Not(HasSubstr("left out")));
}

TEST(Trace, KeepsTheLongestCommandsAboveTheLimit) {
  const Made made = chain(8);
  const Json trace = traceOf({&made.prediction}, nullptr, {5, 100});
  const std::vector<Json> slices = eventsOf(trace, "X");
  ASSERT_EQ(slices.size(), 5u);
  const std::vector<uint32_t> longest = made.prediction.longest(5);
  for (const Json &slice : slices)
    EXPECT_THAT(longest, testing::Contains(slice["args"]["command"]));
  EXPECT_THAT(labelOf(trace), HasSubstr("the 11 shortest commands ("));
  EXPECT_EQ(trace["otherData"]["predicted on gaudi2"], labelOf(trace));
  // No arrow begins or ends at a slice that is not there.
  EXPECT_LT(eventsOf(trace, "s").size(), 5u);
}

TEST(Trace, KeepsTheArrowsThatWereWaitedForAboveTheLimit) {
  Made made;
  std::vector<uint32_t> all;
  for (int i = 0; i < 6; ++i) // the last one takes longest
    all.push_back(
        made.add("mme.gemm", Queue::Mme, gemm(512, 512, 64 << i), {}));
  made.add("tpc.add", Queue::Tpc, elementwise(512, 512), all);
  const Prediction &prediction = made.finish();
  EXPECT_EQ(eventsOf(traceOf({&prediction}), "s").size(), 6u);
  const Json trace = traceOf({&prediction}, nullptr, {1000, 5});
  EXPECT_EQ(eventsOf(trace, "s").size(), 1u);
  EXPECT_THAT(labelOf(trace), HasSubstr("that a command waited for"));
}

/// Viewers drop a slice that begins before the one before it has ended.
TEST(Trace, HasNoSlicesThatOverlap) {
  const Made made = chain(200);
  std::map<int, int64_t> ends; // nanoseconds
  const auto nanoseconds = [](const Json &microseconds) {
    return std::llround(microseconds.get<double>() * 1000);
  };
  for (const Json &slice : eventsOf(traceOf({&made.prediction}), "X")) {
    const int64_t start = nanoseconds(slice["ts"]);
    int64_t &end = ends[slice["tid"]];
    EXPECT_GE(start, end);
    end = start + nanoseconds(slice["dur"]);
  }
}

TEST(Trace, EscapesNames) {
  Made made;
  const std::string name = "\"\\ \n </script> \xff\xc3 \xe2\x80\xa8";
  made.add(name, Queue::Tpc, elementwise(64, 64), {}, name);
  made.prediction.commands[0].operands = {name};
  const Json trace = traceOf({&made.finish()});
  const Json slice = eventsOf(trace, "X").at(0);
  const std::string text = "\"\\ \n </script> \ufffd\ufffd \u2028";
  EXPECT_EQ(slice["name"], text);
  EXPECT_EQ(slice["args"]["location"], text);
  EXPECT_EQ(slice["args"]["operands"][0], text);
}

TEST(Trace, ShowsTheHostInAProcessOfItsOwn) {
  const Made made = chain(1);
  HostRun host;
  host.threads = 1;
  host.launches = 5;
  host.commands = {{"mme.gemm", "", "portable", Queue::Mme, 1.5, {}},
                   {"tpc.add", "", "jit", Queue::Tpc, 0, 0u},
                   {"tpc.exp", "", "jit", Queue::Tpc, 0.25, {}}};
  const Json trace = traceOf({&made.prediction}, &host);
  std::vector<Json> slices;
  for (const Json &event : eventsOf(trace, "X"))
    if (event["pid"] == 2)
      slices.push_back(event);
  ASSERT_EQ(slices.size(), 2u);
  EXPECT_EQ(slices[0]["args"]["in_its_tiles"], Json({"tpc.add"}));
  EXPECT_EQ(slices[0]["dur"], 1500.0);
  EXPECT_EQ(slices[1]["ts"], 1500.0);
  EXPECT_THAT(trace.dump(), HasSubstr("measured on this host (1 thread)"));
}

TEST(Trace, IsValidWithoutCommands) {
  Made made;
  const Json trace = traceOf({&made.finish()});
  EXPECT_TRUE(eventsOf(trace, "X").empty());
}

TEST(Trace, ReportsAFullDisk) {
  const Made made = chain(50);
  auto file = OutputFile::create("/dev/full");
  ASSERT_TRUE(file);
  Status status = writeTrace(*file, {&made.prediction}, nullptr);
  if (status)
    status = file->commit();
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("No space left on device"));
}

} // namespace
} // namespace gaudi::prediction
