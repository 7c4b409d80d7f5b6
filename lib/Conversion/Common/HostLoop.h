// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that the host runs, between launches of the parts of an entry.
#ifndef GAUDI_LIB_CONVERSION_COMMON_HOSTLOOP_H
#define GAUDI_LIB_CONVERSION_COMMON_HOSTLOOP_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace gaudi {

/// A loop in the form of scf.while. `before` computes the condition, then the
/// values of the iteration, which are the results of the loop if the condition
/// is false; `after` computes from them what the next `before` takes. Both
/// insert ops at the builder and may use what the loop uses from outside.
struct HostLoop {
  using Compute =
      llvm::function_ref<SmallVector<Value>(OpBuilder &, ValueRange)>;
  Operation *op;
  SmallVector<Value> inits;
  SmallVector<Value> results; // in the order of the values that `before` gives
  Compute before, after;
};

/// Why the host cannot run the loop `op`; empty if it can. It can if the loop
/// is at the top of a function that the host launches, and every value that
/// lives across its ends is a static tensor or a scalar.
std::string whyNotOnHost(Operation *op);

/// Cuts the function of the loop in three parts: what comes before the loop
/// with its first condition, one iteration with the condition of the next, and
/// what comes after. Values that live from one part to another become
/// variables, whose attributes Gaudi/Dialect/Signature.h describes; constants
/// and arguments are repeated. The function becomes a declaration whose program
/// launches the parts; if it is a part already, the program of its entry grows.
/// `why` is for the remark: why the loop is not unrolled.
///
/// The loop is erased. Ops outside it move but are not replaced. Time is
/// linear in the ops of the function.
void runOnHost(const HostLoop &loop, StringRef category, const Twine &why);

/// The same for a loop whose block `condition` computes the condition, and
/// whose block `body` the next values, both from the operands of the first
/// iteration. Values that the body returns as they were are used from outside.
void runWhileOnHost(Operation *op, Block &condition, Block &body,
                    StringRef category, const Twine &why);

/// Attribute of a loop that may be computed though the model would not reach
/// it, as in a branch of which a condition on data chooses the results. There
/// it need not end, so that the host may not run it.
constexpr llvm::StringLiteral speculativeAttrName = "gaudi.speculative";

/// Clones the ops of a block, and returns what its terminator returns.
SmallVector<Value> cloneBlock(OpBuilder &builder, Block &block,
                              ValueRange arguments);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_COMMON_HOSTLOOP_H
