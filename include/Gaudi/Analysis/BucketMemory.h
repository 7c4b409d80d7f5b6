// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the variants of a dispatching entry need of the card, and which fit.
#ifndef GAUDI_ANALYSIS_BUCKETMEMORY_H
#define GAUDI_ANALYSIS_BUCKETMEMORY_H

#include "Gaudi/Recipe/Recipe_generated.h"
#include "Gaudi/Shapes/Drops.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace gaudi::analysis {

/// Seconds that the compilation of variants took (GaudiCompileTimes).
struct CompileTimes {
  double plan = 0, structure = 0, derivation = 0, emission = 0;
  std::vector<double> variants; ///< of one thread each
  bool areDerived = false;
  uint32_t threads = 1;
};

/// How long the host takes to compile a set of buckets: a linear model of what
/// one compilation of all of them has measured. Seconds.
struct CompileModel {
  double plan = 0, structure = 0; ///< once, however many there are
  std::vector<double> own;        ///< of each bucket, on all threads
  uint32_t threads = 1;
  bool areDerived = false;

  double shared() const { return plan + structure; }
  double of(const std::vector<uint32_t> &set) const;
};

/// The model that these times give for the buckets.
CompileModel compileModel(const CompileTimes &times);

struct BucketNeeds {
  shapes::Sizes sizes;
  std::vector<uint64_t> tensors; ///< bytes of each input, then of each output
  uint64_t workspace = 0;
  uint64_t recipe = 0;  ///< metadata that only it has; bytes of the host
  uint64_t program = 0; ///< of kernels that no bucket before it has
  uint32_t kernels = 0; ///< that its commands launch, whoever else does
  uint32_t commands = 0;
  int64_t picoseconds = -1; ///< predicted; -1: unknown
  uint64_t launches = 0;    ///< of the histogram that choose it
};

/// Buckets share constants, the bytes of inputs and outputs, the workspace, and
/// kernels that are equal: a set needs the most of each.
struct BucketSet {
  std::string entry;
  std::vector<std::string> symbols;
  std::vector<BucketNeeds> buckets; ///< as the recipe has them
  uint64_t constants = 0;
  uint64_t program = 0;  ///< of all kernels
  uint32_t kernels = 0;  ///< distinct ones
  uint64_t missed = 0;   ///< launches of the histogram that no bucket takes
  uint64_t refused = 0;  ///< of these, those of sizes out of bounds
  uint64_t observed = 0; ///< launches of the histogram; 0: there is none
  std::optional<CompileModel> compile; ///< none of a recipe
  /// With a histogram: what to do without first, and what that costs.
  std::vector<shapes::Drop> drops;

  /// Bytes of device memory for the buckets of these numbers.
  uint64_t needed(const std::vector<uint32_t> &set) const;
  uint64_t needed() const;
  std::vector<uint32_t> all() const;
  /// The numbers of the most buckets that fit, in ascending order: those that
  /// need the most are dropped first.
  std::vector<uint32_t> largestFit(uint64_t limit) const;
};

/// The buckets of an entry with a dispatch. Errors: the histogram lacks a
/// symbol.
Result<BucketSet> bucketSetOf(const recipe::Recipe &recipe, uint32_t entry,
                              const shapes::Histogram *histogram);

/// What they need, and which fit into `limit`.
nlohmann::ordered_json toJson(const BucketSet &set, uint64_t limit);

} // namespace gaudi::analysis

#endif // GAUDI_ANALYSIS_BUCKETMEMORY_H
