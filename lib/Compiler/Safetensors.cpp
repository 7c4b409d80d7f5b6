// Reads the header of a safetensors file, trusting nothing in it.
#include "Gaudi/Compiler/Resources.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::gaudi;

/// The limit of the format's own library.
static constexpr uint64_t maxHeaderBytes = 100'000'000;

/// Bits of an element; 0 for a type that is not known.
static unsigned elementBits(StringRef type) {
  return llvm::StringSwitch<unsigned>(type)
      .Cases({"F64", "I64", "U64", "C64"}, 64)
      .Cases({"F32", "I32", "U32"}, 32)
      .Cases({"F16", "BF16", "I16", "U16"}, 16)
      .Cases({"F8_E4M3", "F8_E5M2", "F8_E8M0", "I8", "U8", "BOOL"}, 8)
      .Default(0);
}

/// LLVM's parser of JSON calls itself for each level; the format has three.
static bool isDeep(StringRef json) {
  unsigned depth = 0;
  for (size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '"') {
      for (++at; at < json.size() && json[at] != '"'; ++at)
        at += json[at] == '\\';
    } else if (c == '{' || c == '[') {
      if (++depth > 3)
        return true;
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    }
  }
  return false;
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
  uint64_t elements = 1;
  bool overflows = false;
  for (const llvm::json::Value &dimension : *shape) {
    const std::optional<int64_t> size = dimension.getAsInteger();
    if (!size || *size < 0)
      return "has a dimension that is not a size";
    tensor.shape.push_back(*size);
    elements = llvm::SaturatingMultiply(elements, uint64_t(*size), &overflows);
    if (overflows)
      return "has too many elements";
  }
  const std::optional<uint64_t> begin = (*offsets)[0].getAsUINT64(),
                                end = (*offsets)[1].getAsUINT64();
  if (!begin || !end || *begin > *end || *end > dataBytes)
    return "has 'data_offsets' outside of the " + std::to_string(dataBytes) +
           " bytes of data; is the file complete?";
  tensor.begin = *begin;
  tensor.end = *end;
  const unsigned bits = elementBits(*type);
  if (bits == 0)
    return ""; // refused where a constant asks for it
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

std::unique_ptr<SafetensorsFile> SafetensorsFile::read(StringRef bytes,
                                                       std::string &problem) {
  auto refuse = [&](const Twine &reason) {
    problem = reason.str();
    return nullptr;
  };
  constexpr size_t lengthBytes = sizeof(uint64_t);
  if (bytes.size() < lengthBytes)
    return refuse("it is too short for a safetensors file");
  const uint64_t length = llvm::support::endian::read64le(bytes.data());
  if (length > maxHeaderBytes || length > bytes.size() - lengthBytes)
    return refuse("its header would have " + Twine(length) +
                  " bytes; it is not a safetensors file, or not complete");
  const StringRef header = bytes.substr(lengthBytes, length);
  if (isDeep(header))
    return refuse("its header nests too deep");
  auto json = llvm::json::parse(header);
  if (!json)
    return refuse("its header: " + llvm::toString(json.takeError()));
  const llvm::json::Object *entries = json->getAsObject();
  if (!entries)
    return refuse("its header is not a JSON object");

  auto file = std::make_unique<SafetensorsFile>();
  file->data = bytes.drop_front(lengthBytes + length);
  for (const auto &[name, value] : *entries) {
    if (StringRef(name) == "__metadata__")
      continue;
    const std::string wrong =
        readEntry(value, file->data.size(), file->tensors[name]);
    if (!wrong.empty())
      return refuse("tensor '" + StringRef(name) + "' " + wrong);
  }
  if (std::string gap = findGap(file->tensors, file->data.size()); !gap.empty())
    return refuse(gap);
  return file;
}

const SafetensorsFile::Tensor *SafetensorsFile::find(StringRef name) const {
  auto it = tensors.find(name);
  return it == tensors.end() ? nullptr : &it->second;
}

ArrayRef<char> SafetensorsFile::bytesOf(const Tensor &tensor) const {
  const StringRef part = data.slice(tensor.begin, tensor.end);
  return {part.data(), part.size()};
}
