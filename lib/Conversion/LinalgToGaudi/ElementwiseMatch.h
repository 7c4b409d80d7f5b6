// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar ops, alone or a few together, that are one elementwise gaudi op.
#ifndef GAUDI_LIB_CONVERSION_LINALGTOGAUDI_ELEMENTWISEMATCH_H
#define GAUDI_LIB_CONVERSION_LINALGTOGAUDI_ELEMENTWISEMATCH_H

#include "Nest.h"

namespace gaudi::fromlinalg {

/// The predicate of gaudi.tpc.compare that decides as a scalar comparison.
std::optional<ComparePredicate> predicateOf(Operation *op);
/// True if gaudi.tpc.cast converts as the scalar op does.
bool isPlainCast(Operation *op);
/// True for the float constant 1.
bool isOne(Value value);
/// 1 / (1 + exp(-x)): returns x, or null.
Value matchSigmoid(Operation *root);
/// select(x > c, x, c) and its relatives: the full name of the op, x and c.
StringRef matchMaxBySelect(Operation *root, Value &x, Value &bound);

struct Clamp {
  Value operand;
  TypedAttr low, high;
  bool ignoreNan = false;
};
/// min(max(x, low), high) or max(min(x, high), low) with low <= high.
std::optional<Clamp> matchClamp(Operation *root);

} // namespace gaudi::fromlinalg

#endif // GAUDI_LIB_CONVERSION_LINALGTOGAUDI_ELEMENTWISEMATCH_H
