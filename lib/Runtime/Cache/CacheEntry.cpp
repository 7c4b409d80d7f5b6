// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes and checks the headers of cache files.
#include "CacheEntry.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstring>

namespace gaudi::runtime {

using recipe::ByteSpan;

namespace {

struct FileHeader {
  char magic[8];
  uint32_t version, headerBytes;
  uint64_t keyBytes, valueOffset, valueBytes;
  uint64_t nonce[2];
  uint64_t headChecksum; // of header (this being 0), key, block checksums
};
static_assert(sizeof(FileHeader) == entryKeyOffset);
// Then the key, a checksum per block of the value, and zeros up to the value.

constexpr char fileMagic[8] = {'G', 'A', 'U', 'D', 'I', 'C', 'A', 'C'};
constexpr uint32_t fileVersion = 3;
/// Mapped values begin at a page.
constexpr uint64_t pageBytes = 4096;
/// Values are hashed in blocks, so that threads can share the work.
constexpr uint64_t hashBlock = 1 << 20;

uint64_t blocksOf(uint64_t bytes) {
  return (bytes + hashBlock - 1) / hashBlock;
}

uint64_t checksumsAt(uint64_t keyBytes) {
  return sizeof(FileHeader) + (keyBytes + 7) / 8 * 8;
}

/// Bytes of header, key and checksums; the value may begin later, where its
/// alignment wants it.
uint64_t headBytes(uint64_t keyBytes, uint64_t valueBytes) {
  return (checksumsAt(keyBytes) + blocksOf(valueBytes) * sizeof(uint64_t) +
          63) /
         64 * 64;
}

} // namespace

uint64_t blockChecksum(ByteSpan value, uint64_t block) {
  const uint64_t start = block * hashBlock;
  assert(start < value.size && "a block of the value");
  return recipe::checksumOf(value.data + start,
                            std::min(hashBlock, value.size - start));
}

uint64_t entryValueOffset(uint64_t keyBytes, uint64_t valueBytes) {
  const uint64_t unit = valueBytes >= hugePageBytes ? hugePageBytes
                        : valueBytes > largestRead  ? pageBytes
                                                    : 64;
  return (headBytes(keyBytes, valueBytes) + unit - 1) / unit * unit;
}

// Of all before the value, in two parts: the header with a zero in the
// checksum's own place, and the rest where it is.
static uint64_t headChecksum(const uint8_t *head, uint64_t size) {
  FileHeader header;
  std::memcpy(&header, head, sizeof(header));
  header.headChecksum = 0;
  const uint64_t parts[] = {
      recipe::checksumOf(reinterpret_cast<const uint8_t *>(&header),
                         sizeof(header)),
      recipe::checksumOf(head + sizeof(header), size - sizeof(header))};
  return recipe::checksumOf(reinterpret_cast<const uint8_t *>(parts),
                            sizeof(parts));
}

std::vector<uint8_t> makeEntryHeader(ByteSpan key, ByteSpan value,
                                     const CacheNonce &nonce, ThreadPool *pool,
                                     const std::function<bool()> &stop) {
  FileHeader header = {};
  std::memcpy(header.magic, fileMagic, sizeof(fileMagic));
  header.version = fileVersion;
  header.headerBytes = sizeof(FileHeader);
  header.keyBytes = key.size;
  header.valueOffset = entryValueOffset(key.size, value.size);
  header.valueBytes = value.size;
  std::copy(nonce.begin(), nonce.end(), header.nonce);
  // Value checksums first: the checksum of the head covers them.
  std::vector<uint8_t> head(headBytes(key.size, value.size));
  std::memcpy(head.data(), &header, sizeof(header));
  if (key.size)
    std::memcpy(head.data() + sizeof(header), key.data, key.size);
  std::vector<uint64_t> checksums(blocksOf(value.size));
  // Blocks are independent, so their order and threads do not matter.
  forBlocks(int64_t(checksums.size()), pool, [&](int64_t block) {
    if (!stop || !stop())
      checksums[size_t(block)] = blockChecksum(value, uint64_t(block));
  });
  if (!checksums.empty())
    std::memcpy(head.data() + checksumsAt(key.size), checksums.data(),
                checksums.size() * sizeof(uint64_t));
  // Computed with zero in its own field, then stored there.
  header.headChecksum = headChecksum(head.data(), head.size());
  std::memcpy(head.data(), &header, sizeof(header));
  return head;
}

std::optional<EntryHeader> parseEntryHeader(ByteSpan file) {
  FileHeader header;
  if (file.size < sizeof(header))
    return std::nullopt;
  std::memcpy(&header, file.data, sizeof(header));
  if (std::memcmp(header.magic, fileMagic, sizeof(fileMagic)) != 0 ||
      header.version != fileVersion || header.headerBytes != sizeof(header) ||
      header.keyBytes > file.size || header.valueBytes > file.size ||
      header.valueOffset !=
          entryValueOffset(header.keyBytes, header.valueBytes) ||
      header.valueOffset != file.size - header.valueBytes)
    return std::nullopt;
  // Sizes are consistent with the file now, so nothing below leaves it; damage
  // to the rest of the header is found here.
  if (headChecksum(file.data, headBytes(header.keyBytes, header.valueBytes)) !=
      header.headChecksum)
    return std::nullopt;
  EntryHeader head;
  head.key = {file.data + sizeof(header), header.keyBytes};
  head.value = {file.data + header.valueOffset, header.valueBytes};
  std::copy(header.nonce, header.nonce + 2, head.nonce.begin());
  head.checksums.resize(blocksOf(header.valueBytes));
  if (!head.checksums.empty())
    std::memcpy(head.checksums.data(), file.data + checksumsAt(header.keyBytes),
                head.checksums.size() * sizeof(uint64_t));
  return head;
}

std::optional<EntryHeader> parseEntryHeader(ByteSpan file, ByteSpan key) {
  // The file name is only a hash of the key, for which collisions can be
  // constructed, so the key itself is compared.
  std::optional<EntryHeader> head = parseEntryHeader(file);
  if (head &&
      (head->key.size != key.size ||
       (key.size && std::memcmp(head->key.data, key.data, key.size) != 0)))
    return std::nullopt;
  return head;
}

} // namespace gaudi::runtime
