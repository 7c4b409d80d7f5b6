// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of .npy files: read with bounds, brought to C order.
#include "Gaudi/Support/Npy.h"
#include "Gaudi/Support/Descriptor.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Spelling.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <new>
#include <sys/stat.h>

namespace gaudi {
namespace {

void swapBytes(std::vector<uint8_t> &data, unsigned bytes) {
  for (size_t at = 0; at + bytes <= data.size(); at += bytes)
    std::reverse(data.begin() + at, data.begin() + at + bytes);
}

/// The elements of a column-major array in row-major order. Walks the result in
/// order and keeps the matching byte of the source, as an odometer does: one
/// addition an element, no division.
std::vector<uint8_t> fromFortranOrder(const std::vector<uint8_t> &data,
                                      const std::vector<int64_t> &shape,
                                      unsigned bytes) {
  const size_t rank = shape.size();
  std::vector<size_t> strides(rank), index(rank, 0);
  size_t stride = bytes;
  for (size_t d = 0; d < rank; ++d) {
    strides[d] = stride;
    stride *= size_t(shape[d]);
  }
  std::vector<uint8_t> result(data.size());
  size_t source = 0;
  for (size_t target = 0; target < data.size(); target += bytes) {
    std::memcpy(&result[target], &data[source], bytes);
    for (size_t d = rank; d-- > 0;) {
      source += strides[d];
      if (++index[d] < size_t(shape[d]))
        break;
      source -= strides[d] * size_t(shape[d]);
      index[d] = 0;
    }
  }
  return result;
}

NpyArray finish(const NpyHeader &header, std::vector<uint8_t> data) {
  if (header.bigEndian)
    swapBytes(data, header.type.bytes);
  if (header.fortranOrder && header.shape.size() > 1)
    data = fromFortranOrder(data, header.shape, header.type.bytes);
  return {header.type, header.shape, std::move(data)};
}

tl::unexpected<Error> wrongSize(const NpyHeader &header, uint64_t found) {
  return fail("the header promises {} bytes of elements but the file has {}; "
              "write it again with numpy.save",
              header.dataBytes, found);
}

Result<NpyArray> readOpen(const Descriptor &file, const struct stat &info) {
  std::vector<uint8_t> head(12);
  head.resize(GAUDI_TRY(file.read(head.data(), head.size())));
  // Enough to recognise what other tools write.
  size_t whole = 256;
  // The longest header that parseNpyHeader accepts; it refuses longer claims
  // before it looks at the text.
  if (head.size() == 12 && std::memcmp(head.data(), "\x93NUMPY", 6) == 0) {
    const size_t prefix = head[6] == 1 ? 10 : 12;
    uint64_t length = head[8] | unsigned(head[9]) << 8;
    if (prefix == 12)
      length |= uint64_t(head[10]) << 16 | uint64_t(head[11]) << 24;
    whole = prefix + std::min<uint64_t>(length, 64 * 1024);
  }
  if (head.size() == 12 && whole > head.size()) {
    head.resize(whole);
    head.resize(12 + GAUDI_TRY(file.read(head.data() + 12, whole - 12)));
  }
  const NpyHeader header = GAUDI_TRY(parseNpyHeader(head.data(), head.size()));
  assert(header.dataOffset <= head.size() && "the header was read whole");
  if (S_ISREG(info.st_mode) &&
      uint64_t(info.st_size) != header.dataOffset + header.dataBytes)
    return wrongSize(header, uint64_t(info.st_size) - header.dataOffset);

  // A pipe has no size to check against, so memory grows with what arrives.
  std::vector<uint8_t> data(head.begin() + ptrdiff_t(header.dataOffset),
                            head.end());
  const uint64_t step =
      S_ISREG(info.st_mode) ? header.dataBytes : uint64_t(16) << 20;
  while (data.size() < header.dataBytes) {
    const size_t before = data.size();
    const size_t want =
        size_t(std::min<uint64_t>(step, header.dataBytes - before));
    data.resize(before + want);
    const size_t got = GAUDI_TRY(file.read(data.data() + before, want));
    if (got < want)
      return wrongSize(header, before + got);
  }
  uint8_t extra;
  if (GAUDI_TRY(file.read(&extra, 1)) || data.size() > header.dataBytes)
    return fail("the file goes on after the {} bytes of elements that its "
                "header promises; write each array to a file of its own with "
                "numpy.save",
                header.dataBytes);
  return finish(header, std::move(data));
}

} // namespace

Result<NpyArray> parseNpy(const uint8_t *data, size_t size) {
  const NpyHeader header = GAUDI_TRY(parseNpyHeader(data, size));
  const uint64_t found = size - header.dataOffset;
  if (found != header.dataBytes)
    return wrongSize(header, found);
  return finish(header,
                std::vector<uint8_t>(data + header.dataOffset, data + size));
}

Result<NpyArray> readNpy(const std::string &path) {
  auto failed = [&](std::string_view reason) {
    return fail("cannot read {}: {}", inQuotes(path), reason);
  };
  const Descriptor file = Descriptor::openToRead(path);
  if (!file.isOpen())
    return failed(whyNotOpened(path));
  struct stat info;
  if (::fstat(file.get(), &info) != 0)
    return failed(strerror(errno));
  if (S_ISDIR(info.st_mode))
    return failed("it is a directory; name a .npy file in it");
  if (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode))
    return failed("not a regular file; name a .npy file");
  Result<NpyArray> array = fail("");
  try {
    array = readOpen(file, info);
  } catch (const std::bad_alloc &) {
    return failed("not enough host memory");
  }
  if (!array)
    return failed(array.error().message);
  return array;
}

Status writeNpy(OutputFile &file, NpyType type,
                const std::vector<int64_t> &shape, const void *data,
                size_t bytes) {
  const std::string header = npyHeader(type, shape);
  GAUDI_TRY(file.write(header.data(), header.size()));
  return file.write(data, bytes);
}

} // namespace gaudi
