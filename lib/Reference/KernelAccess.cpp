// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of a kernel: affine positions, padding, checked indices.
#include "KernelAccess.h"
#include "KernelScalars.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::reference;

void reference::evaluateAffine(const Affine &form, ArrayRef<unsigned> indexRows,
                               Lanes &lanes, int64_t *positions) {
  // Dimension by dimension, so that the inner loop runs over lanes.
  std::fill_n(positions, lanes.count, form.getOffset());
  for (auto [d, row] : llvm::enumerate(indexRows)) {
    const int64_t coefficient = form[d];
    if (coefficient == 0)
      continue;
    const int64_t *index = lanes.ints(row);
    for (int64_t i = 0; i < lanes.count; ++i)
      positions[i] += coefficient * index[i];
  }
}

void reference::evaluateGuarded(const GuardedAccess &access,
                                ArrayRef<unsigned> indexRows, Lanes &lanes,
                                int64_t *positions) {
  // An index outside is replaced by one inside, so that positions stay valid
  // for the dimensions after it. A lane with padding in any dimension reads the
  // pad value, and faults in no other (kernel-semantics.md).
  int64_t index[Lanes::width];
  bool inPad[Lanes::width] = {};
  int64_t faultDim[Lanes::width], faultIndex[Lanes::width];
  std::fill_n(positions, lanes.count, 0);
  std::fill_n(faultDim, lanes.count, -1);
  for (auto [dim, guarded] : llvm::enumerate(access.dims)) {
    if (guarded.valueRow)
      std::copy_n(lanes.ints(*guarded.valueRow), lanes.count, index);
    else
      evaluateAffine(guarded.form, indexRows, lanes, index);
    for (int64_t i = 0; i < lanes.count; ++i) {
      int64_t at = index[i];
      if (at < 0 || at >= guarded.size) {
        if (guarded.boundary == Boundary::Pad) {
          inPad[i] = true;
        } else if (guarded.boundary != Boundary::Clamp && faultDim[i] < 0) {
          faultDim[i] = dim;
          faultIndex[i] = at;
        }
        at = at < 0 ? 0 : guarded.size - 1;
      }
      positions[i] += at * guarded.stride;
    }
  }
  for (int64_t i = 0; i < lanes.count; ++i) {
    if (inPad[i]) {
      positions[i] = padPosition;
    } else if (faultDim[i] >= 0) {
      positions[i] = faultPosition;
      if (lanes.error.empty())
        lanes.error = llvm::formatv(
            "expected an index in [0, {0}) for dimension {1} of operand "
            "{2} but got {3}",
            access.dims[faultDim[i]].size, faultDim[i], access.operand,
            faultIndex[i]);
    }
  }
}
