// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f8 by tables of bytes and by way of f16.
#include "ValueEmitter.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "JitHost.h"
#include "VectorMath.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsX86.h"

#include <algorithm>
#include <cmath>

namespace gaudi::runtime {

using namespace recipe;
namespace Intrinsic = llvm::Intrinsic;

/// Lanes of f32 in the widest vectors, and bytes.
constexpr unsigned wordLanes = 16, byteLanes = 64;

#if defined(__x86_64__)
/// Byte number `byte` of the float32 of each code without a sign, as the two
/// halves of a table for vpermi2b.
static std::pair<llvm::Constant *, llvm::Constant *>
tableOf(llvm::LLVMContext &context, FloatFormat format, unsigned byte) {
  const uint32_t mantissa = (1u << format.mantissaBits) - 1;
  llvm::SmallVector<uint8_t> bytes;
  for (uint32_t code = 0; code < 2 * byteLanes; ++code) {
    const auto number = float(decodeFloat(code, format));
    uint32_t bits = bitsOf(number);
    if (std::isnan(number)) // as decodeNarrow
      bits = format.finiteOnly
                 ? 0x7fc00000u
                 : 0x7f800000u | (code & mantissa)
                                     << (23 - format.mantissaBits);
    bytes.push_back(uint8_t(bits >> (8 * byte)));
  }
  const llvm::ArrayRef<uint8_t> all(bytes);
  return {llvm::ConstantDataVector::get(context, all.take_front(byteLanes)),
          llvm::ConstantDataVector::get(context, all.drop_front(byteLanes))};
}
#endif

/// A float32 of f8 has zeros in its lower half, NaNs included, so that two
/// tables of 128 bytes give all of it but the sign. Null: the host cannot look
/// up bytes, or `raw` is no vector of whole registers.
llvm::Value *ValueEmitter::decodeByTable(Value *raw, FloatFormat format) {
#if defined(__x86_64__)
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(raw->getType());
  if (!vector || vector->getNumElements() % wordLanes != 0 ||
      !jitHost().bytePermute)
    return nullptr;
  const unsigned lanes = vector->getNumElements();
  auto *bytes = llvm::FixedVectorType::get(b.getInt8Ty(), byteLanes);
  auto permute = [&](Value *first, Value *indices, Value *second) {
    return b.CreateIntrinsic(Intrinsic::x86_avx512_vpermi2var_qi_512,
                             llvm::ArrayRef<Value *>{first, indices, second});
  };
  auto lookUp = [&](Value *codes, unsigned byte) {
    auto [first, second] = tableOf(b.getContext(), format, byte);
    return permute(first, codes, second); // the sign is no part of the index
  };
  llvm::SmallVector<Value *> parts;
  // 64 codes at a time: bytes 3 and 2 of their floats from two look-ups each;
  // the sign is or'ed into byte 3.
  for (unsigned from = 0; from < lanes; from += byteLanes) {
    const unsigned count = std::min(byteLanes, lanes - from);
    Value *codes = b.CreateShuffleVector(
        raw, llvm::createSequentialMask(from, count, byteLanes - count));
    Value *upper =
        b.CreateOr(lookUp(codes, 3), b.CreateAnd(codes, splat(bytes, 0x80)));
    Value *lower = lookUp(codes, 2);
    for (unsigned part = 0; part < count; part += wordLanes) {
      // Interleaves the two bytes, behind two zero bytes, into 16 floats.
      llvm::SmallVector<llvm::Constant *> order, used;
      for (unsigned i = 0; i < byteLanes; ++i) {
        const unsigned lane = part + i / 4;
        order.push_back(
            b.getInt8(uint8_t(i % 4 == 3 ? byteLanes + lane : lane)));
        used.push_back(b.getInt1(i % 4 >= 2));
      }
      Value *both = permute(lower, llvm::ConstantVector::get(order), upper);
      parts.push_back(b.CreateBitCast(
          b.CreateSelect(llvm::ConstantVector::get(used), both,
                         llvm::Constant::getNullValue(bytes)),
          llvm::FixedVectorType::get(b.getFloatTy(), wordLanes)));
    }
  }
  return parts.size() == 1 ? parts[0] : llvm::concatenateVectors(b, parts);
#else
  return nullptr;
#endif
}

/// f8 by the host's conversion from f16, which takes subnormal numbers as fast
/// as others. Where there are NaNs, decodeNarrow gives their bits.
llvm::Value *ValueEmitter::decodeByHalf(Value *raw, FloatFormat format) {
  llvm::Type *half = likeType(b.getInt16Ty(), raw);
  llvm::Type *real = likeType(b.getFloatTy(), raw);
  // f8E5M2 is the upper byte of an f16. Of f8E4M3FN the sign is extended, and
  // the copy of it in the exponent cleared; the number is too small by 2^8.
  Value *bits = format.finiteOnly
                    ? b.CreateAnd(b.CreateShl(b.CreateSExt(raw, half), 7),
                                  splat(half, 0xbfff))
                    : b.CreateShl(b.CreateZExt(raw, half), 8);
  Value *number =
      b.CreateFPExt(b.CreateBitCast(bits, likeType(b.getHalfTy(), raw)), real);
  if (format.finiteOnly)
    number = b.CreateFMul(number, llvm::ConstantFP::get(real, 0x1p8));
  const uint64_t last = format.finiteOnly ? 0x7e : 0x7c; // that is no NaN
  Value *nan = b.CreateICmpUGT(b.CreateAnd(raw, splat(raw->getType(), 0x7f)),
                               splat(raw->getType(), last));
  return unlessAny(b, nan, number, [&] { return decodeNarrow(raw, format); });
}

/// f8 by the host's conversion to f16, which is exact after a rounding to the
/// bits of f8. Where there are NaNs or numbers beyond 2^64, encodeNarrow does
/// it. Null: the host has no conversion, or `source` is no vector.
llvm::Value *ValueEmitter::encodeByHalf(KernelValue source, ElementType type) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(source.value->getType());
  if (!vector || !jitHost().half)
    return nullptr;
  Value *value = source.value;
  const FloatFormat format = *narrowFormat(type);
  llvm::Type *word = likeType(b.getInt32Ty(), value);
  // As f16 a number of f8E4M3FN is made smaller by 2^8: its exponent is then in
  // the right place.
  const int scale = format.finiteOnly ? -8 : 0;
  Value *rounded = value;
  if (!(source.exactIn & exactInBit(type)))
    rounded = b.CreateBinaryIntrinsic(
        Intrinsic::copysign,
        roundMagnitude(unary(Intrinsic::fabs, value), format, scale), value);
  else if (scale != 0)
    rounded = b.CreateFMul(
        value, llvm::ConstantFP::get(value->getType(), std::ldexp(1.0, scale)));
  llvm::Type *half = likeType(b.getInt16Ty(), value);
  Value *bits = b.CreateBitCast(
      b.CreateFPTrunc(rounded, likeType(b.getHalfTy(), value)), half);
  // The code is the upper byte.
  if (format.finiteOnly) {
    Value *magnitude = b.CreateBinaryIntrinsic(
        Intrinsic::umin, b.CreateAnd(bits, splat(half, 0x7fff)),
        splat(half, 0x3f80));
    bits = b.CreateOr(b.CreateAnd(bits, splat(half, 0x8000)),
                      b.CreateAdd(magnitude, magnitude));
  }
  const unsigned lanes = vector->getNumElements();
  Value *codes = b.CreateShuffleVector(
      b.CreateBitCast(bits,
                      llvm::FixedVectorType::get(b.getInt8Ty(), 2 * lanes)),
      llvm::createStrideMask(1, 2, lanes));

  Value *largest =
      b.CreateAnd(b.CreateBitCast(value, word), splat(word, 0x7fffffffu));
  for (unsigned width = lanes; width > wordLanes && width % 2 == 0;) {
    width /= 2;
    largest = b.CreateBinaryIntrinsic(
        Intrinsic::umax,
        b.CreateShuffleVector(largest, llvm::createSequentialMask(0, width, 0)),
        b.CreateShuffleVector(largest,
                              llvm::createSequentialMask(width, width, 0)));
  }
  Value *rare =
      b.CreateICmpUGT(largest, splat(largest->getType(), bitsOf(0x1p64f)));
  return unlessAny(b, rare, codes,
                   [&] { return encodeNarrow(source, format); });
}

} // namespace gaudi::runtime
