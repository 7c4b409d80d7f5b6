// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Advice on matrix products: more samples, sizes that fill the array.
#include "AdviceCandidates.h"
#include "Rework.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace gaudi::prediction {

using timing::Cost;
using timing::MatrixWork;
using timing::Picoseconds;
using timing::timeText;
using timing::Work;

namespace {

/// Costs of all commands for `factor` times as many samples.
Candidate batched(const Search &search, int64_t factor) {
  Candidate candidate;
  candidate.kind = AdviceKind::Batch;
  candidate.launches = factor;
  candidate.rework = [&prediction = search.prediction,
                      factor](uint32_t command, const Work &work) {
    return withSamples(work, prediction.commands[command].constantInputs,
                       factor);
  };
  for (const Group &group : search.groups())
    search.rework(candidate, group);
  candidate.commands.clear();
  return candidate;
}

/// Bytes of the card for so many times the samples; constants are shared.
uint64_t memoryFor(const Prediction &prediction, int64_t factor) {
  return prediction.constants +
         uint64_t(factor) * (prediction.persistent + prediction.workspace);
}

/// Whether a command is there only for products that are too small.
bool isUnderused(const Search &search, uint32_t command) {
  const Cost &cost = search.cost(command);
  return std::holds_alternative<MatrixWork>(
             search.prediction.commands[command].work) &&
         (cost.bound != timing::Bound::Array || cost.utilization < 0.7);
}

/// Whether anything is a sample: a product, or a kernel. Kernels between
/// decisions of the host may count its iterations instead.
bool countsSamples(const Prediction &prediction) {
  return std::any_of(prediction.commands.begin(), prediction.commands.end(),
                     [&](const Command &command) {
                       return (prediction.launches.size() <= 1 ||
                               command.queue == timing::Queue::Mme) &&
                              hasSamples(command.work);
                     });
}

} // namespace

void adviseBatch(Search &search) {
  const Prediction &prediction = search.prediction;
  if (!countsSamples(prediction))
    return;
  // Each doubling must save this much of the time, or is not worth the memory.
  const Picoseconds step = std::max(search.least(), search.time() / 20);
  const int64_t most = prediction.commands.size() > 20'000 ? 2 : 64;
  Picoseconds best = search.time();
  Candidate chosen;
  for (int64_t factor = 2; factor <= most; factor *= 2) {
    if (prediction.capacity > 0 &&
        memoryFor(prediction, factor) > prediction.capacity)
      break;
    Candidate candidate = batched(search, factor);
    const Picoseconds time = replayTasks(prediction, candidate);
    if (best - time < (factor == 2 ? search.least() : step))
      break;
    best = time;
    chosen = std::move(candidate);
  }
  if (chosen.costs.empty())
    return;
  chosen.time = best = search.replay(chosen);
  size_t products = 0;
  for (uint32_t i = 0; i < prediction.commands.size(); ++i)
    if (isUnderused(search, i)) {
      chosen.commands.push_back(i);
      ++products;
    }
  chosen.estimate = search.time() - best;
  chosen.title = fmt::format("Use a {}x larger batch", chosen.launches);
  chosen.text = fmt::format(
      "{} instead of {} for each of today's batches ({:.1f} times the "
      "throughput); the launch then takes {}.",
      timeText(best), timeText(search.time()),
      best > 0 ? double(search.time()) / double(best) : 1.0,
      timeText(best * chosen.launches));
  if (products > 0) {
    const Command &first = prediction.commands[chosen.commands.front()];
    const auto &work = std::get<MatrixWork>(first.work);
    chosen.text += fmt::format(
        " {} use{} the matrix engine in part: more samples ({} in {}) share "
        "its tiles and the reads of the weights.",
        countOf(products, "product"), products == 1 ? "s" : "",
        grownText(work, std::get<MatrixWork>(withSamples(
                            work, first.constantInputs, chosen.launches))),
        first.name);
  }
  chosen.text +=
      fmt::format(" The start of a launch takes {}, whatever its size.",
                  timeText(prediction.timeline.launch));
  search.candidates.push_back(std::move(chosen));
}

namespace {

/// A size to use instead, and what the product then takes.
struct Resized {
  MatrixDim dim = MatrixDim::N;
  int64_t from = 0, to = 0;
  MatrixWork work;
  Picoseconds saved = 0; // of one product, with zeros in the added elements
};

/// Sizes to try: the next multiples of powers of two, which are those of
/// memory lines, ports and tiles, up to a limit.
std::vector<int64_t> roundedUp(int64_t size, int64_t limit) {
  std::vector<int64_t> sizes;
  for (int64_t unit = 8; unit <= 4096; unit *= 2) {
    const int64_t rounded = (size + unit - 1) / unit * unit;
    if (rounded > size && rounded <= limit &&
        (sizes.empty() || sizes.back() != rounded))
      sizes.push_back(rounded);
  }
  return sizes;
}

/// The best other size of a dimension: the product is faster as it is, with
/// zeros in what was added. A size that only costs less per element is no gain
/// of this launch.
void tryDim(const Search &search, uint32_t command, MatrixDim dim,
            Resized &best) {
  const auto &work =
      std::get<MatrixWork>(search.prediction.commands[command].work);
  const Cost &cost = search.cost(command);
  const int64_t size = sizeOf(work, dim);
  const bool isCommon =
      dim == MatrixDim::K || (work.result() == timing::MatrixRole::Y &&
                              dim == MatrixDim::InputChannels);
  // A common dimension below the least cycles of a tile is free up to those.
  const int64_t limit =
      isCommon && size < search.spec.mme.minCycles ? 4 * size : size + size / 2;
  for (int64_t to : roundedUp(size, std::max<int64_t>(limit, 8))) {
    const MatrixWork other = withSize(work, dim, to);
    const Cost changed = search.costWith(command, other);
    const Picoseconds saved = cost.total() - changed.total();
    if (saved > best.saved)
      best = {dim, size, to, other, saved};
  }
}

std::vector<MatrixDim> dimsOf(const MatrixWork &work) {
  if (work.isGemm())
    return {MatrixDim::M, MatrixDim::N, MatrixDim::K};
  if (work.groups == 1)
    return {MatrixDim::InputChannels, MatrixDim::OutputChannels};
  return {};
}

std::string sizesText(const MatrixWork &work) {
  if (work.isGemm())
    return fmt::format("{}{}m {}, n {}, k {}", fmt::join(work.batch, "x"),
                       work.batch.empty() ? "" : " of ", work.m, work.n,
                       work.k);
  std::string filter;
  for (const timing::Spatial &spatial : work.spatial)
    filter += fmt::format("{}{}", filter.empty() ? "" : "x", spatial.filter);
  return fmt::format("{} images, {} to {} channels, filter {}", work.images,
                     work.inputChannels, work.outputChannels, filter);
}

/// Products that would use the same other size of a dimension.
struct Padding {
  Candidate candidate;
  uint32_t largest = 0; // a command of the group with the most at stake
  Picoseconds stake = 0;
  Resized best; // for it
};

void setTexts(const Search &search, Padding &padding) {
  const Command &command = search.prediction.commands[padding.largest];
  const auto &work = std::get<MatrixWork>(command.work);
  const Resized &best = padding.best;
  const std::string_view dim = nameOf(best.dim);
  Candidate &candidate = padding.candidate;
  const std::string count = countOf(candidate.commands.size(), "product");
  candidate.title =
      fmt::format("Pad {} of {} from {} to {}", dim, count, best.from, best.to);
  candidate.text = fmt::format(
      "{} ({}): {} with {} {} ({}), {} with {} ({}).", command.name,
      sizesText(work), timeText(search.cost(padding.largest).total()), dim,
      best.from, timing::explain(work, search.spec),
      timeText(search.costWith(padding.largest, best.work).total()), best.to,
      timing::explain(best.work, search.spec));
}

} // namespace

void advisePadding(Search &search) {
  std::map<std::tuple<MatrixDim, int64_t, int64_t>, Padding> paddings;
  for (const Group &group : search.groups()) {
    const uint32_t first = group.commands.front();
    const auto *work =
        std::get_if<MatrixWork>(&search.prediction.commands[first].work);
    if (!work)
      continue;
    Resized best;
    for (MatrixDim dim : dimsOf(*work))
      if (sizeOf(*work, dim) > 0)
        tryDim(search, first, dim, best);
    if (best.saved <= 0)
      continue;
    Padding &padding = paddings[{best.dim, best.from, best.to}];
    Candidate &candidate = padding.candidate;
    candidate.kind = AdviceKind::Pad;
    candidate.rework = [dim = best.dim, to = best.to](uint32_t,
                                                      const Work &given) {
      return Work(withSize(std::get<MatrixWork>(given), dim, to));
    };
    search.rework(candidate, group);
    if (const Picoseconds stake = search.total(group); stake > padding.stake) {
      padding.largest = first;
      padding.stake = stake;
      padding.best = std::move(best);
    }
  }
  for (auto &[sizes, padding] : paddings) {
    setTexts(search, padding);
    search.candidates.push_back(std::move(padding.candidate));
  }
}

} // namespace gaudi::prediction
