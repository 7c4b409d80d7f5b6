// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares outputs with expected values and names the worst element.
#ifndef GAUDI_ANALYSIS_COMPARE_H
#define GAUDI_ANALYSIS_COMPARE_H

#include "Gaudi/Recipe/HostTensor.h"
#include "Gaudi/Support/Tolerance.h"

#include <optional>
#include <string>
#include <vector>

namespace gaudi::analysis {

/// The values to compare with. Exactly one of the pointers is set, as the
/// element type of the output asks.
struct ExpectedValues {
  const double *floats = nullptr;
  const int64_t *integers = nullptr;
};

struct Comparison : Deviation {
  std::string output;   ///< its name
  std::string against;  ///< what it was compared with, for people
  std::string position; ///< of the worst element

  /// One line: "output 'y' matches ...: worst element [0, 3]: ...".
  std::string text() const;
};

/// The tolerance of a whole model's result of this element type; `atol` and
/// `rtol` replace it if one of them is set (the other is then 0).
Tolerance toleranceFor(recipe::ElementType type, std::optional<double> atol,
                       std::optional<double> rtol);

Comparison compare(const recipe::HostTensor &got, ExpectedValues expected,
                   Tolerance tolerance, std::string against);
/// Under what is expected of each element.
Comparison compare(const recipe::HostTensor &got, ExpectedValues expected,
                   const ExpectedNoise &noise, std::string against);

/// The same with values that were read from a file or from text.
Comparison compare(const recipe::HostTensor &got,
                   const recipe::HostTensor &expected, Tolerance tolerance,
                   std::string against);

} // namespace gaudi::analysis

#endif // GAUDI_ANALYSIS_COMPARE_H
