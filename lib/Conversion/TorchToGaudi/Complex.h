// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex numbers: pairs of tensors, real and imaginary parts. The device has
// no complex numbers, so an argument or result of a graph is one tensor of
// pairs, whose last dimension are the parts (as torch.view_as_real gives it).
#ifndef GAUDI_LIB_CONVERSION_TORCHTOGAUDI_COMPLEX_H
#define GAUDI_LIB_CONVERSION_TORCHTOGAUDI_COMPLEX_H

#include "../Common/Fourier.h"
#include "Lowerings.h"

namespace gaudi {

/// The element type of the parts of complex numbers; null if the device lacks
/// it.
Type partElement(torch::ScalarType type, MLIRContext *context);

/// A call that has complex tensors among its arguments or results, where the
/// real parts of arguments are those of `call`.
struct ComplexCall {
  TorchCall &call;
  /// Imaginary parts, as the values of the call; null for real tensors.
  ArrayRef<SmallVector<Value, 1>> imaginary;
  /// The lowering of the row, for real tensors.
  Lowered (*lowering)(TorchCall &);
};

/// One complex or real tensor per result, or the call's reason.
using ComplexResults = FailureOr<SmallVector<Complex>>;
ComplexResults lowerComplex(const ComplexCall &call);

/// Between a tensor of pairs and the parts.
Complex partsOfPairs(FrontEndBuilder &builder, Value pairs);
Value pairsOf(FrontEndBuilder &builder, Complex parts);

/// Arithmetic in f32 on the parts of a call's operands.
class ComplexParts {
public:
  explicit ComplexParts(const ComplexCall &complex)
      : c(complex.call), complex(complex) {}

  /// Argument `i` in f32; the imaginary part of real numbers is 0.
  Complex operand(unsigned i);
  Value number(double value) { return c.scalar(value, c.builder.getF32Type()); }
  Complex real(Value value) { return {value, number(0)}; }

  Value add(Value a, Value b) { return c.apply<AddOp>({a, b}); }
  Value sub(Value a, Value b) { return c.apply<SubOp>({a, b}); }
  Value mul(Value a, Value b) { return c.apply<MulOp>({a, b}); }
  Value div(Value a, Value b) { return c.apply<DivOp>({a, b}); }
  template <typename Op> Value unary(Value x) { return c.apply<Op>({x}); }
  Value magnitude(Complex x) {
    return lowerings::hypotenuseOf(c, x.real, x.imag);
  }
  Value angle(Complex x) { return c.apply<Atan2Op>({x.imag, x.real}); }

  Complex sum(Complex a, Complex b) {
    return {add(a.real, b.real), add(a.imag, b.imag)};
  }
  Complex scaled(Complex x, double factor) {
    return {mul(x.real, number(factor)), mul(x.imag, number(factor))};
  }
  Complex conjugate(Complex x) { return {x.real, unary<NegOp>(x.imag)}; }
  Complex product(Complex a, Complex b) {
    return {sub(mul(a.real, b.real), mul(a.imag, b.imag)),
            add(mul(a.real, b.imag), mul(a.imag, b.real))};
  }
  Complex quotient(Complex a, Complex b);
  Complex polar(Value size, Value angle) {
    return {mul(size, unary<CosOp>(angle)), mul(size, unary<SinOp>(angle))};
  }
  /// In the type and shape of the result.
  SmallVector<Complex> finish(Complex x);

  TorchCall &c;

private:
  const ComplexCall &complex;
};

/// A function of one complex number by its name in PyTorch ("sqrt"); null if
/// there is no formula for it.
Complex (*findComplexFunction(StringRef name))(ComplexParts &, Complex);
/// base ^ exponent
Complex complexPower(ComplexParts &p, Complex base, Complex exponent);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_TORCHTOGAUDI_COMPLEX_H
