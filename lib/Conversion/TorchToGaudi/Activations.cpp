// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowerings of activations and their gradients. All compute in f32 and round
// once.
#include "Lowerings.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// Arithmetic on the values of a call in one float type.
class FloatMath {
public:
  explicit FloatMath(TorchCall &c)
      : c(c), type(c.wideType(c.resultElement())) {}

  Value operand(unsigned i) { return c.operand(i, type); }
  Value number(double value) { return c.scalar(value, type); }
  Value add(Value a, Value b) { return c.apply<AddOp>({a, b}); }
  Value sub(Value a, Value b) { return c.apply<SubOp>({a, b}); }
  Value mul(Value a, Value b) { return c.apply<MulOp>({a, b}); }
  Value div(Value a, Value b) { return c.apply<DivOp>({a, b}); }
  Value max(Value a, Value b) { return c.apply<MaxOp>({a, b}); }
  Value min(Value a, Value b) { return c.apply<MinOp>({a, b}); }
  template <typename Op> Value apply(Value a) { return c.apply<Op>({a}); }
  Value chooseIf(ComparePredicate predicate, Value a, Value b, Value yes,
                 Value no) {
    return c.select(c.compare(predicate, a, b), yes, no);
  }
  Lowered finish(Value value) {
    return lowerings::one(c.cast(value, c.resultElement()));
  }

private:
  TorchCall &c;
  Type type;
};
} // namespace

static Lowered refuseIntegers(TorchCall &c) {
  return c.refuse("it is defined for floats only");
}
static bool isFloatResult(TorchCall &c) {
  return isFloatElement(c.resultElement());
}

Lowered lowerings::relu(TorchCall &c) {
  return one(c.apply<MaxOp>({c.tensor(0), c.scalar(0, c.resultElement())}));
}

Lowered lowerings::silu(TorchCall &c) {
  if (!isFloatResult(c))
    return refuseIntegers(c);
  FloatMath f(c);
  Value x = f.operand(0);
  return f.finish(f.mul(x, f.apply<SigmoidOp>(x)));
}

/// The inner argument of GELU's approximation by tanh:
/// sqrt(2/pi) * (x + 0.044715 x^3).
static Value tanhArgument(FloatMath &f, Value x) {
  Value cube = f.mul(f.mul(x, x), x);
  return f.mul(f.add(x, f.mul(f.number(0.044715), cube)),
               f.number(llvm::numbers::sqrt2 * llvm::numbers::inv_sqrtpi));
}

Lowered lowerings::gelu(TorchCall &c) {
  if (!isFloatResult(c))
    return refuseIntegers(c);
  FloatMath f(c);
  Value x = f.operand(0);
  Value bell =
      c.string(1) == "tanh"
          ? f.apply<TanhOp>(tanhArgument(f, x))
          : f.apply<ErfOp>(f.mul(x, f.number(1 / llvm::numbers::sqrt2)));
  Value half = f.mul(x, f.number(0.5));
  return f.finish(f.mul(half, f.add(bell, f.number(1))));
}

Lowered lowerings::hardTanh(TorchCall &c) {
  if (c.resultElement().isInteger(1))
    return c.refuse("it is not defined for bool");
  Type type = c.resultElement();
  Value low = c.apply<MaxOp>({c.tensor(0), c.operand(1, type)});
  return one(c.apply<MinOp>({low, c.operand(2, type)}));
}

/// clamp(x / 6 + 1 / 2, 0, 1), as PyTorch writes it.
static Value hardStep(FloatMath &f, Value x) {
  Value clamped = f.min(f.max(f.add(x, f.number(3)), f.number(0)), f.number(6));
  return f.div(clamped, f.number(6));
}

Lowered lowerings::hardSigmoid(TorchCall &c) {
  if (!isFloatResult(c))
    return refuseIntegers(c);
  FloatMath f(c);
  return f.finish(hardStep(f, f.operand(0)));
}

Lowered lowerings::hardSwish(TorchCall &c) {
  if (!isFloatResult(c))
    return refuseIntegers(c);
  FloatMath f(c);
  Value x = f.operand(0);
  Value clamped = f.min(f.max(f.add(x, f.number(3)), f.number(0)), f.number(6));
  return f.finish(f.div(f.mul(x, clamped), f.number(6)));
}

Lowered lowerings::leakyRelu(TorchCall &c) {
  if (!isFloatResult(c))
    return refuseIntegers(c);
  FloatMath f(c);
  Value x = f.operand(0);
  return f.finish(f.chooseIf(ComparePredicate::GT, x, f.number(0), x,
                             f.mul(x, f.number(c.number(1)))));
}

Lowered lowerings::elu(TorchCall &c) {
  if (!isFloatResult(c))
    return refuseIntegers(c);
  FloatMath f(c);
  Value x = f.operand(0);
  Value scaled = f.mul(x, f.number(c.number(3)));
  Value negative =
      f.mul(f.apply<Expm1Op>(scaled), f.number(c.number(1) * c.number(2)));
  return f.finish(f.chooseIf(ComparePredicate::LT, x, f.number(0), negative,
                             f.mul(x, f.number(c.number(2)))));
}

Lowered lowerings::softplus(TorchCall &c) {
  if (!isFloatResult(c))
    return refuseIntegers(c);
  FloatMath f(c);
  Value x = f.operand(0);
  Value scaled = f.mul(x, f.number(c.number(1)));
  Value soft =
      f.div(f.apply<Log1pOp>(f.apply<ExpOp>(scaled)), f.number(c.number(1)));
  return f.finish(
      f.chooseIf(ComparePredicate::GT, scaled, f.number(c.number(2)), x, soft));
}

Lowered lowerings::mish(TorchCall &c) {
  if (!isFloatResult(c))
    return refuseIntegers(c);
  FloatMath f(c);
  Value x = f.operand(0);
  Value soft = f.apply<Log1pOp>(f.apply<ExpOp>(x));
  // exp overflows where the logarithm of 1 + exp(x) is x.
  Value safe = f.chooseIf(ComparePredicate::GT, x, f.number(20), x, soft);
  return f.finish(f.mul(x, f.apply<TanhOp>(safe)));
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

Lowered lowerings::geluGradient(TorchCall &c) {
  if (!isFloatResult(c))
    return refuseIntegers(c);
  FloatMath f(c);
  Value grad = f.operand(0), x = f.operand(1);
  Value half = f.number(0.5), one = f.number(1);
  if (c.string(2) == "tanh") {
    const double beta = llvm::numbers::sqrt2 * llvm::numbers::inv_sqrtpi;
    Value inner = f.apply<TanhOp>(tanhArgument(f, x));
    Value left = f.mul(half, f.add(one, inner));
    Value slope = f.mul(f.number(beta),
                        f.add(one, f.mul(f.number(3 * 0.044715), f.mul(x, x))));
    Value right =
        f.mul(f.mul(half, x), f.mul(f.sub(one, f.mul(inner, inner)), slope));
    return f.finish(f.mul(grad, f.add(left, right)));
  }
  Value cdf = f.mul(
      half,
      f.add(one, f.apply<ErfOp>(f.mul(x, f.number(1 / llvm::numbers::sqrt2)))));
  const double norm = llvm::numbers::inv_sqrtpi / llvm::numbers::sqrt2;
  Value density =
      f.mul(f.number(norm), f.apply<ExpOp>(f.mul(f.mul(x, x), f.number(-0.5))));
  return f.finish(f.mul(grad, f.add(cdf, f.mul(x, density))));
}

Lowered lowerings::thresholdGradient(TorchCall &c) {
  Type type = c.resultElement();
  Value grad = c.operand(0, type), x = c.operand(1, type);
  // PyTorch does not round the threshold to a narrow type.
  Type wide =
      isFloatElement(type) && c.number(2) != 0 ? c.wideType(type) : type;
  Value isBelow =
      c.compare(ComparePredicate::LE, c.cast(x, wide), c.operand(2, wide));
  return one(c.select(isBelow, c.scalar(0, type), grad));
}

Lowered lowerings::tanhGradient(TorchCall &c) {
  if (!isFloatResult(c))
    return refuseIntegers(c);
  FloatMath f(c);
  Value y = f.operand(1);
  return f.finish(f.mul(f.operand(0), f.sub(f.number(1), f.mul(y, y))));
}

Lowered lowerings::sigmoidGradient(TorchCall &c) {
  if (!isFloatResult(c))
    return refuseIntegers(c);
  FloatMath f(c);
  Value y = f.operand(1);
  return f.finish(f.mul(f.operand(0), f.mul(f.sub(f.number(1), y), y)));
}
