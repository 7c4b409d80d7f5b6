// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What replay files may say about a launch.
#include "Gaudi/Analysis/ReplayOptions.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <cstdlib>

namespace gaudi::analysis {

const std::vector<ReplayableOption> &replayableOptions() {
  static const std::vector<ReplayableOption> options = {
#define GAUDI_REPLAYED(name, kind) {name, ReplayableOption::kind},
#include "Gaudi/Analysis/ReplayOptions.def"
  };
  return options;
}

const ReplayableOption *replayableOption(std::string_view name) {
  const auto &all = replayableOptions();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const ReplayableOption &option) {
        return name == option.name;
      });
  return found == all.end() ? nullptr : &*found;
}

bool isFileOfCosts(std::string_view value) {
  return value != "device-time" && value != "elements";
}

bool isListOfOps(std::string_view key) {
  return key == "lower" || key == "fp32" || key == "fp8";
}

/// The value of Lists with `file` for each file: such keys have one each, and
/// no others have.
static bool hasFilesWhereRead(std::string_view value, char file) {
  for (size_t at = 0; at <= value.size();) {
    const size_t end = std::min(value.find(':', at), value.size());
    const std::string_view part = value.substr(at, end - at);
    const size_t equals = part.find('=');
    const bool readsFile =
        equals != part.npos && isListOfOps(part.substr(0, equals));
    if (readsFile ? part.substr(equals + 1) != std::string_view(&file, 1)
                  : part.find(file) != part.npos)
      return false;
    at = end + 1;
  }
  return true;
}

Status checkReplayOption(const ReplayOption &option) {
  using Kind = ReplayableOption::Kind;
  const ReplayableOption *known = replayableOption(option.name);
  if (!known)
    return fail("the replay has an option --{}, which no replay may have",
                printable(option.name));
  // Not printable, so that no text has it.
  constexpr char file = '\x01';
  std::string value;
  size_t files = 0;
  for (const ReplayOption::Part &part : option.value) {
    if (part.isFile && known->kind != Kind::File &&
        known->kind != Kind::MayBeFile && known->kind != Kind::Lists)
      return fail("the replay gives a file to --{}, which takes none",
                  option.name);
    if (!part.isFile && part.text.find(file) != std::string::npos)
      return fail("the replay gives {} to --{}; expected printable text",
                  inQuotes(part.text), option.name);
    files += part.isFile;
    value += part.isFile ? std::string(1, file) : part.text;
  }
  const bool isOneFile = files == 1 && value.size() == 1;
  const bool isRight =
      known->kind == Kind::File        ? isOneFile
      : known->kind == Kind::MayBeFile ? isOneFile || !isFileOfCosts(value)
      : known->kind == Kind::Lists     ? hasFilesWhereRead(value, file)
                                       : true;
  std::replace(value.begin(), value.end(), file, '*');
  if (!isRight)
    return fail("the replay gives {} to --{}; expected a file in it",
                inQuotes(value), option.name);
  return {};
}

const std::vector<const char *> &replayedVariables() {
  static const std::vector<const char *> names = {
      "GAUDI_INTEGERS", "GAUDI_JIT_CPU",      "GAUDI_JIT_TIER",
      "GAUDI_MME",      "GAUDI_MOVE_TENSORS", "GAUDI_NUMERICS"};
  return names;
}

std::map<std::string, std::string> replayedEnvironment() {
  std::map<std::string, std::string> set;
  for (const char *name : replayedVariables())
    if (const char *value = std::getenv(name))
      set[name] = value;
  return set;
}

} // namespace gaudi::analysis
