// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers that gaudi.sdpa and its gradient stand for, element by element.
//
// Computed from the elements that a Sampler gives for the op's operands. Sums
// visit the sampler's indices, as everything does that is compared with them.
#ifndef GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_FORMULA_H
#define GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_FORMULA_H

#include "Gaudi/Dialect/AttentionOps.h"
#include "Sampler.h"

namespace gaudi::fusion {

/// What the dimensions of an attention's tensors are made of. A head of the
/// query is one of the key and a place in the group that shares it. The op's
/// images and heads may each be two dimensions of a graph's tensors.
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

/// An index of each axis.
using Coordinates = std::array<int64_t, axisCount>;
inline int64_t &get(Coordinates &at, Axis axis) { return at[size_t(axis)]; }
inline int64_t get(const Coordinates &at, Axis axis) {
  return at[size_t(axis)];
}

/// The axes of each dimension of a tensor, outermost first; those of size 1 are
/// left out.
using Dims = SmallVector<SmallVector<Axis, 2>, 6>;

class AttentionFormula {
public:
  /// The op's operands are cut: their elements are unknowns.
  AttentionFormula(SdpaOp op, Sampler &sampler);

  /// Takes images and heads as two axes each, whose outer ones have these
  /// sizes. At first, images and heads are the outer ones.
  void split(int64_t images, int64_t heads);

  int64_t sizeOf(Axis axis) const { return sizes[size_t(axis)]; }
  /// The axes that have more than one index, of these.
  SmallVector<Axis, 6> realAxes(ArrayRef<Axis> axes) const;
  /// The dimensions of a tensor of the op in a layout as attributes write it;
  /// `length` and `depth` are the axes of L and D, a tensor of keys has no
  /// groups.
  Dims dimsOf(StringRef layout, Axis length, Axis depth) const;

  /// The element of a tensor with such dimensions.
  double element(Value tensor, const Dims &dims, const Coordinates &at) const;

  double value(const Coordinates &at);
  double output(const Coordinates &at);
  /// Gradients, once outputGrad says what the output's gradient is.
  double queryGrad(const Coordinates &at);
  double keyGrad(const Coordinates &at);
  double valueGrad(const Coordinates &at);

  std::function<double(const Coordinates &)> outputGrad;
  /// Rows are computed again: the sampler's numbers have changed.
  void forget();

  SdpaOp op;
  Sampler &sampler;

private:
  /// A query's row, at the sampler's keys.
  struct Row {
    SmallVector<double, 8> probability; // before dropout
    SmallVector<double, 8> factor;      // of dropout
    SmallVector<bool, 8> isConstant;    // the score is the mask's value
  };

  const Row &rowOf(const Coordinates &at);
  /// The gradients of the row's scores.
  ArrayRef<double> scoreGrads(const Coordinates &at);
  void visible(const Coordinates &at, double &score, bool &isConstant);
  double dropoutFactor(const Coordinates &at);
  double broadcastElement(Value tensor, const Coordinates &at) const;
  /// Sums over the queries that share an element of key or value.
  double sumOverQueries(const Coordinates &at, bool overImages,
                        llvm::function_ref<double(const Coordinates &)> term);
  size_t placeOf(int64_t key) const;
  int64_t imageOf(const Coordinates &at) const {
    return get(at, Axis::N) * sizeOf(Axis::NInner) + get(at, Axis::NInner);
  }
  int64_t keyHeadOf(const Coordinates &at) const {
    return get(at, Axis::KeyHead) * sizeOf(Axis::KeyHeadInner) +
           get(at, Axis::KeyHeadInner);
  }
  std::array<int64_t, 4> rowKey(const Coordinates &at) const {
    return {imageOf(at), keyHeadOf(at), get(at, Axis::Group),
            get(at, Axis::Query)};
  }

  std::array<int64_t, axisCount> sizes;
  Dims queryDims, keyDims, valueDims;
  int64_t images, keyHeads;
  bool keyIsShared, valueIsShared; // by all images
  SmallVector<int64_t, 8> keys, queries;
  std::map<std::array<int64_t, 4>, Row> rows;
  std::map<std::array<int64_t, 4>, SmallVector<double, 8>> gradients;
};

} // namespace gaudi::fusion

#endif // GAUDI_LIB_TRANSFORMS_FUSION_ATTENTION_FORMULA_H
