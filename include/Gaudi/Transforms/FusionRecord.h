// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What fusion passes decided: one record per candidate, kept on the module.
#ifndef GAUDI_TRANSFORMS_FUSIONRECORD_H
#define GAUDI_TRANSFORMS_FUSIONRECORD_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace gaudi {

/// Module attribute with the records, in the order of the passes.
constexpr llvm::StringLiteral fusionsAttrName = "gaudi.fusions";

/// What a pass decided about one candidate of its kind, as docs/fusion.md
/// defines candidates. The kinds are those of Gaudi/Support/Fusions.h.
struct FusionRecord {
  StringRef kind; ///< "sdpa", "layer_norm", ...
  Location loc;
  bool fused;
  /// What it fused or would have fused: the parameters of an optimizer, the
  /// gradients of a clip; 0 where a candidate has one part.
  unsigned members = 0;
  int64_t bytesSaved = 0; ///< of memory traffic in one launch
  int64_t picosecondsSaved = 0;
  /// The text of the pass' remark. If missed, the reason follows the first
  /// ": ", for the lines that count the candidates.
  std::string text;
};

/// Appends records to the module's. Each pass makes one per candidate, fused or
/// missed, beside its remark. Copies the list: a pass with many candidates
/// appends them together.
void record(ModuleOp module, ArrayRef<FusionRecord> records);
inline void record(ModuleOp module, const FusionRecord &record) {
  gaudi::record(module, ArrayRef(record));
}

/// Emits the record's text as a remark, passed or missed, if `op` explains
/// what becomes of it (DeviceTime.h).
void explain(Operation *op, const FusionRecord &record, StringRef name,
             StringRef category);

/// The records of the module, without those of unknown kinds that a file may
/// have. Their kinds are strings of the attribute.
SmallVector<FusionRecord> fusionRecords(ModuleOp module);

} // namespace gaudi

#endif // GAUDI_TRANSFORMS_FUSIONRECORD_H
