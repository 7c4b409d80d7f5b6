// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention by blocks of keys: scores never leave the cache.
//
//   for each task: rows of a unit                their sums and scores fit L2
//     for each block of keys                     its panels fit L2
//       S = Q K^T for each panel of keys         a panel stays in L1
//       rescale sums to the new maxima, P = exp(S - m)
//       O += P V for each panel of the depth
//
// The sums and maxima of a row are those of the online softmax (Milakov and
// Gimelshein, 2018); blocks of keys run in order, so results do not depend on
// threads. Keys that causality, a window or lengths hide from all rows of a
// block are neither multiplied nor read.
//
// What rounds the normalised probabilities (f8) or returns them takes two
// passes: the first has maxima and sums only, the second computes the scores
// again.
#ifndef GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONFORWARD_H
#define GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONFORWARD_H

#include "AttentionTiling.h"

namespace gaudi::runtime {

class AttentionForward final : public AttentionTasks {
public:
  AttentionForward(const AttentionProblem &problem, const MicroKernel &kernel,
                   PrepareContext &context);

  void run(LaunchContext &context) override;
  std::string implementation() const override;
  uint64_t scratchBytes() const override;
  void visitAddresses(AddressVisitor &visitor) override;

private:
  friend class ForwardTask;
  void packAhead(ThreadPool &pool);
  void storeScalars() const;

  AttentionPanels keys, values;
  bool twoPasses, packsInTask;
  uint8_t *keyPanels = nullptr, *valuePanels = nullptr; // of all units
  float *largest = nullptr; // per task: of P, of the output
};

/// One task on the scratch memory of a worker.
class ForwardTask {
public:
  ForwardTask(const AttentionForward &command, uint8_t *scratch);
  uint64_t bytes() const { return parts.bytes(); }

  /// Points at the panels of a unit, or packs them.
  void enter(int64_t unit);
  /// The rows of a task of that unit.
  void run(int64_t task);

private:
  void place(int64_t task);
  void passKeys(bool lastPass);
  void multiplyKeys(int64_t begin, int64_t end);
  void softmaxBlock(const AttentionBlock &block, int64_t begin, int64_t end);
  void onlineBlock(const AttentionBlock &block, int64_t begin,
                   const ScoreBlock &rows);
  void exactBlock(const AttentionBlock &block, int64_t begin,
                  const ScoreBlock &rows);
  void exactRow(int64_t r, int64_t key, int64_t count, float *s);
  void saveRow(uint8_t *to, int64_t count, float *s);
  void multiplyValues(int64_t begin, int64_t end);
  void finishRow(int64_t r);
  void repairRow(int64_t r);
  void clearSaved(const AttentionRow &row);
  void storeKept(const AttentionRow &row);

  const AttentionForward &c;
  const AttentionProblem &p;
  const AttentionTiling &tiling;
  const AttentionFunctions &f;
  ScratchParts parts;
  ScoreRows rowScores;
  AttentionBand band;
  int64_t unit = 0;
  bool secondPass = false;
  bool multiplies = true; // this pass makes P V, too
  float mostProbability = 0, mostOutput = 0;
  float probabilityScale = 1, sumScale = 1, outputScale = 1;
  // Per row of the task, on scratch memory. Left sides of the two products:
  // rows of `queries`, and of P in `scores` or `narrow`.
  const uint8_t **pointers, **left;
  float *maxima;
  float *sums; // of exponentials; in the second pass their inverses
  // Per row of a block: the visible keys of a block of keys, the maximum, and
  // the sum of the exponentials.
  ScoreBlock::Span *spans;
  float *found, *totals;
  float *scores; // of a block of keys: S, then P
  float *out;    // P V so far
  uint8_t *queries;
  uint8_t *narrow;  // P in bf16, if the kernel takes pairs
  uint8_t *rounded; // one row: P on its way through a narrower type
  int64_t scorePitch, queryPitch, narrowPitch, outPitch;
  // Panels of the unit: its own, if the task packs them, or those of all units.
  float *packing;
  uint8_t *ownKeys, *ownValues;
  const uint8_t *keyPanels = nullptr, *valuePanels = nullptr;
};

/// True for types whose probabilities are rounded when they are normalised.
inline bool isF8(recipe::ElementType type) {
  return type == recipe::ElementType::F8E4M3FN ||
         type == recipe::ElementType::F8E5M2;
}

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONFORWARD_H
