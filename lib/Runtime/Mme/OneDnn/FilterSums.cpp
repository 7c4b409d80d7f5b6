// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradient of a filter, weight by weight, in float64: for what oneDNN gets
// wrong.
#include "FilterSums.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include <cmath>

namespace gaudi::runtime {

FilterSums::FilterSums(const recipe::Convolution &conv,
                       const std::vector<int64_t> &filter,
                       const BoundTensor &xTensor, const BoundTensor &yTensor)
    : xTensor(xTensor), yTensor(yTensor),
      x(axesOf(xTensor, recipe::text(conv.inputLayout), 'N', 'C')),
      y(axesOf(yTensor, recipe::text(conv.outputLayout), 'N', 'C')),
      at(conv, x), inputs(x.channels / conv.groups),
      outputs(y.channels / conv.groups) {
  std::copy(filter.begin(), filter.end(), window.end() - filter.size());
  for (int64_t size : window)
    taps *= size;
}

bool FilterSums::mayNeedRepair() const {
  // Taps move in one direction with position and step: the ends decide.
  for (size_t d = 0; d < 3; ++d)
    if (at.input(d, 0, 0) < 0 || at.input(d, y.size[d] - 1, window[d] - 1) < 0)
      return true;
  return false;
}

template <typename Visit>
void FilterSums::visitPositions(int64_t o, const Triple &k,
                                Visit &&visit) const {
  const int64_t plane = y.size[0] * y.size[1] * y.size[2];
  const int64_t size = recipe::elementSize(yTensor.type);
  for (int64_t i = 0; i < y.batch * plane; ++i) {
    const int64_t image = i / plane, rest = i % plane;
    const Triple p{rest / (y.size[1] * y.size[2]), rest / y.size[2] % y.size[1],
                   rest % y.size[2]};
    int64_t to = image * y.batchStride + o * y.channelStride;
    int64_t from = image * x.batchStride;
    bool isInside = true;
    for (size_t d = 0; d < 3; ++d) {
      const int64_t q = at.input(d, p[d], k[d]);
      isInside &= q >= 0;
      from += q * x.stride[d];
      to += p[d] * y.stride[d];
    }
    if (!visit(loadFloat(yTensor.type, yTensor.data + to * size),
               isInside ? from : -1))
      return;
  }
}

bool FilterSums::isFromPadding(int64_t o, const Triple &k) const {
  bool result = false;
  visitPositions(o, k, [&](float value, int64_t from) {
    // A NaN inside is one of the sum's own terms.
    const bool isOwn = from >= 0 && std::isnan(value);
    result = !isOwn && (result || (from < 0 && !std::isfinite(value)));
    return !isOwn;
  });
  return result;
}

float FilterSums::resultAt(int64_t o, int64_t i, const Triple &k) const {
  const int64_t size = recipe::elementSize(xTensor.type);
  const int64_t channel = (o / outputs * inputs + i) * x.channelStride;
  // In float64, in which the products are exact.
  double sum = 0;
  visitPositions(o, k, [&](float value, int64_t from) {
    if (from >= 0)
      sum += double(value) *
             double(loadFloat(xTensor.type,
                              xTensor.data + (from + channel) * size));
    return true;
  });
  return float(sum);
}

template <typename Task>
void FilterSums::forEachTap(ThreadPool &pool, float *sums, Task &&task) const {
  pool.parallelFor(
      y.channels * taps, 1, [&](int64_t begin, int64_t end, unsigned) {
        for (int64_t i = begin; i < end; ++i) {
          const int64_t o = i / taps, tap = i % taps;
          const Triple k{tap / (window[1] * window[2]),
                         tap / window[2] % window[1], tap % window[2]};
          task(o, k, sums + o * inputs * taps + tap);
        }
      });
}

void FilterSums::computeAll(ThreadPool &pool, float *sums) const {
  forEachTap(pool, sums, [&](int64_t o, const Triple &k, float *first) {
    for (int64_t i = 0; i < inputs; ++i)
      first[i * taps] = resultAt(o, i, k);
  });
}

void FilterSums::repair(ThreadPool &pool, float *sums) const {
  forEachTap(pool, sums, [&](int64_t o, const Triple &k, float *first) {
    bool hasNan = false;
    for (int64_t i = 0; i < inputs; ++i)
      hasNan |= std::isnan(first[i * taps]);
    if (!hasNan || !isFromPadding(o, k))
      return;
    for (int64_t i = 0; i < inputs; ++i)
      if (std::isnan(first[i * taps]))
        first[i * taps] = resultAt(o, i, k);
  });
}

} // namespace gaudi::runtime
