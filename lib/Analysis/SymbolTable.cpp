// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes, bounds and buckets of an entry with variants.
#include "Gaudi/Analysis/SymbolTable.h"
#include "Gaudi/Recipe/Variants.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Support/CheckedMath.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gaudi::analysis {

using recipe::items;

Result<SymbolTable> SymbolTable::of(const recipe::Dispatch &dispatch) {
  SymbolTable result(dispatch, GAUDI_TRY(recipe::bucketsOf(dispatch)));
  for (const recipe::Symbol *symbol : items(dispatch.symbols()))
    result.table.push_back({{std::string(recipe::text(symbol->name())),
                             symbol->min(), symbol->max(), symbol->multiple()},
                            std::nullopt});
  result.sources = recipe::symbolSources(dispatch);
  for (const recipe::SymbolSource &source : result.sources)
    result.table[source.symbol].source = source;
  return result;
}

std::vector<std::string> SymbolTable::inputNames() const {
  std::vector<std::string> names;
  for (const recipe::SizedTensor *input : items(given->inputs()))
    names.emplace_back(recipe::text(input->name()));
  return names;
}

Result<shapes::Sizes>
SymbolTable::sizesOf(const std::vector<std::optional<Shape>> &inputs,
                     shapes::Sizes known) const {
  const auto tensors = items(given->inputs());
  for (uint32_t i = 0; i < tensors.size(); ++i)
    if (inputs[i] && inputs[i]->size() != items(tensors[i]->sizes()).size())
      return fail("the rank of input {} is {}, the model has {}",
                  inQuotes(recipe::text(tensors[i]->name())), inputs[i]->size(),
                  items(tensors[i]->sizes()).size());
  // Expressions are verified for sizes in bounds only.
  const auto isOutside = [&] {
    for (size_t s = 0; s < known.size(); ++s)
      if (known[s] >= 0 && !table[s].holds(known[s]))
        return true;
    return false;
  };
  const auto withSmallest = [&] {
    for (size_t s = 0; s < known.size(); ++s)
      if (known[s] < 0)
        known[s] = table[s].smallest();
    return known;
  };
  if (isOutside())
    return withSmallest();
  for (const recipe::SymbolSource &source : sources) {
    const Symbol &symbol = table[source.symbol];
    if (known[source.symbol] >= 0 || !inputs[source.input])
      continue;
    const int64_t size = (*inputs[source.input])[source.dimension];
    shapes::Sizes scratch = known;
    const auto solved = recipe::solve(
        *items(tensors[source.input]->sizes())[source.dimension], source.symbol,
        {symbol.min, symbol.max}, size, scratch.data());
    if (!solved || *solved < 0)
      return fail("{} is {}, but no {} gives that", subject(source.symbol),
                  size, printable(symbol.name));
    known[source.symbol] = *solved;
    if (isOutside())
      return withSmallest();
  }
  if (std::count(known.begin(), known.end(), -1))
    return known;
  for (uint32_t i = 0; i < tensors.size(); ++i) {
    const auto sizes = items(tensors[i]->sizes());
    for (uint32_t d = 0; inputs[i] && d < sizes.size(); ++d)
      if (const int64_t expected = recipe::evaluate(*sizes[d], known.data());
          (*inputs[i])[d] != expected)
        return fail("dimension {} of input {} is {}, the model has {}", d,
                    inQuotes(recipe::text(tensors[i]->name())), (*inputs[i])[d],
                    expected);
  }
  return known;
}

std::optional<size_t>
SymbolTable::outOfBounds(const shapes::Sizes &sizes) const {
  for (size_t s = 0; s < table.size(); ++s)
    if (!table[s].holds(sizes[s]))
      return s;
  return std::nullopt;
}

Result<SymbolTable::Launches>
SymbolTable::launchesOf(const shapes::Histogram &given) const {
  const shapes::Histogram histogram =
      GAUDI_TRY(given.columnsOf(variants.names()));
  Launches launches;
  launches.observed = histogram.launches();
  launches.taken.names = histogram.names;
  for (const shapes::Observation &launch : histogram.observations)
    if (outOfBounds(launch.sizes))
      launches.refused =
          checkedAdd(launches.refused, launch.count).value_or(UINT64_MAX);
    else
      launches.taken.observations.push_back(launch);
  return launches;
}

std::string SymbolTable::subject(size_t symbol) const {
  std::string name = printable(table[symbol].name);
  const auto &source = table[symbol].source;
  if (!source)
    return name;
  return fmt::format(
      "dimension {} of input {} ({})", source->dimension,
      inQuotes(recipe::text(items(given->inputs())[source->input]->name())),
      name);
}

shapes::Sizes SymbolTable::limits() const {
  shapes::Sizes limits;
  for (const Symbol &symbol : table)
    limits.push_back(symbol.max);
  return limits;
}

Result<uint32_t> SymbolTable::entryFor(const shapes::Sizes &sizes) const {
  bool isGiven = false;
  for (size_t s = 0; s < sizes.size(); ++s) {
    isGiven |= sizes[s] >= 0;
    if (sizes[s] >= 0 && !table[s].holds(sizes[s]))
      return fail("{} {} is outside what the model takes: {}",
                  printable(table[s].name), sizes[s], table[s].boundsText());
  }
  std::optional<size_t> chosen;
  if (isGiven)
    chosen = variants.choose(sizes);
  for (size_t b = 0; b < variants.size() && !isGiven; ++b)
    if (!chosen || variants.cost(b) >= variants.cost(*chosen))
      chosen = b;
  if (!chosen)
    return fail("{} exceeds every variant",
                namedSizes(variants.names(), sizes));
  return items(given->variants())[uint32_t(*chosen)]->entry();
}

std::string namedSizes(const std::vector<std::string> &names,
                       const shapes::Sizes &sizes) {
  std::vector<std::string> texts;
  for (size_t s = 0; s < names.size(); ++s)
    texts.push_back(fmt::format("{} {}", names[s], sizes[s]));
  return fmt::format("{}", fmt::join(texts, ", "));
}

} // namespace gaudi::analysis
