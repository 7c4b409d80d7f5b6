// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The records of fusion as an attribute of the module.
#include "Gaudi/Transforms/FusionRecord.h"
#include "../RecordForm.h"
#include "Gaudi/Support/Fusions.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace gaudi;

static bool describe(RecordForm &form, FusionRecord &record) {
  form.text("kind", record.kind);
  form.location(record.loc);
  form.flag("fused", record.fused);
  form.number("members", record.members, 0);
  form.number("bytes_saved", record.bytesSaved, 0);
  form.number("picoseconds_saved", record.picosecondsSaved, 0);
  form.text("text", record.text);
  return bool(gaudi::findFusionKind(std::string_view(record.kind)));
}

void gaudi::record(ModuleOp module, ArrayRef<FusionRecord> records) {
  assert(llvm::all_of(records,
                      [](const FusionRecord &record) {
                        return gaudi::findFusionKind(
                            std::string_view(record.kind));
                      }) &&
         "a kind of Gaudi/Support/Fusions.h");
  appendRecords(module, fusionsAttrName, records, describe);
}

void gaudi::explain(Operation *op, const FusionRecord &record, StringRef name,
                    StringRef category) {
  if (!explains(op))
    return;
  const auto options = remark::RemarkOpts::name(name).category(category);
  if (record.fused)
    remark::passed(record.loc, options) << record.text;
  else
    remark::missed(record.loc, options) << record.text;
}

SmallVector<FusionRecord> gaudi::fusionRecords(ModuleOp module) {
  SmallVector<FusionRecord> records;
  readRecords(module, fusionsAttrName, records,
              {"", UnknownLoc::get(module.getContext()), false, 0, 0, 0, ""},
              describe);
  return records;
}
