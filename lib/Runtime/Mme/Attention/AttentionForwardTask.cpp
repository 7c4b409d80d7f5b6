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
  scorePitch = paddedRow(tiling.keyBlock);
  scores = parts.take<float>(rows * scorePitch);
  queryPitch = tiling.leftPitch(p.depth);
  queries = parts.take<uint8_t>(rows * queryPitch);
  narrowPitch = tiling.leftPitch(tiling.keyBlock);
  narrow = parts.take<uint8_t>(tiling.pairs() ? rows * narrowPitch : 0);
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

/// The online softmax of one row: raises its maximum, and rescales what is
/// summed so far to it.
void ForwardTask::onlineRow(int64_t r, int64_t key, int64_t n, float *s) {
  const float most = rowScores.score(band.info[r], key, n, s);
  if (most > maxima[r]) {
    const float factor = std::exp(maxima[r] - most);
    maxima[r] = most;
    sums[r] *= factor;
    if (multiplies && factor != 1)
      f.scale(out + r * outPitch, outPitch, factor);
  }
  // All scores are -infinity so far: nothing to add, and no maximum to
  // subtract.
  if (maxima[r] == -infinity && most == -infinity) {
    for (int64_t j = 0; j < n; ++j) {
      s[j] = std::isnan(s[j]) ? s[j] : 0;
      sums[r] += s[j];
    }
    return;
  }
  sums[r] += f.exponential(s, n, maxima[r], 1);
  if (!multiplies)
    return;
  if (const float *factors = rowScores.dropout(band.info[r], key, n))
    f.multiply(s, factors, n);
}

/// The probabilities of one row from its final maximum and sum, rounded as the
/// second product reads them.
void ForwardTask::exactRow(int64_t r, int64_t key, int64_t n, float *s) {
  const AttentionRow &row = band.info[r];
  rowScores.score(row, key, n, s);
  // The row sees no key: its probabilities are 0, not 0 / 0.
  if (maxima[r] == -infinity)
    std::fill(s, s + n, 0.0f);
  else
    f.exponential(s, n, maxima[r], sums[r]);
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

void ForwardTask::softmaxBlock(const AttentionBlock &block, int64_t begin,
                               int64_t end) {
  const int64_t lowest = std::max(block.begin, begin);
  const int64_t highest = std::min(block.end, end);
  if (lowest >= highest)
    return;
  for (int64_t r = block.row; r < block.row + block.count; ++r) {
    float *row = scores + r * scorePitch - begin; // by key
    const int64_t first = std::clamp(band.info[r].begin, lowest, highest);
    const int64_t last = std::clamp(band.info[r].end, first, highest);
    if (first < last) {
      if (secondPass)
        exactRow(r, first, last - first, row + first);
      else
        onlineRow(r, first, last - first, row + first);
    }
    if (!multiplies)
      continue;
    // Keys that others of the block see have probability 0; so have those that
    // fill up the first and the last step.
    const int64_t from = tiling.startOf(lowest - begin);
    std::fill(row + from + begin, row + first, 0.0f);
    std::fill(row + last, row + highest + 1, 0.0f);
    left[r] = reinterpret_cast<const uint8_t *>(row + begin);
    if (tiling.pairs()) {
      uint8_t *to = narrow + r * narrowPitch;
      tiling.keyKernel->roundToBf16(row + begin + from,
                                    reinterpret_cast<uint16_t *>(to) + from,
                                    (highest - begin + 1) / 2 * 2 - from);
      left[r] = to;
    }
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
      rowScores.score(row, first, n, weights);
      f.exponential(weights, n, maxima[r], 1);
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
      std::any_of(sum, sum + p.valueDepth, [](float x) { return x != x; }))
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
