// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits the scalar computations inside TPC kernels: floats are f32, integers
// signless, and the tensor's element type says how they are read.
#ifndef GAUDI_DIALECT_SCALARBUILDER_H
#define GAUDI_DIALECT_SCALARBUILDER_H

#include "Gaudi/Dialect/GaudiDialect.h"

namespace gaudi {

class ScalarBuilder {
public:
  ScalarBuilder(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc) {}

  /// The tensor element type of the operands; decides signed or unsigned.
  void setElementType(Type type) { elementType = type; }

  template <typename Op> Value unary(Value a) {
    return Op::create(builder, loc, a);
  }
  template <typename Op> Value binary(Value a, Value b) {
    return Op::create(builder, loc, a, b);
  }

  Value floatConstant(double value);
  Value intConstant(int64_t value, Type type);
  /// A scalar attribute (float or integer of any width) in kernel type.
  Value constant(TypedAttr value);

  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value div(Value a, Value b);
  Value rem(Value a, Value b);
  Value max(Value a, Value b);
  Value min(Value a, Value b);
  Value abs(Value a);
  Value neg(Value a);
  Value sign(Value a);
  Value bitNot(Value a);
  Value reciprocal(Value a);
  Value sigmoid(Value a);
  Value compare(ComparePredicate predicate, Value a, Value b);
  Value select(Value condition, Value a, Value b);
  Value clamp(Value a, TypedAttr low, TypedAttr high, bool ignoreNan);
  /// From the current element type to tensor element type `target`, as
  /// gaudi.tpc.cast says; the value has target's kernel type.
  Value cast(Value a, Type target, RoundingMode rounding);
  /// `in`, a value and the word if there is one, as gaudi.tpc.round_to says;
  /// the store rounds no more.
  Value roundTo(ValueRange in, Type target, FloatRounding rounding, bool flush,
                FloatAttr saturate);
  /// A value of f32 rounded to a float type, as f32; itself for f32.
  Value rounded(Value a, Type type);

  OpBuilder &getBuilder() { return builder; }
  Location getLoc() { return loc; }

private:
  bool isFloat() const { return isFloatElement(elementType); }
  bool isUnsigned() const { return isUnsignedElement(elementType); }

  OpBuilder &builder;
  Location loc;
  Type elementType;
};

} // namespace gaudi

#endif // GAUDI_DIALECT_SCALARBUILDER_H
