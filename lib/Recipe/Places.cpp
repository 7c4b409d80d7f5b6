// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names that a front end has for the lines of the text that it made.
#include "Gaudi/Recipe/Places.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Recipe/Writer.h"

#include <charconv>
#include <memory>

namespace gaudi::recipe {
namespace {

class Renamer {
public:
  Renamer(std::string_view source, const std::vector<std::string> &places)
      : head(std::string(source) + ':'), places(places) {}

  void rename(std::string &text) const {
    size_t at = text.find(head);
    if (at == text.npos)
      return;
    std::string renamed;
    size_t copied = 0;
    for (; at != text.npos; at = text.find(head, at + 1)) {
      size_t line = 0, column = 0;
      const char *const end = text.data() + text.size();
      auto read = std::from_chars(text.data() + at + head.size(), end, line);
      if (read.ec != std::errc() || read.ptr == end || *read.ptr != ':')
        continue;
      read = std::from_chars(read.ptr + 1, end, column);
      if (read.ec != std::errc() || line == 0 || line > places.size() ||
          places[line - 1].empty())
        continue;
      renamed.append(text, copied, at - copied);
      renamed += places[line - 1];
      copied = size_t(read.ptr - text.data());
    }
    text = renamed.append(text, copied);
  }

private:
  std::string head;
  const std::vector<std::string> &places;
};

} // namespace

std::string withPlaces(std::string text, std::string_view source,
                       const std::vector<std::string> &places) {
  Renamer(source, places).rename(text);
  return text;
}

Result<std::vector<uint8_t>>
withPlaces(const RecipeFile &file, std::string_view source,
           const std::vector<std::string> &places) {
  const std::unique_ptr<RecipeT> copy(file.recipe().UnPack());
  const Renamer renamer(source, places);
  for (std::string &each : copy->locations)
    renamer.rename(each);
  for (const auto &each : copy->fusions)
    renamer.rename(each->text);
  return writeRecipe(*copy, constantsOf(file));
}

} // namespace gaudi::recipe
