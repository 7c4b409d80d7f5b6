// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows the values of a kernel back to 8-bit loads and conversions.
#include "ByteValues.h"

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Kernel/Reduce.h"
#include "Gaudi/Recipe/ElementTypes.h"

namespace gaudi::runtime {

using namespace recipe;

ByteValues::ByteValues(const Kernel &kernel, const KnownRanges &known)
    : kernel(kernel), known(known) {
  for (const Stage *stage : items(kernel.stages())) {
    for (const Inst *inst : items(stage->insts()))
      values.push_back(inst);
    for (const Reduction *reduction : items(stage->reductions()))
      values.insert(values.end(), kernel::resultCount(reduction->op()),
                    nullptr);
  }
}

int64_t ByteValues::signedBits(uint64_t bits, ElementType type) {
  const unsigned unused = 64 - kernel::kernelBits(kernel::ElementType(type));
  return int64_t(bits << unused) >> unused;
}

/// Through extensions. Null if there is none.
const Inst *ByteValues::multiplicationOf(uint32_t value) const {
  const Inst *inst = values[value];
  while (inst && inst->op() == Op::ExtSI)
    inst = values[inst->a()];
  return inst && inst->op() == Op::MulI ? inst : nullptr;
}

const Inst *ByteValues::productOf(uint32_t value) const {
  const Inst *inst = multiplicationOf(value);
  return inst && comesFromByte(inst->a(), mostSteps) &&
                 comesFromByte(inst->b(), mostSteps)
             ? inst
             : nullptr;
}

const Inst *ByteValues::quantizedProductOf(const Stage &stage) const {
  if (items(stage.loops()).empty() || items(stage.reductions()).size() != 1)
    return nullptr;
  const Reduction &reduction = *stage.reductions()->Get(0);
  const Inst *product = multiplicationOf(reduction.value());
  if (reduction.op() != ReduceOp::Add || !product)
    return nullptr;
  const bool a = comesFromFloat(product->a(), mostSteps),
             b = comesFromFloat(product->b(), mostSteps);
  return (a || b) && (a || comesFromByte(product->a(), mostSteps)) &&
                 (b || comesFromByte(product->b(), mostSteps))
             ? product
             : nullptr;
}

std::optional<uint32_t> ByteValues::quantizedIn(uint32_t factor) const {
  if (!comesFromFloat(factor, mostSteps))
    return std::nullopt;
  while (values[factor]->type() != ElementType::I8)
    factor = comesFromFloat(values[factor]->a(), mostSteps)
                 ? values[factor]->a()
                 : values[factor]->b();
  return factor;
}

const KnownRange *ByteValues::knownRange(const Inst &load) const {
  const Access &access = *kernel.accesses()->Get(load.a());
  if (load.type() != ElementType::I32 || access.operand() >= known.size())
    return nullptr;
  const auto &of = known[access.operand()];
  return of && of->range.high - of->range.low <= 255 ? &*of : nullptr;
}

bool ByteValues::comesFromByte(uint32_t value, unsigned steps) const {
  const Inst *inst = values[value];
  if (!inst || steps == 0)
    return false;
  switch (inst->op()) {
  case Op::Load:
    return inst->type() == ElementType::I8 || knownRange(*inst);
  case Op::ExtSI:
  case Op::ExtUI:
    return comesFromByte(inst->a(), steps - 1);
  case Op::AddI:
  case Op::SubI:
  case Op::Xor:
    return comesFromByte(inst->a(), steps - 1) ||
           comesFromByte(inst->b(), steps - 1);
  default:
    return false;
  }
}

/// True for 8 bits converted from a float, extended, less a zero point.
bool ByteValues::comesFromFloat(uint32_t value, unsigned steps) const {
  const Inst *inst = values[value];
  if (!inst || steps == 0)
    return false;
  switch (inst->op()) {
  case Op::FloatToSI:
  case Op::FloatToUI:
    return inst->type() == ElementType::I8;
  case Op::ExtSI:
  case Op::ExtUI:
    return comesFromFloat(inst->a(), steps - 1);
  // The zero point, or the bit that makes a signed byte unsigned.
  case Op::AddI:
  case Op::SubI:
  case Op::Xor:
    return comesFromFloat(inst->a(), steps - 1) ||
           comesFromFloat(inst->b(), steps - 1);
  default:
    return false;
  }
}

SignFlip ByteValues::signFlip(const Inst *inst) const {
  const auto isSignBit = [](const Inst *constant) {
    return constant && constant->op() == Op::Const &&
           signedBits(constant->imm(), ElementType::I8) == -128;
  };
  SignFlip flip{inst, false};
  while (flip.of && flip.of->type() == ElementType::I8 &&
         (flip.of->op() == Op::AddI || flip.of->op() == Op::SubI ||
          flip.of->op() == Op::Xor)) {
    const Inst *value = values[flip.of->a()], *bit = values[flip.of->b()];
    if (flip.of->op() != Op::SubI && isSignBit(value))
      std::swap(value, bit);
    if (!isSignBit(bit))
      break;
    flip = {value, !flip.flips};
  }
  return flip;
}

} // namespace gaudi::runtime
