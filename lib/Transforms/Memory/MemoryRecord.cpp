// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The records of memory as an attribute of the module.
#include "Gaudi/Transforms/MemoryRecord.h"
#include "../RecordFields.h"
#include "mlir/IR/Builders.h"
#include <numeric>
#include <tuple>

using namespace mlir;
using namespace gaudi;
using gaudi::MemoryPeaks;
using gaudi::MemorySum;

/// The numbers of a record, with their names in the attribute.
static constexpr auto peakFields =
    std::make_tuple(std::pair("program_order", &MemoryPeaks::programOrder),
                    std::pair("order", &MemoryPeaks::order),
                    std::pair("order_bound", &MemoryPeaks::orderBound),
                    std::pair("planned", &MemoryPeaks::planned),
                    std::pair("planned_bound", &MemoryPeaks::plannedBound),
                    std::pair("budget", &MemoryPeaks::budget));

static Attribute attributeOf(Builder &b, const MemoryRecord::Entry &entry) {
  SmallVector<NamedAttribute> fields = {
      {"kind", b.getStringAttr(nameOf(entry.kind))},
      {"name", b.getStringAttr(entry.name)},
      {"loc", LocationAttr(entry.loc)},
      {"bytes", b.getI64IntegerAttr(entry.bytes)},
      {"picoseconds", b.getI64IntegerAttr(entry.picoseconds)}};
  for (auto [name, text] :
       {std::pair("reader", &entry.reader), std::pair("reason", &entry.reason),
        std::pair("remedy", &entry.remedy)})
    if (!text->empty())
      fields.emplace_back(name, b.getStringAttr(*text));
  if (entry.readerLoc)
    fields.emplace_back("reader_loc", LocationAttr(*entry.readerLoc));
  return b.getDictionaryAttr(fields);
}

static Attribute attributeOf(Builder &b, MemoryKind kind,
                             const MemorySum &sum) {
  return b.getDictionaryAttr(
      {{"kind", b.getStringAttr(nameOf(kind))},
       {"count", b.getI64IntegerAttr(int64_t(sum.count))},
       {"bytes", b.getI64IntegerAttr(sum.bytes)},
       {"picoseconds", b.getI64IntegerAttr(sum.picoseconds)}});
}

static Attribute attributeOf(Builder &b, const MemoryRecord &record) {
  SmallVector<NamedAttribute> fields = {
      {"entry", b.getStringAttr(record.entry)}};
  std::apply(
      [&](auto... field) {
        const auto add = [&](const char *name, int64_t bytes) {
          if (bytes >= 0)
            fields.emplace_back(name, b.getI64IntegerAttr(bytes));
        };
        (add(field.first, record.peaks.*field.second), ...);
      },
      peakFields);
  SmallVector<Attribute> entries, sums;
  for (const MemoryRecord::Entry &entry : record.entries)
    entries.push_back(attributeOf(b, entry));
  for (auto [kind, sum] : llvm::enumerate(record.sums))
    if (sum.count)
      sums.push_back(attributeOf(b, MemoryKind(kind), sum));
  fields.emplace_back("sums", b.getArrayAttr(sums));
  fields.emplace_back("entries", b.getArrayAttr(entries));
  return b.getDictionaryAttr(fields);
}

/// Adds entries to those of a record, counts them, and keeps the largest of
/// each kind, in the order in which they came.
static void addEntries(MemoryRecord &record,
                       ArrayRef<MemoryRecord::Entry> more) {
  for (const MemoryRecord::Entry &entry : more)
    record.sums[size_t(entry.kind)].add(1, entry.bytes, entry.picoseconds);
  SmallVector<const MemoryRecord::Entry *, 0> all;
  for (const MemoryRecord::Entry &entry : record.entries)
    all.push_back(&entry);
  for (const MemoryRecord::Entry &entry : more)
    all.push_back(&entry);
  SmallVector<size_t, 0> order(all.size());
  std::iota(order.begin(), order.end(), size_t(0));
  // By size, then time, then age: which entries are kept is deterministic.
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::tie(all[b]->bytes, all[b]->picoseconds, a) <
           std::tie(all[a]->bytes, all[a]->picoseconds, b);
  });
  std::array<size_t, gaudi::memoryKindCount> listed = {};
  llvm::erase_if(order, [&](size_t i) {
    return listed[size_t(all[i]->kind)]++ >= mostListed;
  });
  llvm::sort(order);
  SmallVector<MemoryRecord::Entry, 0> kept;
  for (size_t i : order)
    kept.push_back(*all[i]);
  record.entries = std::move(kept);
}

static MemoryRecord recordOf(const RecordFields &fields) {
  MemoryRecord record{fields.text("entry")};
  std::apply(
      [&](auto... field) {
        ((record.peaks.*field.second = fields.number(field.first, -1)), ...);
      },
      peakFields);
  for (const RecordFields &sum : fields.list("sums"))
    if (auto kind = gaudi::parseMemoryKind(sum.text("kind")))
      record.sums[size_t(*kind)].add(
          uint64_t(std::max<int64_t>(sum.number("count"), 0)),
          sum.number("bytes"), sum.number("picoseconds"));
  for (const RecordFields &entry : fields.list("entries"))
    if (auto kind = gaudi::parseMemoryKind(entry.text("kind")))
      record.entries.push_back(
          {*kind, entry.text("name"), entry.location(), entry.number("bytes"),
           entry.number("picoseconds"), entry.text("reader"),
           entry.location("reader_loc"), entry.text("reason"),
           entry.text("remedy")});
  return record;
}

void gaudi::record(ModuleOp module, const MemoryRecord &added) {
  Builder builder(module.getContext());
  SmallVector<Attribute> all;
  if (auto known = module->getAttrOfType<ArrayAttr>(memoryAttrName))
    llvm::append_range(all, known);
  auto place = llvm::find_if(all, [&](Attribute attribute) {
    return RecordFields(attribute).text("entry") == added.entry;
  });
  MemoryRecord record{added.entry};
  if (place != all.end())
    record = recordOf(RecordFields(*place));
  record.peaks.update(added.peaks);
  addEntries(record, added.entries);
  if (place != all.end())
    *place = attributeOf(builder, record);
  else
    all.push_back(attributeOf(builder, record));
  module->setAttr(memoryAttrName, builder.getArrayAttr(all));
}

SmallVector<MemoryRecord, 0> gaudi::memoryRecords(ModuleOp module) {
  SmallVector<MemoryRecord, 0> records;
  if (auto known = module->getAttrOfType<ArrayAttr>(memoryAttrName))
    for (Attribute entry : known)
      records.push_back(recordOf(RecordFields(entry)));
  return records;
}
