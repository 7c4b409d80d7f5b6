// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index arithmetic of convolution and pooling windows inside kernels.
#ifndef GAUDI_LIB_CONVERSION_TOSATOGAUDI_WINDOWS_H
#define GAUDI_LIB_CONVERSION_TOSATOGAUDI_WINDOWS_H

#include "Converter.h"

namespace gaudi {

/// One spatial dimension of a window: position p of the result and step k of
/// the window read `p * stride - padLow + k * dilation` of `size` elements.
struct WindowDim {
  int64_t size, output, kernel, stride, dilation, padLow;

  /// The position as an expression of kernel dimensions `p` and `k`.
  AffineExpr position(AffineExpr p, AffineExpr k) const {
    return p * stride + k * dilation - padLow;
  }
  /// Pad if some position is outside the tensor, else Inside.
  Boundary boundary() const {
    int64_t last = (output - 1) * stride + (kernel - 1) * dilation - padLow;
    return padLow > 0 || last >= size ? Boundary::Pad : Boundary::Inside;
  }
};

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_TOSATOGAUDI_WINDOWS_H
