// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares kernels as the text of recipes has them.
#include "KernelDifference.h"
#include "Gaudi/Recipe/Text.h"
#include "Gaudi/Recipe/Views.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

namespace gaudi::run {
namespace {

using Json = nlohmann::ordered_json;
using Lines = std::vector<std::string>;

/// The kernel of the first command with this name and location.
std::optional<uint32_t> kernelOf(const recipe::Recipe &recipe, const Json &op) {
  const std::string name = op["name"], location = op["location"];
  const auto locations = recipe::items(recipe.locations());
  for (const recipe::Entry *entry : recipe::items(recipe.entries()))
    for (const recipe::Command *command : recipe::items(entry->commands())) {
      const recipe::Launch *launch = command->body_as_Launch();
      const std::string_view at =
          command->location() < locations.size()
              ? recipe::text(locations[command->location()])
              : std::string_view();
      if (launch && recipe::text(command->name()) == name && at == location)
        return launch->kernel();
    }
  return std::nullopt;
}

/// The lines between the braces of "kernel NUMBER NAME {", without blanks
/// around them.
Lines linesOf(const recipe::RecipeFile &file, uint32_t kernel) {
  std::ostringstream text;
  recipe::PrintOptions options;
  options.elideConstantsAbove = 0;
  recipe::printRecipe(text, file, options);
  std::istringstream stream(text.str());
  const std::string head = fmt::format("kernel {} ", kernel);
  Lines lines;
  bool isInside = false;
  for (std::string line; std::getline(stream, line);) {
    if (isInside && line == "}")
      break;
    if (isInside)
      lines.push_back(
          line.substr(std::min(line.find_first_not_of(' '), line.size())));
    isInside |= line.compare(0, head.size(), head) == 0;
  }
  return lines;
}

/// "mulf" of "%2 = mulf %0, %1 : f32"; empty: no instruction.
std::string wordOf(const std::string &line) {
  const size_t equals = line.find(" = ");
  if (line.empty() || line[0] != '%' || equals == line.npos)
    return "";
  return line.substr(equals + 3, line.find(' ', equals + 3) - equals - 3);
}

/// Whether a line reads the result of another one.
bool reads(const std::string &line, const std::string &value) {
  for (size_t at = line.find(value, 1); at != line.npos;
       at = line.find(value, at + 1))
    if (!std::isdigit(static_cast<unsigned char>(line[at + value.size()])))
      return true;
  return false;
}

/// Whether an instruction is what an op of this name ("tpc.mul") computes.
bool isOf(const std::string &word, const std::string &name) {
  const std::string base = name.substr(name.find('.') + 1);
  return word == base ||
         (base == "compare" && word.compare(0, 3, "cmp") == 0) ||
         (word.size() > base.size() &&
          word.compare(0, base.size(), base) == 0 &&
          std::string("fisu").find(word[base.size()]) != std::string::npos &&
          word.size() <= base.size() + 2);
}

/// The op among `parts` that line `number` is of: the only one that computes
/// such, or that of the same rank.
std::optional<Json> opOf(const Lines &lines, size_t number, const Json &parts) {
  // A constant is of what reads it.
  while (wordOf(lines[number]) == "const") {
    const std::string value = lines[number].substr(0, lines[number].find(' '));
    const auto reader = std::find_if(
        lines.begin() + int64_t(number) + 1, lines.end(),
        [&](const std::string &line) { return reads(line, value); });
    if (reader == lines.end())
      return std::nullopt;
    number = size_t(reader - lines.begin());
  }
  const std::string word = wordOf(lines[number]);
  std::vector<Json> same;
  for (const Json &part : parts)
    if (isOf(word, part["name"]))
      same.push_back(part);
  if (same.size() == 1)
    return same[0];
  const auto isSame = [&](const std::string &line) {
    return wordOf(line) == word;
  };
  const auto all = std::count_if(lines.begin(), lines.end(), isSame);
  if (word.empty() || size_t(all) != same.size())
    return std::nullopt;
  return same[size_t(
      std::count_if(lines.begin(), lines.begin() + int64_t(number), isSame))];
}

} // namespace

void addInstruction(const recipe::RecipeFile &suspect,
                    const recipe::RecipeFile &model, Json &report) {
  const auto mine = kernelOf(suspect.recipe(), report["op"]),
             theirs = kernelOf(model.recipe(), report["counterpart"]);
  if (!mine || !theirs)
    return;
  const Lines lines = linesOf(suspect, *mine), right = linesOf(model, *theirs);
  const auto [first, other] =
      std::mismatch(lines.begin(), lines.end(), right.begin(), right.end());
  if (first == lines.end() || other == right.end())
    return;
  Json &found = report["instruction"];
  found = {{"got", *first}, {"expected", *other}};
  if (report.contains("parts"))
    if (const auto op =
            opOf(right, size_t(other - right.begin()), report["parts"]))
      found["op"] = *op;
}

} // namespace gaudi::run
