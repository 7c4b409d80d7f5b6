// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of kernel values, so that roundings and clamps can be left out.
#include "ValueEmitter.h"

#include "Gaudi/Kernel/Rounding.h"
#include "Gaudi/Recipe/ElementTypes.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace gaudi::runtime {

using namespace recipe;

/// Whether the result's NaNs have no bits in the lower half.
static bool makesShortNaN(const Inst &inst, const KernelValue &x,
                          const KernelValue &y, const KernelValue &z) {
  switch (inst.op()) {
  case Op::Const:
    return isShortNaNOrNumber(uint32_t(inst.imm()));
  case Op::SIToFloat:
  case Op::UIToFloat:
  case Op::RoundBy:
    return true;
  case Op::RoundTo: {
    const ElementType type = static_cast<ElementType>(inst.imm());
    // Arithmetic values are rounded to f8 in place, which keeps their NaNs.
    return x.shortNaN
               ? ValueEmitter::decodesShortNaN(type) || type == ElementType::F32
               : ValueEmitter::decodesShortNaN(type) &&
                     (type == ElementType::BF16 || !x.arithmetic);
  }
  case Op::Select:
    return y.shortNaN && z.shortNaN;
  case Op::FmaF:
    return x.shortNaN && y.shortNaN && z.shortNaN;
  case Op::AddF:
  case Op::SubF:
  case Op::MulF:
  case Op::DivF:
  case Op::MaxF:
  case Op::MinF:
  case Op::MaxNumF:
  case Op::MinNumF:
    // Arithmetic returns a NaN operand, quietened, or the default NaN: both
    // short if the operands are.
    return x.shortNaN && y.shortNaN;
  case Op::NegF:
  case Op::AbsF:
  case Op::CopySignF:
  case Op::CeilF:
  case Op::FloorF:
  case Op::RoundF:
  case Op::RoundEvenF:
  case Op::TruncF:
  case Op::SqrtF:
  case Op::RsqrtF:
    return x.shortNaN;
  default: // functions, and bits of integers
    return false;
  }
}

unsigned ValueEmitter::exactInBit(ElementType type) {
  switch (type) {
  case ElementType::BF16:
    return ExactInBF16;
  case ElementType::F16:
    return ExactInF16;
  case ElementType::F8E4M3FN:
    return ExactInF8E4M3FN;
  case ElementType::F8E5M2:
    return ExactInF8E5M2;
  default:
    return 0;
  }
}

unsigned ValueEmitter::decodesExactIn(ElementType type) {
  const unsigned own = exactInBit(type);
  return own & (ExactInF8E4M3FN | ExactInF8E5M2)
             ? own | ExactInBF16 | ExactInF16
             : own;
}

unsigned ValueEmitter::exactInOf(uint32_t bits) {
  const float value = floatOfBits(bits);
  unsigned exact = 0;
  if ((bits & 0xffff) == 0)
    exact |= ExactInBF16;
  for (ElementType type :
       {ElementType::F16, ElementType::F8E4M3FN, ElementType::F8E5M2}) {
    const FloatFormat format = *narrowFormat(type);
    if (decodeFloat(encodeFloat(value, format), format) == value)
      exact |= exactInBit(type);
  }
  return exact;
}

/// Formats that hold the result whatever the operands are.
static unsigned makesExactIn(const Inst &inst, const KernelValue &x,
                             const KernelValue &y, const KernelValue &z) {
  switch (inst.op()) {
  case Op::Const:
    return ValueEmitter::exactInOf(uint32_t(inst.imm()));
  case Op::RoundTo:
    return ValueEmitter::decodesExactIn(static_cast<ElementType>(inst.imm()));
  case Op::RoundBy:
    return ValueEmitter::decodesExactIn(
        ElementType(kernel::RoundBy::decoded(inst.imm())->type));
  case Op::SIToFloat:
  case Op::UIToFloat: // at most 8 bits
    return x.type == ElementType::I8 || x.type == ElementType::I1
               ? ExactInBF16 | ExactInF16
               : 0;
  case Op::Select:
    return y.exactIn & z.exactIn;
  case Op::MaxF:
  case Op::MinF:
  case Op::MaxNumF:
  case Op::MinNumF:
    return x.exactIn & y.exactIn;
  case Op::NegF:
  case Op::AbsF:
  case Op::CopySignF:
  case Op::CeilF: // an integer of as many bits, or the next power of two
  case Op::FloorF:
  case Op::RoundF:
  case Op::RoundEvenF:
  case Op::TruncF:
    return x.exactIn;
  default:
    return 0;
  }
}

/// What a float32 is within unless it is a NaN, and whether it can be one.
struct FloatRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool mayBeNaN = true;
};

static bool isBounded(const KernelValue &x) {
  return std::max(-x.low, x.high) <= std::numeric_limits<float>::max();
}

/// The range of a result that is rounded to float32, of which `ends` are the
/// ends before.
static FloatRange rounded(std::initializer_list<double> ends, bool mayBeNaN) {
  constexpr double most = std::numeric_limits<float>::max();
  auto further = [](double end, double way) {
    const double moved = end + way * (std::abs(end) * 0x1p-23 + 0x1p-149);
    return std::abs(moved) < most
               ? moved // else the result may be infinite
               : way * std::numeric_limits<double>::infinity();
  };
  return {further(std::min(ends), -1), further(std::max(ends), 1), mayBeNaN};
}

static FloatRange rangeOf(const Inst &inst, const KernelValue &x,
                          const KernelValue &y, const KernelValue &z) {
  const bool either = x.mayBeNaN || y.mayBeNaN;
  const bool bounded = isBounded(x) && isBounded(y);
  switch (inst.op()) {
  case Op::Const: {
    const float value = floatOfBits(uint32_t(inst.imm()));
    return std::isnan(value) ? FloatRange() : FloatRange{value, value, false};
  }
  // Of 64-bit integers, the widest: rounding to float reaches 2^63 itself.
  case Op::SIToFloat:
    if (!x.even)
      return {-0x1p63, 0x1p63, false};
    return x.mayBeNaN ? FloatRange{std::min(x.low, x.ofNaN),
                                   std::max(x.high, x.ofNaN), false}
                      : FloatRange{x.low, x.high, false};
  case Op::UIToFloat:
    return {0, 0x1p64, false};
  // Infinities make NaNs, and so do zeros with them.
  case Op::AddF:
    return bounded ? rounded({x.low + y.low, x.high + y.high}, either)
                   : FloatRange();
  case Op::SubF:
    return bounded ? rounded({x.low - y.high, x.high - y.low}, either)
                   : FloatRange();
  case Op::MulF:
    // The extremes of a product are at corners of the two ranges.
    return bounded ? rounded({x.low * y.low, x.low * y.high, x.high * y.low,
                              x.high * y.high},
                             either)
                   : FloatRange();
  case Op::DivF: // by a number
    return bounded && y.low == y.high && y.low != 0
               ? rounded({x.low / y.low, x.high / y.low}, either)
               : FloatRange();
  case Op::MaxF:
    return {std::max(x.low, y.low), std::max(x.high, y.high), either};
  case Op::MinF:
    return {std::min(x.low, y.low), std::min(x.high, y.high), either};
  case Op::Select:
    return {std::min(y.low, z.low), std::max(y.high, z.high),
            y.mayBeNaN || z.mayBeNaN};
  case Op::NegF:
    return {-x.high, -x.low, x.mayBeNaN};
  case Op::CeilF:
  case Op::FloorF:
  case Op::RoundF:
  case Op::RoundEvenF:
  case Op::TruncF:
    // Rounding to an integer does not leave the integers around the range.
    return {std::floor(x.low), std::ceil(x.high), x.mayBeNaN};
  default:
    return {};
  }
}

/// Zero is a multiple of every power of two, other floats of smaller ones.
constexpr int mostGrid = std::numeric_limits<float>::max_exponent;

/// Of a number: the power of two of its last bit that is set.
static int gridOf(double number) {
  if (number == 0)
    return mostGrid;
  int exponent = 0;
  const double mantissa = std::frexp(number, &exponent);
  const auto bits = uint64_t(std::ldexp(std::abs(mantissa), 53));
  return exponent - 53 + __builtin_ctzll(bits);
}

/// The power of two that the result is a multiple of. Rounding keeps it, as a
/// float beyond 24 bits has a larger one.
static int gridOf(const Inst &inst, const KernelValue &x, const KernelValue &y,
                  const KernelValue &z) {
  switch (inst.op()) {
  case Op::Const: {
    const float value = floatOfBits(uint32_t(inst.imm()));
    return std::isfinite(value) ? gridOf(value) : KernelValue::leastGrid;
  }
  case Op::SIToFloat:
  case Op::UIToFloat:
    return 0;
  case Op::AddF:
  case Op::SubF:
  case Op::MaxF:
  case Op::MinF:
    return std::min(x.grid, y.grid);
  // Grids multiply; too fine a one means nothing is known.
  case Op::MulF:
    return std::clamp(x.grid + y.grid, KernelValue::leastGrid, mostGrid);
  case Op::Select:
    return std::min(y.grid, z.grid);
  case Op::NegF:
  case Op::AbsF:
    return x.grid;
  case Op::CeilF:
  case Op::FloorF:
  case Op::RoundF:
  case Op::RoundEvenF:
  case Op::TruncF:
    // An integer is a multiple of 1; a coarser grid stays.
    return std::max(x.grid, 0);
  default:
    return KernelValue::leastGrid;
  }
}

/// Clamps to what bf16 holds give the same before and after a rounding to it,
/// which keeps the order. NaN stays NaN, of which stores have one.
llvm::Value *ValueEmitter::unrounded(const Inst &inst, const KernelValue &x,
                                     const KernelValue &y) {
  if (inst.op() == Op::RoundTo &&
      ElementType(inst.imm()) == ElementType::BF16 && x.arithmetic)
    return x.unrounded || (x.exactIn & ExactInBF16) ? x.unrounded : x.value;
  if (inst.op() != Op::MaxF && inst.op() != Op::MinF)
    return nullptr;
  const bool first = x.unrounded;
  const KernelValue &limit = first ? y : x;
  Value *value = first ? x.unrounded : y.unrounded;
  if (!value || !(limit.exactIn & ExactInBF16) || limit.mayBeNaN ||
      !llvm::isa<llvm::Constant>(limit.value))
    return nullptr;
  return maximum(value, limit.value, inst.op() == Op::MaxF);
}

/// What integers are below that are moved and converted without rounding.
constexpr double mostWhole = 0x1p22;

bool ValueEmitter::fitsSigned(const KernelValue &x, unsigned width) {
  const double end = std::min(std::ldexp(1.0, int(width) - 1), mostWhole);
  return x.even && x.low >= -end && x.high < end;
}

/// A constant whose sums with others are exact: an integer far below 2^24.
static std::optional<double> smallWhole(const KernelValue &x) {
  const auto *constant = llvm::dyn_cast<llvm::Constant>(x.value);
  if (constant && constant->getType()->isVectorTy())
    constant = constant->getSplatValue();
  double value = 0.5;
  if (const auto *integer = llvm::dyn_cast_or_null<llvm::ConstantInt>(constant))
    value = integer->getValue().isSignedIntN(22)
                ? double(integer->getSExtValue())
                : value;
  else if (const auto *real =
               llvm::dyn_cast_or_null<llvm::ConstantFP>(constant))
    value = real->isNegativeZeroValue() ? value
                                        : real->getValueAPF().convertToFloat();
  if (std::abs(value) < mostWhole / 2 && std::rint(value) == value)
    return value;
  return std::nullopt;
}

/// Clamps to integers commute with the rounding and, moved, with the sum. What
/// becomes an integer and a float32 again never was anything else.
void ValueEmitter::findEven(const Inst &inst, const KernelValue &x,
                            const KernelValue &y, KernelValue &result) {
  const std::optional<double> constant = y.value ? smallWhole(y) : std::nullopt;
  auto take = [&](Value *even, double moved) {
    result.even = even;
    result.moved = moved;
  };
  /// The integer less what it was.
  auto moveInteger = [&](double by) {
    take(x.even, x.moved + by);
    result.ofNaN = x.ofNaN + by;
    result.low = x.low + by;
    result.high = x.high + by;
    result.mayBeNaN = x.mayBeNaN;
    // What a NaN became may wrap where the range does not.
    const double end = std::ldexp(1.0, int(kernelBits(result.type)) - 1);
    const bool wraps =
        result.mayBeNaN && (result.ofNaN < -end || result.ofNaN >= end);
    if (!fitsSigned(result, kernelBits(result.type)) || wraps ||
        std::max(std::abs(result.moved), std::abs(result.ofNaN)) > mostWhole)
      result.even = nullptr;
  };
  switch (inst.op()) {
  case Op::RoundEvenF:
    return take(x.value, 0);
  case Op::AddF:
  case Op::SubF:
    if (x.even && x.moved == 0 && constant)
      take(x.even, inst.op() == Op::AddF ? *constant : -*constant);
    return;
  case Op::MaxF:
  case Op::MinF:
    if (x.even && constant) {
      Value *limit =
          llvm::ConstantFP::get(x.even->getType(), *constant - x.moved);
      Value *beyond = inst.op() == Op::MaxF ? b.CreateFCmpOGT(limit, x.even)
                                            : b.CreateFCmpOLT(limit, x.even);
      take(b.CreateSelect(beyond, limit, x.even), x.moved);
    }
    return;
  case Op::FloatToSI:
    if (fitsSigned(x, kernelBits(result.type)))
      moveInteger(0);
    return;
  case Op::ExtSI:
    if (x.even)
      moveInteger(0);
    return;
  case Op::AddI:
  case Op::SubI:
    if (x.even && constant)
      moveInteger(inst.op() == Op::AddI ? *constant : -*constant);
    return;
  default:
    return;
  }
}

KernelValue ValueEmitter::instruction(const Inst &inst, KernelValue x,
                                      KernelValue y, KernelValue z) {
  KernelValue result = emit(inst, x, y, z);
  if (result.type == ElementType::F32) {
    result.shortNaN = makesShortNaN(inst, x, y, z);
    result.exactIn = makesExactIn(inst, x, y, z);
    const FloatRange range = rangeOf(inst, x, y, z);
    result.low = range.low;
    result.high = range.high;
    result.mayBeNaN = range.mayBeNaN;
    result.grid = gridOf(inst, x, y, z);
    result.exactProduct =
        inst.op() == Op::MulF && (x.exactIn & y.exactIn & ExactInBF16);
    result.unrounded = unrounded(inst, x, y);
  }
  findEven(inst, x, y, result);
  return result;
}

} // namespace gaudi::runtime
