// Compares outputs with expected values and names the worst element.
#ifndef GAUDI_RUN_COMPARE_H
#define GAUDI_RUN_COMPARE_H

#include "Gaudi/Support/Tolerance.h"
#include "HostTensor.h"

#include <optional>
#include <string>
#include <vector>

namespace gaudi::run {

/// The values to compare with. Exactly one of the pointers is set, as the
/// element type of the output asks.
struct ExpectedValues {
  const double *floats = nullptr;
  const int64_t *integers = nullptr;
};

struct Comparison {
  std::string output;  ///< its name
  std::string against; ///< what it was compared with, for people
  bool passed = true;
  uint64_t count = 0, failures = 0;
  // The element with the largest error relative to what is allowed.
  uint64_t worst = 0;
  std::string position;
  double got = 0, expected = 0, error = 0, allowed = 0;
  double largest = 0; ///< max |expected| over finite elements

  /// One line: "output 'y' matches ...: worst element [0, 3]: ...".
  std::string text() const;
};

/// The tolerance of a whole model's result of this element type; `atol` and
/// `rtol` replace it if one of them is set (the other is then 0).
Tolerance toleranceFor(recipe::ElementType type, std::optional<double> atol,
                       std::optional<double> rtol);

Comparison compare(const HostTensor &got, ExpectedValues expected,
                   Tolerance tolerance, std::string against);

/// The same with values that were read from a file or from text.
Comparison compare(const HostTensor &got, const HostTensor &expected,
                   Tolerance tolerance, std::string against);

} // namespace gaudi::run

#endif // GAUDI_RUN_COMPARE_H
