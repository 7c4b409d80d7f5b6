// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the TPC does in a slice of attention, in instructions.
#ifndef GAUDI_LIB_TIMING_ATTENTIONKERNELS_H
#define GAUDI_LIB_TIMING_ATTENTIONKERNELS_H

#include "Gaudi/Timing/Attention.h"

namespace gaudi::timing {

/// Rows of scores: one per query and head.
struct ScoreShape {
  double rows = 0, keys = 0;
  double seen = 0;     // of the keys, on average: others are zeros
  bool isWhole = true; // a row is one slice: its sum is known
};

/// Bytes of a score between the product and the softmax, and of what goes on
/// to the next product.
unsigned scoreBytes(const AttentionWork &work);
unsigned operandBytes(const AttentionWork &work);

/// Time of kernels on the busiest engine, and instructions of its vector slot.
struct KernelTime {
  Picoseconds time = 0;
  double vector = 0, special = 0;
};

/// Scale, mask, maximum, exponentials, sum, dropout; whole rows are divided by
/// their sum, others update the maximum and the sum so far.
KernelTime softmaxTime(const AttentionWork &work, const ScoreShape &rows,
                       const device::DeviceSpec &spec);
/// Probabilities again from the saved statistics, and the gradient of scores.
KernelTime softmaxGradTime(const AttentionWork &work, const ScoreShape &rows,
                           const device::DeviceSpec &spec);
/// Adds a product to an accumulator in f32, rows of `length` elements; those of
/// the output are scaled by what the maximum has grown.
KernelTime accumulateTime(double rows, double length,
                          const device::DeviceSpec &spec);
/// Accumulators to results; `perRow` vector instructions for each row.
KernelTime finishTime(double rows, double length, double perRow,
                      const device::DeviceSpec &spec);
/// Row-wise products of the output and its gradient, added up.
KernelTime rowProductTime(const AttentionWork &work, double rows,
                          const device::DeviceSpec &spec);

} // namespace gaudi::timing

#endif // GAUDI_LIB_TIMING_ATTENTIONKERNELS_H
