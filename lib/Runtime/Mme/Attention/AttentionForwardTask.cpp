// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One task of attention: blocks of keys with an online softmax.
#include "AttentionForward.h"

#include "../../Commands/Copy.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

namespace gaudi::runtime {

using recipe::ElementType;

namespace {
constexpr float infinity = std::numeric_limits<float>::infinity();
} // namespace

ForwardTask::ForwardTask(const AttentionForward &command, uint8_t *scratch)
    : c(command), p(c.p), tiling(c.tiling), f(*tiling.functions),
      parts(scratch), rowScores(p, f, tiling.keyBlock, parts),
      band(tiling, parts) {
  const int64_t rows = tiling.taskRows;
  // All arrays come from one allocation per worker, whose size a dry run of the
  // same calls determines: each is taken whether this task needs it or not, and
  // those that the tiling excludes have length 0.
  pointers = parts.take<const uint8_t *>(rows);
  left = parts.take<const uint8_t *>(rows);
  maxima = parts.take<float>(rows);
  sums = parts.take<float>(rows);
  spans = parts.take<ScoreBlock::Span>(tiling.blockRows);
  found = parts.take<float>(tiling.blockRows);
  totals = parts.take<float>(tiling.blockRows);
  scorePitch = paddedRow(tiling.keyBlock);
  scores = parts.take<float>(rows * scorePitch);
  queryPitch = tiling.leftPitch(p.depth);
  queries = parts.take<uint8_t>(rows * queryPitch);
  narrowPitch = tiling.leftPitch(tiling.keyBlock);
  narrow = parts.take<uint8_t>(
      tiling.pairs() ? rows * narrowPitch + 2 * rowLanes : 0);
  outPitch = paddedRow(c.values.panelsPerBlock() * c.values.width());
  out = parts.take<float>(rows * outPitch);
  rounded =
      parts.take<uint8_t>(c.twoPasses ? paddedRow(tiling.keyBlock) * 4 : 0);
  // Only where units are so many that one thread runs all tasks of a unit.
  packing = parts.take<float>(
      c.packsInTask ? std::max(c.keys.scratchFloats(), c.values.scratchFloats())
                    : 0);
  ownKeys = parts.take<uint8_t>(c.packsInTask ? int64_t(c.keys.bytes()) : 0);
  ownValues =
      parts.take<uint8_t>(c.packsInTask ? int64_t(c.values.bytes()) : 0);
}

void ForwardTask::place(int64_t task) {
  assert(unit == task / tiling.tasksPerUnit && "the unit was entered");
  const int64_t first = task % tiling.tasksPerUnit * tiling.taskRows;
  // The last tasks of a unit may have no rows.
  band.place(
      p, tiling, unit, first,
      std::max<int64_t>(std::min(tiling.taskRows, p.unitRows() - first), 0));
  for (int64_t r = 0; r < band.count; ++r) {
    uint8_t *query = queries + r * queryPitch;
    copyLeftRow(tiling, p.query, band.info[r], p.depth, query);
    pointers[r] = query;
    maxima[r] = -infinity;
    sums[r] = 0;
  }
}

void ForwardTask::enter(int64_t entered) {
  unit = entered;
  const int64_t image = unit / p.keyHeads, head = unit % p.keyHeads;
  if (!c.packsInTask) {
    keyPanels = c.keyPanels + unit * int64_t(c.keys.bytes());
    valuePanels = c.valuePanels + unit * int64_t(c.values.bytes());
    return;
  }
  // All tasks of the unit run here, one after the other: the panels are its
  // own.
  for (int64_t i = 0; i < c.keys.count(); ++i)
    c.keys.pack(image, head, i, packing, ownKeys + i * c.keys.pitch());
  for (int64_t i = 0; i < c.values.count(); ++i)
    c.values.pack(image, head, i, packing, ownValues + i * c.values.pitch());
  keyPanels = ownKeys;
  valuePanels = ownValues;
}

void ForwardTask::multiplyKeys(int64_t begin, int64_t end) {
  runtime::multiplyKeys(
      tiling,
      {c.keys, keyPanels, begin, end, p.depth, pointers, scores, scorePitch},
      band);
}

/// The online softmax of a block: raises the rows' maxima, and rescales what is
/// summed so far to them.
void ForwardTask::onlineBlock(const AttentionBlock &block, int64_t begin,
                              const ScoreBlock &rows) {
  const float scale = rowScores.pendingScale();
  if (!p.mask)
    f.blockScore(rows, scale, found);
  for (int64_t i = 0; i < block.count; ++i) {
    const int64_t r = block.row + i;
    const ScoreBlock::Span span = spans[i];
    if (p.mask && span.begin < span.end)
      found[i] = rowScores.score(band.info[r], begin + span.begin,
                                 span.end - span.begin,
                                 rows.sums + i * rows.pitch + span.begin);
    if (span.begin == span.end || !(found[i] > maxima[r])) {
      found[i] = maxima[r];
      continue;
    }
    // Before the first score above -infinity all sums are 0, or NaN.
    if (maxima[r] != -infinity) {
      const float factor = std::exp(maxima[r] - found[i]);
      sums[r] *= factor;
      if (multiplies && factor != 1)
        f.scale(out + r * outPitch, outPitch, factor);
    }
    maxima[r] = found[i];
  }
  f.blockExponential(rows, scale, found, totals);
  for (int64_t i = 0; i < block.count; ++i) {
    const int64_t r = block.row + i;
    const ScoreBlock::Span span = spans[i];
    sums[r] += totals[i];
    if (!multiplies || !rowScores.drops() || span.begin == span.end)
      continue;
    float *row = rows.sums + i * rows.pitch;
    const int64_t n = span.end - span.begin;
    f.multiply(row + span.begin,
               rowScores.dropout(band.info[r], begin + span.begin, n), n);
    // Factors after the last one may be anything.
    std::fill(row + span.end, row + rows.end, 0.0f);
  }
}

/// The probabilities of one row from its final maximum and sum, rounded as the
/// second product reads them.
void ForwardTask::exactRow(int64_t r, int64_t key, int64_t n, float *s) {
  const AttentionRow &row = band.info[r];
  rowScores.mask(row, key, n, s);
  // The row sees no key: its probabilities are 0, not 0 / 0.
  if (maxima[r] == -infinity)
    std::fill(s, s + n, 0.0f);
  else
    f.exponential(s, n, rowScores.pendingScale(), maxima[r], sums[r]);
  auto *floats = reinterpret_cast<uint8_t *>(s);
  if (p.probabilities) {
    const AttentionTensor &to = p.probabilities;
    saveRow(to.data +
                (to.offset(row.image, row.head, row.query) + key * to.column) *
                    recipe::elementSize(to.type),
            n, s);
  }
  if (const float *factors = rowScores.dropout(row, key, n))
    f.multiply(s, factors, n);
  if (p.largestProbability)
    mostProbability = std::max(mostProbability, f.largest(s, n));
  // The second product reads probabilities in the type of the query: the two
  // conversions round them as a store and a load would.
  if (isF8(p.query.type)) {
    f.scale(s, n, probabilityScale);
    saturate(s, n, p.largest);
    convertRow(ElementType::F32, floats, 1, p.query.type, rounded, 1, n);
    convertRow(p.query.type, rounded, 1, ElementType::F32, floats, 1, n);
  }
}

/// Stores probabilities of a row. 8-bit floats hold them times q_scale_s, as
/// the second product reads them without dropout, and are rounded once there;
/// in other types that product reads what is stored.
void ForwardTask::saveRow(uint8_t *to, int64_t n, float *s) {
  const ElementType type = p.probabilities.type;
  const int64_t stride = p.probabilities.column;
  auto *floats = reinterpret_cast<uint8_t *>(s);
  if (!isF8(type)) {
    convertRow(ElementType::F32, floats, 1, type, to, stride, n);
    convertRow(type, to, stride, ElementType::F32, floats, 1, n);
    return;
  }
  auto *scaled = reinterpret_cast<float *>(rounded);
  std::copy(s, s + n, scaled);
  f.scale(scaled, n, probabilityScale);
  saturate(scaled, n, p.largest);
  convertRow(ElementType::F32, rounded, 1, type, to, stride, n);
}

void ForwardTask::exactBlock(const AttentionBlock &block, int64_t begin,
                             const ScoreBlock &rows) {
  for (int64_t i = 0; i < block.count; ++i) {
    const ScoreBlock::Span span = spans[i];
    float *row = rows.sums + i * rows.pitch;
    if (span.begin < span.end)
      exactRow(block.row + i, begin + span.begin, span.end - span.begin,
               row + span.begin);
    std::fill(row + rows.begin, row + span.begin, 0.0f);
    std::fill(row + span.end, row + rows.end, 0.0f);
  }
}

void ForwardTask::softmaxBlock(const AttentionBlock &block, int64_t begin,
                               int64_t end) {
  const int64_t lowest = std::max(block.begin, begin);
  const int64_t highest = std::min(block.end, end);
  if (lowest >= highest)
    return;
  for (int64_t i = 0; i < block.count; ++i) {
    const AttentionRow &row = band.info[block.row + i];
    const int64_t first = std::clamp(row.begin, lowest, highest);
    spans[i] = {first - begin, std::clamp(row.end, first, highest) - begin};
  }
  // Keys that others of the block see have probability 0; so have those that
  // fill up the first and the last step.
  const int64_t from = tiling.startOf(lowest - begin);
  const int64_t to =
      tiling.pairs() ? (highest - begin + 1) / 2 * 2 : highest - begin;
  uint16_t *narrowed =
      reinterpret_cast<uint16_t *>(narrow + block.row * narrowPitch);
  const bool rounds = multiplies && tiling.pairs();
  // What changes the exponentials is done before they are rounded.
  const bool direct = rounds && !secondPass && !rowScores.drops();
  const ScoreBlock rows = {scores + block.row * scorePitch,
                           scorePitch,
                           spans,
                           block.count,
                           from,
                           to,
                           direct ? narrowed : nullptr,
                           narrowPitch / 2};
  secondPass ? exactBlock(block, begin, rows) : onlineBlock(block, begin, rows);
  for (int64_t i = 0; i < block.count; ++i) {
    const float *row = rows.sums + i * rows.pitch;
    uint16_t *left16 = narrowed + i * rows.narrowPitch;
    if (rounds && !direct)
      tiling.keyKernel->roundToBf16(row + from, left16 + from, to - from);
    left[block.row + i] = tiling.pairs()
                              ? reinterpret_cast<const uint8_t *>(left16)
                              : reinterpret_cast<const uint8_t *>(row);
  }
}

void ForwardTask::multiplyValues(int64_t begin, int64_t end) {
  const int64_t blockBytes = c.values.panelsPerBlock() * c.values.pitch();
  const DepthProduct product = {
      c.values, valuePanels + begin / tiling.keyBlock * blockBytes,
      begin,    begin,
      end,      left,
      out,      outPitch};
  multiplyDepth(tiling, product, band);
}

void ForwardTask::passKeys(bool lastPass) {
  multiplies = lastPass;
  for (int64_t begin = band.begin / tiling.keyBlock * tiling.keyBlock;
       begin < band.end; begin += tiling.keyBlock) {
    const int64_t end = std::min(begin + tiling.keyBlock, p.keys);
    multiplyKeys(begin, end);
    for (int64_t b = 0; b < band.blockCount; ++b)
      softmaxBlock(band.blocks[b], begin, end);
    if (multiplies)
      multiplyValues(begin, end);
  }
}

void ForwardTask::clearSaved(const AttentionRow &row) {
  const AttentionTensor &to = p.probabilities;
  const int64_t size = recipe::elementSize(to.type);
  uint8_t *data = to.data + to.offset(row.image, row.head, row.query) * size;
  for (int64_t j = 0; j < p.keys; ++j)
    if (j < row.begin || j >= row.end)
      std::memset(data + j * to.column * size, 0, size_t(size));
}

void ForwardTask::storeKept(const AttentionRow &row) {
  uint8_t *data = p.kept.data + p.kept.offset(row.image, row.head, row.query);
  for (int64_t key = 0; key < p.keys; key += tiling.keyBlock) {
    const int64_t n = std::min(tiling.keyBlock, p.keys - key);
    const float *factors = rowScores.dropout(row, key, n);
    for (int64_t j = 0; j < n; ++j)
      data[(key + j) * p.kept.column] = factors[j] != 0;
  }
}

/// Sums the values of a row again, without keys whose probability is 0. What
/// hides keys from one row of a call and not from others multiplies their
/// values by 0 instead: that is NaN for infinities and NaN, and nothing else,
/// so only rows with NaN need this.
void ForwardTask::repairRow(int64_t r) {
  const AttentionRow &row = band.info[r];
  const AttentionTensor &values = p.value;
  const int64_t size = recipe::elementSize(values.type);
  float *s = scores + r * scorePitch, *to = out + r * outPitch;
  std::fill(to, to + outPitch, 0.0f);
  // Panels start at multiples of their width, so the first and the last may
  // hold keys that the row does not see.
  const int64_t width = tiling.keyKernel->columns;
  for (int64_t key = row.begin / width * width; key < row.end; key += width) {
    multiplyPanel(tiling, {c.keys, keyPanels, key, key + width, p.depth,
                           pointers + r, s, scorePitch});
    const int64_t first = std::max(key, row.begin);
    const int64_t n = std::min(key + width, row.end) - first;
    float *weights = s + (first - key);
    if (secondPass) {
      exactRow(r, first, n, weights);
    } else {
      rowScores.mask(row, first, n, weights);
      f.exponential(weights, n, rowScores.pendingScale(), maxima[r], 1);
      if (const float *factors = rowScores.dropout(row, first, n))
        f.multiply(weights, factors, n);
    }
    // A skipped weight of 0 is the point of this function: its value may be
    // infinite.
    for (int64_t j = 0; j < n; ++j) {
      const uint8_t *from =
          values.data +
          values.offset(row.image, row.head / p.group(), first + j) * size;
      for (int64_t d = 0; weights[j] != 0 && d < p.valueDepth; ++d)
        to[d] += weights[j] *
                 loadFloat(values.type, from + d * values.column * size);
    }
  }
}

void ForwardTask::finishRow(int64_t r) {
  const AttentionRow &row = band.info[r];
  const float *sum = out + r * outPitch;
  if (!std::isnan(sums[r]) && maxima[r] != -infinity &&
      std::isnan(f.dot(sum, sum, p.valueDepth)))
    repairRow(r);
  AttentionSums result{maxima[r], sums[r], out + r * outPitch};
  // In the second pass P is normalised, and `sums` holds the inverses.
  if (secondPass) {
    result.sum = 1 / sums[r];
    result.factor = sumScale;
    result.normalised = true;
  }
  result.outputScale = outputScale;
  const float most = storeAttentionRow(p, row, result, *tiling.depthKernel);
  mostOutput = std::max(mostOutput, most);
}

void ForwardTask::run(int64_t task) {
  rowScores.begin();
  sumScale = valueOf(p.sumScale) * valueOf(p.valueScale);
  probabilityScale = valueOf(p.probabilityScale);
  outputScale = valueOf(p.outputScale);
  mostProbability = mostOutput = 0;
  secondPass = false;
  place(task);
  // Two passes where probabilities are stored or rounded to f8: they must be
  // divided by the final sum first, so the first pass finds maxima and sums
  // only.
  passKeys(!c.twoPasses);
  if (c.twoPasses) {
    for (int64_t r = 0; r < band.count; ++r)
      sums[r] = 1 / sums[r];
    secondPass = true;
    passKeys(true);
  }
  band.forEachRow([&](int64_t r, bool started) {
    // No key was visible to any row of the block, so no product has written.
    if (!started)
      std::fill(out + r * outPitch, out + (r + 1) * outPitch, 0.0f);
    finishRow(r);
    if (p.probabilities)
      clearSaved(band.info[r]);
    if (p.kept)
      storeKept(band.info[r]);
  });
  if (c.largest) {
    c.largest[2 * task] = mostProbability;
    c.largest[2 * task + 1] = mostOutput;
  }
}

} // namespace gaudi::runtime
