// A TPC kernel body compiled into a flat list of steps, each of which works
// on a row of lanes: many points of the index space at once.
#ifndef GAUDI_LIB_REFERENCE_KERNELPROGRAM_H
#define GAUDI_LIB_REFERENCE_KERNELPROGRAM_H

#include "Gaudi/Reference/Tensor.h"
#include <functional>
#include <string>
#include <type_traits>

namespace mlir::gaudi {
class KernelOp;

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

/// What a kernel computes for its parallel points, in order.
struct KernelProgram {
  std::vector<Step> steps;
  SmallVector<unsigned> indexRows; ///< int row of each kernel dimension
  unsigned floatRows = 0, intRows = 0;
};

/// Compiles the body of `kernel` to read `inputs` and write `outputs`, which
/// must outlive the program. Fails with an error on an op that no TPC kernel
/// may have.
FailureOr<KernelProgram>
compileKernel(KernelOp kernel, ArrayRef<ReferenceTensor> inputs,
              MutableArrayRef<ReferenceTensor> outputs);

} // namespace reference
} // namespace mlir::gaudi

#endif // GAUDI_LIB_REFERENCE_KERNELPROGRAM_H
