// Families of kernel opcodes: how many operands, of which types.
#ifndef GAUDI_LIB_RECIPE_OPINFO_H
#define GAUDI_LIB_RECIPE_OPINFO_H

#include "Gaudi/Recipe/Recipe_generated.h"

namespace gaudi::recipe {

enum class OpFamily {
  Const,
  Index,
  Load,
  Carry,
  Float1, // f32 operands and result
  Float2,
  Float3,
  Int1, // i8 to i64, one type throughout
  Int2,
  Logic2, // as Int2, also i1
  CmpF,
  CmpI,
  Select,
  FloatToInt,
  SIToFloat,
  UIToFloat,
  Extend,
  Truncate,
  RoundTo,
  BitcastFI,
  BitcastIF,
  Unknown
};

inline OpFamily familyOf(Op op) {
  auto within = [op](Op first, Op last) { return op >= first && op <= last; };
  switch (op) {
  case Op::Const:
    return OpFamily::Const;
  case Op::Index:
    return OpFamily::Index;
  case Op::Load:
    return OpFamily::Load;
  case Op::Carry:
    return OpFamily::Carry;
  case Op::FmaF:
    return OpFamily::Float3;
  case Op::CopySignF:
    return OpFamily::Float2;
  case Op::CmpF:
    return OpFamily::CmpF;
  case Op::CmpI:
    return OpFamily::CmpI;
  case Op::Select:
    return OpFamily::Select;
  case Op::FloatToSI:
  case Op::FloatToUI:
    return OpFamily::FloatToInt;
  case Op::SIToFloat:
    return OpFamily::SIToFloat;
  case Op::UIToFloat:
    return OpFamily::UIToFloat;
  case Op::ExtSI:
  case Op::ExtUI:
    return OpFamily::Extend;
  case Op::TruncI:
    return OpFamily::Truncate;
  case Op::RoundTo:
    return OpFamily::RoundTo;
  case Op::BitcastFI:
    return OpFamily::BitcastFI;
  case Op::BitcastIF:
    return OpFamily::BitcastIF;
  default:
    break;
  }
  if (within(Op::AddF, Op::Atan2F))
    return OpFamily::Float2;
  if (within(Op::NegF, Op::TruncF) || within(Op::ExpF, Op::ErfcF))
    return OpFamily::Float1;
  if (within(Op::AddI, Op::MulHUI) || within(Op::Shl, Op::ShrUI))
    return OpFamily::Int2;
  if (within(Op::And, Op::Xor))
    return OpFamily::Logic2;
  if (within(Op::Clz, Op::AbsI))
    return OpFamily::Int1;
  return OpFamily::Unknown;
}

/// Number of value operands (in a, b, c). Const, Index, Load and Carry have
/// none: their `a` is not a value.
inline unsigned valueOperands(OpFamily family) {
  switch (family) {
  case OpFamily::Const:
  case OpFamily::Index:
  case OpFamily::Load:
  case OpFamily::Carry:
  case OpFamily::Unknown:
    return 0;
  case OpFamily::Float2:
  case OpFamily::Int2:
  case OpFamily::Logic2:
  case OpFamily::CmpF:
  case OpFamily::CmpI:
    return 2;
  case OpFamily::Float3:
  case OpFamily::Select:
    return 3;
  default:
    return 1;
  }
}

} // namespace gaudi::recipe

#endif // GAUDI_LIB_RECIPE_OPINFO_H
