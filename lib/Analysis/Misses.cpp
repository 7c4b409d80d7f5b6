// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explains sizes that no variant takes.
#include "Gaudi/Analysis/Misses.h"
#include "Gaudi/Recipe/Views.h"
#include "Gaudi/Shapes/SharedSymbols.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <tuple>

namespace gaudi::analysis {
namespace {

using shapes::Buckets;
using shapes::Sizes;

/// Longer lists of buckets are not repeated.
constexpr size_t mostBuckets = 16;

Miss refusal(const SymbolTable &table, size_t number, int64_t size) {
  Miss miss;
  miss.symbol = number;
  miss.isRefused = true;
  miss.reason =
      fmt::format("{} is {}, the model takes {}", table.subject(number), size,
                  table.symbols()[number].boundsText());
  miss.avoidedBy =
      "bounds that hold it: " + widerBounds(table, number, size, size, size);
  return miss;
}

/// The largest size of a symbol among buckets that fit all other sizes.
std::optional<int64_t> largestBeside(const Buckets &buckets, const Sizes &sizes,
                                     size_t symbol) {
  std::optional<int64_t> largest;
  for (const Sizes &box : buckets.boxes()) {
    bool fits = true;
    for (size_t s = 0; s < box.size(); ++s)
      fits &= s == symbol || sizes[s] <= box[s];
    if (fits)
      largest = std::max(largest.value_or(0), box[symbol]);
  }
  return largest;
}

/// All sizes but that of `symbol`.
std::string othersText(const Buckets &buckets, Sizes sizes, size_t symbol) {
  std::vector<std::string> names = buckets.names();
  names.erase(names.begin() + ptrdiff_t(symbol));
  sizes.erase(sizes.begin() + ptrdiff_t(symbol));
  return namedSizes(names, sizes);
}

/// The symbol that is to blame, and the sentence.
std::pair<size_t, std::string>
blame(const SymbolTable &table, const Buckets &buckets, const Sizes &sizes) {
  std::vector<size_t> large;
  for (size_t s = 0; s < sizes.size(); ++s)
    if (sizes[s] > buckets.boundaries(s).back())
      large.push_back(s);
  if (!large.empty())
    return {large[0],
            fmt::format("{} is {}, the largest bucket has {}{}",
                        table.subject(large[0]), sizes[large[0]],
                        buckets.boundaries(large[0]).back(),
                        large.size() == 1
                            ? std::string()
                            : fmt::format("; {} exceeds its buckets, too",
                                          table.subject(large[1])))};
  // Each fits some bucket, but none fits all. The last symbol that alone is
  // too large for the others' buckets.
  for (size_t s = sizes.size(); s-- > 0;)
    if (const auto largest = largestBeside(buckets, sizes, s))
      return {s, fmt::format("{} is {}, the largest bucket for {} has {}",
                             table.subject(s), sizes[s],
                             othersText(buckets, sizes, s), *largest)};
  return {0, fmt::format("no bucket is as large as {} at the same time",
                         shapes::describeSizes(buckets.names(), sizes))};
}

shapes::Buckets withBox(const Buckets &buckets, const Sizes &box) {
  std::vector<Sizes> boxes = buckets.boxes();
  boxes.push_back(box);
  auto more = Buckets::create(buckets.names(), std::move(boxes));
  assert(more && "the box is none of them");
  return *more;
}

/// Bounds that hold `low` and `high`, too: "seq=16..5000/4".
std::string boundsEntry(const SymbolTable::Symbol &bounds, int64_t low,
                        int64_t high, int64_t step) {
  const int64_t multiple = std::gcd(bounds.multiple, step);
  return fmt::format("{}={}..{}{}", printable(bounds.name),
                     std::min(bounds.min, low), std::max(bounds.max, high),
                     multiple == 1 ? std::string()
                                   : fmt::format("/{}", multiple));
}

/// The dimensions of all inputs, the bounds where a symbol comes first.
shapes::GivenSymbols givenSymbols(const SymbolTable &table,
                                  const Sizes &sizes) {
  shapes::GivenSymbols given;
  given.names = table.buckets().names();
  std::vector<char> isBounded(given.names.size());
  for (const recipe::SizedTensor *input :
       recipe::items(table.dispatch().inputs())) {
    std::vector<std::string> &dimensions = given.dimensions.emplace_back();
    for (const recipe::Size *size : recipe::items(input->sizes())) {
      dimensions.push_back(recipe::sizeText(*size, given.names));
      for (size_t s = 0; s < sizes.size(); ++s)
        if (dimensions.back() == given.names[s] && !isBounded[s]) {
          dimensions.back() =
              boundsEntry(table.symbols()[s], sizes[s], sizes[s], sizes[s]);
          isBounded[s] = true;
        }
    }
  }
  return given;
}

} // namespace

std::string widerBounds(const SymbolTable &table, size_t symbol, int64_t low,
                        int64_t high, int64_t step) {
  return boundsEntry(table.symbols()[symbol], low, high, step) +
         " in --shape or gaudi.dims";
}

std::string bucketsOption(const Buckets &buckets, size_t added) {
  if (buckets.size() <= mostBuckets)
    return fmt::format("'--buckets={}'", buckets.text());
  const auto &boxes = buckets.boxes();
  const auto more = Buckets::create(
      buckets.names(), {boxes.end() - ptrdiff_t(added), boxes.end()});
  assert(more && "a part of valid buckets");
  return fmt::format("{} more in --buckets: {}", added, more->text());
}

std::string sharedRecipe(const SymbolTable &table, const shapes::Signature &was,
                         const shapes::Signature &is, const Sizes &sizes) {
  const Buckets &buckets = table.buckets();
  Sizes known = sizes, limits = table.limits();
  for (size_t s = 0; s < known.size(); ++s) {
    if (known[s] < 0)
      known[s] = limits[s];
    limits[s] = std::max(limits[s], known[s]);
  }
  const shapes::SharedSymbols added =
      shapes::symbolsFor({&is, &was}, givenSymbols(table, known));
  std::vector<std::string> names = buckets.names();
  names.insert(names.end(), added.names.begin(), added.names.end());
  // The buckets that there are, and one for the other sizes.
  std::vector<Sizes> boxes = buckets.boxes();
  const auto fitting = buckets.choose(known);
  boxes.push_back(fitting ? buckets[*fitting] : buckets.nearest(known, limits));
  for (const Sizes &each : added.sizes)
    for (size_t b = 0; b < boxes.size(); ++b)
      boxes[b].push_back(each[b + 1 < boxes.size()]);
  const auto all = Buckets::create(std::move(names), std::move(boxes));
  assert(all && "the new box has another size of a new symbol");
  return fmt::format("{} {}", fmt::join(added.options, " "),
                     bucketsOption(*all, 1));
}

std::optional<Miss> missOf(const SymbolTable &table, const Buckets &buckets,
                           const Sizes &sizes) {
  if (const auto symbol = table.outOfBounds(sizes)) {
    Miss miss = refusal(table, *symbol, sizes[*symbol]);
    miss.box = buckets.nearest(sizes, table.limits());
    if (sizes[*symbol] > table.symbols()[*symbol].max)
      miss.error = buckets.whyNone(sizes, table.limits());
    else
      miss.error =
          fmt::format("{} {} is outside what the model takes: {}",
                      printable(table.symbols()[*symbol].name), sizes[*symbol],
                      table.symbols()[*symbol].boundsText());
    return miss;
  }
  if (buckets.choose(sizes))
    return std::nullopt;
  Miss miss;
  miss.error = buckets.whyNone(sizes, table.limits());
  std::tie(miss.symbol, miss.reason) = blame(table, buckets, sizes);
  miss.box = buckets.nearest(sizes, table.limits());
  miss.avoidedBy = bucketsOption(withBox(buckets, miss.box), 1);
  return miss;
}

} // namespace gaudi::analysis
