// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradient of a filter, weight by weight, in float64: for what oneDNN gets
// wrong.
#ifndef GAUDI_LIB_RUNTIME_MME_ONEDNN_FILTERSUMS_H
#define GAUDI_LIB_RUNTIME_MME_ONEDNN_FILTERSUMS_H

#include "../Conv/ConvAxes.h"

namespace gaudi::runtime {

class FilterSums {
public:
  /// `filter`: the spatial sizes of the filter.
  FilterSums(const recipe::Convolution &conv,
             const std::vector<int64_t> &filter, const BoundTensor &x,
             const BoundTensor &dy);

  // `sums` are [O, I, spatial], row-major.

  /// Computes all. Slow.
  void computeAll(ThreadPool &pool, float *sums) const;

  /// False if no tap is in the padding anywhere.
  bool mayNeedRepair() const;
  /// Padding adds nothing. An engine that multiplies its zeros gets NaN where
  /// the gradient of the output is infinite or NaN: these sums are computed
  /// again from the positions whose tap is inside the input.
  void repair(ThreadPool &pool, float *sums) const;

private:
  /// Calls visit(value of dy for channel o, place in x of the tap's input) for
  /// all positions until it returns false; the place is -1 in the padding.
  template <typename Visit>
  void visitPositions(int64_t o, const Triple &k, Visit &&visit) const;
  /// Whether a NaN in the sums of this tap can come from the padding.
  bool isFromPadding(int64_t o, const Triple &k) const;
  float resultAt(int64_t o, int64_t i, const Triple &k) const;

  /// Calls task(o, tap, the first of its sums), which are `taps` apart.
  template <typename Task>
  void forEachTap(ThreadPool &pool, float *sums, Task &&task) const;

  BoundTensor xTensor, yTensor;
  Axes x, y;
  ConvTaps at;
  int64_t inputs, outputs; // channels of a group
  Triple window{1, 1, 1};
  int64_t taps = 1;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_ONEDNN_FILTERSUMS_H
