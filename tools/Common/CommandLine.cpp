// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command lines and errors of the small tools.
#include "CommandLine.h"
#include "Gaudi/Support/Quote.h"
#include "Spelling.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <fmt/format.h>
#include <iostream>
#include <new>

using namespace gaudi;

void gaudi::printError(const Tool &tool, const std::string &message) {
  std::cerr << tool.name + (": error: " + message + "\n");
}

GivenOptions::GivenOptions(const CLI::App &app) {
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames())
      options[name] = option->results();
}

bool GivenOptions::has(std::string_view name) const {
  return !values(name).empty();
}

std::vector<std::string> GivenOptions::values(std::string_view name) const {
  const auto found = options.find(name);
  assert(found != options.end() && "no option of that name");
  return found != options.end() ? found->second : std::vector<std::string>();
}

/// The error of an option that takes numbers and got `text`.
static std::string numberError(const std::string &option,
                               const std::string &text) {
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  char *end = nullptr;
  std::strtod(text.c_str(), &end);
  const size_t comma = text.find(',');
  std::string_view expected = "a number", example = "1";
  std::string dotted = text;
  if (!text.empty() && std::all_of(text.begin(), text.end(), isDigit))
    expected = "a smaller number", example = "1000";
  else if (*end == 0 && !text.empty())
    expected = "a whole number that is not negative";
  else if (comma != text.npos && comma == size_t(end - text.c_str()) &&
           comma > 0)
    example = dotted.replace(comma, 1, "."); // of another language
  return fmt::format("{0}: expected {1} but got {2}; write {0}={3}", option,
                     expected, inQuotes(text), example);
}

/// "0.01 to 86400" of "0.010000 to 86400.000000".
static std::string withoutZeros(std::string range) {
  for (size_t point; (point = range.find('.')) != range.npos;) {
    const size_t end = std::min(
        range.find_first_not_of("0123456789", point + 1), range.size());
    size_t last = end;
    while (last > point + 1 && range[last - 1] == '0')
      --last;
    last -= last == point + 1;
    range.erase(last, end - last);
    if (last != point)
      range[point] = '\1'; // seen
  }
  std::replace(range.begin(), range.end(), '\1', '.');
  return range;
}

static std::string oneLine(std::string text) {
  // And "--steps: Value x not in range 1 to 9".
  constexpr std::string_view value = ": Value ", range = " not in range ";
  if (const size_t at = text.find(value), to = text.find(range);
      at != text.npos && to != text.npos && at < to) {
    std::string numbers = withoutZeros(text.substr(to + range.size()));
    // The largest number that there is bounds nothing.
    constexpr size_t manyDigits = 100;
    if (numbers.size() > manyDigits)
      numbers = numbers.substr(0, numbers.find(' ')) + " on";
    return fmt::format(
        "{0}: expected a number from {1} but got {2}; write {0}={3}",
        text.substr(0, at), numbers,
        inQuotes(text.substr(at + value.size(), to - at - value.size())),
        numbers.substr(0, 2) == "0." ? "1"
                                     : numbers.substr(0, numbers.find(' ')));
  }
  // And "--html: 1 required FILE missing", of arguments "file is required".
  constexpr std::string_view one = ": 1 required ", missing = " missing";
  if (const size_t at = text.find(one), to = text.rfind(missing);
      at != text.npos && to != text.npos && at < to) {
    // "N:UINT in [1 - 9]".
    std::string type = text.substr(at + one.size(), to - at - one.size());
    for (const char *added : {":UINT", ":INT", ":FLOAT", ":NONNEGATIVE", ":{"})
      type.erase(std::min(type.find(added), type.size()));
    return fmt::format("{0} needs a value; write {0}={1}", text.substr(0, at),
                       type);
  }
  // And "--steps: At Most 1 required but received 2".
  constexpr std::string_view most = ": At Most 1 required but received ";
  if (const size_t at = text.find(most); at != text.npos)
    return fmt::format("{} is given {} times; give it once", text.substr(0, at),
                       text.substr(at + most.size()));
  // And "--check was given a disallowed flag override".
  constexpr std::string_view flag = " was given a disallowed flag override";
  if (const size_t at = text.find(flag); at != text.npos)
    return fmt::format("--{0} takes no value; write --{0}, or leave it out",
                       text.substr(0, at)); // which has no dashes
  // And "--numerics: x not in {exact,chip}".
  constexpr std::string_view set = " not in {";
  if (const size_t at = text.find(": "), to = text.rfind(set);
      at != text.npos && to != text.npos && at < to && text.back() == '}') {
    const size_t begin = to + set.size();
    std::string names = text.substr(begin, text.size() - begin - 1);
    for (size_t comma = 0; (comma = names.find(',', comma)) != names.npos;
         comma += 2)
      names.insert(comma + 1, " ");
    return fmt::format("{}: expected one of {} but got {}", text.substr(0, at),
                       names, inQuotes(text.substr(at + 2, to - at - 2)));
  }
  if (text == "file is required")
    return "no FILE is given; name a recipe or a model, or - to read one from "
           "standard input";
  constexpr std::string_view required = " is required";
  if (const size_t at = text.find(required);
      at != text.npos && at + required.size() == text.size())
    return fmt::format("no {} is given; name one", text.substr(0, at));
  // CLI11 says of a number "Could not convert: --steps = x".
  constexpr std::string_view conversion = "Could not convert: ";
  if (const size_t at = text.find(" = ");
      text.compare(0, conversion.size(), conversion) == 0 && at != text.npos)
    return numberError(text.substr(conversion.size(), at - conversion.size()),
                       text.substr(at + 3));
  for (char &c : text)
    if (c == '\n' || c == '\r')
      c = ' ';
  while (!text.empty() && text.back() == ' ')
    text.pop_back();
  return text;
}

Result<std::optional<GivenOptions>>
gaudi::readCommandLine(const char *name, const char *purpose,
                       const std::function<void(CLI::App &)> &declare,
                       const char *files, int argc, char **argv) {
  CLI::App app(purpose, name);
  app.set_help_flag("-h,--help", "print this help");
  app.set_version_flag("--version", std::string(name) + " " GAUDI_VERSION,
                       "print the version");
  declare(app);
  // As LLVM's tools take them: "-input=@x.npy" would be -i with a value.
  std::vector<std::string> arguments(argv + 1, argv + argc);
  for (std::string &argument : arguments)
    if (const std::string name = argument.substr(0, argument.find('='));
        name.size() > 2 && name[0] == '-' && name[1] != '-' &&
        app.get_option_no_throw("-" + name))
      argument.insert(0, "-");
  for (size_t i = 1; i + 1 < arguments.size(); ++i)
    if (arguments[i] == "=" && arguments[i - 1].compare(0, 2, "--") == 0)
      return fail("{0} = {1} has blanks; write {0}={1}", arguments[i - 1],
                  printable(arguments[i + 1]));
  std::reverse(arguments.begin(), arguments.end()); // as CLI11 reads them
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::Success &request) { // --help, --version
    app.exit(request);
    return std::nullopt;
  } catch (const CLI::ExtrasError &) {
    return fail(unexpectedArgument(app, files));
  } catch (const CLI::ParseError &error) {
    if (const std::string missing = missingValue(app); !missing.empty())
      return fail("{}", missing);
    return fail("{}", oneLine(error.what()));
  }
  if (const std::string missing = missingValue(app); !missing.empty())
    return fail("{}", missing);
  return GivenOptions(app);
}

static int runAll(const Tool &tool, int argc, char **argv) {
  const auto given = readCommandLine(tool.name, tool.purpose, tool.declare,
                                     "one FILE is read at a time", argc, argv);
  if (!given) {
    printError(tool, given.error().message);
    return exitBadInput;
  }
  if (!*given)
    return 0;
  const Result<int> code = tool.run();
  // A reader that has gone away is no error.
  errno = 0;
  if (code && (std::cout.flush() || errno == EPIPE))
    return *code;
  printError(tool,
             code ? "cannot write to standard output" : code.error().message);
  return exitBadInput;
}

int gaudi::runTool(const Tool &tool, int argc, char **argv) {
  try {
    return runAll(tool, argc, argv);
  } catch (const std::bad_alloc &) {
    printError(tool, "not enough host memory");
  } catch (const std::exception &error) {
    printError(tool, error.what());
  }
  return exitBadInput;
}
