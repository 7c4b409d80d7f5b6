// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where values that are not finite come from (--check-finite).
#ifndef GAUDI_RUN_FINITE_H
#define GAUDI_RUN_FINITE_H

#include "Gaudi/Recipe/HostTensor.h"
#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Runtime/Executable.h"

#include <optional>
#include <string>
#include <vector>

namespace gaudi::run {

/// The first element of a float tensor that is NaN or an infinity; none for
/// other types.
std::optional<uint64_t> firstNonFinite(const recipe::HostTensor &tensor);

/// The first element that differs in its bits; NaN equals NaN.
std::optional<uint64_t> firstDifference(const recipe::HostTensor &a,
                                        const recipe::HostTensor &b);

/// "nan at [0, 3]" of that element.
std::string elementAt(const recipe::HostTensor &tensor, uint64_t index);

/// Observes a launch and finds the first command that made NaN or an infinity
/// of operands that were all finite. Reads every operand of every command until
/// then.
class FiniteObserver : public runtime::LaunchObserver {
public:
  FiniteObserver(const runtime::Executable &executable,
                 const recipe::Recipe &recipe, size_t entry)
      : executable(executable), recipe(recipe), entry(entry) {}

  void before(size_t command) override;
  void after(size_t command) override;

  /// "command 2 'tpc.log' at model.mlir:5:8 makes it of finite operands: -inf
  /// at [0, 1] of 'x'"; empty if no command does.
  const std::string &origin() const { return text; }

private:
  using Ids = flatbuffers::Vector<uint32_t>;
  const recipe::Command &commandAt(size_t command) const;
  /// A text about the first of the tensors that is not finite.
  std::optional<std::string> nonFinite(const Ids *tensors) const;

  const runtime::Executable &executable;
  const recipe::Recipe &recipe;
  const size_t entry;
  bool finiteOperands = false; // of the command that runs
  std::string text;
};

/// What --check-finite found.
struct FiniteCheck {
  bool passed = true;
  size_t outputs = 0;  ///< outputs of floats
  std::string message; ///< one line, also if it passed
};

/// `origin` as FiniteObserver::origin; `inputs` are named if they hold such
/// values themselves.
FiniteCheck checkFinite(const std::vector<recipe::HostTensor> &outputs,
                        const std::vector<recipe::HostTensor> &inputs,
                        const std::string &origin);

} // namespace gaudi::run

#endif // GAUDI_RUN_FINITE_H
