// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the loads and stores of a kernel go, for a row of lanes.
#ifndef GAUDI_LIB_REFERENCE_KERNELACCESS_H
#define GAUDI_LIB_REFERENCE_KERNELACCESS_H

#include "Gaudi/Dialect/KernelLanguage.h"
#include "KernelProgram.h"
#include <optional>

namespace gaudi::reference {

/// Values of the form for the indices in `indexRows`.
void evaluateAffine(const Affine &form, ArrayRef<unsigned> indexRows,
                    Lanes &lanes, int64_t *positions);

/// One tensor dimension of an access that may leave its tensor.
struct GuardedDim {
  Affine form;
  std::optional<unsigned> valueRow; ///< int row that indexes instead of `form`
  Boundary boundary;
  int64_t size, stride;
};
struct GuardedAccess {
  int64_t operand;
  SmallVector<GuardedDim> dims;
};

/// Positions of lanes that read the pad value, or nothing at all.
constexpr int64_t padPosition = -1, faultPosition = -2;

/// Positions, padPosition or faultPosition per lane; a fault sets lanes.error.
void evaluateGuarded(const GuardedAccess &access, ArrayRef<unsigned> indexRows,
                     Lanes &lanes, int64_t *positions);

} // namespace gaudi::reference

#endif // GAUDI_LIB_REFERENCE_KERNELACCESS_H
