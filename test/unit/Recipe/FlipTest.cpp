// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any byte of a recipe changed: never a crash, a hang or a read outside.
#include "Samples.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace gaudi;
using namespace gaudi::recipe;
using namespace gaudi::recipe::test;

namespace {

constexpr uint8_t masks[] = {0x01, 0x80, 0xff};

/// Bytes that carry meaning: all but the padding before the page of constants.
template <typename Visit>
void forEachFlip(const std::vector<uint8_t> &original, Visit &&visit) {
  std::vector<uint8_t> bytes = original;
  for (size_t i = 0; i < bytes.size(); ++i)
    for (uint8_t mask : masks) {
      bytes[i] = original[i] ^ mask;
      visit(bytes, i);
      bytes[i] = original[i];
    }
}

TEST(Flip, ChecksumsCatchEveryByte) {
  const std::vector<uint8_t> original = bytesOfText(sampleText);
  ASSERT_FALSE(original.empty());
  forEachFlip(original, [](const std::vector<uint8_t> &bytes, size_t at) {
    EXPECT_FALSE(RecipeFile::fromBuffer(spanOf(bytes))) << "byte " << at;
  });
}

TEST(Flip, TheVerifierSurvivesEveryForgedByte) {
  const std::vector<uint8_t> original = bytesOfText(sampleText);
  ASSERT_FALSE(original.empty());
  size_t accepted = 0, rejected = 0;
  forEachFlip(original, [&](const std::vector<uint8_t> &bytes, size_t) {
    std::vector<uint8_t> forged = bytes;
    reseal(forged);
    Result<RecipeFile> file = RecipeFile::fromBuffer(spanOf(forged));
    if (!file) {
      EXPECT_EQ(file.error().message.find('\n'), std::string::npos);
      ++rejected;
      return;
    }
    // What is accepted must also print without harm.
    ++accepted;
    EXPECT_FALSE(printed(*file).empty());
  });
  // Names and offsets may change; padding, types and ids may not.
  EXPECT_GT(rejected, accepted);
}

TEST(Flip, TheVerifierSurvivesFieldsLeftOut) {
  // A field whose place in the table of fields is 0 is not there, as the type
  // of a union whose value is.
  const std::vector<uint8_t> original = bytesOfText(sampleText);
  ASSERT_FALSE(original.empty());
  size_t rejected = 0;
  for (size_t i = 0; i + 1 < original.size(); i += 2) {
    if (!original[i] && !original[i + 1])
      continue;
    std::vector<uint8_t> forged = original;
    forged[i] = forged[i + 1] = 0;
    reseal(forged);
    if (auto file = RecipeFile::fromBuffer(spanOf(forged)))
      EXPECT_FALSE(printed(*file).empty());
    else
      ++rejected;
  }
  EXPECT_GT(rejected, 0u);
}

TEST(Flip, TheVerifierSurvivesForgedWords) {
  // Numbers at the edges, a few at a time, at places drawn by a fixed seed.
  const std::vector<uint8_t> original = bytesOfText(sampleText);
  ASSERT_FALSE(original.empty());
  const uint64_t metadataSize =
      RecipeFile::fromBuffer(spanOf(original)).value().header().metadataSize;
  const uint64_t edges[] = {0,          1,          2,         8,
                            0x7f,       0xff,       1u << 16,  INT32_MAX,
                            1u << 31,   UINT32_MAX, INT64_MAX, 1ull << 48,
                            1ull << 63, UINT64_MAX};
  std::mt19937_64 random(20260101);
  for (int round = 0; round < 20000; ++round) {
    std::vector<uint8_t> bytes = original;
    for (uint64_t edits = 1 + random() % 3; edits > 0; --edits) {
      const size_t width = size_t(1) << (random() % 4);
      const uint64_t value = edges[random() % std::size(edges)];
      const size_t at = headerBytes + random() % (metadataSize / width) * width;
      std::memcpy(&bytes[at], &value, std::min(width, bytes.size() - at));
    }
    reseal(bytes);
    Result<RecipeFile> file = RecipeFile::fromBuffer(spanOf(bytes));
    if (file)
      EXPECT_FALSE(printed(*file).empty());
    else
      EXPECT_FALSE(file.error().message.empty());
  }
}

TEST(Flip, EveryTruncationIsRejected) {
  const std::vector<uint8_t> original = bytesOfText(sampleText);
  for (size_t size = 0; size < original.size(); size += 13) {
    std::vector<uint8_t> bytes(original.begin(),
                               original.begin() + std::ptrdiff_t(size));
    EXPECT_FALSE(RecipeFile::fromBuffer(spanOf(bytes))) << size << " bytes";
  }
}

} // namespace
