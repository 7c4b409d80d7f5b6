// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of recipes, from their instructions to device time, computed by hand.
//
// Gaudi 2: 24 engines at 1.8 GHz, vectors of 64 f32, 1945 GiB/s of memory,
// 64 bytes per cycle and engine in each direction.
#include "Gaudi/Timing/Tpc.h"
#include "RecipeText.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace gaudi;
using timing::Bound;
using timing::Cost;
using timing::Dims;
using timing::TpcPlan;

namespace {

/// A kernel with its operands, inputs first: "bf16[4,8]".
struct KernelCase {
  std::string body; // of the kernel's text
  std::vector<std::string> inputs, outputs;
};

struct Planned {
  TpcPlan plan;
  Cost cost;
};

Planned planned(const KernelCase &given, const std::string &target = "gaudi2") {
  std::string text = fmt::format("recipe 1.2 target \"{}\" producer \"tests\"\n"
                                 "section @0 persistent 8589934592 bytes\n",
                                 target);
  std::string in, out, kernel;
  uint32_t tensor = 0;
  const auto add = [&](const std::string &type, bool isInput, uint32_t i) {
    const size_t bracket = type.find('[');
    const auto rank = std::count(type.begin(), type.end(), ',') + 1;
    text +=
        fmt::format("tensor %{} \"t{}\" {} @0+{} {}\n", tensor, tensor,
                    isInput ? "input" : "output", uint64_t(tensor) << 29, type);
    kernel += fmt::format("  {}{} : {} rank {}\n", isInput ? "in" : "out", i,
                          type.substr(0, bracket), rank);
    std::string &list = isInput ? in : out;
    list += fmt::format("{}%{}", list.empty() ? "" : ", ", tensor++);
  };
  for (uint32_t i = 0; i < given.inputs.size(); ++i)
    add(given.inputs[i], true, i);
  for (uint32_t i = 0; i < given.outputs.size(); ++i)
    add(given.outputs[i], false, i);
  const size_t line = given.body.find('\n') + 1; // after the index space
  text +=
      fmt::format("kernel 0 \"k\" {{\n{}{}{}}}\n", given.body.substr(0, line),
                  kernel, given.body.substr(line));
  text += fmt::format("entry \"main\" ({}) -> ({}) {{\n"
                      "  #0 tpc \"tpc.k\" launch 0 ({}) -> ({})\n}}\n",
                      in, out, in, out);
  const prediction::Prediction predicted = prediction::predictionOf(text);
  const auto &work =
      std::get<timing::KernelWork>(predicted.commands.front().work);
  return {timing::planOf(work, *predicted.device),
          timing::costOf(timing::Work(work), *predicted.device)};
}

/// Picoseconds of cycles at 1.8 GHz, rounded up.
int64_t cycles(double count) {
  return int64_t(std::ceil(count / 1.8e9 * 1e12));
}

// c = a + b in bf16. The two dimensions are one of 2^24 elements, 131,072
// vectors of 256 bytes. 24 engines: 8 divides it, 131,072 / 8 = 16,384, three
// engines each: ceil(16,384 / 3) = 5,462 vectors, 10,924 of 64 f32.
// Vector slot: two conversions, the sum, a conversion: 4 * 10,924.
TEST(KernelWork, Sum) {
  const auto [plan, cost] = planned({"  space [4096 parallel, 4096 parallel]\n"
                                     "  stage {\n"
                                     "    %0 = load in0[d0, d1] : f32\n"
                                     "    %1 = load in1[d0, d1] : f32\n"
                                     "    %2 = addf %0, %1 : f32\n"
                                     "    store %2 -> out0[d0, d1]\n"
                                     "  }\n",
                                     {"bf16[4096,4096]", "bf16[4096,4096]"},
                                     {"bf16[4096,4096]"}});
  EXPECT_EQ(plan.split.engines, 24u);
  EXPECT_EQ(plan.split.box, Dims{5462});
  EXPECT_EQ(plan.vector, 4 * 10924);
  EXPECT_EQ(plan.load, 2 * 5462);
  EXPECT_EQ(plan.store, 5462);
  EXPECT_EQ(plan.cycles, 4 * 10924);
  EXPECT_EQ(plan.readPort, 2 * 5462 * 256);
  // 3 * 32 MiB at 1945 GiB/s: 48.2 us, twice what the vector slot takes.
  EXPECT_EQ(cost.hbmRead, 2u << 25);
  EXPECT_EQ(cost.hbmWritten, 1u << 25);
  EXPECT_NEAR(double(cost.read), 3 * 32.0 / 1024 / 1945 * 1e12, 1e3);
  EXPECT_EQ(cost.bound, Bound::Read);
}

// Softmax over rows of 512 f32 (8 vectors). 1024 rows: 8 engines divide them,
// 128 each, three engines for 128 rows: 43. Per engine 43 * 8 = 344 vectors.
TEST(KernelWork, SoftmaxOfRows) {
  const auto [plan, cost] = planned({"  space [1024 parallel, 512]\n"
                                     "  stage {\n"
                                     "    %0 = const -inf : f32\n"
                                     "    %1 = const 0.0 : f32\n"
                                     "  }\n"
                                     "  loop [1] {\n"
                                     "    %2 = load in0[d0, d1] : f32\n"
                                     "    reduce max %2 init %0 -> %3\n"
                                     "  }\n"
                                     "  loop [1] {\n"
                                     "    %4 = load in0[d0, d1] : f32\n"
                                     "    %5 = subf %4, %3 : f32\n"
                                     "    %6 = expf %5 : f32\n"
                                     "    reduce add %6 init %1 -> %7\n"
                                     "  }\n"
                                     "  loop [1] {\n"
                                     "    %8 = load in0[d0, d1] : f32\n"
                                     "    %9 = subf %8, %3 : f32\n"
                                     "    %10 = expf %9 : f32\n"
                                     "    %11 = divf %10, %7 : f32\n"
                                     "    store %11 -> out0[d0, d1]\n"
                                     "  }\n",
                                     {"f32[1024,512]"},
                                     {"f32[1024,512]"}});
  EXPECT_EQ(plan.vectorDim, 1);
  EXPECT_EQ(plan.box, (Dims{43, 512}));
  // max: one instruction on a vector. The lanes of 43 maxima are merged in 6
  // steps of 2. Then sub, exp (19) and add, merged again. Then a reciprocal
  // (17) per row, and a product: a row of exponentials takes 2 KiB of local
  // memory and is not computed again.
  const double merge = 43 * 12;
  EXPECT_EQ(plan.vector, 344 + merge + 344 * 21 + merge + 43 * 17 + 344);
  EXPECT_EQ(plan.special, 344 * 19 + 43 * 17);
  // 43 rows are interleaved by four: 44 / 43 of the time, in the two merges
  // and the reciprocal.
  EXPECT_NEAR(plan.idle, (2 * merge + 43 * 17) / 43, 1e-6);
  EXPECT_NEAR(double(cost.compute), double(cycles(9716)), 1);
  // A row of 2 KiB is in local memory when it is read again.
  EXPECT_EQ(plan.load, 3 * 344 + 43 * 2);
  EXPECT_EQ(plan.readPort, 43 * 2048);
  EXPECT_EQ(cost.hbmRead, 2u << 20);
  EXPECT_EQ(cost.bound, Bound::Special);
}

// The sum of 4096 rows of 768 f32. Vectors lie along the columns, of which
// there are 12: as many engines, which take 64 bytes per cycle each. A column
// of vectors has 1 MiB: 16,384 cycles; the sums are a fourth of that.
TEST(KernelWork, SumOfColumns) {
  const auto [plan, cost] = planned({"  space [768 parallel, 4096]\n"
                                     "  stage {\n"
                                     "    %0 = const 0.0 : f32\n"
                                     "  }\n"
                                     "  loop [1] {\n"
                                     "    %1 = load in0[d1, d0] : f32\n"
                                     "    reduce add %1 init %0 -> %2\n"
                                     "  }\n"
                                     "  stage {\n"
                                     "    store %2 -> out0[d0]\n"
                                     "  }\n",
                                     {"f32[4096,768]"},
                                     {"f32[768]"}});
  EXPECT_EQ(plan.vectorDim, 0);
  EXPECT_EQ(plan.split.engines, 12u);
  EXPECT_EQ(plan.box, (Dims{64, 4096}));
  EXPECT_EQ(plan.vector, 4096);
  EXPECT_EQ(plan.load, 4096);
  EXPECT_EQ(plan.store, 1);
  EXPECT_EQ(plan.readPort, 1 << 20);
  EXPECT_EQ(cost.read, cycles(16384));
  EXPECT_GT(cost.read, 12 * 1024.0 / 1024 / 1024 / 1945 * 1e12);
  EXPECT_EQ(cost.bound, Bound::Read);
}

// 3x3 maxima at stride 2. 56 rows of results: 8 engines divide them, three for
// each 7: 3 rows of 56 places, a vector of 64 channels each, 9 loads for each.
// Three rows of the input, 3 * 28,928 bytes and the windows' overlap, do not
// fit the 80 KiB of local memory: every window is read from outside.
TEST(KernelWork, MaximumOfWindows) {
  const auto [plan, cost] =
      planned({"  space [56 parallel, 56 parallel, 64 parallel, 3, 3]\n"
               "  stage {\n"
               "    %0 = const -inf : f32\n"
               "  }\n"
               "  loop [3, 4] {\n"
               "    %1 = load in0[2*d0 + d3, 2*d1 + d4, d2] : f32\n"
               "    reduce max %1 init %0 -> %2\n"
               "  }\n"
               "  stage {\n"
               "    store %2 -> out0[d0, d1, d2]\n"
               "  }\n",
               {"f32[113,113,64]"},
               {"f32[56,56,64]"}});
  EXPECT_EQ(plan.vectorDim, 2);
  EXPECT_EQ(plan.box, (Dims{3, 56, 64, 3, 3}));
  EXPECT_EQ(plan.split.engines, 19u); // ceil(56 / 3)
  EXPECT_EQ(plan.load, 3 * 56 * 9);
  EXPECT_EQ(plan.vector, 3 * 56 * 9);
  EXPECT_EQ(plan.store, 3 * 56);
  EXPECT_EQ(plan.readPort, 3 * 56 * 9 * 256);
  // The input passes HBM once: SRAM holds it.
  EXPECT_EQ(cost.hbmRead, 113 * 113 * 64 * 4);
  EXPECT_EQ(cost.hbmWritten, 56 * 56 * 64 * 4);
}

// Rows of a table: out[i, :] = table[ids[i], :], bf16. Six vectors of 256 bytes
// per row. 8 engines divide the 4096 rows, 3 divide the 6: boxes of 512 rows
// and 256 columns, 512 * 4 vectors of f32.
TEST(KernelWork, GatherOfRows) {
  const auto [plan, cost] = planned({"  space [4096 parallel, 768 parallel]\n"
                                     "  stage {\n"
                                     "    %0 = load in1[d0] : i32\n"
                                     "    %1 = extsi %0 : i64\n"
                                     "    %2 = load in0[%1 checked, d1] : f32\n"
                                     "    store %2 -> out0[d0, d1]\n"
                                     "  }\n",
                                     {"bf16[30000,768]", "i32[4096]"},
                                     {"bf16[4096,768]"}});
  EXPECT_EQ(plan.box, (Dims{512, 256}));
  EXPECT_EQ(plan.split.engines, 24u);
  EXPECT_EQ(plan.vector, 512 + 2 * 2048); // to i64; to f32 and back
  EXPECT_EQ(plan.load, 512 + 2 * 512);
  EXPECT_EQ(plan.store, 2 * 512);
  // Each load and store has a position; an index passes in two instructions.
  EXPECT_EQ(plan.scalar, 512 + 1024 + 1024 + 2 * 512);
  EXPECT_EQ(plan.cycles, 512 + 2 * 2048);
  // 4096 rows of the table, not all of it.
  EXPECT_EQ(cost.hbmRead, 4096 * 1536 + 4096 * 4);
  EXPECT_EQ(cost.hbmWritten, 4096 * 1536);
  EXPECT_EQ(cost.bound, Bound::Read);
  // The rows of the table are read at 64 % of 2.46 TB/s, all else at 2.088
  // TB/s.
  EXPECT_NEAR(double(cost.read), 4096 * (1536 / 1.5744 + 1540 / 2.0884278),
              100);
}

// Elements of a table: each needs a load of its own, two instructions that
// bring its index to the scalar pipe and one for the position.
TEST(KernelWork, GatherOfElements) {
  const auto [plan, cost] = planned({"  space [24576 parallel]\n"
                                     "  stage {\n"
                                     "    %0 = load in1[d0] : i64\n"
                                     "    %1 = load in0[%0 checked] : f32\n"
                                     "    store %1 -> out0[d0]\n"
                                     "  }\n",
                                     {"f32[100000000]", "i64[24576]"},
                                     {"f32[24576]"}});
  EXPECT_EQ(plan.box, Dims{1024});
  EXPECT_EQ(plan.load, 1024 * 8 / 256 + 1024);
  EXPECT_EQ(plan.store, 1024 / 64);
  // The store is where its index was loaded.
  EXPECT_EQ(plan.scalar, 32 + 3 * 1024);
  EXPECT_EQ(plan.cycles, plan.scalar);
  // A memory line for each element.
  EXPECT_EQ(cost.hbmRead, 24576 * (256 + 8));
}

// out[i, j] = max(in[j, i], 0). 8 engines divide the rows, three 128 rows: 43.
// Vectors along j read lines along i, of which 43 elements are used: 64 / 43
// loads and 6 shuffles for a vector.
TEST(KernelWork, Transpose) {
  const auto [plan, cost] = planned({"  space [1024 parallel, 1024 parallel]\n"
                                     "  stage {\n"
                                     "    %0 = load in0[d1, d0] : f32\n"
                                     "    %1 = const 0.0 : f32\n"
                                     "    %2 = maxf %0, %1 : f32\n"
                                     "    store %2 -> out0[d0, d1]\n"
                                     "  }\n",
                                     {"f32[1024,1024]"},
                                     {"f32[1024,1024]"}});
  EXPECT_EQ(plan.vectorDim, 1);
  EXPECT_EQ(plan.box, (Dims{43, 1024}));
  EXPECT_EQ(plan.vector, 43 * 16 * (1 + 6));
  EXPECT_NEAR(plan.load, 43 * 16 * 64.0 / 43, 1e-6);
  EXPECT_EQ(plan.store, 43 * 16);
  EXPECT_EQ(cost.hbmRead, 4u << 20);
}

// The parameters of a channel do not vary with the place: with the channels
// outermost, their square root is computed once.
TEST(KernelWork, ParametersOfChannels) {
  const auto [plan, cost] = planned({"  space [4096 parallel, 64 parallel]\n"
                                     "  stage {\n"
                                     "    %0 = load in0[d0, d1] : f32\n"
                                     "    %1 = load in1[d1] : f32\n"
                                     "    %2 = rsqrtf %1 : f32\n"
                                     "    %3 = mulf %0, %2 : f32\n"
                                     "    store %3 -> out0[d0, d1]\n"
                                     "  }\n",
                                     {"f32[4096,64]", "f32[64]"},
                                     {"f32[4096,64]"}});
  EXPECT_EQ(plan.box, (Dims{171, 64})); // ceil(4096 / 8 / 3)
  EXPECT_EQ(plan.vector, 171 + 17);
  EXPECT_EQ(plan.load, 171 + 1 + 2);
  EXPECT_EQ(cost.hbmRead, 4096 * 256 + 256);
}

// x^2 is one product, x / 3 a product with a constant; x / sqrt(y) of a column
// needs one root and one reciprocal for it.
TEST(KernelWork, SecondOperands) {
  const auto [plan, cost] = planned({"  space [4096 parallel, 64 parallel]\n"
                                     "  stage {\n"
                                     "    %0 = load in0[d0, d1] : f32\n"
                                     "    %1 = load in1[d1] : f32\n"
                                     "    %2 = const 2.0 : f32\n"
                                     "    %3 = const 3.0 : f32\n"
                                     "    %4 = powf %0, %2 : f32\n"
                                     "    %5 = divf %4, %3 : f32\n"
                                     "    %6 = sqrtf %1 : f32\n"
                                     "    %7 = divf %5, %6 : f32\n"
                                     "    store %7 -> out0[d0, d1]\n"
                                     "  }\n",
                                     {"f32[4096,64]", "f32[64]"},
                                     {"f32[4096,64]"}});
  EXPECT_EQ(plan.vector, 171 * 3 + 17 + 17);
  EXPECT_EQ(plan.special, 17 + 17);
}

// A recurrence: each step needs the one before it, so that one row waits out
// the latency of its instructions. 4 cycles for each of 2 instructions.
TEST(KernelWork, Recurrence) {
  const auto [plan, cost] = planned({"  space [1 parallel, 1000]\n"
                                     "  stage {\n"
                                     "    %0 = const 0.0 : f32\n"
                                     "    %1 = const 0.5 : f32\n"
                                     "  }\n"
                                     "  loop [1] {\n"
                                     "    %2 = load in0[d0, d1] : f32\n"
                                     "    %3 = carry 0 : f32\n"
                                     "    %4 = mulf %3, %1 : f32\n"
                                     "    %5 = addf %4, %2 : f32\n"
                                     "    reduce custom %5 init %0 -> %6\n"
                                     "  }\n"
                                     "  stage {\n"
                                     "    store %6 -> out0[d0]\n"
                                     "  }\n",
                                     {"f32[1,1000]"},
                                     {"f32[1]"}});
  EXPECT_EQ(plan.split.engines, 1u);
  EXPECT_GE(plan.cycles, 1000 * 2 * 4);
  EXPECT_TRUE(plan.hasChain);
  EXPECT_EQ(cost.bound, Bound::Latency);
}

// The same with a factor per step, which is loaded beside: 3 instructions in
// the chain of one row, and of eight rows on an engine, which fill the cycles.
TEST(KernelWork, RecurrenceOfRows) {
  for (auto [rows, waits] : {std::pair(24, true), std::pair(192, false)}) {
    const auto [plan, cost] =
        planned({fmt::format("  space [{} parallel, 1000]\n", rows) +
                     "  stage {\n"
                     "    %0 = const 0.0 : f32\n"
                     "  }\n"
                     "  loop [1] {\n"
                     "    %1 = load in0[d0, d1] : f32\n"
                     "    %2 = load in1[d1] : f32\n"
                     "    %3 = carry 0 : f32\n"
                     "    %4 = mulf %3, %2 : f32\n"
                     "    %5 = addf %4, %1 : f32\n"
                     "    reduce custom %5 init %0 -> %6\n"
                     "  }\n"
                     "  stage {\n"
                     "    store %6 -> out0[d0]\n"
                     "  }\n",
                 {fmt::format("f32[{},1000]", rows), "f32[1000]"},
                 {fmt::format("f32[{}]", rows)}});
    EXPECT_EQ(plan.split.engines, 24u);
    // And a store per row.
    EXPECT_EQ(plan.cycles, waits ? 1000 * 3 * 4 + 1 : 8 * 1000 * 3 + 8);
    EXPECT_EQ(cost.bound, waits ? Bound::Latency : Bound::Vector);
  }
}

// Two tensors, each in a loop of its own, as optimizers pass their parameters:
// 20 rows of 16 vectors and of one vector on each engine.
TEST(KernelWork, TensorsOneAfterTheOther) {
  const auto [plan, cost] = planned({"  space [480 parallel, 1024, 64]\n"
                                     "  loop [1] {\n"
                                     "    %0 = load in0[d0, d1] : f32\n"
                                     "    %1 = addf %0, %0 : f32\n"
                                     "    store %1 -> out0[d0, d1]\n"
                                     "  }\n"
                                     "  loop [2] {\n"
                                     "    %2 = load in1[d0, d2] : f32\n"
                                     "    %3 = addf %2, %2 : f32\n"
                                     "    store %3 -> out1[d0, d2]\n"
                                     "  }\n",
                                     {"f32[480,1024]", "f32[480,64]"},
                                     {"f32[480,1024]", "f32[480,64]"}});
  EXPECT_EQ(plan.points, 480u * (1024 + 64));
  EXPECT_EQ(plan.vector, 20 * 17);
  EXPECT_EQ(plan.load, 20 * 17);
  EXPECT_EQ(plan.store, 20 * 17);
  EXPECT_EQ(plan.readPort, 20 * 17 * 256);
  EXPECT_EQ(cost.hbmRead, 480u * (1024 + 64) * 4);
  EXPECT_EQ(cost.hbmWritten, cost.hbmRead);
}

// One element: what a launch costs, 2.0 us as in the trace of a Gaudi 3.
TEST(KernelWork, OneElement) {
  for (const char *target : {"gaudi", "gaudi2", "gaudi3"}) {
    const auto [plan, cost] = planned({"  space [1 parallel]\n"
                                       "  stage {\n"
                                       "    %0 = load in0[d0] : f32\n"
                                       "    %1 = addf %0, %0 : f32\n"
                                       "    store %1 -> out0[d0]\n"
                                       "  }\n",
                                       {"f32[1]"},
                                       {"f32[1]"}},
                                      target);
    EXPECT_EQ(plan.split.engines, 1u);
    EXPECT_NEAR(double(cost.total()), 2.0e6, 0.02e6);
    EXPECT_EQ(cost.bound, Bound::Launch);
    EXPECT_EQ(cost.hbmRead, 256u);
  }
}

} // namespace
