// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Another batch size for a module of static shapes.
#ifndef GAUDI_LIB_COMPILER_BATCH_H
#define GAUDI_LIB_COMPILER_BATCH_H

#include "Gaudi/Dialect/GaudiDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <memory>
#include <optional>
#include <string>

namespace gaudi {

/// The dimensions of a function in the gaudi dialect that grow with the leading
/// dimension of one argument.
///
/// Each dimension of each value is a node. An op ties nodes that it needs equal
/// in size: what an elementwise op adds, what a product contracts. A node may
/// be fixed: a dimension of a constant, of a filter, of a partial slice. The
/// batch is what the leading dimension of the argument reaches; if it reaches a
/// fixed node, the model has no other batch size, and the op is known that says
/// so. Ties along which a dimension of size 1 is repeated go from the operand
/// to the result only. O(values * rank).
class Batch {
public:
  /// `argument`: whose leading dimension it is; none: the one
  /// that most values grow with. Fails with an error if an op fixes it.
  static FailureOr<Batch> find(func::FuncOp function,
                               std::optional<unsigned> argument,
                               std::string &error);
  ~Batch();
  Batch(Batch &&) noexcept;
  Batch &operator=(Batch &&) noexcept;

  /// The one whose leading dimension it is.
  unsigned argument() const;
  int64_t size() const;
  /// Sizes are multiples of it: a dimension of 4 that is 2 heads of 2 images
  /// (sizes that do not divide) needs an even batch.
  int64_t step() const;
  /// The arguments that grow.
  ArrayRef<unsigned> arguments() const;
  /// Gives the function another batch size. Once.
  LogicalResult resize(int64_t size);

private:
  Batch();
  struct Ties;
  std::unique_ptr<Ties> ties;
};

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_BATCH_H
