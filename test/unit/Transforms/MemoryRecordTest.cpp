// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of memory on the module: several passes add to one per function.
#include "Gaudi/Transforms/MemoryRecord.h"
#include "mlir/AsmParser/AsmParser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace gaudi;

namespace {
class MemoryRecords : public testing::Test {
protected:
  MemoryRecords() : module(ModuleOp::create(UnknownLoc::get(&context))) {}

  Location at(unsigned line) {
    return FileLineColLoc::get(&context, "m.mlir", line, 1);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(MemoryRecords, PassesAddToOneRecordPerFunction) {
  MemoryRecord order{"main"};
  order.peaks.programOrder = 4096;
  order.peaks.order = order.peaks.orderBound = 2048;
  record(*module, order);
  record(*module, MemoryRecord{"other"});
  MemoryRecord aliases{"main"};
  aliases.peaks.planned = 2304;
  aliases.entries = {{MemoryKind::View, "gaudi.reshape", at(3), 64, 500},
                     {MemoryKind::Copy, "gaudi.concat", at(4), 128, 900,
                      "mme.gemm", at(5), "reads rows", "donate 'x'"}};
  record(*module, aliases);

  const auto records = memoryRecords(*module);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].entry, "main");
  EXPECT_EQ(records[0].peaks.programOrder, 4096);
  EXPECT_EQ(records[0].peaks.orderBound, 2048);
  EXPECT_EQ(records[0].peaks.planned, 2304);
  EXPECT_EQ(records[0].peaks.budget, -1);
  ASSERT_EQ(records[0].entries.size(), 2u);
  const MemoryRecord::Entry &copy = records[0].entries[1];
  EXPECT_EQ(copy.kind, MemoryKind::Copy);
  EXPECT_EQ(copy.reader, "mme.gemm");
  EXPECT_EQ(*copy.readerLoc, at(5));
  EXPECT_EQ(copy.reason, "reads rows");
  EXPECT_EQ(copy.remedy, "donate 'x'");
  EXPECT_FALSE(records[0].entries[0].readerLoc);
  EXPECT_EQ(records[0].sums[size_t(MemoryKind::Copy)].bytes, 128);
  EXPECT_EQ(records[1].entry, "other");
}

TEST_F(MemoryRecords, KeepTheLargestAndCountAll) {
  for (int pass = 0; pass < 2; ++pass) {
    MemoryRecord record{"main"};
    for (int64_t i = 0; i < 300; ++i)
      record.entries.push_back(
          {MemoryKind::View, "v", at(1), i + 1000 * pass, 1});
    record.entries.push_back({MemoryKind::Copy, "c", at(2), 1, 1});
    gaudi::record(*module, record);
  }
  const auto records = memoryRecords(*module);
  ASSERT_EQ(records.size(), 1u);
  const auto &entries = records[0].entries;
  ASSERT_EQ(entries.size(), mostListed + 2); // views, and both copies
  EXPECT_EQ(entries.front().kind, MemoryKind::Copy);
  EXPECT_EQ(entries[1].bytes, 1100);
  EXPECT_EQ(entries[200].bytes, 1299);
  EXPECT_EQ(records[0].sums[size_t(MemoryKind::View)].count, 600u);
  EXPECT_EQ(records[0].sums[size_t(MemoryKind::View)].picoseconds, 600);
  EXPECT_EQ(records[0].sums[size_t(MemoryKind::Copy)].count, 2u);
}

TEST_F(MemoryRecords, AFileMayHoldAnything) {
  (*module)->setAttr(
      memoryAttrName,
      parseAttribute("[7, {entry = 3, order = \"x\", entries = [{kind = "
                     "\"best\"}, 5, {kind = \"view\", bytes = 3 : i8}], sums = "
                     "[{kind = \"copy\", count = -4 : i64}]}]",
                     &context));
  const auto records = memoryRecords(*module);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[1].peaks.order, -1);
  ASSERT_EQ(records[1].entries.size(), 1u);
  EXPECT_EQ(records[1].entries[0].bytes, 0);
  EXPECT_EQ(records[1].sums[size_t(MemoryKind::Copy)].count, 0u);
}
} // namespace
