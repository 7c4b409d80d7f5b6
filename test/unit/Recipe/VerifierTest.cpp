// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the verifier must accept, the finer points of memory in time, and that
// its work stays in proportion.
#include "Gaudi/Recipe/Verifier.h"
#include "Samples.h"

#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace gaudi;
using namespace gaudi::recipe;
using namespace gaudi::recipe::test;

namespace {

/// The steps that the verifier counts for a valid recipe.
uint64_t workOf(const std::vector<uint8_t> &bytes) {
  const auto file = RecipeFile::fromBuffer(spanOf(bytes));
  EXPECT_TRUE(file) << file.error().message;
  uint64_t work = 0;
  const Header &header = file->header();
  EXPECT_TRUE(verifyRecipe(
      file->recipe(),
      {header.fileSize, header.metadataOffset, header.metadataSize}, &work));
  return work;
}

/// x and two results that are columns of one tensor, written by two commands.
std::string columns(const std::string &first, const std::string &second,
                    const std::string &secondPlace = "80") {
  return R"(recipe 1.0 target "gaudi3" producer ""
section @0 persistent 4096 bytes
tensor %0 "x" input @0+0 f32[4,4]
tensor %1 "both" output @0+64 f32[4,8]
tensor %2 "left" output @0+64 f32[4,4] strides[8,1] alias %1
tensor %3 "right" output @0+)" +
         secondPlace + R"( f32[4,4] strides[8,1] alias %1
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
  // On different engines, too.
  EXPECT_EQ(verify(columns("dma \"a\"", "tpc \"b\" transfer (%0) -> (%3)")),
            "ok");
  // Columns that share bytes need an order.
  EXPECT_EQ(
      verify(columns("dma \"a\"", "tpc \"b\" transfer (%0) -> (%3)", "76")),
      "command #1 \"b\" of entry \"main\" writes tensor %3 \"right\" "
      "while command #0 \"a\" of entry \"main\" may still write those "
      "bytes; expected a dependency");
  // Within one command columns are distinguished.
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
tensor %6 "q" const @1+0 f32[1,32,1099511627776] strides[0,0,0]
tensor %7 "k" const @1+0 f32[1,64,1099511627776] strides[0,0,0]
tensor %8 "v" const @1+0 f32[1,64,1] strides[0,0,0]
tensor %9 "o" output @0+12352 f32[1,32,1]
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
            "command #0 \"g\" of entry \"main\" needs 2.25e+15 "
            "multiply-adds, expected at most 2^50");
  EXPECT_EQ(verify(with("#0 mme \"g\" conv x \"NCW\" w \"OIW\" y \"NCW\" "
                        "strides [1] dilations [1] pad_low [1024] pad_high "
                        "[0] (%3, %4) -> (%5)")),
            "command #0 \"g\" of entry \"main\" the convolution needs "
            "1.13e+15 multiply-adds, expected at most 2^50");
  EXPECT_EQ(verify(with("#0 mme \"g\" attention q \"NLD\" k \"NLD\" v "
                        "\"NLD\" o \"NLD\" scale 1.0 (%6, %7, %8) -> (%9)")),
            "command #0 \"g\" of entry \"main\" needs 2.25e+15 "
            "multiply-adds, expected at most 2^50");
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

TEST(Verifier, MemoryInTooManyPartsIsRefusedNotSweptForever) {
  // Each part is written by a command of its own and read by all that follow.
  std::string text = "recipe 1.0 target \"gaudi\" producer \"\"\n"
                     "section @0 persistent 65536 bytes\n"
                     "section @1 workspace 65536 bytes\n"
                     "tensor %0 \"all\" workspace @1+0 f32[5000]\n"
                     "tensor %1 \"copy\" output @0+0 f32[5000]\n";
  std::string commands;
  for (int i = 0; i < 5000; ++i)
    text += fmt::format("tensor %{} \"\" workspace @1+{} f32[1] alias %0\n",
                        i + 2, 4 * i);
  for (int i = 0; i < 10000; ++i)
    commands +=
        "#" + std::to_string(i) +
        (i < 5000 ? " dma \"w\" fill 0 () -> (%" + std::to_string(i + 2) + ")\n"
                  : " dma \"r\" transfer (%0) -> (%1)\n");
  const std::string message =
      verify(text + "entry \"main\" () -> (%1) {\n" + commands + "}\n");
  EXPECT_EQ(message.substr(0, 28), "entry \"main\" takes more than");
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
  auto bytes = writeRecipe(recipe, {});
  ASSERT_TRUE(bytes) << bytes.error().message;
  // Each command reads and writes one range.
  EXPECT_LT(workOf(*bytes), uint64_t(8) * count);
}

/// A launch of a kernel with `count` inputs and as many outputs, one value
/// each. The operands are tensors %0 to %(2 * count - 1).
std::string manyOperands(unsigned count, unsigned launches = 1) {
  std::string kernel = "kernel 0 \"k\" {\n  space [4 parallel]\n";
  std::string stage, ids[2];
  for (unsigned i = 0; i < count; ++i) {
    kernel += fmt::format("  in{} : f32 rank 1\n", i);
    stage += fmt::format("    %{} = load in{}[d0] : f32\n", i, i);
    ids[0] += fmt::format("{}%{}", i ? ", " : "", i);
    ids[1] += fmt::format("{}%{}", i ? ", " : "", count + i);
  }
  for (unsigned i = 0; i < count; ++i) {
    kernel += fmt::format("  out{} : f32 rank 1\n", i);
    stage += fmt::format("    store %{} -> out{}[d0]\n", i, i);
  }
  std::string entry =
      fmt::format("entry \"e\" ({}) -> ({}) {{\n", ids[0], ids[1]);
  for (unsigned i = 0; i < launches; ++i)
    entry += fmt::format("  #{} tpc \"k\" launch 0 ({}) -> ({})\n", i, ids[0],
                         ids[1]);
  return fmt::format("{}  stage {{\n{}  }}\n}}\n{}}}\n", kernel, stage, entry);
}

/// Tensors of four values, the i-th at byte `stride` * i of its section, with
/// `pitch` values from one to the next.
std::string manyTensors(unsigned count, unsigned stride, unsigned pitch) {
  std::string text = "recipe 1.0 target \"gaudi\" producer \"\"\n"
                     "section @0 persistent 1048576 bytes\n"
                     "section @1 persistent 1048576 bytes\n";
  for (unsigned i = 0; i < 2 * count; ++i)
    text += fmt::format("tensor %{} \"\" {} @{}+{} f32[4] strides[{}]\n", i,
                        i < count ? "input" : "output", i < count ? 0 : 1,
                        stride * (i % count), pitch);
  return text;
}

TEST(Verifier, OperandsApartCostNothing) {
  // 400 outputs beside each other: pairs are not compared.
  const std::vector<uint8_t> bytes =
      bytesOfText(manyTensors(400, 64, 1) + manyOperands(400));
  // One or two ranges of memory per operand; 16 steps for each of 79,800 pairs
  // of outputs would be another size.
  EXPECT_LE(workOf(bytes), 2u * 800u);
}

TEST(Verifier, OperandsThatInterleavePayForEachPair) {
  // Columns of one pitch: all byte ranges meet, no two share a byte. Roots of
  // persistent tensors may not interleave, so these are views of one.
  auto text = [](unsigned count, unsigned launches) {
    std::string tensors = manyTensors(count, 4, 1024);
    size_t at = 0;
    for (unsigned i = 0; i < 2 * count; ++i) {
      at = tensors.find("strides[1024]\n", at) + strlen("strides[1024]");
      tensors.insert(at, fmt::format(" alias %{}", 2 * count + (i >= count)));
    }
    return tensors +
           fmt::format("tensor %{} \"\" input @0+0 f32[4,1024]\n"
                       "tensor %{} \"\" output @1+0 f32[4,1024]\n",
                       2 * count, 2 * count + 1) +
           manyOperands(count, launches);
  };
  // 16 steps for each of 20 * 19 / 2 pairs of outputs, and a few per operand.
  const uint64_t pairs = 16 * 190, work = workOf(bytesOfText(text(20, 1)));
  EXPECT_GE(work, pairs);
  EXPECT_LE(work, pairs + 8 * 40);
  const std::string message = verify(text(500, 3));
  EXPECT_EQ(message.rfind("command #", 0), 0u) << message;
  EXPECT_NE(message.find("steps to verify, 16 per byte of metadata; expected "
                         "fewer operands that overlap"),
            std::string::npos)
      << message;
}

TEST(Verifier, ConcatsOfThousandsOfOperandsAreVerified) {
  // 4,000 columns of one tensor, each copied into place by a command of its
  // own on one of two engines, then the whole, then each column once more: the
  // byte range of every column meets those of all others.
  constexpr unsigned count = 4000;
  std::string tensors = fmt::format("tensor %0 \"x\" input @0+0 f32[4,1]\n"
                                    "tensor %1 \"y\" output @0+16 f32[4,{0}]\n"
                                    "tensor %2 \"z\" output @0+{1} f32[4,1]\n"
                                    "tensor %3 \"all\" workspace @1+0 "
                                    "f32[4,{0}]\n",
                                    count, 16 + 16 * count);
  std::string commands;
  for (unsigned i = 0; i < count; ++i) {
    tensors += fmt::format("tensor %{} \"\" workspace @1+{} f32[4,1] "
                           "strides[{},1] alias %3\n",
                           i + 4, 4 * i, count);
    commands += fmt::format("#{} {} \"p\" transfer (%0) -> (%{}){}\n", i,
                            i % 2 ? "tpc" : "dma", i + 4,
                            i ? fmt::format(" after [#{}]", i - 1) : "");
  }
  commands += fmt::format("#{} dma \"all\" transfer (%3) -> (%1) after [#{}]\n",
                          count, count - 1);
  for (unsigned i = 0; i < count; ++i)
    commands += fmt::format("#{} dma \"q\" transfer (%{}) -> (%2)\n",
                            count + 1 + i, i + 4);
  EXPECT_EQ(verify("recipe 1.0 target \"gaudi\" producer \"\"\n"
                   "section @0 persistent 1048576 bytes\n"
                   "section @1 workspace 1048576 bytes\n" +
                   tensors + "entry \"main\" (%0) -> (%1, %2) {\n" + commands +
                   "}\n"),
            "ok");
}

TEST(Verifier, EntriesDoNotPayForTensorsOfOthers) {
  // State that no entry names, and entries without commands.
  std::string text = "recipe 1.0 target \"gaudi\" producer \"\"\n"
                     "section @0 persistent 1048576 bytes\n";
  for (unsigned i = 0; i < 2000; ++i)
    text += fmt::format("tensor %{} \"\" state @0+{} f32[4]\n", i, 16 * i);
  for (unsigned i = 0; i < 2000; ++i)
    text += fmt::format("entry \"e{}\" () -> (%{}) {{\n}}\n", i, i);
  EXPECT_EQ(workOf(bytesOfText(text)), 0u);
}

TEST(Verifier, ValuesOfEarlierStagesStayLiveInLoops) {
  // `count` values before a loop whose first instruction uses them all: live
  // through it, together with the loop's `inner` own values.
  auto kernel = [](unsigned count, unsigned inner) {
    std::string before, uses, chain;
    for (unsigned i = 1; i <= count; ++i)
      before += fmt::format("    %{} = addf %0, %0 : f32\n", i);
    unsigned next = count + 1;
    for (unsigned i = 1; i <= count; ++i, ++next)
      uses += fmt::format("    %{} = addf %{}, %0 : f32\n", next, i);
    // All inner values are live until the chain adds them up.
    const unsigned first = next;
    for (unsigned i = 0; i < inner; ++i, ++next)
      chain += fmt::format("    %{} = load in0[d0, d1] : f32\n", next);
    for (unsigned i = 0; i < inner; ++i, ++next)
      chain += fmt::format("    %{} = addf %{}, %{} : f32\n", next,
                           i ? next - 1 : first, first + i);
    return fmt::format(
        "recipe 1.0 target \"gaudi\" producer \"\"\n"
        "section @0 persistent 4096 bytes\n"
        "tensor %0 \"x\" input @0+0 f32[4,8]\n"
        "tensor %1 \"y\" output @0+1024 f32[4]\n"
        "kernel 0 \"k\" {{\n  space [4 parallel, 8]\n  in0 : f32 rank 2\n"
        "  out0 : f32 rank 1\n  stage {{\n    %0 = const 0.0 : f32\n{}  }}\n"
        "  loop [1] {{\n{}{}    reduce add %{} init %0 -> %{}\n  }}\n"
        "  stage {{\n    store %{} -> out0[d0]\n  }}\n}}\n"
        "entry \"e\" (%0) -> (%1) {{\n"
        "  #0 tpc \"k\" launch 0 (%0) -> (%1)\n}}\n",
        before, uses, chain, next - 1, next, next);
  };
  EXPECT_EQ(verify(kernel(500, 500)), "ok");
  EXPECT_EQ(verify(kernel(600, 500)),
            "kernel 0 \"k\" has 1102 values that are live at once, expected at "
            "most 1024; split it into several kernels");
}

} // namespace
