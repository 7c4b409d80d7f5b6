// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops of StableHLO and its relatives, which are not registered: their list,
// readers of their attributes, and a writer of ops.
#ifndef GAUDI_CONVERSION_STABLEHLOOPS_H
#define GAUDI_CONVERSION_STABLEHLOOPS_H

#include "Gaudi/Dialect/GaudiDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace gaudi {

/// An op by its name, whichever of the dialects it is of.
enum class Hlo : uint8_t {
  None, ///< of another dialect, or not in the list
#define HLO_OP(kind, ...) kind,
#include "Gaudi/Conversion/StablehloOps.def"
};

/// None for a null op, too.
Hlo hloOf(Operation *op);
/// The name without a dialect.
Hlo hloNamed(StringRef name);
/// True if `op` is one of `kinds`.
template <typename... Kinds> bool isHlo(Operation *op, Kinds... kinds) {
  const Hlo kind = hloOf(op);
  return ((kind == kinds) || ...);
}

enum class HloTrait : uint8_t {
  /// Without effects, as exporters compute sizes with: erased if unused.
  Erasable = 1,
  /// Gives the same bits whether integers are signed or not. Ops with regions
  /// do if those inside do.
  IgnoresSign = 2,
  /// Of f32 instead of f64 it means the same but for rounding and range.
  Demotable = 4
};
bool hasTrait(Hlo op, HloTrait trait);

/// True for an op without regions whose results nobody reads and that has no
/// effect. MLIR does not know the effects of ops that are not registered.
bool isDeadHlo(Operation *op);

/// The numbers of an attribute: an array, a dense attribute or one integer.
/// None if it is null or something else.
std::optional<SmallVector<int64_t>> integersOf(Attribute attribute);
/// The direction of a comparison; none for other ops.
std::optional<ComparePredicate> directionOf(Operation *op);
/// True if `direction` holds for numbers that compare like this; for NaN, none
/// of the three does.
bool holds(ComparePredicate direction, bool isLess, bool isEqual,
           bool isGreater);
/// The numbers of a constant; null for other ops.
ElementsAttr constantOf(Operation *op);
/// All attributes of any op: also those that one of no registered dialect has
/// as properties, as text in the generic form gives them.
DictionaryAttr attributesOf(Operation *op);
/// The string attribute `name`; empty if there is none.
StringRef wordOf(Operation *op, StringRef name);

/// Writes ops of StableHLO.
class HloWriter {
public:
  HloWriter(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value create(Hlo op, ValueRange operands, Type type,
               ArrayRef<NamedAttribute> attributes = {});
  /// A list of numbers as an attribute.
  NamedAttribute list(StringRef name, ArrayRef<int64_t> numbers) {
    return builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(numbers));
  }
  NamedAttribute number(StringRef name, int64_t value) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
  }

  Value constant(DenseElementsAttr values) {
    return create(Hlo::Constant, {}, values.getType(),
                  builder.getNamedAttr("value", values));
  }
  /// All elements of `type` are the integer or float `value`.
  Value splat(Type type, double value);
  Value splat(Type type, int64_t value);
  /// An op of two operands of the type of its result.
  Value binary(Hlo op, Value a, Value b) {
    return create(op, {a, b}, a.getType());
  }
  Value compare(ComparePredicate direction, Value a, Value b);
  Value select(Value condition, Value a, Value b) {
    return create(Hlo::Select, {condition, a, b}, a.getType());
  }
  Value convert(Value a, Type elementType) {
    return create(Hlo::Convert, a, typeOf(a).clone(elementType));
  }
  Value reshape(Value a, ArrayRef<int64_t> shape) {
    return create(Hlo::Reshape, a, typeOf(a).clone(shape));
  }
  /// Dimension i of the value is dimension dims[i] of the result.
  Value broadcast(Value a, ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
    return create(Hlo::BroadcastInDim, a, typeOf(a).clone(shape),
                  list("broadcast_dimensions", dims));
  }
  Value concatenate(ValueRange parts, int64_t dim, Type type) {
    return create(Hlo::Concatenate, parts, type, number("dimension", dim));
  }
  /// `a` and its starts; a window of `sizes`.
  Value dynamicSlice(ValueRange operands, ArrayRef<int64_t> sizes) {
    return create(Hlo::DynamicSlice, operands,
                  typeOf(operands.front()).clone(sizes),
                  list("slice_sizes", sizes));
  }
  /// With elements of `filler` around and between those of `a`.
  Value pad(Value a, Value filler, ArrayRef<int64_t> low,
            ArrayRef<int64_t> high, ArrayRef<int64_t> interior, Type type) {
    return create(Hlo::Pad, {a, filler}, type,
                  {list("edge_padding_low", low),
                   list("edge_padding_high", high),
                   list("interior_padding", interior)});
  }

private:
  static RankedTensorType typeOf(Value value) {
    return cast<RankedTensorType>(value.getType());
  }

  OpBuilder &builder;
  Location loc;
};

} // namespace gaudi

#endif // GAUDI_CONVERSION_STABLEHLOOPS_H
