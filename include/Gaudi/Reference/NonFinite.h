// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where NaN or an infinity of a function's outputs begins.
#ifndef GAUDI_REFERENCE_NONFINITE_H
#define GAUDI_REFERENCE_NONFINITE_H

#include "Gaudi/Reference/Tensor.h"
#include <optional>

namespace mlir {
namespace func {
class FuncOp;
} // namespace func
} // namespace mlir

namespace gaudi {

/// What an op read.
struct NonFiniteOperand {
  RankedTensorType type;
  /// Of its elements, NaN aside; 0 if there is no other.
  double least = 0, largest = 0;
  bool hasNaN = false;
  /// The element at the same position, along dimensions of size 1 the only one;
  /// none if the operand has other dimensions than the result.
  std::optional<double> there;
};

/// The first value that is not finite.
struct NonFiniteBirth {
  Operation *op = nullptr; ///< null: an argument
  unsigned number = 0;     ///< of the result or argument
  int64_t element = 0;     ///< in row-major order
  double value = 0;
  std::vector<NonFiniteOperand> operands;
  /// The op that makes NaN of this infinity; null: none does.
  Operation *turned = nullptr;
};

/// Evaluates the function on tensors of its callers, and goes back from the
/// first element of an output that is NaN or an infinity: from a NaN to the one
/// that it is not NaN without, as evaluating the op again says, and from an
/// infinity in the same way. An op that makes NaN of an
/// infinite constant or argument (a mask) is where it begins, one that makes it
/// of another infinity carries this on. None: all outputs are finite. Fails
/// with an error on the op that cannot be evaluated, or on the function if
/// there is no file for the values.
FailureOr<std::optional<NonFiniteBirth>>
findNonFinite(func::FuncOp function, ArrayRef<ReferenceTensor> inputs);

} // namespace gaudi

#endif // GAUDI_REFERENCE_NONFINITE_H
