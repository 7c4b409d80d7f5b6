// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run prints at its end.
#include "Results.h"
#include "Console.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"
#include "Outputs.h"

#include <algorithm>
#include <fmt/ostream.h>
#include <iostream>

namespace gaudi::run {
namespace {

void printPassed(const std::string &text) {
  fmt::print(std::cout, "{}\n", passed(text));
}

/// Which commands --numerics=chip is about. How engines of the chip do the
/// others is not published.
std::string chipText(const DeviceReport &device) {
  const size_t all = device.commands.size();
  const auto chip =
      size_t(std::count_if(device.commands.begin(), device.commands.end(),
                           [](const runtime::CommandInfo &c) {
                             return c.implementation == "chip";
                           }));
  return fmt::format("--numerics=chip: {} as {} adds them; nothing is "
                     "published for the other {}, which {} exact",
                     countOf(chip, "matrix product"), device.target,
                     countOf(all - chip, "command"),
                     all - chip == 1 ? "is" : "are");
}

/// The checks that passed.
void printChecks(const Results &results, Exit code) {
  const Report &report = results.report;
  for (const analysis::Comparison &comparison : report.comparisons)
    if (comparison.passed())
      printPassed(comparison.text());
  if (report.finite && report.finite->passed)
    printPassed(report.finite->message);
  if (!results.numerics.empty())
    printPassed(results.numerics);
  if (results.options.checkMemory && report.device)
    printPassed(fmt::format(
        "--check-memory passed: {} touched only the bytes of their operands; "
        "the peak is as planned, {}",
        countOf(report.device->memory.checkedCommands, "command"),
        humanBytes(report.device->memory.plannedPeak())));
  if (results.options.mode == Mode::Check && code == Exit::Ok)
    printPassed(
        fmt::format("--check passed: {} within tolerance of the float64 "
                    "reference",
                    countOf(results.outputs.size(), "output")));
}

void printText(const Results &results, Exit code) {
  const Options &options = results.options;
  const bool isQuiet = options.verbosity == Verbosity::Quiet;
  for (size_t i = 0; i < results.outputs.size() && !isQuiet; ++i)
    if (!results.outputFiles[i])
      printOutput(std::cout, results.outputs[i], options.printedElements);
  const auto &device = results.report.device;
  if (options.report == ReportForm::Text)
    printText(std::cout, results.report);
  else if ((options.repeat > 1 || options.steps) && device && !isQuiet)
    fmt::print(std::cout, "run {} of the host\n",
               text(spreadOf(device->launches)));
  if (options.numerics == "chip" && device && !isQuiet)
    fmt::print(std::cout, "{}\n", chipText(*device));
  if (!isQuiet)
    printChecks(results, code);
}

} // namespace

void printResults(const Results &results, Exit code) {
  if (results.options.report == ReportForm::Json)
    printJson(results.report, results.outputs, results.options.printedElements);
  else
    printText(results, code);
  for (const recipe::HostTensor &output : results.outputs)
    if (analysis::isAllNaN(output) && !results.options.checkFinite)
      printWarning(fmt::format(
          "output {} is NaN in {}; --check-finite names the command that made "
          "the first one",
          inQuotes(output.name),
          output.type.count() == 1
              ? "its element"
              : fmt::format("all {} elements", output.type.count())));
  std::vector<std::string> differences;
  for (const analysis::Comparison &comparison : results.report.comparisons)
    if (!comparison.passed())
      differences.push_back(comparison.text());
  // Once, however many outputs differ.
  if (!differences.empty())
    differences.back() +=
        results.options.mode == Mode::Check
            ? "\n  --bisect instead of --check names the first pass, op or "
              "command whose values leave the tolerance"
            : "\n  --atol and --rtol allow larger errors; --check compares "
              "with "
              "the reference of the model instead";
  for (const std::string &difference : differences)
    printError(difference);
  if (results.report.finite && !results.report.finite->passed)
    printError(results.report.finite->message);
}

} // namespace gaudi::run
