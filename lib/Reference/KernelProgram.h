// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A TPC kernel body compiled into a flat list of steps, each of which works
// on a row of lanes: many points of the index space at once.
#ifndef GAUDI_LIB_REFERENCE_KERNELPROGRAM_H
#define GAUDI_LIB_REFERENCE_KERNELPROGRAM_H

#include "Models.h"
#include <functional>
#include <string>
#include <type_traits>

namespace gaudi {

namespace reference {

/// The values of all rows for up to `width` points. Floats are kept in
/// float64, integers sign-extended (i1 as 0 or 1).
struct Lanes {
  static constexpr int64_t width = 128;

  Lanes(unsigned floatRows, unsigned intRows)
      : floatData(floatRows * width), intData(intRows * width) {}
  double *floats(unsigned row) { return floatData.data() + row * width; }
  int64_t *ints(unsigned row) { return intData.data() + row * width; }

  template <typename T> T *row(unsigned number) {
    if constexpr (std::is_same_v<T, double>)
      return floats(number);
    else
      return ints(number);
  }

  int64_t count = 0; ///< lanes in use
  std::string error; ///< the first index found outside its tensor

private:
  std::vector<double> floatData;
  std::vector<int64_t> intData;
};

using Step = std::function<void(Lanes &)>;

/// Receives the operands of a scalar op before it runs, at `count` points:
/// `lhs`, and `rhs` unless the op has one operand or is a select, of which
/// `lhs` is the condition. Integers are given as floats. Called by several
/// threads.
using ScalarObserver = std::function<void(Operation *, const double *lhs,
                                          const double *rhs, int64_t count)>;

/// What a kernel computes for its parallel points, in order.
struct KernelProgram {
  std::vector<Step> steps;
  SmallVector<unsigned> indexRows; ///< int row of each kernel dimension
  unsigned floatRows = 0, intRows = 0;
};

/// Compiles the body of `kernel` to read `inputs` and write `outputs`, which
/// must outlive the program; so must the noise. `observer` sees the piecewise
/// ops (isPiecewise). Fails with an error on an op that no TPC kernel may have.
FailureOr<KernelProgram> compileKernel(KernelOp kernel, Operands inputs,
                                       MutableArrayRef<ReferenceTensor> outputs,
                                       ScalarObserver observer = nullptr);

/// True for scalar ops that do one of several things by the order or the sign
/// of their operands: comparisons, selects, minima, maxima, absolute values.
bool isPiecewise(Operation *scalar);

/// Runs `kernel` on `operands` for its observer only.
LogicalResult observeKernel(KernelOp kernel, ArrayRef<ReferenceTensor> operands,
                            const ScalarObserver &observer);

} // namespace reference
} // namespace gaudi

#endif // GAUDI_LIB_REFERENCE_KERNELPROGRAM_H
