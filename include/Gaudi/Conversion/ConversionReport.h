// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects what a conversion could not convert, so that every such op gets its
// own error with the reason instead of only the first.
#ifndef GAUDI_CONVERSION_CONVERSIONREPORT_H
#define GAUDI_CONVERSION_CONVERSIONREPORT_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include <optional>
#include <string>

namespace gaudi {

/// The failures of one conversion. Patterns call `add` instead of emitting
/// errors; the pass calls `emit` once at its end.
class ConversionReport {
public:
  /// The other party of a refusal: where it is and what it is.
  struct Note {
    Location loc;
    std::string text;
  };

  /// Records that `op` cannot be converted. Only the first reason of an op
  /// counts. Returns failure, so that a pattern can `return report.add(...)`.
  LogicalResult add(Operation *op, const llvm::Twine &reason,
                    std::optional<Note> note = std::nullopt) {
    if (seen.insert(op).second)
      failures.push_back({op, reason.str(), std::move(note)});
    return failure();
  }

  /// Counts `op` among the failures without an error of its own: one that it
  /// depends on has one.
  void ignore(Operation *op) { seen.insert(op); }

  bool contains(Operation *op) const { return seen.contains(op); }
  bool empty() const { return failures.empty(); }

  /// Emits "cannot convert <op name>: <reason>" at each op, in the order in
  /// which they were added. Success if there was none. The ops must be alive.
  LogicalResult emit() const {
    // Once: a model may have hundreds of such ops.
    bool isExplained = false;
    for (const Failure &f : failures) {
      InFlightDiagnostic error = emitError(f.op->getLoc());
      error << "cannot convert " << f.op->getName() << ": " << f.reason;
      if (!isExplained && !llvm::StringRef(f.reason).contains("; ")) {
        error
            << "; docs/unsupported.md says what is refused, and what to write "
               "instead";
        isExplained = true;
      }
      if (f.note)
        error.attachNote(f.note->loc) << f.note->text;
    }
    return success(failures.empty());
  }

private:
  struct Failure {
    Operation *op;
    std::string reason;
    std::optional<Note> note;
  };
  llvm::SmallVector<Failure> failures;
  llvm::DenseSet<Operation *> seen;
};

} // namespace gaudi

#endif // GAUDI_CONVERSION_CONVERSIONREPORT_H
