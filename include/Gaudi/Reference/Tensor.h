// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of the reference evaluator: dense tensors of float64 or int64, each
// element exactly representable in the tensor's element type.
#ifndef GAUDI_REFERENCE_TENSOR_H
#define GAUDI_REFERENCE_TENSOR_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <vector>

namespace gaudi {

/// `value` rounded once to the float type `type` (f32, bf16, f16, f8E4M3FN,
/// f8E5M2): nearest, ties to even; past the largest finite value it becomes
/// infinity, or NaN for f8E4M3FN.
double roundTo(Type type, double value);

/// `value` reduced modulo 2^width of the integer type `type` and read as the
/// type says: ui8, ui16, ui32 and i1 as unsigned, the others as signed.
int64_t wrapTo(Type type, int64_t value);

/// Bytes of one element on the device and in host buffers (i1 takes one).
int64_t deviceElementBytes(Type elementType);

/// A dense row-major tensor. Copies share their elements until one of them is
/// written, so they cost nothing.
class ReferenceTensor {
public:
  ReferenceTensor() = default;
  /// Zeros. `elementType` must be an element type of the device.
  ReferenceTensor(ArrayRef<int64_t> shape, Type elementType);
  explicit ReferenceTensor(RankedTensorType type);

  /// The elements of a dense, splat or dense_resource attribute. Fails with
  /// `emitError` if the attribute has no data or not enough of it.
  static FailureOr<ReferenceTensor>
  fromAttribute(ElementsAttr attribute,
                function_ref<InFlightDiagnostic()> emitError);
  /// The elements of little-endian device bytes (i1: one byte, 0 is false).
  /// Fails if `bytes` has not exactly the size of the type.
  static FailureOr<ReferenceTensor> fromBytes(RankedTensorType type,
                                              ArrayRef<char> bytes);
  /// The inverse of fromBytes.
  std::vector<char> toBytes() const;

  ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getRank() const { return shape.size(); }
  int64_t getDim(int64_t dim) const { return shape[dim]; }
  int64_t getCount() const { return count; }
  Type getElementType() const { return elementType; }
  RankedTensorType getType() const {
    return RankedTensorType::get(shape, elementType);
  }
  /// True if the elements are floats, read with floats(), else with ints().
  bool isFloat() const { return isa<FloatType>(elementType); }
  explicit operator bool() const { return bool(elementType); }

  ArrayRef<double> floats() const { return *floatData; }
  ArrayRef<int64_t> ints() const { return *intData; }
  /// For writing. The writer rounds (roundTo, wrapTo) what it stores.
  MutableArrayRef<double> mutableFloats();
  MutableArrayRef<int64_t> mutableInts();

  /// An element for people and comparisons: ints as double.
  double at(int64_t element) const {
    return isFloat() ? (*floatData)[element]
                     : static_cast<double>((*intData)[element]);
  }

  /// The same elements in another shape of as many elements.
  ReferenceTensor reshaped(ArrayRef<int64_t> newShape) const;

  /// Element i of the result is element `source(i)` of this tensor; a negative
  /// source leaves zero.
  ReferenceTensor gathered(ArrayRef<int64_t> newShape,
                           function_ref<int64_t(int64_t)> source) const;

private:
  SmallVector<int64_t> shape;
  int64_t count = 0;
  Type elementType;
  std::shared_ptr<std::vector<double>> floatData;
  std::shared_ptr<std::vector<int64_t>> intData;
};

} // namespace gaudi

#endif // GAUDI_REFERENCE_TENSOR_H
