// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments that no option takes, and options without their value.
#include "Spelling.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Spelling.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <vector>

using namespace gaudi;

static std::vector<std::string> longNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
  return names;
}

std::string gaudi::unexpectedArgument(const CLI::App &app,
                                      const std::string &files) {
  const std::vector<std::string> extras = app.remaining();
  const std::string argument = extras.empty() ? "" : extras.front();
  const std::vector<std::string> names = longNames(app);
  // A dash that a text processor made of two hyphens.
  for (const std::string_view dash : {"\xe2\x80\x93", "\xe2\x80\x94"})
    if (argument.compare(0, dash.size(), dash) == 0)
      return fmt::format("unexpected argument {}; options begin with two "
                         "hyphens: --{}",
                         inQuotes(argument),
                         printable(argument.substr(dash.size())));
  const bool takesInputs =
      std::find(names.begin(), names.end(), "--input") != names.end();
  if (takesInputs && argument.compare(0, 1, "@") == 0)
    return fmt::format(
        "unexpected argument {}; each input has an option of its "
        "own: --input={}",
        inQuotes(argument), printable(argument));
  const bool isNumber =
      !argument.empty() &&
      argument.find_first_of("0123456789") != argument.npos &&
      argument.find_first_not_of("0123456789.,+-eE[]") == argument.npos;
  if (isNumber && takesInputs)
    return fmt::format("unexpected argument {}; quote a value that has blanks: "
                       "--input=\"2xf32=1 2\"",
                       inQuotes(argument));
  if (argument.empty() || argument[0] != '-') {
    const auto options = app.get_options();
    if (std::none_of(
            options.begin(), options.end(),
            [](const CLI::Option *option) { return option->get_positional(); }))
      return fmt::format("unexpected argument {}; {} reads no file: --help "
                         "lists its options",
                         inQuotes(argument), app.get_name());
    const bool isMode =
        std::find(names.begin(), names.end(), "--" + argument) != names.end();
    return fmt::format("unexpected argument {}; {}", inQuotes(argument),
                       isMode ? "did you mean --" + argument + "?" : files);
  }
  const std::string given = argument.substr(0, argument.find('='));
  std::string nearest = nearestName(given, names);
  // "-l" of another tool, where one name begins with the letter.
  if (given.size() == 2) {
    const auto begins = [&](const std::string &name) {
      return name[2] == given[1];
    };
    if (std::count_if(names.begin(), names.end(), begins) == 1)
      nearest = *std::find_if(names.begin(), names.end(), begins);
  }
  // Other programs of the project have --json.
  const bool isReport =
      given == "--json" &&
      std::find(names.begin(), names.end(), "--report") != names.end();
  if (isReport)
    return fmt::format("unknown option {}; write --report=json > FILE",
                       inQuotes(given));
  return fmt::format("unknown option {}; {}", inQuotes(given),
                     nearest.empty()
                         ? app.get_name() + " --help lists the options"
                         : fmt::format("did you mean {}?", nearest));
}

std::string gaudi::missingValue(const CLI::App &app) {
  const std::vector<std::string> names = longNames(app);
  for (const CLI::Option *option : app.get_options())
    for (const std::string &value : option->results())
      if (const std::string name = value.substr(0, value.find('='));
          std::find(names.begin(), names.end(), name) != names.end())
        return fmt::format("{0} needs a value, but {1} follows it; write "
                           "{0}={2}",
                           option->get_name(), value,
                           option->get_type_name().empty()
                               ? "VALUE"
                               : option->get_type_name());
  return "";
}
