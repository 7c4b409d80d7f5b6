// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Roundings by a rule (Gaudi/Kernel/Rounding.h) as LLVM IR.
#include "ValueEmitter.h"

#include "Gaudi/Kernel/Rounding.h"
#include "Gaudi/Recipe/ElementTypes.h"

namespace gaudi::runtime {

using namespace recipe;
using Rule = kernel::Rounding;
namespace Intrinsic = llvm::Intrinsic;

namespace {

constexpr uint32_t infinityBits = 0x7f800000u, quietNaNBits = 0x7fc00000u;

/// A magnitude in units of the format's last place at it.
struct Quanta {
  llvm::Value *fraction; ///< float32 in [0, 1)
  llvm::Value *odd;      ///< of the whole part
};

} // namespace

/// The sign is left out of all arithmetic. NaNs and infinities are replaced at
/// the end; what is computed of them on the way may be poison.
llvm::Value *ValueEmitter::roundBy(const Inst &inst, Value *x, Value *word) {
  const kernel::RoundBy by = *kernel::RoundBy::decoded(inst.imm());
  const FloatFormat format = *narrowFormat(ElementType(by.type));
  llvm::Type *real = x->getType(), *bitsType = likeType(b.getInt32Ty(), x);
  auto number = [&](double value) {
    return llvm::ConstantFP::get(real, value);
  };
  auto bitsOf = [&](uint32_t value) { return splat(bitsType, value); };
  auto asBits = [&](Value *value) { return b.CreateBitCast(value, bitsType); };
  auto asReal = [&](Value *value) { return b.CreateBitCast(value, real); };

  Value *sign = b.CreateAnd(asBits(x), bitsOf(0x80000000u));
  Value *magnitude = b.CreateAnd(asBits(x), bitsOf(0x7fffffffu));
  const unsigned mantissa = format.mantissaBits;
  const uint32_t leastNormal = uint32_t(128 - format.bias()) << 23;
  const bool wide = format.exponentBits == 8;

  Quanta quanta;
  Value *whole = nullptr, *quantum = nullptr;
  if (wide) {
    // The format is the upper part of a float32, subnormal numbers included.
    const uint32_t lower = (1u << (23 - mantissa)) - 1;
    quanta.fraction = b.CreateFMul(
        b.CreateUIToFP(b.CreateAnd(magnitude, bitsOf(lower)), real),
        number(1.0 / (lower + 1)));
    whole = b.CreateAnd(magnitude, bitsOf(~lower));
    quantum = bitsOf(lower + 1);
    quanta.odd = b.CreateICmpNE(b.CreateAnd(magnitude, quantum), bitsOf(0));
  } else {
    // Divided by the last place, a power of two, it is exact.
    Value *exponent = b.CreateBinaryIntrinsic(
        Intrinsic::umax, b.CreateAnd(magnitude, bitsOf(infinityBits)),
        bitsOf(leastNormal));
    Value *scaled = b.CreateFMul(
        asReal(magnitude),
        asReal(b.CreateSub(bitsOf((254 + mantissa) << 23), exponent)));
    whole = unary(Intrinsic::floor, scaled);
    quanta.fraction = b.CreateFSub(scaled, whole);
    quantum = asReal(b.CreateSub(exponent, bitsOf(mantissa << 23)));
    quanta.odd = b.CreateTrunc(b.CreateFPToUI(whole, bitsType),
                               likeType(b.getInt1Ty(), x));
  }

  Value *never = llvm::Constant::getNullValue(likeType(b.getInt1Ty(), x));
  Value *negative = b.CreateICmpNE(sign, bitsOf(0));
  Value *positive = b.CreateNot(negative);
  auto nearest = [&] {
    return b.CreateOr(
        b.CreateFCmpOGT(quanta.fraction, number(0.5)),
        b.CreateAnd(quanta.odd, b.CreateFCmpOEQ(quanta.fraction, number(0.5))));
  };
  // A float32 holds the fraction in units of 2^-32 or is below one of them.
  auto random = [&] {
    return b.CreateICmpULT(
        word, b.CreateFPToUI(b.CreateFMul(quanta.fraction, number(0x1p32)),
                             bitsType));
  };
  Value *inexact = b.CreateFCmpOGT(quanta.fraction, number(0));
  Value *away = never, *staysFinite = never;
  switch (by.rule) {
  case Rule::NearestEven:
    away = nearest();
    break;
  case Rule::TowardZero:
    staysFinite = llvm::Constant::getAllOnesValue(never->getType());
    break;
  case Rule::Upward:
    away = b.CreateAnd(inexact, positive);
    staysFinite = negative;
    break;
  case Rule::Downward:
    away = b.CreateAnd(inexact, negative);
    staysFinite = positive;
    break;
  case Rule::NearestAway:
    away = b.CreateFCmpOGE(quanta.fraction, number(0.5));
    break;
  case Rule::Stochastic:
    away = random();
    break;
  case Rule::StochasticNormal:
    away = b.CreateSelect(b.CreateICmpULT(magnitude, bitsOf(leastNormal)),
                          nearest(), random());
    break;
  }

  // Positive floats are ordered as their bits.
  Value *result =
      wide ? b.CreateAdd(whole, b.CreateSelect(away, quantum, bitsOf(0)))
           : asBits(b.CreateFMul(
                 b.CreateFAdd(whole, b.CreateUIToFP(away, real)), quantum));
  if (by.flush)
    result = b.CreateSelect(b.CreateICmpULT(result, bitsOf(leastNormal)),
                            bitsOf(0), result);
  const uint32_t infinite = format.finiteOnly ? quietNaNBits : infinityBits;
  const uint32_t largest = gaudi::bitsOf(float(format.largest()));
  result = b.CreateSelect(
      b.CreateICmpUGT(result, bitsOf(largest)),
      b.CreateSelect(staysFinite, bitsOf(largest), bitsOf(infinite)), result);
  result = b.CreateSelect(b.CreateICmpEQ(magnitude, bitsOf(infinityBits)),
                          bitsOf(infinite), result);
  result = b.CreateSelect(b.CreateICmpUGT(magnitude, bitsOf(infinityBits)),
                          bitsOf(quietNaNBits), result);
  return asReal(b.CreateOr(result, sign));
}

} // namespace gaudi::runtime
