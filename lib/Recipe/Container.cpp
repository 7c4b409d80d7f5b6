// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Encodes and checks the header of recipe files.
#include "Gaudi/Recipe/Container.h"

#include "Head.h"

#include "Gaudi/Support/CheckedMath.h"
#include "Gaudi/Support/GitLfs.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace gaudi::recipe {
namespace {

constexpr char magic[8] = {'G', 'A', 'U', 'D', 'I', 'R', 'E', 'C'};
constexpr uint64_t metadataOffsetAt = 32;
constexpr uint64_t metadataSizeAt = 40;
constexpr uint64_t checksumOffset = 56;
constexpr uint64_t maxHeaderBytes = 4096;
constexpr uint64_t metadataAlignment = 64;

// Byte by byte, so that the format does not depend on the host's order.
template <typename T> void put(uint8_t *at, T value) {
  for (size_t i = 0; i < sizeof(T); ++i)
    at[i] = uint8_t(value >> (8 * i));
}

template <typename T> T get(const uint8_t *at) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i)
    value = T(value | (T(at[i]) << (8 * i)));
  return value;
}

uint64_t headerChecksum(std::vector<uint8_t> header) {
  std::memset(header.data() + checksumOffset, 0, sizeof(uint64_t));
  return checksumOf(header.data(), header.size());
}

/// What the file seems to be, for people who passed the wrong one.
std::string describe(ByteSpan file) {
  static const std::pair<std::string_view, const char *> known[] = {
      {"ML\xefR", "MLIR bytecode"},
      {"\x7f"
       "ELF",
       "an ELF object"},
      {"PK\x03\x04", "a zip archive"},
      {lfsMagic, "a pointer of Git LFS (fetch the file: git lfs pull)"},
      {"\x93NUMPY", "a NumPy array"},
      {"\x1f\x8b", "gzip data"}};
  std::string_view start(reinterpret_cast<const char *>(file.data),
                         std::min<size_t>(file.size, 256));
  for (auto [prefix, what] : known)
    if (start.substr(0, prefix.size()) == prefix)
      return what;
  for (unsigned char c : start)
    if (c < 0x20 && c != '\n' && c != '\t' && c != '\r')
      return "other binary data";
  if (start.substr(0, 7) == "recipe ")
    return "the text form of a recipe";
  return "text";
}

} // namespace

std::array<uint8_t, headerBytes> encodeHeader(const Header &header) {
  std::array<uint8_t, headerBytes> bytes = {};
  std::memcpy(bytes.data(), magic, sizeof(magic));
  put<uint16_t>(&bytes[8], header.major);
  put<uint16_t>(&bytes[10], header.minor);
  put<uint32_t>(&bytes[12], header.headerSize);
  put<uint64_t>(&bytes[16], header.features);
  put<uint64_t>(&bytes[24], header.fileSize);
  put<uint64_t>(&bytes[metadataOffsetAt], header.metadataOffset);
  put<uint64_t>(&bytes[metadataSizeAt], header.metadataSize);
  put<uint64_t>(&bytes[48], header.metadataChecksum);
  put<uint64_t>(&bytes[checksumOffset],
                headerChecksum({bytes.begin(), bytes.end()}));
  return bytes;
}

uint64_t headBytes(ByteSpan start, uint64_t fileSize) {
  assert(start.size <= fileSize && "a part of the file");
  uint64_t end = maxHeaderBytes;
  if (start.size >= headerBytes) {
    const uint64_t offset = get<uint64_t>(start.data + metadataOffsetAt),
                   size = get<uint64_t>(start.data + metadataSizeAt);
    // What decodeHeader refuses before it reads that far is not worth a copy.
    if (offset <= maxHeaderBytes && size <= maxMetadataBytes)
      end = std::max(end, offset + size);
  }
  return std::min(end, fileSize);
}

Result<Header> decodeHeader(ByteSpan file) {
  // From the first bytes on, each check uses only what those before it have
  // proved.
  if (file.size == 0)
    return fail("expected a recipe but the file is empty");
  if (file.size < sizeof(magic) ||
      std::memcmp(file.data, magic, sizeof(magic)) != 0)
    return fail("expected a recipe (magic \"GAUDIREC\") but this looks like "
                "{}; gaudi-run MODEL --compile-only -o FILE makes one of a "
                "model, and so does compile() of gaudi_mlir",
                describe(file));
  if (file.size < headerBytes)
    return fail("truncated recipe: the header has {} bytes but the file only "
                "{}; copy the file again, or compile the model again",
                headerBytes, file.size);
  Header header;
  header.major = get<uint16_t>(file.data + 8);
  header.minor = get<uint16_t>(file.data + 10);
  header.headerSize = get<uint32_t>(file.data + 12);
  header.features = get<uint64_t>(file.data + 16);
  header.fileSize = get<uint64_t>(file.data + 24);
  header.metadataOffset = get<uint64_t>(file.data + metadataOffsetAt);
  header.metadataSize = get<uint64_t>(file.data + metadataSizeAt);
  header.metadataChecksum = get<uint64_t>(file.data + 48);

  // Version first: a reader of another version may not even know where its
  // checksum is.
  if (header.major != formatMajor)
    return fail("recipe format version {}.{} but this build reads {}.x; {}",
                header.major, header.minor, formatMajor,
                header.major > formatMajor ? "use a newer gaudi-mlir"
                                           : "compile the model again");
  if (uint64_t unknown = header.features & ~knownFeatures())
    return fail("recipe (format {}.{}) needs features {:#x} that this build "
                "does not know; use a newer gaudi-mlir",
                header.major, header.minor, unknown);
  const uint64_t headerSize = header.headerSize;
  // A later minor version may have a longer header, which an older reader
  // skips.
  if (header.minor <= formatMinor()
          ? headerSize != headerBytes
          : headerSize < headerBytes || headerSize > maxHeaderBytes ||
                headerSize % 8 != 0)
    return fail("header size is {} bytes, expected {}", headerSize,
                headerBytes);
  if (header.fileSize != file.size)
    return fail("{}: the header says {} bytes but the file has {}; copy the "
                "file again, or compile the model again",
                file.size < header.fileSize ? "truncated recipe"
                                            : "trailing bytes",
                header.fileSize, file.size);
  if (headerSize > file.size)
    return fail("header size is {} bytes but the file has {}", headerSize,
                file.size);
  if (headerChecksum({file.data, file.data + headerSize}) !=
      get<uint64_t>(file.data + checksumOffset))
    return fail("header checksum does not match: the file is damaged; "
                "copy it again, or compile the model again");

  // Offsets and sizes are as they were written, which need not be right.
  const uint64_t expected = *checkedAlignUp(headerSize, metadataAlignment);
  if (header.metadataOffset != expected)
    return fail("metadata offset is {}, expected {}", header.metadataOffset,
                expected);
  if (header.metadataOffset > file.size ||
      header.metadataSize > file.size - header.metadataOffset)
    return fail("metadata ({} bytes) reaches past the end of the file",
                header.metadataSize);
  if (header.metadataSize == 0 || header.metadataSize > maxMetadataBytes)
    return fail("metadata size is {} bytes, expected 1 to {}",
                header.metadataSize, maxMetadataBytes);
  // No byte of the file is unaccounted for.
  for (uint64_t i = headerSize; i < header.metadataOffset; ++i)
    if (file.data[i] != 0)
      return fail("padding byte at {} is not zero", i);
  if (checksumOf(file.data + header.metadataOffset, header.metadataSize) !=
      header.metadataChecksum)
    return fail("metadata checksum does not match: the file is damaged; "
                "copy it again, or compile the model again");
  return header;
}

} // namespace gaudi::recipe
