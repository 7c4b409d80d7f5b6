// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits the LLVM IR of kernel values: instructions, and the conversions of
// loads and stores. docs/kernel-semantics.md is the specification.
//
// Every function takes scalars or vectors (one lane per point) alike.
#ifndef GAUDI_LIB_RUNTIME_JIT_VALUEEMITTER_H
#define GAUDI_LIB_RUNTIME_JIT_VALUEEMITTER_H

#include "Gaudi/Recipe/Recipe_generated.h"
#include "Gaudi/Support/FloatFormats.h"

#include "llvm/IR/IRBuilder.h"

#include <limits>

namespace gaudi::runtime {

/// A kernel value. `arithmetic`: the bits of a NaN in it mean nothing, so that
/// a store canonicalises them. `shortNaN`: a NaN in it has only zeros in its
/// lower 16 bits; arithmetic returns the quieted NaN of an operand or the
/// default NaN, and so preserves this.
struct KernelValue {
  llvm::Value *value = nullptr;
  recipe::ElementType type = recipe::ElementType::F32;
  bool arithmetic = false;
  bool shortNaN = false;
  /// Bits of ExactIn: formats that hold the value as it is.
  unsigned exactIn = 0;
  /// A product of two values that bf16 holds, which is exact unless it raises a
  /// flag.
  bool exactProduct = false;
  /// Arithmetic that rounds to this in bf16, or null: what is stored as bf16
  /// needs one rounding, the last.
  llvm::Value *unrounded = nullptr;
  /// Of a float32 or what has `even`: whether it can be a NaN, and what it is
  /// within if not.
  bool mayBeNaN = true;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  /// Of a whole float32, and of the integer that it becomes: a float32 of which
  /// it is the nearest integer, ties to even, plus `moved`, rounded, but for
  /// the sign of a zero; or null. A NaN is a NaN in both, and the integer
  /// `ofNaN`.
  llvm::Value *even = nullptr;
  double moved = 0, ofNaN = 0;
  /// Of a float32 that is a number: it is a multiple of two to this power.
  int grid = leastGrid;
  static constexpr int leastGrid = -149;
};

/// Formats to which rounding a value would not change it.
enum ExactIn : unsigned {
  ExactInBF16 = 1,
  ExactInF16 = 2,
  ExactInF8E4M3FN = 4,
  ExactInF8E5M2 = 8
};

/// How values become bf16. Watched: with fewer instructions, for code that is
/// repeated if a floating-point flag was raised (WatchEmitter.h).
enum class Rounding { Exact, Watched };

/// True for all bits of a float32 but NaNs with bits in the lower half.
constexpr bool isShortNaNOrNumber(uint32_t bits) {
  return (bits & 0x7fffffff) <= 0x7f800000 || (bits & 0xffff) == 0;
}

class ValueEmitter {
public:
  using Value = llvm::Value;
  explicit ValueEmitter(llvm::IRBuilder<> &builder,
                        Rounding rounding = Rounding::Exact)
      : b(builder), rounding(rounding) {}

  /// LLVM type of a kernel type, or of an element in memory.
  llvm::Type *valueType(recipe::ElementType type, unsigned lanes = 1);
  llvm::Type *memoryType(recipe::ElementType type, unsigned lanes = 1);
  llvm::Constant *constant(recipe::ElementType type, uint64_t bits);

  /// Broadcasts a scalar to `lanes`; vectors and lanes == 1 are unchanged.
  Value *widen(Value *value, unsigned lanes);
  void widen(KernelValue &value, unsigned lanes) {
    value.value = widen(value.value, lanes);
    if (value.unrounded)
      value.unrounded = widen(value.unrounded, lanes);
    if (value.even)
      value.even = widen(value.even, lanes);
  }

  /// Bits of memory to kernel value and back.
  Value *decode(Value *raw, recipe::ElementType type);
  Value *encode(KernelValue value, recipe::ElementType type);
  /// The same for words of two neighbours in bf16: the lanes are the first of
  /// each word, then the second.
  Value *decodePairs(Value *words);
  Value *encodePairs(KernelValue value);
  /// Whether all that `decode` gives for a type is `shortNaN`.
  static bool decodesShortNaN(recipe::ElementType type) {
    return type == recipe::ElementType::BF16 ||
           type == recipe::ElementType::F8E4M3FN ||
           type == recipe::ElementType::F8E5M2;
  }

  /// `ExactIn` of all that `decode` gives for a type, and of one float32.
  static unsigned decodesExactIn(recipe::ElementType type);
  static unsigned exactInOf(uint32_t bits);
  /// The bit of ExactIn of a narrow format.
  static unsigned exactInBit(recipe::ElementType type);

  /// All instructions but Index, Load and Carry. Operands have one shape.
  KernelValue instruction(const recipe::Inst &inst, KernelValue x,
                          KernelValue y, KernelValue z);

  /// One step of a reduction with accumulator `r`.
  Value *reduce(recipe::ReduceOp op, Value *r, Value *v);
  /// True where v replaces r in ArgMax (`largest`) or ArgMin.
  Value *beats(Value *v, Value *r, bool largest);

  Value *maximum(Value *x, Value *y, bool largest);
  Value *maximumNumber(Value *x, Value *y, bool largest);
  Value *isNaN(Value *x) { return b.CreateFCmpUNO(x, x); }

private:
  llvm::Type *likeType(llvm::Type *scalar, Value *shape);
  llvm::Constant *splat(llvm::Type *type, uint64_t bits);
  Value *canonicalBits(KernelValue value);
  Value *decodeByHalf(Value *raw, FloatFormat format);
  Value *decodeByTable(Value *raw, FloatFormat format);
  Value *decodeNarrow(Value *raw, FloatFormat format);
  Value *encodeByHalf(KernelValue source, recipe::ElementType type);
  Value *encodeNarrow(KernelValue source, FloatFormat format);
  Value *unrounded(const recipe::Inst &inst, const KernelValue &x,
                   const KernelValue &y);
  /// True if an integer of `width` bits is all that x, which has `even`, can
  /// be.
  static bool fitsSigned(const KernelValue &x, unsigned width);
  void findEven(const recipe::Inst &inst, const KernelValue &x,
                const KernelValue &y, KernelValue &result);
  Value *unary(llvm::Intrinsic::ID id, Value *x);
  Value *encodeBF16(KernelValue source, bool inPlace);
  Value *wordsOfBF16(KernelValue source, bool inPlace);
  Value *isConvertedOtherwise(Value *value);
  Value *convertOrdinaryPairs(const KernelValue &value,
                              llvm::function_ref<Value *()> otherwise);
  Value *roundPairs(const KernelValue &value);
  bool isWatched(const KernelValue &source) const;
  Value *roundWatched(const KernelValue &source);
  Value *convertPairs(const KernelValue &value);
  Value *encodeHalf(KernelValue source);
  Value *roundMagnitude(Value *magnitude, FloatFormat format, int scale);
  Value *roundArithmetic(Value *value, recipe::ElementType type);
  Value *callOne(const char *function, Value *x, Value *y);
  Value *call(recipe::Op op, Value *x, Value *y);
  KernelValue floatOp(const recipe::Inst &inst, KernelValue x, KernelValue y,
                      KernelValue z);
  Value *intOp(const recipe::Inst &inst, Value *x, Value *y);
  Value *compare(const recipe::Inst &inst, Value *x, Value *y);
  Value *divide(const KernelValue &x, const KernelValue &y);
  Value *convert(const recipe::Inst &inst, KernelValue x);
  Value *roundBy(const recipe::Inst &inst, Value *x, Value *word);
  Value *saturate(const KernelValue &x, llvm::Type *target, bool isSigned);
  Value *floatOfEven(const KernelValue &x);
  KernelValue emit(const recipe::Inst &inst, KernelValue x, KernelValue y,
                   KernelValue z);

  llvm::IRBuilder<> &b;
  Rounding rounding;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_VALUEEMITTER_H
