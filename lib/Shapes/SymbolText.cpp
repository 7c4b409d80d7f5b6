// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads bounds of sizes.
#include "Gaudi/Shapes/SymbolText.h"

#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <charconv>

using namespace gaudi;
using namespace gaudi::shapes;

namespace {
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isName(std::string_view text) {
  return !text.empty() && isNameStart(text[0]) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return isNameStart(c) || isDigit(c); });
}

std::string_view stripped(std::string_view text) {
  const size_t from = text.find_first_not_of(" \t\n\r");
  if (from == std::string_view::npos)
    return {};
  return text.substr(from, text.find_last_not_of(" \t\n\r") - from + 1);
}

/// Takes a whole number from the front.
bool consume(std::string_view &rest, int64_t &number) {
  const auto [stop, error] =
      std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (error != std::errc())
    return false;
  rest.remove_prefix(size_t(stop - rest.data()));
  return true;
}

bool consume(std::string_view &rest, std::string_view start) {
  if (rest.substr(0, start.size()) != start)
    return false;
  rest.remove_prefix(start.size());
  return true;
}

/// Where all is there but the dots: "; did you mean batch=1..64?" of
/// "batch=1-64", "batch=[1:64]".
std::string meantBy(std::string_view name, std::string_view bounds) {
  std::vector<std::string_view> numbers;
  // "1..64K", "1..inf".
  if (bounds.find_first_not_of("0123456789.-:,/[]() \t") != bounds.npos)
    return "; sizes are whole numbers, such as 1..4096";
  for (size_t at = 0; at < bounds.size();) {
    size_t end = at;
    while (end < bounds.size() && isDigit(bounds[end]))
      ++end;
    if (end > at)
      numbers.push_back(bounds.substr(at, end - at));
    at = end + 1;
  }
  if (!isName(name) || numbers.size() < 2 || numbers.size() > 3)
    return "";
  return fmt::format("; did you mean {}={}..{}{}{}?", name, numbers[0],
                     numbers[1], numbers.size() == 3 ? "/" : "",
                     numbers.size() == 3 ? numbers[2] : "");
}

template <typename Act>
Status forEach(std::string_view list, char separator, Act &&act) {
  for (size_t at = 0; at <= list.size();) {
    const size_t end = std::min(list.find(separator, at), list.size());
    GAUDI_TRY(act(stripped(list.substr(at, end - at))));
    at = end + 1;
  }
  return {};
}
} // namespace

Result<Symbol> gaudi::shapes::parseSymbol(std::string_view entry) {
  const size_t equals = std::min(entry.find('='), entry.size());
  const std::string_view name = stripped(entry.substr(0, equals)),
                         bounds = stripped(
                             entry.substr(std::min(equals + 1, entry.size())));
  std::string_view rest = bounds;
  Symbol symbol;
  symbol.name = std::string(name);
  bool isRight = isName(name) && consume(rest, symbol.min);
  symbol.max = symbol.min;
  if (isRight && consume(rest, ".."))
    isRight = consume(rest, symbol.max);
  if (isRight && consume(rest, "/"))
    isRight = consume(rest, symbol.multiple);
  if (!isRight || !rest.empty())
    return fail(
        "{} is not of the form NAME=MIN..MAX, or NAME=MIN..MAX/MULTIPLE "
        "for multiples{}",
        inQuotes(entry), meantBy(name, bounds));
  if (symbol.multiple < 1)
    return fail("{}: sizes cannot be multiples of {}", inQuotes(entry),
                symbol.multiple);
  if (symbol.max < symbol.min)
    return fail("{}: the smallest size comes first; write {}={}..{}",
                inQuotes(entry), name, symbol.max, symbol.min);
  if (symbol.min < 0 || symbol.max > largestSymbol)
    return fail("{}: sizes are from 0 to {}", inQuotes(entry), largestSymbol);
  const int64_t low = symbol.min, high = symbol.max;
  symbol.min = symbol.smallest();
  symbol.max = high / symbol.multiple * symbol.multiple;
  if (symbol.min > symbol.max)
    return fail("{}: no multiple of {} is from {} to {}", inQuotes(entry),
                symbol.multiple, low, high);
  return symbol;
}

Status gaudi::shapes::checkShapes(std::string_view text) {
  return forEach(text, ';', [](std::string_view item) -> Status {
    if (item.empty())
      return {};
    const size_t colon = item.find(':');
    // "batch=1:64" has no input either.
    if (colon == std::string_view::npos || colon > item.find('='))
      return fail("{} is not of the form INPUT:NAME=MIN..MAX,...; the name of "
                  "the input comes first, as in x:batch=1..64",
                  inQuotes(item));
    return forEach(item.substr(colon + 1), ',',
                   [](std::string_view entry) -> Status {
                     if (entry.find('=') != std::string_view::npos)
                       GAUDI_TRY(parseSymbol(entry));
                     else if (const size_t next = entry.find(':');
                              next != std::string_view::npos)
                       return fail("a name and its bounds have '=' between "
                                   "them, in {}; write {}={}",
                                   inQuotes(entry), entry.substr(0, next),
                                   entry.substr(next + 1));
                     else if (entry.find("..") != std::string_view::npos)
                       return fail("{} has no name of the size; write NAME={}",
                                   inQuotes(entry), entry);
                     return {};
                   });
  });
}
