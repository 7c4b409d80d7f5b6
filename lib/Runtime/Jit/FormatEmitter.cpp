// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element formats as LLVM IR: decoding of loads, rounding of stores.
#include "ValueEmitter.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include "JitHost.h"
#include "VectorMath.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsX86.h"

namespace gaudi::runtime {

using namespace recipe;
namespace Intrinsic = llvm::Intrinsic;

llvm::Value *ValueEmitter::decode(Value *raw, ElementType type) {
  switch (type) {
  case ElementType::F16:
    if (jitHost().half)
      return b.CreateFPExt(b.CreateBitCast(raw, likeType(b.getHalfTy(), raw)),
                           likeType(b.getFloatTy(), raw));
    return decodeNarrow(raw, formatF16);
  case ElementType::F8E4M3FN:
  case ElementType::F8E5M2:
    // The fastest way first: a look-up of codes, then by way of f16.
    if (Value *number = decodeByTable(raw, *narrowFormat(type)))
      return number;
    if (jitHost().half)
      return decodeByHalf(raw, *narrowFormat(type));
    [[fallthrough]];
  case ElementType::BF16:
    return decodeNarrow(raw, *narrowFormat(type));
  case ElementType::I1:
    return b.CreateICmpNE(raw, splat(raw->getType(), 0));
  default:
    return raw;
  }
}

/// What to round to bf16 for a store of the value.
static KernelValue toBeRounded(const KernelValue &value) {
  return value.unrounded ? KernelValue{value.unrounded, ElementType::F32, true}
                         : value;
}

llvm::Value *ValueEmitter::encode(KernelValue value, ElementType type) {
  switch (type) {
  case ElementType::F32:
    return canonicalBits(value);
  case ElementType::BF16:
    return encodeBF16(toBeRounded(value), false);
  case ElementType::F16:
    if (jitHost().half)
      return encodeHalf(value);
    return encodeNarrow(value, formatF16);
  case ElementType::F8E4M3FN:
  case ElementType::F8E5M2:
    if (Value *codes = encodeByHalf(value, type))
      return codes;
    return encodeNarrow(value, *narrowFormat(type));
  case ElementType::I1:
    return b.CreateZExt(value.value, likeType(b.getInt8Ty(), value.value));
  default:
    return value.value;
  }
}

/// The bits of a float, with one fixed NaN for those that arithmetic made:
/// their sign and payload depend on the host's instruction, and results must
/// not. The select is on integers, since LLVM may replace one float NaN by
/// another.
llvm::Value *ValueEmitter::canonicalBits(KernelValue value) {
  llvm::Type *word = likeType(b.getInt32Ty(), value.value);
  Value *bits = b.CreateBitCast(value.value, word);
  return value.arithmetic ? b.CreateSelect(isNaN(value.value),
                                           splat(word, 0x7fc00000u), bits)
                          : bits;
}

llvm::Value *ValueEmitter::decodeNarrow(Value *raw, FloatFormat format) {
  llvm::Type *word = likeType(b.getInt32Ty(), raw);
  llvm::Type *real = likeType(b.getFloatTy(), raw);
  Value *bits = b.CreateZExt(raw, word);
  const unsigned magnitudeBits = format.width() - 1;
  if (format.exponentBits == 8)
    return b.CreateBitCast(b.CreateShl(bits, splat(word, 16)), real);
  Value *magnitude = b.CreateAnd(bits, splat(word, (1u << magnitudeBits) - 1));
  Value *sign = b.CreateShl(b.CreateLShr(bits, splat(word, magnitudeBits)),
                            splat(word, 31));
  // Shifted into the place of a float32, the magnitude is too small by exactly
  // 2^(127 - bias), subnormals included: one multiplication corrects it.
  Value *scaled = b.CreateFMul(
      b.CreateBitCast(
          b.CreateShl(magnitude, splat(word, 23 - format.mantissaBits)), real),
      llvm::ConstantFP::get(real, std::ldexp(1.0, 127 - format.bias())));
  Value *result = b.CreateBitCast(scaled, word);
  const uint32_t infinity = ((1u << format.exponentBits) - 1)
                            << format.mantissaBits;
  // NaN and infinity: the all-ones exponent of a float32 with the payload in
  // the same place. Formats without infinities have one NaN.
  if (format.finiteOnly) {
    Value *special =
        b.CreateICmpEQ(magnitude, splat(word, (1u << magnitudeBits) - 1));
    result = b.CreateSelect(special, splat(word, 0x7fc00000u), result);
  } else {
    Value *special = b.CreateICmpUGE(magnitude, splat(word, infinity));
    Value *payload =
        b.CreateShl(magnitude, splat(word, 23 - format.mantissaBits));
    result = b.CreateSelect(
        special, b.CreateOr(payload, splat(word, 0x7f800000u)), result);
  }
  return b.CreateBitCast(b.CreateOr(result, sign), real);
}

/// Bits of a float32 of which the upper half is the value rounded to nearest
/// even. `inPlace`: the bits of a NaN need not be those of a store.
llvm::Value *ValueEmitter::wordsOfBF16(KernelValue source, bool inPlace) {
  const bool watched = isWatched(source);
  if (watched)
    source.value = roundWatched(source);
  Value *value = source.value;
  llvm::Type *word = likeType(b.getInt32Ty(), value);
  // The rounding below does not change a short NaN, and the bits of a NaN that
  // arithmetic made count only when it is stored.
  const bool passes = inPlace && source.shortNaN;
  Value *bits = passes ? b.CreateBitCast(value, word) : canonicalBits(source);
  Value *rounded = bits;
  if (!watched && !(source.exactIn & ExactInBF16)) {
    // Nearest, ties to even, as in encodeNarrow; a carry may reach the
    // exponent.
    Value *odd =
        b.CreateAnd(b.CreateLShr(bits, splat(word, 16)), splat(word, 1));
    rounded = b.CreateAdd(b.CreateAdd(bits, splat(word, 0x7fff)), odd);
  }
  // The canonical NaN rounds to itself; any other keeps its sign.
  if (!source.arithmetic && !passes) {
    Value *nan = b.CreateOr(b.CreateAnd(bits, splat(word, 0x80000000u)),
                            splat(word, 0x7fc00000u));
    rounded = b.CreateSelect(isNaN(value), nan, rounded);
  }
  return rounded;
}

#if defined(__x86_64__)
/// The host's conversion flushes subnormal numbers and keeps the bits of NaNs.
llvm::Value *ValueEmitter::isConvertedOtherwise(Value *value) {
  constexpr uint32_t quietNaN = 0x01, subnormal = 0x20, signallingNaN = 0x80;
  return b.CreateIntrinsic(
      Intrinsic::x86_avx512_fpclass_ps_512,
      llvm::ArrayRef<Value *>{
          value, b.getInt32(quietNaN | subnormal | signallingNaN)});
}
#endif

llvm::Value *ValueEmitter::encodeBF16(KernelValue source, bool inPlace) {
  // All that comes of an arithmetic NaN is arithmetic as well, so that its
  // lower bits do no harm.
  if (inPlace && isWatched(source))
    return roundWatched(source);
  llvm::Type *word = likeType(b.getInt32Ty(), source.value);
  if (inPlace)
    return b.CreateBitCast(
        b.CreateAnd(wordsOfBF16(source, true), splat(word, 0xffff0000u)),
        source.value->getType());
  auto upperHalf = [&] {
    return b.CreateTrunc(
        b.CreateLShr(wordsOfBF16(source, false), splat(word, 16)),
        likeType(b.getInt16Ty(), source.value));
  };
#if defined(__x86_64__)
  // Where there are unusual numbers, integers round as above.
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(word);
  if (vector && vector->getNumElements() == 16 &&
      !(source.exactIn & ExactInBF16) && jitHost().bfloat) {
    Value *rare = isConvertedOtherwise(source.value);
    Value *converted = b.CreateBitCast(
        b.CreateIntrinsic(Intrinsic::x86_avx512bf16_cvtneps2bf16_512,
                          llvm::ArrayRef<Value *>(source.value)),
        likeType(b.getInt16Ty(), source.value));
    return unlessAny(b, rare, converted, upperHalf);
  }
#endif
  return upperHalf();
}

llvm::Value *ValueEmitter::decodePairs(Value *words) {
  llvm::Type *word = words->getType();
  Value *first = b.CreateShl(words, splat(word, 16));
  Value *second = b.CreateAnd(words, splat(word, 0xffff0000u));
  const unsigned count =
      llvm::cast<llvm::FixedVectorType>(word)->getNumElements();
  Value *both = b.CreateShuffleVector(
      first, second, llvm::createSequentialMask(0, 2 * count, 0));
  return b.CreateBitCast(both, likeType(b.getFloatTy(), both));
}

/// By the host's conversion; null: it has none. As encodeBF16.
llvm::Value *
ValueEmitter::convertOrdinaryPairs(const KernelValue &value,
                                   llvm::function_ref<Value *()> otherwise) {
#if defined(__x86_64__)
  constexpr unsigned half = 16;
  const auto *vector =
      llvm::cast<llvm::FixedVectorType>(value.value->getType());
  if (vector->getNumElements() != 2 * half || !jitHost().bfloat ||
      (value.exactIn & ExactInBF16) || isWatched(value))
    return nullptr;
  Value *parts[2], *rare[2];
  for (unsigned part = 0; part < 2; ++part) {
    parts[part] = b.CreateShuffleVector(
        value.value, llvm::createSequentialMask(part * half, half, 0));
    rare[part] = isConvertedOtherwise(parts[part]);
  }
  Value *words = b.CreateIntrinsic(Intrinsic::x86_avx512bf16_cvtne2ps2bf16_512,
                                   llvm::ArrayRef<Value *>{parts[1], parts[0]});
  // The instruction leaves the halves one after the other; pairs alternate.
  words = b.CreateShuffleVector(
      b.CreateBitCast(words, llvm::FixedVectorType::get(b.getInt16Ty(), 32)),
      llvm::createInterleaveMask(half, 2));
  words =
      b.CreateBitCast(words, llvm::FixedVectorType::get(b.getInt32Ty(), half));
  // Subnormal numbers and NaN, which it converts otherwise, take the exact
  // path.
  return unlessAny(b, b.CreateOr(rare[0], rare[1]), words, otherwise);
#else
  return nullptr;
#endif
}

llvm::Value *ValueEmitter::encodePairs(KernelValue value) {
  value = toBeRounded(value);
  if (Value *converted = convertPairs(value))
    return converted;
  auto rounded = [&] { return roundPairs(value); };
  if (Value *converted = convertOrdinaryPairs(value, rounded))
    return converted;
  return rounded();
}

llvm::Value *ValueEmitter::roundPairs(const KernelValue &value) {
  Value *words = wordsOfBF16(value, false);
  const unsigned count =
      llvm::cast<llvm::FixedVectorType>(words->getType())->getNumElements() / 2;
  Value *first =
      b.CreateShuffleVector(words, llvm::createSequentialMask(0, count, 0));
  Value *second =
      b.CreateShuffleVector(words, llvm::createSequentialMask(count, count, 0));
  llvm::Type *word = first->getType();
  return b.CreateOr(b.CreateLShr(first, splat(word, 16)),
                    b.CreateAnd(second, splat(word, 0xffff0000u)));
}

/// Uses the host's conversion, which rounds subnormals correctly.
llvm::Value *ValueEmitter::encodeHalf(KernelValue source) {
  Value *value = source.value;
  llvm::Type *word = likeType(b.getInt16Ty(), value);
  Value *half = b.CreateFPTrunc(value, likeType(b.getHalfTy(), value));
  Value *bits = b.CreateBitCast(half, word);
  Value *nan = splat(word, 0x7e00);
  if (!source.arithmetic)
    nan = b.CreateOr(b.CreateAnd(bits, splat(word, 0x8000)), nan);
  return b.CreateSelect(isNaN(value), nan, bits);
}

/// A magnitude below 2^64 rounded to the mantissa and the least unit of a
/// format, whose largest number does not end it, times a power of two.
///
/// Taken from a number 2^s times as large, x leaves a difference that is
/// rounded to x's own first 24 - s bits, ties to even since the larger number
/// is even where x is half way. Where x is small, the larger number is replaced
/// by one of which the last bit is the least unit of the format.
llvm::Value *ValueEmitter::roundMagnitude(Value *magnitude, FloatFormat format,
                                          int scale) {
  llvm::Type *real = magnitude->getType();
  auto number = [&](double mantissa, int exponent) {
    return llvm::ConstantFP::get(real, std::ldexp(mantissa, exponent));
  };
  const int shift = 23 - int(format.mantissaBits);
  Value *large = b.CreateFMul(magnitude, number(1, shift + scale));
  Value *least = number(1.5, shift + 1 - int(format.bias()) + scale);
  large = b.CreateSelect(b.CreateFCmpOGT(large, least), large, least);
  Value *rest = scale == 0
                    ? b.CreateFSub(large, magnitude)
                    : b.CreateIntrinsic(Intrinsic::fmuladd, {real},
                                        {magnitude, number(-1, scale), large});
  return b.CreateFSub(large, rest);
}

/// Rounded to f16 or f8, but still a float32; the bits of a NaN mean nothing.
llvm::Value *ValueEmitter::roundArithmetic(Value *value, ElementType type) {
  llvm::Type *real = value->getType();
  if (type == ElementType::F16 && jitHost().half)
    return b.CreateFPExt(b.CreateFPTrunc(value, likeType(b.getHalfTy(), value)),
                         real);
  const FloatFormat format = *narrowFormat(type);
  Value *magnitude = unary(Intrinsic::fabs, value);
  // Half way from the largest number to the next one is rounded to the even of
  // the two: the largest one in formats without an infinity.
  const int most = (1 << format.exponentBits) - (format.finiteOnly ? 1 : 2) -
                   int(format.bias());
  const double last =
      std::ldexp(format.finiteOnly ? 1.5 : 0.5, -int(format.mantissaBits));
  Value *beyond = b.CreateFCmp(
      format.finiteOnly ? llvm::CmpInst::FCMP_OGT : llvm::CmpInst::FCMP_OGE,
      magnitude, llvm::ConstantFP::get(real, std::ldexp(2 - last, most)));
  Value *rounded =
      b.CreateSelect(beyond,
                     format.finiteOnly ? llvm::ConstantFP::getNaN(real)
                                       : llvm::ConstantFP::getInfinity(real),
                     roundMagnitude(magnitude, format, 0));
  return b.CreateBinaryIntrinsic(Intrinsic::copysign, rounded, value);
}

llvm::Value *ValueEmitter::encodeNarrow(KernelValue source,
                                        FloatFormat format) {
  Value *value = source.value;
  llvm::Type *word = likeType(b.getInt32Ty(), value);
  llvm::Type *real = likeType(b.getFloatTy(), value);
  llvm::Type *narrow = likeType(b.getIntNTy(format.width()), value);
  const unsigned shift = 23 - format.mantissaBits;
  const unsigned magnitudeBits = format.width() - 1;
  const uint32_t infinity = ((1u << format.exponentBits) - 1)
                            << format.mantissaBits;
  const uint32_t nan = format.finiteOnly
                           ? infinity | ((1u << format.mantissaBits) - 1)
                           : infinity | (1u << (format.mantissaBits - 1));

  Value *bits = canonicalBits(source);
  Value *sign = b.CreateShl(b.CreateLShr(bits, splat(word, 31)),
                            splat(word, magnitudeBits));
  Value *magnitude = b.CreateAnd(bits, splat(word, 0x7fffffffu));
  // Nearest, ties to even: add just under a half, and one more if odd. A carry
  // out of the mantissa increments the exponent, which is the right result.
  Value *odd =
      b.CreateAnd(b.CreateLShr(magnitude, splat(word, shift)), splat(word, 1));
  Value *rounded =
      b.CreateLShr(b.CreateAdd(b.CreateAdd(magnitude, odd),
                               splat(word, (1u << (shift - 1)) - 1)),
                   splat(word, shift));
  const uint32_t rebias = uint32_t(127 - format.bias()) << format.mantissaBits;
  Value *result = b.CreateSub(rounded, splat(word, rebias));
  if (format.exponentBits < 8) {
    // Subnormals: adding a number whose unit is the format's smallest quantum
    // makes the host's own rounding count quanta.
    const int quantum = 1 - format.bias() - int(format.mantissaBits);
    const double unit = std::ldexp(1.0, quantum + 23);
    Value *sum = b.CreateFAdd(b.CreateBitCast(magnitude, real),
                              llvm::ConstantFP::get(real, unit));
    Value *count = b.CreateSub(b.CreateBitCast(sum, word),
                               splat(word, bitsOf(float(unit))));
    const float normal = float(std::ldexp(1.0, 1 - format.bias()));
    result = b.CreateSelect(
        b.CreateICmpULT(magnitude, splat(word, bitsOf(normal))), count, result);
  }
  // Overflow: to infinity, or to NaN in a format without one. A NaN is above
  // infinity as a number, so it is selected last.
  const uint32_t limit = format.finiteOnly
                             ? infinity | ((1u << format.mantissaBits) - 1)
                             : infinity;
  const uint32_t overflow = format.finiteOnly ? nan : infinity;
  result = b.CreateSelect(b.CreateICmpUGE(result, splat(word, limit)),
                          splat(word, overflow), result);
  result = b.CreateSelect(b.CreateICmpUGT(magnitude, splat(word, 0x7f800000u)),
                          splat(word, nan), result);
  return b.CreateTrunc(b.CreateOr(result, sign), narrow);
}

} // namespace gaudi::runtime
