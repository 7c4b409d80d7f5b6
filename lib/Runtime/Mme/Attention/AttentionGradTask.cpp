// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One task of the gradient of attention.
#include "AttentionGradTask.h"

#include "../../Commands/Copy.h"
#include "../Tiles/TileCommand.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

namespace gaudi::runtime {

using recipe::ElementType;

GradTask::GradTask(const AttentionGrad &command, uint8_t *scratch)
    : c(command), p(c.p), tiling(c.tiling), f(*tiling.functions),
      parts(scratch), rowScores(p, f, tiling.keyBlock, parts),
      band(tiling, parts) {
  const int64_t rows = tiling.taskRows;
  queryRows = parts.take<const uint8_t *>(rows);
  gradRows = parts.take<const uint8_t *>(rows);
  leftRows = parts.take<const uint8_t *>(rows);
  queryColumns = parts.take<const uint8_t *>(p.depth);
  gradColumns = parts.take<const uint8_t *>(p.valueDepth);
  maxima = parts.take<float>(rows);
  inverses = parts.take<float>(rows);
  means = parts.take<float>(rows);
  queries = parts.take<uint8_t>(rows * tiling.leftPitch(p.depth));
  grads = parts.take<uint8_t>(rows * tiling.leftPitch(p.valueDepth));
  acrossPitch = tiling.leftPitch(rows);
  queriesAcross = parts.take<uint8_t>(p.depth * acrossPitch);
  gradsAcross = parts.take<uint8_t>(p.valueDepth * acrossPitch);
  scorePitch = paddedRow(tiling.keyBlock);
  scores = parts.take<float>(rows * scorePitch);
  changes = parts.take<float>(rows * scorePitch);
  narrowPitch = tiling.leftPitch(tiling.keyBlock);
  narrow = parts.take<uint8_t>(tiling.pairs() ? 2 * rows * narrowPitch : 0);
  outPitch = paddedRow(c.keyDepths.panelsPerBlock() * c.keyDepths.width());
  queryGrads = parts.take<float>(rows * outPitch);
  staged = parts.take<float>(
      paddedRow(std::max({p.depth, p.valueDepth, c.keys.scratchFloats(),
                          c.values.scratchFloats()})));
  // P' and dS as right sides: rows of the band are the steps.
  const bool pairs = tiling.pairs();
  scoreSource = {nullptr,
                 rowType(*tiling.keyKernel),
                 rows,
                 tiling.keyBlock,
                 pairs ? narrowPitch / 2 : scorePitch,
                 1,
                 {0}};
  scoreLayout = PanelLayout(*tiling.keyKernel, scoreSource);
  const int64_t panelBytes = scoreLayout.pitch() * scoreLayout.panels;
  scorePanels = parts.take<uint8_t>(panelBytes);
  changePanels = parts.take<uint8_t>(panelBytes);
  // Sums of whole blocks of keys: the last block of a chunk may be partial.
  const int64_t sums =
      (c.chunkKeys + tiling.keyBlock - 1) / tiling.keyBlock * tiling.keyBlock;
  keySums = parts.take<float>(sums * p.depth);
  valueSums = parts.take<float>(sums * p.valueDepth);
}

void GradTask::placeBand(int64_t entered, int64_t number) {
  unit = entered;
  firstRow = number * tiling.taskRows;
  band.place(p, tiling, unit, firstRow,
             std::min(tiling.taskRows, p.unitRows() - firstRow));
  for (int64_t r = 0; r < band.count; ++r) {
    const AttentionRow &place = band.info[r];
    uint8_t *query = queries + r * tiling.leftPitch(p.depth);
    uint8_t *grad = grads + r * tiling.leftPitch(p.valueDepth);
    copyLeftRow(tiling, p.query, place, p.depth, query);
    copyLeftRow(tiling, p.outputGrad, place, p.valueDepth, grad);
    queryRows[r] = query;
    gradRows[r] = grad;
    // The softmax was saved by the forward pass: nothing is summed again.
    if (p.maxima) {
      auto load = [&](const AttentionTensor &t) {
        return loadFloat(
            t.type, t.data + t.offset(place.image, place.head, place.query) *
                                 recipe::elementSize(t.type));
      };
      maxima[r] = load(p.maxima);
      inverses[r] = load(p.inverseSums);
    }
    means[r] = c.means[unit * p.unitRows() + firstRow + r];
  }
}

/// Q^T and dO^T of the band, as left sides whose steps are rows.
void GradTask::transposeLeft() {
  auto across = [&](auto zero, const uint8_t *from, int64_t pitch,
                    int64_t depth, uint8_t *to) {
    using T = decltype(zero);
    // In pairs, an odd row has zeros beside it.
    const int64_t padded =
        tiling.pairs() ? (band.count + 1) / 2 * 2 : band.count;
    for (int64_t d = 0; d < depth; ++d) {
      T *column = reinterpret_cast<T *>(to + d * acrossPitch);
      for (int64_t r = 0; r < band.count; ++r)
        column[r] = reinterpret_cast<const T *>(from + r * pitch)[d];
      for (int64_t r = band.count; r < padded; ++r)
        column[r] = 0;
    }
  };
  auto both = [&](auto zero) {
    across(zero, queries, tiling.leftPitch(p.depth), p.depth, queriesAcross);
    across(zero, grads, tiling.leftPitch(p.valueDepth), p.valueDepth,
           gradsAcross);
  };
  tiling.pairs() ? both(uint16_t(0)) : both(0.0f);
}

/// Sums of products of the band's rows with keys [begin, end), one row of
/// `to` per row; begin is that of a block of keys.
void GradTask::multiplyKeys(int64_t begin, int64_t end,
                            const uint8_t *const *rows, int64_t depth,
                            const AttentionPanels &panels, const uint8_t *data,
                            float *to) const {
  runtime::multiplyKeys(
      tiling, {panels, data, begin, end, depth, rows, to, scorePitch}, band);
}

/// From a row of S and of dP without dropout to P' and dS, or to the row's D.
void GradTask::differentiateRow(int64_t r, int64_t key, int64_t n, float *s,
                                float *d, bool meansOnly) {
  const AttentionRow &row = band.info[r];
  if (p.probabilities) {
    const AttentionTensor &from = p.probabilities;
    convertRow(from.type,
               from.data + (from.offset(row.image, row.head, row.query) +
                            key * from.column) *
                               recipe::elementSize(from.type),
               from.column, ElementType::F32, reinterpret_cast<uint8_t *>(s), 1,
               n);
  } else {
    rowScores.mask(row, key, n, s);
    // Without keys, or with a maximum that the forward command could not
    // store.
    if (inverses[r] == 0)
      std::fill(s, s + n, 0.0f);
    else
      f.exponential(s, n, rowScores.pendingScale(), maxima[r], inverses[r]);
  }
  const float *factors = rowScores.dropout(row, key, n);
  if (factors)
    f.multiply(d, factors, n);
  if (meansOnly) {
    f.softmaxGrad(d, s, 0, n);
    for (int64_t j = 0; j < n; ++j)
      means[r] += d[j];
    return;
  }
  f.softmaxGrad(d, s, means[r], n);
  if (factors)
    f.multiply(s, factors, n);
  // A score that a mask replaced does not depend on queries and keys.
  if (const float *hidden = rowScores.hidden(row, key, n))
    for (int64_t j = 0; j < n; ++j)
      d[j] = hidden[j] != 0 ? 0 : d[j];
}

void GradTask::addQueryGrads(int64_t begin, int64_t low, int64_t high) {
  const int64_t blockBytes = c.keyDepths.panelsPerBlock() * c.keyDepths.pitch();
  const DepthProduct product = {c.keyDepths,
                                c.keyDepthPanels +
                                    unit * int64_t(c.keyDepths.bytes()) +
                                    begin / tiling.keyBlock * blockBytes,
                                begin,
                                low,
                                high,
                                leftRows,
                                queryGrads,
                                outPitch};
  multiplyDepth(tiling, product, band);
}

/// dV^T += dO^T P' and dK^T += Q^T dS for the panels that hold keys low to
/// high of the block that begins at `begin`.
void GradTask::addKeyGrads(int64_t begin, int64_t low, int64_t high) {
  const int64_t width = tiling.keyKernel->columns;
  const bool pairs = tiling.pairs();
  PanelSource &source = scoreSource;
  BlockCall call = attentionCall();
  call.cStride = tiling.keyBlock;
  call.steps = tiling.steps(band.count);
  call.accumulate = true;
  // Steps after the rows of this band are zeros.
  source.depth = band.count;
  scoreLayout = PanelLayout(*tiling.keyKernel, source);
  call.panelBytes = scoreLayout.pitch();
  for (const bool ofValues : {true, false}) {
    const float *from = ofValues ? scores : changes;
    const uint8_t *rows =
        pairs ? narrow + (ofValues ? 0 : 1) * tiling.taskRows * narrowPitch
              : reinterpret_cast<const uint8_t *>(from);
    uint8_t *packed = ofValues ? scorePanels : changePanels;
    const uint8_t *const *left = ofValues ? gradColumns : queryColumns;
    const int64_t depth = ofValues ? p.valueDepth : p.depth;
    float *sums = (ofValues ? valueSums : keySums) + sumsOffset(begin, depth);
    // The left sides are transposed, so their rows are positions of depth: more
    // than one call of the kernel may take.
    const int64_t most = tiling.keyKernel->rows;
    const int64_t cuts = (depth + most - 1) / most;
    // Only panels with a key that the band sees: others would add zeros.
    const int64_t firstPanel = (low - begin) / width;
    const int64_t endPanel = (high - begin + width - 1) / width;
    call.panels = tiling.panelsTogether() ? endPanel - firstPanel : 1;
    for (int64_t key = firstPanel; key < endPanel; key += call.panels) {
      // Packed once, then read by all cuts of depth.
      uint8_t *to = packed + key * scoreLayout.pitch();
      for (int64_t i = 0; i < call.panels; ++i)
        packPanel(source, rows, scoreLayout, key + i,
                  to + i * scoreLayout.pitch());
      call.panel = call.prefetch = to;
      for (int64_t cut = 0; cut < cuts; ++cut) {
        const int64_t first = cut * depth / cuts;
        call.rows = left + first;
        call.c = sums + first * tiling.keyBlock + key * width;
        call.count = int((cut + 1) * depth / cuts - first);
        tiling.keyKernel->functions[call.count](call);
      }
    }
  }
}

void GradTask::addKeys(int64_t begin, int64_t end, bool meansOnly) {
  const int64_t low = std::max(begin, band.begin),
                high = std::min(end, band.end);
  const int64_t width = tiling.keyKernel->columns;
  // Whole panels around the keys that the band sees.
  const int64_t panelsBegin = (low - begin) / width * width;
  const int64_t panelsEnd = (high - begin + width - 1) / width * width;
  // Saved probabilities are read by differentiateRow instead.
  if (!p.probabilities)
    multiplyKeys(begin, end, queryRows, p.depth, c.keys,
                 c.keyPanels + unit * int64_t(c.keys.bytes()), scores);
  multiplyKeys(begin, end, gradRows, p.valueDepth, c.values,
               c.valuePanels + unit * int64_t(c.values.bytes()), changes);
  for (int64_t r = 0; r < band.count; ++r) {
    float *s = scores + r * scorePitch, *d = changes + r * scorePitch;
    const int64_t first = std::clamp(band.info[r].begin, low, high) - begin;
    const int64_t last =
        std::clamp(band.info[r].end, first + begin, high) - begin;
    if (first < last)
      differentiateRow(r, begin + first, last - first, s + first, d + first,
                       meansOnly);
    if (meansOnly)
      continue;
    // Keys in the panels that this row does not see have stale scores. They are
    // zeros in all three products.
    for (float *row : {s, d}) {
      std::fill(row + panelsBegin, row + first, 0.0f);
      std::fill(row + last, row + panelsEnd, 0.0f);
    }
    leftRows[r] = reinterpret_cast<const uint8_t *>(d);
    if (tiling.pairs()) {
      uint8_t *to = narrow + r * narrowPitch;
      uint8_t *change = to + tiling.taskRows * narrowPitch;
      for (auto [row, narrowed] : {std::pair(s, to), std::pair(d, change)})
        tiling.keyKernel->roundToBf16(row + panelsBegin,
                                      reinterpret_cast<uint16_t *>(narrowed) +
                                          panelsBegin,
                                      panelsEnd - panelsBegin);
      leftRows[r] = change;
    }
  }
  if (meansOnly)
    return;
  addQueryGrads(begin, low, high);
  addKeyGrads(begin, low, high);
}

/// Sums the query gradient of one row again, from the keys that it sees alone.
/// A key that is hidden from one row of a call and not from others is
/// multiplied by 0 instead: that is NaN for infinities and NaN, and nothing
/// else, so only rows with NaN need this.
void GradTask::repairRow(int64_t r) {
  const AttentionRow &row = band.info[r];
  const AttentionTensor &keys = p.key;
  const int64_t size = recipe::elementSize(keys.type);
  const int64_t width = tiling.keyKernel->columns;
  const int64_t low = std::max(row.begin, firstKey),
                high = std::min(row.end, endKey);
  float *s = scores + r * scorePitch, *d = changes + r * scorePitch;
  float *to = queryGrads + r * outPitch;
  const auto multiply = [&](const uint8_t *const *left, int64_t depth,
                            const AttentionPanels &panels, const uint8_t *data,
                            int64_t key, float *sums) {
    multiplyPanel(tiling, {panels, data + unit * int64_t(panels.bytes()), key,
                           key + width, depth, left, sums, scorePitch});
  };
  // Sums of this row start again: what they held is NaN.
  std::fill(to, to + p.depth, 0.0f);
  // Panels start at multiples of their width, so the first and the last may
  // hold keys that the row does not see.
  for (int64_t key = low / width * width; key < high; key += width) {
    if (!p.probabilities)
      multiply(queryRows + r, p.depth, c.keys, c.keyPanels, key, s);
    multiply(gradRows + r, p.valueDepth, c.values, c.valuePanels, key, d);
    const int64_t first = std::max(key, low);
    const int64_t n = std::min(key + width, high) - first;
    float *changed = d + (first - key);
    differentiateRow(r, first, n, s + (first - key), changed, false);
    for (int64_t j = 0; j < n; ++j) {
      // Not multiplied: 0 times an infinite key is NaN.
      if (changed[j] == 0)
        continue;
      const uint8_t *from =
          keys.data +
          keys.offset(row.image, row.head / p.group(), first + j) * size;
      for (int64_t e = 0; e < p.depth; ++e)
        to[e] +=
            changed[j] * loadFloat(keys.type, from + e * keys.column * size);
    }
  }
}

void GradTask::storeQueryGrads(int64_t chunk) {
  band.forEachRow([&](int64_t r, bool started) {
    float *row = queryGrads + r * outPitch;
    // No key is visible to the block.
    if (!started)
      std::fill(row, row + p.depth, 0.0f);
    else if (!std::isnan(means[r]) &&
             std::any_of(row, row + p.depth, [](float x) { return x != x; }))
      repairRow(r);
    if (c.queryParts) {
      std::copy_n(row, p.depth,
                  c.queryParts + ((chunk * p.units() + unit) * p.unitRows() +
                                  firstRow + r) *
                                     p.depth);
      return;
    }
    f.scale(row, p.depth, rowScores.factor());
    storeTensorRow(p.queryGrad, band.info[r], row, p.depth, *tiling.keyKernel);
  });
}

void GradTask::storeKeyGrads(const AttentionTensor &grad, float *images,
                             const float *sums, int64_t depth, float factor) {
  AttentionRow row;
  row.image = unit / p.keyHeads;
  row.head = unit % p.keyHeads;
  for (int64_t key = firstKey; key < endKey; ++key) {
    const float *from =
        sums + sumsOffset(key, depth) + (key - firstKey) % tiling.keyBlock;
    for (int64_t d = 0; d < depth; ++d)
      staged[d] = from[d * tiling.keyBlock] * factor;
    row.query = key;
    if (images)
      std::copy_n(staged, depth, images + (unit * p.keys + key) * depth);
    else
      storeTensorRow(grad, row, staged, depth, *tiling.keyKernel);
  }
}

void GradTask::run(int64_t entered, int64_t chunk) {
  rowScores.begin();
  firstKey = chunk * c.chunkKeys;
  endKey = std::min(firstKey + c.chunkKeys, p.keys);
  assert(firstKey < endKey && "a chunk has keys");
  const int64_t sums = (endKey - firstKey + tiling.keyBlock - 1) /
                       tiling.keyBlock * tiling.keyBlock;
  std::fill(keySums, keySums + sums * p.depth, 0.0f);
  std::fill(valueSums, valueSums + sums * p.valueDepth, 0.0f);
  // Pointers to the rows of Q^T and dO^T, whose contents change with each band.
  for (int64_t d = 0; d < p.depth; ++d)
    queryColumns[d] = queriesAcross + d * acrossPitch;
  for (int64_t d = 0; d < p.valueDepth; ++d)
    gradColumns[d] = gradsAcross + d * acrossPitch;
  // All bands of a unit in order: each adds to the sums of the chunk's keys, so
  // their order is that of the rows on any number of threads.
  for (int64_t number = 0; number < tiling.tasksPerUnit; ++number) {
    placeBand(entered, number);
    transposeLeft();
    const int64_t from = std::max(firstKey, band.begin) / tiling.keyBlock;
    for (int64_t begin = from * tiling.keyBlock;
         begin < std::min(endKey, band.end); begin += tiling.keyBlock)
      addKeys(begin, std::min(begin + tiling.keyBlock, p.keys), false);
    storeQueryGrads(chunk);
  }
  // dK is scaled once per sum instead of once per score: dS is of the scaled
  // scores. dV needs no factor.
  storeKeyGrads(p.keyGrad, c.keyParts, keySums, p.depth, rowScores.factor());
  storeKeyGrads(p.valueGrad, c.valueParts, valueSums, p.valueDepth, 1);
}

void GradTask::findMeans(int64_t entered, int64_t number) {
  rowScores.begin();
  placeBand(entered, number);
  std::fill(means, means + band.count, 0.0f);
  for (int64_t begin = band.begin / tiling.keyBlock * tiling.keyBlock;
       begin < band.end; begin += tiling.keyBlock)
    addKeys(begin, std::min(begin + tiling.keyBlock, p.keys), true);
  std::copy_n(means, band.count, c.means + unit * p.unitRows() + firstRow);
}

} // namespace gaudi::runtime
