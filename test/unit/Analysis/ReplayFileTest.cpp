// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replay files: what is written is read, and no damage does harm.
#include "Gaudi/Analysis/ReplayFile.h"

#include <filesystem>
#include <fstream>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace gaudi;
using namespace gaudi::analysis;

namespace {

class ReplayFile : public testing::Test {
protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() /
             ("replay-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::string at(const char *name) const { return folder / name; }
  static std::string contents(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string &path, const std::string &bytes) const {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  static Replay sample() {
    Replay replay;
    replay.versions = {{"gaudi-mlir", "1"}};
    replay.options = {
        {"check", {}},
        {"autocast", {{"bf16:lower=", false}, {"files/ops", true}}}};
    replay.environment = {{"GAUDI_MME", "avx2"}};
    replay.file = "model/m.mlir";
    replay.entry = "main";
    replay.inputs = {{"x", "2xf32", "ab", "inputs/0.npy", {}},
                     {"y", "f32", "cd", "", 7}};
    replay.outputs = {{"out0", "2xf32", "ef", "", {}}};
    replay.predictedPicoseconds = 12;
    replay.code = 1;
    replay.message = "it \"differs\"\n\xff";
    replay.reason = "it failed";
    return replay;
  }
  static std::vector<ZipMember> members() {
    return {{"model/m.mlir", {"func", ".func"}},
            {"files/ops", {"mul\n"}},
            {"inputs/0.npy", {"header", "values"}}};
  }

  std::filesystem::path folder;
};

TEST_F(ReplayFile, ReadsWhatItWrites) {
  ASSERT_TRUE(writeReplay(at("a.zip"), sample(), members()));
  auto read = unpackReplay(at("a.zip"), at("out"));
  ASSERT_TRUE(read) << read.error().message;
  Replay expected = sample();
  expected.message = "it \"differs\"\n\xef\xbf\xbd"; // U+FFFD for no UTF-8
  EXPECT_EQ(printReplay(*read), printReplay(expected));
  EXPECT_EQ(read->inputs[1].seed, 7u);
  EXPECT_EQ(read->options[1].value[1].text, "files/ops");
  EXPECT_EQ(contents(at("out/model/m.mlir")), "func.func");
  EXPECT_EQ(contents(at("out/inputs/0.npy")), "headervalues");
  // Equal members make equal bytes.
  ASSERT_TRUE(writeReplay(at("b.zip"), sample(), members()));
  EXPECT_EQ(contents(at("a.zip")), contents(at("b.zip")));
  EXPECT_FALSE(std::filesystem::exists(at("a.zip.part")));
}

TEST_F(ReplayFile, LargeMembersAreStored) {
  const std::string large(9 << 20, 'x');
  ASSERT_TRUE(writeZip(at("a.zip"), {{"large", {large}}, {"small", {"y"}}}));
  EXPECT_GT(std::filesystem::file_size(at("a.zip")), large.size());
  auto zip = ZipReader::open(at("a.zip"));
  ASSERT_TRUE(zip);
  EXPECT_EQ(zip->read("large", 10 << 20).value(), large);
  EXPECT_EQ(zip->read("small", 1).value(), "y");
  EXPECT_THAT(zip->read("small", 0).error().message,
              testing::HasSubstr("'small' has 1 bytes; at most 0 are read"));
  EXPECT_THAT(zip->read("none", 0).error().message,
              testing::HasSubstr("has no 'none'"));
}

TEST_F(ReplayFile, EachByteMayBeWrong) {
  ASSERT_TRUE(writeReplay(at("a.zip"), sample(), members()));
  const std::string good = contents(at("a.zip"));
  unsigned refused = 0;
  unsigned tried = 0;
  for (const unsigned change : {1u, 0xffu})
    for (size_t i = change % 16; i < good.size(); i += 15, ++tried) {
      std::string bad = good;
      bad[i] = char(bad[i] ^ change);
      write(at("bad.zip"), bad);
      auto read = unpackReplay(at("bad.zip"), at("out"));
      refused += !read;
      if (!read)
        EXPECT_EQ(read.error().message.find('\n'), std::string::npos);
    }
  // Dates, versions and attributes do not matter.
  EXPECT_GT(refused, tried / 2);
  // The last two bytes are the length of a comment that there is not.
  for (size_t size = 0; size + 3 < good.size(); size += 13) {
    write(at("bad.zip"), good.substr(0, size));
    EXPECT_FALSE(unpackReplay(at("bad.zip"), at("out"))) << size;
  }
  // Nothing was written beside the folder.
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    EXPECT_THAT(entry.path().filename().string(),
                testing::AnyOf("a.zip", "bad.zip", "out"));
}

TEST_F(ReplayFile, ErrorsOfTheSystem) {
  EXPECT_THAT(writeZip(at("no/a.zip"), {}).error().message,
              testing::HasSubstr("No such file or directory"));
  EXPECT_THAT(ZipReader::open(at("none.zip")).error().message,
              testing::HasSubstr("No such file or directory"));
  ASSERT_TRUE(writeReplay(at("a.zip"), sample(), members()));
  write(at("file"), "");
  EXPECT_THAT(unpackReplay(at("a.zip"), at("file")).error().message,
              testing::HasSubstr("cannot make the folder"));
}

TEST_F(ReplayFile, HasSeveralWritersOfOnePath) {
  // A name that the writer does not use, and would not follow.
  const std::string other = at("other");
  write(other, "kept");
  std::filesystem::create_symlink(other, at("a.zip.part"));
  const auto written = [&](char c) {
    const std::string bytes(100000, c);
    for (int i = 0; i < 20; ++i)
      if (auto status = writeZip(at("a.zip"), {{"n", {bytes}}}); !status)
        return status.error().message;
    return std::string();
  };
  std::vector<std::future<std::string>> writers;
  for (char c : {'a', 'b', 'c', 'd'})
    writers.push_back(std::async(std::launch::async, written, c));
  for (auto &writer : writers)
    EXPECT_EQ(writer.get(), "");
  auto zip = ZipReader::open(at("a.zip"));
  ASSERT_TRUE(zip) << zip.error().message;
  const auto bytes = zip->read("n", 100000);
  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_EQ(*bytes, std::string(100000, bytes->front()));
  EXPECT_EQ(contents(other), "kept");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 3);
}

} // namespace
