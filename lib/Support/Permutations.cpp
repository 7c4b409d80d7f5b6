// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts of transposes before and after their placement, and their line.
#include "Gaudi/Support/Permutations.h"
#include "CountTexts.h"

#include <fmt/format.h>

namespace gaudi {
double PermutationCount::gap() const {
  return picosecondsAfter > 0
             ? (double(picosecondsAfter) - double(lowerBound)) /
                   double(picosecondsAfter)
             : 0;
}

PermutationCount &PermutationCount::operator+=(const PermutationCount &other) {
  addSaturated(transposesBefore, other.transposesBefore);
  addSaturated(transposesAfter, other.transposesAfter);
  addSaturated(bytesBefore, other.bytesBefore);
  addSaturated(bytesAfter, other.bytesAfter);
  addSaturated(picosecondsBefore, other.picosecondsBefore);
  addSaturated(picosecondsAfter, other.picosecondsAfter);
  addSaturated(lowerBound, other.lowerBound);
  isComplete &= other.isComplete;
  return *this;
}

std::string PermutationCount::line(std::string_view device) const {
  return fmt::format(
      "{} instead of {}, {} instead of {}, {} instead of {} on {}, lower bound "
      "{}: {}{}",
      countOf(transposesAfter, "transpose"), transposesBefore,
      bytesText(bytesAfter), bytesText(bytesBefore),
      picosecondsText(picosecondsAfter), picosecondsText(picosecondsBefore),
      device, picosecondsText(lowerBound),
      isOptimal() ? "optimal for this form"
                  : fmt::format("gap {:.2g} %", gap() * 100),
      isComplete ? "" : " of the orders considered");
}

} // namespace gaudi
