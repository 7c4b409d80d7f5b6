// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What people read on a terminal: errors, warnings, notes, and their colours.
#ifndef GAUDI_RUN_CONSOLE_H
#define GAUDI_RUN_CONSOLE_H

#include <string>
#include <string_view>
#include <vector>

namespace gaudi::run {

enum class Colors { Auto, Always, Never };
enum class Verbosity { Quiet, Normal, Verbose };

/// How the functions below print. Until then: Auto and Normal. Auto colours
/// what goes to a terminal, unless NO_COLOR is set or TERM is dumb.
void setUpConsole(Colors colors, Verbosity verbosity);
Verbosity verbosity();

/// "gaudi-run: error: MESSAGE" on standard error.
void printError(const std::string &message);
/// "gaudi-run: warning: MESSAGE" on standard error; not with --quiet.
void printWarning(const std::string &message);
/// "gaudi-run: note: MESSAGE" on standard error; not with --quiet.
void printNote(const std::string &message);
/// "gaudi-run: MESSAGE" on standard error; only with --verbose.
void printStep(const std::string &message);

/// Text that says that a check passed, for standard output.
std::string passed(const std::string &text);
/// A heading, for standard error.
std::string heading(const std::string &text);
/// A line of a diagnostic ("file:1:2: error: ..."), for standard error.
std::string diagnosticLine(std::string_view line);

/// Keeps an error of the compiler, one line, for the JSON of a failure.
void keepDiagnostic(std::string_view line);
const std::vector<std::string> &diagnostics();

} // namespace gaudi::run

#endif // GAUDI_RUN_CONSOLE_H
