// Numbers in messages and reports.
#ifndef GAUDI_RUN_TEXT_H
#define GAUDI_RUN_TEXT_H

#include <cstdint>
#include <string>
#include <string_view>

namespace gaudi::run {

/// "1 element", "2 elements"; `plural` for nouns with another plural.
std::string countOf(uint64_t count, std::string_view noun,
                    std::string_view plural = "");

/// Three significant digits with a fitting unit: "12.3 ms", "412 us", "1.00 s".
std::string timeText(double milliseconds);

/// Three significant digits with a decimal prefix, before a unit: "4.19 M".
std::string quantityText(double value);

} // namespace gaudi::run

#endif // GAUDI_RUN_TEXT_H
