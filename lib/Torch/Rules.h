// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rules of result types share: readers of arguments that fit their
// schema, wrapping of dimensions, broadcasting, and promotion.
//
// Arguments are numbered as in the schema.
#ifndef GAUDI_LIB_TORCH_RULES_H
#define GAUDI_LIB_TORCH_RULES_H

#include "Gaudi/Torch/Operators.h"

namespace gaudi::torch {

inline const TensorType &tensorAt(Arguments arguments, unsigned i) {
  return std::get<TensorType>(arguments[i]);
}
/// Null if it is None.
inline const TensorType *optionalTensorAt(Arguments arguments, unsigned i) {
  return std::get_if<TensorType>(&arguments[i]);
}
inline const Tensors &tensorsAt(Arguments arguments, unsigned i) {
  return std::get<Tensors>(arguments[i]);
}
inline int64_t intAt(Arguments arguments, unsigned i) {
  return std::get<int64_t>(arguments[i]);
}
inline int64_t intAt(Arguments arguments, unsigned i, int64_t absent) {
  return isNone(arguments[i]) ? absent : intAt(arguments, i);
}
inline bool flagAt(Arguments arguments, unsigned i) {
  return std::get<bool>(arguments[i]);
}
inline const Ints &intsAt(Arguments arguments, unsigned i) {
  return std::get<Ints>(arguments[i]);
}
/// A Scalar as a float.
double numberAt(Arguments arguments, unsigned i);

/// The type that argument `i` names; `absent` if it is None.
Result<ScalarType> dtypeAt(Arguments arguments, unsigned i, ScalarType absent);

/// `dim` counted from 0; negative ones count from the end. A scalar has one
/// dimension for this purpose, as in PyTorch.
Result<int64_t> wrapDim(int64_t dim, int64_t rank);
/// Marks of the dimensions that argument `i` lists: all if it is None, or if it
/// lists none and `isEmptyAll`.
Result<std::vector<bool>> dimsAt(Arguments arguments, unsigned i, int64_t rank,
                                 bool isEmptyAll = true);

/// The shape to which the two broadcast.
Result<Ints> broadcast(const Ints &a, const Ints &b);

/// What an op of floats makes of integers: f32.
inline ScalarType floatOf(ScalarType type) {
  return isInteger(type) || isBool(type) ? ScalarType::Float32 : type;
}
/// What sums of integers are kept in: si64.
inline ScalarType wideOf(ScalarType type) {
  return isInteger(type) || isBool(type) ? ScalarType::Int64 : type;
}

/// The largest stride, pad, dilation or window: with it and the sizes of
/// tensors no position overflows.
constexpr int64_t maxWindowNumber = 1 << 20;

int64_t elementCount(const Ints &sizes);
inline void append(Ints &sizes, int64_t size) {
  sizes.resize(sizes.size() + 1);
  sizes[sizes.size() - 1] = size;
}
inline Results one(Ints sizes, ScalarType dtype) {
  return {TensorType{std::move(sizes), dtype}};
}

/// The rules that Operators.def names.
namespace rules {
#define GAUDI_TORCH_RULE(name) Result<Results> name(Arguments arguments);
#include "Rules.def"
} // namespace rules

} // namespace gaudi::torch

#endif // GAUDI_LIB_TORCH_RULES_H
