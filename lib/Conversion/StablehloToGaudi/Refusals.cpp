// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StableHLO ops that have no form on one card with static shapes, and why.
#include "Converter.h"

using namespace mlir;
using namespace gaudi;

void gaudi::addRefusals(HloPatterns &p) {
  constexpr StringLiteral complexReason =
      "the device has no complex numbers; write real and imaginary parts as "
      "two tensors";
  for (StringRef name : {"complex", "real", "imag", "fft", "conj"})
    p.refuse(name, complexReason);
  constexpr StringLiteral hostReason =
      "it exchanges data with the host during a launch; pass an argument or "
      "return a result";
  for (StringRef name :
       {"after_all", "create_token", "infeed", "outfeed", "recv", "send"})
    p.refuse(name, hostReason);
  constexpr StringLiteral shapeReason =
      "its shape is known only when it runs; static shapes only";
  for (StringRef name :
       {"compute_reshape_shape", "cstr_reshapable", "dynamic_broadcast_in_dim",
        "dynamic_conv", "dynamic_gather", "dynamic_iota", "dynamic_pad",
        "dynamic_reshape", "real_dynamic_slice", "set_dimension_size"})
    p.refuse(name, shapeReason);
  constexpr StringLiteral quantReason =
      "quantized types are not supported; write scales and zero points as ops";
  for (StringRef name : {"uniform_dequantize", "uniform_quantize"})
    p.refuse(name, quantReason);
}
