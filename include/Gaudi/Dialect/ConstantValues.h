// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of a constant attribute, whatever form it has.
#ifndef GAUDI_DIALECT_CONSTANTVALUES_H
#define GAUDI_DIALECT_CONSTANTVALUES_H

#include "Gaudi/Dialect/Layout.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include <cassert>
#include <cstring>

namespace gaudi {

/// A view of a dense, splat or dense_resource attribute of a device type: its
/// little-endian bytes, its type, and whether one element stands for all. Valid
/// as long as the attribute's context (or, for a resource, its blob).
class ConstantValues {
public:
  using EmitError = llvm::function_ref<InFlightDiagnostic()>;

  /// Nothing, and an error if `emitError` is given, for another attribute and
  /// for a resource that has no data or not as many bytes as its type needs.
  static std::optional<ConstantValues> of(Attribute attribute,
                                          EmitError emitError = {});
  /// The elements of the gaudi.constant that defines `tensor`.
  static std::optional<ConstantValues> of(Value tensor);

  RankedTensorType getType() const { return type; }
  int64_t size() const { return type.getNumElements(); }
  bool isSplat() const { return step == 0; }

  /// The elements in order, one for a splat. Empty for packed booleans.
  ArrayRef<char> bytes() const { return data; }

  /// Element i, read as a T of its width.
  template <typename T> T get(int64_t i) const {
    assert(int64_t(sizeof(T)) == width && !data.empty() && "type of elements");
    T value;
    std::memcpy(&value, data.data() + step * i, sizeof(T));
    return value;
  }

  /// The bits of element i, low bits first (i1: 0 or 1).
  uint64_t bits(int64_t i) const;
  /// Element i of a float type, exactly.
  float number(int64_t i) const;
  /// Element i of an integer type, as the type reads its bits. The numbers of
  /// i1 are 0 and 1.
  int64_t integer(int64_t i) const;
  /// Element i of either; integers as the nearest float64.
  double at(int64_t i) const;
  /// All elements of an integer type.
  SmallVector<int64_t> integers() const;
  /// True if every element is 0, or -0.
  bool isZero() const;

  /// The same elements as a dense attribute.
  DenseElementsAttr toDense() const;

  /// The floats of a tensor of `shape` that is read through `map`, in row-major
  /// order.
  SmallVector<float> numbers(ArrayRef<int64_t> shape,
                             ArrayRef<StridedIndex> map) const;
  /// The elements of such a tensor as a constant, a resource if it is large.
  ElementsAttr rearranged(ArrayRef<int64_t> shape,
                          ArrayRef<StridedIndex> map) const;

private:
  ConstantValues(RankedTensorType type, ArrayRef<char> data, bool isSplat);

  RankedTensorType type;
  ArrayRef<char> data;
  int64_t width;              // bytes of an element
  int64_t step;               // from one element to the next, 0 for a splat
  ArrayRef<char> packed;      // booleans of a resource, lowest bit first
  DenseElementsAttr booleans; // i1 elements, which MLIR stores its own way
};

/// Most elements of a tensor that is computed at compile time.
constexpr int64_t maxFoldedElements = 1 << 16;

/// True for tensors of f32, bf16 or f16 that are computed at compile time.
bool isFoldable(RankedTensorType type);

/// The constant of `type` with these floats, each rounded to the element type.
DenseElementsAttr constantOf(RankedTensorType type, ArrayRef<float> values);

} // namespace gaudi

#endif // GAUDI_DIALECT_CONSTANTVALUES_H
