// Encodes and checks the header of recipe files.
#include "Gaudi/Recipe/Container.h"

#include "Gaudi/Support/CheckedMath.h"

#include <cstring>
#include <string>
#include <vector>

namespace gaudi::recipe {
namespace {

constexpr char magic[8] = {'G', 'A', 'U', 'D', 'I', 'R', 'E', 'C'};
constexpr uint64_t checksumOffset = 56;
constexpr uint64_t maxHeaderBytes = 4096;
constexpr uint64_t metadataAlignment = 64;

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

std::string hex(uint64_t value) {
  static const char digits[] = "0123456789abcdef";
  std::string result;
  do {
    result.insert(result.begin(), digits[value & 15]);
    value >>= 4;
  } while (value);
  return "0x" + result;
}

/// What the file seems to be, for people who passed the wrong one.
std::string describe(ByteSpan file) {
  static const std::pair<std::string_view, const char *> known[] = {
      {"ML\xefR", "MLIR bytecode"},
      {"\x7f"
       "ELF",
       "an ELF object"},
      {"PK\x03\x04", "a zip archive"},
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
  put<uint64_t>(&bytes[32], header.metadataOffset);
  put<uint64_t>(&bytes[40], header.metadataSize);
  put<uint64_t>(&bytes[48], header.metadataChecksum);
  put<uint64_t>(&bytes[checksumOffset],
                headerChecksum({bytes.begin(), bytes.end()}));
  return bytes;
}

Result<Header> decodeHeader(ByteSpan file) {
  if (file.size == 0)
    return fail("expected a recipe but the file is empty");
  if (file.size < sizeof(magic) ||
      std::memcmp(file.data, magic, sizeof(magic)) != 0)
    return fail("expected a recipe (magic \"GAUDIREC\") but this looks like " +
                describe(file));
  if (file.size < headerBytes)
    return fail("truncated recipe: the header has 64 bytes but the file only " +
                std::to_string(file.size));
  Header header;
  header.major = get<uint16_t>(file.data + 8);
  header.minor = get<uint16_t>(file.data + 10);
  header.headerSize = get<uint32_t>(file.data + 12);
  header.features = get<uint64_t>(file.data + 16);
  header.fileSize = get<uint64_t>(file.data + 24);
  header.metadataOffset = get<uint64_t>(file.data + 32);
  header.metadataSize = get<uint64_t>(file.data + 40);
  header.metadataChecksum = get<uint64_t>(file.data + 48);

  // Version first: a reader of another version may not even know where its
  // checksum is.
  std::string version =
      std::to_string(header.major) + "." + std::to_string(header.minor);
  if (header.major != formatMajor)
    return fail("recipe format version " + version + " but this build reads " +
                std::to_string(formatMajor) + ".x; " +
                (header.major > formatMajor ? "use a newer gaudi-mlir"
                                            : "compile the model again"));
  if (uint64_t unknown = header.features & ~knownFeatures)
    return fail("recipe (format " + version + ") needs features " +
                hex(unknown) +
                " that this build does not know; use a newer gaudi-mlir");
  const uint64_t headerSize = header.headerSize;
  if (header.minor <= formatMinor
          ? headerSize != headerBytes
          : headerSize < headerBytes || headerSize > maxHeaderBytes ||
                headerSize % 8 != 0)
    return fail("header size is " + std::to_string(headerSize) +
                " bytes, expected 64");
  if (header.fileSize != file.size)
    return fail((file.size < header.fileSize ? "truncated recipe: "
                                             : "trailing bytes: ") +
                std::string("the header says ") +
                std::to_string(header.fileSize) + " bytes but the file has " +
                std::to_string(file.size));
  if (headerSize > file.size)
    return fail("header size is " + std::to_string(headerSize) +
                " bytes but the file has " + std::to_string(file.size));
  if (headerChecksum({file.data, file.data + headerSize}) !=
      get<uint64_t>(file.data + checksumOffset))
    return fail("header checksum does not match: the file is damaged");

  const uint64_t expected = *checkedAlignUp(headerSize, metadataAlignment);
  if (header.metadataOffset != expected)
    return fail("metadata offset is " + std::to_string(header.metadataOffset) +
                ", expected " + std::to_string(expected));
  if (header.metadataOffset > file.size ||
      header.metadataSize > file.size - header.metadataOffset)
    return fail("metadata (" + std::to_string(header.metadataSize) +
                " bytes) reaches past the end of the file");
  if (header.metadataSize == 0 || header.metadataSize > maxMetadataBytes)
    return fail("metadata size is " + std::to_string(header.metadataSize) +
                " bytes, expected 1 to " + std::to_string(maxMetadataBytes));
  for (uint64_t i = headerSize; i < header.metadataOffset; ++i)
    if (file.data[i] != 0)
      return fail("padding byte at " + std::to_string(i) + " is not zero");
  if (checksumOf(file.data + header.metadataOffset, header.metadataSize) !=
      header.metadataChecksum)
    return fail("metadata checksum does not match: the file is damaged");
  return header;
}

} // namespace gaudi::recipe
