// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The writer: same bytes every time, whole files or none, clear errors.
#include "Samples.h"

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace gaudi;
using namespace gaudi::recipe;
using namespace gaudi::recipe::test;

namespace {

ParsedRecipe sample() {
  Result<ParsedRecipe> parsed = parseRecipeText(sampleText);
  EXPECT_TRUE(parsed);
  return std::move(*parsed);
}

std::string writeError(const std::string &path) {
  ParsedRecipe parsed = sample();
  Status status = writeRecipeFile(path, parsed.recipe, parsed.constants());
  return status ? "written" : status.error().message;
}

std::string packError(std::vector<ConstData> constants) {
  ParsedRecipe parsed = sample();
  auto bytes = writeRecipe(parsed.recipe, constants);
  return bytes ? "written" : bytes.error().message;
}

TEST(Writer, FileAndBufferAgree) {
  ScratchDirectory scratch;
  ASSERT_EQ(writeError(scratch / "out.recipe"), "written");
  EXPECT_EQ(readFile(scratch / "out.recipe"), bytesOfText(sampleText));
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"out.recipe"});
}

TEST(Writer, PiecesNeedNotBeJoined) {
  ParsedRecipe parsed = sample();
  const std::vector<uint8_t> &bytes = parsed.sectionBytes[1];
  ConstData data{1, {{0, bytes.data(), 10}, {10, bytes.data() + 10, 0}}};
  data.pieces.push_back({10, bytes.data() + 10, bytes.size() - 10});
  auto joined = writeRecipe(parsed.recipe, {data});
  ASSERT_TRUE(joined) << joined.error().message;
  EXPECT_EQ(*joined, bytesOfText(sampleText));
}

TEST(Writer, BytesWithoutAPieceAreZero) {
  ParsedRecipe parsed = sample();
  const uint8_t one[] = {7, 8};
  auto bytes = writeRecipe(parsed.recipe, {{1, {{100, one, 2}}}});
  ASSERT_TRUE(bytes) << bytes.error().message;
  Result<RecipeFile> file = RecipeFile::fromBuffer(spanOf(*bytes));
  ASSERT_TRUE(file) << file.error().message;
  ByteSpan constants = file->constBytes(1);
  ASSERT_EQ(constants.size, 208u);
  for (size_t i = 0; i < constants.size; ++i)
    EXPECT_EQ(constants.data[i], i == 100 ? 7 : i == 101 ? 8 : 0);
}

TEST(Writer, ConstantsMustFitTheirSection) {
  const std::vector<uint8_t> bytes(300, 0);
  EXPECT_EQ(packError({{1, {{0, bytes.data(), 10}, {9, bytes.data(), 1}}}}),
            "constant piece at byte 9 of section @1 overlaps the piece before "
            "it");
  EXPECT_EQ(packError({{1, {{200, bytes.data(), 9}}}}),
            "constant piece at byte 200 of section @1 (9 bytes) reaches past "
            "the section of 208 bytes");
  EXPECT_EQ(packError({{1, {{UINT64_MAX, bytes.data(), 9}}}}),
            "constant piece at byte 18446744073709551615 of section @1 (9 "
            "bytes) reaches past the section of 208 bytes");
  EXPECT_EQ(packError({{3, {}}}),
            "constants for section @3 but the recipe has 3 sections");
  EXPECT_EQ(packError({{0, {}}}),
            "constants for section @0, which is not a const section");
  EXPECT_EQ(packError({{1, {}}, {1, {}}}),
            "constants for section @1 are given twice");
}

TEST(Writer, RefusesWhatTheReaderWouldReject) {
  ParsedRecipe parsed = sample();
  parsed.recipe.target = "tpu";
  auto bytes = writeRecipe(parsed.recipe, parsed.constants());
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().message,
            "the recipe to write is not valid: target is \"tpu\", expected "
            "gaudi, gaudi2 or gaudi3");
  ScratchDirectory scratch;
  Status status = writeRecipeFile(scratch / "x", parsed.recipe, {});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message,
            "cannot write '" + (scratch / "x") +
                "': the recipe to write is not valid: target is \"tpu\", "
                "expected gaudi, gaudi2 or gaudi3");
  EXPECT_TRUE(scratch.names().empty());
  parsed.recipe.sections[1]->size = uint64_t(1) << 50;
  bytes = writeRecipe(parsed.recipe, {});
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().message,
            "section @1 has 1125899906842624 bytes, more than 2^48");
}

TEST(Writer, BadPathsAreOneClearLine) {
  ScratchDirectory scratch;
  EXPECT_EQ(writeError(""), "cannot write a file with an empty name; name one");
  EXPECT_EQ(writeError(scratch.path),
            "cannot write '" + scratch.path +
                "': Is a directory; name a file in it");
  EXPECT_EQ(writeError(scratch / "new/"),
            "cannot write '" + (scratch / "new/") +
                "': Is a directory; name a file in it");
  EXPECT_EQ(writeError(scratch / "no/out"),
            "cannot write '" + (scratch / "no/out") +
                "': No such file or directory; make its folder first: mkdir "
                "-p '" +
                (scratch / "no") + "'");
  EXPECT_EQ(writeError("/dev/full")
                .find("cannot write '/dev/full': No space left on device; "),
            0u);
  std::ofstream(scratch / "file") << "x";
  EXPECT_EQ(writeError(scratch / "file/out"),
            "cannot write '" + (scratch / "file/out") +
                "': Not a directory; what is named as its folder is a file: "
                "name another folder");
  std::filesystem::create_symlink("nowhere", scratch / "link");
  EXPECT_EQ(writeError(scratch / "link"),
            "cannot write '" + (scratch / "link") +
                "': a symbolic link to a file that does not exist; remove the "
                "link, or name another file");
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"file", "link"}));
}

TEST(Writer, ReadOnlyTargetsAreKept) {
  ScratchDirectory scratch;
  std::ofstream(scratch / "out") << "old";
  ::chmod((scratch / "out").c_str(), 0444);
  ::chmod(scratch.path.c_str(), 0777);
  // Root may write everything, so root tries as nobody.
  const uid_t user = ::geteuid();
  constexpr uid_t nobody = 65534;
  if (user == 0)
    ASSERT_EQ(::seteuid(nobody), 0);
  const std::string error = writeError(scratch / "out");
  ASSERT_EQ(::seteuid(user), 0);
  EXPECT_EQ(error, "cannot write '" + (scratch / "out") +
                       "': Permission denied; name a file "
                       "in a folder that you may "
                       "write to");
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"out"});
}

TEST(Writer, FollowsLinksAndKeepsPermissions) {
  ScratchDirectory scratch;
  std::ofstream(scratch / "real") << "old";
  ::chmod((scratch / "real").c_str(), 0640);
  std::filesystem::create_symlink("real", scratch / "link");
  ASSERT_EQ(writeError(scratch / "link"), "written");
  EXPECT_TRUE(std::filesystem::is_symlink(scratch / "link"));
  EXPECT_EQ(readFile(scratch / "real"), bytesOfText(sampleText));
  struct stat info;
  ASSERT_EQ(::stat((scratch / "real").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

TEST(Writer, AFullDiskLeavesNothingBehind) {
  // A limit on the file size stands for the full disk: both are failed writes.
  ScratchDirectory scratch;
  std::ofstream(scratch / "out") << "old";
  ::signal(SIGXFSZ, SIG_IGN);
  struct rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  struct rlimit small = before;
  small.rlim_cur = 4096;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string error = writeError(scratch / "out");
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(error,
            "cannot write '" + (scratch / "out") +
                "': File too large; 8400 bytes are needed: raise the limit "
                "of the sizes of files (ulimit -f)");
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"out"});
  EXPECT_EQ(readFile(scratch / "out"), (std::vector<uint8_t>{'o', 'l', 'd'}));
}

} // namespace
