// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the dimensions of an attention's tensors are made of.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_ATTENTIONAXES_H
#define GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_ATTENTIONAXES_H

#include "Gaudi/Dialect/AttentionOps.h"

namespace gaudi::fusion {

/// A head of the query is one of the key and a place in the group that shares
/// it. The op's images and heads may each be two dimensions of a graph's
/// tensors.
enum class Axis : uint8_t {
  N,
  NInner,
  KeyHead,
  KeyHeadInner,
  Group,
  Query,
  Key,
  Depth,
  ValueDepth
};
constexpr unsigned axisCount = 9;

/// The axes of each dimension of a tensor, outermost first; those of size 1 are
/// left out.
using Dims = SmallVector<SmallVector<Axis, 2>, 6>;

class AttentionAxes {
public:
  explicit AttentionAxes(SdpaOp op);

  /// Takes images and heads as two axes each, whose outer ones have these
  /// sizes. At first, images and heads are the outer ones.
  void split(int64_t outerImages, int64_t outerHeads);

  int64_t sizeOf(Axis axis) const { return sizes[size_t(axis)]; }
  /// The axes that have more than one index, of these.
  SmallVector<Axis, 7> realAxes(ArrayRef<Axis> axes) const;
  /// The dimensions of a tensor of the op in a layout as attributes write it;
  /// `length` and `depth` are the axes of L and D, a tensor of keys has no
  /// groups.
  Dims dimsOf(StringRef layout, Axis length, Axis depth) const;

  SdpaOp op;

private:
  std::array<int64_t, axisCount> sizes;
  int64_t images, keyHeads;
  bool keyIsShared, valueIsShared; // by all images
};

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_ATTENTIONAXES_H
