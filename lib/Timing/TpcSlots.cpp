// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of the TPC per operation.
//
// Floats are computed in f32. The counts of functions are those of the special
// functions in the published compiler of the TPC (HabanaAI/tpc_llvm, support
// library of f32 functions): instructions of the vector slot, and lookups of
// polynomial coefficients, which are instructions of the load slot. What that
// library lacks is marked as estimated.
#include "Gaudi/Timing/Tpc.h"

#include <algorithm>
#include <cmath>

namespace gaudi::timing {

SlotCount slotsOf(kernel::Opcode opcode) {
  using kernel::Opcode;
  switch (opcode) {
  case Opcode::DivF: // a reciprocal, a product, and zeros and infinities
    return {30, 2};
  case Opcode::RemF:
    return {38, 2};
  case Opcode::SqrtF:
  case Opcode::RsqrtF:
    return {17, 2};
  case Opcode::CbrtF: // estimated: a table, and two steps of Newton
    return {28, 2};
  case Opcode::ExpF: // a polynomial: cheaper than the table of 2^x
    return {19, 0};
  case Opcode::Exp2F:
    return {30, 2};
  case Opcode::Expm1F:
    return {79, 6};
  case Opcode::LogF:
    return {32, 0};
  case Opcode::Log2F:
    return {31, 0};
  case Opcode::Log10F: // estimated: the natural logarithm, scaled
    return {33, 0};
  case Opcode::Log1pF: // estimated: and a correction for small values
    return {36, 0};
  case Opcode::SinF:
  case Opcode::CosF:
    return {32, 2};
  case Opcode::TanF:
    return {40, 2};
  case Opcode::AsinF:
    return {42, 2};
  case Opcode::AcosF:
    return {73, 4};
  case Opcode::AtanF:
    return {76, 4};
  case Opcode::Atan2F: // estimated: a division, an arc tangent, the quadrant
    return {114, 6};
  case Opcode::SinhF:
    return {65, 2};
  case Opcode::CoshF:
    return {41, 2};
  case Opcode::TanhF:
    return {14, 2};
  case Opcode::AsinhF:
    return {62, 2};
  case Opcode::AcoshF:
    return {111, 4};
  case Opcode::AtanhF:
    return {57, 2};
  case Opcode::PowF:
    return {80, 2};
  case Opcode::ErfF: // estimated: a quotient of polynomials
    return {33, 2};
  case Opcode::ErfcF: // estimated: erf, and an exponential for the tail
    return {60, 2};
  case Opcode::DivSI: // estimated: a reciprocal in f32 and its correction
  case Opcode::DivUI:
  case Opcode::RemSI:
  case Opcode::RemUI:
    return {22, 2};
  case Opcode::Ctz: // isolates the lowest bit
    return {2, 0};
  default:
    return {uint8_t(instructionCount(opcode) ? 1 : 0), 0};
  }
}

SlotCount powerSlots(float exponent) {
  const float size = std::abs(exponent);
  if (size == 0.5f)
    return slotsOf(exponent > 0 ? kernel::Opcode::SqrtF
                                : kernel::Opcode::RsqrtF);
  // By squaring: a product per bit of the exponent, and one per bit that is
  // set, without the highest.
  constexpr float mostProducts = 64;
  if (size > mostProducts || size != std::floor(size))
    return slotsOf(kernel::Opcode::PowF);
  SlotCount slots = exponent < 0 ? reciprocalSlots : SlotCount{};
  for (auto rest = unsigned(size); rest > 1; rest /= 2)
    slots.vector = uint8_t(slots.vector + 1 + rest % 2);
  slots.vector = std::max<uint8_t>(slots.vector, 1);
  return slots;
}

} // namespace gaudi::timing
