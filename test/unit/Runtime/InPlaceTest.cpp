// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches that write an output over an input.
#include "ProductRecipe.h"
#include "TextRecipe.h"

#include <array>
#include <functional>

using namespace gaudi;
using namespace gaudi::test;
using runtime::Executable;

namespace {

runtime::LoadOptions relocatable() {
  runtime::LoadOptions options;
  options.threads = 2;
  options.relocatable = true;
  options.cacheDirectory = "";
  options.quickStart = false; // it has one version of each kernel
  return options;
}

/// One launch of entry 0; `inPlace`: the output has the address of the input.
/// The bytes of all written tensors, or the error.
struct Launched {
  std::vector<Bytes> written;
  std::string error;
};
Launched launch(Executable &executable, const std::vector<Bytes> &inputs,
                std::optional<std::pair<size_t, size_t>> inPlace = {}) {
  const auto &tensors = executable.launchTensors();
  std::vector<std::unique_ptr<uint8_t, void (*)(void *)>> memory;
  const auto take = [&](uint64_t bytes) {
    memory.emplace_back(static_cast<uint8_t *>(
                            std::aligned_alloc(128, (bytes + 255) / 128 * 128)),
                        &std::free);
    return memory.back().get();
  };
  std::vector<void *> addresses;
  size_t input = 0;
  for (const runtime::LaunchTensor &tensor : tensors) {
    addresses.push_back(take(tensor.bytes));
    if (!tensor.isWritten && input < inputs.size())
      std::memcpy(addresses.back(), inputs[input].data(), tensor.bytes),
          ++input;
    else
      std::memset(addresses.back(), 0xa5, tensor.bytes);
  }
  if (inPlace)
    addresses[inPlace->second] = addresses[inPlace->first];
  const auto stats = executable.launch(
      {addresses.data(), addresses.size(), take(executable.workspaceBytes())});
  if (!stats)
    return {{}, stats.error().message};
  Launched result;
  for (size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].isWritten) {
      auto *const data = static_cast<uint8_t *>(addresses[i]);
      result.written.emplace_back(data, data + tensors[i].bytes);
    }
  return result;
}

/// What some command of a random recipe does to its operands.
enum class Kind { Elementwise, Chain, Shifted, Reversed, RowSum, Scan, Count };

/// out[i] = f(a[i], b[i]) of vectors of n elements, or something like it.
void addCommand(TestRecipe &r, Kind kind, ElementType type, int64_t n,
                uint32_t a, uint32_t b, uint32_t out) {
  if (kind == Kind::Scan) {
    recipe::LibraryT body;
    body.name = "cumulative_sum";
    body.ints = {0, 0, 0};
    r.command(recipe::Engine::TPC, "sum", body, {a}, {out});
    return;
  }
  const bool sums = kind == Kind::RowSum;
  KernelBuilder k(sums ? Dims{n, 8} : Dims{n},
                  sums ? std::vector<bool>{true, false}
                       : std::vector<bool>{true});
  k.input(type, 1).input(type, 1).output(type, 1);
  uint32_t value = 0;
  if (sums) {
    // The elements around it: a loop within the point.
    k.stage();
    const uint32_t zero = k.constant(0.0f);
    k.stage({1});
    const uint32_t each = k.inst(
        Op::Load, F32,
        k.access(0, 0, k.at({{0, 1}, {1, 1}}, 0, recipe::Boundary::Clamp)));
    k.reduce(recipe::ReduceOp::Add, zero, each);
    value = k.endStage();
    k.stage();
  } else {
    k.stage();
    const auto index = [&] {
      return kind == Kind::Reversed ? k.at({{0, -1}}, n - 1)
             : kind == Kind::Shifted
                 ? k.at({{0, 1}}, 1, recipe::Boundary::Clamp)
                 : k.at({{0, 1}});
    };
    value = k.inst(Op::Load, F32, k.access(0, 0, index()));
  }
  const uint32_t other = k.inst(Op::Load, F32, k.access(1, 0, k.at({{0, 1}})));
  value = k.inst(Op::AddF, F32, value, other);
  // Enough roundings for a version that repeats points.
  for (int i = 0; kind == Kind::Chain && i < 6; ++i)
    value = k.inst(Op::RoundTo, F32,
                   k.inst(Op::MulF, F32, value, k.constant(1.01f)), 0, 0,
                   uint64_t(BF16));
  k.store(k.access(2, 0, k.at({{0, 1}})), value);
  r.launch(k, {a, b}, {out});
}

TEST(InPlace, ExactlyWhatIsAllowedHasTheBitsOfCopies) {
  std::array<int, size_t(Kind::Count)> allowed{};
  int refused = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const auto below = [&](uint64_t bound) { return random.next() % bound; };
    TestRecipe r;
    const int64_t n = below(2) ? 1000 : 70'001;
    const ElementType type = below(2) ? F32 : BF16;
    std::vector<uint32_t> readable;
    std::vector<Bytes> values;
    for (int i = 0; i < 3; ++i) {
      readable.push_back(r.input(type, {n}));
      // Any bits: those that need exact rounding are among them.
      Bytes bytes(size_t(n) * recipe::elementSize(type));
      for (uint8_t &byte : bytes)
        byte = uint8_t(random.next() >> 40);
      values.push_back(std::move(bytes));
    }
    // Two outputs and what is in between, in a random order.
    std::vector<Kind> kinds;
    const uint64_t commands = 2 + below(3);
    for (uint64_t c = 0; c < commands; ++c) {
      const uint32_t out =
          c + 2 >= commands ? r.output(type, {n}) : r.workspace(type, {n});
      kinds.push_back(Kind(below(uint64_t(Kind::Count))));
      addCommand(r, kinds.back(), type, n, readable[below(readable.size())],
                 readable[below(readable.size())], out);
      readable.push_back(out);
    }
    const auto executable = r.load(relocatable());
    ASSERT_TRUE(executable);
    const Launched expected = launch(*executable, values);
    ASSERT_EQ(expected.error, "");
    const auto &tensors = executable->launchTensors();
    for (size_t in = 0; in < tensors.size(); ++in)
      for (size_t out = 0; out < tensors.size(); ++out) {
        if (in == out || !tensors[out].isWritten)
          continue;
        const bool may = executable->mayAlias(in, out);
        ASSERT_FALSE(may && tensors[in].isWritten);
        const Launched inPlace = launch(*executable, values, {{in, out}});
        if (!may) {
          ++refused;
          EXPECT_NE(inPlace.error.find("share memory"), std::string::npos)
              << "seed " << seed << " " << inPlace.error;
          continue;
        }
        ++allowed[size_t(kinds.back())];
        ASSERT_EQ(inPlace.error, "");
        // Not inputs: one of them is gone.
        EXPECT_TRUE(inPlace.written == expected.written)
            << "seed " << seed << ": " << tensors[out].name << " over "
            << tensors[in].name;
      }
  }
  for (int count : allowed)
    EXPECT_GT(count, 3);
  EXPECT_GT(refused, 50);
}

/// x, y and z of f32[n] -> outputs; `add` makes the commands.
bool mayAlias(const std::function<void(TestRecipe &)> &add, size_t input,
              size_t output) {
  TestRecipe r;
  add(r);
  const auto executable = r.load(relocatable());
  return executable && executable->mayAlias(input, output);
}

TEST(InPlace, ReadsAndWritesDecide) {
  constexpr int64_t n = 4096;
  const auto one = [&](Kind kind) {
    return mayAlias(
        [&](TestRecipe &r) {
          const uint32_t a = r.input(F32, {n}), b = r.input(F32, {n});
          addCommand(r, kind, F32, n, a, b, r.output(F32, {n}));
        },
        0, 2);
  };
  EXPECT_TRUE(one(Kind::Elementwise));
  EXPECT_TRUE(one(Kind::Chain));
  EXPECT_FALSE(one(Kind::Shifted));
  EXPECT_FALSE(one(Kind::Reversed));
  EXPECT_FALSE(one(Kind::RowSum));
  EXPECT_FALSE(one(Kind::Scan));
  // Read in a command before, and in one behind.
  const auto two = [&](bool readsBehind) {
    return mayAlias(
        [&](TestRecipe &r) {
          const uint32_t a = r.input(F32, {n}), b = r.input(F32, {n});
          const uint32_t temp = r.workspace(F32, {n});
          addCommand(r, Kind::Shifted, F32, n, a, b, temp);
          addCommand(r, Kind::Elementwise, F32, n, temp, b, r.output(F32, {n}));
          if (readsBehind)
            addCommand(r, Kind::Elementwise, F32, n, a, b, r.output(F32, {n}));
        },
        0, 2);
  };
  EXPECT_TRUE(two(false));
  EXPECT_FALSE(two(true));
}

TEST(InPlace, OtherQueuesNeedDependencies) {
  const auto may = [](const char *dependency) {
    const std::string text =
        std::string(R"(recipe 1.2 target "gaudi2" producer ""
section @0 persistent 4096 bytes
section @1 workspace 256 bytes
tensor %0 "x" input @0+0 f32[8]
tensor %1 "w" input @0+128 f32[8]
tensor %2 "y" output @0+256 f32[8]
tensor %3 "z" output @0+384 f32[8]
kernel 0 "copy" {
  space [8 parallel]
  in0 : f32 rank 1
  out0 : f32 rank 1
  stage {
    %0 = load in0[d0] : f32
    store %0 -> out0[d0]
  }
}
entry "main" (%0, %1) -> (%2, %3) {
  #0 dma "copy" transfer (%0) -> (%3)
  #1 tpc "copy" launch 0 (%1) -> (%2))") +
        dependency + "\n}\n";
    const auto executable = loadText(text, relocatable());
    return executable && executable->mayAlias(0, 2);
  };
  EXPECT_TRUE(may(" after [#0]"));
  EXPECT_FALSE(may("")) << "the card runs both at the same time";
}

TEST(InPlace, KernelsInTilesDoNotOverwriteWhatTheProductReads) {
  TestRecipe r;
  addTanhOfProduct(r, 64, 64);
  const auto executable = r.load(relocatable());
  ASSERT_TRUE(executable);
  EXPECT_FALSE(executable->mayAlias(0, 1));
  // A copy in between ends the tiles.
  TestRecipe apart;
  const uint32_t x = apart.input(F32, {64, 64}), y = apart.input(F32, {64, 64});
  const uint32_t product = apart.workspace(F32, {64, 64});
  const uint32_t copied = apart.workspace(F32, {64, 64});
  apart.command(recipe::Engine::MME, "gemm", recipe::GemmT(), {x, y},
                {product});
  apart.command(recipe::Engine::DMA, "copy", recipe::TransferT(), {product},
                {copied});
  KernelBuilder k({64, 64}, {true, true});
  k.input(F32, 2).output(F32, 2);
  k.stage();
  k.store(k.access(1, 0, k.at({{0, 1}}), k.at({{1, 1}})),
          k.inst(Op::TanhF, F32,
                 k.inst(Op::Load, F32,
                        k.access(0, 0, k.at({{0, 1}}), k.at({{1, 1}})))));
  apart.launch(k, {copied}, {apart.output(F32, {64, 64})});
  const auto second = apart.load(relocatable());
  ASSERT_TRUE(second);
  ASSERT_TRUE(second->mayAlias(1, 2));
  const std::vector<Bytes> in = {bytesOf(Random(3).values(64 * 64)),
                                 bytesOf(Random(4).values(64 * 64))};
  const Launched expected = launch(*second, in);
  EXPECT_EQ(launch(*second, in, {{1, 2}}).written, expected.written);
}

TEST(InPlace, LibraryKernelsThatUpdateTheirInput) {
  TestRecipe r;
  const uint32_t values = r.input(F32, {1, 40, 8});
  const uint32_t indices = r.input(I32, {1, 3});
  const uint32_t rows = r.input(F32, {1, 3, 8});
  recipe::LibraryT body;
  body.name = "scatter";
  r.command(recipe::Engine::TPC, "scatter", body, {values, indices, rows},
            {r.output(F32, {1, 40, 8})});
  const auto executable = r.load(relocatable());
  ASSERT_TRUE(executable);
  EXPECT_TRUE(executable->mayAlias(0, 3));
  EXPECT_FALSE(executable->mayAlias(2, 3));
  const std::vector<Bytes> in = {bytesOf(Random(1).values(320)),
                                 bytesOf(std::vector<int32_t>{3, 39, 3}),
                                 bytesOf(Random(2).values(24))};
  const Launched expected = launch(*executable, in);
  ASSERT_EQ(expected.error, "");
  EXPECT_EQ(launch(*executable, in, {{0, 3}}).written, expected.written);
}

} // namespace
