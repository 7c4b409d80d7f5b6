// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bound on what unrolling loops and inlining calls make of a model, which
// all entry points to the front ends apply.
#ifndef GAUDI_CONVERSION_INLINING_H
#define GAUDI_CONVERSION_INLINING_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace gaudi {

/// Most ops that unrolling and inlining may add to a module, each, unless the
/// caller allows more (max-expanded-ops).
constexpr uint64_t defaultExpandedOps = uint64_t(1) << 17;

/// Deepest nesting of calls: MLIR's inliner takes time and memory that grow
/// with its square (4,000 levels: 12 s, 1 GB). Models have fewer than 50.
constexpr unsigned maxCallDepth = 500;

/// How many ops the functions of a module have once their calls are inlined.
/// Linear in the module. Recursive calls count once; the inliner leaves them.
class InlinedSizes {
public:
  explicit InlinedSizes(ModuleOp module);

  /// What `op` and the ops inside it are then, saturated. The op may be a clone
  /// of one in the module.
  uint64_t of(Operation *op) const;

private:
  llvm::DenseMap<StringAttr, uint64_t> functions;
};

/// Fails, with an error at the function, if its calls nest deeper than
/// maxCallDepth, or if the bodies that they copy into it have more than
/// `maxOps` ops: a chain of n functions that call the next twice has 2^n.
LogicalResult checkInlinedSize(ModuleOp module, uint64_t maxOps);

/// What the expansion of control flow of one module may still add.
struct ExpansionBudget {
  ExpansionBudget(ModuleOp module, uint64_t most) : most(most), sizes(module) {}

  /// Of the clones of one loop; beyond, the host runs the loop if it can.
  uint64_t mostPerLoop() const { return most / 2; }
  uint64_t left() const { return most - std::min(most, used); }
  /// Counts the clone of `op`.
  void add(Operation *op);

  const uint64_t most;
  /// Ops cloned, each call counted as what it will be inlined to.
  uint64_t used = 0;
  /// Cloned for loops that could not be unrolled after all, and erased: at most
  /// `attempts` times what may stay, since a loop that the host runs is tried
  /// twice and those inside it after that.
  uint64_t wasted = 0;
  static constexpr uint64_t attempts = 8;
  const InlinedSizes sizes;
};

/// Writes the symbols in properties of ops that are not registered, such as
/// stablehlo.composite, as attributes, too: MLIR does not see them in
/// properties, and would remove the functions.
void showSymbols(ModuleOp module);

} // namespace gaudi

#endif // GAUDI_CONVERSION_INLINING_H
