// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an op with certain operands becomes a launch. The Python package makes
// plans (habana_frameworks/torch/_eager.py), since it traces the op.
#ifndef GAUDI_BRIDGE_PLAN_H
#define GAUDI_BRIDGE_PLAN_H

#include "Program.h"

#include <torch/csrc/utils/pybind.h>

#include <algorithm>
#include <cmath>
#include <limits>
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
  /// Numbers of the call that are operands of the launch: which one of those
  /// that may be, and the type that it is converted to.
  std::vector<std::pair<int64_t, at::ScalarType>> numbers;
  /// The integers, and the greatest float, for which the plan holds: PyTorch
  /// may refuse others, which some type of the call has not got.
  struct {
    int64_t least = 0, most = 0;
    double largest = 0; // 0: no float at all
  } limits;

  bool takes(c10::ArrayRef<at::Scalar> numbers) const {
    return std::all_of(
        numbers.begin(), numbers.end(), [this](const at::Scalar &each) {
          if (each.isFloatingPoint())
            return limits.largest > 0 &&
                   (!std::isfinite(each.toDouble()) ||
                    std::fabs(each.toDouble()) <= limits.largest);
          return each.isIntegral(false) &&
                 !(each.isUnsigned() &&
                   each.toUInt64() >
                       uint64_t(std::numeric_limits<int64_t>::max())) &&
                 limits.least <= each.toLong() && each.toLong() <= limits.most;
        });
  }
};

/// What an op with such operands does.
struct Decision {
  std::optional<Plan> plan;
  /// Without a plan: a function of Python that computes it by launches.
  pybind11::object function;
  /// Without both: why it runs on the CPU. If it raises there, it is no
  /// fallback: the operands were wrong.
  std::string reason;
  bool isError = false;
  /// Whether it holds for later calls, too.
  bool isKept = true;
};

} // namespace gaudi::bridge

#endif // GAUDI_BRIDGE_PLAN_H
