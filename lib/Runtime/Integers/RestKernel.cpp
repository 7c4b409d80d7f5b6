// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces a stage of a kernel by a load.
#include "RestKernel.h"

#include "../Commands/StageValues.h"

#include "Gaudi/Recipe/Views.h"

#include <algorithm>
#include <cassert>

namespace gaudi::runtime {

using namespace recipe;

namespace {

class Replacement {
public:
  Replacement(KernelT &kernel, const IntegerContraction &contraction)
      : kernel(kernel), contraction(contraction) {
    for (unsigned s = 0; s < contraction.stage; ++s)
      first += valuesIn(*kernel.stages[s]);
    before = valuesIn(*kernel.stages[contraction.stage]);
  }

  void run() {
    const ReductionT sum =
        *kernel.stages[contraction.stage]->reductions.front();
    sums = addInput(kernel, ElementType::I32, contraction.dims);
    *kernel.stages[contraction.stage] = loadOf(sum);
    after = valuesIn(*kernel.stages[contraction.stage]);
    for (size_t s = contraction.stage + 1; s < kernel.stages.size(); ++s)
      renumberValues(*kernel.stages[s],
                     [&](uint32_t value) { return renumbered(value); });
    for (const auto &access : kernel.accesses)
      for (const auto &dim : access->dims)
        if (dim->value >= 0)
          dim->value = int32_t(renumbered(uint32_t(dim->value)));
    dropAccesses();
    dropLoops();
  }

private:
  /// init + the sum.
  StageT loadOf(const ReductionT &sum) const {
    StageT stage;
    stage.insts.push_back(Inst(0, sums, 0, 0, Op::Load, ElementType::I32));
    uint32_t last = first;
    if (contraction.wide) {
      stage.insts.push_back(Inst(0, last, 0, 0, Op::ExtSI, ElementType::I64));
      ++last;
    }
    stage.insts.push_back(
        Inst(0, last, sum.init, 0, Op::AddI,
             contraction.wide ? ElementType::I64 : ElementType::I32));
    return stage;
  }

  /// The result of the stage is its last value, before and after.
  uint32_t renumbered(uint32_t value) const {
    if (value < first)
      return value;
    assert(value + 1 >= first + before && "only the sum is visible later");
    return value - before + after;
  }

  /// Those that only the replaced stage had.
  void dropAccesses() {
    std::vector<uint32_t> number(kernel.accesses.size(), 0);
    forEachAccess([&](uint32_t access) {
      number[access] = 1;
      return access;
    });
    std::vector<std::unique_ptr<AccessT>> kept;
    for (size_t a = 0; a < number.size(); ++a)
      if (number[a]) {
        number[a] = uint32_t(kept.size());
        kept.push_back(std::move(kernel.accesses[a]));
      }
    kernel.accesses = std::move(kept);
    forEachAccess([&](uint32_t access) { return number[access]; });
  }

  template <typename Visit> void forEachAccess(Visit visit) {
    for (const auto &stage : kernel.stages) {
      for (Inst &inst : stage->insts)
        if (inst.op() == Op::Load)
          inst = Inst(inst.imm(), visit(inst.a()), inst.b(), inst.c(),
                      inst.op(), inst.type());
      for (const auto &store : stage->stores)
        store->access = visit(store->access);
    }
  }

  /// A loop without a stage runs once.
  void dropLoops() {
    for (unsigned loop : contraction.loops)
      if (std::none_of(kernel.stages.begin(), kernel.stages.end(),
                       [&](const auto &stage) {
                         return std::find(stage->loops.begin(),
                                          stage->loops.end(),
                                          loop) != stage->loops.end();
                       }))
        kernel.index_space[loop] = 1;
  }

  KernelT &kernel;
  const IntegerContraction &contraction;
  uint32_t sums = 0;   // the access to them
  uint32_t first = 0;  // value of the stage
  uint32_t before = 0; // values of the stage
  uint32_t after = 0;
};

} // namespace

RestKernel::RestKernel(const Kernel &whole,
                       const IntegerContraction &contraction)
    : code([&] {
        KernelT rest;
        whole.UnPackTo(&rest);
        Replacement(rest, contraction).run();
        return BuiltKernel(rest);
      }()) {}

bool RestKernel::reads(unsigned operand) const {
  for (const Access *access : items(kernel().accesses()))
    if (access->operand() == operand)
      return true;
  return false;
}

} // namespace gaudi::runtime
