// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the names of files say of their formats.
#include "Suffixes.h"
#include "Gaudi/Support/Quote.h"

#include <filesystem>

namespace gaudi::run {
namespace {

struct Format {
  std::string_view suffix;
  std::string_view writer; ///< what writes such a file; "": not this program
};
constexpr Format formats[] = {
    {".recipe", "recipes are written by -o FILE"},
    {".mlir", ""},
    {".mlirbc", ""},
    {".onnx", ""},
    {".pt", ""},
    {".pth", ""},
    {".pt2", ""},
    {".safetensors", ""},
    {".npy", "outputs are written by --output=@FILE.npy"},
    {".npz", "outputs are written by --output=@FILE.npy, each to its own file"},
    {".csv", ""},
    {".py", ""},
    {".txt", ""},
    {".html", "a page is written by --html=FILE"},
    {".json", "reports are written by --report=json > FILE, and timelines by "
              "--trace=FILE"}};

} // namespace

Status refuseOtherFormat(std::string_view option, const std::string &path,
                         std::string_view ours) {
  const std::string suffix = std::filesystem::path(path).extension();
  for (const Format &format : formats)
    if (suffix == format.suffix && suffix != ours)
      return fail("{}: {} says another format than the one that is written; "
                  "name a file NAME{}{}{}",
                  option, inQuotes(path), ours,
                  format.writer.empty() ? "" : "; ", format.writer);
  return {};
}

} // namespace gaudi::run
