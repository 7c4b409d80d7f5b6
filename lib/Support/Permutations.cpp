// Counts of transposes before and after their placement, and their line.
#include "Gaudi/Support/Permutations.h"
#include "Gaudi/Support/CheckedMath.h"
#include "Gaudi/Support/Units.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace gaudi {
namespace {

template <typename T> void addSaturated(T &sum, T value) {
  sum = checkedAdd(sum, value)
            .value_or(value < 0 ? std::numeric_limits<T>::min()
                                : std::numeric_limits<T>::max());
}

std::string bytesText(int64_t bytes) {
  return humanBytes(uint64_t(std::max<int64_t>(bytes, 0)));
}

std::string picosecondsText(int64_t time) {
  return timeText(double(time) / 1e9);
}

} // namespace

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
      isOptimal() ? "optimal" : fmt::format("gap {:.2g} %", gap() * 100),
      isComplete ? "" : " of the orders considered");
}

} // namespace gaudi
