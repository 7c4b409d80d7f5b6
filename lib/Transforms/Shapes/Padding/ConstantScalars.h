// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalars that a kernel computes from constants.
#ifndef GAUDI_LIB_TRANSFORMS_SHAPES_CONSTANTSCALARS_H
#define GAUDI_LIB_TRANSFORMS_SHAPES_CONSTANTSCALARS_H

#include "Gaudi/Dialect/NeutralElements.h"

namespace gaudi {

/// The scalar of element type `element` that a kernel reads as `scalar` or
/// stores from it; null if a store would round it.
TypedAttr asElement(TypedAttr scalar, Type element);
/// The constant that a kernel reads an element as.
TypedAttr asScalar(TypedAttr element);

/// Values of the ops of a kernel's body that are constants.
class ConstantScalars {
public:
  void set(Value value, TypedAttr constant) { known[value] = constant; }
  TypedAttr of(Value value) const { return known.lookup(value); }
  /// Computes the results of an op of arith or math that are constants whatever
  /// its unknown operands are.
  void evaluate(Operation *op);

private:
  DenseMap<Value, TypedAttr> known;
};

/// What an elementwise op gives for operands of which some are constants; null
/// if that is not one constant.
TypedAttr evaluateElementwise(ElementwiseOpInterface op,
                              ArrayRef<TypedAttr> operands);

bool isFinite(TypedAttr value);

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_SHAPES_CONSTANTSCALARS_H
