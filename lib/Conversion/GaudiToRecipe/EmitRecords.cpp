// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of a recipe that say what the compiler did, and the remark on an
// entry.
#include "Gaudi/Support/Units.h"
#include "Gaudi/Transforms/FusionRecord.h"
#include "Gaudi/Transforms/MemoryRecord.h"
#include "Gaudi/Transforms/PermutationRecord.h"
#include "RecipeAssembly.h"
#include "mlir/IR/Remarks.h"

static_assert(unsigned(gaudi::recipe::MemoryKind::MAX) + 1 ==
                  gaudi::memoryKindCount,
              "the recipe's numbers are those of the compiler");

using namespace mlir;
using namespace gaudi;
using namespace gaudi::recipe;

static void addFusions(ModuleOp module, RecipeAssembly &builder) {
  for (const FusionRecord &record : fusionRecords(module)) {
    auto fusion = std::make_unique<FusionT>();
    fusion->kind = record.kind.str();
    fusion->fused = record.fused;
    fusion->members = record.members;
    fusion->location = builder.locationId(record.loc);
    fusion->bytes_saved = record.bytesSaved;
    fusion->picoseconds_saved = record.picosecondsSaved;
    fusion->text = record.text;
    builder.recipe().fusions.push_back(std::move(fusion));
  }
}

static void addPermutations(ModuleOp module, RecipeAssembly &builder) {
  for (const PermutationRecord &record : permutationRecords(module)) {
    auto region = std::make_unique<PermutationRegionT>();
    const gaudi::PermutationCount &count = record.count;
    region->entry = record.entry;
    region->location = builder.locationId(record.loc);
    region->ops_in_all = record.opsInAll;
    region->transposes_before = count.transposesBefore;
    region->transposes_after = count.transposesAfter;
    region->bytes_before = count.bytesBefore;
    region->bytes_after = count.bytesAfter;
    region->picoseconds_before = count.picosecondsBefore;
    region->picoseconds_after = count.picosecondsAfter;
    region->lower_bound = count.lowerBound;
    region->complete = count.isComplete;
    for (const PermutationRecord::Transpose &given : record.transposes) {
      auto &transpose =
          region->transposes.emplace_back(std::make_unique<PlacedTransposeT>());
      transpose->remains = given.remains;
      transpose->location = builder.locationId(given.loc);
      transpose->bytes = given.bytes;
      transpose->picoseconds = given.picoseconds;
      transpose->text = given.text;
    }
    for (const PermutationRecord::Op &given : record.ops) {
      auto &op = region->ops.emplace_back(std::make_unique<PlacedOpT>());
      op->name = given.name;
      op->location = builder.locationId(given.loc);
      op->order.assign(given.order.begin(), given.order.end());
    }
    for (const PermutationRecord::Edge &edge : record.edges)
      region->edges.emplace_back(edge.from, edge.to, edge.transpose);
    builder.recipe().permutations.push_back(std::move(region));
  }
}

static void addMemory(ModuleOp module, RecipeAssembly &builder) {
  for (const MemoryRecord &record : memoryRecords(module)) {
    auto plan = std::make_unique<MemoryPlanT>();
    plan->entry = record.entry;
    plan->program_order = record.peaks.programOrder;
    plan->order = record.peaks.order;
    plan->order_bound = record.peaks.orderBound;
    plan->planned = record.peaks.planned;
    plan->planned_bound = record.peaks.plannedBound;
    plan->budget = record.peaks.budget;
    for (auto [kind, sum] : llvm::enumerate(record.sums))
      if (sum.count)
        plan->sums.emplace_back(sum.count, sum.bytes, sum.picoseconds,
                                gaudi::recipe::MemoryKind(kind));
    for (const MemoryRecord::Entry &given : record.entries) {
      auto &entry =
          plan->entries.emplace_back(std::make_unique<MemoryEntryT>());
      entry->kind = gaudi::recipe::MemoryKind(given.kind);
      entry->name = given.name;
      entry->location = builder.locationId(given.loc);
      entry->bytes = given.bytes;
      entry->picoseconds = given.picoseconds;
      entry->reader = given.reader;
      if (given.readerLoc)
        entry->reader_location = builder.locationId(*given.readerLoc);
      entry->reason = given.reason;
      entry->remedy = given.remedy;
    }
    builder.recipe().memory.push_back(std::move(plan));
  }
}

void gaudi::emitRecords(ModuleOp module, RecipeAssembly &builder) {
  addFusions(module, builder);
  addPermutations(module, builder);
  addMemory(module, builder);
}

void gaudi::reportEntry(func::FuncOp function, const RecipeT &recipe,
                        size_t number, const RecipeAssembly &builder) {
  const EntryT &entry = *recipe.entries[number];
  std::array<unsigned, 5> counts{};
  for (const auto &command : entry.commands)
    ++counts[size_t(command->engine)];
  const auto &sections = recipe.sections;
  remark::analysis(function.getLoc(), remark::RemarkOpts::name("recipe")
                                          .category("gaudi-emit-recipe")
                                          .function(function.getName()))
      << remark::add(
             "{0} (MME {1}, TPC {2}, DMA {3}), {4} for "
             "{5}, persistent {6} bytes, const {7} "
             "bytes, workspace {8} bytes",
             gaudi::countOf(entry.commands.size(), "command"), counts[0],
             counts[1], counts[2],
             gaudi::countOf(recipe.kernels.size(), "kernel"),
             gaudi::countOf(builder.kernelsAsked(), "launch", "launches"),
             sections[0]->size, sections[1]->size, sections[2]->size);
}
