// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar operations of kernels on single numbers, as the reference evaluates
// them.
#ifndef GAUDI_REFERENCE_SCALARS_H
#define GAUDI_REFERENCE_SCALARS_H

#include "Gaudi/Dialect/KernelLanguage.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace gaudi::reference {

/// The result of an opcode on floats, in double; nothing if it takes others.
std::optional<double> evaluateFloats(kernel::Opcode op, ArrayRef<double> x);

/// What a scalar op of a kernel gives for numbers, in float64 and not rounded;
/// nothing for ops that are no function of numbers. Integers are whole numbers
/// below 2^53, an i1 is 0 or 1. `from` is the type of the first operand, null
/// for an index; `to` that of the result.
std::optional<double> evaluateScalar(OperationName name, Attribute attrs,
                                     ArrayRef<double> x, Type from, Type to);

template <typename T> bool holds(ComparePredicate predicate, T a, T b) {
  switch (predicate) {
  case ComparePredicate::EQ:
    return a == b;
  case ComparePredicate::NE:
    return a != b;
  case ComparePredicate::LT:
    return a < b;
  case ComparePredicate::LE:
    return a <= b;
  case ComparePredicate::GT:
    return a > b;
  case ComparePredicate::GE:
    return a >= b;
  }
  llvm_unreachable("every predicate is listed");
}

} // namespace gaudi::reference

#endif // GAUDI_REFERENCE_SCALARS_H
