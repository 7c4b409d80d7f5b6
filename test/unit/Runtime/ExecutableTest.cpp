// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loading, host data, state, memory, statistics and threads.
#include "TestRecipe.h"

#include "Gaudi/Runtime/Arena.h"
#include "Gaudi/Support/Units.h"

#include <numeric>

using namespace gaudi;
using namespace gaudi::test;

namespace {

/// dst = a + b, elementwise.
void add(TestRecipe &r, uint32_t a, uint32_t b, uint32_t dst, int64_t n) {
  KernelBuilder k({n}, {true});
  k.input(F32, 1).input(F32, 1).output(F32, 1);
  k.stage();
  const uint32_t x = k.inst(Op::Load, F32, k.access(0, 0, k.at({{0, 1}})));
  const uint32_t y = k.inst(Op::Load, F32, k.access(1, 0, k.at({{0, 1}})));
  k.store(k.access(2, 0, k.at({{0, 1}})), k.inst(Op::AddF, F32, x, y));
  r.launch(k, {a, b}, {dst});
}

TEST(Executable, ConstantsAndWorkspace) {
  const int64_t n = 100;
  TestRecipe r;
  const uint32_t in = r.input(F32, {n});
  const auto c = Random(1).values(size_t(n)), v = Random(2).values(size_t(n));
  const uint32_t constant = r.constant(F32, {n}, bytesOf(c));
  const uint32_t temp = r.workspace(F32, {n});
  add(r, in, constant, temp, n);
  add(r, temp, constant, r.output(F32, {n}), n);
  runtime::LoadOptions options;
  options.timing = true;
  auto executable = r.load(options);
  ASSERT_TRUE(executable);
  const auto y = valuesOf<float>(TestRecipe::run(*executable, {bytesOf(v)})[0]);
  for (size_t i = 0; i < size_t(n); ++i)
    EXPECT_EQ(y[i], v[i] + c[i] + c[i]);

  const runtime::MemoryStats &memory = executable->memory();
  EXPECT_EQ(memory.persistent, r.recipe.sections[0]->size);
  EXPECT_EQ(memory.constants, r.recipe.sections[1]->size);
  EXPECT_EQ(memory.workspace, uint64_t(n) * 4);
  EXPECT_EQ(memory.measuredPeak, memory.plannedPeak());
  auto stats = executable->launch();
  ASSERT_TRUE(stats.has_value());
  ASSERT_EQ(stats->commandMilliseconds.size(), 2u);
  const double sum =
      stats->commandMilliseconds[0] + stats->commandMilliseconds[1];
  EXPECT_DOUBLE_EQ(stats->engineMilliseconds[1], sum);
  EXPECT_EQ(stats->engineMilliseconds[0], 0);
  EXPECT_GE(stats->milliseconds, sum);
  EXPECT_EQ(executable->commands()[0].engine, 1u);
  EXPECT_EQ(executable->commands()[0].location, "model.mlir:7:3");
}

TEST(Executable, MeasuredPeakIsWhatIsTouched) {
  TestRecipe r;
  const uint32_t in = r.input(F32, {10});
  const uint32_t temp = r.workspace(F32, {10});
  r.workspace(F32, {1000}); // planned, but no command touches it
  r.command(recipe::Engine::DMA, "copy", recipe::TransferT(), {in}, {temp});
  r.command(recipe::Engine::DMA, "copy", recipe::TransferT(), {temp},
            {r.output(F32, {10})});
  auto executable = r.load();
  ASSERT_TRUE(executable);
  EXPECT_EQ(executable->memory().measuredPeak, 0u);
  ASSERT_TRUE(executable->launch().has_value());
  EXPECT_EQ(executable->memory().measuredPeak,
            executable->memory().persistent + 40);
  EXPECT_GT(executable->memory().plannedPeak(),
            executable->memory().measuredPeak);
}

TEST(Executable, StateStaysBetweenLaunches) {
  TestRecipe r;
  const uint32_t in = r.input(F32, {4});
  const uint32_t state = r.state(F32, {4});
  r.entry().inputs.push_back(state);
  add(r, state, in, state, 4);
  r.entry().outputs.push_back(state);
  auto executable = r.load();
  ASSERT_TRUE(executable);
  const std::vector<float> step = {1, 2, 3, 4};
  ASSERT_TRUE(executable->setInput(0, step.data(), 16).has_value());
  for (int launch = 0; launch < 3; ++launch)
    ASSERT_TRUE(executable->launch().has_value());
  std::vector<float> got(4);
  ASSERT_EQ(executable->states().size(), 1u);
  ASSERT_TRUE(executable->getState(0, got.data(), 16).has_value());
  EXPECT_EQ(got, (std::vector<float>{3, 6, 9, 12}));
  ASSERT_TRUE(executable->getOutput(0, got.data(), 16).has_value());
  EXPECT_EQ(got, (std::vector<float>{3, 6, 9, 12}));
}

TEST(Executable, HostDataIsDenseInTheUsersOrder) {
  TestRecipe r;
  // Stored as [3, 2] with a row pitch of 5; the user sees [2, 3].
  const uint32_t in = r.input(F32, {3, 2}, {5, 1});
  r.recipe.tensors[in]->permutation = {1, 0};
  r.command(recipe::Engine::DMA, "copy", recipe::TransferT(), {in},
            {r.output(F32, {3, 2})});
  auto executable = r.load();
  ASSERT_TRUE(executable);
  EXPECT_EQ(executable->inputs()[0].shape, (Dims{2, 3}));
  const std::vector<float> v = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(valuesOf<float>(TestRecipe::run(*executable, {bytesOf(v)})[0]),
            (std::vector<float>{1, 4, 2, 5, 3, 6}));
}

/// A caller's tensor of these sizes, each element its number.
std::vector<float> numbered(const Dims &sizes) {
  std::vector<float> values(size_t(count(sizes)));
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

// A permutation that is not its own inverse tells the two apart.
TEST(Executable, StoresNchwAsNhwc) {
  TestRecipe r;
  const uint32_t in = r.input(F32, {2, 4, 5, 3});
  const uint32_t raw = r.output(F32, {2, 4, 5, 3});
  const uint32_t out = r.output(F32, {2, 4, 5, 3});
  for (uint32_t id : {in, out})
    r.recipe.tensors[id]->permutation = {0, 2, 3, 1};
  for (uint32_t id : {raw, out})
    r.command(recipe::Engine::DMA, "copy", recipe::TransferT(), {in}, {id});
  auto executable = r.load();
  ASSERT_TRUE(executable);
  const Dims nchw = {2, 3, 4, 5};
  EXPECT_EQ(executable->inputs()[0].shape, nchw);
  EXPECT_EQ(executable->inputs()[0].permutation,
            (std::vector<uint8_t>{0, 2, 3, 1}));
  EXPECT_EQ(executable->outputs()[0].shape, (Dims{2, 4, 5, 3}));
  EXPECT_TRUE(executable->outputs()[0].permutation.empty());
  EXPECT_EQ(executable->outputs()[1].shape, nchw);
  const auto values = numbered(nchw);
  const auto got = TestRecipe::run(*executable, {bytesOf(values)});
  EXPECT_EQ(valuesOf<float>(got[1]), values);
  const auto stored = valuesOf<float>(got[0]);
  for (size_t n = 0, i = 0; n < 2; ++n)
    for (size_t h = 0; h < 4; ++h)
      for (size_t w = 0; w < 5; ++w)
        for (size_t c = 0; c < 3; ++c, ++i)
          EXPECT_EQ(stored[i], values[((n * 3 + c) * 4 + h) * 5 + w]);
}

/// State is read and set in the caller's order, too, and begins as a constant
/// that a view permutes.
TEST(Executable, StateInAnotherOrder) {
  const Dims sizes = {2, 3, 4};
  TestRecipe r;
  const uint32_t state = r.state(F32, {3, 4, 2});
  r.recipe.tensors[state]->permutation = {1, 2, 0};
  const auto values = numbered(sizes);
  const uint32_t constant = r.constant(F32, sizes, bytesOf(values));
  const uint32_t view = r.constant(F32, {}, {});
  recipe::TensorT &window = *r.recipe.tensors[view];
  window.sizes = {3, 4, 2};
  window.strides = {4, 1, 12};
  window.offset = r.recipe.tensors[constant]->offset;
  window.alias_of = int32_t(constant);
  r.recipe.tensors[state]->initial = int32_t(view);
  const uint32_t out = r.output(F32, {3, 4, 2});
  r.command(recipe::Engine::DMA, "copy", recipe::TransferT(), {state}, {out});
  auto executable = r.load();
  ASSERT_TRUE(executable);
  ASSERT_EQ(executable->states().size(), 1u);
  EXPECT_EQ(executable->states()[0].shape, sizes);
  std::vector<float> got(values.size());
  const size_t bytes = got.size() * sizeof(float);
  ASSERT_TRUE(executable->getState(0, got.data(), bytes).has_value());
  EXPECT_EQ(got, values);
  std::vector<float> other(values.rbegin(), values.rend());
  ASSERT_TRUE(executable->setState(0, other.data(), bytes).has_value());
  const auto stored = valuesOf<float>(TestRecipe::run(*executable, {})[0]);
  for (size_t b = 0, i = 0; b < 3; ++b)
    for (size_t c = 0; c < 4; ++c)
      for (size_t a = 0; a < 2; ++a, ++i)
        EXPECT_EQ(stored[i], other[(a * 3 + b) * 4 + c]);
  ASSERT_TRUE(executable->resetStates().has_value());
  ASSERT_TRUE(executable->getState(0, got.data(), bytes).has_value());
  EXPECT_EQ(got, values);
}

/// The dimension of an index that leaves its tensor is that of the caller's.
TEST(Executable, FaultsSpeakOfTheCallersDimensions) {
  TestRecipe r;
  const uint32_t ids = r.input(ElementType::I64, {1});
  const uint32_t in = r.input(F32, {7, 2});
  r.recipe.tensors[in]->permutation = {1, 0};
  KernelBuilder k({1}, {true});
  k.input(ElementType::I64, 1).input(F32, 2).output(F32, 1);
  k.stage();
  const uint32_t id =
      k.inst(Op::Load, ElementType::I64, k.access(0, 0, k.at({{0, 1}})));
  const uint32_t x = k.inst(Op::Load, F32, k.access(1, 0, k.by(id), k.at({})));
  k.store(k.access(2, 0, k.at({{0, 1}})), x);
  r.launch(k, {ids, in}, {r.output(F32, {1})});
  auto executable = r.load();
  ASSERT_TRUE(executable);
  const std::vector<int64_t> index = {9};
  const std::vector<float> values(14);
  ASSERT_TRUE(executable->setInput(0, index.data(), 8).has_value());
  ASSERT_TRUE(executable->setInput(1, values.data(), 56).has_value());
  auto stats = executable->launch();
  ASSERT_FALSE(stats.has_value());
  EXPECT_EQ(stats.error().message,
            "command 0 \"tpc.test\" (model.mlir:7:3): index 9 is out of bounds "
            "for dimension 1 of \"in1\" (size 7)");
}

TEST(Executable, RefusesWrongHostData) {
  TestRecipe r;
  const uint32_t in = r.input(F32, {2, 3});
  r.command(recipe::Engine::DMA, "copy", recipe::TransferT(), {in},
            {r.output(F32, {2, 3})});
  auto executable = r.load();
  ASSERT_TRUE(executable);
  std::vector<float> v(6);
  auto message = [](const Status &status) {
    return status ? std::string("no error") : status.error().message;
  };
  EXPECT_EQ(message(executable->setInput(0, v.data(), 23)),
            "input 0 \"in0\" is a 2x3xf32: expected 24 bytes but got 23");
  EXPECT_EQ(message(executable->getOutput(0, v.data(), 25)),
            "output 0 \"out1\" is a 2x3xf32: expected 24 bytes but got 25");
  EXPECT_EQ(message(executable->setInput(1, v.data(), 24)),
            "there is no input 1, the recipe has 1");
  EXPECT_EQ(message(executable->getOutput(7, v.data(), 24)),
            "there is no output 7, the recipe has 1");
  EXPECT_EQ(message(executable->setState(0, v.data(), 24)),
            "there is no state 0, the recipe has 0");
  EXPECT_EQ(message(executable->setInput(0, v.data(), 24, 3)),
            "there is no entry 3, the recipe has 1");
  EXPECT_EQ(message(executable->setInput("foo", v.data(), 24)),
            "there is no input \"foo\", the recipe has \"in0\"");
  EXPECT_EQ(message(executable->setInput("in0", v.data(), 24)), "no error");
  EXPECT_EQ(executable->findEntry("main").value_or(9), 0u);
  auto missing = executable->findEntry("train");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().message,
            "the recipe has no entry \"train\", it has \"main\"");
}

TEST(Executable, OutOfDeviceMemoryNamesTheLargestBuffers) {
  const int64_t n = 1 << 20;
  TestRecipe r;
  const uint32_t in = r.input(F32, {n});
  const uint32_t temp = r.workspace(F32, {n}), late = r.workspace(F32, {n / 2});
  const uint32_t part = r.input(F32, {n / 2});
  const uint32_t out = r.output(F32, {n}), small = r.output(F32, {n / 2});
  r.command(recipe::Engine::DMA, "copy", recipe::TransferT(), {in}, {temp});
  r.command(recipe::Engine::DMA, "copy", recipe::TransferT(), {temp}, {out});
  r.command(recipe::Engine::DMA, "copy", recipe::TransferT(), {part}, {late});
  r.command(recipe::Engine::DMA, "copy", recipe::TransferT(), {late}, {small});
  runtime::LoadOptions options;
  options.deviceMemory = 10 << 20;
  auto result = r.tryLoad(options);
  ASSERT_FALSE(result.has_value());
  // "late" lives after the peak, so it is not listed.
  EXPECT_EQ(result.error().message,
            "out of device memory: the recipe needs 18.0 MiB (persistent 12.0 "
            "MiB, const 0 B, workspace 6.00 MiB) but the device has 10.0 MiB; "
            "a smaller batch takes less, and gaudi-run MODEL --plan-memory "
            "says what else does; largest live buffers at the peak:\n"
            "  4.00 MiB  Input \"in0\" 1048576xf32 (model.mlir:7:3)\n"
            "  4.00 MiB  Workspace \"temp1\" 1048576xf32 (model.mlir:7:3)\n"
            "  4.00 MiB  Output \"out4\" 1048576xf32 (model.mlir:7:3)\n"
            "  2.00 MiB  Input \"in3\" 524288xf32 (model.mlir:7:3)\n"
            "  2.00 MiB  Output \"out5\" 524288xf32 (model.mlir:7:3)");
  options.deviceMemory = 18 << 20;
  EXPECT_TRUE(r.tryLoad(options).has_value());
}

TEST(Executable, ConstantsCountAsDeviceMemory) {
  TestRecipe r;
  r.constant(F32, {5000}, bytesOf(std::vector<float>(5000)));
  const uint32_t in = r.input(F32, {1});
  r.command(recipe::Engine::DMA, "copy", recipe::TransferT(), {in},
            {r.output(F32, {1})});
  runtime::LoadOptions options;
  options.deviceMemory = 20000;
  EXPECT_FALSE(r.tryLoad(options).has_value());
  options.deviceMemory = 21000;
  EXPECT_TRUE(r.tryLoad(options).has_value());
}

TEST(Arena, IsAlignedZeroedAndMovable) {
  auto arena = runtime::Arena::create(5 << 20);
  ASSERT_TRUE(arena.has_value());
  EXPECT_EQ(reinterpret_cast<uint64_t>(arena->data()) %
                runtime::Arena::alignment,
            0u);
  for (uint64_t i = 0; i < arena->size(); i += 4097)
    EXPECT_EQ(arena->data()[i], 0);
  arena->data()[arena->size() - 1] = 7;
  runtime::Arena moved = std::move(*arena);
  EXPECT_EQ(moved.data()[moved.size() - 1], 7);
  EXPECT_EQ(arena->data(), nullptr);
}

TEST(Arena, NamesTheSizeThatTheHostCannotMap) {
  auto arena = runtime::Arena::create(uint64_t(1) << 62);
  ASSERT_FALSE(arena.has_value());
  const std::string size = gaudi::humanBytes(uint64_t(1) << 62);
  EXPECT_EQ(arena.error().message,
            "cannot map " + size + " of host memory for the device");
}

/// The largest element of each of `count` lines and its position.
void takeLargest(TestRecipe &r, uint32_t lines, int64_t count) {
  recipe::LibraryT body;
  body.name = "top_k";
  body.ints = {1, 1, 1};
  r.command(
      recipe::Engine::TPC, "tpc.top_k", body, {lines},
      {r.output(F32, {count, 1}), r.output(ElementType::I32, {count, 1})});
}

TEST(Executable, ScratchBelongsToABudget) {
  TestRecipe r;
  takeLargest(r, r.input(F32, {100, 1000}), 100);
  runtime::LoadOptions options;
  options.hostScratch = 20000;
  options.threads = 2;
  auto refused = r.tryLoad(options);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(
      refused.error().message,
      "command 0 \"tpc.top_k\" (model.mlir:7:3): needs 31.2 KiB of host "
      "scratch memory (15.6 KiB per thread, threads: 2) but may take 19.5 "
      "KiB; use fewer threads or a host with more memory");
  options.threads = 1;
  auto executable = r.load(options);
  ASSERT_TRUE(executable);
  EXPECT_GE(executable->memory().hostScratch, 16000u);
}

/// A single line is sorted by one thread, whatever their number.
TEST(Executable, ScratchIsCountedForThreadsThatUseIt) {
  TestRecipe r;
  takeLargest(r, r.input(F32, {1, 1000}), 1);
  runtime::LoadOptions options;
  options.hostScratch = 20000;
  options.threads = 2;
  EXPECT_TRUE(r.tryLoad(options).has_value());
}

/// A few bytes that ask for 16 TiB.
TEST(Executable, RefusesTerabytesOfScratch) {
  TestRecipe r;
  const int64_t length = int64_t(1) << 40;
  const uint32_t line =
      r.tensor(recipe::TensorClass::Const, 1, F32, {1, length}, {0, 0}, "line");
  r.constant(F32, {1}, bytesOf(std::vector<float>{1}));
  takeLargest(r, line, 1);
  auto refused = r.tryLoad();
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().message.find("needs 16.0 TiB of host scratch"),
            std::string::npos)
      << refused.error().message;
}

TEST(Statistics, MediansPerEngineAndCommand) {
  std::vector<runtime::RunStats> launches(4);
  for (size_t i = 0; i < launches.size(); ++i)
    launches[i].milliseconds = double(i);
  EXPECT_EQ(medianOf(launches).milliseconds, 1.5);
  EXPECT_TRUE(medianOf(launches).commandMilliseconds.empty());
  const double commands[] = {7, 100, 2};
  for (size_t i = 0; i < 3; ++i) { // the last launch is not timed
    launches[i].commandMilliseconds = {1, commands[i]};
    launches[i].engineMilliseconds[1] = commands[i] + 1;
  }
  const runtime::RunStats median = medianOf(launches);
  EXPECT_EQ(median.commandMilliseconds, (std::vector<double>{1, 7}));
  EXPECT_EQ(median.engineMilliseconds[1], 8);
  EXPECT_EQ(median.engineMilliseconds[0], 0);
  EXPECT_EQ(medianOf(std::vector<runtime::RunStats>()).milliseconds, 0);
}

} // namespace
