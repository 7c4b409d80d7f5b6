// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands cut into slices: along what, and what a slice asks for.
#ifndef GAUDI_LIB_PREDICTION_SLICES_H
#define GAUDI_LIB_PREDICTION_SLICES_H

#include "Gaudi/Timing/Work.h"

#include <optional>
#include <string_view>
#include <vector>

namespace gaudi::prediction {

/// A dimension of a command and how often it is cut, or how far it could be.
/// Gemms number batches and then m, convolutions the images and then the
/// spatial dimensions, kernels their own dimensions.
struct Cut {
  uint32_t dim = 0;
  int64_t count = 1;

  bool operator==(const Cut &other) const {
    return dim == other.dim && count == other.count;
  }
};

/// How a command goes through an operand from its first byte to its last: the
/// dimensions of the command that the operand's leading dimensions follow one
/// to one, outermost first, with their sizes. Equal slices of them are equal
/// slices of the bytes.
struct Walk {
  std::vector<Cut> dims;
  std::string_view refusal; // why there are none
};

/// Layouts of the input and the output of a convolution, as in recipes.
struct Layouts {
  std::string_view input, output;
};

/// Of an operand; inputs first, then outputs.
Walk walkOf(const timing::Work &work, uint32_t operand, const Layouts &layouts);

/// How to cut the leading dimensions into so many equal slices; none if they do
/// not divide.
std::optional<std::vector<Cut>> cutsOf(const Walk &walk, int64_t slices);

/// One slice.
timing::Work sliceOf(timing::Work work, const std::vector<Cut> &cuts,
                     const Layouts &layouts);

/// The operand; inputs first, then outputs. Transfers and fills have none.
timing::Operand *operandOf(timing::Work &work, uint32_t operand);

} // namespace gaudi::prediction

#endif // GAUDI_LIB_PREDICTION_SLICES_H
