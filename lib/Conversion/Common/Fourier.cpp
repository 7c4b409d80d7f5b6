// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fourier transforms along one dimension.
#include "Fourier.h"
#include "Gaudi/Dialect/KernelBuilder.h"
#include <cmath>

using namespace mlir;
using namespace gaudi;

/// cos and sin of 2 pi i / n for i < n, exact where they are 0, 1 or -1: the
/// angle is first brought into the first eighth of the circle.
static std::pair<float, float> unitCircle(int64_t i, int64_t n) {
  const double pi = 3.14159265358979323846;
  // Quadrant q and rest r: angle = q * pi / 2 + 2 pi r / (4 n).
  int64_t q = 4 * i / n, r = 4 * i - q * n;
  double c, s;
  if (2 * r <= n) {
    c = std::cos(pi * double(r) / (2.0 * double(n)));
    s = std::sin(pi * double(r) / (2.0 * double(n)));
  } else {
    c = std::sin(pi * double(n - r) / (2.0 * double(n)));
    s = std::cos(pi * double(n - r) / (2.0 * double(n)));
  }
  switch (q % 4) {
  case 0:
    return {float(c), float(s)};
  case 1:
    return {float(-s), float(c)};
  case 2:
    return {float(-c), float(-s)};
  default:
    return {float(s), float(-c)};
  }
}

/// Constants [n] with the cosines and the sines of the circle.
static std::pair<Value, Value> circleTables(FrontEndBuilder &b, int64_t n) {
  SmallVector<float> cosines, sines;
  for (int64_t i = 0; i < n; ++i) {
    auto [cosine, sine] = unitCircle(i, n);
    // A zero is stored without the sign that the quadrant gave it.
    cosines.push_back(cosine + 0.0f);
    sines.push_back(sine + 0.0f);
  }
  auto type = RankedTensorType::get({n}, b.getF32Type());
  auto constant = [&](ArrayRef<float> numbers) -> Value {
    return ConstantOp::create(
        b, cast<ElementsAttr>(DenseElementsAttr::get(type, numbers)));
  };
  Value first = constant(cosines);
  return {first, constant(sines)};
}

Complex gaudi::fourierAlong(FrontEndBuilder &b, StringRef label, Complex x,
                            int64_t axis, int64_t period, int64_t outputSize,
                            bool inverse) {
  RankedTensorType input = tensorType(x.real);
  int64_t n = input.getDimSize(axis);
  SmallVector<int64_t> shape(input.getShape());
  shape[axis] = outputSize;
  Type result = input.clone(shape);
  // Factors from a table: j k modulo the period, so that the argument of the
  // table is exact.
  auto [cosines, sines] = circleTables(b, period);
  SmallVector<Value> operands{cosines, sines, x.real};
  if (x.imag)
    operands.push_back(x.imag);

  SmallVector<int64_t> space(shape);
  space.push_back(n);
  ++b.numKernels;
  KernelBuilder k(b, b.getLoc(), {result, result}, operands, space,
                  {true, true, true, false}, label);
  Value zero = k.floatConstant(0);
  SmallVector<Value> sums = k.loop(
      {3}, {KernelReduce::Add, KernelReduce::Add}, {zero, zero},
      [&](ValueRange) {
        Type i64 = b.getI64Type();
        Value target = k.index(axis);
        Value product = k.binary<arith::MulIOp>(target, k.index(3));
        Value step =
            k.binary<arith::RemSIOp>(product, k.intConstant(period, i64));
        Value cosine = k.loadAt(0, {k.cst(0)}, {0}, step, {Boundary::Clamp});
        Value sine = k.loadAt(1, {k.cst(0)}, {0}, step, {Boundary::Clamp});
        if (inverse)
          sine = k.unary<arith::NegFOp>(sine);
        SmallVector<AffineExpr> position{k.dim(0), k.dim(1), k.dim(2)};
        position[axis] = k.dim(3);
        Value re = k.load(2, position);
        Value real = k.binary<arith::MulFOp>(re, cosine);
        Value imag = k.unary<arith::NegFOp>(k.binary<arith::MulFOp>(re, sine));
        // (re + i im) (cos - i sin).
        if (x.imag) {
          Value im = k.load(3, position);
          real =
              k.binary<arith::AddFOp>(real, k.binary<arith::MulFOp>(im, sine));
          imag = k.binary<arith::AddFOp>(imag,
                                         k.binary<arith::MulFOp>(im, cosine));
        }
        return SmallVector<Value>{real, imag};
      });
  k.store(sums[0], 0, {k.dim(0), k.dim(1), k.dim(2)});
  k.store(sums[1], 1, {k.dim(0), k.dim(1), k.dim(2)});
  KernelOp kernel = k.finish();
  return {kernel->getResult(0), kernel->getResult(1)};
}
