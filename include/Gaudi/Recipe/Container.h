// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fixed header of a recipe file (docs/recipe-format.md, "Container").
#ifndef GAUDI_RECIPE_CONTAINER_H
#define GAUDI_RECIPE_CONTAINER_H

#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/Error.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace gaudi::recipe {

constexpr uint16_t formatMajor = 1;
/// The newest minor version this build knows.
uint16_t formatMinor();
/// Feature bit: const sections of more than checksumPieceBytes have the
/// checksum of the checksums of their pieces, so that threads can share the
/// work. Without it every section has the checksum of its bytes.
constexpr uint64_t featurePieceChecksums = 1;
constexpr uint64_t checksumPieceBytes = uint64_t(1) << 20;
/// Feature bits: tensors of class State have initial values; entries have
/// programs; entries have variants; kernels round by a rule (RoundBy). Bits 1
/// and 5 are those of command kinds, bit 4 is that of a library kernel.
constexpr uint64_t featureInitialValues = 4;
constexpr uint64_t featurePrograms = 8;
constexpr uint64_t featureVariants = 64;
constexpr uint64_t featureRoundings = 128;
/// Feature bits this build understands: those, those of command kinds, and
/// those of library kernels.
uint64_t knownFeatures();
/// The first minor version that has all of these features: a file is no newer
/// than it must be.
uint16_t minorOf(uint64_t features);
/// The first minor versions with records of fusion, of permutations and of
/// memory. They have no feature bit: a reader that does not know them may leave
/// them out.
constexpr uint16_t fusionsMinor = 3;
constexpr uint16_t permutationsMinor = 4;
constexpr uint16_t memoryMinor = 5;

constexpr uint64_t headerBytes = 64;
constexpr uint64_t pageBytes = 4096;
/// FlatBuffers address with signed 32-bit offsets.
constexpr uint64_t maxMetadataBytes = (uint64_t(1) << 31) - 1;

struct Header {
  uint16_t major = formatMajor;
  uint16_t minor = 0;
  uint32_t headerSize = headerBytes;
  uint64_t features = 0;
  uint64_t fileSize = 0;
  uint64_t metadataOffset = headerBytes;
  uint64_t metadataSize = 0;
  uint64_t metadataChecksum = 0;
};

/// XXH3-64 (seed 0) of the bytes.
uint64_t checksumOf(const uint8_t *data, uint64_t size);

/// The checksum of a const section of a file with featurePieceChecksums,
/// computed by up to `threads` threads; 0: one per CPU.
uint64_t pieceChecksumOf(const uint8_t *data, uint64_t size, unsigned threads);

/// The checksums of the pieces, and the checksum that they give together.
std::vector<uint64_t> pieceChecksumsOf(const uint8_t *data, uint64_t size,
                                       unsigned threads);
uint64_t checksumOfPieces(const std::vector<uint64_t> &pieces);

/// The same for bytes that come in parts of any size.
class PieceChecksum {
public:
  PieceChecksum();
  ~PieceChecksum();
  PieceChecksum(const PieceChecksum &) = delete;
  PieceChecksum &operator=(const PieceChecksum &) = delete;
  void add(const uint8_t *data, uint64_t size);
  uint64_t finish();

private:
  struct State;
  std::unique_ptr<State> state;
};

/// The header's 64 bytes, checksum included.
std::array<uint8_t, headerBytes> encodeHeader(const Header &header);

/// Reads and checks everything about the header, and the checksum of the
/// metadata. The error is one line without the file's name.
Result<Header> decodeHeader(ByteSpan file);

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_CONTAINER_H
