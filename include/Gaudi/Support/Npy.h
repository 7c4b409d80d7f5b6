// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes .npy files (the array format of NumPy, versions 1 to 3).
//
// Supported element types: f2 f4 f8, i1 i2 i4 i8, u1 u2 u4 u8, b1, and V1 V2
// (raw bytes; libraries for bf16 and 8-bit floats store these). Either byte
// order and either memory order are read; little-endian C order is written.
// Nothing in a file is trusted: no allocation is larger than the file
// justifies, and bytes that are missing or left over are an error.
#ifndef GAUDI_SUPPORT_NPY_H
#define GAUDI_SUPPORT_NPY_H

#include "Gaudi/Support/Error.h"
#include "Gaudi/Support/OutputFile.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gaudi {

/// The element type: kind 'f', 'i', 'u', 'b' or 'V', and its size in bytes.
struct NpyType {
  char kind = 'f';
  unsigned bytes = 4;

  bool operator==(const NpyType &other) const {
    return kind == other.kind && bytes == other.bytes;
  }
  /// "<f4", "|u1", "|b1", "<V2", ...
  std::string descr() const;
  /// For people: "float32", "uint8", "bool", "2 raw bytes".
  std::string describe() const;
};

struct NpyHeader {
  NpyType type;
  bool bigEndian = false;
  bool fortranOrder = false;
  std::vector<int64_t> shape;
  uint64_t dataOffset = 0; ///< bytes before the first element
  uint64_t dataBytes = 0;  ///< of all elements
};

/// Elements in C order, little-endian.
struct NpyArray {
  NpyType type;
  std::vector<int64_t> shape;
  std::vector<uint8_t> data;
};

/// Reads the header at the start of a file of which the first `size` bytes
/// are given. The error does not name the file.
Result<NpyHeader> parseNpyHeader(const uint8_t *data, size_t size);

/// A whole file in memory.
Result<NpyArray> parseNpy(const uint8_t *data, size_t size);

/// A file or pipe. Errors are one line that names the file.
Result<NpyArray> readNpy(const std::string &path);

/// The header of a file in C order, padded so that the elements start at a
/// multiple of 64 bytes.
std::string npyHeader(NpyType type, const std::vector<int64_t> &shape);

/// Writes header and elements (little-endian, C order) to an open file.
Status writeNpy(OutputFile &file, NpyType type,
                const std::vector<int64_t> &shape, const void *data,
                size_t bytes);

} // namespace gaudi

#endif // GAUDI_SUPPORT_NPY_H
