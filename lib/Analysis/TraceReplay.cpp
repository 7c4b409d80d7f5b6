// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hits, compilations and refusals of a trace of launches.
#include "Gaudi/Analysis/TraceReplay.h"
#include "Gaudi/Analysis/Misses.h"
#include "Gaudi/Analysis/SignatureReplay.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Shapes/Planner.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <tuple>

namespace gaudi::analysis {
namespace {

using shapes::Trace;

class TraceReplayer {
public:
  TraceReplayer(SymbolTable table, const Trace &trace,
                const ReplayOptions &options)
      : table(std::move(table)), trace(trace), options(options),
        buckets(this->table.buckets()) {}

  Result<TraceReport> run(std::string_view device);

private:
  /// What a trace tells of each symbol and input, by column.
  struct Columns {
    std::vector<std::optional<size_t>> symbols, inputs;
    std::optional<size_t> device;
  };
  /// Launches that are refused for one reason, and the sizes of its symbol.
  struct Refused {
    Miss miss;
    int64_t low = 0, high = 0, step = 0;
  };

  bool isOfOtherDevice(const Trace::Launch &launch) const {
    return columns.device && launch.fields[*columns.device] != report.device;
  }

  Status readColumns();

  /// `wrong` says what another model would be needed for.
  Result<shapes::Sizes> sizesOf(const Trace::Launch &launch, Miss &wrong) const;

  Status take(const Trace::Launch &launch, const shapes::Sizes &sizes);

  Status compile(uint64_t line, const Miss &miss);

  /// Time of a launch in each bucket. Nobody has predicted the new one: it
  /// takes as long as the slowest of the others, of which those that are larger
  /// count by their share of its volume.
  std::vector<double> costsWith(const shapes::Sizes &box) const;

  void refuse(const Trace::Launch &launch, int64_t size, Miss miss);

  std::string avoidedBy(const Refused &refused) const;

  /// What would have avoided all compilations; empty: there is none.
  std::string avoidAll() const;

  /// The columns of the trace may be the histogram of --bucket-histogram.
  bool isHistogram() const {
    return std::all_of(columns.symbols.begin(), columns.symbols.end(),
                       [](const auto &column) { return column.has_value(); });
  }

  /// Buckets with less padding, where there is much; empty: none are known.
  std::string lessPadding() const;

  /// Compilations by the symbol to blame.
  std::vector<TraceReport::Cause> causes() const;

  const SymbolTable table;
  const Trace &trace;
  const ReplayOptions &options;
  TraceReport report;
  Columns columns;
  shapes::Buckets buckets;      // with those that launches have compiled
  shapes::Histogram taken;      // launches that a bucket took
  std::vector<size_t> blamed;   // symbols, by compilation
  std::vector<Refused> details; // by refusal
  std::map<std::tuple<shapes::Sizes, size_t, std::string>, size_t> refusalOf;
  std::map<std::string, uint64_t> others; // the first line, by device
};

Result<TraceReport> TraceReplayer::run(std::string_view device) {
  report.trace = options.trace;
  report.device = device;
  report.isLaunched = options.launcher != nullptr;
  report.mayCompile = options.mayCompile;
  if (options.compileMilliseconds)
    report.variantMilliseconds =
        *options.compileMilliseconds / double(buckets.size());
  for (const recipe::Variant *variant :
       recipe::items(table.dispatch().variants())) {
    report.hits.emplace_back();
    report.hits.back().picoseconds = variant->picoseconds();
  }
  GAUDI_TRY(readColumns());
  if (options.launcher) // mistakes are found before the first launch
    for (const Trace::Launch &launch : trace.launches) {
      Miss wrong;
      if (!isOfOtherDevice(launch))
        GAUDI_TRY(ofTrace(options.trace, sizesOf(launch, wrong)));
    }
  for (const Trace::Launch &launch : trace.launches) {
    report.launches += launch.count;
    if (isOfOtherDevice(launch)) {
      others.try_emplace(launch.fields[*columns.device], launch.line);
      continue;
    }
    Miss wrong;
    const shapes::Sizes sizes =
        GAUDI_TRY(ofTrace(options.trace, sizesOf(launch, wrong)));
    if (!wrong.reason.empty())
      refuse(launch, 0, std::move(wrong));
    else
      GAUDI_TRY(take(launch, sizes));
  }
  for (size_t r = 0; r < details.size(); ++r) {
    const Miss &miss = details[r].miss;
    report.refusals[r].reason = miss.error.empty() ? miss.reason : miss.error;
    report.refusals[r].avoidedBy = avoidedBy(details[r]);
    report.refusals[r].box = miss.box;
  }
  for (const auto &[name, line] : others)
    report.others.push_back({name, line});
  report.symbols = buckets.names();
  report.buckets = buckets.boxes();
  report.causes = causes();
  report.avoidedBy = avoidAll();
  report.lessPadding = lessPadding();
  return std::move(report);
}

Status TraceReplayer::readColumns() {
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
      return fail("{}: no column tells the size {}; add a column {}{}",
                  inQuotes(options.trace), table.subject(s),
                  inQuotes(table.symbols()[s].name),
                  source
                      ? fmt::format(", or one with the types of input {}",
                                    inQuotes(table.inputNames()[source->input]))
                      : std::string());
  }
  for (size_t c = 0; c < isKnown.size(); ++c)
    if (!isKnown[c])
      report.ignored.push_back(trace.columns[c]);
  return {};
}

Result<shapes::Sizes> TraceReplayer::sizesOf(const Trace::Launch &launch,
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
    wrong = {
        0, true, sizes.error().message, "", "shapes that agree with the model",
        {}};
  return sizes ? std::move(*sizes) : known;
}

Status TraceReplayer::take(const Trace::Launch &launch,
                           const shapes::Sizes &sizes) {
  auto miss = missOf(table, buckets, sizes);
  if (miss && (miss->isRefused || !options.mayCompile)) {
    refuse(launch, sizes[miss->symbol], std::move(*miss));
    return {};
  }
  if (miss)
    GAUDI_TRY(compile(launch.line, *miss));
  const size_t bucket = *buckets.choose(sizes);
  const double real = shapes::volumeOf(sizes),
               padded = shapes::volumeOf(buckets[bucket]);
  TraceReport::Hits &hits = report.hits[bucket];
  hits.add(launch.count, real, padded);
  report.all.add(launch.count, real, padded);
  taken.observations.push_back({sizes, launch.count});
  if (hits.picoseconds >= 0)
    report.picoseconds += double(launch.count) * double(hits.picoseconds);
  else
    report.untimed += launch.count;
  if (!options.launcher)
    return {};
  const size_t own = table.buckets().size();
  return options.launcher->launch(buckets.names(), sizes,
                                  bucket < own ? 0 : bucket - own + 1,
                                  launch.count);
}

Status TraceReplayer::compile(uint64_t line, const Miss &miss) {
  TraceLauncher::Compiled made;
  if (options.launcher)
    made = GAUDI_TRY(options.launcher->compile(buckets.names(), miss.box));
  std::vector<shapes::Sizes> boxes = buckets.boxes();
  boxes.push_back(miss.box);
  std::vector<double> costs = costsWith(miss.box);
  if (made.picoseconds >= 0)
    costs.back() = double(made.picoseconds);
  buckets = GAUDI_TRY(shapes::Buckets::create(buckets.names(), std::move(boxes),
                                              std::move(costs)));
  report.hits.emplace_back();
  report.hits.back().compiledAt = line;
  report.hits.back().picoseconds = made.picoseconds;
  report.compilations.push_back({line, buckets.size() - 1,
                                 table.subject(miss.symbol), miss.reason,
                                 miss.avoidedBy, made.milliseconds});
  blamed.push_back(miss.symbol);
  return {};
}

std::vector<double> TraceReplayer::costsWith(const shapes::Sizes &box) const {
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

void TraceReplayer::refuse(const Trace::Launch &launch, int64_t size,
                           Miss miss) {
  const auto key = std::tuple(miss.box, miss.symbol,
                              miss.error.empty() ? miss.reason : std::string());
  const auto [it, isNew] = refusalOf.try_emplace(key, details.size());
  if (isNew) {
    details.push_back({std::move(miss), size, size, size});
    report.refusals.emplace_back();
    report.refusals.back().line = launch.line;
  }
  report.refusals[it->second].launches += launch.count;
  Refused &refused = details[it->second];
  refused.low = std::min(refused.low, size);
  refused.high = std::max(refused.high, size);
  refused.step = std::gcd(refused.step, size);
}

std::string TraceReplayer::avoidedBy(const Refused &refused) const {
  if (!refused.miss.isRefused || refused.miss.error.empty())
    return refused.miss.avoidedBy;
  return "bounds that hold them: " + widerBounds(table, refused.miss.symbol,
                                                 refused.low, refused.high,
                                                 refused.step);
}

std::string TraceReplayer::avoidAll() const {
  const size_t count = report.compilations.size();
  if (!count)
    return "";
  std::string text = bucketsOption(buckets, count);
  if (isHistogram())
    text += fmt::format(", or --buckets=optimal:{} --bucket-histogram={}",
                        buckets.size(), printable(options.trace));
  return text;
}

std::string TraceReplayer::lessPadding() const {
  constexpr double muchPercent = 25, lessShare = 0.75;
  if (report.all.padding() < muchPercent || !isHistogram())
    return "";
  shapes::PlanRequest request;
  for (const SymbolTable::Symbol &symbol : table.symbols())
    request.axes.push_back(
        {symbol.name, symbol.min, symbol.max, symbol.multiple});
  shapes::Strategy optimal;
  optimal.maxBuckets = buckets.size();
  request.choice.parts.push_back({"", optimal});
  shapes::Histogram launches = taken.merged();
  launches.names = buckets.names();
  request.histogram = &launches;
  request.rounds = 10;
  // Too many sizes for the search are no mistake of the trace.
  const auto plan = shapes::planBuckets(request);
  const double percent = plan ? 100 * plan->waste() : 0;
  if (!plan || percent > lessShare * report.all.padding())
    return "";
  return fmt::format("--buckets=optimal:{} --bucket-histogram={}, which leaves "
                     "{} %",
                     buckets.size(), printable(options.trace),
                     shapes::paddingPercent(plan->padded, plan->real));
}

std::vector<TraceReport::Cause> TraceReplayer::causes() const {
  std::vector<std::pair<size_t, size_t>> counts; // number, symbol
  for (size_t s = 0; s < table.symbols().size(); ++s)
    if (const auto count = std::count(blamed.begin(), blamed.end(), s))
      counts.push_back({size_t(count), s});
  std::sort(counts.begin(), counts.end(), [](auto a, auto b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<TraceReport::Cause> causes;
  for (const auto &[count, symbol] : counts)
    causes.push_back({count, table.subject(symbol)});
  return causes;
}

} // namespace

uint64_t TraceReport::refused() const {
  uint64_t count = 0;
  for (const Refusal &refusal : refusals)
    count += refusal.launches;
  return count;
}

std::optional<double> TraceReport::predictedMilliseconds() const {
  if (!variantMilliseconds)
    return std::nullopt;
  return *variantMilliseconds * double(compilations.size());
}

Result<TraceReport> replayTrace(const recipe::Dispatch &dispatch,
                                std::string_view device, const Trace &trace,
                                const ReplayOptions &options) {
  return TraceReplayer(GAUDI_TRY(SymbolTable::of(dispatch)), trace, options)
      .run(device);
}

nlohmann::ordered_json toJson(const TraceReport &report) {
  using Json = nlohmann::ordered_json;
  Json json = {{"trace", report.trace},
               {"launches", report.launches},
               {"padding_percent", report.all.padding()},
               {"device_us", report.picoseconds / 1e6},
               {"misses", report.refused()},
               {"variants", Json::array()},
               {"reasons", Json::array()},
               {"compiles", Json::array()}};
  for (size_t b = 0; b < report.hits.size(); ++b) {
    const TraceReport::Hits &hits = report.hits[b];
    Json variant = {{"sizes", report.buckets[b]},
                    {"launches", hits.launches},
                    {"padding_percent", hits.padding()}};
    if (hits.picoseconds >= 0)
      variant["device_us"] = double(hits.picoseconds) / 1e6;
    if (hits.compiledAt)
      variant["compiled_at_line"] = hits.compiledAt;
    json["variants"].push_back(std::move(variant));
  }
  for (const TraceReport::Refusal &refusal : report.refusals)
    json["reasons"].push_back({{"launches", refusal.launches},
                               {"line", refusal.line},
                               {"reason", refusal.reason},
                               {"nearest", refusal.box},
                               {"avoided_by", refusal.avoidedBy}});
  for (const TraceReport::Compilation &each : report.compilations) {
    Json compilation = {{"line", each.line},
                        {"cause", "dimension"},
                        {"subject", each.subject},
                        {"reason", each.reason},
                        {"variant", report.buckets[each.bucket]},
                        {"launches", report.hits[each.bucket].launches},
                        {"avoided_by", each.avoidedBy}};
    if (report.isLaunched)
      compilation["host_ms"] = each.milliseconds;
    json["compiles"].push_back(std::move(compilation));
  }
  for (const TraceReport::OtherDevice &other : report.others)
    json["compiles"].push_back(
        {{"line", other.line},
         {"cause", "device"},
         {"subject", "the device"},
         {"reason", fmt::format("the device is {}, the recipe is for {}",
                                other.name, report.device)},
         {"avoided_by", "nothing: each device has recipes of its own"}});
  if (!report.compilations.empty())
    json["avoided_by"] = report.avoidedBy;
  if (!report.lessPadding.empty())
    json["padding_avoided_by"] = report.lessPadding;
  if (report.variantMilliseconds && !report.isLaunched)
    json["predicted_compile_host_ms"] = *report.predictedMilliseconds();
  return json;
}

} // namespace gaudi::analysis
