// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recipes, from text to the timeline of a launch.
#include "Gaudi/Prediction/Advice.h"
#include "Gaudi/Prediction/Json.h"
#include "RecipeText.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

using namespace gaudi;
using namespace gaudi::prediction;
using timing::Queue;

namespace {

/// y = gelu-like function of (x w), rows x columns, in bf16; `kernel` are the
/// accesses of its load and its store.
std::string layer(int64_t rows, int64_t common, int64_t columns,
                  const std::string &device = "gaudi2",
                  const std::string &load = "d0, d1",
                  const std::string &more = "") {
  return fmt::format(
      R"(recipe 1.2 target "{}" producer "tests"
section @0 persistent 8589934592 bytes
section @1 workspace 1073741824 bytes
tensor %0 "x" input @0+0 bf16[{},{}]
tensor %1 "w" input @0+1073741824 bf16[{},{}]
tensor %2 "product" workspace @1+0 bf16[{},{}]
tensor %3 "y" output @0+2147483648 bf16[{},{}]
kernel 0 "tanh" {{
  space [{} parallel, {} parallel]
  in0 : bf16 rank 2
  out0 : bf16 rank 2
  stage {{
    %0 = load in0[{}] : f32
    %1 = tanhf %0 : f32
    store %1 -> out0[d0, d1]
  }}
}}
entry "main" (%0, %1) -> (%3) {{
  #0 mme "mme.gemm" gemm (%0, %1) -> (%2) flops {}
  #1 tpc "tpc.tanh" launch 0 (%2) -> (%3) after [#0]
{}}}
)",
      device, rows, common, common, columns, rows, columns, rows, columns, rows,
      columns, load, 2 * rows * common * columns, more);
}

// The second and third recipe share works and rows with those before them.
TEST(LaunchTimes, AreThoseOfPredictions) {
  LaunchTimes times;
  for (const int64_t rows : {8192, 4096, 8192}) {
    const std::string text = layer(rows, 1024, 4096);
    const Result<Picoseconds> time = times.of(recipeOf(text).recipe(), 0);
    ASSERT_TRUE(time) << time.error().message;
    EXPECT_EQ(*time, predictionOf(text).time()) << rows;
  }
  EXPECT_FALSE(times.of(recipeOf(layer(64, 64, 64)).recipe(), 1));
}

TEST(Prediction, PipelinesAProductAndItsKernel) {
  const Prediction result = predictionOf(layer(8192, 1024, 4096));
  ASSERT_EQ(result.pipelines.size(), 1u);
  const Pipeline &pipeline = result.pipelines[0];
  EXPECT_EQ(pipeline.refusal, "");
  EXPECT_EQ(pipeline.first, 0u);
  EXPECT_EQ(pipeline.count, 2u);
  ASSERT_GE(pipeline.slices, 4u);
  EXPECT_EQ(8192 % pipeline.slices, 0u);
  EXPECT_GT(pipeline.saved, 0);
  for (const timing::Span &span : result.timeline.spans)
    EXPECT_EQ(span.slices, pipeline.slices);
  // Alone they run whole.
  for (uint32_t c = 0; c < 2; ++c) {
    const timing::Cost whole =
        timing::costOf(result.commands[c].work, *result.device);
    EXPECT_EQ(result.timeAlone(c), whole.total() - whole.launch);
    EXPECT_LT(result.timeAlone(c), result.time());
  }
  // The kernel begins long before the product ends.
  EXPECT_LT(result.timeline.spans[1].start, result.timeline.spans[0].end);
  // The product's result does not pass the HBM: only x, w and y do.
  const uint64_t x = 8192 * 1024 * 2, w = 1024 * 4096 * 2, y = 8192 * 4096 * 2;
  EXPECT_EQ(result.tasks[0].cost.hbmWritten, 0u);
  EXPECT_EQ(result.tasks[0].cost.sramWritten, y);
  EXPECT_EQ(result.tasks[1].cost.hbmRead, 0u);
  EXPECT_EQ(result.tasks[1].cost.hbmWritten, y);
  EXPECT_GE(result.tasks[0].cost.hbmRead, x + w);
  // Without slices it takes longer, by what the other engine now hides.
  const timing::Timeline apart =
      timing::play(result.tasks, *result.device, {false});
  EXPECT_GT(apart.end, result.timeline.end);
}

/// So many layers of a square product and tanh of its result, rows x size.
std::string layers(int count, int64_t rows, int64_t size) {
  std::string text =
      fmt::format("recipe 1.2 target \"gaudi3\" producer \"tests\"\n"
                  "section @0 persistent 8589934592 bytes\n"
                  "section @1 workspace 4294967296 bytes\n"
                  "tensor %0 \"w\" input @0+0 bf16[{1},{1}]\n"
                  "tensor %1 \"x\" input @0+1073741824 bf16[{0},{1}]\n",
                  rows, size);
  const int last = 2 * count + 1;
  for (int t = 2; t <= last; ++t)
    text += fmt::format("tensor %{} \"t{}\" {} @{}+{} bf16[{},{}]\n", t, t,
                        t == last ? "output" : "workspace", int(t != last),
                        int64_t(t) << 28, rows, size);
  text += fmt::format("kernel 0 \"tanh\" {{\n"
                      "  space [{} parallel, {} parallel]\n"
                      "  in0 : bf16 rank 2\n  out0 : bf16 rank 2\n"
                      "  stage {{\n"
                      "    %0 = load in0[d0, d1] : f32\n"
                      "    %1 = tanhf %0 : f32\n"
                      "    store %1 -> out0[d0, d1]\n  }}\n}}\n"
                      "entry \"main\" (%0, %1) -> (%{}) {{\n",
                      rows, size, last);
  for (int layer = 0; layer < count; ++layer) {
    const int c = 2 * layer;
    text += fmt::format("  #{} mme \"mme.gemm\" gemm (%{}, %0) -> (%{}){}\n"
                        "  #{} tpc \"tpc.tanh\" launch 0 (%{}) -> (%{}) after "
                        "[#{}]\n",
                        c, c + 1, c + 2,
                        layer ? fmt::format(" after [#{}]", c - 1) : "", c + 1,
                        c + 2, c + 3, c);
  }
  return text + "}\n";
}

// Four layers save what each of them saves alone, or more: rows are chosen for
// all of the launch, not one after the other.
TEST(Prediction, ChoosesRowsThatSaveMostTogether) {
  const auto savedBy = [](int count, int64_t rows, int64_t size) {
    Picoseconds saved = 0;
    uint32_t end = 0;
    for (const Pipeline &row :
         predictionOf(layers(count, rows, size)).pipelines) {
      if (row.slices == 1)
        continue;
      EXPECT_GE(row.first, end) << "rows do not overlap";
      end = row.first + row.count;
      saved += row.saved;
    }
    return saved;
  };
  for (const auto &[rows, size] : {std::pair<int64_t, int64_t>{4096, 512},
                                   {8192, 1024},
                                   {2048, 2048},
                                   {16384, 256}}) {
    const Picoseconds one = savedBy(1, rows, size);
    EXPECT_GT(one, 0) << rows << " x " << size;
    EXPECT_GE(savedBy(2, rows, size), 2 * one) << rows << " x " << size;
    EXPECT_GE(savedBy(4, rows, size), 4 * one) << rows << " x " << size;
  }
}

/// Attention of 2 x 16 heads of 512 queries and keys, and a kernel that reads
/// it.
std::string attention(const std::string &type, const std::string &fields = "") {
  std::string text =
      fmt::format("recipe 1.3 target \"gaudi2\" producer \"tests\"\n"
                  "section @0 persistent 8589934592 bytes\n"
                  "section @1 workspace 1073741824 bytes\n");
  for (int i = 0; i < 5; ++i)
    text += fmt::format("tensor %{} \"t{}\" {} @{}+{} {}[2,16,512,64]\n", i, i,
                        i < 3    ? "input"
                        : i == 3 ? "workspace"
                                 : "output",
                        int(i == 3), i == 3 ? 0 : i << 28, type);
  return text + fmt::format(R"(kernel 0 "exp" {{
  space [2 parallel, 16 parallel, 512 parallel, 64 parallel]
  in0 : {0} rank 4
  out0 : {0} rank 4
  stage {{
    %0 = load in0[d0, d1, d2, d3] : f32
    %1 = expf %0 : f32
    store %1 -> out0[d0, d1, d2, d3]
  }}
}}
entry "main" (%0, %1, %2) -> (%4) {{
  #0 mme "mme.sdpa" attention q "NHLD" k "NHLD" v "NHLD" o "NHLD" scale 0.125{1} (%0, %1, %2) -> (%3)
  #1 tpc "tpc.exp" launch 0 (%3) -> (%4) after [#0]
}}
)",
                            type, fields);
}

TEST(Prediction, PlaysAttentionOnBothEngines) {
  const Prediction result = predictionOf(attention("bf16"));
  const auto &work = std::get<timing::AttentionWork>(result.commands[0].work);
  EXPECT_EQ(work.heads, 16);
  EXPECT_EQ(work.queries, 512);
  const timing::Cost &cost = result.tasks[0].cost;
  ASSERT_TRUE(cost.isChain());
  EXPECT_EQ(cost.total(), timing::costOf(work, *result.device).total());
  // The kernel is not a slice of the chain, it waits for all of it.
  EXPECT_TRUE(result.pipelines.empty());
  EXPECT_EQ(result.timeline.spans[1].start, result.timeline.spans[0].end);
  ASSERT_EQ(result.timeline.pieces.size(), 3u);
  EXPECT_EQ(result.timeline.pieces[0].queue, Queue::Mme);
  EXPECT_EQ(result.timeline.pieces[1].queue, Queue::Tpc);
  EXPECT_EQ(result.timeline.pieces[1].task, 0u);
  // Two products of 64 multiply-adds per score.
  const double macs = 2.0 * 16 * 512 * 512 * 128;
  EXPECT_NEAR(result.mmeUtilization,
              macs / (131072 * 1.65e9) / (double(result.time()) / 1e12), 1e-9);
  const std::string json = toJson(result).dump();
  EXPECT_THAT(json, testing::HasSubstr("\"tpc_busy_us\":92.48"));
  EXPECT_THAT(explain(result, 0), testing::HasSubstr("16 slices of 2 heads"));
  // Causality changes the work, and so its class and its time.
  EXPECT_LT(predictionOf(attention("bf16", " causal")).time(), result.time());
}

TEST(Prediction, AdvisesOnAttention) {
  // In bf16 the cheaper exponential has twice the lanes.
  const std::string fast = " softmax_mode fast";
  const Prediction result = predictionOf(attention("f32", fast));
  const std::vector<Advice> advice = advise(result, {}, {});
  const auto isPrecision = [](const Advice &entry) {
    return entry.kind == AdviceKind::Precision;
  };
  EXPECT_TRUE(std::any_of(advice.begin(), advice.end(), isPrecision));
  EXPECT_GT(result.time(), predictionOf(attention("bf16", fast)).time());
}

TEST(Prediction, SaysWhyItDoesNotPipeline) {
  const auto refusal = [](const std::string &text) {
    const Prediction result = predictionOf(text);
    EXPECT_EQ(result.pipelines.size(), 1u);
    EXPECT_EQ(result.timeline.spans[0].slices, 1u);
    return std::string(result.pipelines.at(0).refusal);
  };
  EXPECT_EQ(refusal(layer(64, 64, 64)),
            "slices would cost more than they save");
  EXPECT_EQ(refusal(layer(1021, 64, 4096)),
            "no number of 4 to 32 equal slices fits both");
  // Each slice of the kernel would read the first row.
  EXPECT_EQ(refusal(layer(4096, 64, 4096, "gaudi2", "0, d1")),
            "its first dimension is not one that the kernel's engines divide");
}

TEST(Prediction, PipelinesATransposedRead) {
  // A slice of the kernel reads rows of the product and writes columns.
  const Prediction result =
      predictionOf(layer(4096, 64, 4096, "gaudi2", "d1, d0"));
  ASSERT_EQ(result.pipelines.size(), 1u);
  EXPECT_GE(result.pipelines[0].slices, 4u);
}

TEST(Prediction, KeepsInHbmWhatOthersRead) {
  // A copy of the product's result: it lives longer than the pipeline.
  const Prediction result = predictionOf(
      layer(8192, 1024, 4096, "gaudi3", "d0, d1",
            "  #2 tpc \"copy\" transfer (%2) -> (%3) after [#1]\n"));
  ASSERT_FALSE(result.pipelines.empty());
  EXPECT_EQ(result.tasks[0].cost.hbmWritten, uint64_t(8192) * 4096 * 2);
}

TEST(Prediction, KnowsWhenBuffersAreLive) {
  const Prediction result = predictionOf(layer(64, 64, 64));
  ASSERT_EQ(result.buffers.size(), 1u);
  const BufferLife &buffer = result.buffers[0];
  EXPECT_EQ(buffer.name, "product");
  EXPECT_EQ(buffer.bytes, 64u * 64 * 2);
  EXPECT_EQ(buffer.from, result.timeline.spans[0].start);
  EXPECT_EQ(buffer.to, result.timeline.spans[1].end);
  ASSERT_EQ(result.memory.size(), 2u);
  EXPECT_EQ(result.memory[0].workspace, buffer.bytes);
  EXPECT_EQ(result.memory[1].workspace, 0u);
}

TEST(Prediction, KnowsWhatKeepsItsBytes) {
  const Prediction result = predictionOf(layer(64, 64, 64));
  std::vector<std::string> kinds;
  for (const ResidentTensor &tensor : result.resident)
    kinds.push_back(tensor.kind);
  EXPECT_EQ(kinds, (std::vector<std::string>{"input", "input", "output"}));
  EXPECT_EQ(result.resident[0].from, result.timeline.spans[0].start);
  EXPECT_EQ(result.resident[0].to, result.timeline.spans[0].end);
  EXPECT_EQ(result.resident[2].from, result.timeline.spans[1].start);
  EXPECT_EQ(result.resident[2].bytes, 64u * 64 * 2);
  EXPECT_EQ(result.resident[2].type, "64x64xbf16");
}

TEST(Prediction, AnswersWhetherItFits) {
  std::string text = layer(64, 64, 64);
  EXPECT_TRUE(predictionOf(text).fits());
  const std::string section = "section @0 persistent 8589934592 bytes";
  text.replace(text.find(section), section.size(),
               "section @0 persistent 120000000000 bytes");
  const Prediction large = predictionOf(text);
  EXPECT_FALSE(large.fits());
  EXPECT_EQ(large.capacity, uint64_t(96) << 30);
  EXPECT_EQ(large.memoryNeeded(), 120000000000u + 1073741824u);
}

TEST(Prediction, CountsWorkOnce) {
  const Prediction result = predictionOf(layer(
      64, 64, 64, "gaudi2", "d0, d1",
      "  #2 mme \"again\" gemm (%0, %1) -> (%2) after [#1] flops 524288\n"));
  EXPECT_EQ(result.commands[2].workClass, result.commands[0].workClass);
  EXPECT_NE(result.commands[1].workClass, result.commands[0].workClass);
  const std::vector<CommandGroup> groups = result.mostExpensive(10);
  ASSERT_EQ(groups.size(), 2u);
  size_t commands = 0;
  for (const CommandGroup &group : groups)
    commands += group.commands.size();
  EXPECT_EQ(commands, 3u);
  EXPECT_EQ(result.mostExpensive(1).size(), 1u);
  // Many short ones take more time than one that is longer.
  std::string copies;
  for (int c = 2; c < 12; ++c)
    copies += fmt::format("  #{} mme \"again\" gemm (%0, %1) -> (%2) after "
                          "[#{}] flops 524288\n",
                          c, c - 1);
  const Prediction many =
      predictionOf(layer(64, 64, 64, "gaudi2", "d0, d1", copies));
  const std::vector<CommandGroup> sorted = many.mostExpensive(2);
  ASSERT_EQ(sorted.size(), 2u);
  EXPECT_EQ(sorted[0].commands.size(), 11u);
  EXPECT_GT(sorted[0].time, sorted[1].time);
  // 3 * 64^3 / 1.5 multiply-adds at 131,072 per cycle of 1.65 GHz.
  const double seconds = 2 * 64.0 * 64 * 64 / 131072 / 1.65e9;
  EXPECT_NEAR(result.mmeUtilization, seconds * 1e12 / double(result.time()),
              1e-9);
}

TEST(Prediction, PlaysTheStepsOfAProgramOnce) {
  const Prediction result =
      predictionOf(R"(recipe 1.2 target "gaudi2" producer "tests"
section @0 persistent 4096 bytes
tensor %0 "x" state @0+0 f32[16]
tensor %1 "goes" state @0+1024 i1[]
kernel 0 "double" {
  space [16 parallel]
  in0 : f32 rank 1
  out0 : f32 rank 1
  stage {
    %0 = load in0[d0] : f32
    %1 = addf %0, %0 : f32
    store %1 -> out0[d0]
  }
}
entry "main" () -> () program [launch 1 while %1 [launch 2]] {
}
entry "before" () -> () {
  #0 tpc "double" launch 0 (%0) -> (%0)
}
entry "body" () -> () {
  #0 tpc "double" launch 0 (%0) -> (%0)
  #1 tpc "double" launch 0 (%0) -> (%0)
}
)");
  ASSERT_EQ(result.commands.size(), 4u);
  EXPECT_EQ(result.commands[1].name, "host.launch");
  EXPECT_EQ(result.commands[1].queue, Queue::Host);
  ASSERT_EQ(result.launches.size(), 2u);
  EXPECT_EQ(result.launches[1].first, 2u);
  EXPECT_EQ(result.launches[1].count, 2u);
  EXPECT_GE(result.timeline.spans[2].start, result.timeline.spans[1].end);
  EXPECT_GE(result.timeline.spans[1].start, result.timeline.spans[0].end);
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_EQ(result.notes[0],
            "the host runs a loop, and how often is known only in a run: each "
            "is predicted with one iteration");
}

TEST(Prediction, NeedsAnEntry) {
  const recipe::RecipeFile file = recipeOf(layer(64, 64, 64));
  const Result<Prediction> result = predict(file, 1);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "no entry 1: the recipe has 1");
}

TEST(Prediction, TellsWhatBecameOfPermutations) {
  const std::string regions = R"(
location 1 "m.mlir:3:8"
region "main" transposes 3 -> 1 bytes 4096 -> 1024 picoseconds 9000000 -> 5000000 bound 4000000 ops 7 loc 1 {
  transpose kept "kept: it must" bytes 1024 picoseconds 2000000 loc 1
  op "mme.gemm" order [1, 0]
  op "tpc.tanh" loc 1
  edge 0 -> 1 transpose 0
}
region "main" transposes 1 -> 0 bytes 64 -> 0 picoseconds 1000000 -> 1000000 bound 1000000 ops 0 {
}
)";
  std::string text = layer(64, 64, 64) + regions;
  text.replace(text.find("recipe 1.2"), 10, "recipe 1.4");
  const auto json = permutationsOf(predictionOf(text));
  EXPECT_EQ(json["line"], "1 transpose instead of 4, 1.00 KiB instead of 4.06 "
                          "KiB, 6.00 us instead of 10.0 us on gaudi2, lower "
                          "bound 5.00 us: gap 17 %");
  EXPECT_EQ(json["optimal"], false);
  ASSERT_EQ(json["regions"].size(), 2u);
  const auto &region = json["regions"][0];
  EXPECT_EQ(region["location"], "m.mlir:3:8");
  EXPECT_EQ(region["after_us"], 5.0);
  EXPECT_EQ(region["ops_in_all"], 7);
  EXPECT_EQ(region["transposes"][0]["text"], "kept: it must");
  EXPECT_EQ(region["transposes"][0]["time_us"], 2.0);
  EXPECT_EQ(region["ops"][0]["order"].dump(), "[1,0]");
  EXPECT_EQ(region["edges"].dump(), "[[0,1,0]]");
  EXPECT_EQ(json["regions"][1]["optimal"], true);
}

} // namespace
