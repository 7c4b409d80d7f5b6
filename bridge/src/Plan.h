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

/// Of the words by which decisions and compiled graphs are found.
struct KeyHash {
  size_t operator()(const std::vector<int64_t> &key) const {
    uint64_t hash = 0x9E3779B97F4A7C15 ^ key.size();
    for (int64_t word : key) {
      hash = (hash ^ uint64_t(word)) * 0xFF51AFD7ED558CCD;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

/// The integers, and the greatest float, for which what was made of one call
/// holds for others: PyTorch may refuse, or wrap, numbers that some type of the
/// call has not got.
struct Limits {
  int64_t least = 0, most = 0;
  double largest = 0; // 0: no float at all

  bool hold(c10::ArrayRef<at::Scalar> numbers) const {
    return std::all_of(
        numbers.begin(), numbers.end(), [this](const at::Scalar &each) {
          if (each.isFloatingPoint())
            return largest > 0 && (!std::isfinite(each.toDouble()) ||
                                   std::fabs(each.toDouble()) <= largest);
          return !isBeyondLong(each) && least <= each.toLong() &&
                 each.toLong() <= most;
        });
  }

  static bool isBeyondLong(const at::Scalar &value) {
    return value.isIntegral(false) && value.isUnsigned() &&
           value.toUInt64() > uint64_t(std::numeric_limits<int64_t>::max());
  }
};

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
  Limits limits;
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
  Limits limits;
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
  /// Whether it holds for later calls, too.
  bool isKept = true;

  /// Whether the plan, or the sketch, holds for such numbers.
  bool takes(c10::ArrayRef<at::Scalar> numbers) const {
    return (plan ? plan->limits : sketch->limits).hold(numbers);
  }
};

} // namespace gaudi::bridge

#endif // GAUDI_BRIDGE_PLAN_H
