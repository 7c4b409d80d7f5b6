// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which narrow float types hold all elements of a tensor exactly, and the
// tensor in one of them.
//
// A tensor that was widened from bf16 still has numbers of bf16, also after ops
// that only move, pick or negate elements. The analysis is a proof: a type is
// in the set of a tensor only if every element is a number of that type,
// whatever the inputs are.
#ifndef GAUDI_LIB_TRANSFORMS_PRECISION_NARROWVALUES_H
#define GAUDI_LIB_TRANSFORMS_PRECISION_NARROWVALUES_H

#include "Gaudi/Dialect/ConstantValues.h"
#include "Gaudi/Dialect/GaudiDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

#include <cmath>
#include <limits>

namespace gaudi {

/// The device's float types below f32, narrower ones first.
SmallVector<FloatType, 4> narrowTypes(MLIRContext *context);

/// Each element of a result is one of an operand's of a float type, or minus
/// one, or the value of a padding.
bool picks(Operation *op);

/// The elements of a constant of floats times `scale`, each rounded to `type`
/// after magnitudes beyond `most` have become that.
ElementsAttr narrowed(const ConstantValues &values, FloatType type,
                      double scale = 1,
                      double most = std::numeric_limits<double>::infinity());

inline bool isF32(Value tensor) { return getElementTypeOrSelf(tensor).isF32(); }

inline int64_t countOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getNumElements();
}

/// The largest of some magnitudes, and of one value more; NaN if one is.
inline double largerOf(double amax, double value) {
  const double magnitude = std::fabs(value);
  return magnitude > amax || std::isnan(magnitude) ? magnitude : amax;
}

/// What is known of the elements of a tensor.
struct Exactness {
  /// The types that hold every element, as bits in the order of narrowTypes().
  /// NaN is one value.
  unsigned types = 0;
  /// Some elements come from a tensor of a narrow float type. Constants and
  /// masks that happen to have short numbers do not make a model narrow.
  bool isWidened = false;
};

/// The facts about all tensors of a function, in time linear in its ops and in
/// the elements of its f32 constants; and the tensors that were made narrow.
class NarrowValues {
public:
  explicit NarrowValues(func::FuncOp function);

  /// True if some op widens a float: else nothing here is of use.
  bool hasWidening() const { return widens; }
  Exactness of(Value tensor) const { return known.lookup(tensor); }

  /// The tensor in `type`, one that holds its elements. Ops between it and what
  /// was widened are made again, each after its original.
  Value in(Value tensor, FloatType type);

  /// A step of in().
  struct Made {
    Value of;      ///< The tensor that is narrow now.
    Operation *op; ///< Null if it was narrow before a cast that is left out.
    bool isCast;   ///< The op reads `of`; it is no copy of the op that made it.
    FloatType type;
  };
  ArrayRef<Made> made() const { return log; }
  /// Forgets all but the first `count` steps; no other op may use the rest.
  void undo(size_t count);

private:
  Exactness exactnessOf(Operation *op) const;
  bool isHeld(Value tensor, FloatType type) const;
  /// Operands that make() needs in `type`.
  SmallVector<Value> needs(Value tensor, FloatType type) const;
  void make(Value tensor, FloatType type);

  bool widens = false;
  llvm::DenseMap<Value, Exactness> known;
  llvm::DenseMap<std::pair<Value, Type>, Value> narrow;
  SmallVector<Made> log;
};

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_PRECISION_NARROWVALUES_H
