// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads sizes of memory.
#include "Gaudi/Support/ByteSize.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace gaudi {

Result<uint64_t> parseBytes(const std::string &text) {
  const char *const hint = "; expected a size such as 512M, 4GiB or 1073741824";
  char *end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || text[0] < '0' || text[0] > '9' ||
      !std::isfinite(number))
    return fail("cannot read a size from {}{}", inQuotes(text), hint);
  std::string unit(end);
  unit.erase(0, std::min(unit.find_first_not_of(' '), unit.size()));
  for (char &c : unit)
    c = char(std::toupper(static_cast<unsigned char>(c)));
  double factor = 1;
  if (!unit.empty() && unit != "B") {
    const size_t power = std::string("KMGT").find(unit[0]);
    const std::string rest = unit.substr(1);
    if (power == std::string::npos ||
        (rest != "" && rest != "B" && rest != "IB"))
      return fail("unknown unit {}{}", inQuotes(end), hint);
    factor = std::pow(rest == "B" ? 1000.0 : 1024.0, double(power + 1));
  }
  const double bytes = number * factor;
  if (bytes < 1 || bytes > 0x1p60)
    return fail("{} is not between 1 byte and 2^60 bytes{}", inQuotes(text),
                hint);
  return static_cast<uint64_t>(bytes);
}

} // namespace gaudi
