// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A dynamic size as the compiler, the runtime and the tools know it.
#ifndef GAUDI_SHAPES_SYMBOL_H
#define GAUDI_SHAPES_SYMBOL_H

#include <cstdint>
#include <string>

namespace gaudi::shapes {

/// A size that a launch chooses: a multiple of `multiple` from min to max.
struct Symbol {
  std::string name;
  int64_t min = 0, max = 0, multiple = 1;

  bool holds(int64_t size) const {
    return size >= min && size <= max && size % multiple == 0;
  }
  /// The smallest size; past `max` if the bounds hold no multiple.
  int64_t smallest() const {
    return (min + multiple - 1) / multiple * multiple;
  }
  /// "16 to 4096 in multiples of 16".
  std::string boundsText() const {
    return std::to_string(min) + " to " + std::to_string(max) +
           (multiple == 1 ? ""
                          : " in multiples of " + std::to_string(multiple));
  }
};

} // namespace gaudi::shapes

#endif // GAUDI_SHAPES_SYMBOL_H
