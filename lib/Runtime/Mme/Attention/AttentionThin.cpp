// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention of few queries, such as one token against a cache of keys. Packing
// keys and values would take longer than the products: they are read in place,
// or through a converted copy of a few keys in L1. The queries of all heads
// that share keys read them together.
//
// Keys are split among tasks by shape alone; the partial sums of a row are then
// merged in order (split attention of Dao et al., "Flash-Decoding", 2023).
#include "AttentionTiling.h"

#include "../../Commands/Copy.h"
#include "../Packing/OperandCopies.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include <cassert>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace gaudi::runtime {

using recipe::ElementType;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Rows of a unit up to which panels would not pay.
constexpr int64_t mostThinRows = 8;
/// Keys of a step of the softmax: converted, with their values, they fit an L1
/// of 48 KiB or little more than it.
constexpr int64_t thinKeys = 64;
/// Rows of prefetch distance.
constexpr int64_t rowsAhead = 16;
/// Fewest keys of a task: they take as long to read as a merge.
constexpr int64_t leastSplit = 256;

/// The parts of one problem.
struct ThinParts {
  int64_t splits, splitKeys;

  explicit ThinParts(const AttentionProblem &p) {
    const int64_t most = (p.keys + leastSplit - 1) / leastSplit;
    splits = std::clamp<int64_t>(enoughTasks / p.units(), 1, most);
    splitKeys = (p.keys + splits - 1) / splits;
    splitKeys = (splitKeys + thinKeys - 1) / thinKeys * thinKeys;
    splits = (p.keys + splitKeys - 1) / splitKeys;
  }
};

class ThinAttention final : public PreparedCommand {
public:
  ThinAttention(const AttentionProblem &problem, const MicroKernel &kernel,
                PrepareContext &context);

  void run(LaunchContext &context) override;
  std::string implementation() const override {
    return fmt::format("attention:{}:thin, keys in {} parts", kernel.name,
                       parts.splits);
  }
  uint64_t scratchBytes() const override;
  void bindScratch(uint8_t *const *perWorker) override { scratch = perWorker; }
  void visitAddresses(AddressVisitor &visitor) override {
    p.visitAddresses(visitor);
    visitor.visit(partials);
  }

private:
  friend class ThinTask;
  void merge(int64_t unit, int64_t row, float *sums) const;
  /// Of one row and split: maximum, sum, then the weighted values.
  float *partial(int64_t unit, int64_t split, int64_t row) const {
    return partials +
           ((unit * parts.splits + split) * p.unitRows() + row) * pitch;
  }

  AttentionProblem p; // only its addresses change
  const MicroKernel &kernel;
  const ThinParts parts;
  const int64_t pitch; // of a partial row
  float *partials;
  uint8_t *const *scratch = nullptr;
};

/// A task: some keys of a unit, for all its rows.
class ThinTask {
public:
  ThinTask(const ThinAttention &command, uint8_t *scratch)
      : c(command), p(c.p), f(*c.kernel.attention), parts(scratch),
        rowScores(p, f, thinKeys, parts) {
    info = parts.take<AttentionRow>(mostThinRows);
    queryPitch = paddedRow(p.depth);
    queries = parts.take<float>(mostThinRows * queryPitch);
    scores = parts.take<float>(mostThinRows * scorePitch);
    outPitch = paddedRow(p.valueDepth);
    out = parts.take<float>(mostThinRows * outPitch);
    copyPitch = paddedRow(std::max(p.depth, p.valueDepth));
    copies = parts.take<float>(thinKeys * copyPitch);
  }
  uint64_t bytes() const { return parts.bytes(); }

  void run(int64_t unit, int64_t split);

private:
  /// Keys or values as the right side of a product.
  struct Right {
    const float *data;
    int64_t keyStride, depthStride;
  };
  Right rightSide(const AttentionTensor &tensor, int64_t depth, int64_t image,
                  int64_t head, int64_t key, int64_t count, bool alongDepth);
  void addKeys(int64_t unit, int64_t split, int64_t key, int64_t count);

  const ThinAttention &c;
  const AttentionProblem &p;
  const AttentionFunctions &f;
  ScratchParts parts;
  ScoreRows rowScores;
  static constexpr int64_t scorePitch = thinKeys + 2 * rowLanes;
  int64_t queryPitch, outPitch, copyPitch;
  AttentionRow *info;
  float *queries, *scores, *out, *copies;
};

ThinTask::Right ThinTask::rightSide(const AttentionTensor &tensor,
                                    int64_t depth, int64_t image, int64_t head,
                                    int64_t key, int64_t count,
                                    bool alongDepth) {
  const int64_t size = recipe::elementSize(tensor.type);
  const uint8_t *from = tensor.data + tensor.offset(image, head, key) * size;
  if (tensor.type == ElementType::F32 &&
      (tensor.column == 1 || (tensor.row == 1 && !alongDepth)))
    return {reinterpret_cast<const float *>(from), tensor.row, tensor.column};
  // Keys that are contiguous for each element of the depth stay so.
  if (tensor.row == 1 && tensor.column != 1 && !alongDepth &&
      depth * thinKeys <= thinKeys * copyPitch) {
    for (int64_t d = 0; d < depth; ++d)
      loadRow(f, tensor.type, from + d * tensor.column * size, 1,
              copies + d * thinKeys, count);
    return {copies, 1, thinKeys};
  }
  // Rows are shorter than what hardware prefetchers need to find a stream.
  for (int64_t k = 0; k < count; ++k) {
    const uint8_t *row = from + k * tensor.row * size;
    for (int64_t line = 0; line < depth * size; line += 64)
      __builtin_prefetch(row + rowsAhead * tensor.row * size + line);
    loadRow(f, tensor.type, row, tensor.column, copies + k * copyPitch, depth);
  }
  return {copies, copyPitch, 1};
}

void ThinTask::addKeys(int64_t unit, int64_t split, int64_t key,
                       int64_t count) {
  const int64_t image = unit / p.keyHeads, head = unit % p.keyHeads;
  const int64_t rows = p.unitRows();
  const float *left[mostThinRows];
  float *results[mostThinRows];
  for (int64_t r = 0; r < rows; ++r) {
    left[r] = queries + r * queryPitch;
    results[r] = scores + r * scorePitch;
  }
  const Right keys = rightSide(p.key, p.depth, image, head, key, count, false);
  c.kernel.thin({left, int(rows), keys.data, keys.depthStride, keys.keyStride,
                 p.depth, count, results});
  float factors[mostThinRows];
  const float pending = rowScores.pendingScale();
  for (int64_t r = 0; r < rows; ++r) {
    float *s = scores + r * scorePitch;
    float *sums = c.partial(unit, split, r);
    const int64_t first = std::clamp(info[r].begin, key, key + count) - key;
    const int64_t last =
        std::clamp(info[r].end, key + first, key + count) - key;
    factors[r] = 1;
    if (first < last) {
      const float most =
          rowScores.score(info[r], key + first, last - first, s + first);
      // Online softmax: sums so far are relative to an older maximum and are
      // scaled to the new one when this block's products are added.
      if (most > sums[0]) {
        factors[r] = std::exp(sums[0] - most);
        sums[0] = most;
      }
      // No score is above -infinity yet: all weights but those of NaN are 0,
      // and exp(-inf - -inf) would be NaN.
      sums[1] = sums[1] * factors[r] +
                f.exponential(s + first, last - first, pending,
                              sums[0] == -infinity ? 0 : sums[0], 1);
      if (const float *kept =
              rowScores.dropout(info[r], key + first, last - first))
        f.multiply(s + first, kept, last - first);
    }
    // Keys of the block that this row does not see have the weight 0.
    std::fill(s, s + first, 0.0f);
    std::fill(s + last, s + count, 0.0f);
    left[r] = s;
    results[r] = out + r * outPitch;
  }
  const Right values =
      rightSide(p.value, p.valueDepth, image, head, key, count, true);
  c.kernel.thin({left, int(rows), values.data, values.keyStride,
                 values.depthStride, count, p.valueDepth, results});
  // A key that one row does not see has the weight 0 there; 0 times an infinity
  // or NaN is NaN. Such rows are summed again without these keys.
  for (int64_t r = 0; r < rows; ++r)
    if (float *sums = results[r]; std::isnan(f.dot(sums, sums, p.valueDepth)))
      for (int64_t d = 0; d < p.valueDepth; ++d) {
        sums[d] = 0;
        for (int64_t k = 0; k < count; ++k)
          if (left[r][k] != 0)
            sums[d] +=
                left[r][k] *
                values.data[k * values.keyStride + d * values.depthStride];
      }
  for (int64_t r = 0; r < rows; ++r)
    f.accumulate(c.partial(unit, split, r) + rowLanes, factors[r], results[r],
                 p.valueDepth);
}

void ThinTask::run(int64_t unit, int64_t split) {
  rowScores.begin();
  const int64_t rows = p.unitRows();
  int64_t begin = split * c.parts.splitKeys;
  int64_t end = std::min(begin + c.parts.splitKeys, p.keys);
  int64_t firstKey = end, endKey = begin;
  for (int64_t r = 0; r < rows; ++r) {
    info[r] = AttentionRow(p, unit, r);
    const AttentionRow &row = info[r];
    if (row.begin < row.end) {
      firstKey = std::min(firstKey, row.begin);
      endKey = std::max(endKey, row.end);
    }
    loadRow(f, p.query.type,
            p.query.data + p.query.offset(row.image, row.head, row.query) *
                               recipe::elementSize(p.query.type),
            p.query.column, queries + r * queryPitch, p.depth);
    float *sums = c.partial(unit, split, r);
    // A partial result: maximum, sum, and the values from `rowLanes` on.
    std::fill(sums, sums + c.pitch, 0.0f);
    sums[0] = -infinity;
  }
  // Only keys that some row sees are read: those after the valid ones of a
  // cache hold anything.
  begin = std::max(begin, firstKey);
  end = std::min(end, endKey);
  for (int64_t key = begin; key < end; key += thinKeys)
    addKeys(unit, split, key, std::min(thinKeys, end - key));
}

ThinAttention::ThinAttention(const AttentionProblem &problem,
                             const MicroKernel &kernel, PrepareContext &context)
    : p(problem), kernel(kernel), parts(p),
      pitch(rowLanes + paddedRow(p.valueDepth)) {
  assert(p.unitRows() <= mostThinRows && kernel.thin && "checked by isThin");
  partials = reinterpret_cast<float *>(takeStaging(
      uint64_t(p.units() * parts.splits * p.unitRows() * pitch) * sizeof(float),
      context));
}

uint64_t ThinAttention::scratchBytes() const {
  return std::max(ThinTask(*this, nullptr).bytes(),
                  uint64_t(pitch) * sizeof(float));
}

/// Adds the splits of a row in order and stores its results.
void ThinAttention::merge(int64_t unit, int64_t r, float *sums) const {
  const AttentionFunctions &f = *kernel.attention;
  const AttentionRow row(p, unit, r);
  std::copy_n(partial(unit, 0, r), pitch, sums);
  for (int64_t split = 1; split < parts.splits; ++split) {
    float *other = partial(unit, split, r);
    if (other[0] == -infinity && other[1] == 0)
      continue;
    const float most = std::max(sums[0], other[0]);
    const float own = sums[0] == most ? 1 : std::exp(sums[0] - most);
    const float added = other[0] == most ? 1 : std::exp(other[0] - most);
    sums[0] = most;
    sums[1] = sums[1] * own + other[1] * added;
    f.scale(other + rowLanes, p.valueDepth, added);
    f.accumulate(sums + rowLanes, own, other + rowLanes, p.valueDepth);
  }
  AttentionSums result{sums[0], sums[1], sums + rowLanes};
  storeAttentionRow(p, row, result, kernel);
}

void ThinAttention::run(LaunchContext &context) {
  context.pool.parallelFor(p.units() * parts.splits, 1,
                           [&](int64_t begin, int64_t end, unsigned worker) {
                             ThinTask task(*this, scratch[worker]);
                             for (int64_t t = begin; t < end; ++t)
                               task.run(t / parts.splits, t % parts.splits);
                           });
  const int64_t rows = p.unitRows();
  constexpr int64_t grain = 64; // rows: enough to be worth a thread
  context.pool.parallelFor(p.units() * rows, grain,
                           [&](int64_t begin, int64_t end, unsigned worker) {
                             float *sums =
                                 reinterpret_cast<float *>(scratch[worker]);
                             for (int64_t i = begin; i < end; ++i)
                               merge(i / rows, i % rows, sums);
                           });
  if (p.seedResult)
    std::memcpy(p.seedResult, p.seed, 4);
}

} // namespace

bool isThin(const AttentionProblem &p, const MicroKernel &kernel) {
  // From saved maxima the gradient computes P again: its scores must have the
  // same bits, which those of this command, added in another order, have not.
  return kernel.thin && p.unitRows() <= mostThinRows && !p.probabilities &&
         !p.maxima && !p.kept && !p.largestProbability && !p.largestOutput &&
         p.query.type != ElementType::F8E4M3FN &&
         p.query.type != ElementType::F8E5M2;
}

std::unique_ptr<PreparedCommand>
buildThinAttention(const AttentionProblem &problem, const MicroKernel &kernel,
                   PrepareContext &context) {
  return std::make_unique<ThinAttention>(problem, kernel, context);
}

} // namespace gaudi::runtime
