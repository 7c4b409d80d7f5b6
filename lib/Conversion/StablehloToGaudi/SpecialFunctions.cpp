// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gamma, zeta and Bessel functions of CHLO, in f32.
#include "../Common/SpecialFunctions.h"
#include "Converter.h"

using namespace mlir;
using namespace gaudi;

/// A function of float tensors of one type.
template <typename... Arguments>
static HloMatch matchFormula(Operation *op, HloMatcher &m,
                             Value (*compute)(Formula &, Arguments...)) {
  if (failed(m.checkSameShapes()))
    return failure();
  Type type = op->getResult(0).getType();
  if (!isFloatElement(getElementTypeOrSelf(type)) ||
      !llvm::all_of(op->getOperandTypes(),
                    [&](Type operand) { return operand == type; }))
    return m.refuse("operands and result must have one float type");
  return build([op, compute](HloBuilder &b) {
    Type f32 = b.getF32Type();
    Formula f(b, tensorType(op->getResult(0)).clone(f32));
    auto operand = [&](unsigned i) { return b.cast(op->getOperand(i), f32); };
    Value result;
    if constexpr (sizeof...(Arguments) == 1)
      result = compute(f, operand(0));
    else
      result = compute(f, operand(0), operand(1));
    return b.cast(result, getElementTypeOrSelf(op->getResult(0)));
  });
}

HloMatch gaudi::matchSpecialFunction(Operation *op, HloMatcher &m) {
  switch (hloOf(op)) {
  case Hlo::BesselI1e:
    return matchFormula(op, m, besselI1e);
  case Hlo::Digamma:
    return matchFormula(op, m, digamma);
  case Hlo::Lgamma:
    return matchFormula(op, m, logGamma);
  case Hlo::Polygamma:
    return matchFormula(op, m, polygamma);
  default:
    return matchFormula(op, m, zeta);
  }
}
