// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The records of memory as an attribute of the module.
#include "Gaudi/Transforms/MemoryRecord.h"
#include "../RecordForm.h"
#include <numeric>
#include <tuple>

using namespace mlir;
using namespace gaudi;
using gaudi::MemorySum;

/// False for a kind that is read and does not exist.
static bool describe(RecordForm &form, MemoryKind &kind) {
  std::string name(nameOf(kind));
  form.text("kind", name);
  const auto known = gaudi::parseMemoryKind(name);
  kind = known.value_or(kind);
  return known.has_value();
}

static bool describe(RecordForm &form, MemoryRecord::Entry &entry) {
  form.text("name", entry.name);
  form.location(entry.loc);
  form.number("bytes", entry.bytes);
  form.number("picoseconds", entry.picoseconds);
  form.text("reader", entry.reader, /*isOptional=*/true);
  form.location("reader_loc", entry.readerLoc);
  form.text("reason", entry.reason, /*isOptional=*/true);
  form.text("remedy", entry.remedy, /*isOptional=*/true);
  return describe(form, entry.kind);
}

namespace {
/// The sum of all entries of a kind.
struct KindSum {
  MemoryKind kind;
  MemorySum sum;
};
} // namespace

static bool describe(RecordForm &form, KindSum &part) {
  form.number("count", part.sum.count);
  form.number("bytes", part.sum.bytes);
  form.number("picoseconds", part.sum.picoseconds);
  return describe(form, part.kind);
}

static constexpr auto describePart = [](RecordForm &form, auto &part) {
  return describe(form, part);
};

static bool describe(RecordForm &form, MemoryRecord &record,
                     MLIRContext *context) {
  form.text("entry", record.entry);
  for (auto [name, bytes] :
       {std::pair("program_order", &record.peaks.programOrder),
        std::pair("order", &record.peaks.order),
        std::pair("order_bound", &record.peaks.orderBound),
        std::pair("planned", &record.peaks.planned),
        std::pair("planned_bound", &record.peaks.plannedBound),
        std::pair("budget", &record.peaks.budget)})
    form.number(name, *bytes, -1);
  SmallVector<KindSum> sums;
  for (auto [kind, sum] : llvm::enumerate(record.sums))
    if (sum.count)
      sums.push_back({MemoryKind(kind), sum});
  form.list("sums", sums, {MemoryKind::View, {}}, describePart);
  record.sums = {};
  // A file may have negative counts, or a kind twice.
  for (const KindSum &part : sums)
    record.sums[size_t(part.kind)].add(
        uint64_t(std::max<int64_t>(int64_t(part.sum.count), 0)), part.sum.bytes,
        part.sum.picoseconds);
  form.list("entries", record.entries,
            {MemoryKind::View, "", UnknownLoc::get(context)}, describePart);
  return true;
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

void gaudi::record(ModuleOp module, const MemoryRecord &added) {
  MLIRContext *context = module.getContext();
  SmallVector<Attribute> all;
  if (auto known = module->getAttrOfType<ArrayAttr>(memoryAttrName))
    llvm::append_range(all, known);
  const auto entry = StringAttr::get(context, added.entry);
  auto *place = llvm::find_if(all, [&](Attribute attribute) {
    auto fields = dyn_cast<DictionaryAttr>(attribute);
    return fields && fields.get("entry") == entry;
  });
  MemoryRecord record{added.entry};
  if (place == all.end()) {
    place = &all.emplace_back();
  } else {
    RecordForm known(*place);
    describe(known, record, context);
  }
  record.peaks.update(added.peaks);
  addEntries(record, added.entries);
  RecordForm form(context);
  describe(form, record, context);
  *place = form.dictionary();
  module->setAttr(memoryAttrName, ArrayAttr::get(context, all));
}

SmallVector<MemoryRecord, 0> gaudi::memoryRecords(ModuleOp module) {
  MLIRContext *context = module.getContext();
  SmallVector<MemoryRecord, 0> records;
  readRecords(module, memoryAttrName, records, {},
              [&](RecordForm &form, MemoryRecord &record) {
                return describe(form, record, context);
              });
  return records;
}
