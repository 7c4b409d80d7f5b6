// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Range reductions and polynomials. The coefficients are minimax fits over the
// reduced range, each rounded to float32 before the next was fitted.
#include "VectorMath.h"

#include "JitHost.h"

#include "llvm/IR/MDBuilder.h"

#include <cassert>
#include <cmath>

namespace gaudi::runtime {

using recipe::Op;
namespace Intrinsic = llvm::Intrinsic;

namespace {
// Cody and Waite: ln 2 in two parts, the first with so few bits that n *
// ln2High is exact.
constexpr double ln2High = 0x1.62e4p-1;
constexpr double ln2Low = 0x1.7f7d1cp-20;
/// 1.5 * 2^23: adding it to |x| < 2^22 rounds x to an integer (the unit in the
/// last place is 1) and leaves that integer in the low bits of the sum.
constexpr double roundingMagic = 0x1.8p23;
} // namespace

llvm::Type *VectorMath::like(llvm::Type *scalar) {
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return llvm::FixedVectorType::get(scalar, vector->getNumElements());
  return scalar;
}

llvm::Value *VectorMath::real(double value) {
  return llvm::ConstantFP::get(type, value);
}

llvm::Value *VectorMath::word(int64_t value) {
  return llvm::ConstantInt::getSigned(like(b.getInt32Ty()), value);
}

llvm::Value *VectorMath::toBits(Value *x) {
  return b.CreateBitCast(x, like(b.getInt32Ty()));
}

llvm::Value *VectorMath::toReal(Value *bits) {
  return b.CreateBitCast(bits, type);
}

llvm::Value *VectorMath::fma(Value *x, Value *y, Value *z) {
  return b.CreateIntrinsic(Intrinsic::fma, {x->getType()}, {x, y, z});
}

llvm::Value *VectorMath::abs(Value *x) {
  return b.CreateUnaryIntrinsic(Intrinsic::fabs, x);
}

llvm::Value *VectorMath::polynomial(Value *x,
                                    llvm::ArrayRef<double> coefficients) {
  Value *result = llvm::ConstantFP::get(x->getType(), coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    result = fma(result, x, llvm::ConstantFP::get(x->getType(), coefficient));
  return result;
}

// Both comparisons are false for a NaN.
llvm::Value *VectorMath::clamp(Value *x, double low, double high) {
  auto end = [&](double value) {
    return llvm::ConstantFP::get(x->getType(), value);
  };
  Value *below = b.CreateFCmpOLT(x, end(low));
  Value *raised = b.CreateSelect(below, end(low), x);
  Value *above = b.CreateFCmpOGT(raised, end(high));
  return b.CreateSelect(above, end(high), raised);
}

llvm::Value *VectorMath::powerOfTwo(Value *integer) {
  return toReal(b.CreateShl(b.CreateAdd(integer, word(127)), word(23)));
}

VectorMath::Reduced VectorMath::reduceByLn2(Value *x) {
  // n = round(x log2(e)), then x - n ln 2 in two steps: the first product is
  // exact, so that only the second fma rounds what is left after cancellation.
  Value *shifted = fma(x, real(0x1.715476p+0), real(roundingMagic));
  Value *count = b.CreateFSub(shifted, real(roundingMagic));
  Value *integer = b.CreateSub(toBits(shifted), toBits(real(roundingMagic)));
  Value *rest = fma(count, real(-ln2High), x);
  return {integer, fma(count, real(-ln2Low), rest)};
}

llvm::Value *VectorMath::expTail(Value *r) {
  return polynomial(r, {0x1.0p-1, 0x1.555556p-3, 0x1.5554f2p-5, 0x1.111004p-7,
                        0x1.6d4292p-10, 0x1.a242eep-13});
}

llvm::Value *VectorMath::expm1Core(Value *r) {
  return fma(b.CreateFMul(r, r), expTail(r), r);
}

llvm::Value *VectorMath::expm1(Value *x) {
  // Below -20 the result rounds to -1, above 90 it is infinite.
  const Reduced by = reduceByLn2(clamp(x, -20, 90));
  Value *value = expm1Core(by.rest);
  // 2^n (value + 1) - 1; 2^n in two halves, because n may be 128.
  Value *half = b.CreateAShr(by.integer, word(1));
  Value *first = powerOfTwo(half);
  Value *second = powerOfTwo(b.CreateSub(by.integer, half));
  Value *scaled = b.CreateFMul(value, first);
  Value *inverse = powerOfTwo(b.CreateSub(half, by.integer));
  Value *less = b.CreateFSub(first, inverse);
  Value *result = b.CreateFMul(b.CreateFAdd(scaled, less), second);
  // e^x - 1 rounds to x there, also for -0 and subnormals.
  Value *tiny = b.CreateFCmpOLT(abs(x), real(0x1p-25));
  return b.CreateSelect(tiny, x, result);
}

llvm::Value *VectorMath::log(Value *x, double scaleHigh, double scaleLow) {
  // x = 2^e m with m in [sqrt(1/2), sqrt(2)); subnormals are scaled up first.
  Value *small = b.CreateFCmpOLT(x, real(0x1p-126));
  Value *normal = b.CreateSelect(small, b.CreateFMul(x, real(0x1p23)), x);
  Value *bits = toBits(normal);
  Value *offset = b.CreateSub(bits, word(0x3f3504f3)); // sqrt(1/2)
  Value *exponent = b.CreateAShr(offset, word(23));
  Value *m = toReal(b.CreateSub(bits, b.CreateShl(exponent, word(23))));
  exponent = b.CreateAdd(exponent, b.CreateSelect(small, word(-23), word(0)));
  Value *e = b.CreateSIToFP(exponent, type);
  Value *f = b.CreateFSub(m, real(1));

  // log(1 + f) = f - f^2/2 + f^3 R(f)
  Value *tail = polynomial(f, {0x1.555546p-2, -0x1.ffffeep-3, 0x1.99a54ap-3,
                               -0x1.5562e8p-3, 0x1.233208p-3, -0x1.fb40fep-4,
                               0x1.e65d0ap-4, -0x1.e30016p-4, 0x1.1b3e34p-4});
  Value *square = b.CreateFMul(f, f);
  Value *result;
  if (scaleHigh == 0) { // natural
    Value *low = b.CreateFMul(b.CreateFMul(square, f), tail);
    low = fma(e, real(ln2Low), low);
    low = fma(square, real(-0.5), low);
    result = fma(e, real(ln2High), b.CreateFAdd(f, low));
  } else {
    // f - f^2/2 as high + low (the error of each step is exact by Dekker's and
    // fma's error-free transformations), times the scale in two parts.
    Value *halfSquare = b.CreateFMul(square, real(0.5));
    Value *lost = fma(f, b.CreateFMul(f, real(0.5)), b.CreateFNeg(halfSquare));
    Value *high = b.CreateFSub(f, halfSquare);
    Value *low = b.CreateFSub(b.CreateFSub(f, high), halfSquare);
    low = b.CreateFSub(low, lost);
    low = fma(b.CreateFMul(square, f), tail, low);
    Value *product = b.CreateFMul(high, real(scaleHigh));
    Value *rest = fma(high, real(scaleHigh), b.CreateFNeg(product));
    rest = fma(high, real(scaleLow), rest);
    rest = fma(low, real(scaleHigh), rest);
    // log_base(2), in two parts of which the first has few bits, so that its
    // product with e is exact. For base 2 it is 1.
    const double unit = (scaleHigh + scaleLow) * std::log(2.0);
    const float unitHigh =
        std::fabs(unit - 1) < 1e-12
            ? 1.0f
            : float(std::ldexp(std::round(std::ldexp(unit, 16)), -16));
    const double unitLow = std::fabs(unit - 1) < 1e-12 ? 0 : unit - unitHigh;
    Value *whole = b.CreateFMul(e, real(unitHigh));
    rest = fma(e, real(unitLow), rest);
    Value *sum = b.CreateFAdd(whole, product);
    // Fast two-sum: exact since |whole| >= |product| unless e is 0, where the
    // error is 0.
    Value *error = b.CreateFSub(product, b.CreateFSub(sum, whole));
    result = b.CreateFAdd(sum, b.CreateFAdd(error, rest));
  }
  Value *infinite = b.CreateFCmpOEQ(x, real(INFINITY));
  result = b.CreateSelect(infinite, x, result);
  Value *zero = b.CreateFCmpOEQ(x, real(0));
  result = b.CreateSelect(zero, real(-INFINITY), result);
  Value *ordinary = b.CreateFCmpOGE(x, real(0));
  return b.CreateSelect(ordinary, result, real(NAN));
}

llvm::Value *VectorMath::log1p(Value *x) {
  // log(1 + x) = log(u) + c / u with u = round(1 + x) and c = 1 + x - u, the
  // error of that rounding (fast two-sum: the larger operand first).
  Value *u = b.CreateFAdd(x, real(1));
  Value *bigger = b.CreateFCmpOGT(abs(x), real(1));
  Value *large = b.CreateSelect(bigger, x, real(1));
  Value *little = b.CreateSelect(bigger, real(1), x);
  Value *lost = b.CreateFSub(little, b.CreateFSub(u, large));
  Value *whole = log(u, 0, 0);
  Value *result = b.CreateFAdd(whole, b.CreateFDiv(lost, u));
  // log(u) is the result already; the quotient would be NaN.
  Value *edge = b.CreateOr(b.CreateFCmpOEQ(u, real(0)),
                           b.CreateFCmpOEQ(u, real(INFINITY)));
  result = b.CreateSelect(edge, whole, result);
  Value *tiny = b.CreateFCmpOLT(abs(x), real(0x1p-25));
  return b.CreateSelect(tiny, x, result);
}

llvm::Value *VectorMath::tanh(Value *x) {
  // (1 - e^-2|x|) / (1 + e^-2|x|), both as multiply-adds of e^r - 1, which
  // keeps the accuracy near zero. Beyond 10 tanh rounds to 1.
  Value *magnitude = abs(x);
  Value *high = b.CreateFCmpOGT(magnitude, real(10));
  Value *inside = b.CreateSelect(high, real(10), magnitude);
  const Reduced by = reduceByLn2(b.CreateFMul(inside, real(-2)));
  Value *value = expm1Core(by.rest);
  Value *power = powerOfTwo(by.integer);
  Value *less = fma(value, power, b.CreateFSub(power, real(1)));
  Value *more = fma(value, power, b.CreateFAdd(power, real(1)));
  return b.CreateBinaryIntrinsic(Intrinsic::copysign, b.CreateFDiv(less, more),
                                 x);
}

llvm::Value *VectorMath::erf(Value *x) {
  Value *magnitude = abs(x);
  Value *square = b.CreateFMul(x, x);
  Value *small = polynomial(
      square, {0x1.06eba8p-3, -0x1.812740p-2, 0x1.ce2d62p-4, -0x1.b800d4p-6,
               0x1.5446fep-8, -0x1.a5ee62p-11, 0x1.4f1412p-14});
  small = fma(small, magnitude, magnitude);

  // 1 - erf(|x|) = e^p(|x|) with a polynomial p; beyond 4 erf rounds to 1.
  Value *high = b.CreateFCmpOGT(magnitude, real(4));
  Value *inside = b.CreateSelect(high, real(4), magnitude);
  Value *power = polynomial(
      inside, {0x1.65ac6ep-13, -0x1.212698p+0, -0x1.444b44p-1, -0x1.bb5622p-4,
               0x1.9b1892p-6, -0x1.10a84cp-8, 0x1.c545a6p-12, -0x1.5ec066p-16});
  Value *large = b.CreateFSub(real(1), normalPower(byLog2E(power)));
  Value *isSmall = b.CreateFCmpOLT(magnitude, real(0.93));
  return b.CreateBinaryIntrinsic(Intrinsic::copysign,
                                 b.CreateSelect(isSmall, small, large), x);
}

llvm::Value *unlessAny(llvm::IRBuilder<> &b, llvm::Value *rare,
                       llvm::Value *value,
                       llvm::function_ref<llvm::Value *()> instead) {
  using llvm::Value;
  Value *any = rare->getType()->isVectorTy() ? b.CreateOrReduce(rare) : rare;
  llvm::BasicBlock *before = b.GetInsertBlock();
  llvm::Function *function = before->getParent();
  llvm::LLVMContext &context = b.getContext();
  auto *slow = llvm::BasicBlock::Create(context, "rare", function);
  auto *after = llvm::BasicBlock::Create(context, "after", function);
  b.CreateCondBr(any, slow, after,
                 llvm::MDBuilder(context).createUnlikelyBranchWeights());
  b.SetInsertPoint(slow);
  Value *other = instead();
  // `instead` may have added blocks.
  slow = b.GetInsertBlock();
  b.CreateBr(after);
  b.SetInsertPoint(after);
  llvm::PHINode *result = b.CreatePHI(value->getType(), 2);
  result->addIncoming(value, before);
  result->addIncoming(other, slow);
  return result;
}

llvm::Value *VectorMath::patch(Value *value, Value *slow, Value *x, Value *y,
                               ScalarCall call) {
  return unlessAny(b, slow, value, [&]() -> Value * {
    Value *called = callLanes(b, x, y, call);
    return type->isVectorTy() ? b.CreateSelect(slow, called, value) : called;
  });
}

llvm::Value *VectorMath::callLanes(llvm::IRBuilder<> &b, Value *x, Value *y,
                                   ScalarCall call) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(x->getType());
  if (!vector)
    return call(x, y);
  // A loop over memory: code for each lane takes long to compile, and around
  // each call it would spill the vectors anyway.
  llvm::Function *function = b.GetInsertBlock()->getParent();
  llvm::BasicBlock &entry = function->getEntryBlock();
  llvm::IRBuilder<> atEntry(&entry, entry.begin());
  const llvm::Align line(64);
  auto slot = [&](llvm::Type *type) {
    auto *lanes = llvm::ArrayType::get(type, vector->getNumElements());
    llvm::AllocaInst *made = atEntry.CreateAlloca(lanes);
    made->setAlignment(line);
    return made;
  };
  llvm::Type *type = vector->getElementType();
  Value *xs = slot(type), *ys = y ? slot(type) : nullptr, *results = xs;
  b.CreateAlignedStore(x, xs, line);
  if (y)
    b.CreateAlignedStore(y, ys, line);
  auto *each = llvm::BasicBlock::Create(b.getContext(), "lane", function);
  auto *after = llvm::BasicBlock::Create(b.getContext(), "called", function);
  llvm::BasicBlock *before = b.GetInsertBlock();
  b.CreateBr(each);
  b.SetInsertPoint(each);
  llvm::PHINode *lane = b.CreatePHI(b.getInt64Ty(), 2);
  lane->addIncoming(b.getInt64(0), before);
  auto load = [&](Value *from) {
    return b.CreateLoad(type, b.CreateGEP(type, from, lane));
  };
  Value *p = load(xs), *q = y ? load(ys) : nullptr;
  b.CreateStore(call(p, q), b.CreateGEP(type, results, lane));
  Value *next = b.CreateAdd(lane, b.getInt64(1), "", true, true);
  lane->addIncoming(next, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpULT(next, b.getInt64(vector->getNumElements())),
                 each, after);
  b.SetInsertPoint(after);
  return b.CreateAlignedLoad(vector, results, line);
}

llvm::Value *VectorMath::sinOrCos(Value *x, bool cosine, ScalarCall call) {
  // x = n pi/2 + r (Cody and Waite, pi/2 in three parts): accurate for
  // |n| < 2^16; larger x go to the C library.
  Value *shifted = fma(x, real(0x1.45f306p-1), real(roundingMagic));
  Value *count = b.CreateFSub(shifted, real(roundingMagic));
  Value *quadrant = toBits(shifted);
  if (cosine)
    quadrant = b.CreateAdd(quadrant, word(1));
  Value *r = fma(count, real(-0x1.921fb6p+0), x);
  r = fma(count, real(0x1.777a5cp-25), r);
  r = fma(count, real(0x1.ee59dap-50), r);
  Value *square = b.CreateFMul(r, r);
  Value *sine = polynomial(
      square, {-0x1.555556p-3, 0x1.111174p-7, -0x1.a058e4p-13, 0x1.7bf19cp-19});
  sine = fma(b.CreateFMul(sine, square), r, r);
  Value *cosineValue = polynomial(square, {0x1.555556p-5, -0x1.6c175ap-10,
                                           0x1.a06d46p-16, -0x1.34e506p-22});
  cosineValue = fma(b.CreateFMul(square, square), cosineValue,
                    fma(square, real(-0.5), real(1)));
  // sin(n pi/2 + r) is sin r, cos r, -sin r, -cos r for n = 0 to 3 modulo 4:
  // bit 0 of n chooses the function, bit 1 the sign.
  Value *odd = b.CreateICmpNE(b.CreateAnd(quadrant, word(1)), word(0));
  Value *value = b.CreateSelect(odd, cosineValue, sine);
  Value *sign = b.CreateShl(b.CreateAnd(quadrant, word(2)), word(30));
  value = toReal(b.CreateXor(toBits(value), sign));
  // sin(-0) is -0; the reduction gives +0.
  if (!cosine)
    value = b.CreateSelect(b.CreateFCmpOEQ(x, real(0)), x, value);
  Value *slow = b.CreateNot(b.CreateFCmpOLT(abs(x), real(0x1p15)));
  return patch(value, slow, x, nullptr, call);
}

llvm::Value *VectorMath::pow(Value *x, Value *y, ScalarCall call) {
  if (auto *constant = llvm::dyn_cast<llvm::Constant>(y)) {
    if (auto *splat = constant->getType()->isVectorTy()
                          ? constant->getSplatValue()
                          : constant)
      // One or two roundings, fewer than the general path needs.
      if (auto *number = llvm::dyn_cast<llvm::ConstantFP>(splat)) {
        if (number->isExactlyValue(1.0f))
          return x;
        if (number->isExactlyValue(2.0f))
          return b.CreateFMul(x, x);
        if (number->isExactlyValue(3.0f))
          return b.CreateFMul(b.CreateFMul(x, x), x);
      }
  }
  // |x|^y = 2^(y log2|x|) in float64: the product is up to 160, so in float32
  // its fraction, and with it the result, would have 16 bits.
  llvm::Type *wide = like(b.getDoubleTy());
  auto wideReal = [&](double value) {
    return llvm::ConstantFP::get(wide, value);
  };
  Value *magnitude = abs(x);
  Value *bits = toBits(magnitude);
  Value *exponent = b.CreateAShr(b.CreateSub(bits, word(0x3f3504f3)), word(23));
  Value *m = toReal(b.CreateSub(bits, b.CreateShl(exponent, word(23))));
  Value *wideM = b.CreateFPExt(m, wide);
  // log m = 2 atanh(s) with s = (m - 1) / (m + 1), an odd series in s.
  Value *s = b.CreateFDiv(b.CreateFSub(wideM, wideReal(1)),
                          b.CreateFAdd(wideM, wideReal(1)));
  Value *log2 = polynomial(b.CreateFMul(s, s),
                           {0x1.71547652b83p+1, 0x1.ec709dc39af7bp-1,
                            0x1.2776c518d8c9ap-1, 0x1.a61754427da9dp-2,
                            0x1.485030dd9165bp-2, 0x1.0ba90e4e69267p-2,
                            0x1.f2c155a909c1bp-3});
  log2 = fma(log2, s, b.CreateSIToFP(exponent, wide));
  Value *t = b.CreateFMul(b.CreateFPExt(y, wide), log2);
  // Beyond these the float32 result is 0 or infinity.
  t = clamp(t, -160, 160);
  constexpr double magic = 0x1.8p52;
  // The rounding constant of float64; its low bits hold the exponent that a
  // shift puts in place.
  Value *shifted = b.CreateFAdd(t, wideReal(magic));
  Value *f = b.CreateFSub(t, b.CreateFSub(shifted, wideReal(magic)));
  Value *power = polynomial(
      f, {1.0, 0x1.62e42fefa3a45p-1, 0x1.ebfbdff812a58p-3, 0x1.c6b08d7033b61p-5,
          0x1.3b2ab72e06963p-7, 0x1.5d87feaddac6fp-10, 0x1.430888b9c8da4p-13,
          0x1.ffcb28aefd0d7p-17, 0x1.63f5b814177c9p-20, 0x1.b69c102299f61p-24});
  llvm::Type *wideWord = like(b.getInt64Ty());
  Value *n = b.CreateShl(b.CreateBitCast(shifted, wideWord),
                         llvm::ConstantInt::get(wideWord, 52));
  Value *value =
      b.CreateBitCast(b.CreateAdd(b.CreateBitCast(power, wideWord), n), wide);
  value = b.CreateFPTrunc(value, type);

  // A negative base with an odd exponent gives a negative result; one with an
  // exponent that is not an integer is left to the C library.
  Value *rounded = b.CreateUnaryIntrinsic(Intrinsic::trunc, y);
  Value *isInteger = b.CreateFCmpOEQ(rounded, y);
  Value *halved = b.CreateFMul(y, real(0.5));
  Value *isOdd = b.CreateAnd(
      isInteger, b.CreateFCmpONE(
                     b.CreateUnaryIntrinsic(Intrinsic::trunc, halved), halved));
  Value *negative = b.CreateFCmpOLT(x, real(0));
  value =
      b.CreateSelect(b.CreateAnd(negative, isOdd), b.CreateFNeg(value), value);
  Value *plain =
      b.CreateAnd(b.CreateAnd(b.CreateFCmpOGE(magnitude, real(0x1p-126)),
                              b.CreateFCmpOLT(magnitude, real(INFINITY))),
                  b.CreateFCmpOLT(abs(y), real(INFINITY)));
  plain = b.CreateAnd(plain, b.CreateOr(isInteger, b.CreateNot(negative)));
  return patch(value, b.CreateNot(plain), x, y, call);
}

llvm::Value *VectorMath::emit(Op op, Value *x, Value *y, ScalarCall call) {
  assert(x->getType()->getScalarType()->isFloatTy() && "float32 only");
  // The reductions rely on exact products: without multiply-add the host's
  // functions are called.
  if (!jitHost().fma)
    return nullptr;
  type = x->getType();
  switch (op) {
  case Op::ExpF:
    return exp(x);
  case Op::Exp2F:
    return exp2(x);
  case Op::Expm1F:
    return expm1(x);
  case Op::LogF:
    return log(x, 0, 0);
  case Op::Log2F:
    // log2(e) and log10(e) as sums of two floats: the second is the error of
    // the first.
    return log(x, 0x1.715476p+0, 0x1.4ae0cp-26);
  case Op::Log10F:
    return log(x, 0x1.bcb7b2p-2, -0x1.5b235ep-27);
  case Op::Log1pF:
    return log1p(x);
  case Op::TanhF:
    return tanh(x);
  case Op::ErfF:
    return erf(x);
  case Op::SinF:
  case Op::CosF:
    return sinOrCos(x, op == Op::CosF, call);
  case Op::PowF:
    return pow(x, y, call);
  default:
    return nullptr;
  }
}

} // namespace gaudi::runtime
