// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM IR of kernel instructions.
#include "ValueEmitter.h"

#include "ConstantDivision.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "JitHost.h"
#include "MathSymbols.h"
#include "VectorMath.h"

#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

#include <cassert>
#include <cmath>
#include <iterator>

namespace gaudi::runtime {

using namespace recipe;
using llvm::Intrinsic::ID;
namespace Intrinsic = llvm::Intrinsic;

llvm::Type *ValueEmitter::valueType(ElementType type, unsigned lanes) {
  llvm::Type *scalar =
      type == ElementType::F32 ? b.getFloatTy() : b.getIntNTy(kernelBits(type));
  return lanes == 1 ? scalar : llvm::FixedVectorType::get(scalar, lanes);
}

llvm::Type *ValueEmitter::memoryType(ElementType type, unsigned lanes) {
  llvm::Type *scalar = type == ElementType::F32
                           ? b.getFloatTy()
                           : b.getIntNTy(8 * elementSize(type));
  return lanes == 1 ? scalar : llvm::FixedVectorType::get(scalar, lanes);
}

llvm::Constant *ValueEmitter::constant(ElementType type, uint64_t bits) {
  llvm::Type *scalar = valueType(type);
  const unsigned width = scalar->getScalarSizeInBits();
  llvm::APInt integer(64, bits);
  integer = integer.trunc(width);
  if (type == ElementType::F32)
    return llvm::ConstantFP::get(
        scalar, llvm::APFloat(llvm::APFloat::IEEEsingle(), integer));
  return llvm::ConstantInt::get(scalar, integer);
}

llvm::Value *ValueEmitter::widen(Value *value, unsigned lanes) {
  if (lanes == 1 || value->getType()->isVectorTy())
    return value;
  return b.CreateVectorSplat(lanes, value);
}

llvm::Type *ValueEmitter::likeType(llvm::Type *scalar, Value *shape) {
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(shape->getType()))
    return llvm::FixedVectorType::get(scalar, vector->getNumElements());
  return scalar;
}

llvm::Constant *ValueEmitter::splat(llvm::Type *type, uint64_t bits) {
  return llvm::ConstantInt::get(type, bits);
}

// --- instructions ----------------------------------------------------------

llvm::Value *ValueEmitter::unary(ID id, Value *x) {
  return b.CreateUnaryIntrinsic(id, x);
}

/// Calls the C library's function for one element.
llvm::Value *ValueEmitter::callOne(const char *function, Value *x, Value *y) {
  llvm::Module *module = b.GetInsertBlock()->getModule();
  llvm::Type *real = b.getFloatTy();
  llvm::FunctionType *type =
      y ? llvm::FunctionType::get(real, {real, real}, false)
        : llvm::FunctionType::get(real, {real}, false);
  llvm::FunctionCallee callee =
      module->getOrInsertFunction(std::string(mathPrefix) + function, type);
  auto *declaration = llvm::cast<llvm::Function>(callee.getCallee());
  // What lets LLVM hoist, merge and drop calls. The library sets errno, which
  // nobody reads.
  declaration->setDoesNotThrow();
  declaration->setDoesNotAccessMemory();
  declaration->setWillReturn();
  return y ? b.CreateCall(callee, {x, y}) : b.CreateCall(callee, {x});
}

llvm::Value *ValueEmitter::call(Op op, Value *x, Value *y) {
  const char *function = mathFunctionName(op);
  auto one = [&](Value *p, Value *q) { return callOne(function, p, q); };
  if (Value *value = VectorMath(b).emit(op, x, y, one))
    return value;
  return VectorMath::callLanes(b, x, y, one);
}

/// The extreme of x and a constant number: one comparison, which is false for a
/// NaN in x, so that it is kept. Null for min with -0, where a comparison would
/// keep +0.
static llvm::Value *extremeWith(llvm::IRBuilder<> &b, llvm::Value *x,
                                llvm::Value *y, bool largest, bool watched) {
  // Clamps are mostly with constants (ReLU), where IEEE's maximum would take
  // three instructions.
  const llvm::APFloat *limit;
  if (!llvm::PatternMatch::match(y, llvm::PatternMatch::m_APFloat(limit)) ||
      limit->isNaN() || (!largest && limit->isNegZero()))
    return nullptr;
  // The processor's maximum gives the second operand for zeros and for NaNs,
  // and raises a flag for the latter.
  if (watched && largest && limit->isPosZero())
    return b.CreateSelect(b.CreateFCmpOGT(x, y), x, y);
  llvm::Value *beyond = largest ? b.CreateFCmpOGT(y, x) : b.CreateFCmpOLT(y, x);
  llvm::Value *result = b.CreateSelect(beyond, y, x);
  // max(-0, +0) is +0: adding +0 turns -0 into it and changes nothing else.
  return largest && limit->isPosZero() ? b.CreateFAdd(result, y) : result;
}

llvm::Value *ValueEmitter::maximum(Value *x, Value *y, bool largest) {
  const bool watched = rounding == Rounding::Watched;
  if (Value *result = extremeWith(b, x, y, largest, watched))
    return result;
  if (Value *result = extremeWith(b, y, x, largest, watched))
    return result;
  return b.CreateBinaryIntrinsic(
      largest ? Intrinsic::maximum : Intrinsic::minimum, x, y);
}

/// A NaN gives way to the other operand; of two, the second stays a NaN.
llvm::Value *ValueEmitter::maximumNumber(Value *x, Value *y, bool largest) {
  Value *both = maximum(x, y, largest);
  return b.CreateSelect(isNaN(x), y, b.CreateSelect(isNaN(y), x, both));
}

/// By a constant in two multiplications where they give the same bits: a
/// division of 16 numbers takes ten cycles.
llvm::Value *ValueEmitter::divide(const KernelValue &x, const KernelValue &y) {
  // Without the instruction, LLVM calls a function for each number.
  if (jitHost().fma && y.low == y.high && !y.mayBeNaN &&
      llvm::isa<llvm::Constant>(y.value))
    if (const auto reciprocal = reciprocalOf(float(y.low));
        reciprocal && dividesExactly(*reciprocal, std::ldexp(1.0, x.grid),
                                     std::max(-x.low, x.high))) {
      auto real = [&](float value) {
        return llvm::ConstantFP::get(x.value->getType(), double(value));
      };
      return b.CreateIntrinsic(Intrinsic::fma, {x.value->getType()},
                               {x.value, real(reciprocal->high),
                                b.CreateFMul(x.value, real(reciprocal->low))});
    }
  return b.CreateFDiv(x.value, y.value);
}

/// The sign of a result may be a NaN's own (neg, abs, copysign), so these keep
/// whether the operand's bits mean something; all else is arithmetic, whose
/// NaNs differ from host to host.
KernelValue ValueEmitter::floatOp(const Inst &inst, KernelValue x,
                                  KernelValue y, KernelValue z) {
  Value *p = x.value, *q = y.value;
  auto made = [](Value *value, bool arithmetic = true) {
    return KernelValue{value, ElementType::F32, arithmetic};
  };
  switch (inst.op()) {
  case Op::AddF:
    return made(b.CreateFAdd(p, q));
  case Op::SubF:
    return made(b.CreateFSub(p, q));
  case Op::MulF:
    return made(b.CreateFMul(p, q));
  case Op::DivF:
    return made(divide(x, y));
  case Op::MaxF:
  case Op::MinF:
    return made(maximum(p, q, inst.op() == Op::MaxF));
  case Op::MaxNumF:
  case Op::MinNumF:
    return made(maximumNumber(p, q, inst.op() == Op::MaxNumF));
  case Op::FmaF:
    return made(
        b.CreateIntrinsic(Intrinsic::fma, {p->getType()}, {p, q, z.value}));
  case Op::NegF:
    return made(b.CreateFNeg(p), x.arithmetic);
  case Op::AbsF:
    return made(unary(Intrinsic::fabs, p), x.arithmetic);
  case Op::CopySignF:
    // The sign of a NaN differs from host to host unless it is made canonical.
    return made(b.CreateBinaryIntrinsic(
                    Intrinsic::copysign, p,
                    b.CreateBitCast(canonicalBits(y), p->getType())),
                x.arithmetic);
  case Op::CeilF:
    return made(unary(Intrinsic::ceil, p));
  case Op::FloorF:
    return made(unary(Intrinsic::floor, p));
  case Op::RoundF:
    return made(unary(Intrinsic::round, p));
  case Op::RoundEvenF:
    return made(unary(Intrinsic::roundeven, p));
  case Op::TruncF:
    return made(unary(Intrinsic::trunc, p));
  case Op::SqrtF:
    return made(unary(Intrinsic::sqrt, p));
  case Op::RsqrtF:
    return made(b.CreateFDiv(llvm::ConstantFP::get(p->getType(), 1.0),
                             unary(Intrinsic::sqrt, p)));
  // What LLVM has no instruction for: functions of VectorMath or the host.
  default:
    return made(call(inst.op(), p, q));
  }
}

/// Where LLVM's instruction is undefined (division by zero, the least number by
/// -1, shifts by the width or more), the operand is replaced first and the
/// result of kernel-semantics.md selected afterwards.
llvm::Value *ValueEmitter::intOp(const Inst &inst, Value *x, Value *y) {
  llvm::Type *type = x->getType();
  const unsigned width = type->getScalarSizeInBits();
  Value *zero = splat(type, 0);
  Value *ones = llvm::ConstantInt::getAllOnesValue(type);
  // The upper half of a product is computed in twice the width.
  auto widened = [&](bool isSigned) {
    llvm::Type *wide = likeType(b.getIntNTy(2 * width), x);
    Value *p = isSigned ? b.CreateSExt(x, wide) : b.CreateZExt(x, wide);
    Value *q = isSigned ? b.CreateSExt(y, wide) : b.CreateZExt(y, wide);
    Value *high = b.CreateLShr(b.CreateMul(p, q), splat(wide, width));
    return b.CreateTrunc(high, type);
  };
  auto shifted = [&](bool left) {
    Value *fits = b.CreateICmpULT(y, splat(type, width));
    Value *amount = b.CreateSelect(fits, y, zero);
    Value *result = left ? b.CreateShl(x, amount) : b.CreateLShr(x, amount);
    return b.CreateSelect(fits, result, zero);
  };
  switch (inst.op()) {
  case Op::AddI:
    return b.CreateAdd(x, y);
  case Op::SubI:
    return b.CreateSub(x, y);
  case Op::MulI:
    return b.CreateMul(x, y);
  case Op::DivSI:
  case Op::RemSI: {
    Value *byZero = b.CreateICmpEQ(y, zero);
    Value *minimum =
        llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(width));
    Value *overflows =
        b.CreateAnd(b.CreateICmpEQ(x, minimum), b.CreateICmpEQ(y, ones));
    // Divided by 1, the least number gives itself, and a remainder of 0.
    Value *safe =
        b.CreateSelect(b.CreateOr(byZero, overflows), splat(type, 1), y);
    if (inst.op() == Op::DivSI)
      return b.CreateSelect(byZero, ones, b.CreateSDiv(x, safe));
    return b.CreateSelect(byZero, x, b.CreateSRem(x, safe));
  }
  case Op::DivUI:
  case Op::RemUI: {
    Value *byZero = b.CreateICmpEQ(y, zero);
    Value *safe = b.CreateSelect(byZero, splat(type, 1), y);
    if (inst.op() == Op::DivUI)
      return b.CreateSelect(byZero, ones, b.CreateUDiv(x, safe));
    return b.CreateSelect(byZero, x, b.CreateURem(x, safe));
  }
  case Op::MaxSI:
    return b.CreateBinaryIntrinsic(Intrinsic::smax, x, y);
  case Op::MaxUI:
    return b.CreateBinaryIntrinsic(Intrinsic::umax, x, y);
  case Op::MinSI:
    return b.CreateBinaryIntrinsic(Intrinsic::smin, x, y);
  case Op::MinUI:
    return b.CreateBinaryIntrinsic(Intrinsic::umin, x, y);
  case Op::MulHSI:
    return widened(true);
  case Op::MulHUI:
    return widened(false);
  case Op::And:
    return b.CreateAnd(x, y);
  case Op::Or:
    return b.CreateOr(x, y);
  case Op::Xor:
    return b.CreateXor(x, y);
  case Op::Shl:
    return shifted(true);
  case Op::ShrUI:
    return shifted(false);
  case Op::ShrSI: // by the width or more: the sign, as by the width minus one
    return b.CreateAShr(
        x, b.CreateBinaryIntrinsic(Intrinsic::umin, y, splat(type, width - 1)));
  case Op::Clz:
  case Op::Ctz:
    return b.CreateIntrinsic(inst.op() == Op::Clz ? Intrinsic::ctlz
                                                  : Intrinsic::cttz,
                             {type}, {x, b.getFalse()});
  case Op::Popcount:
    return unary(Intrinsic::ctpop, x);
  case Op::AbsI:
    return b.CreateIntrinsic(Intrinsic::abs, {type}, {x, b.getFalse()});
  default:
    llvm_unreachable("not an integer operation");
  }
}

llvm::Value *ValueEmitter::compare(const Inst &inst, Value *x, Value *y) {
  using P = llvm::CmpInst::Predicate;
  // In the order of CmpPredicate. Of floats ULT to UGE appear twice: once with
  // the numbers that compare unsigned integers, which the verifier refuses.
  static constexpr P floats[] = {
      P::FCMP_OEQ, P::FCMP_ONE, P::FCMP_OLT, P::FCMP_OLE, P::FCMP_OGT,
      P::FCMP_OGE, P::FCMP_ULT, P::FCMP_ULE, P::FCMP_UGT, P::FCMP_UGE,
      P::FCMP_UEQ, P::FCMP_UNE, P::FCMP_ULT, P::FCMP_ULE, P::FCMP_UGT,
      P::FCMP_UGE, P::FCMP_ORD, P::FCMP_UNO};
  static constexpr P integers[] = {
      P::ICMP_EQ,  P::ICMP_NE,  P::ICMP_SLT, P::ICMP_SLE, P::ICMP_SGT,
      P::ICMP_SGE, P::ICMP_ULT, P::ICMP_ULE, P::ICMP_UGT, P::ICMP_UGE};
  if (inst.op() == Op::CmpF)
    return b.CreateFCmp(floats[inst.imm()], x, y);
  assert(inst.imm() < std::size(integers) && "the verifier checks predicates");
  return b.CreateICmp(integers[inst.imm()], x, y);
}

/// Toward zero, with the ends of the range for what lies beyond, and 0 for NaN.
llvm::Value *ValueEmitter::saturate(const KernelValue &source,
                                    llvm::Type *target, bool isSigned) {
  Value *x = source.value;
  const unsigned width = target->getScalarSizeInBits();
  if (width == 1 || !target->isVectorTy())
    return b.CreateIntrinsic(isSigned ? Intrinsic::fptosi_sat
                                      : Intrinsic::fptoui_sat,
                             {target, x->getType()}, {x});
  // LLVM converts vectors element by element to all but 32 bits.
#if defined(__x86_64__)
  // The conversion rounds: no instruction of its own does.
  if (isSigned && width <= 32 && fitsSigned(source, width)) {
    Value *word = b.CreateIntrinsic(Intrinsic::lrint,
                                    {likeType(b.getInt32Ty(), x), x->getType()},
                                    {source.even});
    word = b.CreateAdd(word, llvm::ConstantInt::getSigned(
                                 word->getType(), int64_t(source.moved)));
    if (source.mayBeNaN)
      word =
          b.CreateSelect(isNaN(source.even), splat(word->getType(), 0), word);
    return width < 32 ? b.CreateTrunc(word, target, "", false, true) : word;
  }
#endif
  const int digits = int(width) - isSigned;
  const double end = std::ldexp(1.0, digits); // the first one that is too large
  // The largest float32 in the range: an integer, or one of 24 bits.
  const double largest = digits <= 24 ? end - 1 : end - end * 0x1p-24;
  auto real = [&](double value) {
    return llvm::ConstantFP::get(x->getType(), value);
  };
  Value *inside = x;
  if (const double first = isSigned ? -end : 0; !(source.low >= first))
    inside = b.CreateSelect(b.CreateFCmpOGT(real(first), x), real(first), x);
  const bool fits = source.high < end;
  if (!fits)
    inside = b.CreateSelect(b.CreateFCmpOLT(real(largest), inside),
                            real(largest), inside);
  // After the conversion, which processors can do for some lanes only.
  auto zeroForNaN = [&](Value *number) {
    return source.mayBeNaN
               ? b.CreateSelect(isNaN(x), splat(number->getType(), 0), number)
               : number;
  };
  if (width < 32) {
    Value *word = b.CreateFPToSI(inside, likeType(b.getInt32Ty(), x));
    return b.CreateTrunc(zeroForNaN(word), target, "", !isSigned, isSigned);
  }
  Value *result = isSigned ? b.CreateFPToSI(inside, target)
                           : b.CreateFPToUI(inside, target);
  result = zeroForNaN(result);
  if (fits)
    return result;
  Value *most = llvm::ConstantInt::get(
      target, isSigned ? llvm::APInt::getSignedMaxValue(width)
                       : llvm::APInt::getMaxValue(width));
  return b.CreateSelect(b.CreateFCmpOGE(x, real(end)), most, result);
}

/// The float32 that an integer with `even` becomes. Adding 0 gives zeros their
/// sign.
llvm::Value *ValueEmitter::floatOfEven(const KernelValue &x) {
  llvm::Type *type = x.even->getType();
  Value *result = b.CreateFAdd(unary(Intrinsic::roundeven, x.even),
                               llvm::ConstantFP::get(type, x.moved));
  return x.mayBeNaN
             ? b.CreateSelect(isNaN(x.even),
                              llvm::ConstantFP::get(type, x.ofNaN), result)
             : result;
}

/// An integer of at most 16 bits, maybe with a small constant added, in 32
/// bits; null if it is anything else. Frameworks subtract zero points in 64
/// bits, of which vectors have half as many, with few conversions.
static llvm::Value *narrowed(llvm::IRBuilder<> &b, llvm::Value *wide) {
  using namespace llvm::PatternMatch;
  llvm::Value *from = wide, *term = nullptr, *narrow = nullptr;
  llvm::APInt constant(64, 0);
  const llvm::APInt *other = nullptr;
  // A match that fails may have set `term`.
  if (match(wide, m_Sub(m_Value(term), m_APInt(other)))) {
    from = term;
    constant = -*other;
  } else if (match(wide, m_Add(m_Value(term), m_APInt(other)))) {
    from = term;
    constant = *other;
  }
  const bool isSigned = match(from, m_SExt(m_Value(narrow)));
  if ((!isSigned && !match(from, m_ZExt(m_Value(narrow)))) ||
      narrow->getType()->getScalarSizeInBits() > 16 ||
      !constant.isSignedIntN(30))
    return nullptr;
  llvm::Type *word = wide->getType()->getWithNewType(b.getInt32Ty());
  llvm::Value *value =
      isSigned ? b.CreateSExt(narrow, word) : b.CreateZExt(narrow, word);
  return b.CreateAdd(value, llvm::ConstantInt::get(word, constant.trunc(32)));
}

llvm::Value *ValueEmitter::convert(const Inst &inst, KernelValue x) {
  Value *p = x.value;
  llvm::Type *target = likeType(valueType(inst.type()), p);
  switch (inst.op()) {
  case Op::FloatToSI:
  case Op::FloatToUI:
    return saturate(x, target, inst.op() == Op::FloatToSI);
  case Op::SIToFloat:
    if (x.even)
      return floatOfEven(x);
    if (p->getType()->getScalarSizeInBits() == 64)
      if (llvm::Value *narrow = narrowed(b, p))
        return b.CreateSIToFP(narrow, target);
    return b.CreateSIToFP(p, target);
  case Op::UIToFloat:
    return b.CreateUIToFP(p, target);
  case Op::ExtSI:
    return b.CreateSExt(p, target);
  case Op::ExtUI:
    return b.CreateZExt(p, target);
  case Op::TruncI:
    return b.CreateTrunc(p, target);
  case Op::RoundTo: {
    const ElementType type = static_cast<ElementType>(inst.imm());
    // Of NaNs only those stay as they are that rounding does not shorten, or
    // whose bits mean nothing.
    if (type == ElementType::BF16)
      return (x.exactIn & ExactInBF16) && x.shortNaN ? p : encodeBF16(x, true);
    if (type == ElementType::F32 ||
        ((x.exactIn & exactInBit(type)) && x.arithmetic))
      return p;
    return x.arithmetic ? roundArithmetic(p, type)
                        : decode(encode(x, type), type);
  }
  case Op::BitcastFI:
    return b.CreateBitCast(canonicalBits(x), target);
  default: // BitcastIF
    return b.CreateBitCast(p, target);
  }
}

KernelValue ValueEmitter::emit(const Inst &inst, KernelValue x, KernelValue y,
                               KernelValue z) {
  switch (familyOf(inst.op())) {
  case OpFamily::Const:
    return {constant(inst.type(), inst.imm()), inst.type(), false};
  case OpFamily::Float1:
  case OpFamily::Float2:
  case OpFamily::Float3:
    return floatOp(inst, x, y, z);
  case OpFamily::Int1:
  case OpFamily::Int2:
  case OpFamily::Logic2:
    return {intOp(inst, x.value, y.value), inst.type(), false};
  case OpFamily::CmpF:
  case OpFamily::CmpI:
    return {compare(inst, x.value, y.value), ElementType::I1, false};
  case OpFamily::Select:
    // Either choice may be a NaN whose bits mean nothing.
    return {b.CreateSelect(x.value, y.value, z.value), inst.type(),
            y.arithmetic || z.arithmetic};
  case OpFamily::RoundBy:
    return {roundBy(inst, x.value, y.value), inst.type(), x.arithmetic};
  default:
    assert(isConversion(familyOf(inst.op())) && "no value of its own");
    return {convert(inst, x), inst.type(),
            inst.op() == Op::RoundTo && x.arithmetic};
  }
}

// --- reductions ------------------------------------------------------------

llvm::Value *ValueEmitter::beats(Value *v, Value *r, bool largest) {
  if (v->getType()->isFPOrFPVectorTy()) {
    // The first NaN wins and stays: another one does not beat it.
    Value *better = largest ? b.CreateFCmpOGT(v, r) : b.CreateFCmpOLT(v, r);
    Value *firstNaN = b.CreateAnd(isNaN(v), b.CreateFCmpORD(r, r));
    return b.CreateOr(better, firstNaN);
  }
  return largest ? b.CreateICmpSGT(v, r) : b.CreateICmpSLT(v, r);
}

llvm::Value *ValueEmitter::reduce(ReduceOp op, Value *r, Value *v) {
  // Integers have no NaN: both kinds of extremes are one.
  const bool real = v->getType()->isFPOrFPVectorTy();
  auto pick = [&](ID id) { return b.CreateBinaryIntrinsic(id, r, v); };
  switch (op) {
  case ReduceOp::Add:
    return real ? b.CreateFAdd(r, v) : b.CreateAdd(r, v);
  case ReduceOp::Mul:
    return real ? b.CreateFMul(r, v) : b.CreateMul(r, v);
  case ReduceOp::Max:
    return real ? maximum(r, v, true) : pick(Intrinsic::smax);
  case ReduceOp::Min:
    return real ? maximum(r, v, false) : pick(Intrinsic::smin);
  case ReduceOp::MaxNum:
    return real ? maximumNumber(r, v, true) : pick(Intrinsic::smax);
  case ReduceOp::MinNum:
    return real ? maximumNumber(r, v, false) : pick(Intrinsic::smin);
  case ReduceOp::MaxU:
    return pick(Intrinsic::umax);
  case ReduceOp::MinU:
    return pick(Intrinsic::umin);
  case ReduceOp::And:
    return b.CreateAnd(r, v);
  case ReduceOp::Or:
    return b.CreateOr(r, v);
  case ReduceOp::Xor:
    return b.CreateXor(r, v);
  default: // Custom
    return v;
  }
}

} // namespace gaudi::runtime
