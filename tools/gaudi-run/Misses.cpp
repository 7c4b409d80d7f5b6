// Explains sizes that no variant takes.
#include "Misses.h"
#include "Gaudi/Support/Quote.h"
#include "Sizes.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <numeric>
#include <tuple>

namespace gaudi::run {
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
                  table.boundsText(number));
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

} // namespace

std::string widerBounds(const SymbolTable &table, size_t symbol, int64_t low,
                        int64_t high, int64_t step) {
  const SymbolTable::Symbol &bounds = table.symbols()[symbol];
  const int64_t multiple = std::gcd(bounds.multiple, step);
  return fmt::format(
      "{}={}..{}{} in --shape or gaudi.dims", printable(bounds.name),
      std::min(bounds.min, low), std::max(bounds.max, high),
      multiple == 1 ? std::string() : fmt::format("/{}", multiple));
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

std::optional<Miss> missOf(const SymbolTable &table, const Buckets &buckets,
                           const Sizes &sizes) {
  if (const auto symbol = table.outOfBounds(sizes)) {
    Miss miss = refusal(table, *symbol, sizes[*symbol]);
    miss.box = buckets.nearest(sizes, table.limits());
    if (sizes[*symbol] > table.symbols()[*symbol].max)
      miss.error = buckets.whyNone(sizes, table.limits());
    else
      miss.error = fmt::format("{} {} is outside of what the model takes: {}",
                               printable(table.symbols()[*symbol].name),
                               sizes[*symbol], table.boundsText(*symbol));
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

} // namespace gaudi::run
