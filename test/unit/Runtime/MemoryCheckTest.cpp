// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LoadOptions::checkMemory: what it passes, and what it says of commands that
// misbehave. No recipe makes a command do so: the tests write for it.
#include "Memory/MemoryCheck.h"
#include "Loader.h"
#include "TextRecipe.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace gaudi;
using namespace gaudi::runtime;
using test::fileOfText;

namespace {

/// Three copies; `a` is dead after the second.
const char *const chain = R"(recipe 1.0 target "gaudi2" producer ""
section @0 persistent 4096 bytes
section @1 workspace WORKSPACE bytes
tensor %0 "x" input @0+0 f32[32]
tensor %1 "y" output @0+128 f32[32]
tensor %2 "a" workspace @1+0 f32[32]
tensor %3 "b" workspace @1+PLACE f32[16,2] strides[2,1]
tensor %4 "b.view" workspace @1+PLACE f32[32] alias %3
entry "main" (%0) -> (%1) {
  #0 dma "first" transfer (%0) -> (%2)
  #1 dma "second" transfer (%2) -> (%4)
  #2 dma "third" transfer (%4) -> (%1)
}
)";

/// The chain; `place`: the offset of `b`.
std::shared_ptr<const recipe::RecipeFile>
fileOf(const std::string &workspace, const std::string &place = "128") {
  std::string text = chain;
  text.replace(text.find("WORKSPACE"), 9, workspace);
  for (size_t at; (at = text.find("PLACE")) != std::string::npos;)
    text.replace(at, 5, place);
  return fileOfText(text);
}

LoadOptions checking() {
  LoadOptions options;
  options.deviceMemory = options.hostScratch = 1 << 20;
  options.threads = 1;
  options.cacheDirectory = "";
  options.checkMemory = true;
  return options;
}

/// A launch, command by command.
class MemoryCheckTest : public testing::Test {
protected:
  void SetUp() override { begin("256"); }

  void begin(const std::string &workspace, const std::string &place = "128") {
    LoadOptions options = checking();
    options.deviceMemory = uint64_t(1) << 24;
    auto recipe = loadRecipe(fileOf(workspace, place), options);
    ASSERT_TRUE(recipe) << recipe.error().message;
    loaded = std::move(*recipe);
    check = std::make_unique<MemoryCheck>(*loaded, 128);
    for (int i = 0; i < 32; ++i)
      floats(0)[i] = float(i);
    check->beginLaunch(0);
    EXPECT_EQ(messageOf(check->beginEntry(0)), "ok");
  }

  float *floats(uint32_t tensor) {
    return reinterpret_cast<float *>(loaded->tensors[tensor].data);
  }

  void run(uint32_t command) {
    Fault fault;
    LaunchContext context{loaded->pool, fault};
    loaded->entries[0].commands[command].body->run(context);
  }

  static std::string messageOf(const Status &status) {
    return status ? "ok" : status.error().message;
  }

  /// All of a command.
  std::string pass(uint32_t command) {
    if (Status status = check->before(0, command); !status)
      return status.error().message;
    run(command);
    return messageOf(check->after(0, command));
  }

  std::unique_ptr<LoadedRecipe> loaded;
  std::unique_ptr<MemoryCheck> check;
};

TEST_F(MemoryCheckTest, DeadBuffersArePoisoned) {
  EXPECT_TRUE(std::isnan(floats(1)[0])) << "outputs, before the launch";
  EXPECT_TRUE(std::isnan(floats(3)[31])) << "the workspace, before the launch";
  EXPECT_EQ(pass(0), "ok");
  EXPECT_EQ(floats(2)[5], 5) << "used again";
  EXPECT_EQ(pass(1), "ok");
  for (int i = 0; i < 32; ++i) {
    uint32_t bits = 0;
    std::memcpy(&bits, floats(2) + i, sizeof(bits));
    EXPECT_EQ(bits & 0xffc0ffc0, 0xff80ff80) << "no signalling NaN";
    EXPECT_NE(bits & 0x003f0000, 0u) << "an infinity";
  }
  EXPECT_EQ(pass(2), "ok");
  EXPECT_EQ(messageOf(check->endEntry(0)), "ok");
  EXPECT_EQ(floats(1)[31], 31);
  EXPECT_EQ(check->commandsChecked(), 3u);
}

TEST_F(MemoryCheckTest, ReadsOfBytesWithoutValueAreNamed) {
  EXPECT_EQ(pass(0), "ok");
  EXPECT_EQ(
      messageOf(check->before(0, 2)),
      "memory check: command 2 \"third\" of entry \"main\" reads byte 0 "
      "of %4 \"b.view\" (section @1, bytes 128 to 256), which holds no "
      "value: command 1 \"second\" wrote %4 \"b.view\" (section @1, bytes "
      "128 to 256) there, which is in use until command 2 \"third\"");
}

TEST_F(MemoryCheckTest, UnwrittenOutputsAreNamed) {
  EXPECT_EQ(messageOf(check->before(0, 0)), "ok");
  const float last = floats(2)[31];
  run(0);
  std::memcpy(floats(2) + 31, &last, sizeof(last));
  EXPECT_EQ(messageOf(check->after(0, 0)),
            "memory check: command 0 \"first\" of entry \"main\" left byte 124 "
            "of its output %2 \"a\" (section @1, bytes 0 to 128) unwritten");
}

TEST_F(MemoryCheckTest, StrayWritesAreNamed) {
  EXPECT_EQ(messageOf(check->before(0, 0)), "ok");
  run(0);
  floats(3)[0] = 1;
  const std::string first = "memory check: command 0 \"first\" of entry "
                            "\"main\" wrote byte 128 of section @1, which is "
                            "in none of its outputs: no command of the launch "
                            "has written it before";
  EXPECT_EQ(messageOf(check->after(0, 0)), first);
}

TEST_F(MemoryCheckTest, StrayWritesSayWhatTheyDestroy) {
  EXPECT_EQ(pass(0), "ok");
  EXPECT_EQ(pass(1), "ok");
  EXPECT_EQ(messageOf(check->before(0, 2)), "ok");
  floats(2)[0] = 1;
  run(2);
  EXPECT_EQ(
      messageOf(check->after(0, 2)),
      "memory check: command 2 \"third\" of entry \"main\" wrote byte 0 "
      "of section @1, which is in none of its outputs: command 0 "
      "\"first\" wrote %2 \"a\" (section @1, bytes 0 to 128) there, whose "
      "last use was command 1 \"second\"");
}

TEST_F(MemoryCheckTest, StrayWritesToInputsAreNamed) {
  EXPECT_EQ(pass(0), "ok");
  EXPECT_EQ(pass(1), "ok");
  EXPECT_EQ(messageOf(check->before(0, 2)), "ok");
  run(2);
  floats(0)[1] = 7;
  EXPECT_EQ(messageOf(check->after(0, 2)),
            "memory check: command 2 \"third\" of entry \"main\" wrote byte 6 "
            "of section @0, which is in none of its outputs: it is part of %0 "
            "\"x\" (section @0, bytes 0 to 128)");
}

/// Far from all operands, in memory that no command sweeps as a whole.
class FarWriteTest : public MemoryCheckTest {
protected:
  static constexpr uint64_t mebibyte = uint64_t(1) << 20;
  static constexpr uint64_t workspace = 4 * mebibyte, farPlace = 3 * mebibyte;

  void SetUp() override {
    begin(std::to_string(workspace), std::to_string(farPlace));
  }

  /// Runs a command that also writes a byte of the workspace.
  std::string passWriting(uint32_t command, uint64_t byte) {
    if (Status status = check->before(0, command); !status)
      return status.error().message;
    run(command);
    loaded->memory.section(1)[byte] ^= 1;
    return messageOf(check->after(0, command));
  }

  static std::string foundAt(uint64_t byte, const std::string &when) {
    return fmt::format(
        "memory check: byte {} of section @1 was written {} of entry \"main\", "
        "and is in no output of these commands: no command of the launch has "
        "written it before",
        byte, when);
  }
};

TEST_F(FarWriteTest, OperandsAreComparedBeforeACommand) {
  EXPECT_EQ(passWriting(0, farPlace + 5), "ok");
  EXPECT_EQ(messageOf(check->before(0, 1)),
            fmt::format("memory check: command 0 \"first\" of entry \"main\" "
                        "wrote byte {} of section @1, which is in none of its "
                        "outputs: no command of the launch has written it "
                        "before",
                        farPlace + 5));
}

TEST_F(FarWriteTest, ValuesAreComparedBeforeTheyAreRead) {
  EXPECT_EQ(pass(0), "ok");
  EXPECT_EQ(pass(1), "ok");
  // By no command, as a thread may that has not ended.
  loaded->memory.section(1)[farPlace] ^= 1;
  EXPECT_EQ(messageOf(check->before(0, 2)),
            fmt::format("memory check: byte {} of section @1 was written "
                        "during the launch, at the latest by command 1 "
                        "\"second\" of entry \"main\", and is in no output of "
                        "these commands: no command of the launch has written "
                        "it before",
                        farPlace));
}

TEST_F(FarWriteTest, LaterCommandsFindThem) {
  const uint64_t byte = 3 * mebibyte / 2;
  EXPECT_EQ(passWriting(0, byte), "ok");
  EXPECT_EQ(pass(1), foundAt(byte, "during the launch, at the latest by "
                                   "command 1 \"second\""));
}

TEST_F(FarWriteTest, TheEndFindsAll) {
  const uint64_t byte = workspace - 1;
  EXPECT_EQ(passWriting(0, byte), "ok");
  EXPECT_EQ(pass(1), "ok");
  EXPECT_EQ(pass(2), "ok");
  EXPECT_EQ(messageOf(check->endLaunch()),
            foundAt(byte, "during the launch, at the latest by command 2 "
                          "\"third\""));
}

TEST_F(FarWriteTest, ASweepBoundsTheTime) {
  const uint64_t byte = mebibyte / 2; // compared after the first command
  EXPECT_EQ(pass(0), "ok");
  EXPECT_EQ(passWriting(1, byte), "ok");
  EXPECT_EQ(pass(2), "ok");
  EXPECT_EQ(messageOf(check->endLaunch()),
            foundAt(byte, "after command 0 \"first\" of entry \"main\", at the "
                          "latest by command 2 \"third\""));
}

TEST_F(FarWriteTest, ManyLaunchesPass) {
  for (int launch = 0; launch < 5; ++launch) {
    for (const uint32_t command : {0, 1, 2})
      EXPECT_EQ(pass(command), "ok");
    EXPECT_EQ(messageOf(check->endLaunch()), "ok");
    check->beginLaunch(0);
    EXPECT_EQ(messageOf(check->beginEntry(0)), "ok");
  }
}

TEST_F(MemoryCheckTest, CommandsThatDidNotRunLowerThePeak) {
  EXPECT_EQ(pass(0), "ok");
  EXPECT_EQ(messageOf(check->endEntry(0)),
            "memory check: entry \"main\" touched 128 bytes of workspace @1, "
            "but its commands reach 256");
}

TEST(MemoryCheckRun, WritesToConstantsShowAtTheEnd) {
  const char *const text = R"(recipe 1.0 target "gaudi2" producer ""
section @0 persistent 256 bytes
section @1 const 128 bytes
tensor %0 "weights" const @1+0 f32[32]
tensor %1 "y" output @0+0 f32[32]
entry "main" () -> (%1) {
  #0 dma "only" transfer (%0) -> (%1)
}
bytes @1 {
  0xZEROS
}
)";
  std::string whole = text;
  whole.replace(whole.find("ZEROS"), 5, std::string(256, '0'));
  auto loaded = loadRecipe(fileOfText(whole), checking());
  ASSERT_TRUE(loaded) << loaded.error().message;
  MemoryCheck check(**loaded, 128);
  check.beginLaunch(0);
  EXPECT_TRUE(check.endLaunch());
  (*loaded)->tensors[0].data[3] = 1;
  const Status status = check.endLaunch();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message,
            "memory check: a command of the launch wrote to the constants of "
            "section @1, between bytes 0 and 128");
}

TEST(MemoryCheckRun, PassesAndPlansAreCompared) {
  for (const bool fits : {true, false}) {
    auto executable =
        Executable::load(fileOf(fits ? "256" : "384"), checking());
    ASSERT_TRUE(executable) << executable.error().message;
    std::vector<float> x(32, 2.5f), y(32);
    ASSERT_TRUE((*executable)->setInput(0, x.data(), 128));
    auto stats = (*executable)->launch();
    if (fits) {
      ASSERT_TRUE(stats) << stats.error().message;
      EXPECT_EQ((*executable)->memory().checkedCommands, 3u);
      ASSERT_TRUE((*executable)->getOutput(0, y.data(), 128));
      EXPECT_EQ(x, y);
    } else {
      ASSERT_FALSE(stats);
      EXPECT_EQ(stats.error().message,
                "memory check: the plan has 384 bytes of workspace @1, but "
                "commands touch 256 (buffers are aligned to 128)");
    }
  }
}

} // namespace
