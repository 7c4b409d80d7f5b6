// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Another batch size for a module of static shapes.
#ifndef GAUDI_LIB_COMPILER_BATCH_H
#define GAUDI_LIB_COMPILER_BATCH_H

#include "BatchTies.h"
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

  /// The one whose leading dimension it is, and that size.
  unsigned argument = 0;
  int64_t size = 0;
  /// Sizes are multiples of it: a dimension of 4 that is 2 heads of 2 images
  /// (sizes that do not divide) needs an even batch.
  int64_t step = 1;
  /// The arguments that grow.
  SmallVector<unsigned> arguments;

  /// Gives the function another batch size. Once.
  LogicalResult resize(int64_t size);

private:
  explicit Batch(func::FuncOp function) : ties(function), function(function) {}

  bool grows(Value value, unsigned dim) const {
    return growing[ties.nodeOf(value, dim)];
  }
  bool grows(Value value) const;
  void choose(ArrayRef<BatchTies::Node> nodes);
  std::pair<bool, size_t> weight(ArrayRef<Value> values) const;

  BatchTies ties;
  func::FuncOp function;
  std::vector<bool> growing; ///< by node
};

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_BATCH_H
