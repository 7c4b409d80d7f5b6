// Writes and checks the heads of cache files.
#include "CacheEntry.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace gaudi::runtime {

using recipe::ByteSpan;

namespace {

struct FileHeader {
  char magic[8];
  uint32_t version, headerBytes;
  uint64_t keyBytes, valueOffset, valueBytes;
  uint64_t stamp[2];
  uint64_t headChecksum; // of header, key and checksums, this as 0
};
static_assert(sizeof(FileHeader) == 64);
// The key follows, then a checksum per piece of the value, then zeros up to it.

constexpr char fileMagic[8] = {'G', 'A', 'U', 'D', 'I', 'C', 'A', 'C'};
constexpr uint32_t fileVersion = 2;
/// The rest of a page in front of values that are mapped.
constexpr uint64_t pageBytes = 4096;
/// Values are hashed in pieces, so that threads can share the work.
constexpr uint64_t hashPiece = 1 << 20;

uint64_t piecesOf(uint64_t bytes) {
  return (bytes + hashPiece - 1) / hashPiece;
}

uint64_t checksumsAt(uint64_t keyBytes) {
  return sizeof(FileHeader) + (keyBytes + 7) / 8 * 8;
}

/// Without the hole that the value's alignment may ask for.
uint64_t headBytes(uint64_t keyBytes, uint64_t valueBytes) {
  return (checksumsAt(keyBytes) + piecesOf(valueBytes) * sizeof(uint64_t) +
          63) /
         64 * 64;
}

} // namespace

uint64_t pieceChecksum(ByteSpan value, uint64_t piece) {
  const uint64_t start = piece * hashPiece;
  return recipe::checksumOf(value.data + start,
                            std::min(hashPiece, value.size - start));
}

uint64_t cacheValueOffset(uint64_t keyBytes, uint64_t valueBytes) {
  const uint64_t unit = valueBytes >= hugePageBytes ? hugePageBytes
                        : valueBytes > largestRead  ? pageBytes
                                                    : 64;
  return (headBytes(keyBytes, valueBytes) + unit - 1) / unit * unit;
}

static uint64_t headChecksum(std::vector<uint8_t> head) {
  std::memset(head.data() + offsetof(FileHeader, headChecksum), 0,
              sizeof(uint64_t));
  return recipe::checksumOf(head.data(), head.size());
}

std::vector<uint8_t> cacheHeadOf(ByteSpan key, ByteSpan value,
                                 const CacheNonce &stamp, ThreadPool *pool,
                                 const std::function<bool()> &stop) {
  FileHeader header = {};
  std::memcpy(header.magic, fileMagic, sizeof(fileMagic));
  header.version = fileVersion;
  header.headerBytes = sizeof(FileHeader);
  header.keyBytes = key.size;
  header.valueOffset = cacheValueOffset(key.size, value.size);
  header.valueBytes = value.size;
  std::copy(stamp.begin(), stamp.end(), header.stamp);
  std::vector<uint8_t> head(headBytes(key.size, value.size));
  std::memcpy(head.data(), &header, sizeof(header));
  if (key.size)
    std::memcpy(head.data() + sizeof(header), key.data, key.size);
  std::vector<uint64_t> checksums(piecesOf(value.size));
  forPieces(int64_t(checksums.size()), pool, [&](int64_t piece) {
    if (!stop || !stop())
      checksums[size_t(piece)] = pieceChecksum(value, uint64_t(piece));
  });
  if (!checksums.empty())
    std::memcpy(head.data() + checksumsAt(key.size), checksums.data(),
                checksums.size() * sizeof(uint64_t));
  header.headChecksum = headChecksum(head);
  std::memcpy(head.data(), &header, sizeof(header));
  return head;
}

std::optional<CacheHead> cacheHeadIn(ByteSpan file, ByteSpan key) {
  FileHeader header;
  if (file.size < sizeof(header))
    return std::nullopt;
  std::memcpy(&header, file.data, sizeof(header));
  if (std::memcmp(header.magic, fileMagic, sizeof(fileMagic)) != 0 ||
      header.version != fileVersion || header.headerBytes != sizeof(header) ||
      header.keyBytes != key.size || header.valueBytes > file.size ||
      header.valueOffset != cacheValueOffset(key.size, header.valueBytes) ||
      header.valueOffset != file.size - header.valueBytes)
    return std::nullopt;
  // A hash may be made to collide, so the key itself is compared.
  if (key.size &&
      std::memcmp(file.data + sizeof(header), key.data, key.size) != 0)
    return std::nullopt;
  const std::vector<uint8_t> bytes(
      file.data, file.data + headBytes(key.size, header.valueBytes));
  if (headChecksum(bytes) != header.headChecksum)
    return std::nullopt;
  CacheHead head;
  head.value = {file.data + header.valueOffset, header.valueBytes};
  std::copy(header.stamp, header.stamp + 2, head.stamp.begin());
  head.checksums.resize(piecesOf(header.valueBytes));
  if (!head.checksums.empty())
    std::memcpy(head.checksums.data(), bytes.data() + checksumsAt(key.size),
                head.checksums.size() * sizeof(uint64_t));
  return head;
}

} // namespace gaudi::runtime
