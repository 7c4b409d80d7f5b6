// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time of attention: the chain of slices, the memory beside it, and the choice
// of the slice.
#include "Gaudi/Timing/Attention.h"
#include "AttentionSlices.h"
#include "CeilDiv.h"
#include "Gaudi/Support/Units.h"
#include "Models.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>

namespace gaudi::timing {
namespace {

using device::DeviceSpec;

/// Sizes of a tensor by the letters of its layout.
struct Sizes {
  Sizes(const Operand &operand, std::string_view layout) : operand(operand) {
    this->layout = !layout.empty()             ? layout
                   : operand.sizes.size() == 4 ? std::string_view("NHLD")
                                               : std::string_view("NLD");
    assert(this->layout.size() == operand.sizes.size() && "a verified layout");
  }
  /// Tensors of rank 3 have one head.
  int64_t of(char letter) const {
    const size_t dim = layout.find(letter);
    return dim == layout.npos ? 1 : operand.sizes[dim];
  }

  const Operand &operand;
  std::string_view layout;
};

/// Numbers the optional inputs that are there.
class Places {
public:
  Places(uint32_t present, uint32_t first) : present(present), next(first) {}
  /// The next optional input of the op.
  int32_t take() {
    const bool is = present & 1;
    present >>= 1;
    return is ? int32_t(next++) : -1;
  }

private:
  uint32_t present, next;
};

/// Bytes of HBM that reading an operand with one element per score takes: those
/// of visible scores. What heads share is read by each part of them,
/// unless it stays in SRAM.
double scoreTraffic(const Operand &operand, const AttentionWork &work,
                    const AttentionChain &chain, const DeviceSpec &spec) {
  const size_t rank = operand.sizes.size();
  assert(rank >= 2 && "rows and columns");
  double bytes = double(operand.bytes());
  if (operand.sizes[rank - 1] == work.keys &&
      operand.sizes[rank - 2] == work.queries)
    bytes *= chain.visible;
  const double heads = double(work.batches * work.heads);
  double own = 1;
  for (size_t d = 0; d + 2 < rank; ++d)
    own *= double(operand.sizes[d]);
  if (own >= heads || double(operand.bytes()) <= double(spec.memory.sramBytes) -
                                                     double(chain.sramBytes))
    return bytes;
  return bytes * std::min(heads / std::max(own, 1.0),
                          std::ceil(heads / double(chain.slice.heads)));
}

Cost costWith(const AttentionChain &chain, const AttentionWork &work,
              const DeviceSpec &spec) {
  const device::MmeSilicon &silicon = spec.mme.silicon;
  Cost cost;
  cost.enginesUsed = spec.mme.engines;
  cost.launch = secondsTime(silicon.dispatch);
  cost.compute = chain.time;
  cost.mmeBusy = chain.mmeBusy;
  cost.tpcBusy = chain.tpcBusy;
  const uint32_t key = work.isGradient ? 2 : 1;
  for (uint32_t i = 0; i < work.operands.size(); ++i) {
    const Operand &operand = work.operands[i];
    const auto number = int32_t(i);
    if (i >= work.inputs) {
      addWrite(cost, operand, operand.bytes());
      continue;
    }
    double bytes = double(operand.bytes());
    if (number == work.mask || number == work.dropoutMask ||
        number == work.probabilities)
      bytes = scoreTraffic(operand, work, chain, spec);
    else if (i == key || i == key + 1)
      bytes *= chain.keyReads;
    addRead(cost, operand, counted(bytes));
  }
  const double sums = chain.sumMoves * double(work.keyBatches * work.keyHeads) *
                      double(work.keys) * double(work.depth + work.valueDepth) *
                      4;
  cost.hbmRead += counted(sums);
  cost.hbmWritten += counted(sums);
  // An idle engine waits for the first slice, handed over in parts.
  if (cost.hbmRead > 0 && chain.slices > 0)
    cost.fill = secondsTime(std::sqrt(2 * silicon.handover * chain.firstBytes /
                                      silicon.readBandwidth));
  const bool isVector = chain.tpcBusy > chain.mmeBusy;
  const Picoseconds most = std::max(chain.tpcBusy, chain.mmeBusy);
  const Bound bound = 2 * most < chain.time ? Bound::Latency
                      : !isVector           ? chain.product
                      : chain.isSpecial     ? Bound::Special
                                            : Bound::Vector;
  setMemoryTime(cost, bound, spec);
  if (chain.time > 0)
    cost.utilization = chain.macs /
                       spec.mme.macsPerSecond(work.operands[0].type) /
                       (double(chain.time) / 1e12);
  return cost;
}

/// Sizes that slices may have: all, or a power of two.
std::vector<int64_t> sizesFor(int64_t all, int64_t given, int64_t least,
                              int64_t most) {
  if (given > 0)
    return {std::min(given, std::max<int64_t>(all, 1))};
  std::vector<int64_t> sizes = {std::max<int64_t>(all, 1)};
  for (int64_t size = most; size >= least; size /= 2)
    if (size < all)
      sizes.push_back(size);
  return sizes;
}

/// Of the slices with so many queries and keys: as many heads as fit, and fewer
/// by factors of two, so that there are slices to overlap.
std::vector<AttentionSlice> slicesOf(const AttentionWork &work, int64_t queries,
                                     int64_t keys, const DeviceSpec &spec) {
  constexpr size_t mostHeads = 5; // choices
  const int64_t heads = std::max<int64_t>(work.batches * work.heads, 1);
  const int64_t groups = std::max<int64_t>(work.keyBatches * work.keyHeads, 1);
  const int64_t sharing = std::max<int64_t>(heads / groups, 1);
  std::vector<AttentionSlice> slices;
  int64_t before = 0;
  for (int64_t parts = 1; slices.size() < mostHeads; parts *= 2) {
    // Equal parts of the groups, then of the heads of a group.
    AttentionSlice slice = {1, queries, keys};
    slice.heads = parts <= groups ? ceilDiv(groups, parts) * sharing
                                  : ceilDiv(sharing, ceilDiv(parts, groups));
    if (slice.heads != before && fitsSram(work, slice, spec))
      slices.push_back(slice);
    before = slice.heads;
    if (slice.heads == 1)
      break;
  }
  return slices;
}

/// Work of sizes that a chain can have.
bool isEmpty(const AttentionWork &work) {
  return work.batches * work.heads == 0 || work.queries == 0;
}

} // namespace

AttentionWork attentionWork(const AttentionForm &form,
                            std::vector<Operand> inputs,
                            std::vector<Operand> outputs) {
  AttentionWork work;
  work.isGradient = form.isGradient;
  work.inputs = uint32_t(inputs.size());
  work.operands = std::move(inputs);
  for (Operand &output : outputs)
    work.operands.push_back(std::move(output));
  const uint32_t first = form.isGradient ? 1 : 0; // after the output's gradient
  assert(work.operands.size() > first + 3 && "query, key, value and a result");
  const Sizes query(work.operands[first], form.queryLayout);
  const Sizes key(work.operands[first + 1], form.keyLayout);
  const Sizes value(work.operands[first + 2], form.valueLayout);
  work.batches = query.of('N');
  work.heads = query.of('H');
  work.keyBatches = key.of('N');
  work.keyHeads = key.of('H');
  work.queries = query.of('L');
  work.keys = key.of('L');
  work.depth = query.of('D');
  work.valueDepth = value.of('D');
  work.causal = form.causal;
  work.window = form.window;
  work.isFast = form.isFast;
  Places inputPlaces(form.inputs, first + 3),
      resultPlaces(form.results, work.inputs + 1);
  if (form.isGradient)
    work.forwardOutput = inputPlaces.take();
  work.mask = inputPlaces.take();
  work.hasLengths = inputPlaces.take() >= 0;
  work.dropoutMask = inputPlaces.take();
  work.isSeeded = inputPlaces.take() >= 0;
  // Maximum, inverse sum and, forward, the seed.
  Places &places = form.isGradient ? inputPlaces : resultPlaces;
  for (int i = 0; i < (form.isGradient ? 2 : 3); ++i)
    places.take();
  work.probabilities = places.take();
  if (!form.isGradient)
    work.drawnMask = places.take();
  if (form.slice.size() == 2) {
    work.sliceQueries = form.slice[0];
    work.sliceKeys = form.slice[1];
  }
  return work;
}

AttentionSlice sliceOf(const AttentionWork &work, const DeviceSpec &spec) {
  // Rows that stay together: their probabilities are stored with their sums.
  const bool wholeRows = (work.probabilities >= 0 && !work.isGradient) ||
                         (work.isGradient && work.forwardOutput < 0);
  // More blocks than this would take long to count, and gain nothing.
  constexpr int64_t mostBlocks = 4096;
  // So would those of a slice that is given: it is one of more queries then.
  constexpr int64_t mostGivenBlocks = int64_t(1) << 16;
  const int64_t givenQueries =
      work.sliceQueries > 0
          ? std::max(work.sliceQueries, ceilDiv(work.queries, mostGivenBlocks))
          : 0;
  const auto leastOf = [&](int64_t size, int64_t least) {
    while (ceilDiv(size, least) > mostBlocks)
      least *= 2;
    return least;
  };
  const int64_t leastQueries = leastOf(work.queries, 64);
  const int64_t leastKeys =
      wholeRows ? std::max<int64_t>(work.keys, 1) : leastOf(work.keys, 256);
  AttentionSlice best = {
      1,
      givenQueries > 0 ? givenQueries
                       : std::clamp<int64_t>(work.queries, 1, leastQueries),
      work.sliceKeys > 0 && !wholeRows
          ? work.sliceKeys
          : std::clamp<int64_t>(work.keys, 1, leastKeys)};
  if (isEmpty(work))
    return best;
  Picoseconds least = -1;
  for (int64_t queries :
       sizesFor(work.queries, givenQueries, leastQueries, leastQueries * 32))
    for (int64_t keys : sizesFor(work.keys, wholeRows ? 0 : work.sliceKeys,
                                 leastKeys, leastKeys * 16))
      for (const AttentionSlice &slice : slicesOf(work, queries, keys, spec)) {
        const AttentionChain chain = chainWith(work, slice, spec);
        const Picoseconds time = costWith(chain, work, spec).total();
        if (least < 0 || time < least) {
          least = time;
          best = slice;
        }
      }
  return best;
}

AttentionChain chainOf(const AttentionWork &work, const DeviceSpec &spec) {
  const AttentionSlice slice = sliceOf(work, spec);
  if (isEmpty(work)) {
    AttentionChain chain;
    chain.slice = slice;
    return chain;
  }
  return chainWith(work, slice, spec);
}

Cost costOf(const AttentionWork &work, const DeviceSpec &spec) {
  return costWith(chainOf(work, spec), work, spec);
}

std::string explain(const AttentionWork &work, const DeviceSpec &spec) {
  const AttentionChain chain = chainOf(work, spec);
  const Cost cost = costWith(chain, work, spec);
  if (chain.slices == 0)
    return fmt::format("no scores; {}", memoryText(cost));
  const AttentionSlice &slice = chain.slice;
  std::string text = fmt::format(
      "{} of {} x {} x {}", countOf(uint64_t(chain.slices), "slice"),
      countOf(uint64_t(slice.heads), "head"),
      countOf(uint64_t(slice.queries), "query", "queries"),
      countOf(uint64_t(slice.keys), "key"));
  if (chain.cut > 0)
    text += fmt::format(", {} of them masked by position", chain.cut);
  if (chain.skipped > 0)
    text += fmt::format(", {} skipped", chain.skipped);
  return text +
         fmt::format("; a slice: products {}, kernels {}, {} from begin to end"
                     "; {} of SRAM; chain {} (matrix engine busy {}, TPC busy "
                     "{}); {}; fill {}; bound by {}",
                     timeText(chain.products), timeText(chain.kernels),
                     timeText(chain.latency), humanBytes(chain.sramBytes),
                     timeText(chain.time), timeText(chain.mmeBusy),
                     timeText(chain.tpcBusy), memoryText(cost),
                     timeText(cost.fill), nameOf(cost.bound));
}

} // namespace gaudi::timing
