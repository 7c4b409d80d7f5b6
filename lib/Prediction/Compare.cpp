// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares two predictions.
#include "Gaudi/Prediction/Compare.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"
#include "Gaudi/Timing/Cost.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace gaudi::prediction {
namespace {

using Json = nlohmann::ordered_json;

/// Commands that have something in common.
struct Sum {
  uint64_t commands = 0;
  double time = 0; // us, of all of them
  std::map<std::string, double> bounds;
  double utilization = 0; // weighted by time

  void add(const Json &command) {
    const double took = command.at("end_us").get<double>() -
                        command.at("start_us").get<double>();
    ++commands;
    time += took;
    bounds[command.at("bound").get<std::string>()] += took;
    utilization += took * command.at("utilization").get<double>();
  }
  std::string bound() const {
    const auto most = std::max_element(
        bounds.begin(), bounds.end(),
        [](const auto &a, const auto &b) { return a.second < b.second; });
    return most == bounds.end() ? "" : most->first;
  }
  Json json() const { return {{"commands", commands}, {"time_us", time}}; }
};

struct Pair {
  Sum before, after;
  double change() const { return after.time - before.time; }
  Json json() const {
    return {{"before", before.json()},
            {"after", after.json()},
            {"change_us", change()}};
  }
};

using Pairs = std::map<std::string, Pair>;

std::string operandsOf(const Json &command) {
  std::string text;
  for (const Json &operand : command.at("operands"))
    text += (text.empty() ? "" : ", ") + operand.get<std::string>();
  return text;
}

/// Pairs by a text of each command, the largest change first.
template <typename KeyOf>
std::vector<std::pair<std::string, Pair>>
pairsBy(const Json &before, const Json &after, const KeyOf &keyOf) {
  Pairs pairs;
  for (const Json &command : before.at("commands"))
    if (const auto key = keyOf(command))
      pairs[*key].before.add(command);
  for (const Json &command : after.at("commands"))
    if (const auto key = keyOf(command))
      pairs[*key].after.add(command);
  std::vector<std::pair<std::string, Pair>> list(pairs.begin(), pairs.end());
  std::sort(list.begin(), list.end(), [](const auto &a, const auto &b) {
    const double x = std::abs(a.second.change()),
                 y = std::abs(b.second.change());
    return x != y ? x > y : a.first < b.first;
  });
  return list;
}

auto pairsByName(const Json &before, const Json &after) {
  return pairsBy(before, after, [](const Json &command) {
    return std::optional(command.at("name").get<std::string>());
  });
}

std::string spanText(double us) {
  return timing::timeText(timing::Picoseconds(std::llround(us * 1e6)));
}

/// "20 mme.conv", or of one side only "no mme.conv".
std::string countText(uint64_t commands, const std::string &name) {
  return commands ? fmt::format("{} {}", commands, name) : "no " + name;
}

std::string sentenceOf(const Json &before, const Json &after,
                       const std::vector<std::pair<std::string, Pair>> &names) {
  const double was = before.at("time_us"), is = after.at("time_us");
  const double change = is - was;
  if (std::abs(change) * 1e6 < 1)
    return fmt::format("a launch takes {} as before", spanText(is));
  std::string line = fmt::format(
      "a launch takes {} instead of {}: {} {}", spanText(is), spanText(was),
      spanText(std::abs(change)), change < 0 ? "less" : "more");
  if (was > 0)
    line += fmt::format(" ({:+.1f} %)", 100 * change / was);
  // The commands that changed most in the direction of the launch.
  for (const auto &[name, pair] : names)
    if (pair.change() * change > 0)
      return line + fmt::format("; most of it in {}: {} instead of {}, {} "
                                "instead of {}",
                                name, pair.after.commands, pair.before.commands,
                                spanText(pair.after.time),
                                spanText(pair.before.time));
  return line;
}

/// "20 in 138 us".
std::string sumText(const Json &sum) {
  const uint64_t commands = sum.at("commands");
  return commands
             ? fmt::format("{} in {}", commands, spanText(sum.at("time_us")))
             : "none";
}

/// What `bound` can reach at most on a device, as "108 Tflop/s"; empty where
/// that is not a rate. `operands`: of a command that it bounds.
std::string peakText(const Json &side, const std::string &bound,
                     const std::string &operands) {
  const Json &peaks = side.at("peaks");
  if (bound == "array") {
    const bool isF32 = operands.find("xf32") != operands.npos;
    const Json &mme = peaks.at("mme_flops_per_second");
    return quantityText(mme.value(isF32 ? "f32" : "bf16", 0.0)) + "flop/s";
  }
  if (bound == "read bandwidth" || bound == "write bandwidth")
    return quantityText(peaks.at("hbm_bytes_per_second")) + "B/s";
  if (bound == "vector issue" || bound == "special functions")
    return quantityText(peaks.at("tpc_flops_per_second")) + "flop/s";
  return "";
}

struct Number {
  const char *name;    // in the comparison
  const char *pointer; // in a prediction
};

/// "hbm_bytes" as a person reads it: the end of the key tells the unit.
std::string numberText(const std::string &key, double value) {
  const auto endsWith = [&](std::string_view end) {
    return key.size() >= end.size() &&
           key.compare(key.size() - end.size(), end.size(), end) == 0;
  };
  if (endsWith("_us"))
    return spanText(value);
  if (endsWith("_bytes"))
    return humanBytes(uint64_t(value));
  if (endsWith("utilization"))
    return fmt::format("{:.1f} %", value * 100);
  if (key == "flops")
    return quantityText(value) + "flop";
  return fmt::format("{}", value);
}

Json numbersOf(const Json &before, const Json &after) {
  constexpr std::array numbers = {
      Number{"time_us", "/time_us"},
      Number{"mme_busy_us", "/engines/MME/busy_us"},
      Number{"tpc_busy_us", "/engines/TPC/busy_us"},
      Number{"dma_busy_us", "/engines/DMA/busy_us"},
      Number{"mme_utilization", "/mme_utilization"},
      Number{"flops", "/flops"},
      Number{"hbm_bytes", "/hbm_bytes"},
      Number{"needed_bytes", "/memory/needed"},
      Number{"workspace_bytes", "/memory/workspace"}};
  Json result = Json::object();
  for (const Number &number : numbers) {
    const Json::json_pointer at(number.pointer);
    result[number.name] = {{"before", before.at(at)}, {"after", after.at(at)}};
  }
  result["commands"] = {{"before", before.at("commands").size()},
                        {"after", after.at("commands").size()}};
  return result;
}

/// Reads everything that a comparison reads.
Status check(const Json &prediction, std::string_view name) {
  try {
    (void)compare(prediction, prediction);
    (void)prediction.at("device").get<std::string>();
    (void)prediction.at("entry").get<std::string>();
    return {};
  } catch (const Json::exception &error) {
    return fail("{} has a prediction without what is compared ({}); write it "
                "again with --predict --report=json or --html",
                inQuotes(name), error.what());
  }
}

} // namespace

bool looksLikePrediction(std::string_view head) {
  constexpr std::string_view page = "<!doctype html>";
  return head.substr(0, page.size()) == page ||
         (!head.empty() && head[0] == '{');
}

Result<Json> readPredictions(std::string_view text, std::string_view name) {
  constexpr std::string_view begin =
      "<script type=\"application/json\" id=\"data\">";
  if (const size_t at = text.find(begin); at != text.npos) {
    text.remove_prefix(at + begin.size());
    text = text.substr(0, text.find("</script>"));
  }
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("predictions") ||
      !json["predictions"].is_array())
    return fail("{} is no prediction; expected a page (gaudi-run MODEL "
                "--predict --html=FILE) or its JSON (gaudi-run MODEL --predict "
                "--report=json > FILE)",
                inQuotes(name));
  Json list = Json::array();
  for (const Json &prediction : json["predictions"]) {
    if (prediction.contains("error"))
      continue; // a device that refused the model
    GAUDI_TRY(check(prediction, name));
    list.push_back(prediction);
  }
  if (list.empty())
    return fail("{} has no prediction: its devices refused the model",
                inQuotes(name));
  return list;
}

Json compare(const Json &before, const Json &after) {
  const auto names = pairsByName(before, after);
  Json commands = Json::array();
  for (const auto &[name, pair] : names) {
    Json group = {{"name", name}};
    group.update(pair.json());
    group["operands"] = Json::array();
    const auto kinds = pairsBy(
        before, after,
        [name = &name](const Json &command) -> std::optional<std::string> {
          if (command.at("name") != *name)
            return std::nullopt;
          return operandsOf(command);
        });
    for (const auto &[operands, of] : kinds) {
      if (std::abs(of.change()) * 1e6 < 1 &&
          of.before.commands == of.after.commands)
        continue;
      Json kind = {{"operands", operands}};
      kind.update(of.json());
      group["operands"].push_back(std::move(kind));
    }
    if (!group["operands"].empty())
      commands.push_back(std::move(group));
  }
  return {{"device", after.at("device")},
          {"entry", after.at("entry")},
          {"line", sentenceOf(before, after, names)},
          {"numbers", numbersOf(before, after)},
          {"commands", std::move(commands)}};
}

std::string compareText(const Json &comparison) {
  std::string text = comparison.at("line").get<std::string>() + "\n";
  for (const auto &[key, pair] : comparison.at("numbers").items()) {
    const double was = pair.at("before"), is = pair.at("after");
    if (std::abs(is - was) < 5e-4 * std::abs(was) || was == is)
      continue;
    text += fmt::format("  {:<16}  {:>10}  ->  {:>10}", key,
                        numberText(key, was), numberText(key, is));
    text +=
        was != 0 ? fmt::format("  {:+.1f} %\n", 100 * (is - was) / was) : "\n";
  }
  const Json &commands = comparison.at("commands");
  if (commands.empty())
    return text + "  no command changed\n";
  text += "  commands that changed, the largest change of their time first\n";
  constexpr size_t most = 10;
  for (size_t i = 0; i < std::min(commands.size(), most); ++i) {
    const Json &group = commands[i];
    const double change = group.at("change_us");
    text +=
        fmt::format("    {:>9}  {}: {} -> {}\n",
                    (change < 0 ? "-" : "+") + spanText(std::abs(change)),
                    printable(group.at("name").get<std::string>()),
                    sumText(group.at("before")), sumText(group.at("after")));
  }
  if (commands.size() > most)
    text += fmt::format("    and {} more\n", commands.size() - most);
  return text;
}

std::vector<std::pair<size_t, size_t>> slowerPairs(const Json &predictions) {
  const auto time = [&](size_t i) {
    return predictions[i].at("time_us").get<double>();
  };
  size_t fastest = 0;
  for (size_t i = 1; i < predictions.size(); ++i)
    if (time(i) < time(fastest))
      fastest = i;
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t i = 0; i < predictions.size(); ++i)
    if (time(i) > 1.05 * time(fastest))
      pairs.emplace_back(i, fastest);
  return pairs;
}

std::string whySlower(const Json &slow, const Json &fast) {
  const double more =
      slow.at("time_us").get<double>() - fast.at("time_us").get<double>();
  const auto name = [](const Json &side) {
    return side.at("device").get<std::string>();
  };
  std::string text = fmt::format("{} takes {} more than {}", name(slow),
                                 spanText(more), name(fast));
  const auto groups = pairsByName(fast, slow);
  const auto worst =
      std::find_if(groups.begin(), groups.end(),
                   [](const auto &group) { return group.second.change() > 0; });
  if (worst == groups.end())
    return text + ", though no command takes longer: more of them wait";
  const auto &[command, pair] = *worst;
  const Sum &there = pair.before, &here = pair.after;
  text += fmt::format(", most of it in {}: {}, {} instead of {}", command,
                      countText(here.commands, command), spanText(here.time),
                      spanText(there.time));
  if (!there.commands)
    return text + fmt::format(", which {} does not need", name(fast));
  if (here.commands > there.commands)
    text += fmt::format(", where {} has {}", name(fast), there.commands);
  if (here.bound() != there.bound())
    return text + fmt::format("; they are bound by {} there, by {} here",
                              there.bound(), here.bound());
  const double uses = here.utilization / here.time,
               used = there.utilization / there.time;
  if (uses < 0.8 * used)
    return text + fmt::format("; its engines are {:.0f} % used while they "
                              "compute, those of {} {:.0f} %",
                              100 * uses, name(fast), 100 * used);
  text += fmt::format("; both are bound by {}", here.bound());
  for (const Json &one : slow.at("commands"))
    if (one.at("name") == command) {
      const std::string operands = operandsOf(one);
      const std::string peak = peakText(slow, here.bound(), operands),
                        other = peakText(fast, here.bound(), operands);
      if (!peak.empty() && peak != other)
        text +=
            fmt::format(", which gives at most {} here, {} there", peak, other);
      break;
    }
  return text;
}

} // namespace gaudi::prediction
