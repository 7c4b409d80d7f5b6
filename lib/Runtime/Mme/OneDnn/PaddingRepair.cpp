// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Padding adds nothing to a convolution, whatever the weights are.
#include "PaddingRepair.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include <cmath>

namespace gaudi::runtime {

/// Whether no element is NaN or an infinity.
static bool allFinite(const BoundTensor &tensor) {
  const std::vector<int64_t> &sizes = tensor.layout.sizes;
  const std::vector<int64_t> &strides = tensor.layout.strides;
  const int64_t bytes = recipe::elementSize(tensor.type);
  std::vector<int64_t> index(sizes.size(), 0);
  const uint8_t *element = tensor.data;
  for (;;) {
    if (!std::isfinite(loadFloat(tensor.type, element)))
      return false;
    size_t d = sizes.size(); // the next index, its last dimension fastest
    for (; d > 0; --d) {
      element += strides[d - 1] * bytes;
      if (++index[d - 1] < sizes[d - 1])
        break;
      element -= sizes[d - 1] * strides[d - 1] * bytes;
      index[d - 1] = 0;
    }
    if (d == 0)
      return true;
  }
}

PaddingRepair::PaddingRepair(const recipe::Conv &conv,
                             const BoundTensor &xTensor,
                             const BoundTensor &wTensor,
                             const BoundTensor &yTensor)
    : xTensor(xTensor), wTensor(wTensor), yTensor(yTensor),
      x(inputAxes(conv, xTensor)), w(filterAxes(conv, wTensor)),
      y(outputAxes(conv, yTensor)), at(recipe::Convolution(conv), x),
      perGroupIn(x.channels / conv.groups()),
      perGroupOut(y.channels / conv.groups()) {}

bool PaddingRepair::hasAllTaps(size_t d, int64_t p) const {
  // Without a stride between inputs the taps in the padding are at the ends.
  return (!at.transposed || at.stride[d] == 1) && at.input(d, p, 0) >= 0 &&
         at.input(d, p, w.size[d] - 1) >= 0;
}

bool PaddingRepair::isNeeded() const {
  // The zero of a padded tap times a finite weight is zero. Weights that never
  // change are looked at once, here, instead of the results of each launch.
  if (wTensor.constant && allFinite(wTensor))
    return false;
  for (size_t d = 0; d < 3; ++d)
    if (!hasAllTaps(d, 0) || !hasAllTaps(d, y.size[d] - 1))
      return true;
  return false;
}

float PaddingRepair::resultAt(int64_t image, const Triple &p, int64_t o) const {
  const int64_t xSize = recipe::elementSize(xTensor.type);
  const int64_t wSize = recipe::elementSize(wTensor.type);
  const int64_t group = o / perGroupOut;
  // Stored O counts channels of y, or of x when transposed, and I the others
  // of one group.
  const int64_t first = group * perGroupIn;
  const int64_t wStart =
      at.transposed ? first * w.batchStride + o % perGroupOut * w.channelStride
                    : o * w.batchStride;
  const int64_t wStep = at.transposed ? w.batchStride : w.channelStride;
  // In float64, in which the products are exact.
  double sum = 0;
  Triple k, q;
  for (k[0] = 0; k[0] < w.size[0]; ++k[0])
    for (k[1] = 0; k[1] < w.size[1]; ++k[1])
      for (k[2] = 0; k[2] < w.size[2]; ++k[2]) {
        for (size_t d = 0; d < 3; ++d)
          q[d] = at.input(d, p[d], k[d]);
        if (q[0] < 0 || q[1] < 0 || q[2] < 0)
          continue;
        int64_t from = image * x.batchStride + first * x.channelStride;
        int64_t weight = wStart;
        for (size_t d = 0; d < 3; ++d) {
          from += q[d] * x.stride[d];
          weight += k[d] * w.stride[d];
        }
        for (int64_t i = 0; i < perGroupIn; ++i)
          sum += double(loadFloat(xTensor.type,
                                  xTensor.data +
                                      (from + i * x.channelStride) * xSize)) *
                 double(loadFloat(wTensor.type,
                                  wTensor.data + (weight + i * wStep) * wSize));
        // No other term changes a NaN: where inputs are NaN throughout, this
        // ends at the first of them.
        if (std::isnan(sum))
          return float(sum);
      }
  return float(sum);
}

void PaddingRepair::run(ThreadPool &pool) const {
  const int64_t size = recipe::elementSize(yTensor.type);
  // Lines are independent: the result is the same on any number of threads.
  pool.parallelFor(
      y.batch * y.size[0] * y.size[1], 1,
      [&](int64_t begin, int64_t end, unsigned) {
        for (int64_t line = begin; line < end; ++line) {
          const int64_t image = line / (y.size[0] * y.size[1]);
          Triple p{line / y.size[1] % y.size[0], line % y.size[1], 0};
          const bool inside = hasAllTaps(0, p[0]) && hasAllTaps(1, p[1]);
          for (p[2] = 0; p[2] < y.size[2]; ++p[2]) {
            // Without a tap in the padding a NaN is the result.
            if (inside && hasAllTaps(2, p[2]))
              continue;
            int64_t offset = image * y.batchStride;
            for (size_t d = 0; d < 3; ++d)
              offset += p[d] * y.stride[d];
            for (int64_t o = 0; o < y.channels; ++o) {
              uint8_t *to =
                  yTensor.data + (offset + o * y.channelStride) * size;
              // Only NaN can come from padding: a weight of infinity or NaN
              // times 0.
              if (std::isnan(loadFloat(yTensor.type, to)))
                storeFloat(yTensor.type, to, resultAt(image, p, o));
            }
          }
        }
      });
}

} // namespace gaudi::runtime
