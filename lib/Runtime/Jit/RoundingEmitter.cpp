// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Roundings to bf16 in code that is repeated if a floating-point flag was
// raised (WatchEmitter.h).
#include "JitHost.h"
#include "ValueEmitter.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"

namespace gaudi::runtime {

using namespace recipe;
namespace Intrinsic = llvm::Intrinsic;

/// Only what is computed when the kernel runs can raise a flag, and only NaNs
/// whose bits mean nothing may lose their sign.
bool ValueEmitter::isWatched(const KernelValue &source) const {
  return rounding == Rounding::Watched && source.arithmetic &&
         !(source.exactIn & ExactInBF16) &&
         !llvm::isa<llvm::Constant>(source.value);
}

#if defined(__x86_64__)
/// Lanes of the widest vectors of f32, and of bf16.
constexpr unsigned wideLanes = 16, narrowLanes = 2 * wideLanes;

/// Part number `part` of a vector, in parts of so many lanes.
static llvm::Value *partOf(llvm::IRBuilder<> &b, llvm::Value *vector,
                           unsigned part, unsigned lanes) {
  return b.CreateShuffleVector(
      vector, llvm::createSequentialMask(part * lanes, lanes, 0));
}

static unsigned lanesOf(llvm::Value *value) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  return vector ? vector->getNumElements() : 1;
}

/// Two vectors of float32 as one of bf16, `first` in the lower half.
static llvm::Value *convertTwo(llvm::IRBuilder<> &b, llvm::Value *first,
                               llvm::Value *second) {
  return b.CreateBitCast(
      b.CreateIntrinsic(Intrinsic::x86_avx512bf16_cvtne2ps2bf16_512,
                        llvm::ArrayRef<llvm::Value *>{second, first}),
      llvm::FixedVectorType::get(b.getInt16Ty(), narrowLanes));
}

/// Word i of the result is word order[i].
static llvm::Value *permute(llvm::IRBuilder<> &b, llvm::Value *words,
                            llvm::function_ref<unsigned(unsigned)> order) {
  llvm::SmallVector<llvm::Constant *> numbers;
  for (unsigned i = 0; i < narrowLanes; ++i)
    numbers.push_back(b.getInt16(uint16_t(order(i))));
  return b.CreateIntrinsic(
      Intrinsic::x86_avx512_permvar_hi_512,
      llvm::ArrayRef<llvm::Value *>{words, llvm::ConstantVector::get(numbers)});
}

/// Neighbours by conversion, or null. It flushes subnormal numbers and keeps
/// the bits of NaNs; a comparison whose result nobody needs raises a flag for
/// both.
llvm::Value *ValueEmitter::convertPairs(const KernelValue &value) {
  const unsigned lanes = lanesOf(value.value);
  if (!isWatched(value) || !jitHost().bfloat || lanes % narrowLanes != 0)
    return nullptr;
  llvm::SmallVector<Value *> parts;
  for (unsigned part = 0; part < lanes / narrowLanes; ++part) {
    Value *first = partOf(b, value.value, part, wideLanes);
    Value *second =
        partOf(b, value.value, lanes / narrowLanes + part, wideLanes);
    b.CreateConstrainedFPCmp(Intrinsic::experimental_constrained_fcmps,
                             llvm::CmpInst::FCMP_UNO, first, second, "",
                             llvm::fp::ebStrict);
    Value *words = permute(b, convertTwo(b, first, second), [](unsigned i) {
      return i / 2 + i % 2 * wideLanes;
    });
    parts.push_back(b.CreateBitCast(
        words, llvm::FixedVectorType::get(b.getInt32Ty(), wideLanes)));
  }
  return llvm::concatenateVectors(b, parts);
}
#else
llvm::Value *ValueEmitter::convertPairs(const KernelValue &) { return nullptr; }
#endif

/// The value rounded to 8 bits of mantissa by two multiply-adds: the first
/// rounds (2^16 - 1) x to 24 bits, and with it x to 8, ties to even since 2^16
/// x is even where x is half way; the second is exact. Right for zeros, NaNs
/// and normal numbers below 2^112; all others raise a flag here.
llvm::Value *ValueEmitter::roundWatched(const KernelValue &source) {
  Value *value = source.value;
  llvm::Type *type = value->getType();
  auto number = [&](double constant) {
    return llvm::ConstantFP::get(type, constant);
  };
  // The product of x and a constant c is exact, so that (2^16 - 1) c x and 2^16
  // c x do without it. A subnormal result, which has too many bits, raises a
  // flag as such results are flushed.
  Value *factor;
  const llvm::APFloat *constant;
  if (source.exactProduct &&
      llvm::PatternMatch::match(value,
                                llvm::PatternMatch::m_c_FMul(
                                    llvm::PatternMatch::m_Value(factor),
                                    llvm::PatternMatch::m_APFloat(constant))) &&
      abs(*constant) < llvm::APFloat(0x1p100f) &&
      abs(*constant) > llvm::APFloat(0x1p-100f)) {
    const double c = double(constant->convertToFloat());
    // + 0: the sum of zeros then has the sign of the product.
    Value *less = b.CreateIntrinsic(Intrinsic::fma, {type},
                                    {factor, number(65535 * c), number(0)});
    return b.CreateIntrinsic(Intrinsic::fma, {type},
                             {factor, number(65536 * c), b.CreateFNeg(less)});
  }
  auto less = [&](Value *subtrahend) {
    return b.CreateIntrinsic(Intrinsic::fma, {type},
                             {value, number(65536), b.CreateFNeg(subtrahend)});
  };
  return less(less(value));
}

} // namespace gaudi::runtime
