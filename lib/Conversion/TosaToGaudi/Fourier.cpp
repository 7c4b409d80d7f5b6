// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fft2d and rfft2d as two one-dimensional transforms.
#include "../Common/Fourier.h"
#include "Converter.h"

using namespace mlir;
using namespace gaudi;

static Complex transformAlong(Operation *op, Complex x, int64_t axis,
                              int64_t outputSize, bool inverse,
                              TosaBuilder &b) {
  return fourierAlong(b, op->getName().getStringRef(), x, axis,
                      tensorType(x.real).getDimSize(axis), outputSize, inverse);
}

/// Rows first, where a real input halves the work; then columns. Narrow floats
/// are widened so that the sums between the two steps are not rounded.
static SmallVector<Value> transform2d(Operation *op, Complex x, bool inverse,
                                      TosaBuilder &b) {
  RankedTensorType result = tensorType(op->getResult(0));
  Type f32 = b.getF32Type();
  x.real = b.cast(x.real, f32);
  if (x.imag)
    x.imag = b.cast(x.imag, f32);
  Complex rows = transformAlong(op, x, 2, result.getDimSize(2), inverse, b);
  Complex all = transformAlong(op, rows, 1, result.getDimSize(1), inverse, b);
  Type type = result.getElementType();
  return {b.cast(all.real, type), b.cast(all.imag, type)};
}

static TosaMatch matchTransform(Operation *op, TosaMatcher &m, Complex x,
                                bool inverse) {
  if (failed(m.checkElements(Elements::Float)))
    return failure();
  return build([op, x, inverse](TosaBuilder &b) {
    return transform2d(op, x, inverse, b);
  });
}

void gaudi::addFourierPatterns(TosaPatterns &p) {
  p.add<tosa::FFT2dOp>([](tosa::FFT2dOp op, TosaMatcher &m) {
    return matchTransform(op, m, {op.getInputReal(), op.getInputImag()},
                          op.getInverse());
  });
  p.add<tosa::RFFT2dOp>([](tosa::RFFT2dOp op, TosaMatcher &m) {
    return matchTransform(op, m, {op.getInputReal(), Value()},
                          /*inverse=*/false);
  });
}
