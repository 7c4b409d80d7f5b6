// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How gaudi.sdpa reads and writes the tensors of a match.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_ATTENTIONPLAN_H
#define GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_ATTENTIONPLAN_H

#include "AttentionMatch.h"
#include "Gaudi/Dialect/AttentionOps.h"

namespace gaudi::fusion {

/// A tensor as the op sees it: the sizes in stored order, and their letters.
struct TensorPlacement {
  Value tensor;
  SmallVector<int64_t, 4> sizes;
  std::string layout;
  double factor = 1; // that the scale takes over from the tensor
};

/// A letter of the op and the dimensions of the graph that it stands for.
struct LayoutGroup {
  char letter;
  Group dims;
};

/// The element's tensor as a dense tensor of these groups in some order;
/// nothing if it is not one.
std::optional<TensorPlacement> placeOf(const ValueDag &graph,
                                       const TensorElement &element,
                                       ArrayRef<LayoutGroup> groups);

/// Which dimensions of the batch are images and heads, and how each tensor is
/// read in place.
struct AttentionPlan {
  Group images, heads, keyHeads; // outermost first
  TensorPlacement query, key, value, output;
  unsigned cost = 0; // transposes, roundings and masks that it needs
  /// Tensors of the probabilities that others read instead of a gradient.
  SmallVector<TensorPlacement, 1> saved;
};

/// The dimensions of scores and masks: [N, H, L, S].
SmallVector<LayoutGroup, 4> scoreGroups(const AttentionMatch &match,
                                        const AttentionPlan &plan);

/// Divides the batch into images and heads, and the rows into queries and
/// heads. Fails with the reason if no division serves all tensors.
FailureOr<AttentionPlan> planAttention(AttentionMatch &match, Refusal &refusal);

/// Creates the op before `builder`'s insertion point, with what it reads;
/// `created` gets all new ops, the op last. A mask that one of `masks` computes
/// is not computed again. Fails with the reason if the masks have no form.
FailureOr<SdpaOp> emitAttention(AttentionMatch &match,
                                const AttentionPlan &plan, OpBuilder &builder,
                                ArrayRef<Operation *> masks,
                                SmallVectorImpl<Operation *> &created,
                                Refusal &refusal);

/// The output of the op as the tensor that it replaces.
Value emitResult(const AttentionMatch &match, const AttentionPlan &plan,
                 SdpaOp op, OpBuilder &builder,
                 SmallVectorImpl<Operation *> &created);
/// The probabilities that the op saves as a tensor that others read.
Value emitSaved(const TensorPlacement &place, SdpaOp op, OpBuilder &builder,
                SmallVectorImpl<Operation *> &created);

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_ATTENTIONPLAN_H
