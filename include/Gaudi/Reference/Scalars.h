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

/// The result on integers of a type, sign-extended but for i1; a null type is
/// that of an index.
std::optional<int64_t> evaluateInts(kernel::Opcode op, ArrayRef<int64_t> x,
                                    Type type);

/// One step of a reduction; nothing for kinds that such elements do not have.
std::optional<double> combineFloats(KernelReduce kind, double a, double b);
std::optional<int64_t> combineInts(KernelReduce kind, int64_t a, int64_t b,
                                   Type type);

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
