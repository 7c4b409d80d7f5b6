// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradient of attention.
//
//   P = exp(S - m) linv      P' = w P            w: the factors of dropout
//   dP = w (dO V^T)          D = rowsum(dP P), which is rowsum(O dO)
//   dS = P (dP - D)          dV = P'^T dO   dQ = scale dS K   dK = scale dS^T Q
//
// Tasks are chunks of the keys of a unit. A task computes S and dP for each
// band of rows and block of its keys once, and with them all three gradients:
// those of its keys are sums over all rows, kept transposed (dV^T = dO^T P'),
// so that P' and dS are right sides, which are packed by copying rows. The
// gradient of the queries is the sum of what all chunks give, in order.
#ifndef GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONGRAD_H
#define GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONGRAD_H

#include "AttentionTiling.h"

namespace gaudi::runtime {

class AttentionGrad final : public AttentionTasks {
public:
  AttentionGrad(const AttentionProblem &problem, const MicroKernel &kernel,
                PrepareContext &context);

  void run(LaunchContext &context) override;
  std::string implementation() const override;
  uint64_t scratchBytes() const override;
  void visitAddresses(AddressVisitor &visitor) override;

private:
  friend class GradTask;
  void packAhead(ThreadPool &pool);
  void meansOfOutputs(ThreadPool &pool);
  void sumQueryGrads(ThreadPool &pool);
  void sumImages(ThreadPool &pool, const AttentionTensor &grad,
                 const float *parts, int64_t depth);

  // The tiling is for products with depth columns.
  AttentionPanels keys, values, keyDepths;
  int64_t chunks = 1, chunkKeys = 0;
  // Panels of all units.
  uint8_t *keyPanels = nullptr, *valuePanels = nullptr,
          *keyDepthPanels = nullptr;
  float *means = nullptr; // D, per unit and row
  /// Per chunk, unit and row; null if there is one chunk.
  float *queryParts = nullptr;
  /// Per unit and key, where the images of a shared tensor are summed.
  float *keyParts = nullptr, *valueParts = nullptr;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_ATTENTION_ATTENTIONGRAD_H
