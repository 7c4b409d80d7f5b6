// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which inputs can be bound to memory of the caller, and why others cannot.
#include "Gaudi/Runtime/Dispatch.h"
#include "TextRecipe.h"

#include <array>

using namespace gaudi;
using runtime::Dispatcher;
using runtime::InputBinding;

namespace {

/// Entries that share inputs, a view of an input, and inputs that the device
/// stores in ways of its own.
const char *const entries = R"(recipe 1.6 target "gaudi2" producer ""
section @0 persistent 4096 bytes
tensor %0 "x" input @0+0 f32[8]
tensor %1 "y" output @0+64 f32[8]
tensor %2 "head" input @0+0 f32[4] alias %0
tensor %3 "z" output @0+128 f32[4]
tensor %4 "turned" input @0+192 f32[2,4] perm[1,0]
tensor %5 "padded" input @0+256 f32[2,3] strides[4,1]
tensor %6 "count" state @0+320 f32[8]
tensor %7 "none" input @0+384 f32[0]
entry "main" (%0) -> (%1) {
  #0 dma "copy" transfer (%0) -> (%1)
}
entry "other" (%0, %4, %5, %6, %7) -> (%1) {
  #0 dma "copy" transfer (%0) -> (%1)
}
)";

/// The view is an input by itself.
const std::string views = std::string(entries) + R"(
entry "view" (%2) -> (%3) {
  #0 dma "copy" transfer (%2) -> (%3)
}
)";

/// "rows" is an extent of "main", which the host writes, and an input of
/// "alone".
const char *const variants = R"(recipe 1.6 target "gaudi2" producer ""
section @0 persistent 4096 bytes
tensor %0 "x" input @0+0 f32[8]
tensor %1 "w" input @0+64 f32[2]
tensor %2 "rows" input @0+128 i32[1]
tensor %3 "y" output @0+192 f32[2]
tensor %4 "n" output @0+256 i32[1]
entry "main" dispatch {
  symbol "n" 1 to 8
  input "x" f32[s0]
  input "w" f32[2]
  output "y" f32[2]
  output "n" i32[1]
  variant 1 sizes [8] extent 2 = s0
}
entry "main.0" (%0, %1, %2) -> (%3, %4) {
  #0 dma "copy" transfer (%1) -> (%3)
  #1 dma "copy" transfer (%2) -> (%4)
}
entry "alone" (%2) -> (%4) {
  #0 dma "copy" transfer (%2) -> (%4)
}
)";

alignas(64) std::array<float, 16> memory = {1, 2, 3, 4, 5, 6, 7, 8};

/// Loading says the same as the check by itself. The empty string: it loads.
std::string refusal(const std::string &text,
                    const std::vector<InputBinding> &bindings) {
  const auto file = test::fileOfText(text);
  if (!file)
    return "";
  runtime::LoadOptions options;
  options.threads = 1;
  options.bindings = bindings;
  const auto executable = runtime::Executable::load(file, options);
  const Status status = runtime::checkBindings(file->recipe(), bindings);
  EXPECT_EQ(bool(status), bool(executable));
  if (status)
    return "";
  EXPECT_EQ(executable.error().message, status.error().message);
  return status.error().message;
}

TEST(Bindings, OfInputsThatThereAreNot) {
  EXPECT_EQ(refusal(variants, {{1, 0, memory.data(), 32}}),
            "a binding names entry 1, which the host cannot launch");
  EXPECT_EQ(refusal(variants, {{3, 0, memory.data(), 32}}),
            "a binding names entry 3, which the host cannot launch");
  EXPECT_EQ(refusal(variants, {{uint64_t(1) << 32, 0, memory.data(), 32}}),
            "a binding names entry 4294967296, which the host cannot launch");
  EXPECT_EQ(refusal(variants, {{0, 2, memory.data(), 4}}),
            "a binding names input 2 of entry \"main\", which has 2")
      << "callers do not see the extent";
}

TEST(Bindings, OfInputsThatTheDeviceStoresOtherwise) {
  EXPECT_EQ(refusal(variants, {{0, 0, memory.data(), 32}}),
            "input 0 \"x\" of entry \"main\" cannot be bound: its size differs "
            "from launch to launch; copy it");
  EXPECT_EQ(refusal(entries, {{1, 1, memory.data(), 32}}),
            "input 1 \"turned\" of entry \"other\" cannot be bound: the device "
            "stores it in another order of dimensions; copy it, or compile "
            "without allowPermutation for it");
  EXPECT_EQ(refusal(entries, {{1, 2, memory.data(), 24}}),
            "input 2 \"padded\" of entry \"other\" cannot be bound: the device "
            "stores it with padding between rows; copy it");
  EXPECT_EQ(refusal(entries, {{1, 3, memory.data(), 32}}),
            "input 3 \"count\" of entry \"other\" cannot be bound: it is a "
            "state, which launches write; set the state");
}

TEST(Bindings, ToMemoryThatDoesNotFit) {
  EXPECT_EQ(refusal(variants, {{0, 1, nullptr, 8}}),
            "input 1 \"w\" of entry \"main\" cannot be bound: the binding's "
            "data is null");
  EXPECT_EQ(refusal(variants, {{0, 1, memory.data(), 12}}),
            "input 1 \"w\" of entry \"main\" cannot be bound: it has 8 bytes, "
            "the binding 12");
  EXPECT_EQ(refusal(variants, {{0, 1, memory.data() + 1, 8}}),
            "input 1 \"w\" of entry \"main\" cannot be bound: the binding's "
            "data is not aligned to 8 bytes; copy it");
  EXPECT_EQ(refusal(variants, {{0, 1, memory.data() + 2, 8}}), "");
  EXPECT_EQ(refusal(entries, {{1, 4, nullptr, 0}}), "") << "nothing is read";
}

TEST(Bindings, OfInputsThatEntriesShare) {
  const InputBinding first = {0, 0, memory.data(), 32},
                     second = {1, 0, memory.data(), 32},
                     elsewhere = {1, 0, memory.data() + 8, 32};
  EXPECT_EQ(refusal(entries, {first}),
            "input 0 \"x\" of entry \"main\" cannot be bound: input 0 \"x\" of "
            "entry \"other\" has the same device memory; bind it as well");
  EXPECT_EQ(refusal(entries, {first, elsewhere}),
            "input 0 \"x\" of entry \"other\" cannot be bound: it has the same "
            "device memory as input 0 of entry \"main\", which is bound to "
            "other memory");
  EXPECT_EQ(refusal(entries, {first, second, first}), "");
}

TEST(Bindings, OfViewsMoveWithTheirRoot) {
  const InputBinding view = {2, 0, memory.data(), 16};
  EXPECT_EQ(refusal(views, {view}),
            "input 0 \"head\" of entry \"view\" cannot be bound: it shares "
            "device memory with \"x\", which is not within it; copy it");
  EXPECT_EQ(
      refusal(views, {{0, 0, memory.data(), 32}, {1, 0, memory.data(), 32}}),
      "input 0 \"x\" of entry \"main\" cannot be bound: input 0 \"head\" of "
      "entry \"view\" has the same device memory; bind it as well");
}

/// The host writes extents, whoever else reads them.
TEST(Bindings, OfExtents) {
  EXPECT_EQ(refusal(variants, {{2, 0, memory.data(), 4}}),
            "input 0 \"rows\" of entry \"alone\" cannot be bound: it shares "
            "device memory with the extent \"rows\" of entry \"main\", which "
            "launches write; copy it");
}

TEST(Bindings, AreNotForMemoryChecks) {
  runtime::LoadOptions options;
  options.checkMemory = true;
  options.bindings = {{0, 1, memory.data(), 8}};
  const auto executable =
      runtime::Executable::load(test::fileOfText(variants), options);
  ASSERT_FALSE(executable);
  EXPECT_EQ(executable.error().message,
            "inputs cannot be bound where memory is checked");
}

TEST(Bindings, AreNotSet) {
  runtime::LoadOptions options;
  options.threads = 1;
  options.bindings = {{0, 0, memory.data(), 32}, {1, 0, memory.data(), 32}};
  const auto executable = test::loadText(entries, options);
  ASSERT_TRUE(executable);
  EXPECT_EQ(executable->memory().bound, 32u);
  EXPECT_TRUE(executable->isBound(0, 0));
  std::array<float, 8> x = {}, y = {};
  EXPECT_EQ(executable->setInput(0, x.data(), sizeof(x)).error().message,
            "input 0 \"x\" is bound to memory of the caller");
  ASSERT_TRUE(executable->launch());
  ASSERT_TRUE(executable->getOutput(0, y.data(), sizeof(y)));
  EXPECT_EQ(y, (std::array<float, 8>{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(Bindings, OfVariantsAreNotSet) {
  runtime::LoadOptions options;
  options.threads = 1;
  options.bindings = {{0, 1, memory.data() + 4, 8}};
  const auto executable = test::loadText(variants, options);
  ASSERT_TRUE(executable);
  auto dispatcher = Dispatcher::create(*executable, 0);
  ASSERT_TRUE(dispatcher) << dispatcher.error().message;
  ASSERT_TRUE((*dispatcher)->select({{3}, {2}}));
  std::array<float, 2> w = {}, y = {};
  EXPECT_EQ((*dispatcher)->setInput(1, w.data(), sizeof(w)).error().message,
            "input 1 \"w\" is bound to memory of the caller");
  ASSERT_TRUE((*dispatcher)->launch());
  ASSERT_TRUE((*dispatcher)->getOutput(0, y.data(), sizeof(y)));
  EXPECT_EQ(y, (std::array<float, 2>{5, 6}));
}

} // namespace
