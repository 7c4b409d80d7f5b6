// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers with their units.
#include "Gaudi/Support/Units.h"

#include <array>
#include <fmt/format.h>

namespace gaudi {

std::string threeDigits(double value) {
  // Just below a power of ten, the value rounds up to it.
  return fmt::format("{:.{}f}", value,
                     value >= 99.95   ? 0
                     : value >= 9.995 ? 1
                                      : 2);
}

std::string humanBytes(uint64_t bytes) {
  constexpr std::array<const char *, 6> units = {"B",   "KiB", "MiB",
                                                 "GiB", "TiB", "PiB"};
  size_t unit = 0;
  double value = double(bytes);
  for (; value >= 1024 && unit + 1 < units.size(); ++unit)
    value /= 1024;
  return unit == 0 ? fmt::format("{} B", bytes)
                   : fmt::format("{} {}", threeDigits(value), units[unit]);
}

std::string countOf(uint64_t count, std::string_view noun,
                    std::string_view plural) {
  if (count != 1 && !plural.empty())
    return fmt::format("{} {}", count, plural);
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string timeText(double milliseconds) {
  if (milliseconds >= 999.5)
    return threeDigits(milliseconds / 1000) + " s";
  if (milliseconds >= 0.9995)
    return threeDigits(milliseconds) + " ms";
  if (milliseconds >= 0.9995e-3)
    return threeDigits(milliseconds * 1e3) + " us";
  // The clock counts nanoseconds.
  return fmt::format("{:.0f} ns", milliseconds * 1e6);
}

std::string quantityText(double value) {
  constexpr std::array<const char *, 6> prefixes = {"",  "k", "M",
                                                    "G", "T", "P"};
  size_t prefix = 0;
  for (; value >= 999.5 && prefix + 1 < prefixes.size(); ++prefix)
    value /= 1000;
  return prefix == 0
             ? fmt::format("{:.0f} ", value)
             : fmt::format("{} {}", threeDigits(value), prefixes[prefix]);
}

} // namespace gaudi
