// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Factors that a kernel converts from floats while it sums their products.
//
// On the device that saves a launch where products are few. The host's matrix
// kernels want bytes, so kernels of their own compute them first, once instead
// of once per column.
#ifndef GAUDI_LIB_RUNTIME_INTEGERS_QUANTIZEDKERNEL_H
#define GAUDI_LIB_RUNTIME_INTEGERS_QUANTIZEDKERNEL_H

#include "../Commands/BuiltKernel.h"
#include "../Commands/Command.h"

#include <memory>
#include <string>
#include <vector>

namespace gaudi::runtime {

/// A kernel that computes the bytes of one factor.
struct Quantizer {
  BuiltKernel code;
  std::vector<unsigned> inputs; // operands of the whole kernel, in order
  std::vector<int64_t> sizes;   // of the bytes, which are dense
};

/// The whole kernel, which loads the bytes: one more input, after those it has,
/// for each quantizer.
struct QuantizedKernel {
  std::vector<Quantizer> quantizers;
  BuiltKernel code;

  /// The inputs that it has beside those of the whole kernel, without
  /// addresses.
  BoundTensors bytes() const;
};

/// Null if a factor needs more than elementwise operations on what is loaded;
/// null with a reason if it has so many more values than that that they would
/// not be bounded in memory.
std::shared_ptr<const QuantizedKernel>
quantizeBefore(const recipe::Kernel &kernel, std::string &reason);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_INTEGERS_QUANTIZEDKERNEL_H
