// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The chain of slices: how large they are, how often each kind occurs, and how
// the two engines overlap.
//
// A chain goes through its heads, the blocks of queries of these, and the
// blocks of keys that such a block sees. All slices of one size take the same
// time, so that they are counted, not played: the engine that has more to do
// is busy all the time, but while the first slice fills the pipeline.
#include "AttentionSlices.h"
#include "AttentionKernels.h"
#include "CeilDiv.h"
#include "Gaudi/Timing/Timeline.h"
#include "Gaudi/Timing/Tpc.h"
#include "Models.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <optional>

namespace gaudi::timing {
namespace {

using device::DeviceSpec;

/// Slices of one size: edges are what does not divide, cut ones are masked
/// element by element.
struct SliceKind {
  bool isLastQueries = false, isLastKeys = false, isCut = false;

  size_t number() const {
    return size_t(isLastQueries) * 4 + size_t(isLastKeys) * 2 + size_t(isCut);
  }
};
constexpr size_t sliceKinds = 8;

/// What one slice takes.
struct SliceTime {
  Picoseconds products = 0, kernels = 0; // that engines are busy
  Picoseconds latency = 0;               // from its begin to its end
  double vector = 0, special = 0;
  Bound product = Bound::Array;
};

class Chain {
public:
  Chain(const AttentionWork &work, const AttentionSlice &slice,
        const DeviceSpec &spec)
      : work(work), spec(spec), slice(slice),
        groups(std::max<int64_t>(work.keyBatches * work.keyHeads, 1)),
        sharing(std::max<int64_t>(work.batches * work.heads / groups, 1)),
        queryBlocks(ceilDiv(work.queries, slice.queries)),
        keyBlocks(ceilDiv(work.keys, slice.keys)) {
    const bool isWhole = slice.heads >= sharing;
    groupsAtOnce = isWhole ? ceilDiv(slice.heads, sharing) : 1;
    headsOfGroup = isWhole ? sharing : slice.heads;
    splits = isWhole ? 1 : ceilDiv(sharing, slice.heads);
    parts = ceilDiv(groups, groupsAtOnce) * splits;
    // Sums over queries and heads of a group go on in the next slice.
    addsKeys = work.isGradient && (queryBlocks > 1 || !isWhole);
    addsQueries = keyBlocks > 1;
  }

  bool fits() const { return sramBytes() <= memory(); }
  double sramBytes() const { return least() + kept(); }
  AttentionChain plan();

private:
  double memory() const { return spec.mme.silicon.operandMemory; }
  double heads() const { return double(groupsAtOnce * headsOfGroup); }
  /// Bytes of keys and values of the heads of a slice.
  double keyBytes(double keys) const {
    return double(groupsAtOnce) * keys * double(work.depth + work.valueDepth) *
           operandBytes(work);
  }
  /// Of the sums of their gradients.
  double keySums() const {
    return addsKeys ? double(groupsAtOnce) * double(work.keys) *
                          double(work.depth + work.valueDepth) * 4
                    : 0;
  }
  /// Without what is better kept than read again.
  double least() const;
  /// Which of K, V, dK and dV fit in SRAM: their bytes.
  double kept() const;
  bool keepsKeys() const { return least() + keptKeys() <= memory(); }
  bool keepsSums() const {
    return least() + keptKeys() + keySums() <= memory();
  }
  /// Keys and values that several blocks of queries, or several slices of the
  /// heads of a group, read.
  double keptKeys() const {
    return queryBlocks * splits > 1 ? keyBytes(double(work.keys)) : 0;
  }

  int64_t queriesOf(const SliceKind &kind) const {
    return kind.isLastQueries ? work.queries - (queryBlocks - 1) * slice.queries
                              : slice.queries;
  }
  /// On average, as cut slices differ.
  int64_t keysOf(const SliceKind &kind) const {
    return int64_t(
        std::ceil(keysOfKind[kind.number()] / double(counts[kind.number()])));
  }

  /// Keys that a query sees, both ends included.
  struct Range {
    int64_t low, high;
    int64_t count() const { return std::max<int64_t>(high - low + 1, 0); }
  };
  Range seenBy(int64_t query) const;
  void countSlices();
  void countRow(int64_t block);
  void addProduct(SliceTime &time, int64_t m, int64_t n, int64_t k,
                  ElementType result) const;
  void addKernel(SliceTime &time, const KernelTime &kernel) const;
  ElementType scoreType() const {
    return scoreBytes(work) == 2 ? ElementType::BF16 : ElementType::F32;
  }
  /// Of a product that is a result, or is added to an accumulator.
  ElementType resultType(uint32_t result, bool isAdded) const {
    return isAdded ? ElementType::F32
                   : work.operands[work.inputs + result].type;
  }
  SliceTime timeOf(const SliceKind &kind) const;
  void addForward(SliceTime &time, int64_t queries, int64_t keys,
                  const ScoreShape &rows) const;
  void addGradient(SliceTime &time, int64_t queries, int64_t keys,
                   const ScoreShape &rows) const;
  /// What a block of queries takes once, beside its slices.
  KernelTime blockTime(int64_t queries) const;

  const AttentionWork &work;
  const DeviceSpec &spec;
  AttentionSlice slice;
  int64_t groups, sharing; // heads of keys; heads of queries of each
  int64_t queryBlocks, keyBlocks, parts;
  int64_t groupsAtOnce, headsOfGroup;
  int64_t splits; // of a group's heads
  bool addsKeys, addsQueries;
  // Of one part.
  std::array<int64_t, sliceKinds> counts{};
  std::array<double, sliceKinds> keysOfKind{}; // of all slices of a kind
  std::optional<SliceKind> first;
  double area = 0;     // scores per head that are computed
  double cutArea = 0;  // of them, in slices that positions cut
  double seen = 0;     // of those, visible
  double keysRead = 0; // by all blocks of queries
  int64_t emptySlices = 0;
};

double Chain::least() const {
  const double queries = double(std::min(slice.queries, work.queries));
  const double keys = double(std::min(slice.keys, work.keys));
  const double scores = heads() * queries * keys;
  const double rows = heads() * queries;
  const unsigned narrow = operandBytes(work);
  const double flight = double(std::min<int64_t>(
      pipelineDepth, std::max<int64_t>(parts * queryBlocks * keyBlocks, 1)));
  // Gradients have two of each: scores and their gradient, probabilities and
  // the gradient of scores.
  const double each =
      (work.isGradient ? 2 : 1) * double(scoreBytes(work) + narrow);
  // Operands of the next slice are read while this one computes.
  const double operands =
      rows * double(work.depth + (work.isGradient ? work.valueDepth : 0)) *
          narrow +
      keyBytes(keys);
  const double sums =
      rows * double(work.isGradient ? work.depth : work.valueDepth) * 4;
  return flight * scores * each + 2 * operands + 2 * sums;
}

double Chain::kept() const {
  if (!keepsKeys())
    return 0;
  return keptKeys() + (keepsSums() ? keySums() : 0);
}

Chain::Range Chain::seenBy(int64_t query) const {
  // A window beyond all tensors is none.
  const int64_t window =
      work.window < work.queries + work.keys ? work.window : 0;
  Range range = {0, work.keys - 1};
  if (window > 0) {
    range.low = std::max<int64_t>(0, query - window + 1);
    range.high = std::min(range.high, query + window - 1);
  }
  if (work.causal)
    range.high = std::min(range.high, query);
  return range;
}

/// The blocks of keys that a block of queries sees, and those of them that all
/// of its queries see whole.
void Chain::countRow(int64_t block) {
  const int64_t from = block * slice.queries,
                to = std::min(work.queries, from + slice.queries) - 1;
  // Both ends of what a query sees grow with the query.
  const Range atFirst = seenBy(from), atLast = seenBy(to);
  const int64_t low = atFirst.low, high = atLast.high;
  if (low > high) {
    emptySlices += keyBlocks;
    return;
  }
  const int64_t begin = low / slice.keys, end = high / slice.keys + 1;
  emptySlices += keyBlocks - (end - begin);
  const int64_t wholeBegin = std::max(begin, ceilDiv(atLast.low, slice.keys));
  const int64_t wholeEnd = std::min(end, atFirst.high == work.keys - 1
                                             ? keyBlocks
                                             : (atFirst.high + 1) / slice.keys);
  SliceKind kind;
  kind.isLastQueries = block == queryBlocks - 1;
  double wholeScores = 0;
  const auto add = [&](int64_t count, int64_t keys, bool isLastKeys,
                       bool isCut) {
    if (count <= 0)
      return;
    kind.isLastKeys = isLastKeys;
    kind.isCut = isCut;
    counts[kind.number()] += count;
    keysOfKind[kind.number()] += double(keys);
    const double scores = double(keys) * double(queriesOf(kind));
    area += scores;
    (isCut ? cutArea : wholeScores) += scores;
    keysRead += double(keys);
    if (!first)
      first = kind;
  };
  // The last block of keys may be smaller; it is whole or cut like any other.
  // Of a cut one, products have the keys that any of the queries sees.
  const bool hasLast = end == keyBlocks;
  const bool lastIsWhole =
      hasLast && wholeEnd == keyBlocks && wholeBegin < keyBlocks;
  const int64_t lastBegin = (keyBlocks - 1) * slice.keys;
  const int64_t lastKeys = hasLast ? high - std::max(low, lastBegin) + 1 : 0;
  const int64_t whole =
      std::max<int64_t>(wholeEnd - wholeBegin, 0) - int64_t(lastIsWhole);
  const int64_t inner = end - begin - int64_t(hasLast);
  const int64_t wholeKeys = whole * slice.keys;
  add(whole, wholeKeys, false, false);
  add(inner - whole, high - low + 1 - lastKeys - wholeKeys, false, true);
  add(int64_t(hasLast), lastKeys, true, !lastIsWhole);
  // What is seen grows evenly, but where it meets the end of the keys.
  const double visible =
      double(to - from + 1) / 2 * double(atFirst.count() + atLast.count());
  seen += std::max(0.0, visible - wholeScores);
}

void Chain::countSlices() {
  for (int64_t block = 0; block < queryBlocks && keyBlocks > 0; ++block)
    countRow(block);
}

/// A product of the matrix engine on operands in SRAM, once per group of heads.
void Chain::addProduct(SliceTime &time, int64_t m, int64_t n, int64_t k,
                       ElementType result) const {
  const ElementType type = work.operands[0].type;
  MatrixWork product;
  product.m = m;
  product.n = n;
  product.k = k;
  product.batch = {groupsAtOnce};
  product.a = {type, {groupsAtOnce, m, k}, {}, Memory::Sram};
  product.b = {type, {groupsAtOnce, k, n}, {}, Memory::Sram};
  product.c = {result, {groupsAtOnce, m, n}, {}, Memory::Sram};
  const Cost cost = costOf(product, spec);
  const Picoseconds run = std::max({cost.compute, cost.read, cost.write});
  if (run > time.products)
    time.product = cost.bound;
  time.latency += (time.latency == 0 ? cost.launch : 0) + run;
  time.products += std::max(run, cost.launch);
}

void Chain::addKernel(SliceTime &time, const KernelTime &kernel) const {
  Cost start;
  setTpcLaunch(start, spec);
  time.kernels += std::max(kernel.time, start.launch);
  time.latency += start.fill + kernel.time + start.drain;
  time.vector += kernel.vector;
  time.special += kernel.special;
}

void Chain::addForward(SliceTime &time, int64_t queries, int64_t keys,
                       const ScoreShape &rows) const {
  const int64_t m = queries * headsOfGroup;
  addProduct(time, m, keys, work.depth, scoreType());
  addKernel(time, softmaxTime(work, rows, spec));
  addProduct(time, m, work.valueDepth, keys, resultType(0, addsQueries));
  if (addsQueries)
    addKernel(time, accumulateTime(rows.rows, double(work.valueDepth), spec));
}

void Chain::addGradient(SliceTime &time, int64_t queries, int64_t keys,
                        const ScoreShape &rows) const {
  const int64_t m = queries * headsOfGroup;
  if (work.probabilities < 0)
    addProduct(time, m, keys, work.depth, scoreType());
  addProduct(time, m, keys, work.valueDepth, scoreType()); // dP = dO v^T
  addKernel(time, softmaxGradTime(work, rows, spec));
  addProduct(time, m, work.depth, keys, resultType(0, addsQueries)); // dq
  addProduct(time, keys, work.depth, m, resultType(1, addsKeys));
  addProduct(time, keys, work.valueDepth, m, resultType(2, addsKeys));
  if (addsQueries)
    addKernel(time, accumulateTime(rows.rows, double(work.depth), spec));
  if (addsKeys)
    addKernel(time, accumulateTime(double(groupsAtOnce * keys),
                                   double(work.depth + work.valueDepth), spec));
}

SliceTime Chain::timeOf(const SliceKind &kind) const {
  const int64_t queries = queriesOf(kind), keys = keysOf(kind);
  ScoreShape rows;
  rows.rows = heads() * double(queries);
  rows.keys = double(keys);
  rows.seen =
      kind.isCut ? rows.keys * std::min(seen / cutArea, 1.0) : rows.keys;
  rows.isWhole = !addsQueries;
  SliceTime time;
  if (work.isGradient)
    addGradient(time, queries, keys, rows);
  else
    addForward(time, queries, keys, rows);
  return time;
}

KernelTime Chain::blockTime(int64_t queries) const {
  const double rows = heads() * double(queries);
  KernelTime time;
  const auto add = [&](const KernelTime &other) {
    time.time += other.time;
    time.vector += other.vector;
    time.special += other.special;
  };
  if (work.isGradient && work.forwardOutput >= 0)
    add(rowProductTime(work, rows, spec));
  if (addsQueries)
    add(finishTime(rows, double(work.isGradient ? work.depth : work.valueDepth),
                   work.isGradient ? 0 : reciprocalSlots.vector, spec));
  return time;
}

AttentionChain Chain::plan() {
  countSlices();
  AttentionChain plan;
  plan.slice = slice;
  plan.skipped = parts * emptySlices;
  plan.sramBytes = counted(sramBytes());
  const double computed = area * double(parts) * heads(); // scores
  const double macsPerScore =
      work.isGradient ? 2 * double(work.depth + work.valueDepth) +
                            (work.probabilities < 0 ? double(work.depth) : 0)
                      : double(work.depth + work.valueDepth);
  plan.macs = computed * macsPerScore;
  const double scores = double(work.queries) * double(work.keys);
  plan.visible = scores > 0 ? (area - cutArea + seen) / scores : 0;
  const double passes =
      work.keys > 0 ? keysRead / double(work.keys) * double(splits) : 0;
  plan.keyReads = keepsKeys() ? std::min(passes, 1.0) : passes;
  plan.sumMoves = addsKeys && !keepsSums() ? passes : 0;
  plan.firstBytes = heads() * double(slice.queries) * double(work.depth) *
                        operandBytes(work) +
                    keyBytes(double(slice.keys));
  // `latencies` bounds the chain where neither engine does: pipelineDepth
  // slices are in flight, so one ends every latency / pipelineDepth.
  double mme = 0, tpc = 0, latencies = 0, vector = 0, special = 0;
  for (size_t i = 0; i < sliceKinds; ++i) {
    if (counts[i] == 0)
      continue;
    const SliceKind kind = {(i & 4) != 0, (i & 2) != 0, (i & 1) != 0};
    const SliceTime time = timeOf(kind);
    const double count = double(counts[i]) * double(parts);
    plan.slices += int64_t(counted(count));
    plan.cut += kind.isCut ? int64_t(counted(count)) : 0;
    mme += count * double(time.products);
    tpc += count * double(time.kernels);
    latencies += count * double(time.latency) / pipelineDepth;
    vector += count * time.vector;
    special += count * time.special;
    if (first->number() == i) {
      plan.products = time.products;
      plan.kernels = time.kernels;
      plan.latency = time.latency;
      plan.product = time.product;
    }
  }
  // Of blocks of queries; those that see nothing are zeros that are written.
  const KernelTime block = blockTime(slice.queries);
  const double blocks = double(parts) * double(work.queries) /
                        double(std::max<int64_t>(slice.queries, 1));
  tpc += blocks * double(block.time);
  vector += blocks * block.vector;
  special += blocks * block.special;
  if (addsKeys) {
    const KernelTime keys =
        finishTime(double(groups * work.keys),
                   double(work.depth + work.valueDepth), 0, spec);
    tpc += double(keys.time);
    vector += keys.vector;
  }
  const double steady = std::max({double(plan.products), double(plan.kernels),
                                  double(plan.latency) / pipelineDepth});
  const double filling = double(plan.latency) - steady;
  plan.mmeBusy = Picoseconds(counted(mme));
  plan.tpcBusy = Picoseconds(counted(tpc));
  plan.time = Picoseconds(
      counted(std::max({mme, tpc, latencies}) + std::max(filling, 0.0)));
  plan.isSpecial = special > vector / 2;
  return plan;
}

} // namespace

bool fitsSram(const AttentionWork &work, const AttentionSlice &slice,
              const DeviceSpec &spec) {
  return Chain(work, slice, spec).fits();
}

AttentionChain chainWith(const AttentionWork &work, const AttentionSlice &slice,
                         const DeviceSpec &spec) {
  return Chain(work, slice, spec).plan();
}

} // namespace gaudi::timing
