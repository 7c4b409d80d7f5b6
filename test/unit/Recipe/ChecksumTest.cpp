// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Piece checksums of large const sections: the same for every thread count and
// however the bytes come, and every piece counts.
#include "Samples.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace gaudi;
using namespace gaudi::recipe;
using namespace gaudi::recipe::test;

namespace {

std::vector<uint8_t> noise(size_t size) {
  std::vector<uint8_t> bytes(size);
  uint32_t state = 1;
  for (uint8_t &byte : bytes)
    byte = uint8_t((state = state * 1664525u + 1013904223u) >> 24);
  return bytes;
}

TEST(Checksum, PiecesInAnyPortions) {
  const size_t piece = checksumPieceBytes;
  const std::vector<uint8_t> bytes = noise(9 * piece + 17);
  for (size_t size : {size_t(0), size_t(100), piece - 1, piece, piece + 1,
                      2 * piece, 3 * piece + 5, bytes.size()}) {
    const uint64_t expected = pieceChecksumOf(bytes.data(), size, 1);
    if (size <= piece)
      EXPECT_EQ(expected, checksumOf(bytes.data(), size));
    else
      EXPECT_NE(expected, checksumOf(bytes.data(), size));
    for (unsigned threads : {0u, 2u, 7u})
      EXPECT_EQ(pieceChecksumOf(bytes.data(), size, threads), expected);
    for (size_t portion : {size_t(999), piece, 2 * piece + 3, bytes.size()}) {
      PieceChecksum checksum;
      for (size_t at = 0; at < size; at += portion)
        checksum.add(bytes.data() + at, std::min(portion, size - at));
      EXPECT_EQ(checksum.finish(), expected) << size << " by " << portion;
    }
  }
  // Two pieces, computed by the words of docs/recipe-format.md.
  uint8_t hashes[16];
  for (int p = 0; p < 2; ++p) {
    const uint64_t hash = checksumOf(bytes.data() + size_t(p) * piece, piece);
    for (int i = 0; i < 8; ++i)
      hashes[8 * p + i] = uint8_t(hash >> (8 * i));
  }
  EXPECT_EQ(pieceChecksumOf(bytes.data(), 2 * piece, 1),
            checksumOf(hashes, sizeof(hashes)));
}

TEST(Checksum, LargeSectionsOfFiles) {
  Result<ParsedRecipe> parsed = parseRecipeText(sampleText);
  ASSERT_TRUE(parsed);
  std::vector<uint8_t> constants = noise(3 * checksumPieceBytes + 100);
  parsed->recipe.sections[1]->size = constants.size();
  auto bytes = writeRecipe(parsed->recipe,
                           {{1, {{0, constants.data(), constants.size()}}}});
  ASSERT_TRUE(bytes) << bytes.error().message;
  auto error = [&](unsigned threads) {
    OpenOptions options;
    options.threads = threads;
    auto file = RecipeFile::fromBuffer(spanOf(*bytes), "large", options);
    return file ? "sound" : file.error().message;
  };
  EXPECT_EQ(error(1), "sound");
  EXPECT_EQ(error(4), "sound");
  auto file = RecipeFile::fromBuffer(spanOf(*bytes));
  ASSERT_TRUE(file);
  EXPECT_EQ(file->header().features, featurePieceChecksums);
  const size_t start = bytes->size() - constants.size();
  for (size_t at : {size_t(0), size_t(checksumPieceBytes),
                    size_t(2 * checksumPieceBytes - 1), constants.size() - 1}) {
    (*bytes)[start + at] ^= 1;
    EXPECT_EQ(error(3), "large: checksum of const section @1 does not match: "
                        "the file is damaged; copy it again, or compile "
                        "the model again");
    (*bytes)[start + at] ^= 1;
  }
  // In parts, by who knows the checksums of the parts.
  const auto units = file->checksums(1, 2);
  ASSERT_TRUE(units);
  EXPECT_TRUE(file->areChecksumsOf(1, *units));
  (*bytes)[start + checksumPieceBytes] ^= 1;
  OpenOptions later;
  later.verifyConstants = false;
  auto unread = RecipeFile::fromBuffer(spanOf(*bytes), "large", later);
  ASSERT_TRUE(unread);
  EXPECT_TRUE(file->constantsVerified());
  EXPECT_FALSE(unread->constantsVerified());
  EXPECT_FALSE(unread->state()) << "a buffer is no file";
  EXPECT_TRUE(unread->areChecksumsOf(1, *units));
  EXPECT_TRUE(unread->verifyUnits(1, *units, 0, 1));
  EXPECT_FALSE(unread->verifyUnits(1, *units, 1, 2));
  EXPECT_TRUE(unread->verifyUnits(1, *units, 2, units->size()));
  EXPECT_EQ(unread->verifyConstants(1).error().message,
            "large: checksum of const section @1 does not match: the file is "
            "damaged; copy it again, or compile the model again");
  auto wrong = *units;
  wrong[0] ^= 1;
  EXPECT_FALSE(unread->areChecksumsOf(1, wrong));
  wrong.pop_back();
  EXPECT_FALSE(unread->areChecksumsOf(1, wrong));
  (*bytes)[start + checksumPieceBytes] ^= 1;
  // Without the bit the same bytes need the plain checksum.
  (*bytes)[16] = 0;
  reseal(*bytes);
  EXPECT_EQ(error(1), "large: checksum of const section @1 does not match: "
                      "the file is damaged; copy it again, or compile "
                      "the model again");
}

} // namespace
