// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an attention command is cut into tasks.
#include "AttentionTiling.h"

#include "../../Commands/Copy.h"
#include "../Kernels/KernelChoice.h"
#include "../Packing/StagingBound.h"
#include "../Tiles/TileCommand.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace gaudi::runtime {

using recipe::ElementType;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Bytes of packed keys and values of one block: together with the scores of a
/// task in an L2 of 1 MiB.
constexpr int64_t blockBytes = 256 << 10;
/// Most keys of a block.
constexpr int64_t mostKeys = 512;
/// Bytes of panels of a matrix with `positions` and `depth`, of any kernel and
/// in both orders; saturates.
uint64_t panelBytes(const AttentionProblem &p, int64_t depth) {
  // Both are filled up to whole panels or blocks, and panels to cache lines.
  const uint64_t positions = uint64_t(p.keys) + mostKeys;
  const uint64_t columns = uint64_t(depth) + 2 * maxPanelColumns;
  return times(times(times(positions, columns), sizeof(float)),
               uint64_t(p.units()));
}

} // namespace

AttentionTiling::AttentionTiling(const AttentionProblem &p,
                                 const MicroKernel &kernel) {
  functions = rowFunctions(kernel);
  keyKernel = &fitting(kernel, p.keys);
  depthKernel = &fitting(kernel, p.valueDepth);
  blockRows = std::min(keyKernel->rows, depthKernel->rows);
  const int64_t bytesPerKey = (p.depth + p.valueDepth) * (pairs() ? 2 : 4);
  const int64_t width = keyKernel->columns;
  keyBlock =
      std::clamp(blockBytes / bytesPerKey / width * width, 2 * width, mostKeys);
  keyBlock = std::min(keyBlock, (p.keys + width - 1) / width * width);
  // Fewer rows per task where there are few: at least one block.
  taskRows = blocksOf(mostTaskRows) * blockRows;
  const int64_t rows = p.unitRows();
  while (taskRows > blockRows &&
         p.units() * ((rows + taskRows - 1) / taskRows) < enoughTasks)
    taskRows -= blockRows;
  tasksPerUnit = (rows + taskRows - 1) / taskRows;
  // Tasks of a unit are equal, up to one row.
  taskRows = (rows + tasksPerUnit - 1) / tasksPerUnit;
}

uint64_t attentionStaging(const AttentionProblem &p) {
  const uint64_t tasks = times(uint64_t(p.units()), uint64_t(p.unitRows()));
  const uint64_t panels =
      plus(panelBytes(p, p.depth), panelBytes(p, p.valueDepth));
  // Maxima of tasks, or partial sums of few rows.
  const uint64_t rest =
      times(plus(tasks, uint64_t(enoughTasks) * 8),
            times(uint64_t(p.valueDepth) + 4 * rowLanes, sizeof(float)));
  return plus(panels, rest);
}

uint64_t attentionGradStaging(const AttentionProblem &p) {
  const uint64_t rows = times(uint64_t(p.units()), uint64_t(p.unitRows()));
  const uint64_t panels =
      plus(times(panelBytes(p, p.depth), 2), panelBytes(p, p.valueDepth));
  const uint64_t chunks = uint64_t(std::max<int64_t>(16 / p.units(), 1));
  // Query gradients of each chunk, D, and images of shared keys.
  const uint64_t rest = plus(times(rows, times(chunks, uint64_t(p.depth) + 1)),
                             times(times(uint64_t(p.units()), uint64_t(p.keys)),
                                   uint64_t(p.depth) + uint64_t(p.valueDepth)));
  return plus(panels, plus(times(rest, sizeof(float)), 1024));
}

void AttentionBand::place(const AttentionProblem &p,
                          const AttentionTiling &tiling, int64_t unit,
                          int64_t first, int64_t rows) {
  count = rows;
  blockCount = tiling.blocksOf(count);
  // The ranges start empty: rows without visible keys must not widen them.
  begin = p.keys;
  end = 0;
  for (int64_t b = 0; b < blockCount; ++b) {
    // Blocks differ by at most one row: no call is left with a few rows only.
    const int64_t row = b * count / blockCount;
    AttentionBlock &block = blocks[b];
    block = {row, (b + 1) * count / blockCount - row, p.keys, 0};
    started[b] = false;
    for (int64_t r = row; r < row + block.count; ++r) {
      AttentionRow &place = info[r];
      // Most rows are of the query after the one before: nothing is divided.
      if (r > 0 && info[r - 1].query + 1 < p.queries) {
        place = info[r - 1];
        ++place.query;
        place.findKeys(p);
      } else {
        place = AttentionRow(p, unit, first + r);
      }
      if (place.begin < place.end) {
        block.begin = std::min(block.begin, place.begin);
        block.end = std::max(block.end, place.end);
      }
    }
    // No row of the block sees a key.
    if (block.begin > block.end)
      block.begin = block.end = 0;
    begin = std::min(begin, block.begin);
    end = std::max(end, block.end);
  }
}

std::string AttentionTasks::describe(const char *name) const {
  return fmt::format("{}:{}:{}x{}:{}, {} keys at a time", name,
                     tiling.keyKernel->name, tiling.blockRows,
                     tiling.keyKernel->columns, tiling.pairs() ? "bf16" : "f32",
                     tiling.keyBlock);
}

BlockCall attentionCall() {
  static const int64_t start = 0;
  BlockCall call{};
  call.depths = &start;
  call.segments = call.count = 1;
  return call;
}

void multiplyKeys(const AttentionTiling &tiling, const KeyProduct &product,
                  const AttentionBand &band) {
  const int64_t width = product.layout.width();
  const int64_t together = tiling.panelsTogether() ? tiling.keyBlock : width;
  BlockCall call = attentionCall();
  call.steps = tiling.steps(product.depth);
  call.panelBytes = product.layout.pitch();
  call.cStride = product.pitch;
  // Keys outside, rows inside: panels stay in the cache for all blocks.
  for (int64_t key = product.begin; key < product.end; key += together)
    for (int64_t b = 0; b < band.blockCount; ++b) {
      const AttentionBlock &rows = band.blocks[b];
      // A call begins at a whole panel; the columns before are not read.
      const int64_t first = std::max(key, rows.begin / width * width);
      const int64_t end = std::min({key + together, product.end, rows.end});
      if (first >= end)
        continue;
      call.panels = (end - first + width - 1) / width;
      call.panel = call.prefetch =
          product.panels + first / width * call.panelBytes;
      call.rows = product.rows + rows.row;
      call.c = product.to + rows.row * product.pitch + (first - product.begin);
      call.count = int(rows.count);
      tiling.keyKernel->functions[rows.count](call);
    }
}

void multiplyPanel(const AttentionTiling &tiling, const KeyProduct &product) {
  BlockCall call = attentionCall();
  call.rows = product.rows;
  call.steps = tiling.steps(product.depth);
  call.panels = 1;
  call.panelBytes = product.layout.pitch();
  call.cStride = product.pitch;
  call.c = product.to;
  call.panel = call.prefetch =
      product.panels + product.begin / product.layout.width() * call.panelBytes;
  tiling.keyKernel->functions[1](call);
}

void multiplyDepth(const AttentionTiling &tiling, const DepthProduct &product,
                   const AttentionBand &band) {
  const int64_t panels = product.layout.panelsPerBlock();
  const int64_t panelBytes = product.layout.pitch();
  const int64_t perStep = tiling.pairs() ? 2 : 1;
  BlockCall call = attentionCall();
  call.panels = tiling.panelsTogether() ? panels : 1;
  call.panelBytes = panelBytes;
  call.cStride = product.pitch;
  // Panels outside, blocks inside: a panel stays in L1 while all blocks pass. A
  // kernel on tiles gets all panels in one call, so this loop runs once.
  for (int64_t panel = 0; panel < panels; panel += call.panels)
    for (int64_t b = 0; b < band.blockCount; ++b) {
      const AttentionBlock &rows = band.blocks[b];
      const int64_t begin = std::max(rows.begin, product.begin),
                    end = std::min(rows.end, product.end);
      if (begin >= end)
        continue;
      // A reduction starts at a pair, or at a whole tile.
      const int64_t first = tiling.startOf(begin - product.firstKey) / perStep;
      const int64_t last = (end - product.firstKey + perStep - 1) / perStep;
      call.steps = last - first;
      call.offset = first * 4;
      call.panel = call.prefetch = product.panels + panel * panelBytes +
                                   first * product.layout.stepBytes();
      call.rows = product.left + rows.row;
      call.c = product.sums + rows.row * product.pitch +
               panel * product.layout.width();
      call.accumulate = band.started[b];
      call.count = int(rows.count);
      tiling.depthKernel->functions[rows.count](call);
      // Panels of one block of rows share the flag: it changes after the last.
      if (panel + call.panels == panels)
        band.started[b] = true;
    }
}

void loadRow(const AttentionFunctions &functions, ElementType type,
             const uint8_t *from, int64_t stride, float *to, int64_t count) {
  if (type == ElementType::BF16 && stride == 1)
    functions.fromBf16(reinterpret_cast<const uint16_t *>(from), to, count);
  else
    convertRow(type, from, stride, ElementType::F32,
               reinterpret_cast<uint8_t *>(to), 1, count);
}

void copyLeftRow(const AttentionTiling &tiling, const AttentionTensor &tensor,
                 const AttentionRow &row, int64_t depth, uint8_t *to) {
  const uint8_t *from =
      tensor.data + tensor.offset(row.image, row.head, row.query) *
                        recipe::elementSize(tensor.type);
  if (!tiling.pairs())
    return loadRow(*tiling.functions, tensor.type, from, tensor.column,
                   reinterpret_cast<float *>(to), depth);
  convertRow(tensor.type, from, tensor.column, ElementType::BF16, to, 1, depth);
  if (depth % 2)
    std::memset(to + depth * 2, 0, 2);
}

void storeTensorRow(const AttentionTensor &tensor, const AttentionRow &row,
                    const float *from, int64_t count,
                    const MicroKernel &kernel) {
  uint8_t *to = tensor.data + tensor.offset(row.image, row.head, row.query) *
                                  recipe::elementSize(tensor.type);
  if (tensor.type == ElementType::BF16 && tensor.column == 1)
    kernel.roundToBf16(from, reinterpret_cast<uint16_t *>(to), count);
  else
    convertRow(ElementType::F32, reinterpret_cast<const uint8_t *>(from), 1,
               tensor.type, to, tensor.column, count);
}

void saturate(float *values, int64_t count, float largest) {
  for (int64_t i = 0; i < count; ++i)
    values[i] = std::clamp(values[i], -largest, largest); // NaN stays
}

float storeAttentionRow(const AttentionProblem &p, const AttentionRow &row,
                        const AttentionSums &sums, const MicroKernel &kernel) {
  const AttentionFunctions &f = *kernel.attention;
  // The sum of a row that holds a NaN is NaN.
  const bool empty = sums.maximum == -infinity && !std::isnan(sums.sum);
  const float inverse = empty ? 0 : 1 / sums.sum;
  if (empty)
    std::fill(sums.values, sums.values + p.valueDepth, 0.0f);
  else
    f.scale(sums.values, p.valueDepth,
            sums.normalised ? sums.factor : sums.factor * inverse);
  float most = 0;
  if (p.largestOutput)
    most = f.largest(sums.values, p.valueDepth);
  if (sums.outputScale != 1)
    f.scale(sums.values, p.valueDepth, sums.outputScale);
  if (recipe::elementSize(p.output.type) == 1)
    saturate(sums.values, p.valueDepth, p.largest);
  storeTensorRow(p.output, row, sums.values, p.valueDepth, kernel);
  if (!p.maxima)
    return most;
  const float maximum = empty ? 0 : sums.maximum;
  storeTensorRow(p.maxima, row, &maximum, 1, kernel);
  // The stored sum is one of differences to the stored maximum.
  const float stored = loadFloat(
      p.maxima.type,
      p.maxima.data + p.maxima.offset(row.image, row.head, row.query) *
                          recipe::elementSize(p.maxima.type));
  float inverseSum =
      stored == maximum ? inverse : inverse * std::exp(stored - maximum);
  // A narrow maximum may be too far from the scores for their exponentials.
  if (std::isinf(inverseSum))
    inverseSum = 0;
  storeTensorRow(p.inverseSums, row, &inverseSum, 1, kernel);
  return most;
}

} // namespace gaudi::runtime
