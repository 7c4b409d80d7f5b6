// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scalar operations of TPC kernels: families, operands and cost, from the
// table in Opcodes.def.
#ifndef GAUDI_KERNEL_OPCODES_H
#define GAUDI_KERNEL_OPCODES_H

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gaudi::kernel {

/// Numbered as in recipes.
enum class Opcode : uint8_t {
#define GAUDI_OPCODE(name, ...) name,
#include "Gaudi/Kernel/Opcodes.def"
};

/// Number and types of operands and result. Float is f32; integers are i8 to
/// i64, signless, all operands and the result of one type unless said.
enum class OpFamily : uint8_t {
  Const,  ///< no operand; any type
  Index,  ///< of a kernel dimension; i64
  Load,   ///< of an access; the kernel type of its operand
  Carry,  ///< the accumulator of a reduction of this stage
  Float1, ///< floats to a float
  Float2,
  Float3,
  Int1, ///< integers to an integer
  Int2,
  Logic2,     ///< as Int2, also i1
  CmpF,       ///< two floats to i1, by a predicate
  CmpI,       ///< two integers or i1 to i1, by a predicate
  Select,     ///< i1 and two values of any one type
  FloatToInt, ///< saturating, toward zero
  SIToFloat,
  UIToFloat,
  Extend,    ///< to a wider integer, also from i1
  Truncate,  ///< to a narrower integer or i1
  RoundTo,   ///< a float to the values of a narrower format
  BitcastFI, ///< f32 to i32
  BitcastIF, ///< i32 to f32
  RoundBy,   ///< a float as RoundTo, by a rule (Rounding.h), and a random i32
  Unknown    ///< no opcode (a damaged recipe)
};

/// What an operation costs on a vector.
enum class CostClass : uint8_t {
  Free,     ///< no instruction: constants, indices, changes of type
  Simple,   ///< one instruction
  Division, ///< a reciprocal or root, refined
  Function  ///< a polynomial after a range reduction
};

struct OpcodeInfo {
  std::string_view name;
  OpFamily family;
  CostClass cost;
};

/// In the order of the enumeration.
inline constexpr OpcodeInfo opcodeTable[] = {
#define GAUDI_OPCODE(name, family, cost, ...)                                  \
  {#name, OpFamily::family, CostClass::cost},
#include "Gaudi/Kernel/Opcodes.def"
};
inline constexpr size_t opcodeCount =
    sizeof(opcodeTable) / sizeof(opcodeTable[0]);

/// False for a number that names no operation (a damaged recipe).
constexpr bool isValid(Opcode op) { return size_t(op) < opcodeCount; }

/// "AddF", ...; "?" when not valid.
constexpr std::string_view nameOf(Opcode op) {
  return isValid(op) ? opcodeTable[size_t(op)].name : "?";
}

constexpr OpFamily familyOf(Opcode op) {
  return isValid(op) ? opcodeTable[size_t(op)].family : OpFamily::Unknown;
}

/// Number of operands that are values. Constants, indices, loads and carries
/// have none: what they name is no value.
constexpr unsigned valueOperands(OpFamily family) {
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
  case OpFamily::RoundBy:
    return 2;
  case OpFamily::Float3:
  case OpFamily::Select:
    return 3;
  case OpFamily::Float1:
  case OpFamily::Int1:
  case OpFamily::FloatToInt:
  case OpFamily::SIToFloat:
  case OpFamily::UIToFloat:
  case OpFamily::Extend:
  case OpFamily::Truncate:
  case OpFamily::RoundTo:
  case OpFamily::BitcastFI:
  case OpFamily::BitcastIF:
    return 1;
  }
  return 0;
}
constexpr unsigned valueOperands(Opcode op) {
  return valueOperands(familyOf(op));
}

/// True if the result has another type than the operand, or a narrower
/// float's values: arith's casts.
constexpr bool isConversion(OpFamily family) {
  return family >= OpFamily::FloatToInt && family <= OpFamily::BitcastIF;
}

/// Vector instructions, the unit of every estimate of work: of fusion for the
/// device and of the runtime for the host.
constexpr unsigned instructionCount(CostClass cost) {
  switch (cost) {
  case CostClass::Free:
    return 0;
  case CostClass::Simple:
    return 1;
  case CostClass::Division:
    return 4;
  case CostClass::Function:
    return 8;
  }
  return 1;
}
constexpr unsigned instructionCount(Opcode op) {
  return isValid(op) ? instructionCount(opcodeTable[size_t(op)].cost) : 1;
}

} // namespace gaudi::kernel

#endif // GAUDI_KERNEL_OPCODES_H
