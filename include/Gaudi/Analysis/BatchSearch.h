// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The largest batch of a model whose plan fits.
#ifndef GAUDI_ANALYSIS_BATCHSEARCH_H
#define GAUDI_ANALYSIS_BATCHSEARCH_H

#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace gaudi::analysis {

/// Sizes that were planned, with the bytes that they need.
struct BatchPlan {
  struct Input {
    std::string name, type; ///< "64x128xf32", as the model has it
  };
  std::vector<Input> inputs; ///< that grow with the batch
  int64_t size = 0;          ///< of the model
  int64_t step = 1;          ///< sizes are multiples of it
  std::map<int64_t, uint64_t> planned;
  /// Of a sweep: microseconds that a launch would take, by size.
  std::map<int64_t, double> times;
  std::optional<int64_t> largest; ///< that fits; none: not even one step
  /// Why the next size does not compile; empty: it does not fit.
  std::string refusal;

  /// Of the sizes that fit and have a time: the one with the least time for
  /// each sample; none: no time is known.
  std::optional<int64_t> fastest(uint64_t limit) const;
};

/// Which sizes are planned.
enum class BatchSizes {
  Largest, ///< as few as lead to the largest that fits
  Sweep    ///< 1, 2, 4, ... times the step as well, and that of the model
};

/// Plans sizes until the largest that fits into `limit` bytes and the next one
/// are known; `batch` says what there is to choose. Needs grow about linearly,
/// so that a line through two of them leads to a few plans. `plan` gives the
/// bytes of a size, or why it has none; an error if that is the first one (of a
/// sweep: if no size has any).
Status searchBatch(BatchPlan &batch, uint64_t limit,
                   const std::function<Result<uint64_t>(int64_t)> &plan,
                   BatchSizes sizes = BatchSizes::Largest);

nlohmann::ordered_json toJson(const BatchPlan &batch, uint64_t limit);

} // namespace gaudi::analysis

#endif // GAUDI_ANALYSIS_BATCHSEARCH_H
