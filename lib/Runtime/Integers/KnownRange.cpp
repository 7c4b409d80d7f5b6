// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of the integers in a tensor from the kernel that writes it.
#include "KnownRange.h"

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Kernel/Reduce.h"
#include "Gaudi/Recipe/ElementTypes.h"

#include <algorithm>

namespace gaudi::runtime {

using namespace recipe;
using kernel::Range;

namespace {

/// Commands before the reader that are looked at, and operations of a value.
constexpr uint32_t mostCommands = 64;
constexpr unsigned mostSteps = 8;

kernel::Window windowOf(const Tensor &tensor) {
  return {tensor.offset(), copyOf(tensor.sizes()), copyOf(tensor.strides()),
          elementSize(tensor.type())};
}

bool mayOverlap(const Tensor &a, const Tensor &b) {
  return a.section() == b.section() &&
         !kernel::provablyDisjoint(windowOf(a), windowOf(b));
}

bool isSame(const Tensor &a, const Tensor &b) {
  return a.section() == b.section() && a.offset() == b.offset() &&
         a.type() == b.type() && copyOf(a.sizes()) == copyOf(b.sizes()) &&
         copyOf(a.strides()) == copyOf(b.strides());
}

/// Extensions of 8 bits, and constants added to them.
std::optional<Range> rangeOfValue(const std::vector<const Inst *> &values,
                                  uint32_t value, unsigned steps) {
  const Inst *inst = values[value];
  if (!inst || steps == 0)
    return std::nullopt;
  switch (inst->op()) {
  case Op::Const: {
    const auto constant = int64_t(int32_t(inst->imm()));
    if (inst->type() != ElementType::I32)
      return std::nullopt;
    return Range{constant, constant};
  }
  case Op::ExtSI:
  case Op::ExtUI: {
    const Inst *from = values[inst->a()];
    if (!from || from->type() != ElementType::I8)
      return std::nullopt;
    return inst->op() == Op::ExtSI ? Range{-128, 127} : Range{0, 255};
  }
  case Op::AddI:
  case Op::SubI: {
    const auto a = rangeOfValue(values, inst->a(), steps - 1);
    const auto b = rangeOfValue(values, inst->b(), steps - 1);
    if (!a || !b)
      return std::nullopt;
    // A sum that may wrap has the whole range of its type.
    const Range sum = inst->op() == Op::AddI
                          ? Range{a->low + b->low, a->high + b->high}
                          : Range{a->low - b->high, a->high - b->low};
    if (sum.low < INT32_MIN || sum.high > INT32_MAX)
      return std::nullopt;
    return sum;
  }
  default:
    return std::nullopt;
  }
}

/// By dimension of a tensor of these sizes, the one of the kernel that moves
/// along it, or -1. Nothing unless the access meets each element once.
std::optional<std::vector<int>>
dimsThatCover(const Kernel &kernel, const Access &access,
              const std::vector<int64_t> &sizes) {
  std::vector<bool> used(items(kernel.index_space()).size());
  std::vector<int> result;
  const auto dims = items(access.dims());
  for (unsigned t = 0; t < dims.size(); ++t) {
    int moving = -1;
    const auto coefficients = items(dims[t]->coefficients());
    // Each dimension of the tensor follows one of the kernel, step by step.
    for (unsigned d = 0; d < coefficients.size(); ++d)
      if (coefficients[d] != 0 && kernel.index_space()->Get(d) > 1) {
        if (moving >= 0 || coefficients[d] != 1 || used[d])
          return std::nullopt;
        moving = int(d);
        used[d] = true;
      }
    const int64_t extent =
        moving < 0 ? 1 : kernel.index_space()->Get(unsigned(moving));
    // From 0 to the end, and not where data says.
    if (dims[t]->value() >= 0 || dims[t]->offset() != 0 || extent != sizes[t])
      return std::nullopt;
    result.push_back(moving);
  }
  return result;
}

/// extend(load) plus constants, of which the range is known.
struct ExtendedLoad {
  const Inst *load = nullptr;
  bool isSigned = true;
  int32_t added = 0;
};

std::optional<ExtendedLoad> loadOf(const std::vector<const Inst *> &values,
                                   const Inst &inst) {
  const Inst *a = values[inst.a()];
  if (inst.op() == Op::ExtSI || inst.op() == Op::ExtUI)
    return a->op() == Op::Load
               ? std::optional(ExtendedLoad{a, inst.op() == Op::ExtSI})
               : std::nullopt;
  if (inst.op() != Op::AddI && inst.op() != Op::SubI)
    return std::nullopt;
  const Inst *b = values[inst.b()];
  const bool adds = inst.op() == Op::AddI;
  if (adds && a->op() == Op::Const)
    std::swap(a, b);
  if (b->op() != Op::Const)
    return std::nullopt;
  auto result = loadOf(values, *a);
  if (result)
    result->added += int32_t(adds ? b->imm() : -b->imm());
  return result;
}

/// The constant of which each element becomes the one that is stored at the
/// same place.
std::optional<ExtendedConstant>
constantOf(const Recipe &recipe, const Command &command, const Kernel &kernel,
           const ExtendedLoad &value, const std::vector<int> &stored) {
  const Access &access = *kernel.accesses()->Get(value.load->a());
  const auto inputs = items(command.inputs());
  if (access.operand() >= inputs.size())
    return std::nullopt;
  const uint32_t id = inputs[access.operand()];
  const Tensor &tensor = *recipe.tensors()->Get(id);
  if (recipe.sections()->Get(tensor.section())->kind() != SectionKind::Const ||
      dimsThatCover(kernel, access, copyOf(tensor.sizes())) != stored)
    return std::nullopt;
  return ExtendedConstant{id, copyOf(tensor.strides()), value.isSigned,
                          value.added};
}

/// What the kernel stores to its operand, in one store.
std::optional<KnownRange> knownOfStore(const Recipe &recipe,
                                       const Command &command, uint32_t operand,
                                       const std::vector<int64_t> &sizes) {
  const Kernel &kernel =
      *recipe.kernels()->Get(command.body_as_Launch()->kernel());
  // Without points nothing is stored, and nothing is known.
  for (int64_t extent : items(kernel.index_space()))
    if (extent == 0)
      return std::nullopt;
  std::vector<const Inst *> values;
  const recipe::Store *only = nullptr;
  for (const Stage *stage : items(kernel.stages())) {
    for (const Inst *inst : items(stage->insts()))
      values.push_back(inst);
    // Values are numbered across stages, instructions before the results of
    // their reductions; those have no instruction.
    for (const Reduction *reduction : items(stage->reductions()))
      values.insert(values.end(), kernel::resultCount(reduction->op()),
                    nullptr);
    for (const recipe::Store *store : items(stage->stores())) {
      if (kernel.accesses()->Get(store->access())->operand() != operand)
        continue;
      // Two stores may each write a part: one range would be wrong for the
      // other.
      if (only)
        return std::nullopt;
      only = store;
    }
  }
  if (!only)
    return std::nullopt;
  // Elements that are not stored keep what an earlier command wrote.
  const auto stored =
      dimsThatCover(kernel, *kernel.accesses()->Get(only->access()), sizes);
  const auto range = stored ? rangeOfValue(values, only->value(), mostSteps)
                            : std::optional<Range>();
  if (!range)
    return std::nullopt;
  KnownRange known{*range, std::nullopt};
  if (const auto value = loadOf(values, *values[only->value()]))
    known.constant = constantOf(recipe, command, kernel, *value, *stored);
  return known;
}

bool mayMultiplyBytes(const Kernel &kernel) {
  unsigned wide = 0, narrow = 0;
  for (uint32_t i = 0; i < items(kernel.inputs()).size(); ++i) {
    const auto type = ElementType(kernel.inputs()->Get(i));
    wide += type == ElementType::I32;
    narrow += type == ElementType::I8 || type == ElementType::U8;
  }
  return wide > 0 && wide + narrow > 1;
}

std::optional<KnownRange> knownOfTensor(const Recipe &recipe,
                                        const Entry &entry, uint32_t index,
                                        const Tensor &tensor) {
  const uint32_t first = index > mostCommands ? index - mostCommands : 0;
  // Backwards: what was written last counts.
  for (uint32_t c = index; c-- > first;) {
    const Command &command = *entry.commands()->Get(c);
    const auto outputs = items(command.outputs());
    const Tensor *writes = nullptr;
    uint32_t number = 0;
    for (uint32_t o = 0; o < outputs.size(); ++o) {
      const Tensor &written = *recipe.tensors()->Get(outputs[o]);
      if (!mayOverlap(written, tensor))
        continue;
      // Written in part, or as another shape: nothing is known.
      if (writes || !isSame(written, tensor))
        return std::nullopt;
      writes = &written;
      number = items(command.inputs()).size() + o;
    }
    if (!writes)
      continue;
    if (command.body_type() != Body::Launch)
      return std::nullopt;
    return knownOfStore(recipe, command, number, copyOf(tensor.sizes()));
  }
  return std::nullopt;
}

} // namespace

KnownRanges knownRanges(const Recipe &recipe, const Entry &entry,
                        uint32_t index) {
  const Command &command = *entry.commands()->Get(index);
  if (command.body_type() != Body::Launch ||
      !mayMultiplyBytes(
          *recipe.kernels()->Get(command.body_as_Launch()->kernel())))
    return {};
  KnownRanges ranges;
  for (uint32_t id : items(command.inputs())) {
    const Tensor &tensor = *recipe.tensors()->Get(id);
    ranges.push_back(tensor.type() == ElementType::I32 &&
                             tensor.tensor_class() == TensorClass::Workspace &&
                             kernel::isDense(copyOf(tensor.sizes()),
                                             copyOf(tensor.strides()))
                         ? knownOfTensor(recipe, entry, index, tensor)
                         : std::nullopt);
  }
  return ranges;
}

} // namespace gaudi::runtime
