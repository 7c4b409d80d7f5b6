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
    if (jitHost().half)
      return decodeByHalf(raw);
    [[fallthrough]];
  case ElementType::BF16:
  case ElementType::F8E5M2:
    return decodeNarrow(raw, *narrowFormat(type));
  case ElementType::I1:
    return b.CreateICmpNE(raw, splat(raw->getType(), 0));
  default:
    return raw;
  }
}

llvm::Value *ValueEmitter::encode(KernelValue value, ElementType type) {
  switch (type) {
  case ElementType::F32:
    return canonicalBits(value);
  case ElementType::BF16:
    return encodeBF16(value, false);
  case ElementType::F16:
    if (jitHost().half)
      return encodeHalf(value);
    [[fallthrough]];
  case ElementType::F8E4M3FN:
  case ElementType::F8E5M2:
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

/// f8E4M3FN by the host's conversion from f16, which takes subnormal numbers as
/// fast as others: as an f16 the number is too small by 2^8.
llvm::Value *ValueEmitter::decodeByHalf(Value *raw) {
  llvm::Type *half = likeType(b.getInt16Ty(), raw);
  llvm::Type *real = likeType(b.getFloatTy(), raw);
  // The sign is extended, and the copy of it in the exponent cleared.
  Value *bits =
      b.CreateAnd(b.CreateShl(b.CreateSExt(raw, half), 7), splat(half, 0xbfff));
  Value *number = b.CreateFMul(
      b.CreateFPExt(b.CreateBitCast(bits, likeType(b.getHalfTy(), raw)), real),
      llvm::ConstantFP::get(real, 0x1p8));
  llvm::Type *word = likeType(b.getInt32Ty(), raw);
  Value *signedBits = b.CreateBitCast(number, word);
  Value *nan = b.CreateOr(b.CreateAnd(signedBits, splat(word, 0x80000000u)),
                          splat(word, 0x7fc00000u));
  Value *isNaNCode =
      b.CreateICmpEQ(b.CreateAnd(raw, splat(raw->getType(), 0x7f)),
                     splat(raw->getType(), 0x7f));
  return b.CreateBitCast(b.CreateSelect(isNaNCode, nan, signedBits), real);
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
  words = b.CreateShuffleVector(
      b.CreateBitCast(words, llvm::FixedVectorType::get(b.getInt16Ty(), 32)),
      llvm::createInterleaveMask(half, 2));
  words =
      b.CreateBitCast(words, llvm::FixedVectorType::get(b.getInt32Ty(), half));
  return unlessAny(b, b.CreateOr(rare[0], rare[1]), words, otherwise);
#else
  return nullptr;
#endif
}

llvm::Value *ValueEmitter::encodePairs(KernelValue value) {
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

/// Rounded to f16 or f8, but still a float32; the bits of a NaN mean nothing.
llvm::Value *ValueEmitter::roundArithmetic(Value *value, ElementType type) {
  llvm::Type *real = value->getType();
  if (type == ElementType::F16 && jitHost().half)
    return b.CreateFPExt(b.CreateFPTrunc(value, likeType(b.getHalfTy(), value)),
                         real);
  const FloatFormat format = *narrowFormat(type);
  const int mantissa = int(format.mantissaBits);
  const int most = (1 << format.exponentBits) - (format.finiteOnly ? 1 : 2) -
                   int(format.bias());
  // The unit of a sum with 2^(23 - mantissa + e), where e is the exponent of
  // the magnitude or of the least normal number, is that of the format, so
  // that the sum is rounded as it should be. Above the largest number any
  // power that keeps the sum finite will do.
  llvm::Type *word = likeType(b.getInt32Ty(), value);
  auto power = [&](int exponent) {
    return splat(word, uint32_t(127 + exponent) << 23);
  };
  Value *exponent =
      b.CreateAnd(b.CreateBitCast(value, word), splat(word, 0x7f800000u));
  exponent = b.CreateBinaryIntrinsic(Intrinsic::umax, exponent,
                                     power(1 - int(format.bias())));
  exponent =
      b.CreateBinaryIntrinsic(Intrinsic::umin, exponent, power(most + 1));
  Value *large = b.CreateBitCast(
      b.CreateAdd(exponent, splat(word, uint32_t(23 - mantissa) << 23)), real);
  Value *rounded =
      b.CreateFSub(b.CreateFAdd(unary(Intrinsic::fabs, value), large), large);
  const double last = std::ldexp(format.finiteOnly ? 2 : 1, -mantissa);
  Value *beyond = b.CreateFCmpOGT(
      rounded, llvm::ConstantFP::get(real, std::ldexp(2 - last, most)));
  rounded =
      b.CreateSelect(beyond,
                     format.finiteOnly ? llvm::ConstantFP::getNaN(real)
                                       : llvm::ConstantFP::getInfinity(real),
                     rounded);
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
