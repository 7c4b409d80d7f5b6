// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The comparison of two precisions: layers, JSON, text.
#include "Gaudi/Analysis/Precision.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <tuple>

namespace gaudi::analysis {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has no infinity.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json toJson(const PrecisionSide &side) {
  return {{"setting", side.setting},
          {"time_us", side.microseconds},
          {"memory",
           {{"const", side.constants},
            {"workspace", side.workspace},
            {"needed", side.needed}}}};
}

std::string changeText(double before, double after) {
  return before > 0 ? fmt::format("{:+.1f} %", 100 * (after / before - 1))
                    : std::string("-");
}

/// Columns of texts, the first aligned left.
std::string table(const std::vector<std::vector<std::string>> &rows) {
  std::vector<size_t> widths(rows.front().size());
  for (const auto &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const auto &row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += i == 0 ? fmt::format("  {:<{}}", row[i], widths[i])
                     : fmt::format("  {:>{}}", row[i], widths[i]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

std::string errorText(double error) {
  return std::isfinite(error) ? fmt::format("{:.3g}", error) : "not finite";
}

std::string outputText(const PrecisionOutput &output,
                       const std::string &before) {
  std::string text = inQuotes(output.name) + ": ";
  if (output.notFinite)
    text += countOf(output.notFinite, "element") +
            " not finite, others differ by at most " +
            errorText(output.largest);
  else if (output.norm > 0)
    text += fmt::format("{} of its norm, at most {}", errorText(output.error),
                        errorText(output.largest));
  else if (output.error > 0)
    text +=
        fmt::format("{} absolute, at most {}; it is zero in {}",
                    errorText(output.error), errorText(output.largest), before);
  else
    text += "0";
  return output.notFiniteBefore
             ? text + fmt::format("; {} not finite in {}, left out",
                                  countOf(output.notFiniteBefore, "element"),
                                  before)
             : text;
}

std::string cut(const std::string &text, size_t most) {
  return text.size() <= most ? text
                             : "..." + text.substr(text.size() - most + 3);
}

} // namespace

std::vector<std::string> layersOf(std::string_view location) {
  std::vector<std::string> layers;
  const auto add = [&](std::string layer) {
    if (std::find(layers.begin(), layers.end(), layer) == layers.end())
      layers.push_back(std::move(layer));
  };
  while (!location.empty()) {
    const size_t end = std::min(location.find(", "), location.size());
    std::string_view place = location.substr(0, end);
    location.remove_prefix(std::min(end + 2, location.size()));
    const size_t at = place.find(" at ");
    if (at == place.npos && place.find(':') != place.npos) {
      add(std::string(place)); // a file alone
      continue;
    }
    place = place.substr(0, at);
    constexpr std::string_view backward = " backward";
    if (place.size() > backward.size() &&
        place.substr(place.size() - backward.size()) == backward)
      place.remove_suffix(backward.size());
    // JAX ends a scope with the op.
    if (const size_t slash = place.rfind('/'); slash != place.npos)
      place = place.substr(0, slash);
    add(std::string(place));
  }
  return layers;
}

PrecisionSide precisionSide(std::string setting,
                            const prediction::Prediction &prediction) {
  PrecisionSide side;
  side.setting = std::move(setting);
  side.microseconds = double(prediction.time()) / 1e6;
  side.constants = prediction.constants;
  side.workspace = prediction.workspace;
  side.needed = prediction.memoryNeeded();
  for (size_t i = 0; i < prediction.commands.size(); ++i) {
    const auto layers = layersOf(prediction.commands[i].location);
    const timing::Span &span = prediction.timeline.spans[i];
    for (const std::string &layer : layers)
      side.layers[layer] +=
          double(span.end - span.start) / 1e6 / double(layers.size());
  }
  return side;
}

std::vector<const PrecisionOp *> rankedOps(const PrecisionReport &report) {
  std::vector<const PrecisionOp *> ops;
  for (const PrecisionOp &op : report.ops)
    if (op.share > 0)
      ops.push_back(&op);
  std::sort(ops.begin(), ops.end(),
            [](const PrecisionOp *a, const PrecisionOp *b) {
              return a->share != b->share ? a->share > b->share : a < b;
            });
  return ops;
}

std::vector<PrecisionLayer> rankedLayers(const PrecisionReport &report) {
  std::map<std::string, PrecisionLayer> layers;
  for (const auto &[side, time] :
       {std::pair(&report.before, &PrecisionLayer::before),
        std::pair(&report.after, &PrecisionLayer::after)})
    for (const auto &[name, microseconds] : side->layers)
      layers[name].*time = microseconds;
  for (const PrecisionOp &op : report.ops) {
    const auto names = layersOf(op.location);
    for (const std::string &name : names)
      layers[name].share += op.share / double(names.size());
  }
  std::vector<PrecisionLayer> ranked;
  for (auto &[name, layer] : layers) {
    layer.name = name;
    ranked.push_back(layer);
  }
  std::sort(ranked.begin(), ranked.end(),
            [](const PrecisionLayer &a, const PrecisionLayer &b) {
              return a.share != b.share ? a.share > b.share : a.name < b.name;
            });
  return ranked;
}

Json toJson(const PrecisionReport &report) {
  Json outputs = Json::array(), ops = Json::array(), ranking = Json::array(),
       layers = Json::array();
  for (const PrecisionOutput &output : report.outputs)
    outputs.push_back({{"name", output.name},
                       {"relative_error", output.norm > 0 || output.error == 0
                                              ? number(output.error)
                                              : Json(nullptr)},
                       {"norm", output.norm},
                       {"largest_error", number(output.largest)},
                       {"not_finite", output.notFinite},
                       {"not_finite_before", output.notFiniteBefore}});
  for (const PrecisionOp &op : report.ops)
    ops.push_back({{"name", op.name},
                   {"location", op.location},
                   {"rule", op.rule},
                   {"type_before", op.before},
                   {"type", op.after},
                   {"reason", op.reason},
                   {"error_alone", number(op.alone)},
                   {"error_without", number(op.back)},
                   {"share", number(op.share)},
                   {"group", op.group}});
  for (const PrecisionOp *op : rankedOps(report))
    ranking.push_back(op - report.ops.data());
  for (const PrecisionLayer &layer : rankedLayers(report))
    layers.push_back({{"name", layer.name},
                      {"time_us_before", layer.before},
                      {"time_us", layer.after},
                      {"share", number(layer.share)}});
  return {
      {"before", toJson(report.before)}, {"after", toJson(report.after)},
      {"error", number(report.error)},   {"outputs", std::move(outputs)},
      {"layers", std::move(layers)},     {"ops", std::move(ops)},
      {"ranking", std::move(ranking)},   {"evaluations", report.evaluations}};
}

Json toJson(const LossComparison &losses) {
  Json steps = Json::array();
  for (size_t i = 0; i < losses.lossesBefore.size(); ++i)
    steps.push_back({{"step", i + 1},
                     {"before", number(losses.lossesBefore[i])},
                     {"after", number(losses.lossesAfter[i])}});
  return {{"output", losses.output},
          {"before", losses.before},
          {"after", losses.after},
          {"steps", std::move(steps)}};
}

std::string textOf(const PrecisionReport &report, size_t most) {
  const PrecisionSide &before = report.before, &after = report.after;
  std::string text =
      table({{"", before.setting, after.setting, "change"},
             {"device time", timeText(before.microseconds / 1e3),
              timeText(after.microseconds / 1e3),
              changeText(before.microseconds, after.microseconds)},
             {"memory", humanBytes(before.needed), humanBytes(after.needed),
              changeText(double(before.needed), double(after.needed))},
             {"  constants", humanBytes(before.constants),
              humanBytes(after.constants),
              changeText(double(before.constants), double(after.constants))},
             {"  workspace", humanBytes(before.workspace),
              humanBytes(after.workspace),
              changeText(double(before.workspace), double(after.workspace))}});
  text +=
      fmt::format("\nerror of {} against {}: {}{}\n", after.setting,
                  before.setting, errorText(report.error),
                  std::isfinite(report.error) ? " of the outputs' norm" : "");
  std::vector<const PrecisionOutput *> outputs;
  for (const PrecisionOutput &output : report.outputs)
    outputs.push_back(&output);
  std::sort(outputs.begin(), outputs.end(),
            [](const PrecisionOutput *a, const PrecisionOutput *b) {
              return a->error != b->error ? a->error > b->error : a < b;
            });
  for (size_t i = 0; i < std::min(outputs.size(), most); ++i)
    text += "  " + outputText(*outputs[i], before.setting) + "\n";
  if (outputs.size() > most)
    text += fmt::format("  and {} with smaller errors\n",
                        countOf(outputs.size() - most, "output"));
  std::vector<const PrecisionOp *> ops = rankedOps(report);
  if (ops.empty()) {
    const bool isPart = std::any_of(
        report.outputs.begin(), report.outputs.end(),
        [](const PrecisionOutput &output) { return output.notFiniteBefore; });
    return text + (isPart ? "no op causes an error of what is finite\n"
                          : "no op causes an error\n");
  }
  std::vector<std::vector<std::string>> rows = {
      {"layer", "share of the error", before.setting, after.setting}};
  for (const PrecisionLayer &layer : rankedLayers(report)) {
    if (rows.size() > most)
      break;
    rows.push_back({cut(layer.name, 60), percent(layer.share),
                    timeText(layer.before / 1e3), timeText(layer.after / 1e3)});
  }
  text += "\nlayers that cause it\n" + table(rows);
  rows = {{"op", "type", "share", "alone", "switched back", "at"}};
  // A group is one row, with what all of it causes.
  std::map<uint32_t, size_t> sizes;
  for (const PrecisionOp *op : ops)
    ++sizes[op->group];
  const auto shareOfGroup = [&](const PrecisionOp *op) {
    return op->share * double(sizes[op->group]);
  };
  std::sort(ops.begin(), ops.end(),
            [&](const PrecisionOp *a, const PrecisionOp *b) {
              return std::tuple(-shareOfGroup(a), a) <
                     std::tuple(-shareOfGroup(b), b);
            });
  for (const PrecisionOp *op : ops) {
    if (rows.size() > most)
      break;
    if (sizes[op->group] == 0)
      continue; // told with the first of its group
    const double share = shareOfGroup(op);
    const size_t others = std::exchange(sizes[op->group], 0) - 1;
    rows.push_back({op->name + (others ? fmt::format(" and {} more", others)
                                       : std::string()),
                    op->after, percent(share), errorText(op->alone),
                    errorText(op->back), cut(op->location, 60)});
  }
  return text + "\nops that cause it\n" + table(rows);
}

std::string textOf(const LossComparison &losses) {
  std::vector<std::vector<std::string>> rows = {
      {"step", losses.before, losses.after, "difference"}};
  for (size_t i = 0; i < losses.lossesBefore.size(); ++i) {
    const double was = losses.lossesBefore[i], is = losses.lossesAfter[i];
    rows.push_back({std::to_string(i + 1), fmt::format("{:.6g}", was),
                    fmt::format("{:.6g}", is),
                    fmt::format("{:+.3g}", is - was)});
  }
  return table(rows);
}

} // namespace gaudi::analysis
