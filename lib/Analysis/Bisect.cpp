// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of a bisection.
#include "Gaudi/Analysis/Bisect.h"
#include "Gaudi/Analysis/Precision.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"
#include "OpText.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gaudi::analysis {
namespace {

std::string resultText(const Json &result, const Json &op) {
  std::string line = "  result";
  const uint64_t number = result.value("number", 0);
  if (op["types"].size() > 1)
    line += fmt::format(" {}", number);
  if (op["types"].size() > number)
    line += " " + op["types"][number].get<std::string>();
  const uint64_t beyond = result["beyond"];
  line +=
      beyond
          ? fmt::format(": {} of {} beyond the noise", beyond,
                        countOf(result["elements"].get<uint64_t>(), "element"))
          : ": all elements together are beyond the noise";
  line += fmt::format("; worst {}: got {}, expected {} (error {}",
                      textAt(result, "element"),
                      numberText(result["got"], "{:.9g}"),
                      numberText(result["expected"], "{:.9g}"),
                      numberText(result["error"], "{:.3g}"));
  if (result.contains("noise")) {
    line += ", expected noise " + numberText(result["noise"], "{:.3g}");
    if (result["noise"].is_number() && result["error"].is_number() &&
        result["noise"] > 0.0)
      line +=
          fmt::format(", {:.3g} times that", result["error"].get<double>() /
                                                 result["noise"].get<double>());
  }
  return line +
         fmt::format(", allowed {})", numberText(result["allowed"], "{:.3g}"));
}

/// What was compared, and how.
std::string headline(const Json &report) {
  const std::string kind = textAt(report, "kind");
  const Json op = report.value("op", Json::object());
  const std::string at = textAt(op, "location"),
                    place = at.empty() ? textAt(report, "model") : at;
  if (kind == "none")
    return "bisect: nothing leaves the expected noise";
  if (kind == "pipeline")
    return "bisect: each command alone is right; the outputs differ only where "
           "kernels run on the tiles of matrix products (--no-pipeline leaves "
           "that out)";
  if (kind == "sum")
    return "bisect: no " + textAt(report, "unit") +
           " leaves its noise alone; the errors of several add up";
  if (kind == "golden")
    return fmt::format("{}: bisect: {} is the first value that leaves the "
                       "noise",
                       place, inQuotes(textAt(op, "name")));
  if (kind == "unmatched")
    return fmt::format("{}: bisect: {} is the first command without a "
                       "counterpart in the model; none of the others leaves "
                       "the noise",
                       place, inQuotes(textAt(op, "name")));
  std::string line =
      fmt::format("{}: bisect: {} is the first {} whose values leave the noise",
                  place, inQuotes(textAt(op, "name")), kind);
  if (report.contains("pass"))
    line += fmt::format(", made by pass {}", inQuotes(textAt(report, "pass")));
  return line;
}

} // namespace

void addLayers(Json &report) {
  const auto add = [](Json &op) {
    const std::string location = textAt(op, "location");
    std::string layers;
    for (const std::string &layer : layersOf(location))
      if (layer != location)
        layers += (layers.empty() ? "" : ", ") + layer;
    if (!layers.empty())
      op["layer"] = layers;
  };
  for (const char *key : {"op", "until", "counterpart", "largest"})
    if (report.contains(key))
      add(report[key]);
  if (report.contains("others"))
    for (Json &other : report["others"])
      add(other);
}

std::string textOfBisection(const Json &report) {
  std::string out = headline(report) + "\n";
  const auto line = [&](const std::string &added) { out += added + "\n"; };
  if (report.contains("step"))
    line(fmt::format("  in step {}, the first that differs",
                     report["step"].get<uint64_t>()));
  if (report.contains("part"))
    line(fmt::format("  in launch {} of {}, a part between the loops of the "
                     "host, from the values that the device had before it",
                     report["launch"].get<uint64_t>(),
                     inQuotes(textAt(report, "part"))));
  if (report.contains("output"))
    line("  " + textAt(report, "output"));
  if (report.contains("largest"))
    line(fmt::format("  the largest is that of {}: {} of what is allowed",
                     opText(report["largest"]),
                     numberText(report["share"], "{:.3g}")));
  const auto end = [&] {
    if (report.contains("compared"))
      line("  " + textAt(report, "compared"));
    if (report.contains("causes"))
      for (const Json &cause : report["causes"])
        line(fmt::format("  {:.1f} % of the difference to {} is from {} in {}",
                         100 * cause["share"].get<double>(),
                         textAt(report, "against"), opText(cause),
                         textAt(cause, "type")));
    return out;
  };
  if (!report.contains("op"))
    return end();
  const Json &op = report["op"];
  const bool isBefore = report.contains("until");
  if (!textAt(op, "layer").empty())
    line("  in " + textAt(op, "layer"));
  if (isBefore)
    line("  it has no counterpart in the model; what shows it is " +
         opText(report["until"]));
  if (report.contains("result"))
    line(resultText(report["result"], isBefore ? report["until"] : op));
  if (report.contains("difference"))
    line("  " + textAt(report, "difference"));
  else if (report.contains("counterpart"))
    line("  the model has " + opText(report["counterpart"]));
  if (report.contains("instruction")) {
    const Json &instruction = report["instruction"];
    line(fmt::format(
        "  {}the instruction '{}' where the model's kernel has "
        "'{}'",
        instruction.contains("op") ? "in it " + opText(instruction["op"]) + ": "
                                   : "",
        textAt(instruction, "got"), textAt(instruction, "expected")));
  }
  if (report.contains("repaired"))
    line(report["repaired"].get<bool>()
             ? "  with the expected values here, all outputs are within the "
               "noise"
             : "  with the expected values here, outputs are still beyond the "
               "noise: something else is wrong, too");
  if (report.contains("others")) {
    std::string others;
    for (const Json &other : report["others"])
      others += (others.empty() ? "" : ", ") + opText(other);
    line("  others that leave it of operands within it: " + others);
  }
  if (report.contains("slice")) {
    const Json &slice = report["slice"];
    const uint64_t ops = slice["ops"];
    line(slice["shows"].get<bool>()
             ? fmt::format("  a model of {} shows it: {}", countOf(ops, "op"),
                           textAt(slice, "command"))
         : slice.contains("error")
             ? fmt::format("  a model of {} alone cannot be compared, {}: {}",
                           countOf(ops, "op"), textAt(slice, "error"),
                           textAt(slice, "command"))
             : fmt::format("  it is not shown by a model of {} alone: {}",
                           countOf(ops, "op"), textAt(slice, "command")));
  }
  return end();
}

} // namespace gaudi::analysis
