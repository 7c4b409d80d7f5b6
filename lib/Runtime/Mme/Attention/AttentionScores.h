// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scores of attention: which keys a query sees, masks, and dropout.
#ifndef GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONSCORES_H
#define GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONSCORES_H

#include "../Kernels/AttentionKernel.h"
#include "AttentionProblem.h"

namespace gaudi::runtime {

/// Hands out parts of a worker's scratch memory in whole cache lines. With a
/// null base it only counts them.
class ScratchParts {
public:
  explicit ScratchParts(uint8_t *base) : base(base) {}
  template <typename T> T *take(int64_t count) {
    uint8_t *part = base ? base + used : nullptr;
    used += (uint64_t(count) * sizeof(T) + 63) / 64 * 64;
    return reinterpret_cast<T *>(part);
  }
  uint64_t bytes() const { return used; }

private:
  uint8_t *base;
  uint64_t used = 0;
};

/// Floats of a row of scratch: whole vectors, and one that unaligned parts of
/// the row may run into.
inline int64_t paddedRow(int64_t count) {
  return (count + rowLanes - 1) / rowLanes * rowLanes + rowLanes;
}

/// Turns the sums of products of a row into scores, a run of keys at a time.
/// One per worker.
class ScoreRows {
public:
  /// `block`: most keys of a run.
  ScoreRows(const AttentionProblem &p, const AttentionFunctions &functions,
            int64_t block, ScratchParts &scratch);

  /// Reads the operands that every row needs. Before the first row of a task.
  void begin();
  /// Returns the largest score of keys [key, key + count), and masks their sums
  /// in place: times pendingScale() they are scores then.
  float score(const AttentionRow &row, int64_t key, int64_t count,
              float *scores);
  /// The same where the largest one is known.
  void mask(const AttentionRow &row, int64_t key, int64_t count,
            float *scores) {
    if (p.mask)
      score(row, key, count, scores);
  }
  /// Sums that no mask changes are not scaled in a pass of their own.
  float pendingScale() const { return p.mask ? 1 : scale; }
  bool drops() const { return p.dropoutMask || p.dropout > 0; }
  /// The factors of dropout for these keys; null if there is none. A kept
  /// element has the factor 1 / (1 - p), or its mask's value if p is 0.
  const float *dropout(const AttentionRow &row, int64_t key, int64_t count);
  /// Not 0 where an i1 mask hides a key; null if the mask is another.
  const float *hidden(const AttentionRow &row, int64_t key, int64_t count);
  /// What scores are multiplied by.
  float factor() const { return scale; }

private:
  const uint8_t *maskAt(const AttentionTensor &mask, const AttentionRow &row,
                        int64_t key) const;
  const float *bias(const AttentionRow &row, int64_t key, int64_t count);

  const AttentionProblem &p;
  const AttentionFunctions &functions;
  float scale;      // with those of f8 operands
  const float kept; // the factor of an element that dropout keeps
  uint32_t seed = 0, threshold = 0;
  float *maskRow, *factors;
  // The run that maskRow holds: rows of a broadcast mask share it.
  const uint8_t *held = nullptr;
  int64_t heldCount = 0;
};

/// The value of a scale, 1 if there is none.
float valueOf(const AttentionScale &scale);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONSCORES_H
