// Hits, padding, compilations and refusals of a trace of launches.
#include "Replay.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Shapes/Trace.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Units.h"
#include "Gaudi/Timing/Timeline.h"
#include "JsonOutput.h"
#include "Misses.h"
#include "RecipeSignature.h"
#include "Sizes.h"
#include "TraceLauncher.h"

#include <algorithm>
#include <fmt/ostream.h>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <tuple>

namespace gaudi::run {
namespace {

using Json = nlohmann::ordered_json;
using shapes::Trace;

/// Lines that the text has of each list.
constexpr size_t mostLines = 20;

/// Launches of one variant. Products of sizes, over all of them.
struct Hits {
  uint64_t launches = 0;
  double real = 0, padded = 0;
  uint64_t compiledAt = 0;  ///< a line; 0: the recipe has it
  int64_t picoseconds = -1; ///< predicted, of a launch; -1: unknown

  /// By how much the padded elements exceed the real ones, in per cent.
  double padding() const { return real > 0 ? 100 * (padded / real - 1) : 0; }
  void add(uint64_t count, double realElements, double paddedElements) {
    launches += count;
    real += double(count) * realElements;
    padded += double(count) * paddedElements;
  }
};

/// A variant that a launch compiles.
struct Compilation {
  uint64_t line = 0;
  size_t bucket = 0;
  Miss miss;
  double milliseconds = 0; ///< of the host; 0: nothing was compiled
};

/// Launches that are refused for one reason.
struct Refusal {
  uint64_t launches = 0, line = 0; ///< the first line with it
  Miss miss;
  int64_t low = 0, high = 0, step = 0; ///< of the sizes of its symbol
};

/// What a trace tells of each symbol and input, by column.
struct Columns {
  std::vector<std::optional<size_t>> symbols, inputs;
  std::optional<size_t> device;
  std::vector<std::string> ignored;
};

class Replay {
public:
  /// `launcher` may be null.
  Replay(SymbolTable table, std::string device, const Options &options,
         std::optional<double> compileMilliseconds, TraceLauncher *launcher,
         Exit &failureCode)
      : table(std::move(table)), device(std::move(device)), options(options),
        launcher(launcher), failureCode(failureCode),
        mayCompile(!options.strictShapes), buckets(this->table.buckets()) {
    // A recipe that is launched has no model to compile.
    mayCompile &= !launcher || compileMilliseconds;
    if (compileMilliseconds)
      variantMilliseconds = *compileMilliseconds / double(buckets.size());
    for (const recipe::Variant *variant :
         recipe::items(this->table.dispatch().variants())) {
      hits.emplace_back();
      hits.back().picoseconds = variant->picoseconds();
    }
  }

  Status run(const Trace &trace) {
    GAUDI_TRY(readColumns(trace));
    if (launcher) // mistakes are found before the first launch
      for (const Trace::Launch &launch : trace.launches) {
        Miss wrong;
        if (!isOfOtherDevice(launch))
          GAUDI_TRY(sizesOf(trace, launch, wrong));
      }
    for (const Trace::Launch &launch : trace.launches) {
      launches += launch.count;
      if (isOfOtherDevice(launch)) {
        others[launch.fields[*columns.device]].push_back(launch.line);
        continue;
      }
      Miss wrong;
      const shapes::Sizes sizes = GAUDI_TRY(sizesOf(trace, launch, wrong));
      if (!wrong.reason.empty())
        refuse(launch, 0, std::move(wrong));
      else
        GAUDI_TRY(take(launch, sizes));
    }
    return {};
  }

  void printText() const;
  void printJson() const;

private:
  /// Passes the result on. If it failed, it is an error of that code.
  template <typename T> Result<T> during(Exit stage, Result<T> result) {
    if (!result)
      failureCode = stage;
    return result;
  }

  bool isOfOtherDevice(const Trace::Launch &launch) const {
    return columns.device && launch.fields[*columns.device] != device;
  }

  Status readColumns(const Trace &trace) {
    std::vector<char> isKnown(trace.columns.size());
    const auto find = [&](const std::string &name) {
      const auto column = trace.columnOf(name);
      if (column)
        isKnown[*column] = true;
      return column;
    };
    for (const SymbolTable::Symbol &symbol : table.symbols())
      columns.symbols.push_back(find(symbol.name));
    for (const std::string &name : table.inputNames())
      columns.inputs.push_back(find(name));
    columns.device = find("device");
    for (size_t s = 0; s < columns.symbols.size(); ++s) {
      const auto &source = table.symbols()[s].source;
      if (!columns.symbols[s] && !(source && columns.inputs[source->input]))
        return fail(
            "{}: no column tells the size {}; add a column {}{}",
            inQuotes(options.shapesFrom), table.subject(s),
            inQuotes(table.symbols()[s].name),
            source ? fmt::format(", or one with the types of input {}",
                                 inQuotes(table.inputNames()[source->input]))
                   : std::string());
    }
    for (size_t c = 0; c < isKnown.size(); ++c)
      if (!isKnown[c])
        columns.ignored.push_back(trace.columns[c]);
    return {};
  }

  /// `wrong` says what another model would be needed for.
  Result<shapes::Sizes> sizesOf(const Trace &trace, const Trace::Launch &launch,
                                Miss &wrong) const {
    shapes::Sizes known(table.symbols().size(), -1);
    for (size_t s = 0; s < known.size(); ++s)
      if (columns.symbols[s])
        known[s] = GAUDI_TRY(trace.sizeAt(launch, *columns.symbols[s]));
    const auto tensors = recipe::items(table.dispatch().inputs());
    std::vector<std::optional<SymbolTable::Shape>> inputs(tensors.size());
    bool any = false;
    for (uint32_t i = 0; i < tensors.size(); ++i) {
      if (!columns.inputs[i])
        continue;
      any = true;
      const size_t column = *columns.inputs[i];
      auto [element, shape] = GAUDI_TRY(parseFieldType(
          launch.fields[column], launch.line, trace.columns[column]));
      if (element != recipe::elementName(tensors[i]->type()))
        wrong = {0,
                 true,
                 fmt::format("the element type of input {} is {}, the model "
                             "takes {}",
                             inQuotes(trace.columns[column]), element,
                             recipe::elementName(tensors[i]->type())),
                 "",
                 "a conversion before the launch",
                 {}};
      inputs[i] = std::move(shape);
    }
    if (!any || !wrong.reason.empty())
      return known;
    auto sizes = table.sizesOf(inputs, known);
    if (!sizes)
      wrong = {0,
               true,
               sizes.error().message,
               "",
               "shapes that agree with the model",
               {}};
    return sizes ? std::move(*sizes) : known;
  }

  Status take(const Trace::Launch &launch, const shapes::Sizes &sizes) {
    auto miss = missOf(table, buckets, sizes);
    if (miss && (miss->isRefused || !mayCompile)) {
      refuse(launch, sizes[miss->symbol], std::move(*miss));
      return {};
    }
    if (miss)
      GAUDI_TRY(compile(launch.line, std::move(*miss)));
    const size_t bucket = *buckets.choose(sizes);
    const double real = shapes::volumeOf(sizes),
                 padded = shapes::volumeOf(buckets[bucket]);
    hits[bucket].add(launch.count, real, padded);
    all.add(launch.count, real, padded);
    if (hits[bucket].picoseconds >= 0)
      time += double(launch.count) * double(hits[bucket].picoseconds);
    else
      untimed += launch.count;
    if (!launcher)
      return {};
    const size_t own = table.buckets().size();
    return during(Exit::RunError,
                  launcher->launch(buckets.names(), sizes,
                                   bucket < own ? 0 : bucket - own + 1,
                                   launch.count));
  }

  Status compile(uint64_t line, Miss miss) {
    TraceLauncher::Compiled made;
    if (launcher)
      made = GAUDI_TRY(during(Exit::CompileError,
                              launcher->compile(buckets.names(), miss.box)));
    std::vector<shapes::Sizes> boxes = buckets.boxes();
    boxes.push_back(miss.box);
    std::vector<double> costs = costsWith(miss.box);
    if (made.picoseconds >= 0)
      costs.back() = double(made.picoseconds);
    buckets = GAUDI_TRY(shapes::Buckets::create(
        buckets.names(), std::move(boxes), std::move(costs)));
    hits.emplace_back();
    hits.back().compiledAt = line;
    hits.back().picoseconds = made.picoseconds;
    compilations.push_back(
        {line, buckets.size() - 1, std::move(miss), made.milliseconds});
    return {};
  }

  /// What a launch takes in each bucket. Nobody has predicted the new one: it
  /// takes as long as the slowest of the others, of which those that are larger
  /// count by their share of its volume.
  std::vector<double> costsWith(const shapes::Sizes &box) const {
    std::vector<double> costs;
    double cost = 0;
    const double volume = shapes::volumeOf(box);
    for (size_t b = 0; b < buckets.size(); ++b) {
      costs.push_back(buckets.cost(b));
      const double other = std::max(shapes::volumeOf(buckets[b]), 1.0);
      cost = std::max(cost, buckets.cost(b) * std::min(volume / other, 1.0));
    }
    costs.push_back(cost);
    return costs;
  }

  void refuse(const Trace::Launch &launch, int64_t size, Miss miss) {
    const auto key =
        std::tuple(miss.box, miss.symbol,
                   miss.error.empty() ? miss.reason : std::string());
    const auto [it, isNew] = refusalOf.try_emplace(key, refusals.size());
    if (isNew)
      refusals.push_back({0, launch.line, std::move(miss), size, size, size});
    Refusal &refusal = refusals[it->second];
    refusal.launches += launch.count;
    refusal.low = std::min(refusal.low, size);
    refusal.high = std::max(refusal.high, size);
    refusal.step = std::gcd(refusal.step, size);
  }

  uint64_t refused() const {
    uint64_t count = 0;
    for (const Refusal &refusal : refusals)
      count += refusal.launches;
    return count;
  }

  std::string avoidedBy(const Refusal &refusal) const {
    if (!refusal.miss.isRefused || refusal.miss.error.empty())
      return refusal.miss.avoidedBy;
    return "bounds that hold them: " + widerBounds(table, refusal.miss.symbol,
                                                   refusal.low, refusal.high,
                                                   refusal.step);
  }

  /// What would have avoided all compilations; empty: there is none.
  std::string avoidAll() const {
    if (compilations.empty())
      return "";
    std::string text = bucketsOption(buckets, compilations.size());
    if (std::all_of(columns.symbols.begin(), columns.symbols.end(),
                    [](const auto &column) { return column.has_value(); }))
      text += fmt::format(", or --buckets=optimal:{} --bucket-histogram={}",
                          buckets.size(), printable(options.shapesFrom));
    return text;
  }

  /// Compilations by the symbol to blame, the most first.
  std::vector<std::pair<size_t, size_t>> causes() const {
    std::vector<std::pair<size_t, size_t>> counts; // number, symbol
    for (size_t s = 0; s < table.symbols().size(); ++s)
      counts.push_back(
          {size_t(std::count_if(
               compilations.begin(), compilations.end(),
               [&](const Compilation &each) { return each.miss.symbol == s; })),
           s});
    std::sort(counts.begin(), counts.end(), [](auto a, auto b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    while (!counts.empty() && counts.back().first == 0)
      counts.pop_back();
    return counts;
  }

  void printVariants() const;
  void printCompilations() const;

  SymbolTable table;
  std::string device;
  const Options &options;
  TraceLauncher *launcher;
  Exit &failureCode;
  bool mayCompile;
  Columns columns;
  shapes::Buckets buckets; ///< with those that launches have compiled
  std::vector<Hits> hits;  ///< per bucket
  Hits all;
  uint64_t launches = 0, untimed = 0;
  double time = 0;                           ///< in picoseconds
  std::optional<double> variantMilliseconds; ///< to compile one
  std::vector<Compilation> compilations;
  std::vector<Refusal> refusals;
  std::map<std::tuple<shapes::Sizes, size_t, std::string>, size_t> refusalOf;
  std::map<std::string, std::vector<uint64_t>> others; ///< lines, by device
};

void Replay::printVariants() const {
  size_t unused = 0;
  for (size_t b = 0; b < hits.size(); ++b) {
    if (!hits[b].launches) {
      ++unused;
      continue;
    }
    fmt::print(std::cout, "  {}: {}, {} % padding, {}\n",
               namedSizes(buckets.names(), buckets[b]),
               countOf(hits[b].launches, "launch", "launches"),
               shapes::paddingPercent(hits[b].padded, hits[b].real),
               hits[b].compiledAt
                   ? fmt::format("compiled at line {}", hits[b].compiledAt)
               : hits[b].picoseconds < 0 ? "not predicted"
                                         : timing::timeText(timing::Picoseconds(
                                               hits[b].picoseconds)) +
                                               " each");
  }
  if (unused)
    fmt::print(std::cout, "  {} of {} never used\n", unused,
               countOf(hits.size(), "variant"));
}

void Replay::printCompilations() const {
  std::string cost;
  double spent = 0;
  for (const Compilation &each : compilations)
    spent += each.milliseconds;
  if (spent)
    cost = fmt::format(", {} of the host", timeText(spent));
  else if (variantMilliseconds && !compilations.empty())
    cost = fmt::format(
        ", about {} if each takes as long as a variant did now",
        timeText(*variantMilliseconds * double(compilations.size())));
  fmt::print(std::cout, "compiles: {}{}\n", compilations.size() + others.size(),
             cost);
  for (auto [count, symbol] : causes())
    fmt::print(std::cout, "  {} of {} because of {}\n", count,
               compilations.size() + others.size(), table.subject(symbol));
  for (size_t i = 0; i < std::min(compilations.size(), mostLines); ++i) {
    const Compilation &each = compilations[i];
    fmt::print(std::cout, "  line {}: {}; compiled {}{}, which takes {}\n",
               each.line, each.miss.reason,
               namedSizes(buckets.names(), each.miss.box),
               each.milliseconds ? " in " + timeText(each.milliseconds) : "",
               countOf(hits[each.bucket].launches, "launch", "launches"));
  }
  if (compilations.size() > mostLines)
    fmt::print(std::cout, "  ... and {} more\n",
               compilations.size() - mostLines);
  if (!compilations.empty())
    fmt::print(std::cout, "  avoided by: {}\n", avoidAll());
  for (const auto &[name, lines] : others)
    fmt::print(std::cout,
               "  line {}: the device is {}, the recipe is for {}; avoided by "
               "nothing: each device has recipes of its own\n",
               lines.front(), printable(name), device);
}

void Replay::printText() const {
  fmt::print(std::cout,
             "{} of {}: {}, {} % padding, {} of predicted device time{}\n",
             launcher ? "launches" : "shapes", inQuotes(options.shapesFrom),
             countOf(launches, "launch", "launches"),
             shapes::paddingPercent(all.padded, all.real),
             timing::timeText(timing::Picoseconds(time)),
             untimed ? fmt::format(" without {} that nobody has predicted",
                                   countOf(untimed, "launch", "launches"))
                     : std::string());
  printVariants();
  fmt::print(std::cout, "misses: {}\n", refused());
  for (const Refusal &refusal : refusals) {
    fmt::print(std::cout, "  {} ({}line {}): {}\n",
               countOf(refusal.launches, "launch", "launches"),
               refusal.launches > 1 ? "from " : "", refusal.line,
               refusal.miss.error.empty() ? refusal.miss.reason
                                          : refusal.miss.error);
    fmt::print(std::cout, "    avoided by: {}\n", avoidedBy(refusal));
  }
  if (mayCompile || !others.empty())
    printCompilations();
  if (!columns.ignored.empty())
    fmt::print(std::cout,
               "note: the model has no size or input of the name {}\n",
               printable(fmt::format("{}", fmt::join(columns.ignored, ", "))));
}

void Replay::printJson() const {
  Json json = {{"trace", options.shapesFrom},
               {"launches", launches},
               {"padding_percent", all.padding()},
               {"device_us", time / 1e6},
               {"misses", refused()},
               {"variants", Json::array()},
               {"reasons", Json::array()},
               {"compiles", Json::array()}};
  for (size_t b = 0; b < hits.size(); ++b) {
    Json variant = {{"sizes", buckets[b]},
                    {"launches", hits[b].launches},
                    {"padding_percent", hits[b].padding()}};
    if (hits[b].picoseconds >= 0)
      variant["device_us"] = double(hits[b].picoseconds) / 1e6;
    if (hits[b].compiledAt)
      variant["compiled_at_line"] = hits[b].compiledAt;
    json["variants"].push_back(std::move(variant));
  }
  for (const Refusal &refusal : refusals)
    json["reasons"].push_back(
        {{"launches", refusal.launches},
         {"line", refusal.line},
         {"reason", refusal.miss.error.empty() ? refusal.miss.reason
                                               : refusal.miss.error},
         {"nearest", refusal.miss.box},
         {"avoided_by", avoidedBy(refusal)}});
  for (const Compilation &each : compilations) {
    Json compilation = {{"line", each.line},
                        {"cause", "dimension"},
                        {"subject", table.subject(each.miss.symbol)},
                        {"reason", each.miss.reason},
                        {"variant", each.miss.box},
                        {"launches", hits[each.bucket].launches},
                        {"avoided_by", each.miss.avoidedBy}};
    if (launcher)
      compilation["host_ms"] = each.milliseconds;
    json["compiles"].push_back(std::move(compilation));
  }
  for (const auto &[name, lines] : others)
    json["compiles"].push_back(
        {{"line", lines.front()},
         {"cause", "device"},
         {"subject", "the device"},
         {"reason",
          fmt::format("the device is {}, the recipe is for {}", name, device)},
         {"avoided_by", "nothing: each device has recipes of its own"}});
  if (!compilations.empty())
    json["avoided_by"] = avoidAll();
  if (variantMilliseconds && !launcher)
    json["predicted_compile_host_ms"] =
        *variantMilliseconds * double(compilations.size());
  printJsonObject("replay", json);
}

} // namespace

Status replayShapes(std::shared_ptr<const recipe::RecipeFile> file,
                    uint32_t entry, const Options &options,
                    std::optional<double> compileMilliseconds,
                    Progress &progress, Exit &failureCode) {
  const recipe::Recipe &recipe = file->recipe();
  const recipe::Entry &called = *recipe::items(recipe.entries())[entry];
  if (!called.dispatch())
    return replaySignatures(recipeSignature(*file, entry), options);
  const Trace trace = GAUDI_TRY(shapes::readTrace(options.shapesFrom));
  TraceLauncher launcher(file, std::string(recipe::text(called.name())),
                         options, progress);
  Replay replay(GAUDI_TRY(SymbolTable::of(*called.dispatch())),
                std::string(recipe::text(recipe.target())), options,
                compileMilliseconds,
                options.launchesTrace() ? &launcher : nullptr, failureCode);
  GAUDI_TRY(replay.run(trace));
  progress.step("");
  if (options.report == ReportForm::Json)
    replay.printJson();
  else
    replay.printText();
  return {};
}

} // namespace gaudi::run
