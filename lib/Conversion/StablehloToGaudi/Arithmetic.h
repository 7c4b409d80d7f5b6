// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on tensors of one rank, as a formula is written.
#ifndef GAUDI_LIB_CONVERSION_STABLEHLOTOGAUDI_ARITHMETIC_H
#define GAUDI_LIB_CONVERSION_STABLEHLOTOGAUDI_ARITHMETIC_H

#include "Converter.h"

namespace gaudi {

/// Results have the type of the first operand, to which the others are
/// broadcast.
class Arithmetic {
public:
  Arithmetic(Location loc, HloBuilder &b) : loc(loc), b(b) {}

  template <typename Op> Value binary(Value x, Value y) {
    return Op::create(b.builder, loc, x.getType(), x, y);
  }
  template <typename Op> Value unary(Value x) {
    return Op::create(b.builder, loc, x.getType(), x);
  }
  Value compare(ComparePredicate predicate, Value x, Value y) {
    Type type = tensorType(x).clone(b.builder.getI1Type());
    return CompareOp::create(b.builder, loc, type, predicate, x, y);
  }
  /// Of the shape of the condition.
  Value select(Value condition, Value x, Value y) {
    Type type = RankedTensorType::get(tensorType(condition).getShape(),
                                      tensorType(x).getElementType());
    return SelectOp::create(b.builder, loc, type, condition, x, y);
  }
  /// Keeps the reduced dimensions with size 1.
  Value reduce(ReduceKind kind, Value x, ArrayRef<int64_t> axes) {
    SmallVector<int64_t> shape(tensorType(x).getShape());
    for (int64_t axis : axes)
      shape[axis] = 1;
    return ReduceOp::create(b.builder, loc, tensorType(x).clone(shape), kind, x,
                            axes, /*keep_dims=*/true);
  }
  /// A number of f32, of the rank of `like` and one element. As the first
  /// operand it needs its full shape.
  Value number(double value, Value like) {
    Type f32 = b.builder.getF32Type();
    SmallVector<int64_t> ones(tensorType(like).getRank(), 1);
    return b.splat(loc, RankedTensorType::get(ones, f32),
                   FloatAttr::get(f32, value));
  }

private:
  Location loc;
  HloBuilder &b;
};

/// The inverse of erf of f32 elements.
Value inverseErf(Arithmetic &a, Value x);
/// An integer of the type of `like` and one element.
Value integerLike(Location loc, int64_t value, Value like, HloBuilder &b);
/// The bits of a float tensor as signed integers of its width.
Value bitsOf(Location loc, Value x, HloBuilder &b);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_STABLEHLOTOGAUDI_ARITHMETIC_H
