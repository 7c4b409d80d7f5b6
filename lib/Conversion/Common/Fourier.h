// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fourier transforms along one dimension, for the front ends.
#ifndef GAUDI_LIB_CONVERSION_COMMON_FOURIER_H
#define GAUDI_LIB_CONVERSION_COMMON_FOURIER_H

#include "FrontEndBuilder.h"

namespace gaudi {

/// A complex tensor; `imag` is null for real ones.
struct Complex {
  Value real, imag;
};

/// result[.., k, ..] = sum_j x[.., j, ..] * exp(-+ 2 pi i j k / period) along
/// `axis` of f32 tensors of three dimensions, for k below `outputSize`. The
/// sign is + for the inverse. One kernel, which sums over a row (or column)
/// with factors from a table of the unit circle.
Complex fourierAlong(FrontEndBuilder &b, StringRef label, Complex x,
                     int64_t axis, int64_t period, int64_t outputSize,
                     bool inverse);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_COMMON_FOURIER_H
