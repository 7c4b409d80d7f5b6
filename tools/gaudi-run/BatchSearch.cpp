// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The largest batch of a model whose plan fits.
#include "BatchSearch.h"
#include "Compiler.h"
#include "Entry.h"
#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Support/Quote.h"
#include "Source.h"

#include <algorithm>
#include <cassert>

namespace gaudi::run {
namespace {

/// Bytes of all sections of a recipe.
uint64_t bytesNeeded(const recipe::RecipeFile &file) {
  uint64_t bytes = 0;
  for (const recipe::Section *section : recipe::items(file->sections()))
    bytes += section->size();
  return bytes;
}

/// The open interval between what fits and what does not, in steps.
class Interval {
public:
  Interval(BatchPlan &batch, uint64_t limit, int64_t most)
      : batch(batch), limit(limit),
        high(most ? most / batch.step + 1 : unbounded) {}

  bool isOpen() const { return high - low > 1; }

  void note(int64_t steps, std::optional<uint64_t> bytes) {
    assert(low < steps && steps < high && "inside");
    const int64_t before = high - low;
    if (bytes) {
      batch.planned[steps * batch.step] = *bytes;
      points[steps] = *bytes;
    }
    (bytes && *bytes <= limit ? low : high) = steps;
    isSlow = high - low > before / 2;
  }

  /// Where the line through the two points next to the limit reaches it; the
  /// middle after a guess that did not halve the interval.
  int64_t next() const {
    const int64_t first = std::max<int64_t>(batch.size / batch.step, 1);
    if (points.empty())
      return std::clamp(first, low + 1, high - 1);
    int64_t guess = high == unbounded ? low * 2 : low + (high - low) / 2;
    if (auto line = crossing(); line && !(isSlow && high != unbounded))
      guess = *line;
    return std::clamp(guess, low + 1, high - 1);
  }

  int64_t largest() const { return low; }

private:
  std::optional<int64_t> crossing() const {
    if (points.size() < 2)
      return std::nullopt;
    auto upper = points.upper_bound(low);
    if (upper == points.end())
      --upper;
    if (upper == points.begin())
      ++upper;
    const auto lower = std::prev(upper);
    if (upper->second <= lower->second)
      return std::nullopt;
    const double slope = double(upper->second - lower->second) /
                         double(upper->first - lower->first);
    const double at =
        double(lower->first) + (double(limit) - double(lower->second)) / slope;
    return int64_t(std::clamp(at, 1.0, double(unbounded)));
  }

  BatchPlan &batch;
  const uint64_t limit;
  static constexpr int64_t unbounded = int64_t(1) << 31;
  int64_t low = 0, high; // steps; 0 needs no plan
  std::map<int64_t, uint64_t> points;
  bool isSlow = false;
};

} // namespace

Status searchBatch(BatchPlan &batch, uint64_t limit, int64_t most,
                   const std::function<Result<uint64_t>(int64_t)> &plan) {
  Interval interval(batch, limit, most);
  bool isFirst = true;
  while (interval.isOpen()) {
    const int64_t steps = interval.next();
    auto bytes = plan(steps * batch.step);
    if (!bytes && isFirst)
      return fail(bytes.error().message);
    isFirst = false;
    if (!bytes)
      batch.refusal = bytes.error().message;
    else if (*bytes > limit)
      batch.refusal.clear();
    interval.note(steps, bytes ? std::optional(*bytes) : std::nullopt);
  }
  if (interval.largest() > 0)
    batch.largest = interval.largest() * batch.step;
  return {};
}

Result<BatchPlan> findLargestBatch(const Options &options, uint64_t limit,
                                   int64_t most, Progress &progress) {
  const FileBytes source = GAUDI_TRY(FileBytes::read(options.file));
  Options quiet = options;
  quiet.save.clear();
  quiet.remarks = RemarkLevel::None;
  quiet.checkNumerics = false;
  const auto compiler = GAUDI_TRY(Compiler::create(quiet, progress));
  GAUDI_TRY(compiler->parse(options.file, source.text()));
  const GaudiBatch found = GAUDI_TRY(compiler->findBatch(options.batchInput));
  BatchPlan batch;
  batch.size = found.size;
  batch.step = found.step;
  const std::vector<Parameter> inputs = compiler->inputs();
  for (uint32_t i = 0; i < found.numInputs; ++i) {
    const Parameter &input = inputs[found.inputs[i]];
    batch.inputs.push_back({input.name, input.type.text()});
  }
  GAUDI_TRY(
      searchBatch(batch, limit, most, [&](int64_t size) -> Result<uint64_t> {
        progress.step(fmt::format("planning a batch of {}", size));
        auto compiled = compiler->compileBatch(size);
        if (!compiled && !compiler->firstError().empty())
          return fail("{}", compiler->firstError());
        const GaudiBytes bytes = GAUDI_TRY(std::move(compiled));
        // Sizes beyond the last one that fits are expected to fail.
        compiler->holdBack();
        const auto file = GAUDI_TRY(recipe::RecipeFile::fromBuffer(
            {bytes.data, bytes.size}, options.file));
        const uint64_t needed = bytesNeeded(file);
        compiler->releaseRecipe();
        return needed;
      }));
  return batch;
}

} // namespace gaudi::run
