// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The backward graph of an attention: what reads its scores or weights, which
// are its probabilities P, besides the product that makes the output.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_MATCHGRADIENT_H
#define GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_MATCHGRADIENT_H

#include "AttentionAxes.h"
#include "Gaudi/Transforms/DeviceTime.h"

namespace gaudi::fusion {

/// A gradient that an attention's backward graph computes: the tensor, the axes
/// of its dimensions, and the matrix product that makes it.
struct FoundGradient {
  Value tensor;
  Dims dims;
  Operation *product = nullptr;
};

/// What gaudi.sdpa_grad replaces.
struct Gradient {
  int64_t outerImages = 1, outerHeads = 1; // see AttentionAxes::split
  Value outputGrad;
  Dims outputGradDims;
  FoundGradient query, key, value;
  /// The ops that nobody needs afterwards: the products, and what is between.
  SmallVector<Operation *> replaced;
};

/// The gradient, if all that depends on `scores` (the first matrix product of
/// the attention) through vector ops, `output` (the second) apart, computes
/// gradients of `forward`, an op whose result is not used yet. Nothing, and the
/// reason in `why`, if something else reads the scores or weights.
std::optional<Gradient> matchGradient(SdpaOp forward, Operation *scores,
                                      Operation *output, std::string &why);

/// Replaces `forward` by an op that saves statistics, and the gradients by
/// those of a gaudi.sdpa_grad; the replaced ops have no users then. Reports it.
/// Gives the new forward op.
SdpaOp emitGradient(SdpaOp forward, const Gradient &gradient,
                    const DeviceTime *time);

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_MATCHGRADIENT_H
