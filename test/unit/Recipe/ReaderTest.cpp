// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reader: mapping, zero-copy access, versions, bad paths.
#include "Samples.h"

#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <sys/stat.h>

using namespace gaudi;
using namespace gaudi::recipe;
using namespace gaudi::recipe::test;

namespace {

std::string openError(const std::string &path) {
  Result<RecipeFile> file = RecipeFile::open(path);
  return file ? "opened" : file.error().message;
}

TEST(Reader, MapsFilesAndKeepsThemAlive) {
  ScratchDirectory scratch;
  const std::vector<uint8_t> bytes = bytesOfText(sampleText);
  std::ofstream(scratch / "x.recipe", std::ios::binary)
      .write(reinterpret_cast<const char *>(bytes.data()),
             std::streamsize(bytes.size()));
  std::unique_ptr<RecipeFile> copy;
  {
    Result<RecipeFile> file = RecipeFile::open(scratch / "x.recipe");
    ASSERT_TRUE(file) << file.error().message;
    copy = std::make_unique<RecipeFile>(*file);
  }
  EXPECT_EQ(copy->fileSize(), bytes.size());
  EXPECT_EQ((*copy)->target()->str(), "gaudi2");
  EXPECT_EQ((*copy)->tensors()->size(), 20u);
  ByteSpan constants = copy->constBytes(1);
  ASSERT_EQ(constants.size, 208u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(constants.data) % 4096, 0u);
  float second;
  std::memcpy(&second, constants.data + 4, sizeof(second));
  EXPECT_EQ(second, 1.0f);
  EXPECT_EQ(copy->constBytes(0).size, 0u);
  EXPECT_EQ(copy->constBytes(9).size, 0u);
}

TEST(Reader, LeavesOutRulesOfAFileThatWasVerified) {
  // Breaks a rule, with right checksums, so that opening it tells whether rules
  // were verified.
  std::string text = sampleText;
  text.replace(text.find("\"gaudi2\""), 8, "\"gaudi9\"");
  const std::vector<uint8_t> bytes = bytesOfText(text, /*verify=*/false);
  ScratchDirectory scratch;
  const std::string path = scratch / "x.recipe";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(bytes.data()),
             std::streamsize(bytes.size()));
  EXPECT_THAT(openError(path), ::testing::HasSubstr("gaudi9"));
  VerifiedFile verified;
  verified.state = fileStateOf(Descriptor::openToRead(path));
  std::memcpy(verified.header.data(), bytes.data(), verified.header.size());
  const auto opens = [&](const VerifiedFile &as) {
    OpenOptions options;
    options.verified = &as;
    return RecipeFile::open(path, options).has_value();
  };
  EXPECT_EQ(opens(verified), verified.state.hasReliableTimes);
  for (auto change : {+[](VerifiedFile &file) { ++file.state.device; },
                      +[](VerifiedFile &file) { ++file.state.inode; },
                      +[](VerifiedFile &file) { ++file.state.changed[1]; },
                      +[](VerifiedFile &file) { ++file.state.modified[1]; },
                      +[](VerifiedFile &file) { ++file.header[63]; }}) {
    VerifiedFile other = verified;
    change(other);
    EXPECT_FALSE(opens(other));
  }
  // Checksums count in any case.
  std::fstream out(path, std::ios::binary | std::ios::in | std::ios::out);
  out.seekp(-1, std::ios::end).put(char(bytes.back() ^ 1));
  out.close();
  verified.state = fileStateOf(Descriptor::openToRead(path));
  EXPECT_FALSE(opens(verified));
}

TEST(Reader, MetadataStaysAsVerifiedWhenTheFileIsWritten) {
  ScratchDirectory scratch;
  const std::vector<uint8_t> bytes = bytesOfText(sampleText);
  const std::string path = scratch / "x.recipe";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(bytes.data()),
             std::streamsize(bytes.size()));
  Result<RecipeFile> file = RecipeFile::open(path);
  ASSERT_TRUE(file) << file.error().message;
  const uint64_t constants = items((*file)->sections())[1]->file_offset();
  // The same inode, all of its bytes.
  std::fstream out(path, std::ios::binary | std::ios::in | std::ios::out);
  const std::vector<char> damage(bytes.size(), '\x7f');
  out.write(damage.data(), std::streamsize(damage.size()));
  out.close();
  ASSERT_TRUE(out);
  EXPECT_EQ(file->bytes().size, bytes.size());
  EXPECT_EQ(std::memcmp(file->bytes().data, bytes.data(), constants), 0);
  EXPECT_EQ((*file)->tensors()->Get(0)->strides()->Get(0), 8);
  // Constants are mapped, and may change.
  EXPECT_EQ(file->constBytes(1).data[0], 0x7f);
}

TEST(Reader, BadPathsAreOneClearLine) {
  ScratchDirectory scratch;
  EXPECT_EQ(openError(scratch / "none"), "cannot open recipe '" +
                                             (scratch / "none") +
                                             "': No such file or directory");
  EXPECT_EQ(openError(scratch.path),
            "cannot open recipe '" + scratch.path + "': Is a directory");
  EXPECT_EQ(openError("/dev/null"),
            "cannot open recipe '/dev/null': not a regular file");
  ASSERT_EQ(::mkfifo((scratch / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(openError(scratch / "pipe"), "cannot open recipe '" +
                                             (scratch / "pipe") +
                                             "': not a regular file");
  std::ofstream(scratch / "empty");
  EXPECT_EQ(openError(scratch / "empty"),
            (scratch / "empty") + ": expected a recipe but the file is empty");
  std::ofstream(scratch / "model.mlir") << "module {}\n";
  EXPECT_EQ(openError(scratch / "model.mlir"),
            (scratch / "model.mlir") +
                ": expected a recipe (magic \"GAUDIREC\") but this looks like "
                "text; gaudi-run MODEL --compile-only -o FILE makes one of a "
                "model, and so does compile() of gaudi_mlir");
}

TEST(Reader, BuffersThatNoMemoryCanHoldAreRefused) {
  // The size alone is refused; no byte of it is read.
  const uint8_t byte = 0;
  Result<RecipeFile> file =
      RecipeFile::fromBuffer({&byte, size_t(UINT64_MAX)}, "huge");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().message,
            "huge: out of memory for 18446744073709551615 bytes");
}

TEST(Reader, NewerMinorVersionsWithKnownFeaturesAreAccepted) {
  std::vector<uint8_t> bytes = bytesOfText(sampleText);
  bytes[10] = 7;
  reseal(bytes);
  Result<RecipeFile> file = RecipeFile::fromBuffer(spanOf(bytes));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->header().minor, 7);
}

TEST(Reader, NewerMinorVersionsMayHaveLongerHeaders) {
  const std::vector<uint8_t> old =
      bytesOfText("recipe 1.0 target \"gaudi\" producer \"\"\n");
  auto build = [&](uint8_t extra, uint8_t padding, uint32_t headerSize = 72) {
    std::vector<uint8_t> bytes(128, 0);
    std::copy(old.begin(), old.begin() + 64, bytes.begin());
    bytes.insert(bytes.end(), old.begin() + 64, old.end());
    bytes[10] = uint8_t(formatMinor() + 1);
    bytes[64] = extra;
    bytes[100] = padding;
    const uint64_t size = bytes.size(), offset = 128, zero = 0;
    std::memcpy(&bytes[12], &headerSize, 4);
    std::memcpy(&bytes[24], &size, 8);
    std::memcpy(&bytes[32], &offset, 8);
    std::memcpy(&bytes[56], &zero, 8);
    const uint64_t sum =
        headerSize <= size ? checksumOf(bytes.data(), headerSize) : 0;
    std::memcpy(&bytes[56], &sum, 8);
    return bytes;
  };
  auto error = [](const std::vector<uint8_t> &bytes) {
    Result<RecipeFile> file = RecipeFile::fromBuffer(spanOf(bytes));
    return file ? std::string("opened") : file.error().message;
  };
  EXPECT_EQ(error(build(5, 0)), "opened");
  EXPECT_EQ(error(build(5, 1)), "recipe: padding byte at 100 is not zero");
  EXPECT_EQ(error(build(0, 0, 70)),
            "recipe: header size is 70 bytes, expected 64");
  EXPECT_EQ(error(build(0, 0, 4096)),
            "recipe: header size is 4096 bytes but the file has " +
                std::to_string(build(0, 0).size()));
  std::vector<uint8_t> changed = build(5, 0);
  changed[64] = 6;
  EXPECT_EQ(error(changed),
            "recipe: header checksum does not match: the file is damaged; "
            "copy it again, or compile the model again");
}

TEST(Reader, RecipesWithoutAnythingAreValid) {
  const std::vector<uint8_t> bytes =
      bytesOfText("recipe 1.0 target \"gaudi\" producer \"\"\n");
  Result<RecipeFile> file = RecipeFile::fromBuffer(spanOf(bytes));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(items((*file)->tensors()).size(), 0u);
}

} // namespace
