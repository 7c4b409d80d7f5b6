// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an op with certain operands becomes a launch. The Python package makes
// plans (habana_frameworks/torch/_eager.py), since it traces the op.
#ifndef GAUDI_BRIDGE_PLAN_H
#define GAUDI_BRIDGE_PLAN_H

#include "Program.h"

#include <torch/csrc/utils/pybind.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gaudi::bridge {

struct Plan {
  /// Among `slots`, in place of the number of a tensor among the operands: key
  /// and offset of a draw, and NUMBER - n for `numbers[n]`.
  static constexpr int64_t KEY = -1, OFFSET = -2, NUMBER = -3;

  std::shared_ptr<Program> program;
  /// For each input of the program the number of a tensor among the operands;
  /// those of a list have one each, undefined ones none.
  std::vector<int64_t> slots;
  /// For each result of the op the output of the program, or a list of them; -1
  /// for an undefined tensor, and -2 - p for argument p.
  std::vector<std::vector<int64_t>> returns;
  /// Which results are lists.
  std::vector<bool> areLists;
  /// Outputs that become what a tensor reaches: pairs of output and number.
  std::vector<std::pair<int64_t, int64_t>> writes;
  /// Floats of the call that are operands of the launch: which one of those
  /// that may be, and the type that it is converted to.
  std::vector<std::pair<int64_t, at::ScalarType>> numbers;
};

/// An op of a graph that waits: what Python needs to compile it, and what it
/// makes.
struct Sketch {
  /// habana_frameworks.torch._lazy.Sketch
  pybind11::object python;
  /// Of its new tensors.
  std::vector<ResultSpec> results;
  /// For each result of the op the number of a new tensor, or a list of them;
  /// -1 and -2 - p as in a plan.
  std::vector<std::vector<int64_t>> returns;
  std::vector<bool> areLists;
  /// Numbers of the operands that it writes to.
  std::vector<int64_t> writes;
  /// As in a plan.
  std::vector<std::pair<int64_t, at::ScalarType>> numbers;
  bool draws = false; ///< random numbers
};

/// What an op with such operands does.
struct Decision {
  std::optional<Plan> plan;
  std::optional<Sketch> sketch;
  /// Without a plan: a function of Python that computes it by launches.
  pybind11::object function;
  /// Without both: why it runs on the CPU. If it raises there, it is no
  /// fallback: the operands were wrong.
  std::string reason;
  bool isError = false;
};

} // namespace gaudi::bridge

#endif // GAUDI_BRIDGE_PLAN_H
