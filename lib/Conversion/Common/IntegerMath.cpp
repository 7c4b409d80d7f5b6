// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Powers and divisors of integers: one kernel each, with a loop over steps.
#include "IntegerMath.h"

using namespace mlir;
using namespace gaudi;

/// A kernel of two tensors with `steps` steps. One dimension for the elements
/// and one for the steps: the index space does not depend on the rank.
static Value
loopKernel(FrontEndBuilder &b, StringRef label, Value x, Value y, int64_t steps,
           llvm::function_ref<Value(KernelBuilder &, Value, Value)> point) {
  RankedTensorType whole = tensorType(x);
  RankedTensorType type = whole.clone({whole.getNumElements()});
  const Value flat[] = {b.reshape(x, type.getShape()),
                        b.reshape(y, type.getShape())};
  auto values = [&](KernelBuilder &k) {
    k.setElementType(type.getElementType());
    return SmallVector<Value>{
        point(k, k.load(0, k.dim(0)), k.load(1, k.dim(0)))};
  };
  Value result =
      pointKernel(b, label, TypeRange(type), flat, {steps}, values).front();
  return b.reshape(result, whole.getShape());
}

Value gaudi::integerPower(FrontEndBuilder &b, StringRef label, Value base,
                          Value exponent, bool isUnsigned) {
  const int64_t bits = tensorType(base).getElementTypeBitWidth();
  auto point = [&](KernelBuilder &k, Value base, Value exponent) {
    Type scalar = base.getType();
    Value one = k.intConstant(1, scalar), zero = k.intConstant(0, scalar);
    // Bit by bit from the lowest: power doubles its exponent each time.
    SmallVector<KernelReduce> custom(3, KernelReduce::Custom);
    SmallVector<Value> end =
        k.loop({1}, custom, {one, base, exponent}, [&](ValueRange state) {
          Value isOdd = k.compare(ComparePredicate::NE,
                                  k.binary<arith::AndIOp>(state[2], one), zero);
          Value product = k.binary<arith::MulIOp>(state[0], state[1]);
          return SmallVector<Value>{k.select(isOdd, product, state[0]),
                                    k.binary<arith::MulIOp>(state[1], state[1]),
                                    k.binary<arith::ShRUIOp>(state[2], one)};
        });
    // Without a sign, exponents are not negative.
    if (isUnsigned)
      return end[0];
    Value minusOne = k.intConstant(-1, scalar);
    Value isNegative = k.compare(ComparePredicate::LT, exponent, zero);
    Value isUnit =
        k.binary<arith::OrIOp>(k.compare(ComparePredicate::EQ, base, one),
                               k.compare(ComparePredicate::EQ, base, minusOne));
    // (-1)^n has the bits of (-1)^(n mod 2^w), so squaring is right.
    return k.select(k.binary<arith::AndIOp>(isNegative, k.bitNot(isUnit)), zero,
                    end[0]);
  };
  return loopKernel(b, label, base, exponent, bits, point);
}

/// By Euclid's algorithm. Of numbers below 2^w it takes the most steps for
/// neighbours in Fibonacci's sequence: fewer than 1.45 w of them.
Value gaudi::greatestDivisor(FrontEndBuilder &b, StringRef label, Value x,
                             Value y) {
  const int64_t bits = tensorType(x).getElementTypeBitWidth();
  const bool isUnsigned = isUnsignedElement(getElementTypeOrSelf(x));
  auto point = [&](KernelBuilder &k, Value x, Value y) {
    Value zero = k.intConstant(0, x.getType());
    if (!isUnsigned) {
      x = k.abs(x);
      y = k.abs(y);
    }
    SmallVector<KernelReduce> custom(2, KernelReduce::Custom);
    return k.loop({1}, custom, {x, y}, [&](ValueRange state) {
      Value isDone = k.compare(ComparePredicate::EQ, state[1], zero);
      return SmallVector<Value>{
          k.select(isDone, state[0], state[1]),
          k.select(isDone, zero, k.rem(state[0], state[1]))};
    })[0];
  };
  return loopKernel(b, label, x, y, bits * 3 / 2, point);
}
