// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches on memory of the caller, at other addresses each time.
#include "Gaudi/Runtime/Dispatch.h"
#include "Gaudi/Runtime/LaunchResources.h"
#include "Relocation.h"
#include "TextRecipe.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

using namespace gaudi;
using runtime::Executable;
using runtime::LaunchAddresses;
using runtime::LaunchResources;
using runtime::LaunchTensor;
using runtime::LoadOptions;

namespace {

/// y = cumulative sum of x + w in the workspace; the state counts.
const char *const sums = R"(recipe 1.2 target "gaudi2" producer ""
section @0 persistent 4096 bytes
section @1 workspace 256 bytes
section @2 const 4 bytes align 64
section @3 workspace 64 bytes
tensor %0 "x" input @0+0 f32[2,8]
tensor %1 "w" input @0+128 f32[2,8]
tensor %2 "y" output @0+256 f32[2,8]
tensor %3 "sum" workspace @1+128 f32[2,8]
tensor %4 "count" state @0+384 i32[] initial %5
tensor %5 "count.initial" const @2+0 i32[]
tensor %6 "counted" output @0+384 i32[] alias %4
tensor %7 "none" input @0+512 f32[0]
tensor %8 "zeros" state @0+640 f32[4]
tensor %9 "second" output @0+288 f32[8] alias %2
tensor %10 "step" workspace @3+0 i32[]
kernel 0 "add" {
  space [2 parallel, 8 parallel]
  in0 : f32 rank 2
  in1 : f32 rank 2
  out0 : f32 rank 2
  stage {
    %0 = load in0[d0, d1] : f32
    %1 = load in1[d0, d1] : f32
    %2 = addf %0, %1 : f32
    store %2 -> out0[d0, d1]
  }
}
kernel 1 "increment" {
  space [1 parallel]
  in0 : i32 rank 0
  out0 : i32 rank 0
  stage {
    %0 = load in0[] : i32
    %1 = const 1 : i32
    %2 = addi %0, %1 : i32
    store %2 -> out0[]
  }
}
entry "main" (%0, %1, %7) -> (%2, %6, %9) {
  #0 tpc "add" launch 0 (%0, %1) -> (%3)
  #1 tpc "sum" library "cumulative_sum" ints [1, 0, 0] (%3) -> (%2)
  #2 tpc "increment" launch 1 (%4) -> (%10)
  #3 dma "copy" transfer (%10) -> (%4) after [#2]
}
entry "state" () -> (%6) {
}
bytes @2 { 0x28000000 }
)";

LoadOptions relocatable() {
  LoadOptions options;
  options.threads = 2;
  options.relocatable = true;
  return options;
}

/// Memory of one launch, each tensor at the alignment that it needs and no
/// more. Revoked, whoever touches it faults.
class Memory {
public:
  Memory(const Executable &executable, size_t entry, unsigned shift)
      : tensors(executable.launchTensors(entry)),
        base(static_cast<uint8_t *>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    uint64_t at = shift;
    const auto take = [&](uint64_t size, uint64_t alignment) {
      at = (at / (2 * alignment) * 2 + 1) * alignment;
      void *const result = base + at;
      at += size + alignment;
      return result;
    };
    std::memset(base, 0xff, bytes);
    for (const LaunchTensor &tensor : tensors)
      addresses.push_back(take(tensor.bytes, tensor.alignment));
    workspace = take(executable.workspaceBytes(), 128);
  }
  ~Memory() { munmap(base, bytes); }
  void revoke() { mprotect(base, bytes, PROT_NONE); }

  LaunchAddresses get() const {
    return {addresses.data(), addresses.size(), workspace};
  }
  template <typename T> T *of(const std::string &name) const {
    for (size_t i = 0; i < tensors.size(); ++i)
      if (tensors[i].name == name)
        return static_cast<T *>(addresses[i]);
    ADD_FAILURE() << "no launch tensor " << name;
    return nullptr;
  }

  const std::vector<LaunchTensor> tensors;
  std::vector<void *> addresses;
  void *workspace = nullptr;

private:
  static constexpr size_t bytes = size_t(1) << 16;
  uint8_t *const base;
};

std::string messageOf(const Status &status) {
  return status ? "ok" : status.error().message;
}
template <typename T> std::string messageOf(const Result<T> &result) {
  return result ? "ok" : result.error().message;
}

TEST(Relocation, MovesPointersOfItsRegion) {
  runtime::Relocation memory(3);
  const uint32_t a = memory.add(64), b = memory.add(uint64_t(1) << 40, 24);
  EXPECT_EQ(reinterpret_cast<uint64_t>(memory.linkAddress(a)) % 256, 128u);
  EXPECT_EQ(reinterpret_cast<uint64_t>(memory.linkAddress(b)) % 256, 152u);
  uint8_t own[4] = {};
  // Pointers may be a little before or behind their region.
  std::vector<const uint8_t *> table = {memory.linkAddress(a) - 5,
                                        memory.linkAddress(a) + 70,
                                        own,
                                        memory.linkAddress(b),
                                        memory.linkAddress(a),
                                        memory.linkAddress(b) +
                                            (uint64_t(1) << 40)};
  float *single = reinterpret_cast<float *>(memory.linkAddress(a));
  memory.visit(table);
  memory.visit(single);
  EXPECT_FALSE(memory.isBound(a));
  uint8_t first[64], second[64];
  for (uint8_t *to : {first, second}) {
    memory.move(a, to);
    EXPECT_TRUE(memory.isBound(a));
    EXPECT_EQ(table[0], to - 5);
    EXPECT_EQ(table[1], to + 70);
    EXPECT_EQ(table[2], own);
    EXPECT_EQ(table[3], memory.linkAddress(b));
    EXPECT_EQ(table[4], to);
    EXPECT_EQ(single, reinterpret_cast<float *>(to));
  }
  memory.move(b, first);
  EXPECT_EQ(table[5], first + (uint64_t(1) << 40));
  EXPECT_EQ(table[4], second);
}

TEST(Relocation, RegionsThatStayForgetTheirPointers) {
  runtime::Relocation memory(1);
  const uint32_t a = memory.add(64);
  uint8_t *pointer = memory.linkAddress(a);
  memory.visit(pointer);
  uint8_t first[1], second[1];
  memory.move(a, first);
  memory.keep(a);
  memory.move(a, second);
  EXPECT_EQ(pointer, first);
}

TEST(LaunchByAddress, WorksWhereverTheMemoryIs) {
  const auto executable = test::loadText(sums, relocatable());
  ASSERT_TRUE(executable);
  EXPECT_EQ(executable->workspaceBytes(), 384u) << "aligned sections";

  int32_t count = 40;
  for (unsigned shift : {0u, 4096u, 777u}) {
    Memory memory(*executable, 0, shift);
    auto *x = memory.of<float>("x"), *w = memory.of<float>("w");
    for (int i = 0; i < 16; ++i) {
      x[i] = float(i) + float(shift);
      w[i] = 2;
    }
    std::memcpy(memory.of<int32_t>("count"), &count, sizeof(count));
    ASSERT_EQ(messageOf(executable->launch(memory.get())), "ok");
    float sum = 0;
    for (int i = 0; i < 8; ++i) {
      sum += x[i] + w[i];
      EXPECT_EQ(memory.of<float>("y")[i], sum);
    }
    EXPECT_EQ(*memory.of<int32_t>("count"), ++count);
    // Copies in and out go where the launch was.
    const std::array<float, 16> ones = {1, 1, 1, 1, 1, 1, 1, 1};
    EXPECT_EQ(messageOf(executable->setInput(0, ones.data(), sizeof(ones))),
              "ok");
    EXPECT_EQ(x[7], 1);
    EXPECT_EQ(x[8], 0);
    std::array<float, 16> y;
    EXPECT_EQ(messageOf(executable->getOutput(0, y.data(), sizeof(y))), "ok");
    EXPECT_EQ(y[7], sum);
    memory.revoke();
  }
}

TEST(LaunchByAddress, TellsWhatItNeeds) {
  const auto executable = test::loadText(sums, relocatable());
  ASSERT_TRUE(executable);
  const std::vector<LaunchTensor> &all = executable->launchTensors();
  // Views are places in their root, whoever lists them.
  ASSERT_EQ(all.size(), 5u);
  const char *const names[] = {"x", "w", "none", "y", "count"};
  const uint64_t bytes[] = {64, 64, 0, 64, 4};
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].name, names[i]);
    EXPECT_EQ(all[i].bytes, bytes[i]);
    EXPECT_EQ(all[i].alignment, 128u);
    EXPECT_EQ(all[i].isWritten, i >= 3);
    EXPECT_EQ(all[i].isState, i == 4);
  }
  const auto second = executable->launchPlace(9);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->tensor, 3u);
  EXPECT_EQ(second->offset, 32u);
  EXPECT_FALSE(executable->launchPlace(3)) << "it is in the workspace";
  EXPECT_FALSE(executable->launchPlace(5)) << "it is constant";
  EXPECT_FALSE(executable->launchPlace(8)) << "the entry does not use it";
  ASSERT_EQ(executable->launchTensors(1).size(), 1u);
  EXPECT_FALSE(executable->launchTensors(1)[0].isWritten);
}

TEST(LaunchByAddress, RefusesWhatTheRecipeCannotTake) {
  const auto executable = test::loadText(sums, relocatable());
  ASSERT_TRUE(executable);
  Memory memory(*executable, 0, 0);
  EXPECT_EQ(messageOf(executable->launch()),
            "entry \"main\" has no addresses: bind them before the launch");
  float value = 0;
  EXPECT_EQ(messageOf(executable->setInput(0, &value, 64)),
            "\"x\" has no address: bind those of its entry first");
  EXPECT_EQ(messageOf(executable->resetStates()),
            "\"count\" has no address: bind those of its entry first");
  const auto refusal = [&](size_t tensor, void *address) {
    Memory other(*executable, 0, 0);
    other.addresses[tensor] = address;
    return messageOf(executable->launch(other.get()));
  };
  EXPECT_EQ(messageOf(executable->bind({memory.addresses.data(), 2, nullptr})),
            "entry \"main\": got 2 addresses, expected those of 5 tensors");
  EXPECT_EQ(refusal(1, nullptr),
            "entry \"main\": the address of \"w\" is null");
  EXPECT_EQ(refusal(2, nullptr), "ok") << "it is empty";
  auto *const odd = static_cast<uint8_t *>(memory.addresses[0]) + 64;
  EXPECT_EQ(refusal(0, odd), "entry \"main\": the address " +
                                 fmt::format("{}", static_cast<void *>(odd)) +
                                 " of \"x\" is not aligned to 128 bytes");
  const auto together = [&](size_t a, size_t b, int64_t distance) {
    Memory other(*executable, 0, 0);
    other.addresses[b] = static_cast<uint8_t *>(other.addresses[a]) + distance;
    std::string message = messageOf(executable->launch(other.get()));
    if (const size_t at = message.find(" at 0x"); at != std::string::npos)
      message.erase(at, message.find(',', at) - at);
    return message;
  };
  EXPECT_EQ(together(0, 1, 0), "ok") << "both are only read";
  EXPECT_EQ(together(0, 4, 0),
            "entry \"main\": \"x\" and \"count\" share memory, and launches "
            "write \"count\"");
  EXPECT_EQ(together(0, 3, 0), "ok") << "the sum begins when all is read";
  memory.workspace = memory.addresses[0];
  std::string message = messageOf(executable->bind(memory.get()));
  EXPECT_NE(message.find("\"x\" and the workspace share memory"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("launches write the workspace"), std::string::npos);
  memory.workspace = odd;
  message = messageOf(executable->bind(memory.get()));
  EXPECT_NE(message.find(" of the workspace is not aligned to 128 bytes"),
            std::string::npos)
      << message;
  memory.workspace = nullptr;
  EXPECT_EQ(messageOf(executable->bind(memory.get())),
            "entry \"main\": the address of the workspace is null");
  // What was bound before still is.
  EXPECT_EQ(messageOf(executable->bind({}, 7)),
            "there is no entry 7, the recipe has 2");
}

TEST(LaunchByAddress, EntriesAreBoundOneByOne) {
  const auto executable = test::loadText(sums, relocatable());
  ASSERT_TRUE(executable);
  Memory main(*executable, 0, 0), state(*executable, 1, 512);
  EXPECT_EQ(messageOf(executable->launch(main.get(), 0)), "ok");
  EXPECT_EQ(messageOf(executable->launch(1)),
            "entry \"state\" has no addresses: bind them before the launch");
  EXPECT_EQ(messageOf(executable->launch(state.get(), 1)), "ok");
  EXPECT_EQ(messageOf(executable->launch(0)),
            "entry \"main\" has no addresses: bind them before the launch");
  // The same addresses as in its last launch, but the state was elsewhere.
  *main.of<int32_t>("count") = 7;
  EXPECT_EQ(messageOf(executable->launch(main.get(), 0)), "ok");
  EXPECT_EQ(*main.of<int32_t>("count"), 8);
}

TEST(LaunchByAddress, WritesInitialStates) {
  const auto executable = test::loadText(sums, relocatable());
  ASSERT_TRUE(executable);
  int32_t count = -1;
  std::array<float, 4> zeros = {1, 2, 3, 4};
  EXPECT_EQ(messageOf(executable->writeInitialState(0, &count)), "ok");
  EXPECT_EQ(messageOf(executable->writeInitialState(1, zeros.data())), "ok");
  EXPECT_EQ(count, 40);
  EXPECT_EQ(zeros, (std::array<float, 4>{}));
  EXPECT_EQ(messageOf(executable->writeInitialState(2, &count)),
            "there is no state 2, the recipe has 2");
  EXPECT_EQ(messageOf(executable->writeInitialState(0, nullptr)),
            "the address of state 0 \"count\" is null");
}

TEST(LaunchByAddress, IsForRelocatableRecipes) {
  LoadOptions options;
  options.threads = 1;
  const auto executable = test::loadText(sums, options);
  ASSERT_TRUE(executable);
  EXPECT_EQ(messageOf(executable->bind({})),
            "the recipe was not loaded as relocatable: its tensors have memory "
            "of their own");
  EXPECT_TRUE(executable->launchTensors().empty());
  EXPECT_FALSE(executable->launchPlace(0));
  const auto file = test::fileOfText(sums);
  options = relocatable();
  options.bindings.push_back({});
  EXPECT_EQ(messageOf(Executable::load(file, options)),
            "no input can be bound for good where launches bind all");
  options = relocatable();
  options.checkMemory = true;
  EXPECT_EQ(messageOf(Executable::load(file, options)),
            "memory has one of three ways: it is checked, launches bind it, or "
            "it moves from launch to launch");
}

TEST(LaunchByAddress, AnotherExecutableHasBindingsOfItsOwn) {
  const auto one = test::loadText(sums, relocatable());
  ASSERT_TRUE(one);
  auto two = one->another(uint64_t(1) << 30);
  ASSERT_TRUE(two) << two.error().message;
  Memory first(*one, 0, 0), second(**two, 0, 64);
  for (int i = 0; i < 16; ++i) {
    first.of<float>("x")[i] = second.of<float>("x")[i] = float(i);
    first.of<float>("w")[i] = 1;
    second.of<float>("w")[i] = 2;
  }
  EXPECT_EQ(messageOf(one->launch(first.get())), "ok");
  first.revoke();
  EXPECT_EQ(messageOf((*two)->launch(second.get())), "ok");
  EXPECT_EQ(second.of<float>("y")[1], 5);
}

/// The device has the columns of x one behind the other, with gaps.
const char *const stored = R"(recipe 1.6 target "gaudi2" producer ""
section @0 persistent 4096 bytes
tensor %0 "x" input @0+0 f32[3,2] strides[4,1] perm[1,0]
tensor %1 "y" output @0+64 f32[3,2]
entry "main" (%0) -> (%1) {
  #0 dma "copy" transfer (%0) -> (%1)
}
)";

TEST(LaunchByAddress, TensorsAreAsTheDeviceStoresThem) {
  const auto executable = test::loadText(stored, relocatable());
  ASSERT_TRUE(executable);
  const runtime::TensorInfo &x = executable->inputs()[0];
  EXPECT_EQ(x.shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(x.strides, (std::vector<int64_t>{1, 4}));
  EXPECT_EQ(x.permutation, (std::vector<uint8_t>{1, 0}));
  EXPECT_EQ(executable->launchTensors()[0].bytes, 10 * sizeof(float));
  // "y" may be anywhere that its place in the recipe allows.
  EXPECT_EQ(executable->launchTensors()[1].alignment, 64u);
  Memory memory(*executable, 0, 0);
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 3; ++c)
      memory.of<float>("x")[r * x.strides[0] + c * x.strides[1]] =
          float(10 * r + c);
  EXPECT_EQ(messageOf(executable->launch(memory.get())), "ok");
  const std::array<float, 6> expected = {0, 10, 1, 11, 2, 12};
  EXPECT_EQ(
      std::memcmp(memory.of<float>("y"), expected.data(), sizeof(expected)), 0);
}

/// Variants for 2 and 4 rows; the host writes how many are real.
const char *const variants = R"(recipe 1.6 target "gaudi2" producer ""
section @0 persistent 4096 bytes
tensor %0 "x" input @0+0 f32[4]
tensor %1 "y" output @0+128 f32[4]
tensor %2 "rows" input @0+256 i32[1]
tensor %3 "n" output @0+384 i32[1]
tensor %4 "x.2" input @0+0 f32[2] alias %0
tensor %5 "y.2" output @0+128 f32[2] alias %1
entry "main" dispatch {
  symbol "n" 1 to 4
  input "x" f32[s0]
  output "y" f32[s0]
  output "n" i32[1]
  variant 1 sizes [2] extent 1 = s0
  variant 2 sizes [4] extent 1 = s0
}
entry "main.0" (%4, %2) -> (%5, %3) {
  #0 dma "copy" transfer (%4) -> (%5)
  #1 dma "copy" transfer (%2) -> (%3)
}
entry "main.1" (%0, %2) -> (%1, %3) {
  #0 dma "copy" transfer (%0) -> (%1)
  #1 dma "copy" transfer (%2) -> (%3)
}
)";

TEST(LaunchByAddress, VariantsOfTheirSizeNeedNoCopy) {
  const auto executable = test::loadText(variants, relocatable());
  ASSERT_TRUE(executable);
  auto made = runtime::Dispatcher::create(*executable, 0);
  ASSERT_TRUE(made);
  runtime::Dispatcher &dispatcher = **made;
  for (int64_t rows : {2, 4}) {
    ASSERT_EQ(messageOf(dispatcher.select({{rows}})), "ok");
    const size_t entry = dispatcher.entry();
    // The caller sees no extent, and of views no more than the variant uses.
    ASSERT_EQ(executable->launchTensors(entry).size(), 3u);
    EXPECT_EQ(executable->launchTensors(entry)[0].bytes, uint64_t(rows) * 4);
    Memory memory(*executable, entry, unsigned(rows) * 512);
    const std::string suffix = rows == 2 ? ".2" : "";
    for (int64_t i = 0; i < rows; ++i)
      memory.of<float>("x" + suffix)[i] = float(i + rows);
    ASSERT_EQ(messageOf(executable->launch(memory.get(), entry)), "ok");
    EXPECT_EQ(memory.of<float>("y" + suffix)[rows - 1], float(2 * rows - 1));
    EXPECT_EQ(*memory.of<int32_t>("n"), rows);
  }
}

TEST(LaunchByAddress, OtherSizesOfVariantsAreCopied) {
  const auto executable = test::loadText(variants, relocatable());
  ASSERT_TRUE(executable);
  auto made = runtime::Dispatcher::create(*executable, 0);
  ASSERT_TRUE(made);
  runtime::Dispatcher &dispatcher = **made;
  ASSERT_EQ(messageOf(dispatcher.select({{3}})), "ok");
  const std::array<float, 3> x = {1, 2, 3};
  std::array<float, 3> y = {};
  EXPECT_EQ(messageOf(dispatcher.setInput(0, x.data(), sizeof(x))),
            "\"x\" has no address: bind those of its entry first");
  Memory memory(*executable, dispatcher.entry(), 0);
  ASSERT_EQ(messageOf(executable->bind(memory.get(), dispatcher.entry())),
            "ok");
  ASSERT_EQ(messageOf(dispatcher.setInput(0, x.data(), sizeof(x))), "ok");
  ASSERT_EQ(messageOf(dispatcher.launch()), "ok");
  ASSERT_EQ(messageOf(dispatcher.getOutput(0, y.data(), sizeof(y))), "ok");
  EXPECT_EQ(y, x);
  EXPECT_EQ(memory.of<float>("y")[2], 3);
}

TEST(LaunchByAddress, ExtentsBelongToTheHost) {
  const std::string text = std::string(variants) + R"(
entry "alone" (%2) -> (%3) {
  #0 dma "copy" transfer (%2) -> (%3)
}
)";
  EXPECT_EQ(messageOf(Executable::load(test::fileOfText(text), relocatable())),
            "\"rows\" of entry \"alone\" cannot be bound at launches: it is an "
            "extent of entry \"main.0\", which the host writes");
}

/// A line to sort, which needs scratch memory in proportion.
std::string sorting(int64_t length) {
  const std::string n = std::to_string(length);
  return R"(recipe 1.6 target "gaudi2" producer ""
section @0 persistent 65536 bytes
tensor %0 "x" input @0+0 f32[)" +
         n + R"(]
tensor %1 "y" output @0+16384 f32[)" +
         n + R"(]
tensor %2 "at" output @0+32768 i64[)" +
         n + R"(]
entry "main" (%0) -> (%1, %2) {
  #0 tpc "sort" library "sort" ints [0, 0, 1] (%0) -> (%1, %2)
}
)";
}

TEST(LaunchResources, AreSharedByExecutables) {
  auto shared = LaunchResources::create(2);
  ASSERT_TRUE(shared);
  LoadOptions options;
  options.resources = *shared;
  std::vector<std::unique_ptr<Executable>> all;
  for (int64_t length : {8, 2000, 16})
    all.push_back(test::loadText(sorting(length), options));
  EXPECT_EQ((*shared)->bytes(), 0u) << "loading takes nothing of it";
  EXPECT_EQ(all[0]->threads(), 2u);
  // Memory grows with the second, and moves under the first.
  uint64_t bytes = 0;
  for (int round = 0; round < 2; ++round)
    for (const auto &executable : all) {
      const size_t count = executable->inputs()[0].shape[0];
      std::vector<float> x(count), y(count);
      for (size_t i = 0; i < count; ++i)
        x[i] = float(count - i);
      ASSERT_TRUE(executable->setInput(0, x.data(), count * sizeof(float)));
      ASSERT_EQ(messageOf(executable->launch()), "ok");
      ASSERT_TRUE(executable->getOutput(0, y.data(), count * sizeof(float)));
      EXPECT_EQ(y[0], 1);
      EXPECT_EQ(y[count - 1], float(count));
      EXPECT_GE((*shared)->bytes(), bytes);
      bytes = (*shared)->bytes();
    }
  ASSERT_TRUE((*shared)->enter());
  EXPECT_EQ(messageOf(all[0]->launch()),
            "another launch uses the same resources");
  (*shared)->leave();
  EXPECT_EQ(messageOf(all[0]->launch()), "ok");
}

TEST(MovingTensors, KeepTheirValues) {
  LoadOptions options;
  options.threads = 2;
  options.movesTensors = true;
  const auto executable = test::loadText(sums, options);
  ASSERT_TRUE(executable);
  const std::vector<float> x(16, 1), w(16, 2);
  ASSERT_TRUE(executable->setInput(0, x.data(), 64));
  ASSERT_TRUE(executable->setInput(1, w.data(), 64));
  for (int32_t launch = 1; launch <= 3; ++launch) {
    ASSERT_EQ(messageOf(executable->launch()), "ok");
    std::vector<float> y(16);
    int32_t count = 0;
    ASSERT_TRUE(executable->getOutput(0, y.data(), 64));
    ASSERT_TRUE(executable->getOutput(1, &count, 4));
    EXPECT_EQ(y[7], 24);
    EXPECT_EQ(count, 40 + launch);
  }
}

TEST(MovingTensors, AreAskedForByTheEnvironment) {
  const auto file = test::fileOfText(sums);
  ASSERT_EQ(setenv("GAUDI_MOVE_TENSORS", "yes", 1), 0);
  EXPECT_EQ(messageOf(Executable::load(file)),
            "the environment variable GAUDI_MOVE_TENSORS is 'yes'; unset it, "
            "or set it to 1");
  ASSERT_EQ(unsetenv("GAUDI_MOVE_TENSORS"), 0);
}

} // namespace
