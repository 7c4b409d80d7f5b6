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

/// The commands of an entry, in their order; none: it is not there.
std::vector<const recipe::Command *> commandsOf(const EntryOf &place) {
  std::vector<const recipe::Command *> commands;
  for (const recipe::Entry *entry :
       recipe::items(place.file.recipe().entries()))
    if (recipe::text(entry->name()) == place.name)
      for (const recipe::Command *command : recipe::items(entry->commands()))
        commands.push_back(command);
  return commands;
}

/// Whether a command has this name and location.
bool isNamed(const recipe::Command *command, const EntryOf &place,
             const Json &op) {
  const auto locations = recipe::items(place.file.recipe().locations());
  const std::string_view at = command->location() < locations.size()
                                  ? recipe::text(locations[command->location()])
                                  : std::string_view();
  return recipe::text(command->name()) == op["name"].get<std::string>() &&
         at == op["location"].get<std::string>();
}

/// The kernel that a command launches.
std::optional<uint32_t> kernelOf(const recipe::Command *command) {
  const recipe::Launch *launch = command->body_as_Launch();
  return launch ? std::optional(launch->kernel()) : std::nullopt;
}

/// That of the command with the number that the report has.
std::optional<uint32_t> suspectKernel(const EntryOf &suspect,
                                      const Json &report) {
  const auto commands = commandsOf(suspect);
  const size_t number = report["command"];
  return number < commands.size() &&
                 isNamed(commands[number], suspect, report["op"])
             ? kernelOf(commands[number])
             : std::nullopt;
}

/// That of the counterpart. None if the recipe has other commands of its name
/// and location than the form of the model that was compared.
std::optional<uint32_t> modelKernel(const EntryOf &model, const Json &report) {
  std::vector<const recipe::Command *> equal;
  for (const recipe::Command *command : commandsOf(model))
    if (isNamed(command, model, report["counterpart"]))
      equal.push_back(command);
  const Json &rank = report["rank"];
  return equal.size() == rank["of"].get<size_t>()
             ? kernelOf(equal[rank["number"].get<size_t>()])
             : std::nullopt;
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

void addInstruction(const EntryOf &suspect, const EntryOf &model,
                    Json &report) {
  if (!report.contains("command") || !report.contains("rank"))
    return;
  const auto mine = suspectKernel(suspect, report),
             theirs = modelKernel(model, report);
  if (!mine || !theirs)
    return;
  const Lines lines = linesOf(suspect.file, *mine),
              right = linesOf(model.file, *theirs);
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
