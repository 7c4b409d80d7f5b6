// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One task of the gradient of attention, on the scratch memory of a worker.
#ifndef GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONGRADTASK_H
#define GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONGRADTASK_H

#include "AttentionGrad.h"

namespace gaudi::runtime {

class GradTask {
public:
  GradTask(const AttentionGrad &command, uint8_t *scratch);
  uint64_t bytes() const { return parts.bytes(); }

  /// The gradients of a chunk of keys, and its part of those of the queries.
  void run(int64_t unit, int64_t chunk);
  /// D of band `number` of the rows, from P and dP of all keys.
  void findMeans(int64_t unit, int64_t number);

private:
  void placeBand(int64_t unit, int64_t number);
  void transposeLeft();
  void addKeys(int64_t begin, int64_t end, bool meansOnly);
  void multiplyKeys(int64_t begin, int64_t end, const uint8_t *const *rows,
                    int64_t depth, const AttentionPanels &panels,
                    const uint8_t *data, float *to) const;
  void differentiateRow(int64_t r, int64_t key, int64_t count, float *s,
                        float *d, bool meansOnly);
  void addQueryGrads(int64_t begin, int64_t low, int64_t high);
  void addKeyGrads(int64_t begin, int64_t low, int64_t high);
  void storeQueryGrads(int64_t chunk);
  void repairRow(int64_t r);
  void storeKeyGrads(const AttentionTensor &grad, float *parts,
                     const float *sums, int64_t depth, float factor);
  int64_t sumsOffset(int64_t key, int64_t depth) const {
    return (key - firstKey) / tiling.keyBlock * tiling.keyBlock * depth;
  }

  const AttentionGrad &c;
  const AttentionProblem &p;
  const AttentionTiling &tiling;
  const AttentionFunctions &f;
  ScratchParts parts;
  ScoreRows rowScores;
  AttentionBand band;
  int64_t unit = 0, firstRow = 0;
  int64_t firstKey = 0, endKey = 0; // of the chunk
  // Left sides of products, on scratch memory. Per row of the band: of Q, dO
  // and dS; per element of depth: of Q^T and dO^T.
  const uint8_t **queryRows, **gradRows, **leftRows;
  const uint8_t **queryColumns, **gradColumns;
  float *maxima, *inverses, *means;     // m, linv and D of each row
  uint8_t *queries, *grads;             // Q and dO
  uint8_t *queriesAcross, *gradsAcross; // Q^T and dO^T
  uint8_t *narrow; // P' and dS in bf16, if the kernel takes pairs
  // Of the band and a block of keys.
  float *scores;                       // S, then P, then P'
  float *changes;                      // dP, then dS
  float *queryGrads;                   // dQ so far, before its scale
  float *staged;                       // one row of dK or dV
  uint8_t *scorePanels, *changePanels; // P' and dS as right sides
  float *keySums, *valueSums; // transposed, a block of keys after the other
  int64_t scorePitch, outPitch, acrossPitch, narrowPitch;
  PanelSource scoreSource;
  PanelLayout scoreLayout;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONGRADTASK_H
