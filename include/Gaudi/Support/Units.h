// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers with their units, for messages and reports.
#ifndef GAUDI_SUPPORT_UNITS_H
#define GAUDI_SUPPORT_UNITS_H

#include <cstdint>
#include <string>
#include <string_view>

namespace gaudi {

/// "1 element", "2 elements"; `plural` for nouns with another plural.
std::string countOf(uint64_t count, std::string_view noun,
                    std::string_view plural = "");

/// A value below 1000, rounded to three significant digits: "9.99", "10.0".
std::string threeDigits(double value);

/// "512 B", "1.20 GiB".
std::string humanBytes(uint64_t bytes);

/// Three significant digits with a fitting unit: "12.3 ms", "412 us", "1.00 s".
std::string timeText(double milliseconds);

/// Three significant digits with a decimal prefix, before a unit: "4.19 M".
std::string quantityText(double value);

} // namespace gaudi

#endif // GAUDI_SUPPORT_UNITS_H
