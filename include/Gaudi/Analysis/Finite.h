// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that are not finite, and the range of those that are.
#ifndef GAUDI_ANALYSIS_FINITE_H
#define GAUDI_ANALYSIS_FINITE_H

#include "Gaudi/Recipe/HostTensor.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace gaudi::analysis {

/// The first element that differs in its bits; NaN equals NaN.
std::optional<uint64_t> firstDifference(const recipe::HostTensor &a,
                                        const recipe::HostTensor &b);

/// The smallest and the largest element, NaN aside; infinities count. `nans` of
/// all `count` elements are NaN.
struct ValueRange {
  double smallest = 0, largest = 0;
  uint64_t count = 0, nans = 0;
  bool hasNumbers() const { return nans < count; }
};
ValueRange rangeOf(const recipe::HostTensor &tensor);

/// True if the elements are floats and all of them (at least one) NaN.
bool isAllNaN(const recipe::HostTensor &tensor);

/// What --check-finite found.
struct FiniteCheck {
  bool passed = true;
  size_t outputs = 0;  ///< outputs of floats
  std::string message; ///< one line, also if it passed
  std::string birth;   ///< JSON, as for textOfBirth; empty: not searched
};

/// `origin`: of the first such value, for people, or empty; `inputs` are named
/// if they hold such values themselves.
FiniteCheck checkFinite(const std::vector<recipe::HostTensor> &outputs,
                        const std::vector<recipe::HostTensor> &inputs,
                        const std::string &origin);

/// Whether the model has it, or which pass made it reachable; `birth`: as
/// docs/schema/gaudi-run-report.schema.json has it.
std::string textOfBirth(const nlohmann::ordered_json &birth);

} // namespace gaudi::analysis

#endif // GAUDI_ANALYSIS_FINITE_H
