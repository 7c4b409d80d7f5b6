// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The header of .npy files: a Python dictionary literal, read with suspicion.
#include "Gaudi/Support/GitLfs.h"
#include "Gaudi/Support/Npy.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <fmt/format.h>
#include <optional>

namespace gaudi {
namespace {

constexpr char magic[] = "\x93NUMPY";
constexpr size_t magicBytes = 6;
constexpr size_t maxRank = 32;                 // as in NumPy
constexpr uint64_t maxHeaderBytes = 64 * 1024; // far above any real one
constexpr uint64_t maxDataBytes = uint64_t(1) << 48;

template <typename... Args>
tl::unexpected<Error> damaged(fmt::format_string<Args...> format,
                              Args &&...args) {
  return fail("{}; the file is damaged: write it again with numpy.save",
              fmt::format(format, std::forward<Args>(args)...));
}

/// A reader of the literal {'descr': '<f4', 'fortran_order': False, 'shape':
/// (2, 3), }. Not Python's grammar: the three keys in any order, each once,
/// strings without escapes. That is all that NumPy writes, and every loop takes
/// at least one character, so the work is linear in the header.
class Literal {
public:
  explicit Literal(std::string_view text) : text(text) {}

  Status parse(NpyHeader &header) {
    bool haveType = false, haveOrder = false, haveShape = false;
    if (!take('{'))
      return expected("'{'");
    while (!take('}')) {
      std::optional<std::string> key = string();
      if (!key)
        return expected("a quoted key or '}'");
      if (!take(':'))
        return expected("':'");
      // Keys may come in any order, each once.
      bool *seen = *key == "descr"           ? &haveType
                   : *key == "fortran_order" ? &haveOrder
                   : *key == "shape"         ? &haveShape
                                             : nullptr;
      if (!seen)
        return damaged("the header has an unknown key {}", inQuotes(*key));
      if (*seen)
        return damaged("the header has the key {} twice", inQuotes(*key));
      *seen = true;
      GAUDI_TRY(seen == &haveType    ? descr(header)
                : seen == &haveOrder ? order(header)
                                     : shape(header));
      // A comma after the last entry is allowed.
      if (!take(',') && peek() != '}')
        return expected("',' or '}'");
    }
    skipSpace();
    if (position != text.size())
      return expected("the end of the header");
    for (auto [seen, key] : {std::pair(haveType, "descr"),
                             {haveOrder, "fortran_order"},
                             {haveShape, "shape"}})
      if (!seen)
        return damaged("the header lacks the key '{}'", key);
    return {};
  }

private:
  void skipSpace() {
    while (position < text.size() && strchr(" \t\r\n", text[position]) &&
           text[position] != '\0')
      ++position;
  }
  char peek() {
    skipSpace();
    return position < text.size() ? text[position] : '\0';
  }
  bool take(char c) {
    if (position >= text.size() || peek() != c || position >= text.size())
      return false;
    ++position;
    return true;
  }
  bool takeWord(std::string_view word) {
    skipSpace();
    if (text.substr(position, word.size()) != word)
      return false;
    position += word.size();
    return true;
  }
  std::optional<std::string> string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"')
      return std::nullopt;
    const size_t end = text.find(quote, position + 1);
    if (end == std::string_view::npos)
      return std::nullopt;
    std::string value(text.substr(position + 1, end - position - 1));
    position = end + 1;
    return value;
  }
  Status expected(std::string_view what) {
    return damaged("the header is malformed: expected {} but got {}", what,
                   position < text.size() ? inQuotes(text.substr(position, 12))
                                          : "its end");
  }

  Status descr(NpyHeader &header) {
    if (peek() == '[')
      return fail("structured element types are not supported; write each "
                  "field to a file of its own with numpy.save");
    std::optional<std::string> text = string();
    if (!text)
      return expected("a quoted element type");
    auto unsupported = [&] {
      const char kind = text->size() > 1 ? (*text)[1] : 0;
      return fail(
          "element type {} is not supported; expected floats, integers "
          "or booleans of at most 8 bytes; {}",
          inQuotes(*text),
          kind == 'O' ? "save an array of numbers, not of objects of "
                        "Python, such as lists of several lengths"
          : kind == 'U' || kind == 'S' ? "save an array of numbers, not of text"
          : kind == 'c'                ? "save array.real and array.imag"
                        : "save what array.astype(numpy.float32) gives");
    };
    if (text->size() != 3 || !strchr("<>|=", (*text)[0]) ||
        !strchr("fiubV", (*text)[1]))
      return unsupported();
    const char kind = (*text)[1];
    const unsigned bytes = unsigned((*text)[2] - '0');
    const bool known =
        kind == 'f'   ? bytes == 2 || bytes == 4 || bytes == 8
        : kind == 'b' ? bytes == 1
        : kind == 'V' ? bytes == 1 || bytes == 2
                      : bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    if (!known)
      return unsupported();
    header.type = {kind, bytes};
    header.bigEndian = (*text)[0] == '>' && bytes > 1;
    return {};
  }

  Status order(NpyHeader &header) {
    if (takeWord("True"))
      header.fortranOrder = true;
    else if (takeWord("False"))
      header.fortranOrder = false;
    else
      return expected("True or False");
    return {};
  }

  Status shape(NpyHeader &header) {
    if (!take('('))
      return expected("'('");
    while (!take(')')) {
      const char first = peek();
      if (first == '-')
        return damaged("the shape has a negative size");
      if (first < '0' || first > '9')
        return expected("a size or ')'");
      uint64_t size = 0;
      while (position < text.size() && text[position] >= '0' &&
             text[position] <= '9') {
        size = size * 10 + uint64_t(text[position++] - '0');
        if (size > maxDataBytes)
          return damaged("the shape has a size above {}", maxDataBytes);
      }
      takeWord("L"); // Python 2
      if (header.shape.size() == maxRank)
        return fail("the shape has more than {} dimensions; write "
                    "array.reshape(SIZES) with fewer",
                    maxRank);
      header.shape.push_back(int64_t(size));
      if (!take(',') && peek() != ')')
        return expected("',' or ')'");
    }
    return {};
  }

  std::string_view text;
  size_t position = 0;
};

} // namespace

std::string NpyType::descr() const {
  return fmt::format("{}{}{}", bytes == 1 ? '|' : '<', kind, bytes);
}

std::string NpyType::describe() const {
  switch (kind) {
  case 'f':
    return fmt::format("float{}", bytes * 8);
  case 'i':
    return fmt::format("int{}", bytes * 8);
  case 'u':
    return fmt::format("uint{}", bytes * 8);
  case 'b':
    return "bool";
  default:
    return bytes == 1 ? "1 raw byte" : fmt::format("{} raw bytes", bytes);
  }
}

/// Whether the first member of a zip archive is one of torch.save: "x/data.pkl"
/// or, of some versions, another at the top of a folder. numpy.savez has files
/// "x.npy" without a folder.
static bool isArchiveOfTorch(const uint8_t *data, size_t size) {
  constexpr size_t lengthAt = 26, nameAt = 30; // of the zip format
  if (size < nameAt)
    return false;
  const size_t length = data[lengthAt] | size_t(data[lengthAt + 1]) << 8;
  const std::string_view name(reinterpret_cast<const char *>(data) + nameAt,
                              std::min(length, size - nameAt));
  const size_t slash = name.rfind('/');
  const std::string_view file = name.substr(slash == name.npos ? 0 : slash + 1);
  return slash != name.npos &&
         (file == "data.pkl" || file == "version" || file == "byteorder" ||
          file == ".format_version");
}

Result<NpyHeader> parseNpyHeader(const uint8_t *data, size_t size) {
  if (size == 0)
    return fail("the file is empty; write an array to it with numpy.save");
  if (size >= 4 && std::memcmp(data, "PK\x03\x04", 4) == 0)
    return isArchiveOfTorch(data, size)
               ? fail("torch.save wrote it; write a tensor to a file of its "
                      "own with numpy.save(FILE, tensor.numpy())")
               : fail("it is an archive of arrays, as numpy.savez writes; "
                      "write each array to a file of its own with numpy.save");
  // The protocol of torch.save before its archives.
  if (size >= 2 && std::memcmp(data, "\x80\x02", 2) == 0)
    return fail("it is a pickle, such as torch.save writes; write a tensor to "
                "a file of its own with numpy.save(FILE, tensor.numpy())");
  // Eight bytes of length, then the first key of a header in JSON.
  if (size >= 10 && std::memcmp(data + 8, "{\"", 2) == 0)
    return fail("it is a safetensors file; write a tensor of it to a file of "
                "its own with numpy.save(FILE, tensor)");
  if (isLfsPointer({reinterpret_cast<const char *>(data), size}))
    return fail("{}", lfsAdvice);
  if (size < magicBytes || std::memcmp(data, magic, magicBytes) != 0)
    return fail("not a .npy file (expected it to start with \"\\x93NUMPY\"); "
                "write it with numpy.save");
  if (size < 10)
    return damaged("the header is truncated");
  const unsigned major = data[6], minor = data[7];
  if (major < 1 || major > 3 || minor != 0)
    return fail("version {}.{} of the format is not supported; expected 1.0, "
                "2.0 or 3.0",
                major, minor);
  uint64_t length = data[8] | unsigned(data[9]) << 8;
  uint64_t start = 10;
  // From version 2 on the length has four bytes.
  if (major >= 2) {
    if (size < 12)
      return damaged("the header is truncated");
    length |= uint64_t(data[10]) << 16 | uint64_t(data[11]) << 24;
    start = 12;
  }
  // Before the length is used in an addition.
  if (length > maxHeaderBytes)
    return damaged("the header claims {} bytes; at most {} are supported",
                   length, maxHeaderBytes);
  if (start + length > size)
    return damaged("the header is truncated: expected {} bytes but got {}",
                   length, size - start);
  NpyHeader header;
  const std::string_view text(reinterpret_cast<const char *>(data) + start,
                              length);
  GAUDI_TRY(Literal(text).parse(header));
  header.dataOffset = start + length;
  // A zero anywhere makes the array empty, however large the other sizes are.
  const bool empty = std::find(header.shape.begin(), header.shape.end(), 0) !=
                     header.shape.end();
  header.dataBytes = empty ? 0 : header.type.bytes;
  for (int64_t extent : header.shape) {
    if (__builtin_mul_overflow(header.dataBytes, uint64_t(extent),
                               &header.dataBytes) ||
        header.dataBytes > maxDataBytes)
      return damaged("the shape holds more than {} bytes", maxDataBytes);
  }
  return header;
}

std::string npyHeader(NpyType type, const std::vector<int64_t> &shape) {
  // A tuple of one element needs its comma.
  std::string text = fmt::format(
      "{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}",
      type.descr(), fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  const size_t unpadded = 10 + text.size() + 1;
  text += std::string((64 - unpadded % 64) % 64, ' ') + "\n";
  assert(text.size() <= UINT16_MAX && "version 1.0 has 16 bits for the length");
  std::string header(magic, magicBytes);
  header += {'\x01', '\x00', char(text.size() & 255), char(text.size() >> 8)};
  return header + text;
}

} // namespace gaudi
