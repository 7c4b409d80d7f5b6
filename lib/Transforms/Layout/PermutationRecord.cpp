// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The records of permutations as an attribute of the module.
#include "Gaudi/Transforms/PermutationRecord.h"
#include "../RecordForm.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace gaudi;

static bool describe(RecordForm &form,
                     PermutationRecord::Transpose &transpose) {
  form.number("bytes", transpose.bytes);
  form.location(transpose.loc);
  form.number("picoseconds", transpose.picoseconds);
  form.flag("remains", transpose.remains);
  form.text("text", transpose.text);
  return true;
}

static bool describe(RecordForm &form, PermutationRecord::Op &op,
                     MLIRContext *context) {
  form.location(op.loc);
  form.text("name", op.name);
  auto order = op.order.empty() ? DenseI64ArrayAttr()
                                : DenseI64ArrayAttr::get(context, op.order);
  form.attribute("order", order);
  if (order && order.size() <= 255 && isPermutationVector(order.asArrayRef()))
    op.order = Order(order.asArrayRef());
  return true;
}

/// Three numbers an edge. The attribute may come from a file: edges go forward,
/// to ops and transposes that exist.
static void describeEdges(RecordForm &form, PermutationRecord &record,
                          MLIRContext *context) {
  SmallVector<int32_t> numbers;
  for (const PermutationRecord::Edge &edge : record.edges)
    numbers.append({int32_t(edge.from), int32_t(edge.to), edge.transpose});
  auto edges = DenseI32ArrayAttr::get(context, numbers);
  form.attribute("edges", edges);
  record.edges.clear();
  for (int64_t i = 0; edges && i + 2 < edges.size(); i += 3)
    if (edges[i] >= 0 && edges[i] < edges[i + 1] &&
        edges[i + 1] < int64_t(record.ops.size()) && edges[i + 2] >= -1 &&
        edges[i + 2] < int64_t(record.transposes.size()))
      record.edges.push_back(
          {uint32_t(edges[i]), uint32_t(edges[i + 1]), edges[i + 2]});
}

static bool describe(RecordForm &form, PermutationRecord &record) {
  const Location unknown = UnknownLoc::get(record.loc.getContext());
  gaudi::PermutationCount &count = record.count;
  form.text("entry", record.entry);
  form.location(record.loc);
  form.number("ops_in_all", record.opsInAll);
  form.number("transposes_before", count.transposesBefore);
  form.number("transposes_after", count.transposesAfter);
  form.number("bytes_before", count.bytesBefore);
  form.number("bytes_after", count.bytesAfter);
  form.number("picoseconds_before", count.picosecondsBefore);
  form.number("picoseconds_after", count.picosecondsAfter);
  form.number("lower_bound", count.lowerBound);
  form.flag("complete", count.isComplete);
  form.list("transposes", record.transposes, {false, unknown, 0, 0, ""},
            [](RecordForm &part, PermutationRecord::Transpose &transpose) {
              return describe(part, transpose);
            });
  form.list("ops", record.ops, {"", unknown, {}},
            [&](RecordForm &part, PermutationRecord::Op &op) {
              return describe(part, op, unknown.getContext());
            });
  describeEdges(form, record, unknown.getContext());
  return true;
}

static constexpr auto describeRecord = [](RecordForm &form,
                                          PermutationRecord &record) {
  return describe(form, record);
};

void gaudi::record(ModuleOp module, ArrayRef<PermutationRecord> records) {
  appendRecords(module, permutationsAttrName, records, describeRecord);
}

SmallVector<PermutationRecord, 0> gaudi::permutationRecords(ModuleOp module) {
  SmallVector<PermutationRecord, 0> records;
  readRecords(module, permutationsAttrName, records,
              {"", UnknownLoc::get(module.getContext())}, describeRecord);
  return records;
}
