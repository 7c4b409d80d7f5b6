// What is known of kernel values, so that roundings can be left out.
#include "ValueEmitter.h"

namespace gaudi::runtime {

using namespace recipe;

/// Whether the result's NaNs have no bits in the lower half.
static bool makesShortNaN(const Inst &inst, const KernelValue &x,
                          const KernelValue &y, const KernelValue &z) {
  switch (inst.op()) {
  case Op::Const:
    return isShortNaNOrNumber(uint32_t(inst.imm()));
  case Op::SIToFloat:
  case Op::UIToFloat:
    return true;
  case Op::RoundTo: {
    const ElementType type = static_cast<ElementType>(inst.imm());
    return ValueEmitter::decodesShortNaN(type) ||
           (type == ElementType::F32 && x.shortNaN);
  }
  case Op::Select:
    return y.shortNaN && z.shortNaN;
  case Op::FmaF:
    return x.shortNaN && y.shortNaN && z.shortNaN;
  case Op::AddF:
  case Op::SubF:
  case Op::MulF:
  case Op::DivF:
  case Op::MaxF:
  case Op::MinF:
  case Op::MaxNumF:
  case Op::MinNumF:
    return x.shortNaN && y.shortNaN;
  case Op::NegF:
  case Op::AbsF:
  case Op::CopySignF:
  case Op::CeilF:
  case Op::FloorF:
  case Op::RoundF:
  case Op::RoundEvenF:
  case Op::TruncF:
  case Op::SqrtF:
  case Op::RsqrtF:
    return x.shortNaN;
  default: // functions, and bits of integers
    return false;
  }
}

unsigned ValueEmitter::decodesExactIn(ElementType type) {
  switch (type) {
  case ElementType::BF16:
    return ExactInBF16;
  case ElementType::F16:
    return ExactInF16;
  case ElementType::F8E4M3FN:
  case ElementType::F8E5M2:
    return ExactInBF16 | ExactInF16;
  default:
    return 0;
  }
}

unsigned ValueEmitter::exactInOf(uint32_t bits) {
  const float value = floatOfBits(bits);
  unsigned exact = 0;
  if ((bits & 0xffff) == 0)
    exact |= ExactInBF16;
  if (decodeFloat(encodeFloat(value, formatF16), formatF16) == value)
    exact |= ExactInF16;
  return exact;
}

/// Formats that hold the result whatever the operands are.
static unsigned makesExactIn(const Inst &inst, const KernelValue &x,
                             const KernelValue &y, const KernelValue &z) {
  switch (inst.op()) {
  case Op::Const:
    return ValueEmitter::exactInOf(uint32_t(inst.imm()));
  case Op::RoundTo:
    return ValueEmitter::decodesExactIn(static_cast<ElementType>(inst.imm()));
  case Op::SIToFloat:
  case Op::UIToFloat: // at most 8 bits
    return x.type == ElementType::I8 || x.type == ElementType::I1
               ? ExactInBF16 | ExactInF16
               : 0;
  case Op::Select:
    return y.exactIn & z.exactIn;
  case Op::MaxF:
  case Op::MinF:
  case Op::MaxNumF:
  case Op::MinNumF:
    return x.exactIn & y.exactIn;
  case Op::NegF:
  case Op::AbsF:
  case Op::CopySignF:
  case Op::CeilF: // an integer of as many bits, or the next power of two
  case Op::FloorF:
  case Op::RoundF:
  case Op::RoundEvenF:
  case Op::TruncF:
    return x.exactIn;
  default:
    return 0;
  }
}

KernelValue ValueEmitter::instruction(const Inst &inst, KernelValue x,
                                      KernelValue y, KernelValue z) {
  KernelValue result = emit(inst, x, y, z);
  if (result.type == ElementType::F32) {
    result.shortNaN = makesShortNaN(inst, x, y, z);
    result.exactIn = makesExactIn(inst, x, y, z);
    result.exactProduct =
        inst.op() == Op::MulF && (x.exactIn & y.exactIn & ExactInBF16);
  }
  return result;
}

} // namespace gaudi::runtime
