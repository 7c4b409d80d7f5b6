// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of an element type that reductions start from.
#ifndef GAUDI_DIALECT_NEUTRALELEMENTS_H
#define GAUDI_DIALECT_NEUTRALELEMENTS_H

#include "Gaudi/Dialect/GaudiDialect.h"

namespace gaudi {

TypedAttr zeroOf(Type element);
/// The least value of the type, or the largest: infinities where there are.
TypedAttr lowestOf(Type element);
TypedAttr highestOf(Type element);

/// The value that changes no accumulator of the reduction, of element type
/// `element`; null for reductions that have none.
TypedAttr neutralOf(KernelReduce kind, Type element);
TypedAttr neutralOf(ReduceKind kind, Type element);

/// True for a zero of either sign; false for null.
bool isZero(TypedAttr value);
/// True if a device that starts from its own neutral element gives what the
/// reduction of `value` and all elements is. The sign of a zero does not count:
/// -0 + 0 is +0, which is what sums of the device start from. Of floats without
/// an infinity no extreme is one, since the device starts from that of f32.
bool isNeutral(KernelReduce kind, TypedAttr value);
bool isNeutral(ReduceKind kind, TypedAttr value);

} // namespace gaudi

#endif // GAUDI_DIALECT_NEUTRALELEMENTS_H
