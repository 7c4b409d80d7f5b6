// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gaudi-place-permutations decided: one record per region, kept on the
// module.
#ifndef GAUDI_TRANSFORMS_PERMUTATIONRECORD_H
#define GAUDI_TRANSFORMS_PERMUTATIONRECORD_H

#include "Gaudi/Dialect/Order.h"
#include "Gaudi/Support/Permutations.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace gaudi {

/// Module attribute with the records, in the order of the functions.
constexpr llvm::StringLiteral permutationsAttrName = "gaudi.permutations";

/// A part of a function in which orders depend on each other. The lists are
/// bounded, the counts are not.
struct PermutationRecord {
  /// One that remains, or one of the program that is gone.
  struct Transpose {
    bool remains;
    Location loc;
    int64_t bytes, picoseconds;
    std::string text; ///< of the remark
  };
  /// An op, or an argument or result of the function that a transpose touches.
  struct Op {
    std::string name;
    Location loc;
    Order order; ///< of its first result; empty: the one it was written in
  };
  /// Op `to` reads what the earlier op `from` writes, through a transpose of
  /// the list unless that is -1.
  struct Edge {
    uint32_t from, to;
    int32_t transpose;
  };

  std::string entry;
  Location loc; ///< of its first op
  uint32_t opsInAll = 0;
  PermutationCount count = {};
  SmallVector<Transpose, 0> transposes = {};
  SmallVector<Op, 0> ops = {}; ///< in program order
  SmallVector<Edge, 0> edges = {};
};

/// Appends records to the module's.
void record(ModuleOp module, ArrayRef<PermutationRecord> records);

/// The records of the module. A file may hold anything: fields that are missing
/// have their default, edges and orders that make no sense are left out.
SmallVector<PermutationRecord, 0> permutationRecords(ModuleOp module);

} // namespace gaudi

#endif // GAUDI_TRANSFORMS_PERMUTATIONRECORD_H
