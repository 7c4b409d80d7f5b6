// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stages of a kernel plan in their order, and the key of its code.
#include "KernelPlan.h"

#include "Gaudi/Recipe/Views.h"
#include "PointsAtOnce.h"

#include <cassert>

namespace gaudi::runtime {

using namespace recipe;

KernelPlan planKernel(const Kernel &kernel,
                      const std::vector<KernelOperand> &operands) {
  LoopPlan loops = planLoops(kernel, operands);
  LanePlan lanes = planLanes(kernel, operands, loops);
  BufferPlan buffers = planBuffers(kernel, operands, loops, lanes);
  lanes.pointsAtOnce =
      choosePointsAtOnce(kernel, operands, loops, lanes, buffers);
  ColumnPlan columns = planColumns(kernel, operands, loops, lanes);
  PrefetchPlan prefetches =
      planPrefetches(kernel, operands, loops, lanes, buffers);
  return {std::move(loops), std::move(lanes), std::move(buffers),
          std::move(columns), std::move(prefetches)};
}

// --- key -------------------------------------------------------------------

namespace {

void addTo(KeyWriter &writer, const Stage &stage);

void addTo(KeyWriter &writer, const Inst &inst) {
  static_assert(sizeof(Inst) == 24, "a new member belongs into the key");
  writer.add(inst.imm(), inst.a(), inst.b(), inst.c(), inst.op(), inst.type());
}

void addTo(KeyWriter &writer, const Reduction &reduction) {
  writer.add(reduction.op(), reduction.init(), reduction.value(),
             reduction.position());
}

void addTo(KeyWriter &writer, const Store &store) {
  writer.add(store.access(), store.value());
}

template <typename Vector>
void addAll(KeyWriter &writer, const Vector *vector) {
  const auto list = items(vector);
  writer.add(uint64_t(list.size()));
  for (const auto &item : list)
    if constexpr (std::is_pointer_v<std::decay_t<decltype(item)>>)
      addTo(writer, *item);
    else
      writer.add(item);
}

void addTo(KeyWriter &writer, const Stage &stage) {
  addAll(writer, stage.loops());
  addAll(writer, stage.insts());
  addAll(writer, stage.reductions());
  addAll(writer, stage.stores());
}

/// Never called. Each binding names all fields of a table of the recipe: a new
/// one does not compile here until it is named, and then belongs into the key
/// as well, unless the code generator does not see it.
[[maybe_unused]] void everyFieldIsKnown(const KernelT &kernelTable,
                                        const StageT &stageTable,
                                        const ReductionT &reductionTable,
                                        const StoreT &storeTable) {
  // Extents, accesses and operand types are in the key by way of the plan.
  [[maybe_unused]] const auto &[name, index_space, parallel, inputs,
                                input_ranks, outputs, output_ranks, accesses,
                                stages] = kernelTable;
  [[maybe_unused]] const auto &[loops, insts, reductions, stores] = stageTable;
  [[maybe_unused]] const auto &[op, init, value, position] = reductionTable;
  [[maybe_unused]] const auto &[access, stored] = storeTable;
}

} // namespace

std::string kernelKey(const Kernel &kernel, const KernelPlan &plan,
                      const std::vector<KernelOperand> &operands) {
  assert(plan.disjoint.size() == operands.size() &&
         "planned on these operands");
  // Addresses matter only through the plan: what overlaps, what is aligned.
  KeyWriter writer;
  writer.add(uint64_t(operands.size()));
  for (const KernelOperand &operand : operands)
    writer.add(operand.type);
  writer.add(static_cast<const LoopPlan &>(plan),
             static_cast<const LanePlan &>(plan),
             static_cast<const BufferPlan &>(plan),
             static_cast<const ColumnPlan &>(plan),
             static_cast<const PrefetchPlan &>(plan));
  addAll(writer, kernel.parallel());
  addAll(writer, kernel.stages());
  return writer.take();
}

} // namespace gaudi::runtime
