// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a prediction of one variant shows of all of them.
#include "Gaudi/Analysis/VariantBuckets.h"
#include "Gaudi/Analysis/SymbolTable.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Shapes/Histogram.h"

#include <filesystem>

namespace gaudi::analysis {

/// Adds launches, padding and misses.
static Status addLaunches(prediction::Buckets &buckets,
                          const recipe::Dispatch &dispatch,
                          const std::string &file) {
  const shapes::Histogram histogram = GAUDI_TRY(shapes::readHistogram(file));
  const SymbolTable table = GAUDI_TRY(SymbolTable::of(dispatch));
  const SymbolTable::Launches launches = GAUDI_TRY(table.launchesOf(histogram));
  buckets.histogram = std::filesystem::path(file).filename().string();
  buckets.launches = launches.observed;
  buckets.misses = launches.refused;
  for (const shapes::Observation &launch : launches.taken.observations) {
    const auto chosen = table.buckets().choose(launch.sizes);
    if (!chosen) {
      buckets.misses += launch.count;
      continue;
    }
    prediction::Buckets::Row &row = buckets.rows[*chosen];
    row.launches += launch.count;
    row.real += double(launch.count) * shapes::volumeOf(launch.sizes);
    row.padded += double(launch.count) * shapes::volumeOf(row.sizes);
  }
  return {};
}

Result<std::optional<prediction::Buckets>>
bucketsOfVariant(const recipe::Recipe &recipe, uint32_t number,
                 const std::string &histogram) {
  for (const recipe::Entry *entry : recipe::items(recipe.entries())) {
    const recipe::Dispatch *dispatch = entry->dispatch();
    if (!dispatch)
      continue;
    prediction::Buckets buckets;
    bool hasVariant = false;
    for (const recipe::Variant *variant : recipe::items(dispatch->variants())) {
      prediction::Buckets::Row row;
      row.sizes = recipe::copyOf(variant->sizes());
      row.picoseconds = variant->picoseconds();
      row.isPredicted = variant->entry() == number;
      hasVariant |= row.isPredicted;
      buckets.rows.push_back(std::move(row));
    }
    if (!hasVariant)
      continue;
    for (const recipe::Symbol *symbol : recipe::items(dispatch->symbols()))
      buckets.symbols.emplace_back(recipe::text(symbol->name()));
    if (!histogram.empty())
      GAUDI_TRY(addLaunches(buckets, *dispatch, histogram));
    return std::optional(std::move(buckets));
  }
  return std::optional<prediction::Buckets>();
}

} // namespace gaudi::analysis
