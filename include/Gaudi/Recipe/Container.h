// The fixed header of a recipe file (docs/recipe-format.md, "Container").
#ifndef GAUDI_RECIPE_CONTAINER_H
#define GAUDI_RECIPE_CONTAINER_H

#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/Error.h"

#include <array>
#include <cstdint>

namespace gaudi::recipe {

constexpr uint16_t formatMajor = 1;
constexpr uint16_t formatMinor = 0;
/// Feature bits this build understands. Version 1.0 defines none.
constexpr uint64_t knownFeatures = 0;

constexpr uint64_t headerBytes = 64;
constexpr uint64_t pageBytes = 4096;
/// FlatBuffers address with signed 32-bit offsets.
constexpr uint64_t maxMetadataBytes = (uint64_t(1) << 31) - 1;

struct Header {
  uint16_t major = formatMajor;
  uint16_t minor = formatMinor;
  uint32_t headerSize = headerBytes;
  uint64_t features = 0;
  uint64_t fileSize = 0;
  uint64_t metadataOffset = headerBytes;
  uint64_t metadataSize = 0;
  uint64_t metadataChecksum = 0;
};

/// XXH3-64 (seed 0) of the bytes.
uint64_t checksumOf(const uint8_t *data, uint64_t size);

/// The header's 64 bytes, checksum included.
std::array<uint8_t, headerBytes> encodeHeader(const Header &header);

/// Reads and checks everything about the header, and the checksum of the
/// metadata. The error is one line without the file's name.
Result<Header> decodeHeader(ByteSpan file);

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_CONTAINER_H
