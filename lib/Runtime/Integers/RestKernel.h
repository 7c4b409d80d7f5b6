// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is left of a kernel whose sums the matrix kernels compute.
#ifndef GAUDI_LIB_RUNTIME_INTEGERS_RESTKERNEL_H
#define GAUDI_LIB_RUNTIME_INTEGERS_RESTKERNEL_H

#include "../Commands/BuiltKernel.h"
#include "Contraction.h"

namespace gaudi::runtime {

/// The kernel with the contraction's stage replaced by a load of its sums,
/// which are one more input, the last one: dense, of the contraction's sizes.
class RestKernel {
public:
  RestKernel(const recipe::Kernel &kernel,
             const IntegerContraction &contraction);

  const recipe::Kernel &kernel() const { return code.kernel(); }
  /// True if it reads the kernel's operand of that number.
  bool reads(unsigned operand) const;

private:
  BuiltKernel code;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_INTEGERS_RESTKERNEL_H
