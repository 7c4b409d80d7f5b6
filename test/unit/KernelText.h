// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels as text, for tests of several rooms.
#ifndef GAUDI_TEST_UNIT_KERNELTEXT_H
#define GAUDI_TEST_UNIT_KERNELTEXT_H

#include <fmt/format.h>
#include <string>

namespace gaudi {

/// Kernel 0, "relu", on vectors of f32; a launch of it may run in place.
inline std::string reluText(int64_t size) {
  return fmt::format(R"(kernel 0 "relu" {{
  space [{} parallel]
  in0 : f32 rank 1
  out0 : f32 rank 1
  stage {{
    %0 = const 0.0 : f32
    %1 = load in0[d0] : f32
    %2 = maxf %1, %0 : f32
    store %2 -> out0[d0]
  }}
}}
)",
                     size);
}

} // namespace gaudi

#endif // GAUDI_TEST_UNIT_KERNELTEXT_H
