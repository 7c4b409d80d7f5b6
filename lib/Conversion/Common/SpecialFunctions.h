// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Special functions of f32 tensors, for the front ends: formulas in elementwise
// ops of the device.
//
// Errors are a few units in the last place of f32, near zeros of the functions
// of their largest value there.
#ifndef GAUDI_LIB_CONVERSION_COMMON_SPECIALFUNCTIONS_H
#define GAUDI_LIB_CONVERSION_COMMON_SPECIALFUNCTIONS_H

#include "FrontEndBuilder.h"
#include "Gaudi/Dialect/ElementwiseOps.h"

namespace gaudi {

/// A formula on f32 tensors of one shape. Numbers are tensors of that shape, so
/// that either operand may be one.
class Formula {
public:
  Formula(FrontEndBuilder &b, RankedTensorType type) : b(b), type(type) {}

  Value num(double value) {
    return ConstantOp::create(
        b, DenseElementsAttr::get(
               type, Attribute(FloatAttr::get(type.getElementType(), value))));
  }
  Value add(Value x, Value y) { return binary<AddOp>(x, y); }
  Value sub(Value x, Value y) { return binary<SubOp>(x, y); }
  Value mul(Value x, Value y) { return binary<MulOp>(x, y); }
  Value div(Value x, Value y) { return binary<DivOp>(x, y); }
  Value pow(Value x, Value y) { return binary<PowOp>(x, y); }
  Value neg(Value x) { return unary<NegOp>(x); }
  Value abs(Value x) { return unary<AbsOp>(x); }
  Value log(Value x) { return unary<LogOp>(x); }
  Value log1p(Value x) { return unary<Log1pOp>(x); }
  Value exp(Value x) { return unary<ExpOp>(x); }
  Value sqrt(Value x) { return unary<SqrtOp>(x); }
  Value floor(Value x) { return unary<FloorOp>(x); }
  Value sin(Value x) { return unary<SinOp>(x); }
  Value cos(Value x) { return unary<CosOp>(x); }
  Value less(Value x, Value y) { return compare(ComparePredicate::LT, x, y); }
  Value equal(Value x, Value y) { return compare(ComparePredicate::EQ, x, y); }
  Value both(Value x, Value y) { return binary<AndOp>(x, y); }
  Value select(Value condition, Value x, Value y) {
    return SelectOp::create(b, x.getType(), condition, x, y);
  }
  Value nan() { return num(std::numeric_limits<double>::quiet_NaN()); }
  Value infinity() { return num(std::numeric_limits<double>::infinity()); }
  /// x <= 0 and an integer: the poles of the gamma function.
  Value isPole(Value x) {
    return both(compare(ComparePredicate::LE, x, num(0)), equal(x, floor(x)));
  }
  /// Half of a series in Chebyshev polynomials, by C. Clenshaw's recurrence;
  /// the last coefficient is that of degree 0.
  Value chebyshev(Value x, ArrayRef<double> coefficients);

  /// A polynomial whose coefficients begin with the highest degree.
  Value polynomial(Value x, ArrayRef<double> coefficients);

  template <typename Op> Value unary(Value x) {
    return Op::create(b, x.getType(), x);
  }
  template <typename Op> Value binary(Value x, Value y) {
    return Op::create(b, x.getType(), x, y);
  }
  Value compare(ComparePredicate predicate, Value x, Value y) {
    return CompareOp::create(b, type.clone(b.getI1Type()), predicate, x, y);
  }

private:
  FrontEndBuilder &b;
  RankedTensorType type;
};

// --- gamma and zeta ----------------------------------------------------------

/// log |gamma(x)|
Value logGamma(Formula &f, Value x);
Value digamma(Formula &f, Value x);
/// The zeta function of Hurwitz: the sum of (q + k)^-x over all k >= 0.
Value zeta(Formula &f, Value x, Value q);
/// The derivative of order n of digamma.
Value polygamma(Formula &f, Value n, Value x);

// --- the normal distribution -------------------------------------------------

/// Infinite at 1 and -1, NaN beyond.
Value inverseErf(Formula &f, Value x);
/// exp(x^2) erfc(x)
Value scaledErfc(Formula &f, Value x);
/// The number below which a normal variable is with probability p.
Value normalQuantile(Formula &f, Value p);

// --- Bessel functions --------------------------------------------------------
// Named as in M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions",
// chapters 9 and 10; `e` is scaled by exp(-|x|) or, for K, exp(x).

Value besselI0(Formula &f, Value x);
Value besselI0e(Formula &f, Value x);
Value besselI1(Formula &f, Value x);
Value besselI1e(Formula &f, Value x);
Value besselK0(Formula &f, Value x);
Value besselK0e(Formula &f, Value x);
Value besselK1(Formula &f, Value x);
Value besselK1e(Formula &f, Value x);
Value besselJ0(Formula &f, Value x);
Value besselJ1(Formula &f, Value x);
Value besselY0(Formula &f, Value x);
Value besselY1(Formula &f, Value x);
/// sin(x) / x
Value sphericalBesselJ0(Formula &f, Value x);
Value airyAi(Formula &f, Value x);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_COMMON_SPECIALFUNCTIONS_H
