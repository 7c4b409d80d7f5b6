// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replay files: replay.json and the members that it names.
#include "Gaudi/Analysis/ReplayFile.h"
#include "Gaudi/Recipe/Container.h"
#include "Gaudi/Recipe/NpyTensor.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace gaudi::analysis {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char *formatName = "gaudi-replay";
constexpr int formatVersion = 1;
constexpr const char *description = "replay.json";
constexpr uint64_t maxDescription = uint64_t(16) << 20;
/// replay.json nests six deep.
constexpr int maxDepth = 16;

Json tensorsJson(const std::vector<ReplayTensor> &tensors) {
  Json list = Json::array();
  for (const ReplayTensor &tensor : tensors) {
    Json object = {{"name", tensor.name}, {"type", tensor.type}};
    if (!tensor.hash.empty())
      object["hash"] = tensor.hash;
    if (!tensor.file.empty())
      object["file"] = tensor.file;
    if (tensor.seed)
      object["seed"] = *tensor.seed;
    list.push_back(std::move(object));
  }
  return list;
}

/// Reads fields; the first one that is wrong is kept.
class Reader {
public:
  std::string problem;

  const Json *find(const Json &object, const char *name, Json::value_t kind,
                   bool isNeeded) {
    const auto found = object.find(name);
    if (found == object.end()) {
      if (isNeeded)
        complain(fmt::format("it has no '{}'", name));
      return nullptr;
    }
    const bool isNumber =
        kind == Json::value_t::number_integer && found->is_number_integer();
    if (found->type() != kind && !isNumber) {
      complain(fmt::format("'{}' is {}", name, found->type_name()));
      return nullptr;
    }
    return &*found;
  }
  std::string text(const Json &object, const char *name, bool isNeeded) {
    const Json *value = find(object, name, Json::value_t::string, isNeeded);
    return value ? value->get<std::string>() : std::string();
  }
  int64_t number(const Json &object, const char *name, int64_t otherwise) {
    const Json *value =
        find(object, name, Json::value_t::number_integer, false);
    return value ? value->get<int64_t>() : otherwise;
  }
  std::map<std::string, std::string> texts(const Json &object,
                                           const char *name) {
    std::map<std::string, std::string> result;
    if (const Json *value = find(object, name, Json::value_t::object, true))
      for (const auto &[key, text] : value->items())
        result[key] = this->text(*value, key.c_str(), true);
    return result;
  }
  std::vector<ReplayTensor> tensors(const Json &object, const char *name) {
    std::vector<ReplayTensor> result;
    const Json *list = find(object, name, Json::value_t::array, true);
    for (size_t i = 0; list && i < list->size(); ++i) {
      const Json &tensor = (*list)[i];
      if (!tensor.is_object()) {
        complain(fmt::format("'{}' has an element that is no object", name));
        break;
      }
      ReplayTensor read = {text(tensor, "name", true),
                           text(tensor, "type", true),
                           text(tensor, "hash", false),
                           text(tensor, "file", false),
                           {}};
      if (!recipe::parseTensorType(read.type))
        complain(fmt::format("{} is no type of a tensor", inQuotes(read.type)));
      if (tensor.contains("seed")) {
        const int64_t seed = number(tensor, "seed", -1);
        if (seed < 0 || seed > int64_t(UINT32_MAX))
          complain(fmt::format("the seed of {} is not from 0 to {}",
                               inQuotes(read.name), UINT32_MAX));
        read.seed = uint32_t(seed);
      }
      result.push_back(std::move(read));
    }
    return result;
  }
  std::vector<ReplayOption> options(const Json &object) {
    std::vector<ReplayOption> result;
    const Json *list = find(object, "options", Json::value_t::array, true);
    for (size_t i = 0; list && i < list->size(); ++i) {
      const Json &option = (*list)[i];
      if (!option.is_object()) {
        complain("'options' has an element that is no object");
        break;
      }
      ReplayOption read = {text(option, "name", true), {}};
      const Json *parts = find(option, "value", Json::value_t::array, false);
      for (size_t p = 0; parts && p < parts->size(); ++p) {
        const Json &part = (*parts)[p];
        if (part.is_string())
          read.value.push_back({part.get<std::string>(), false});
        else if (part.is_object())
          read.value.push_back({text(part, "file", true), true});
        else
          complain(fmt::format("the value of the option {} is {}",
                               inQuotes(read.name), part.type_name()));
      }
      result.push_back(std::move(read));
    }
    return result;
  }

private:
  void complain(std::string text) {
    if (problem.empty())
      problem = std::move(text);
  }
};

/// Errors: a member that replay.json names is not there.
Status checkMembers(const ZipReader &zip, const Replay &replay,
                    const std::string &path) {
  std::vector<std::string> names = {replay.file};
  if (!replay.recipe.empty())
    names.push_back(replay.recipe);
  for (const auto *tensors :
       {&replay.inputs, &replay.outputs, &replay.expected})
    for (const ReplayTensor &tensor : *tensors)
      if (!tensor.file.empty())
        names.push_back(tensor.file);
  for (const ReplayOption &option : replay.options)
    for (const ReplayOption::Part &part : option.value)
      if (part.isFile)
        names.push_back(part.text);
  for (const std::string &name : names)
    if (!zip.has(name))
      return fail("{}: {} names {}, which is not in the archive",
                  inQuotes(path), description, inQuotes(name));
  return {};
}

} // namespace

std::string hashOf(const void *data, uint64_t size) {
  return fmt::format(
      "{:016x}", recipe::checksumOf(static_cast<const uint8_t *>(data), size));
}

ReplayTensor describeTensor(const recipe::HostTensor &tensor) {
  return {tensor.name,
          tensor.type.text(),
          hashOf(tensor.bytes.data(), tensor.bytes.size()),
          {},
          {}};
}

ReplayValues valuesOf(const recipe::HostTensor &tensor, std::string file) {
  std::vector<int64_t> shape = tensor.type.shape;
  const uint64_t bytes = tensor.type.bytes();
  if (bytes && tensor.bytes.size() > bytes)
    shape.insert(shape.begin(), int64_t(tensor.bytes.size() / bytes));
  return {std::move(file),
          npyHeader(recipe::npyType(tensor.type.element), shape)};
}

bool isReplay(std::string_view head) {
  // The name of the first member follows the 30 bytes of its header.
  return head.substr(0, 4) == "PK\x03\x04" &&
         head.substr(std::min<size_t>(head.size(), 30), 11) == description;
}

std::string printReplay(const Replay &replay) {
  Json options = Json::array();
  for (const ReplayOption &option : replay.options) {
    Json object = {{"name", option.name}};
    for (const ReplayOption::Part &part : option.value)
      object["value"].push_back(part.isFile ? Json{{"file", part.text}}
                                            : Json(part.text));
    options.push_back(std::move(object));
  }
  Json json = {{"format", formatName},
               {"version", formatVersion},
               {"reason", replay.reason},
               {"versions", replay.versions},
               {"file", replay.file},
               {"entry", replay.entry},
               {"options", std::move(options)},
               {"environment", replay.environment},
               {"inputs", tensorsJson(replay.inputs)},
               {"outputs", tensorsJson(replay.outputs)}};
  if (!replay.recipe.empty())
    json["recipe"] = replay.recipe;
  if (!replay.expected.empty())
    json["expected"] = tensorsJson(replay.expected);
  if (replay.predictedPicoseconds >= 0)
    json["predicted_ps"] = replay.predictedPicoseconds;
  json["ending"] = {{"code", replay.code},
                    {"stage", replay.stage},
                    {"message", replay.message}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Replay> parseReplay(std::string_view text, const std::string &path) {
  bool isTooDeep = false;
  const Json json = Json::parse(
      text.begin(), text.end(),
      [&](int depth, Json::parse_event_t, Json &) {
        isTooDeep |= depth > maxDepth;
        return depth <= maxDepth;
      },
      /*allow_exceptions=*/false);
  if (isTooDeep || !json.is_object())
    return fail("{}: {} is not a JSON object{}", inQuotes(path), description,
                isTooDeep ? " that nests at most 16 deep" : "");
  Reader reader;
  if (reader.text(json, "format", true) != formatName)
    return fail("{}: {} is not of a replay file; expected \"format\": \"{}\"",
                inQuotes(path), description, formatName);
  const int64_t version = reader.number(json, "version", 0);
  if (version != formatVersion)
    return fail("{} is a replay file of version {}; this gaudi-mlir ({}) reads "
                "version {}",
                inQuotes(path), version, GAUDI_VERSION, formatVersion);
  Replay replay;
  replay.versions = reader.texts(json, "versions");
  replay.options = reader.options(json);
  replay.environment = reader.texts(json, "environment");
  replay.file = reader.text(json, "file", true);
  replay.recipe = reader.text(json, "recipe", false);
  replay.entry = reader.text(json, "entry", false);
  replay.inputs = reader.tensors(json, "inputs");
  replay.outputs = reader.tensors(json, "outputs");
  if (json.contains("expected"))
    replay.expected = reader.tensors(json, "expected");
  replay.predictedPicoseconds = reader.number(json, "predicted_ps", -1);
  replay.reason = reader.text(json, "reason", false);
  if (const Json *ending =
          reader.find(json, "ending", Json::value_t::object, true)) {
    replay.code = int(reader.number(*ending, "code", -1));
    replay.stage = reader.text(*ending, "stage", false);
    replay.message = reader.text(*ending, "message", false);
  }
  if (!reader.problem.empty())
    return fail("{}: {} is damaged: {}", inQuotes(path), description,
                reader.problem);
  return replay;
}

Status writeReplay(const std::string &path, const Replay &replay,
                   std::vector<ZipMember> members) {
  const std::string text = printReplay(replay);
  members.insert(members.begin(), {description, {text}});
  return writeZip(path, members);
}

Result<Replay> unpackReplay(const std::string &path,
                            const std::string &folder) {
  ZipReader zip = GAUDI_TRY(ZipReader::open(path));
  Replay replay = GAUDI_TRY(
      parseReplay(GAUDI_TRY(zip.read(description, maxDescription)), path));
  GAUDI_TRY(checkMembers(zip, replay, path));
  GAUDI_TRY(zip.unpack(folder));
  return replay;
}

} // namespace gaudi::analysis
