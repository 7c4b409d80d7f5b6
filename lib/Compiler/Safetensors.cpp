// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads safetensors files, trusting nothing in them.
#include "Gaudi/Compiler/Resources.h"
#include "Gaudi/Support/GitLfs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include <cstddef>
#include <utility>

using namespace mlir;
using namespace gaudi;
namespace fs = llvm::sys::fs;

/// The limit of the format's own library.
static constexpr uint64_t maxHeaderBytes = 100'000'000;
/// Of the length before the header.
static constexpr uint64_t lengthBytes = sizeof(uint64_t);

/// Bits of an element; 0 for a type that is not known.
static unsigned elementBits(StringRef type) {
  return llvm::StringSwitch<unsigned>(type)
      .Cases({"F64", "I64", "U64", "C64"}, 64)
      .Cases({"F32", "I32", "U32"}, 32)
      .Cases({"F16", "BF16", "I16", "U16"}, 16)
      .Cases({"F8_E4M3", "F8_E5M2", "F8_E8M0", "I8", "U8", "BOOL"}, 8)
      .Default(0);
}

/// Most bytes of what the header says of one tensor, and of its metadata.
static constexpr size_t maxEntryBytes = 4096, maxMetadataBytes = 1 << 20;

namespace {
/// Takes the header's object apart member by member: a tree of the whole would
/// take many times its memory. What is between the commas of the outermost
/// level is left to LLVM's parser, which calls itself for each level of
/// nesting, so that the levels are counted here; the format has three.
class HeaderReader {
public:
  explicit HeaderReader(StringRef text) : rest(text) {}

  /// Calls `take` with the key and the text of the value of each member, until
  /// that returns a problem. Empty, or what is wrong.
  std::string read(llvm::function_ref<std::string(StringRef, StringRef)> take);

private:
  bool consume(char wanted) {
    rest = rest.ltrim(" \t\n\r");
    return rest.consume_front(StringRef(&wanted, 1));
  }
  /// The text up to the `,` or the bracket that ends a value; null, if it nests
  /// too deep.
  std::optional<StringRef> takeValue();
  /// With its quotes; as much as is there if it does not end.
  StringRef takeString();

  StringRef rest;
};
} // namespace

StringRef HeaderReader::takeString() {
  size_t end = 1;
  while (end < rest.size() && rest[end] != '"')
    end += rest[end] == '\\' ? 2 : 1;
  const StringRef text = rest.take_front(end + 1);
  rest = rest.drop_front(text.size());
  return text;
}

std::optional<StringRef> HeaderReader::takeValue() {
  const StringRef from = rest;
  for (unsigned depth = 0; !rest.empty();) {
    const char c = rest.front();
    if (c == '"') {
      takeString();
      continue;
    }
    if (depth == 0 && (c == ',' || c == '}' || c == ']'))
      break;
    if ((c == '{' || c == '[') && ++depth > 2)
      return std::nullopt;
    depth -= c == '}' || c == ']';
    rest = rest.drop_front();
  }
  return from.drop_back(rest.size());
}

std::string
HeaderReader::read(llvm::function_ref<std::string(StringRef, StringRef)> take) {
  if (!consume('{'))
    return "its header is not a JSON object";
  for (bool isFirst = true; !consume('}'); isFirst = false) {
    if (!isFirst && !consume(','))
      return "its header: expected ',' or '}'";
    rest = rest.ltrim(" \t\n\r");
    if (!rest.starts_with("\""))
      return "its header: expected the name of a tensor";
    auto key = llvm::json::parse(takeString());
    if (!key)
      return "its header: " + llvm::toString(key.takeError());
    if (!consume(':'))
      return "its header: expected ':'";
    const std::optional<StringRef> value = takeValue();
    if (!value)
      return "its header nests too deep";
    if (std::string problem = take(*key->getAsString(), *value);
        !problem.empty())
      return problem;
  }
  return rest.trim(" \t\n\r").empty() ? "" : "its header: text after its end";
}

/// Empty, or what is wrong with the entry of a tensor.
static std::string readEntry(const llvm::json::Value &value, uint64_t dataBytes,
                             SafetensorsFile::Tensor &tensor) {
  const llvm::json::Object *entry = value.getAsObject();
  const llvm::json::Array *shape = entry ? entry->getArray("shape") : nullptr,
                          *offsets =
                              entry ? entry->getArray("data_offsets") : nullptr;
  auto type = entry ? entry->getString("dtype") : std::nullopt;
  if (!type || !shape || !offsets || offsets->size() != 2)
    return "needs 'dtype', 'shape' and two 'data_offsets'";
  tensor.elementType = type->str();
  // Nothing in the entry is trusted: each number is checked before it is used.
  for (const llvm::json::Value &dimension : *shape) {
    const std::optional<int64_t> size = dimension.getAsInteger();
    if (!size || *size < 0)
      return "has a dimension that is not a size";
    tensor.shape.push_back(*size);
  }
  // A tensor without elements has none whatever its other sizes are.
  uint64_t elements = llvm::is_contained(tensor.shape, 0) ? 0 : 1;
  bool overflows = false;
  for (int64_t size : tensor.shape) {
    elements = llvm::SaturatingMultiply(elements, uint64_t(size), &overflows);
    if (overflows)
      return "has too many elements";
  }
  const std::optional<uint64_t> begin = (*offsets)[0].getAsUINT64(),
                                end = (*offsets)[1].getAsUINT64();
  if (!begin || !end || *begin > *end || *end > dataBytes)
    return "has 'data_offsets' outside the " + std::to_string(dataBytes) +
           " bytes of data; is the file complete?";
  tensor.begin = *begin;
  tensor.end = *end;
  const unsigned bits = elementBits(*type);
  if (bits == 0)
    return ""; // refused where a constant asks for it
  // The bytes must be exactly what type and shape need.
  const uint64_t needed =
      llvm::SaturatingMultiply(elements, uint64_t(bits / 8), &overflows);
  if (overflows || needed != *end - *begin)
    return "has " + std::to_string(*end - *begin) +
           " bytes, but its type and "
           "shape need " +
           std::to_string(needed);
  return "";
}

/// Empty, or which bytes no tensor or two of them have.
static std::string
findGap(const llvm::StringMap<SafetensorsFile::Tensor> &tensors,
        uint64_t dataBytes) {
  std::vector<std::pair<std::pair<uint64_t, uint64_t>, StringRef>> ranges;
  for (const auto &entry : tensors)
    ranges.push_back({{entry.second.begin, entry.second.end}, entry.first()});
  llvm::sort(ranges);
  uint64_t at = 0;
  for (const auto &[range, name] : ranges) {
    if (range.first < at)
      return ("tensor '" + name + "' overlaps the one before it").str();
    if (range.first > at)
      return ("bytes " + Twine(at) + " to " + Twine(range.first) +
              " of the data belong to no tensor")
          .str();
    at = range.second;
  }
  if (at != dataBytes)
    return ("bytes " + Twine(at) + " to " + Twine(dataBytes) +
            " of the data belong to no tensor")
        .str();
  return "";
}

std::unique_ptr<SafetensorsFile> SafetensorsFile::parse(StringRef start,
                                                        uint64_t fileBytes,
                                                        std::string &problem) {
  auto refuse = [&](const Twine &reason) {
    problem = reason.str();
    return nullptr;
  };
  assert(start.size() <= fileBytes && "the start of a file");
  if (start.size() < lengthBytes)
    return refuse("it is too short for a safetensors file");
  const uint64_t length = llvm::support::endian::read64le(start.data());
  // Before anything of the header is read.
  if (length > maxHeaderBytes || length > start.size() - lengthBytes)
    return refuse("its header would have " + Twine(length) +
                  " bytes; it is not a safetensors file, or not complete");
  const StringRef header = start.substr(lengthBytes, length);
  auto file = std::make_unique<SafetensorsFile>();
  file->dataBegin = lengthBytes + length;
  const uint64_t dataBytes = fileBytes - file->dataBegin;
  // Called for each entry of the header with its text, which is parsed by
  // itself: its size bounds the parser.
  auto take = [&](StringRef name, StringRef text) -> std::string {
    const bool isTensor = name != "__metadata__";
    const size_t most = isTensor ? maxEntryBytes : maxMetadataBytes;
    auto wrong = [&](const Twine &what) {
      return ("tensor '" + name + "' " + what).str();
    };
    if (text.size() > most)
      return wrong("is described by " + Twine(text.size()) +
                   " bytes; at most " + Twine(most) + " are read");
    auto value = llvm::json::parse(text);
    if (!value)
      return "its header: " + llvm::toString(value.takeError());
    if (!isTensor)
      return "";
    const auto [entry, isNew] = file->tensors.try_emplace(name);
    if (!isNew)
      return wrong("is there twice");
    const std::string problem = readEntry(*value, dataBytes, entry->second);
    return problem.empty() ? problem : wrong(problem);
  };
  if (std::string wrong = HeaderReader(header).read(take); !wrong.empty())
    return refuse(wrong);
  // Every byte of the data belongs to one tensor.
  if (std::string gap = findGap(file->tensors, dataBytes); !gap.empty())
    return refuse(gap);
  return file;
}

const SafetensorsFile::Tensor *SafetensorsFile::find(StringRef name) const {
  auto it = tensors.find(name);
  return it == tensors.end() ? nullptr : &it->second;
}

/// Reads all of `out`. False, with the reason in `problem`.
static bool readAt(fs::file_t file, uint64_t offset, MutableArrayRef<char> out,
                   std::string &problem) {
  while (!out.empty()) {
    auto bytes = fs::readNativeFileSlice(file, out, offset);
    if (!bytes) {
      problem = llvm::toString(bytes.takeError());
      return false;
    }
    if (*bytes == 0) {
      problem = "it ended " + std::to_string(out.size()) +
                " bytes too early; did another program change it?";
      return false;
    }
    out = out.drop_front(*bytes);
    offset += *bytes;
  }
  return true;
}

std::unique_ptr<SafetensorsFile> SafetensorsFile::open(StringRef path,
                                                       std::string &problem) {
  // Before opening, which waits for the writer of a pipe.
  fs::file_status status;
  std::error_code code = fs::status(path, status);
  if (!code && !fs::is_regular_file(status)) {
    problem = "it is not a regular file";
    return nullptr;
  }
  auto opened = fs::openNativeFileForRead(path);
  if (!opened) {
    problem = llvm::toString(opened.takeError());
    return nullptr;
  }
  fs::file_t handle = *opened;
  llvm::scope_exit close([&] {
    if (handle != fs::kInvalidFile)
      llvm::consumeError(llvm::errorCodeToError(fs::closeFile(handle)));
  });
  if (std::error_code failure = fs::status(handle, status)) {
    problem = failure.message();
    return nullptr;
  }
  const uint64_t fileBytes = status.getSize();
  // The length first, then as much of the header as it says.
  std::vector<char> start(std::min(lengthBytes, fileBytes));
  if (!readAt(handle, 0, start, problem))
    return nullptr;
  if (start.size() == lengthBytes) {
    const uint64_t length = llvm::support::endian::read64le(start.data());
    start.resize(lengthBytes +
                 std::min({length, maxHeaderBytes, fileBytes - lengthBytes}));
    if (!readAt(handle, lengthBytes,
                MutableArrayRef(start).drop_front(lengthBytes), problem))
      return nullptr;
    if (isLfsPointer({start.data(), start.size()})) {
      problem = lfsAdvice;
      return nullptr;
    }
  }
  auto file = parse(StringRef(start.data(), start.size()), fileBytes, problem);
  // The file stays open for the tensors.
  if (file)
    file->file = std::exchange(handle, fs::kInvalidFile);
  return file;
}

SafetensorsFile::~SafetensorsFile() {
  if (file != fs::kInvalidFile)
    llvm::consumeError(llvm::errorCodeToError(fs::closeFile(file)));
}

std::shared_ptr<const llvm::MemoryBuffer>
SafetensorsFile::read(const Tensor &tensor, std::string &problem) const {
  const uint64_t bytes = tensor.end - tensor.begin;
  std::shared_ptr<llvm::WritableMemoryBuffer> buffer =
      llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
          bytes, "", llvm::Align(alignof(std::max_align_t)));
  if (!buffer) {
    problem =
        "there is not enough memory for " + std::to_string(bytes) + " bytes";
    return nullptr;
  }
  if (!readAt(file, offsetOf(tensor), buffer->getBuffer(), problem))
    return nullptr;
  return buffer;
}
