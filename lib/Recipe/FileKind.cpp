// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises recipes, models, and what converters read.
#include "Gaudi/Recipe/FileKind.h"
#include "Gaudi/Support/GitLfs.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace gaudi::recipe {
namespace {

constexpr std::string_view recipeMagic = "GAUDIREC";
constexpr std::string_view bytecodeMagic = "ML\xefR";

/// Bytes at a place of the file that only this format has there.
struct ForeignFormat {
  size_t offset;
  std::string_view magic;
  const char *description;
  const char *converter; ///< what helps; docs/getting-started.md has examples
};
constexpr ForeignFormat foreignFormats[] = {
    {0, "PK\x03\x04",
     "a zip archive, but none of --save-replay, which begins with replay.json",
     "convert one of torch.export.save: gaudi-import FILE"},
    {0, "\x1f\x8b", "compressed by gzip", "unpack it: gunzip FILE"},
    {0,
     "\xfd"
     "7zXZ",
     "compressed by xz", "unpack it: unxz FILE"},
    {0, "\x28\xb5\x2f\xfd", "compressed by zstd", "unpack it: unzstd FILE"},
    {0, lfsMagic, "a pointer of Git LFS, not the file itself",
     "fetch it: git lfs pull"},
    {0, "\x93NUMPY", "an array of NumPy",
     "name the model, and the array as its input: --input=@FILE"},
    {0, "\x80\x02", "a pickle, such as torch.save writes",
     "export the model with torch.export, then gaudi-import FILE"},
    {4, "TFL3", "a TensorFlow Lite model", "convert it to TOSA"},
    {0, "GGUF", "a GGUF file of weights",
     "export the model with torch.export, then gaudi-import FILE"},
    {8, "{\"", "a safetensors file of weights",
     "name the model that uses it, or export one with torch.export"},
    {0, "<!doctype html>", "a page",
     "name the model that it shows, or compare it with an earlier one: "
     "--compare-with=OLD"},
    {0, "\xff\xfe", "text in UTF-16", "save it as UTF-8"},
    {0, "\xfe\xff", "text in UTF-16", "save it as UTF-8"},
    {0, "{", "JSON",
     "name the model; a prediction is compared with an earlier one by "
     "--compare-with=OLD"},
    {0, "\x89HDF", "an HDF5 file, such as Keras writes",
     "export the model with jax.export, then gaudi-import FILE"},
};

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() &&
         text.substr(text.size() - end.size()) == end;
}

bool isOnnx(std::string_view head, const std::string &path) {
  // A ModelProto starts with field 1, ir_version, a small number; the next
  // field is one of opset_import, producer_name, ..., all length-delimited.
  const bool modelProto = head.size() > 2 && head[0] == 8 && head[1] > 0 &&
                          head[1] < 32 && (head[2] & 7) == 2;
  return endsWith(path, ".onnx") || (modelProto && !endsWith(path, ".mlir"));
}

/// True of a page of the web: "<!DOCTYPE html>", "<html lang=...". Those of
/// this project name it as their generator.
bool isWebPage(std::string_view head) {
  const size_t begin = std::min(head.find_first_not_of(" \t\r\n"), head.size());
  std::string start(head.substr(begin, 9));
  for (char &c : start)
    c = char(std::tolower(static_cast<unsigned char>(c)));
  return (startsWith(start, "<html") || start == "<!doctype") &&
         head.find("content=\"gaudi-mlir\"") == head.npos;
}

/// True of text that begins as modules and functions do, maybe after comments.
bool looksLikeMlir(std::string_view head) {
  for (;;) {
    const size_t begin = head.find_first_not_of(" \t\r\n");
    if (begin == head.npos)
      return false;
    head.remove_prefix(begin);
    if (!startsWith(head, "//"))
      break;
    head.remove_prefix(std::min(head.find('\n'), head.size()));
  }
  for (const std::string_view begin :
       {"module", "builtin.module", "func.func", "\"builtin.module\"",
        "\"func.func\"", "#map", "#loc"})
    if (startsWith(head, begin))
      return !isBinary(head);
  return false;
}

/// What a file that is neither a recipe nor MLIR is, and the next step.
Error foreignFile(std::string_view head, const std::string &path) {
  const char *const see = " (docs/getting-started.md)";
  if (isOnnx(head, path) && !isLfsPointer(head) && !isWebPage(head))
    return {fmt::format("{} is an ONNX model; convert it: gaudi-import FILE{}",
                        inQuotes(path), see)};
  // The first file in the archive of torch.save and torch.jit.save.
  if (startsWith(head, "PK\x03\x04") &&
      head.find("/data.pkl") != std::string_view::npos)
    return {fmt::format("{} is an archive of torch.save, weights without a "
                        "program, or of torch.jit.save; export the model with "
                        "torch.export, then gaudi-import FILE{}",
                        inQuotes(path), see)};
  if (const std::string is = describeForeign(head); !is.empty())
    return {fmt::format("{} is {}{}", inQuotes(path), is, see)};
  if (endsWith(path, ".py"))
    return {fmt::format("{} is a program; export its model with "
                        "gaudi_mlir.torch.export or torch.export{}",
                        inQuotes(path), see)};
  if (endsWith(path, ".mlir") || endsWith(path, ".mlirbc"))
    return {fmt::format("{} is not MLIR: neither text nor bytecode; name a "
                        "model or a recipe, or convert a file of a framework: "
                        "gaudi-import FILE{}",
                        inQuotes(path), see)};
  const std::string begin =
      fmt::format("{} is not a recipe (it does not start with \"{}\")",
                  inQuotes(path), recipeMagic);
  if (looksLikeMlir(head))
    return {fmt::format("{}, but text of MLIR; give it its name: mv {} {}",
                        begin, printable(path),
                        printable(path.substr(0, path.rfind('.')) + ".mlir"))};
  return {begin + (isBinary(head) ? "; name a recipe or a model"
                                  : ", but text, and none of MLIR; name a "
                                    "recipe or a model")};
}

} // namespace

/// The name of the first file in a zip archive.
static std::string_view firstOfZip(std::string_view head) {
  constexpr size_t sizeAt = 26, nameAt = 30; // of the local header
  if (!startsWith(head, "PK\x03\x04") || head.size() < nameAt)
    return {};
  const size_t size = uint8_t(head[sizeAt]) + 256 * uint8_t(head[sizeAt + 1]);
  return head.substr(nameAt, size);
}

std::string describeForeign(std::string_view head) {
  if (isWebPage(head))
    return "a page of HTML, as a server gives it in place of a file; download "
           "the file itself (the link \"raw\" or \"download\")";
  const std::string_view first = firstOfZip(head);
  // Not one of PyTorch's: an artifact of CI, a download.
  for (const std::string_view end :
       {".zip", ".mlir", ".mlirbc", ".recipe", ".onnx", ".npy", ".pt2"})
    if (endsWith(first, end))
      return fmt::format("a zip archive that holds {}; unpack it (unzip), and "
                         "name the file in it",
                         inQuotes(first));
  for (const ForeignFormat &format : foreignFormats)
    if (head.size() > format.offset &&
        head.substr(format.offset, format.magic.size()) == format.magic)
      return fmt::format("{}; {}", format.description, format.converter);
  return {};
}

bool isBinary(std::string_view head) {
  return std::any_of(head.begin(), head.end(), [](unsigned char c) {
    return (c < ' ' && (c < '\t' || c > '\r')) || c == 0x7f;
  });
}

bool isBytecode(std::string_view model) {
  return startsWith(model, bytecodeMagic);
}

Result<FileKind> kindOfBytes(std::string_view head, const std::string &path,
                             bool isUnnamed) {
  if (startsWith(head, recipeMagic))
    return FileKind::Recipe;
  if (startsWith(head, bytecodeMagic)) {
    // The version (one byte so far) comes before the producer's name.
    if (startsWith(head.substr(bytecodeMagic.size() + 1), "StableHLO_v"))
      return fail("{} is StableHLO bytecode; convert it: gaudi-import FILE "
                  "(docs/getting-started.md)",
                  inQuotes(path));
    return FileKind::Model;
  }
  const bool mayBeText = isUnnamed || endsWith(path, ".mlir") ||
                         (looksLikeMlir(head) && !endsWith(path, ".recipe"));
  if (mayBeText && !isBinary(head) && !isLfsPointer(head) && !isWebPage(head))
    return FileKind::Model;
  return tl::unexpected<Error>(foreignFile(head, path));
}

} // namespace gaudi::recipe
