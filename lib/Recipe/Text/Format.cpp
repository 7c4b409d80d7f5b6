// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values as text, and back.
#include "Format.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace gaudi::recipe {

const char *const floatPredicates[] = {
    "oeq", "one", "olt", "ole", "ogt", "oge", "",    "",    "",
    "",    "ueq", "une", "ult", "ule", "ugt", "uge", "ord", "uno"};
const char *const integerPredicates[] = {
    "eq",  "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt",
    "uge", "",   "",    "",    "",    "",    "",    "",    ""};

namespace {

template <typename Float, typename Bits> std::string floatText(Bits bits) {
  Float value;
  std::memcpy(&value, &bits, sizeof(value));
  if (std::isnan(value))
    return fmt::format("{:#x}", bits);
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  char buffer[64];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  std::string result(buffer, end);
  if (result.find_first_of(".e") == std::string::npos)
    result += ".0";
  return result;
}

} // namespace

std::string float32Text(uint32_t bits) {
  return floatText<float, uint32_t>(bits);
}
std::string float64Text(uint64_t bits) {
  return floatText<double, uint64_t>(bits);
}

std::string valueText(uint64_t bits, ElementType type) {
  if (type == ElementType::F32)
    return float32Text(uint32_t(bits));
  if (type == ElementType::I1)
    return bits ? "true" : "false";
  const unsigned unused = 64 - kernelBits(type);
  return fmt::format("{}", int64_t(bits << unused) >> unused);
}

uint64_t parseValue(Lexer &lexer, ElementType type) {
  if (type == ElementType::F32)
    return lexer.float32();
  if (type == ElementType::I1) {
    if (lexer.accept("true"))
      return 1;
    lexer.expect("false");
    return 0;
  }
  const Token start = lexer.peek();
  const int64_t value = lexer.integer();
  const unsigned unused = 64 - kernelBits(type);
  if (int64_t(uint64_t(value) << unused) >> unused != value)
    lexer.error(start, "the number does not fit {}", elementName(type));
  return uint64_t(value) << unused >> unused;
}

} // namespace gaudi::recipe
