// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Works with other sizes or types: the questions "what if" of the advice.
#ifndef GAUDI_LIB_PREDICTION_REWORK_H
#define GAUDI_LIB_PREDICTION_REWORK_H

#include "Gaudi/Timing/Work.h"

#include <optional>
#include <string>
#include <string_view>

namespace gaudi::prediction {

/// The work on `factor` times as many samples. Samples are the slowest
/// dimension that varies; weights of matrix products stay as they are: the
/// inputs that constants decide (bits), or the side with more rows. Other
/// operands that all samples share are counted once per sample, so the time
/// per sample is rather too long.
timing::Work withSamples(const timing::Work &work, uint32_t constantInputs,
                         int64_t factor);
/// Whether a product or kernel computes more for more samples.
bool hasSamples(const timing::Work &work);
/// What grew: "m 64 instead of 8".
std::string grownText(const timing::MatrixWork &from,
                      const timing::MatrixWork &to);

/// Whether any operand is of a type.
bool hasType(const timing::Work &work, timing::ElementType type);
/// Whether it multiplies in a type, whatever that of its result, or is a kernel
/// or movement that has an operand of it.
bool computesIn(const timing::Work &work, timing::ElementType type);
/// The work with float operands of type `from` in type `to`.
timing::Work withType(const timing::Work &work, timing::ElementType from,
                      timing::ElementType to);

/// A dimension of a matrix product that can be rounded up.
enum class MatrixDim : uint8_t { M, N, K, InputChannels, OutputChannels };
std::string_view nameOf(MatrixDim dim);
int64_t sizeOf(const timing::MatrixWork &work, MatrixDim dim);
/// The product with another size there; operands are made dense.
timing::MatrixWork withSize(const timing::MatrixWork &work, MatrixDim dim,
                            int64_t size);

/// The rows that a kernel or a copy writes: its fastest dimension.
struct Rows {
  int64_t elements = 0;
  unsigned bytes = 0;    // of an element
  bool isGapped = false; // a row is not followed by the next one
};
std::optional<Rows> rowsOf(const timing::Work &work);
/// As many elements in rows of about `elements` each, dense.
timing::Work withRows(const timing::Work &work, int64_t elements);

} // namespace gaudi::prediction

#endif // GAUDI_LIB_PREDICTION_REWORK_H
