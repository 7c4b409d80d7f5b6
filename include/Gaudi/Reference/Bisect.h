// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first op of a computation whose values leave the noise that a function
// lets expect: of another form of the function, or of the commands of a recipe.
#ifndef GAUDI_REFERENCE_BISECT_H
#define GAUDI_REFERENCE_BISECT_H

#include "Gaudi/Reference/Noise.h"
#include "Gaudi/Reference/Tensor.h"
#include "Gaudi/Support/Tolerance.h"
#include <functional>
#include <memory>
#include <string>

namespace mlir {
namespace func {
class FuncOp;
} // namespace func
} // namespace mlir

namespace gaudi {

/// An op, or a command, and what it reads and gives.
struct TracedOp {
  std::string name;                ///< "tpc.add", "tpc.add+gelu"
  std::string location;            ///< as locationText has it, or ""
  SmallVector<unsigned> producers; ///< numbers of the ops that it reads from
  SmallVector<RankedTensorType> results;
  Operation *op = nullptr; ///< null: a command
};

/// The ops of a computation in program order, with what they gave.
struct Trace {
  std::vector<TracedOp> ops;
  /// Fails if it cannot be read, without a diagnostic.
  std::function<FailureOr<ReferenceTensor>(size_t op, size_t result)> value;
};

/// "mme.gemm"; of a kernel with a label, that.
std::string opName(Operation &op);

/// The ops of a function, constants included, without values.
std::vector<TracedOp> opsOf(func::FuncOp function);

/// Evaluates the function on tensors of its callers. The values are kept in a
/// file that has no name, and so is deleted with the trace. `results`: of the
/// function, as callers have them.
FailureOr<Trace> traceFunction(func::FuncOp function,
                               ArrayRef<ReferenceTensor> inputs,
                               SmallVectorImpl<ReferenceTensor> &results);

/// For each traced op the number of the op of a form of the function that is
/// its counterpart, or -1: the most in their order, with the types of their
/// results, preferring equal names, locations and constants. `isStrict`:
/// commands, which views do not have. O(n m), without what is equal at both
/// ends.
struct Alignment {
  SmallVector<int> partners;
  uint64_t score = 0; ///< the sum over pairs of how equal they are
};
Alignment align(ArrayRef<TracedOp> ops, ArrayRef<TracedOp> trusted,
                bool isStrict);

enum class TraceState {
  Unknown, ///< no counterpart, and no value of the function is equal
  Within,  ///< the expected noise
  Beyond,
  Skipped ///< not compared: large, and computed from what is beyond
};

/// A result beyond the noise that its counterpart lets expect.
struct TraceDifference {
  size_t op = 0;
  unsigned result = 0;
  int partner = -1; ///< the number of its counterpart
  Deviation found;
  ReferenceTensor expected; ///< without a value after the first ones
};

struct TraceComparison {
  Alignment alignment;                      ///< with the ops that opsOf gives
  std::vector<TraceState> states;           ///< of each traced op
  std::vector<TraceDifference> differences; ///< in the order of the trace
  double largest = 0; ///< of errors within the noise, per what is allowed
  size_t largestOp = 0;
  /// Positions in `differences` of those that read nothing beyond the noise,
  /// and for each of them the first op that may be to blame: itself, or one
  /// that it reads whose state is not known.
  SmallVector<std::pair<size_t, size_t>> first;
};

/// Evaluates `function` with draws of rounding errors, beside a trace that was
/// made on the same inputs, whose ops have these counterparts. Fails with an
/// error on the op that cannot be evaluated, or on the function if the trace
/// cannot be read.
FailureOr<TraceComparison> compareTrace(const Trace &trace,
                                        func::FuncOp function,
                                        ArrayRef<ReferenceTensor> inputs,
                                        ArrayRef<Noise> draws, bool isRewritten,
                                        Alignment alignment);

/// How two ops differ but for their results, for people: "'arith.subf' at
/// m.mlir:7:3 where the model has 'arith.addf'"; empty if they do not.
/// `operands`: whether operand k of both is the same value.
std::string howTheyDiffer(Operation *op, Operation *trusted,
                          function_ref<bool(unsigned)> isSameOperand);

} // namespace gaudi

#endif // GAUDI_REFERENCE_BISECT_H
