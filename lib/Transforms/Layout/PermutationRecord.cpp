// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The records of permutations as an attribute of the module.
#include "Gaudi/Transforms/PermutationRecord.h"
#include "../RecordFields.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include <tuple>

using namespace mlir;
using namespace gaudi;

/// The numbers of a record, with their names in the attribute.
template <typename Record> static auto numbersOf(Record &record) {
  auto &count = record.count;
  return std::make_tuple(
      std::pair("ops_in_all", &record.opsInAll),
      std::pair("transposes_before", &count.transposesBefore),
      std::pair("transposes_after", &count.transposesAfter),
      std::pair("bytes_before", &count.bytesBefore),
      std::pair("bytes_after", &count.bytesAfter),
      std::pair("picoseconds_before", &count.picosecondsBefore),
      std::pair("picoseconds_after", &count.picosecondsAfter),
      std::pair("lower_bound", &count.lowerBound));
}

static Attribute attributeOf(Builder &b,
                             const PermutationRecord::Transpose &transpose) {
  return b.getDictionaryAttr(
      {{"bytes", b.getI64IntegerAttr(transpose.bytes)},
       {"loc", LocationAttr(transpose.loc)},
       {"picoseconds", b.getI64IntegerAttr(transpose.picoseconds)},
       {"remains", b.getBoolAttr(transpose.remains)},
       {"text", b.getStringAttr(transpose.text)}});
}

static Attribute attributeOf(Builder &b, const PermutationRecord::Op &op) {
  SmallVector<NamedAttribute> fields = {{"loc", LocationAttr(op.loc)},
                                        {"name", b.getStringAttr(op.name)}};
  if (!op.order.empty())
    fields.emplace_back("order", b.getDenseI64ArrayAttr(op.order));
  return b.getDictionaryAttr(fields);
}

static Attribute attributeOf(Builder &b, const PermutationRecord &record) {
  SmallVector<NamedAttribute> fields = {
      {"entry", b.getStringAttr(record.entry)},
      {"loc", LocationAttr(record.loc)}};
  std::apply(
      [&](auto... number) {
        (fields.emplace_back(number.first,
                             b.getI64IntegerAttr(int64_t(*number.second))),
         ...);
      },
      numbersOf(record));
  fields.emplace_back("complete", b.getBoolAttr(record.count.isComplete));
  auto list = [&](auto &parts) {
    SmallVector<Attribute> attributes;
    for (const auto &part : parts)
      attributes.push_back(attributeOf(b, part));
    return b.getArrayAttr(attributes);
  };
  fields.emplace_back("transposes", list(record.transposes));
  fields.emplace_back("ops", list(record.ops));
  SmallVector<int32_t> edges;
  for (const PermutationRecord::Edge &edge : record.edges)
    edges.append({int32_t(edge.from), int32_t(edge.to), edge.transpose});
  fields.emplace_back("edges", b.getDenseI32ArrayAttr(edges));
  return b.getDictionaryAttr(fields);
}

void gaudi::record(ModuleOp module, ArrayRef<PermutationRecord> records) {
  if (records.empty())
    return;
  Builder builder(module.getContext());
  SmallVector<Attribute> all;
  if (auto known = module->getAttrOfType<ArrayAttr>(permutationsAttrName))
    llvm::append_range(all, known);
  for (const PermutationRecord &record : records)
    all.push_back(attributeOf(builder, record));
  module->setAttr(permutationsAttrName, builder.getArrayAttr(all));
}

static ArrayRef<int32_t> edgesOf(const RecordFields &fields) {
  auto attr = fields.get<DenseI32ArrayAttr>("edges");
  return attr ? attr.asArrayRef() : ArrayRef<int32_t>();
}

static Order orderOf(const RecordFields &fields) {
  auto attr = fields.get<DenseI64ArrayAttr>("order");
  return attr && attr.size() <= 255 && isPermutationVector(attr.asArrayRef())
             ? Order(attr.asArrayRef())
             : Order();
}

static PermutationRecord recordOf(const RecordFields &fields) {
  PermutationRecord record{fields.text("entry"), fields.location()};
  std::apply(
      [&](auto... number) {
        ((*number.second = fields.number(number.first)), ...);
      },
      numbersOf(record));
  record.count.isComplete = fields.flag("complete");
  for (const RecordFields &transpose : fields.list("transposes"))
    record.transposes.push_back(
        {transpose.flag("remains"), transpose.location(),
         transpose.number("bytes"), transpose.number("picoseconds"),
         transpose.text("text")});
  for (const RecordFields &op : fields.list("ops"))
    record.ops.push_back({op.text("name"), op.location(), orderOf(op)});
  const ArrayRef<int32_t> edges = edgesOf(fields);
  // The attribute may come from a file: edges go forward, to ops and transposes
  // that exist.
  for (size_t i = 0; i + 2 < edges.size(); i += 3)
    if (edges[i] >= 0 && edges[i] < edges[i + 1] &&
        edges[i + 1] < int64_t(record.ops.size()) && edges[i + 2] >= -1 &&
        edges[i + 2] < int64_t(record.transposes.size()))
      record.edges.push_back(
          {uint32_t(edges[i]), uint32_t(edges[i + 1]), edges[i + 2]});
  return record;
}

SmallVector<PermutationRecord, 0> gaudi::permutationRecords(ModuleOp module) {
  SmallVector<PermutationRecord, 0> records;
  if (auto known = module->getAttrOfType<ArrayAttr>(permutationsAttrName))
    for (Attribute entry : known)
      records.push_back(recordOf(RecordFields(entry)));
  return records;
}
