// What the verifier must accept, the finer points of memory in time, and that
// its work stays in proportion.
#include "Samples.h"

#include <chrono>
#include <gtest/gtest.h>

using namespace gaudi;
using namespace gaudi::recipe;
using namespace gaudi::recipe::test;

namespace {

std::string verify(const std::string &text) {
  Result<ParsedRecipe> parsed = parseRecipeText(text);
  if (!parsed)
    return parsed.error().message;
  auto bytes = writeRecipe(parsed->recipe, parsed->constants());
  if (bytes)
    return "ok";
  const std::string prefix = "the recipe to write is not valid: ";
  EXPECT_EQ(bytes.error().message.substr(0, prefix.size()), prefix);
  return bytes.error().message.substr(prefix.size());
}

/// x and two results that are columns of one tensor, written by two commands.
std::string columns(const std::string &first, const std::string &second) {
  return R"(recipe 1.0 target "gaudi3" producer ""
section @0 persistent 4096 bytes
tensor %0 "x" input @0+0 f32[4,4]
tensor %1 "both" output @0+64 f32[4,8]
tensor %2 "left" output @0+64 f32[4,4] strides[8,1] alias %1
tensor %3 "right" output @0+80 f32[4,4] strides[8,1] alias %1
entry "main" (%0) -> (%1) {
  #0 )" + first +
         R"( transfer (%0) -> (%2)
  #1 )" + second +
         R"(
}
)";
}

TEST(Verifier, ColumnsOfOneTensorMayBeWrittenByTurns) {
  EXPECT_EQ(verify(columns("dma \"a\"", "dma \"b\" transfer (%0) -> (%3)")),
            "ok");
  EXPECT_EQ(verify(columns("dma \"a\"",
                           "tpc \"b\" transfer (%0) -> (%3) after [#0]")),
            "ok");
  // Byte ranges count, so different engines need an order.
  EXPECT_EQ(verify(columns("dma \"a\"", "tpc \"b\" transfer (%0) -> (%3)")),
            "command #1 \"b\" of entry \"main\" writes tensor %3 \"right\" "
            "while command #0 \"a\" of entry \"main\" may still write those "
            "bytes; expected a dependency");
  // Within one command columns are told apart.
  EXPECT_EQ(verify(columns("dma \"a\"", "dma \"b\" transfer (%2) -> (%3)")),
            "ok");
}

TEST(Verifier, DependenciesReachThroughOtherEngines) {
  const char *const text = R"(recipe 1.0 target "gaudi" producer ""
section @0 persistent 4096 bytes
section @1 workspace 4096 bytes
tensor %0 "x" input @0+0 f32[4]
tensor %1 "y" output @0+64 f32[4]
tensor %2 "t" workspace @1+0 f32[4]
tensor %3 "u" workspace @1+64 f32[4]
entry "main" (%0) -> (%1) {
  #0 dma "a" transfer (%0) -> (%2)
  #1 tpc "b" transfer (%2) -> (%3) after [#0]
  #2 mme "c" transfer (%3) -> (%1) after [#1]
  #3 mme "d" transfer (%2) -> (%3)
  #4 dma "e" fill 0 () -> (%2)FIFTH
}
)";
  auto with = [&](const std::string &fifth) {
    std::string result = text;
    return result.replace(result.find("FIFTH"), 5, fifth);
  };
  EXPECT_EQ(verify(with(" after [#3]")), "ok");
  EXPECT_EQ(verify(with("")),
            "command #4 \"e\" of entry \"main\" writes tensor %2 \"t\" while "
            "command #3 \"d\" of entry \"main\" may still read those bytes; "
            "expected a dependency");
}

TEST(Verifier, ResultsMayBeViewsOfInputsAndConstants) {
  EXPECT_EQ(verify(R"(recipe 1.0 target "gaudi" producer ""
section @0 persistent 4096 bytes
section @1 const 4 bytes
tensor %0 "x" input @0+0 f32[4]
tensor %1 "head" output @0+0 f32[2] alias %0
tensor %2 "c" const @1+0 f32[]
tensor %3 "same" output @1+0 f32[3] strides[0] alias %2
entry "main" (%0) -> (%1, %3, %1) {
}
bytes @1 { 0x0000803f }
)"),
            "ok");
}

TEST(Verifier, ShapeVariantsShareMemoryByAlias) {
  EXPECT_EQ(verify(R"(recipe 1.0 target "gaudi" producer ""
section @0 persistent 4096 bytes
tensor %0 "x16" input @0+0 f32[16]
tensor %1 "x8" input @0+0 f32[8] alias %0
tensor %2 "y16" output @0+64 f32[16]
tensor %3 "y8" output @0+64 f32[8] alias %2
entry "16" (%0) -> (%2) {
  #0 dma "copy" transfer (%0) -> (%2)
}
entry "8" (%1) -> (%3) {
  #0 dma "copy" transfer (%1) -> (%3)
}
)"),
            "ok");
}

TEST(Verifier, WorkspaceIsReusedWhenItsTenantIsDone) {
  const std::string text = R"(recipe 1.0 target "gaudi" producer ""
section @0 persistent 4096 bytes
section @1 workspace 4096 bytes
tensor %0 "x" input @0+0 f32[4]
tensor %1 "y" output @0+64 f32[4]
tensor %2 "first" workspace @1+0 f32[4]
tensor %3 "second" workspace @1+8 f32[4]
entry "main" (%0) -> (%1) {
  #0 dma "a" transfer (%0) -> (%2)
  #1 dma "b" transfer (%2) -> (%1)
  #2 dma "c" transfer (%0) -> (%3)
  #3 dma "d" transfer (LAST) -> (%1)
}
)";
  auto with = [&](const std::string &last) {
    std::string result = text;
    return result.replace(result.find("LAST"), 4, last);
  };
  EXPECT_EQ(verify(with("%3")), "ok");
  EXPECT_EQ(
      verify(with("%2")),
      "command #3 \"d\" of entry \"main\" reads tensor %2 \"first\" after "
      "tensor %3 \"second\" was written to its bytes: the buffers overlap "
      "while both are live");
}

std::string gemm(const std::string &a, const std::string &b,
                 const std::string &c, const std::string &flags = "") {
  return "recipe 1.0 target \"gaudi\" producer \"\"\n"
         "section @0 persistent 65536 bytes\n"
         "tensor %0 \"a\" input @0+0 " +
         a +
         "\n"
         "tensor %1 \"b\" input @0+8192 " +
         b +
         "\n"
         "tensor %2 \"c\" output @0+16384 " +
         c +
         "\n"
         "entry \"main\" (%0, %1) -> (%2) {\n"
         "  #0 mme \"g\" gemm " +
         flags + " (%0, %1) -> (%2)\n}\n";
}

TEST(Verifier, GemmsBroadcastTheirBatches) {
  EXPECT_EQ(verify(gemm("bf16[3,1,2,4]", "bf16[1,5,4,6]", "f32[3,5,2,6]")),
            "ok");
  EXPECT_EQ(verify(gemm("bf16[3,4,2]", "bf16[3,6,4]", "bf16[3,2,6]",
                        "transpose_a transpose_b")),
            "ok");
  EXPECT_EQ(verify(gemm("bf16[3,2,4]", "bf16[2,4,6]", "f32[3,2,6]")),
            "command #0 \"g\" of entry \"main\" has batch sizes 3 and 2 in "
            "dimension 0, expected equal ones or 1");
  EXPECT_EQ(verify(gemm("bf16[3,2,4]", "bf16[1,4,6]", "f32[1,2,6]")),
            "command #0 \"g\" of entry \"main\" has batch size 1 in dimension "
            "0 of C, expected 3");
}

TEST(Verifier, WorkIsLimited) {
  // Tensors of stride 0 are large without memory.
  const std::string text = R"(recipe 1.0 target "gaudi" producer ""
section @0 persistent 65536 bytes
section @1 const 4 bytes
tensor %0 "a" const @1+0 f32[32,1099511627776] strides[0,0]
tensor %1 "b" const @1+0 f32[1099511627776,64] strides[0,0]
tensor %2 "c" output @0+0 f32[32,64]
tensor %3 "x" const @1+0 f32[1,1,1099511627776] strides[0,0,0]
tensor %4 "w" const @1+0 f32[1,1,1099511627776] strides[0,0,0]
tensor %5 "y" output @0+8192 f32[1,1,1025]
entry "main" () -> () {
  BODY
}
bytes @1 { 0x0000803f }
)";
  auto with = [&](const std::string &body) {
    std::string result = text;
    return result.replace(result.find("BODY"), 4, body);
  };
  EXPECT_EQ(verify(with("#0 mme \"g\" gemm (%0, %1) -> (%2)")),
            "command #0 \"g\" of entry \"main\" needs more than 2^50 "
            "multiply-adds");
  EXPECT_EQ(verify(with("#0 mme \"g\" conv x \"NCW\" w \"OIW\" y \"NCW\" "
                        "strides [1] dilations [1] pad_low [1024] pad_high "
                        "[0] (%3, %4) -> (%5)")),
            "command #0 \"g\" of entry \"main\" the convolution needs more "
            "than 2^50 multiply-adds");
}

TEST(Verifier, StoresMayPermuteAndReverse) {
  const std::string text = R"(recipe 1.0 target "gaudi" producer ""
section @0 persistent 4096 bytes
tensor %0 "x" input @0+0 f32[3,4]
tensor %1 "y" output @0+64 f32[4,3] strides[STRIDES]
kernel 0 "k" {
  space [3 parallel, 4]
  in0 : f32 rank 2
  out0 : f32 rank 2
  loop [1] {
    %0 = load in0[d0, d1] : f32
    store %0 -> out0[INDEX]
  }
}
entry "main" (%0) -> (%1) {
  #0 tpc "k" launch 0 (%0) -> (%1)
}
)";
  auto with = [&](const std::string &strides, const std::string &index) {
    std::string result = text;
    result.replace(result.find("STRIDES"), 7, strides);
    return result.replace(result.find("INDEX"), 5, index);
  };
  const std::string collision =
      "command #0 \"k\" of entry \"main\" output 0 of kernel 0 \"k\" may be "
      "stored to one place from several points";
  EXPECT_EQ(verify(with("3,1", "d1, d0")), "ok");
  EXPECT_EQ(verify(with("3,1", "-d1 + 3, -d0 + 2")), "ok");
  EXPECT_EQ(verify(with("1,4", "d1, d0")), "ok");
  EXPECT_EQ(verify(with("3,1", "d0, 0")), collision);
  EXPECT_EQ(verify(with("1,1", "d1, d0")), collision);
  EXPECT_EQ(verify(with("3,1", "d1, d1")),
            "command #0 \"k\" of entry \"main\" access 1 of kernel 0 \"k\" "
            "reaches index 3 of output 0, whose dimension 1 has size 3");
}

TEST(Verifier, MemoryInTooManyPiecesIsRefusedNotSweptForever) {
  // Each piece is written by a command of its own and read by all that follow.
  std::string text = "recipe 1.0 target \"gaudi\" producer \"\"\n"
                     "section @0 persistent 65536 bytes\n"
                     "section @1 workspace 65536 bytes\n"
                     "tensor %0 \"all\" workspace @1+0 f32[5000]\n"
                     "tensor %1 \"copy\" output @0+0 f32[5000]\n";
  std::string commands;
  for (int i = 0; i < 5000; ++i)
    text += "tensor %" + std::to_string(i + 2) + " \"\" workspace @1+" +
            std::to_string(4 * i) + " f32[1] alias %0\n";
  for (int i = 0; i < 10000; ++i)
    commands +=
        "#" + std::to_string(i) +
        (i < 5000 ? " dma \"w\" fill 0 () -> (%" + std::to_string(i + 2) + ")\n"
                  : " dma \"r\" transfer (%0) -> (%1)\n");
  EXPECT_EQ(verify(text + "entry \"main\" () -> (%1) {\n" + commands + "}\n"),
            "entry \"main\" cuts its memory into too many pieces to verify");
}

TEST(Verifier, LongChainsAreVerifiedQuickly) {
  // 50,000 commands on four engines that reuse two buffers by turns.
  RecipeT recipe;
  recipe.target = "gaudi2";
  recipe.locations.emplace_back();
  auto section = [&](SectionKind kind, uint64_t size) {
    recipe.sections.push_back(std::make_unique<SectionT>());
    recipe.sections.back()->kind = kind;
    recipe.sections.back()->size = size;
  };
  section(SectionKind::Persistent, 4096);
  section(SectionKind::Workspace, uint64_t(1) << 30);
  constexpr uint32_t count = 50000;
  auto entry = std::make_unique<EntryT>();
  for (uint32_t i = 0; i <= count; ++i) {
    auto tensor = std::make_unique<TensorT>();
    tensor->tensor_class = i ? TensorClass::Workspace : TensorClass::Input;
    tensor->section = i ? 1 : 0;
    tensor->offset = i ? (i * uint64_t(7919) % 1024) * 4096 : 0;
    tensor->sizes = {16};
    tensor->strides = {1};
    recipe.tensors.push_back(std::move(tensor));
    if (i == 0) {
      entry->inputs.push_back(0);
      continue;
    }
    auto command = std::make_unique<CommandT>();
    const Engine engines[] = {Engine::DMA, Engine::TPC, Engine::MME,
                              Engine::Host};
    command->engine = engines[i % 4];
    command->body.Set(TransferT());
    command->inputs = {i - 1};
    command->outputs = {i};
    if (i > 1)
      command->dependencies = {i - 2};
    entry->commands.push_back(std::move(command));
  }
  recipe.entries.push_back(std::move(entry));
  const auto start = std::chrono::steady_clock::now();
  auto bytes = writeRecipe(recipe, {});
  const auto end = std::chrono::steady_clock::now();
  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_LT(std::chrono::duration<double>(end - start).count(), 20.0);
}

} // namespace
