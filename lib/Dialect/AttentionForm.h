// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gaudi.sdpa and gaudi.sdpa_grad share, for their verifiers and methods.
#ifndef GAUDI_LIB_DIALECT_ATTENTIONFORM_H
#define GAUDI_LIB_DIALECT_ATTENTIONFORM_H

#include "Gaudi/Dialect/AttentionOps.h"

namespace gaudi {

/// A tensor of an attention whose dimensions a layout names.
struct AttentionTensor {
  Value value;
  StringRef name, layout;

  RankedTensorType type() const { return tensorType(value); }
  /// Size by letter; 1 for H of rank 3.
  int64_t size(char letter) const {
    const size_t at = layout.find(letter);
    return at == StringRef::npos ? 1 : type().getDimSize(at);
  }
};

/// The forward attention that an op computes or differentiates.
struct AttentionForm {
  Operation *op;
  AttentionTensor query, key, value;
  StringRef outputLayout;
  Value mask, validLengths, dropoutMask, seed;
  bool causal;
  std::optional<int64_t> window;
  float scale, maskValue, dropout;
  std::optional<ArrayRef<int64_t>> slice;

  template <typename Op>
  explicit AttentionForm(Op op)
      : op(op), query{op.getQuery(), "query", queryLayoutOf(op)},
        key{op.getKey(), "key", keyLayoutOf(op)},
        value{op.getValue(), "value", valueLayoutOf(op)},
        outputLayout(outputLayoutOf(op)), mask(op.getMask()),
        validLengths(op.getValidLengths()), dropoutMask(op.getDropoutMask()),
        seed(op.getSeed()), causal(op.getCausal()), window(op.getWindow()),
        scale(op.getScale().convertToFloat()),
        maskValue(op.getMaskValue().convertToFloat()),
        dropout(op.getDropout().convertToFloat()), slice(op.getSlice()) {}

  int64_t rank() const { return query.type().getRank(); }
  Type elementType() const { return query.type().getElementType(); }
  AttentionSizes sizes() const;
  /// Sizes [N, Hq, L, last] in canonical order, without H for rank 3.
  SmallVector<int64_t> canonicalShape(int64_t last) const;
  /// The same in the order of `layout`.
  SmallVector<int64_t> shapeIn(StringRef layout, int64_t last) const;

  /// All rules of operands and attributes that both ops have.
  LogicalResult verify() const;

private:
  LogicalResult verifyTensors() const;
  LogicalResult verifySizes() const;
  LogicalResult verifyScores() const;
  LogicalResult verifyDropout() const;
  LogicalResult verifySlice() const;
  /// Each dimension of the mask is that of the scores or 1.
  LogicalResult verifyBroadcast(Value operand, StringRef name) const;
};

} // namespace gaudi

#endif // GAUDI_LIB_DIALECT_ATTENTIONFORM_H
