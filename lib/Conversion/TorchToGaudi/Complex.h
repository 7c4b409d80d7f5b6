// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex numbers inside a graph: pairs of tensors, real and imaginary parts.
// The device has no complex numbers, so arguments and results of a graph are
// none.
#ifndef GAUDI_LIB_CONVERSION_TORCHTOGAUDI_COMPLEX_H
#define GAUDI_LIB_CONVERSION_TORCHTOGAUDI_COMPLEX_H

#include "../Common/Fourier.h"
#include "Call.h"

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
FailureOr<SmallVector<Complex>> lowerComplex(const ComplexCall &call);

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_TORCHTOGAUDI_COMPLEX_H
