// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How buckets are chosen, and the text that says so.
//
// One strategy for all symbols, whose budget is of buckets in all:
//   explicit:128,512,4096  these sizes ("explicit:" may be left out)
//   linear:8               at most 8 buckets, evenly spaced
//   exponential:8          at most 8, a constant factor apart
//   percent-padding:25     at most 25 % of a bucket is padding
//   optimal:8              at most 8, the least padding for a histogram
// or one per symbol, whose combinations are the buckets:
//   batch=exponential:4,sequence=explicit:128,4096
// or whole buckets:
//   batch,sequence=1x4096,8x128
// A semicolon separates symbols, too. `/STEP` after the number of linear,
// exponential and percent-padding makes sizes multiples of STEP:
// "exponential:8/128".
#ifndef GAUDI_SHAPES_STRATEGY_H
#define GAUDI_SHAPES_STRATEGY_H

#include "Gaudi/Shapes/Buckets.h"
#include "Gaudi/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gaudi::shapes {

struct Strategy {
  enum class Kind { Explicit, Linear, Exponential, PercentPadding, Optimal };
  Kind kind = Kind::Optimal;
  /// The budget of buckets; 0: none (explicit, percent-padding).
  size_t maxBuckets = 0;
  /// Sizes of a series are multiples of it, and the first is one step. None:
  /// 128, the block of serving frameworks, for symbols that reach 1,024, else
  /// 1; always rounded up to a multiple of the grain.
  std::optional<int64_t> step = std::nullopt;
  /// Of percent-padding, from 0 to 99; none: the least that meets the budget.
  std::optional<double> percent = std::nullopt;
  /// Of explicit.
  std::vector<int64_t> sizes = {};
};

/// What the text of a choice of buckets says.
struct BucketChoice {
  /// A strategy for one symbol, or, with an empty name, for all of them.
  struct Part {
    std::string symbol;
    Strategy strategy;
  };
  std::vector<Part> parts;
  /// Whole buckets, then without parts: the symbols, and sizes of each bucket.
  std::vector<std::string> names = {};
  std::vector<Sizes> boxes = {};
};

/// The largest budget of a strategy.
constexpr size_t maxBudget = 1024;

/// Reads a choice of buckets. Errors quote what is wrong and show right forms.
Result<BucketChoice> parseStrategy(std::string_view text);

/// "explicit", "linear", "exponential", "percent-padding", "optimal".
const char *nameOf(Strategy::Kind kind);
/// The kind of that name.
std::optional<Strategy::Kind> strategyNamed(std::string_view name);

} // namespace gaudi::shapes

#endif // GAUDI_SHAPES_STRATEGY_H
