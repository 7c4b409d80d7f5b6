// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a result may lie from the reference: one table, used by every test
// and by every check the tools make. docs/numerics.md argues the numbers.
#ifndef GAUDI_REFERENCE_NUMERICS_H
#define GAUDI_REFERENCE_NUMERICS_H

#include "Gaudi/Reference/Tensor.h"
#include "Gaudi/Support/Tolerance.h"
#include <string>

namespace gaudi {

/// What lies between the inputs and the compared value.
enum class NumericsScope {
  Op,   ///< one op
  Model ///< a whole function
};

using Tolerance = Tolerance;
/// One row of the table: element type, tolerance after one op, after a model.
using NumericsRow = ToleranceRow;

ArrayRef<NumericsRow> numericsTable();

/// The tolerance of an element type of the device.
Tolerance toleranceOf(Type elementType, NumericsScope scope);

/// The outcome of a comparison.
struct ComparisonReport {
  bool passed = true;
  int64_t failures = 0; ///< elements outside the tolerance
  int64_t worst =
      -1; ///< element with the largest error over allowed error; -1 if empty
  double actual = 0; ///< its values
  double reference = 0;
  double error = 0; ///< |actual - reference|, infinite for NaN against a number
  double allowed = 0;
  double largest = 0;            ///< L
  SmallVector<int64_t> position; ///< of `worst`
  std::string mismatch;          ///< set if shapes or element types differ

  /// One line: "worst element [0, 3]: expected 1.5 but got 1.25 (error 0.25,
  /// allowed 1e-05); 2 elements differ".
  std::string describe() const;
};

/// Compares all elements under `tolerance`.
ComparisonReport compareTensors(const ReferenceTensor &actual,
                                const ReferenceTensor &reference,
                                Tolerance tolerance);
/// Compares under the table's row for the reference's element type.
ComparisonReport compareTensors(const ReferenceTensor &actual,
                                const ReferenceTensor &reference,
                                NumericsScope scope);

} // namespace gaudi

#endif // GAUDI_REFERENCE_NUMERICS_H
