// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The largest batch of a model whose plan fits.
#include "Gaudi/Analysis/BatchSearch.h"

#include <algorithm>
#include <cassert>
#include <nlohmann/json.hpp>

namespace gaudi::analysis {
namespace {

/// The open interval between what fits and what does not, in steps.
class Interval {
public:
  Interval(BatchPlan &batch, uint64_t limit) : batch(batch), limit(limit) {}

  bool isOpen() const { return high - low > 1; }
  bool isInside(int64_t steps) const { return low < steps && steps < high; }

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

  /// The smallest size that a model takes is above this one.
  void pass(int64_t steps) { low = steps; }

  /// 0: none fits.
  int64_t largest() const { return points.count(low) ? low : 0; }

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
  int64_t low = 0, high = unbounded; // steps; 0 needs no plan
  std::map<int64_t, uint64_t> points;
  bool isSlow = false;
};

} // namespace

/// Plans the steps 1, 2, 4, ... until one does not fit or compile. Sizes below
/// the smallest that a model takes are passed over.
static Status
doubleSteps(Interval &interval, BatchPlan &batch, uint64_t limit,
            const std::function<Result<uint64_t>(int64_t)> &plan) {
  const int64_t own = std::max<int64_t>(batch.size / batch.step, 1);
  for (int64_t steps = 1; interval.isInside(steps); steps *= 2) {
    auto bytes = plan(steps * batch.step);
    if (!bytes && batch.planned.empty()) {
      if (steps >= own)
        return fail(bytes.error().message);
      interval.pass(steps);
      continue;
    }
    if (!bytes)
      batch.refusal = bytes.error().message;
    interval.note(steps, bytes ? std::optional(*bytes) : std::nullopt);
    if (!bytes || *bytes > limit)
      break;
  }
  return {};
}

Status searchBatch(BatchPlan &batch, uint64_t limit,
                   const std::function<Result<uint64_t>(int64_t)> &plan,
                   BatchSizes sizes) {
  Interval interval(batch, limit);
  const bool sweeps = sizes == BatchSizes::Sweep;
  if (sweeps)
    GAUDI_TRY(doubleSteps(interval, batch, limit, plan));
  bool isFirst = !sweeps;
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
  if (sweeps && batch.size <= batch.largest.value_or(0) &&
      !batch.planned.count(batch.size))
    if (auto own = plan(batch.size))
      batch.planned[batch.size] = *own;
  return {};
}

std::optional<int64_t> BatchPlan::fastest(uint64_t limit) const {
  std::optional<int64_t> best;
  const auto perSample = [&](int64_t size) {
    return times.at(size) / double(size);
  };
  for (const auto &[size, bytes] : planned)
    if (bytes <= limit && times.count(size) &&
        (!best || perSample(size) < perSample(*best)))
      best = size;
  return best;
}

nlohmann::ordered_json toJson(const BatchPlan &batch, uint64_t limit) {
  using Json = nlohmann::ordered_json;
  Json inputs = Json::array(), planned = Json::array();
  for (const BatchPlan::Input &input : batch.inputs)
    inputs.push_back({{"name", input.name}, {"type", input.type}});
  for (const auto &[size, bytes] : batch.planned) {
    planned.push_back({{"batch", size}, {"needed", bytes}});
    const auto time = batch.times.find(size);
    if (time == batch.times.end())
      continue;
    planned.back()["time_us"] = time->second;
    planned.back()["time_per_sample_us"] = time->second / double(size);
  }
  Json json = {{"size", batch.size},
               {"step", batch.step},
               {"limit", limit},
               {"largest", batch.largest ? Json(*batch.largest) : Json()},
               {"inputs", std::move(inputs)},
               {"planned", std::move(planned)}};
  if (const auto fastest = batch.fastest(limit))
    json["fastest"] = *fastest;
  if (!batch.refusal.empty())
    json["refused"] = batch.refusal;
  return json;
}

} // namespace gaudi::analysis
