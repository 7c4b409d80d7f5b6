// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outputs of convolutions in squares of 2 x 2 outputs that are not finite.
#ifndef GAUDI_LIB_RUNTIME_MME_WINOGRAD_WINOGRADREPAIR_H
#define GAUDI_LIB_RUNTIME_MME_WINOGRAD_WINOGRADREPAIR_H

#include "../Conv/ConvAxes.h"

namespace gaudi::runtime {

/// An image and a position in it.
struct OutputPlace {
  int64_t n, h, w;
};

/// The operands of a convolution by 3 x 3 with strides of 1.
struct WinogradOperands {
  const Axes &x;
  const float *xData;
  const Axes &w;
  const BoundTensor &filter; // of finite numbers
  const Triple &low;         // padding
};

/// Computes those of the `count` outputs at `to`, from channel `first` on, that
/// are not finite by the definition: without taps in the padding, products in
/// f64, which holds them, sums in f32.
void repairOutputs(const WinogradOperands &conv, const OutputPlace &at,
                   int64_t first, int64_t count, float *to);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_WINOGRAD_WINOGRADREPAIR_H
