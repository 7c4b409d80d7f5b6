// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// e^x and 2^x: eighths of the exponent by a table, the rest by a polynomial.
#include "VectorMath.h"

#include "JitHost.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsX86.h"

#include <array>
#include <cassert>

namespace gaudi::runtime {

namespace Intrinsic = llvm::Intrinsic;

namespace {

/// 1.5 * 2^20: adding it to |x| < 2^19 rounds x to eighths and leaves their
/// number in the low bits of the sum.
constexpr double eighthsMagic = 0x1.8p20;
/// log2(e) in two parts.
constexpr double log2EHigh = 0x1.715476p+0, log2ELow = 0x1.4ae0cp-26;

/// 2^(i/8), as bits.
constexpr std::array<uint32_t, 8> powers = {0x3f800000, 0x3f8b95c2, 0x3f9837f0,
                                            0x3fa5fed7, 0x3fb504f3, 0x3fc5672a,
                                            0x3fd744fd, 0x3feac0c7};

/// The same less i shifted to the exponent's place, to which the whole number
/// of eighths can then be added.
constexpr std::array<uint32_t, 8> powersToShift() {
  std::array<uint32_t, 8> table = powers;
  for (uint32_t i = 0; i < table.size(); ++i)
    table[i] -= i << 20;
  return table;
}

} // namespace

/// `permute` looks 8 or 16 words up at once.
static llvm::Value *permute(llvm::IRBuilder<> &b, llvm::Constant *table,
                            llvm::Value *words, unsigned width) {
  const auto id = width == 16 ? Intrinsic::x86_avx512_permvar_si_512
                              : Intrinsic::x86_avx2_permd;
  return b.CreateIntrinsic(id, llvm::ArrayRef<llvm::Value *>{table, words});
}

llvm::Value *VectorMath::lookUp(llvm::ArrayRef<uint32_t> table, Value *words) {
  assert(table.size() == 8 && "as wide as registers of 256 bits");
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(words->getType());
  const unsigned lanes = vector ? vector->getNumElements() : 1;
  // A register of 512 bits repeats the table, so that one permutation serves 16
  // lanes.
  const unsigned width = jitHost().wide && lanes % 16 == 0 ? 16 : 8;
  llvm::SmallVector<uint32_t> repeated(width);
  for (unsigned i = 0; i < width; ++i)
    repeated[i] = table[i % 8];
  auto *constant = llvm::ConstantDataVector::get(b.getContext(), repeated);
  // Without a permutation by variable indices: lane by lane.
  if (!jitHost().permute) {
    Value *places = b.CreateAnd(words, word(7));
    if (!vector)
      return b.CreateExtractElement(constant, places);
    Value *found = llvm::PoisonValue::get(vector);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      Value *place = b.CreateExtractElement(places, lane);
      found = b.CreateInsertElement(
          found, b.CreateExtractElement(constant, place), lane);
    }
    return found;
  }
  if (!vector) {
    Value *one = b.CreateInsertElement(
        llvm::PoisonValue::get(constant->getType()), words, uint64_t(0));
    return b.CreateExtractElement(permute(b, constant, one, width),
                                  uint64_t(0));
  }
  llvm::SmallVector<Value *> parts;
  for (unsigned first = 0; first < lanes; first += width) {
    // The last part may have fewer lanes: -1 is undefined there.
    llvm::SmallVector<int> taken(width, -1);
    for (unsigned i = 0; i < width && first + i < lanes; ++i)
      taken[i] = int(first + i);
    parts.push_back(
        permute(b, constant, b.CreateShuffleVector(words, taken), width));
  }
  Value *all = llvm::concatenateVectors(b, parts);
  return b.CreateShuffleVector(all, llvm::createSequentialMask(0, lanes, 0));
}

VectorMath::Eighths VectorMath::inEighths(Value *x) {
  Value *shifted = b.CreateFAdd(x, real(eighthsMagic));
  Value *count = b.CreateFSub(shifted, real(eighthsMagic));
  return {shifted, count, b.CreateFSub(x, count)};
}

VectorMath::Eighths VectorMath::byLog2E(Value *x) {
  // The product less the count rounds once, and is small.
  Value *shifted = fma(x, real(log2EHigh), real(eighthsMagic));
  Value *count = b.CreateFSub(shifted, real(eighthsMagic));
  Value *rest = fma(x, real(log2EHigh), b.CreateFNeg(count));
  return {shifted, count, fma(x, real(log2ELow), rest)};
}

llvm::Value *VectorMath::timesPower(Value *value, Value *rest) {
  Value *tail = polynomial(rest, {0x1.62e43p-1, 0x1.ec0c2cp-3, 0x1.c6ba64p-5});
  return fma(value, b.CreateFMul(tail, rest), value);
}

llvm::Value *VectorMath::normalPower(const Eighths &by) {
  Value *bits = b.CreateAdd(lookUp(powersToShift(), toBits(by.shifted)),
                            b.CreateShl(toBits(by.shifted), word(20)));
  return timesPower(toReal(bits), by.rest);
}

llvm::Value *VectorMath::clampedPower(const Eighths &by) {
  Value *bits = toBits(by.shifted);
  Value *value = timesPower(toReal(lookUp(powers, bits)), by.rest);
  // n = half + rest: n may be beyond the exponents of normal numbers, its
  // halves are not. Only the second product can round.
  Value *count =
      b.CreateAShr(b.CreateSub(bits, toBits(real(eighthsMagic))), word(3));
  Value *half = b.CreateAShr(count, word(1));
  Value *rest = b.CreateSub(count, half);
  return b.CreateFMul(b.CreateFMul(value, powerOfTwo(half)), powerOfTwo(rest));
}

bool VectorMath::hasScaling() {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector && vector->getNumElements() % 16 == 0 && jitHost().wide;
}

llvm::Value *VectorMath::scaledPower(const Eighths &by) {
  // Where |x| is large or infinite, or NaN, the rest means nothing and the
  // count alone decides. Without bit 30 it is a number below 2, and so the
  // scaled value a positive one.
  Value *rest =
      toReal(b.CreateAnd(toBits(by.rest), word(int32_t(0xbfffffffu))));
  Value *value = timesPower(toReal(lookUp(powers, toBits(by.shifted))), rest);
  const unsigned lanes =
      llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
  llvm::SmallVector<Value *> parts;
  for (unsigned first = 0; first < lanes; first += 16) {
    auto part = [&](Value *whole) {
      return b.CreateShuffleVector(whole,
                                   llvm::createSequentialMask(first, 16, 0));
    };
    constexpr unsigned currentRounding = 4;
    Value *low = part(value);
    parts.push_back(b.CreateIntrinsic(
        Intrinsic::x86_avx512_mask_scalef_ps_512,
        llvm::ArrayRef<Value *>{low, part(by.count), low, b.getInt16(0xffff),
                                b.getInt32(currentRounding)}));
  }
  return llvm::concatenateVectors(b, parts);
}

llvm::Value *VectorMath::exp(Value *x) {
  const Eighths near = byLog2E(x);
  if (hasScaling())
    return scaledPower(near);
  // Where a lane's result may not be normal, all lanes take the path that
  // rounds subnormals; both give the same bits for normal results.
  Value *far = b.CreateFCmpUGT(abs(x), real(87));
  return unlessAny(b, far, normalPower(near), [&] {
    // Clamped where the result is 0 or infinity already.
    return clampedPower(byLog2E(clamp(x, -105, 90)));
  });
}

llvm::Value *VectorMath::exp2(Value *x) {
  const Eighths near = inEighths(x);
  if (hasScaling())
    return scaledPower(near);
  Value *far = b.CreateFCmpUGT(abs(x), real(125));
  return unlessAny(b, far, normalPower(near), [&] {
    return clampedPower(inEighths(clamp(x, -152, 129)));
  });
}

} // namespace gaudi::runtime
