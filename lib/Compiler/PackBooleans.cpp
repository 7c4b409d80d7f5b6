// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packs dense booleans that have a byte each into bits.
#include "Gaudi/Compiler/PackBooleans.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

/// The number of elements of a type of booleans that `text` begins with, after
/// the `>` and the colon of its attribute; nothing for other text.
static std::optional<uint64_t> countBooleans(StringRef text) {
  auto consume = [&](StringRef token) {
    text = text.ltrim();
    return text.consume_front(token);
  };
  if (!consume(">") || !consume(":") ||
      (!consume("tensor<") && !consume("vector<")))
    return std::nullopt;
  uint64_t count = 1;
  while (!text.consume_front("i1>")) {
    uint64_t size = 0;
    bool overflows = false;
    if (text.consumeInteger(10, size) || !text.consume_front("x"))
      return std::nullopt;
    count = llvm::SaturatingMultiply(count, size, &overflows);
    if (overflows)
      return std::nullopt;
  }
  return count;
}

static bool areBooleans(StringRef digits) {
  for (size_t i = 0; i + 1 < digits.size(); i += 2)
    if (digits[i] != '0' || (digits[i + 1] != '0' && digits[i + 1] != '1'))
      return false;
  return digits.size() % 2 == 0;
}

/// Writes the packed form of `digits` over them and spaces over what is left.
static void pack(uint64_t count, MutableArrayRef<char> digits) {
  // One byte for all elements.
  if (digits.size() == 2) {
    digits[0] = digits[1] = digits[1] == '1' ? 'F' : '0';
    return;
  }
  const size_t bytes = llvm::divideCeil(count, 8);
  for (size_t byte = 0; byte < bytes; ++byte) {
    unsigned bits = 0;
    for (uint64_t i = byte * 8; i < std::min<uint64_t>(count, byte * 8 + 8);
         ++i)
      bits |= unsigned(digits[2 * i + 1] == '1') << (i % 8);
    // What is overwritten has been read: byte <= i.
    digits[2 * byte] = llvm::hexdigit(bits >> 4);
    digits[2 * byte + 1] = llvm::hexdigit(bits & 15);
  }
  digits[2 * bytes] = '"';
  for (char &rest : digits.drop_front(2 * bytes + 1))
    rest = ' ';
}

std::optional<std::string> gaudi::packBooleans(StringRef text) {
  constexpr StringRef start = "dense<\"0x";
  std::optional<std::string> result;
  if (text.starts_with("ML\xefR")) // bytecode
    return result;
  for (size_t at = text.find(start); at != StringRef::npos;
       at = text.find(start, at)) {
    at += start.size();
    const size_t end = text.find('"', at);
    if (end == StringRef::npos)
      break;
    const size_t digits = end - at;
    const std::optional<uint64_t> count = countBooleans(text.substr(end + 1));
    // Of up to eight elements, one byte may be all of them, packed.
    const bool isWhole = count && *count > 1 && digits / 2 == *count;
    const bool isSplat = count && *count > 8 && digits == 2;
    if ((!isWhole && !isSplat) || !areBooleans(text.slice(at, end)))
      continue;
    if (!result)
      result = text.str();
    MutableArrayRef<char> buffer(result->data(), result->size());
    pack(*count, buffer.slice(at, digits));
    if (isWhole) // The quote is after the last digit that is left.
      (*result)[end] = ' ';
    at = end;
  }
  return result;
}
