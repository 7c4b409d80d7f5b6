// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the candidates for fusion: gaudi-report-fusions.
#include "Gaudi/Dialect/LocationText.h"
#include "Gaudi/Support/Fusions.h"
#include "Gaudi/Transforms/FusionRecord.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/IR/Remarks.h"
#include <deque>

namespace gaudi {
#define GEN_PASS_DEF_REPORTFUSIONS
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
/// Missed candidates that an error tells one by one.
constexpr unsigned maxNotes = 50;

struct ReportFusions : impl::ReportFusionsBase<ReportFusions> {
  using ReportFusionsBase::ReportFusionsBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    const bool explains = getContext().getRemarkEngine() != nullptr;
    // Counting costs time that a compilation without remarks need not spend.
    if (require.empty() && !explains)
      return;
    records = fusionRecords(getOperation());
    std::deque<std::string> locations; // outlives the outcomes
    std::vector<FusionOutcome> outcomes;
    for (const FusionRecord &record : records) {
      locations.push_back(locationText(record.loc));
      outcomes.push_back({std::string_view(record.kind), record.fused,
                          record.members, record.bytesSaved,
                          record.picosecondsSaved, locations.back(),
                          record.text});
    }
    const std::vector<FusionCount> counts = countFusions(outcomes);
    for (const FusionCount &count : counts)
      remark::analysis(getOperation().getLoc(),
                       remark::RemarkOpts::name("candidates")
                           .category("gaudi-report-fusions"))
          << remark::add("{0}", count.line);
    auto required = parseRequiredFusions(std::string_view(require.getValue()));
    if (!required) {
      getOperation().emitError()
          << "gaudi-report-fusions: require: " << required.error().message;
      return signalPassFailure();
    }
    for (const auto &[kind, wanted] : *required)
      if (failed(check(kind, wanted, counts)))
        signalPassFailure();
  }

private:
  LogicalResult check(StringRef kind, uint64_t wanted,
                      ArrayRef<FusionCount> counts) {
    const FusionCount *count = llvm::find_if(counts, [&](const FusionCount &c) {
      return StringRef(c.kind) == kind;
    });
    const bool any = count != counts.end();
    if ((any ? count->fused : 0) == wanted)
      return success();
    InFlightDiagnostic error =
        getOperation().emitError()
        << "require-fusion asks for " << wanted << " fused candidates of '"
        << kind << "' but " << (any ? count->fused : 0) << " of "
        << (any ? count->candidates : 0) << " candidates are fused";
    if (!any)
      error.attachNote() << "the model has no candidate, or disable-fusion "
                            "leaves the pass out that looks for them; "
                            "docs/fusion.md says what a candidate is";
    // The first candidates are named, the others counted.
    unsigned told = 0;
    for (const FusionRecord &record : records) {
      if (record.kind != kind || record.fused)
        continue;
      if (told++ < maxNotes)
        error.attachNote(record.loc) << record.text;
    }
    if (told > maxNotes)
      error.attachNote() << "and " << told - maxNotes << " more";
    return failure();
  }

  SmallVector<FusionRecord> records;
};
} // namespace
} // namespace gaudi
