// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where values that are not finite come from (--check-finite).
#ifndef GAUDI_RUNTIME_FINITEOBSERVER_H
#define GAUDI_RUNTIME_FINITEOBSERVER_H

#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Runtime/Executable.h"

#include <optional>
#include <string>

namespace gaudi::runtime {

/// Observes a launch and finds the first command that made NaN or an infinity
/// of operands that were all finite. Reads every operand of every command until
/// then.
class FiniteObserver : public LaunchObserver {
public:
  FiniteObserver(const Executable &executable, const recipe::Recipe &recipe,
                 size_t entry)
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

  const Executable &executable;
  const recipe::Recipe &recipe;
  const size_t entry;
  bool finiteOperands = false; // of the command that runs
  std::string text;
};

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_FINITEOBSERVER_H
