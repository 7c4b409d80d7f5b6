// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What passes did about memory: one record per function, kept on the module.
#ifndef GAUDI_TRANSFORMS_MEMORYRECORD_H
#define GAUDI_TRANSFORMS_MEMORYRECORD_H

#include "Gaudi/Dialect/MLIR.h"
#include "Gaudi/Support/MemoryPlan.h"
#include "mlir/IR/BuiltinOps.h"
#include <array>
#include <string>

namespace gaudi {

/// Module attribute with the records, in the order in which functions got them.
constexpr llvm::StringLiteral memoryAttrName = "gaudi.memory";

struct MemoryRecord {
  /// An alias, a copy that remains, or an op that runs again.
  struct Entry {
    MemoryKind kind;
    std::string name; ///< of the op: "gaudi.concat", "tpc.add"
    Location loc;     ///< of the tensor; of a copy: where it is made
    /// That an alias saves, a copy moves, recomputing frees at the peak.
    int64_t bytes = 0;
    /// Of the device: that an alias saves, the others cost.
    int64_t picoseconds = 0;
    // Of a copy: the op that forbids the alias, and where it is.
    std::string reader = {};
    std::optional<Location> readerLoc = std::nullopt;
    std::string reason = {}; ///< why: "reads elements that ... overwrites"
    std::string remedy = {}; ///< what would remove it
  };

  std::string entry; ///< name of the function
  MemoryPeaks peaks = {};
  SmallVector<Entry, 0> entries = {};
  /// Of all entries by kind, also of those that are not listed. Set by readers;
  /// `record` counts by itself.
  std::array<gaudi::MemorySum, memoryKindCount> sums = {};
};

/// Adds to the record of the function, or makes it. Numbers of `peaks` that are
/// known replace those that were; entries follow those that were. All entries
/// are counted, and of each kind the `mostListed` largest are kept. Takes
/// O(n log n); a pass gives all its entries together.
constexpr size_t mostListed = 200;
void record(ModuleOp module, const MemoryRecord &record);

/// The records of the module. A file may hold anything: fields that are missing
/// have their default, entries of unknown kinds are left out.
SmallVector<MemoryRecord, 0> memoryRecords(ModuleOp module);

} // namespace gaudi

#endif // GAUDI_TRANSFORMS_MEMORYRECORD_H
