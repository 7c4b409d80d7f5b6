// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transcendental functions as straight-line code, on one float32 or on a
// vector of them.
//
// A lane's result does not depend on its neighbours or on the width of the
// vector, so results do not depend on how points are vectorised. Error bounds,
// in units in the last place, and where they come from: docs/numerics.md
// ("Functions of the vector cores").
#ifndef GAUDI_LIB_RUNTIME_JIT_VECTORMATH_H
#define GAUDI_LIB_RUNTIME_JIT_VECTORMATH_H

#include "Gaudi/Recipe/Recipe_generated.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace gaudi::runtime {

/// `value`, or the result of `instead` if any lane of `rare` is set. `instead`
/// is emitted into a block of its own, marked as unlikely.
llvm::Value *unlessAny(llvm::IRBuilder<> &b, llvm::Value *rare,
                       llvm::Value *value,
                       llvm::function_ref<llvm::Value *()> instead);

class VectorMath {
public:
  using Value = llvm::Value;
  /// Calls the C library for one element: (x, y), y null for one operand.
  using ScalarCall = llvm::function_ref<Value *(Value *, Value *)>;

  explicit VectorMath(llvm::IRBuilder<> &builder) : b(builder) {}

  /// Null if the function has no code here, or this host has no fused
  /// multiply-add. `call` is used for operands outside the fast path's range.
  Value *emit(recipe::Op op, Value *x, Value *y, ScalarCall call);

  /// Calls for each lane, or once for scalars.
  static Value *callLanes(llvm::IRBuilder<> &b, Value *x, Value *y,
                          ScalarCall call);

private:
  Value *exp(Value *x);
  Value *exp2(Value *x);
  Value *expm1(Value *x);
  Value *log(Value *x, double scaleHigh, double scaleLow);
  Value *log1p(Value *x);
  Value *tanh(Value *x);
  Value *erf(Value *x);
  Value *sinOrCos(Value *x, bool cosine, ScalarCall call);
  Value *pow(Value *x, Value *y, ScalarCall call);

  /// x as n ln 2 + rest with |rest| <= ln 2 / 2.
  struct Reduced {
    Value *integer; // n as an i32
    Value *rest;
  };
  Reduced reduceByLn2(Value *x);
  /// (e^r - 1 - r) / r^2 on [-ln2/2, ln2/2].
  Value *expTail(Value *r);
  /// e^r - 1 on [-ln2/2, ln2/2].
  Value *expm1Core(Value *r);
  /// Replaces values beyond the ends by the ends; a NaN stays.
  Value *clamp(Value *x, double low, double high);

  /// An exponent of 2 as count + rest, count in eighths, |rest| <= 1/16.
  struct Eighths {
    Value *shifted; // the number of eighths in its low bits
    Value *count;
    Value *rest;
  };
  Eighths inEighths(Value *x);
  /// The same of x log2(e).
  Eighths byLog2E(Value *x);
  /// 2^(count + rest) for a normal result.
  Value *normalPower(const Eighths &by);
  /// The same for results that may round to subnormals, 0 or infinity; count is
  /// a number.
  Value *clampedPower(const Eighths &by);
  /// The same for all operands, on hosts that scale by an instruction.
  Value *scaledPower(const Eighths &by);
  bool hasScaling();
  /// value * (1 + (2^rest - 1)).
  Value *timesPower(Value *value, Value *rest);
  /// table[word mod 8] of each lane.
  Value *lookUp(llvm::ArrayRef<uint32_t> table, Value *words);
  Value *powerOfTwo(Value *integer);
  /// Replaces the lanes of `value` where `slow` is set by calls.
  Value *patch(Value *value, Value *slow, Value *x, Value *y, ScalarCall call);

  Value *real(double value);
  Value *word(int64_t value);
  Value *toBits(Value *x);
  Value *toReal(Value *bits);
  Value *fma(Value *x, Value *y, Value *z);
  Value *abs(Value *x);
  /// c[0] + x * (c[1] + x * (c[2] ...)).
  Value *polynomial(Value *x, llvm::ArrayRef<double> coefficients);
  llvm::Type *like(llvm::Type *scalar);

  llvm::IRBuilder<> &b;
  llvm::Type *type = nullptr; // of the operands of the function being emitted
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_JIT_VECTORMATH_H
