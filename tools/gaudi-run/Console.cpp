// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What people read on a terminal: errors, warnings, notes, and their colours.
#include "Console.h"

#include <cstdlib>
#include <iostream>
#include <unistd.h>

namespace gaudi::run {
namespace {

constexpr const char *red = "\033[1;31m", *magenta = "\033[1;35m",
                     *blue = "\033[1;34m", *green = "\033[32m",
                     *bold = "\033[1m", *plain = "\033[0m";

bool isColored(int descriptor) {
  const char *none = std::getenv("NO_COLOR");
  const char *terminal = std::getenv("TERM");
  return !(none && *none) && terminal && std::string_view(terminal) != "dumb" &&
         ::isatty(descriptor);
}

struct Console {
  bool out = isColored(STDOUT_FILENO), error = isColored(STDERR_FILENO);
  Verbosity verbosity = Verbosity::Normal;
};
Console console;
std::vector<std::string> errors;

std::string painted(bool colored, const char *color, std::string_view text) {
  if (!colored)
    return std::string(text);
  return std::string(color).append(text).append(plain);
}

void print(const char *color, const char *severity,
           const std::string &message) {
  std::cerr << painted(console.error, bold, "gaudi-run:") + " " +
                   painted(console.error, color, severity) + message + "\n";
}

} // namespace

void setUpConsole(Colors colors, Verbosity verbosity) {
  console = {};
  if (colors != Colors::Auto)
    console.out = console.error = colors == Colors::Always;
  console.verbosity = verbosity;
}

Verbosity verbosity() { return console.verbosity; }

void printError(const std::string &message) { print(red, "error: ", message); }

void printWarning(const std::string &message) {
  if (console.verbosity != Verbosity::Quiet)
    print(magenta, "warning: ", message);
}

void printNote(const std::string &message) {
  if (console.verbosity != Verbosity::Quiet)
    print(bold, "note: ", message);
}

void printStep(const std::string &message) {
  if (console.verbosity == Verbosity::Verbose)
    print(bold, "", message);
}

std::string passed(const std::string &text) {
  return painted(console.out, green, text);
}

std::string heading(const std::string &text) {
  return painted(console.error, bold, text);
}

std::string diagnosticLine(std::string_view line) {
  struct {
    std::string_view mark;
    const char *color;
  } const severities[] = {{"error: ", red},
                          {"warning: ", magenta},
                          {"remark: ", blue},
                          {"note: ", bold}};
  if (console.error)
    for (const auto &[mark, color] : severities)
      if (const size_t at = line.find(mark);
          at == 0 || (at != std::string_view::npos && line[at - 1] == ' '))
        return painted(true, bold, line.substr(0, at)) +
               painted(true, color, mark) +
               std::string(line.substr(at + mark.size()));
  return std::string(line);
}

void keepDiagnostic(std::string_view line) { errors.emplace_back(line); }

const std::vector<std::string> &diagnostics() { return errors; }

} // namespace gaudi::run
