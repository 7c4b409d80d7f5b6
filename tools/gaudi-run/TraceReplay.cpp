// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hits, compilations and refusals of a trace of launches.
#include "TraceReplay.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/Quote.h"
#include "Replay.h"
#include "Sizes.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace gaudi::run {

using shapes::Trace;

Replay::Replay(SymbolTable table, std::string device, const Options &options,
               std::optional<double> compileMilliseconds,
               TraceLauncher *launcher, Exit &failureCode)
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

Status Replay::run(const Trace &trace) {
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

bool Replay::isOfOtherDevice(const Trace::Launch &launch) const {
  return columns.device && launch.fields[*columns.device] != device;
}

Status Replay::readColumns(const Trace &trace) {
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
                  inQuotes(options.shapesFrom), table.subject(s),
                  inQuotes(table.symbols()[s].name),
                  source
                      ? fmt::format(", or one with the types of input {}",
                                    inQuotes(table.inputNames()[source->input]))
                      : std::string());
  }
  for (size_t c = 0; c < isKnown.size(); ++c)
    if (!isKnown[c])
      columns.ignored.push_back(trace.columns[c]);
  return {};
}

Result<shapes::Sizes> Replay::sizesOf(const Trace &trace,
                                      const Trace::Launch &launch,
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

Status Replay::take(const Trace::Launch &launch, const shapes::Sizes &sizes) {
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

Status Replay::compile(uint64_t line, Miss miss) {
  TraceLauncher::Compiled made;
  if (launcher)
    made = GAUDI_TRY(during(Exit::CompileError,
                            launcher->compile(buckets.names(), miss.box)));
  std::vector<shapes::Sizes> boxes = buckets.boxes();
  boxes.push_back(miss.box);
  std::vector<double> costs = costsWith(miss.box);
  if (made.picoseconds >= 0)
    costs.back() = double(made.picoseconds);
  buckets = GAUDI_TRY(shapes::Buckets::create(buckets.names(), std::move(boxes),
                                              std::move(costs)));
  hits.emplace_back();
  hits.back().compiledAt = line;
  hits.back().picoseconds = made.picoseconds;
  compilations.push_back(
      {line, buckets.size() - 1, std::move(miss), made.milliseconds});
  return {};
}

std::vector<double> Replay::costsWith(const shapes::Sizes &box) const {
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

void Replay::refuse(const Trace::Launch &launch, int64_t size, Miss miss) {
  const auto key = std::tuple(miss.box, miss.symbol,
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

uint64_t Replay::refused() const {
  uint64_t count = 0;
  for (const Refusal &refusal : refusals)
    count += refusal.launches;
  return count;
}

std::string Replay::avoidedBy(const Refusal &refusal) const {
  if (!refusal.miss.isRefused || refusal.miss.error.empty())
    return refusal.miss.avoidedBy;
  return "bounds that hold them: " + widerBounds(table, refusal.miss.symbol,
                                                 refusal.low, refusal.high,
                                                 refusal.step);
}

std::string Replay::avoidAll() const {
  if (compilations.empty())
    return "";
  std::string text = bucketsOption(buckets, compilations.size());
  if (std::all_of(columns.symbols.begin(), columns.symbols.end(),
                  [](const auto &column) { return column.has_value(); }))
    text += fmt::format(", or --buckets=optimal:{} --bucket-histogram={}",
                        buckets.size(), printable(options.shapesFrom));
  return text;
}

std::vector<std::pair<size_t, size_t>> Replay::causes() const {
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

} // namespace gaudi::run
