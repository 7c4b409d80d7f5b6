// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --verify and --dump as JSON.
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/HostTensor.h"
#include "Gaudi/Recipe/Text.h"
#include "Gaudi/Recipe/Views.h"
#include "JsonOutput.h"
#include "Outputs.h"

#include <nlohmann/json.hpp>
#include <sstream>

namespace gaudi::run {
namespace {

using Json = nlohmann::ordered_json;
using recipe::items;

std::string lower(std::string_view word) {
  std::string result(word);
  for (char &c : result)
    c = char(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

Json tensorJson(const recipe::Tensor &tensor) {
  Json shape = Json::array();
  for (int64_t size : items(tensor.sizes()))
    shape.push_back(size);
  return {{"name", recipe::text(tensor.name())},
          {"class", lower(recipe::EnumNameTensorClass(tensor.tensor_class()))},
          {"type", kernel::elementName(recipe::elementTypeOf(tensor.type()))},
          {"shape", std::move(shape)},
          {"section", tensor.section()},
          {"offset", tensor.offset()}};
}

Json commandJson(const recipe::Recipe &recipe, const recipe::Command &command) {
  const auto numbers = [](const auto *list) {
    Json result = Json::array();
    for (uint32_t number : items(list))
      result.push_back(number);
    return result;
  };
  return {
      {"name", recipe::text(command.name())},
      {"engine", recipe::EnumNameEngine(command.engine())},
      {"location", recipe::text(items(recipe.locations())[command.location()])},
      {"inputs", numbers(command.inputs())},
      {"outputs", numbers(command.outputs())},
      {"dependencies", numbers(command.dependencies())},
      {"flops", command.flops()},
      {"bytes", command.bytes()}};
}

Json entryJson(const recipe::Recipe &recipe, const recipe::Entry &entry,
               bool inFull) {
  const auto tensors = [&](const auto *numbers) {
    Json list = Json::array();
    for (uint32_t number : items(numbers))
      list.push_back(tensorJson(*items(recipe.tensors())[number]));
    return list;
  };
  Json json = {{"name", recipe::text(entry.name())},
               {"inputs", tensors(entry.inputs())},
               {"outputs", tensors(entry.outputs())}};
  if (!inFull) {
    json["commands"] = items(entry.commands()).size();
    return json;
  }
  json["commands"] = Json::array();
  for (const recipe::Command *command : items(entry.commands()))
    json["commands"].push_back(commandJson(recipe, *command));
  return json;
}

Json recipeJson(const std::string &path, const recipe::RecipeFile &file,
                bool inFull) {
  const recipe::Recipe &recipe = file.recipe();
  Json entries = Json::array(), sections = Json::array();
  for (const recipe::Entry *entry : items(recipe.entries()))
    entries.push_back(entryJson(recipe, *entry, inFull));
  for (const recipe::Section *section : items(recipe.sections()))
    sections.push_back(
        {{"kind", lower(recipe::EnumNameSectionKind(section->kind()))},
         {"bytes", section->size()}});
  Json json = {{"model", path},
               {"valid", true},
               {"target", recipe::text(recipe.target())},
               {"producer", recipe::text(recipe.producer())},
               {"bytes", file.fileSize()},
               {"sections", std::move(sections)},
               {"tensors", items(recipe.tensors()).size()},
               {"kernels", items(recipe.kernels()).size()},
               {"entries", std::move(entries)}};
  if (!inFull)
    return json;
  json["tensors"] = Json::array();
  for (const recipe::Tensor *tensor : items(recipe.tensors()))
    json["tensors"].push_back(tensorJson(*tensor));
  return json;
}

} // namespace

void printVerifiedJson(const std::string &path,
                       const recipe::RecipeFile &file) {
  printJsonObject("verified", recipeJson(path, file, /*inFull=*/false));
}

void printDumpJson(const std::string &path, const recipe::RecipeFile &file,
                   const recipe::PrintOptions &options) {
  Json json = recipeJson(path, file, /*inFull=*/true);
  std::ostringstream whole;
  recipe::printRecipe(whole, file, options);
  json["text"] = whole.str();
  printJsonObject("dump", json);
}

} // namespace gaudi::run
