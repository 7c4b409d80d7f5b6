// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention in C++: the ops, and what both say of their tensors.
#ifndef GAUDI_DIALECT_ATTENTIONOPS_H
#define GAUDI_DIALECT_ATTENTIONOPS_H

#include "Gaudi/Dialect/GaudiDialect.h"
#include "mlir/IR/PatternMatch.h"
#include <limits>
#include <string>

namespace gaudi {

/// The operands of gaudi.sdpa, null where there is none.
struct SdpaOperands {
  Value query, key, value;
  Value mask, validLengths, dropoutMask, seed;
  Value dScaleQ, dScaleK, dScaleV, qScaleS, qScaleO, dScaleS;
};

/// The operands of gaudi.sdpa_grad.
struct SdpaGradOperands {
  Value outputGrad, query, key, value;
  Value output, mask, validLengths, dropoutMask, seed;
  Value m, linv, probabilities;
};

/// Sizes of an attention by name. Tensors of rank 3 have one head.
struct AttentionSizes {
  int64_t batch = 1;    // N of the query
  int64_t keyBatch = 1; // N of the key: batch or 1
  int64_t valueBatch = 1;
  int64_t heads = 1;    // Hq
  int64_t keyHeads = 1; // Hk
  int64_t queries = 1;  // L
  int64_t keys = 1;     // S
  int64_t depth = 1;    // D
  int64_t valueDepth = 1;
};

/// The layout that tensors of an attention have where no attribute says one:
/// "NHLD", or "NLD" for rank 3.
inline StringRef canonicalAttentionLayout(int64_t rank) {
  return rank == 3 ? "NLD" : "NHLD";
}

} // namespace gaudi

#define GET_OP_CLASSES
#include "Gaudi/Dialect/AttentionOps.h.inc"

namespace gaudi {

/// The layout of a tensor of `op`; the attribute's letters if there is one.
template <typename Op> StringRef queryLayoutOf(Op op) {
  return op.getQueryLayout().value_or(
      canonicalAttentionLayout(tensorType(op.getQuery()).getRank()));
}
template <typename Op> StringRef keyLayoutOf(Op op) {
  return op.getKeyLayout().value_or(
      canonicalAttentionLayout(tensorType(op.getKey()).getRank()));
}
template <typename Op> StringRef valueLayoutOf(Op op) {
  return op.getValueLayout().value_or(
      canonicalAttentionLayout(tensorType(op.getValue()).getRank()));
}
template <typename Op> StringRef outputLayoutOf(Op op) {
  return op.getOutputLayout().value_or(
      canonicalAttentionLayout(tensorType(op.getQuery()).getRank()));
}

/// Sizes of a verified op.
AttentionSizes attentionSizes(SdpaOp op);
AttentionSizes attentionSizes(SdpaGradOp op);

} // namespace gaudi

#endif // GAUDI_DIALECT_ATTENTIONOPS_H
