// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The seam between products on the matrix engine and on the vector cores.
#ifndef GAUDI_LIB_CONVERSION_TOSATOGAUDI_PRODUCTS_H
#define GAUDI_LIB_CONVERSION_TOSATOGAUDI_PRODUCTS_H

#include "Windows.h"

namespace gaudi {

enum class ConvForm { Dense, Depthwise, Transposed };

/// A TOSA convolution, read from any of the four ops. Shapes are TOSA's:
/// input [N, spatial.., C], weight [O, spatial.., C] (depthwise
/// [spatial.., C, M]), result [N, spatial.., O].
struct ConvProblem {
  Operation *op;
  ConvForm form;
  Value input, weight, bias, inputZp, weightZp;
  RankedTensorType result;
  /// Per spatial dimension. Transposed: padLow is minus out_pad, the output's
  /// padding; output position = input position * stride + step - padLow.
  SmallVector<WindowDim> window;
  SmallVector<int64_t> padHigh;

  bool isInteger() const {
    return isa<IntegerType>(tensorType(input).getElementType());
  }
};

/// The kernel of an integer convolution, bias and zero points included.
TosaMatch matchIntegerConv(const ConvProblem &conv, TosaMatcher &m);
/// The kernel of an integer matrix product.
TosaMatch matchIntegerMatMul(tosa::MatMulOp op, TosaMatcher &m);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_TOSATOGAUDI_PRODUCTS_H
