// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Padding adds nothing to a convolution, whatever the weights are.
#ifndef GAUDI_LIB_RUNTIME_MME_ONEDNN_PADDINGREPAIR_H
#define GAUDI_LIB_RUNTIME_MME_ONEDNN_PADDINGREPAIR_H

#include "../Conv/ConvAxes.h"

namespace gaudi::runtime {

/// For engines that may multiply the zeros of the padding: where a weight is
/// infinite or NaN their result is NaN, and is computed again here from the
/// taps inside. Looks at the outputs that have taps in the padding only.
class PaddingRepair {
public:
  PaddingRepair(const recipe::Conv &conv, const BoundTensor &x,
                const BoundTensor &w, const BoundTensor &y);
  /// False if no output has a tap in the padding, or if the weights are
  /// constants and all finite.
  bool isNeeded() const;
  void run(ThreadPool &pool) const;

private:
  bool hasAllTaps(size_t d, int64_t p) const;
  /// The result at one position for channel `o`.
  float resultAt(int64_t image, const Triple &p, int64_t o) const;

  BoundTensor xTensor, wTensor, yTensor;
  Axes x, w, y;
  ConvTaps at;
  int64_t perGroupIn, perGroupOut;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_ONEDNN_PADDINGREPAIR_H
