// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints or parses single fields.
#include "TextForm.h"

#include "Format.h"
#include "Gaudi/Recipe/ElementTypes.h"

namespace gaudi::recipe {

void TextForm::put(std::string_view text) {
  if (out)
    return out->put(text);
  // The tokens between the blanks.
  constexpr std::string_view blanks = " \n";
  for (size_t start = text.find_first_not_of(blanks);
       start != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_of(blanks, start), text.size());
    in->expect(text.substr(start, end - start));
    start = text.find_first_not_of(blanks, end);
  }
}

void TextForm::value(std::string &text) {
  if (out)
    out->put(recipe::quoted(text));
  else
    text = in->string();
}

/// Floats have their bits in a text, so that NaNs come back as they were.
template <typename Float, typename Bits> static Bits bitsOf(Float number) {
  Bits bits;
  static_assert(sizeof(bits) == sizeof(number));
  std::memcpy(&bits, &number, sizeof(bits));
  return bits;
}

void TextForm::value(float &number) {
  if (out)
    return out->put(float32Text(bitsOf<float, uint32_t>(number)));
  number = bitsOf<uint32_t, float>(in->float32());
}

void TextForm::value(double &number) {
  if (out)
    return out->put(float64Text(bitsOf<double, uint64_t>(number)));
  number = bitsOf<uint64_t, double>(in->float64());
}

void TextForm::value(ElementType &type) {
  if (out)
    return out->put(elementName(type));
  const Token start = in->peek();
  const auto parsed = parseElementName(in->word("an element type"));
  if (!parsed)
    in->error(start, "unknown element type '{}'", start.text);
  type = parsed.value_or(ElementType::F32);
}

bool TextForm::option(std::string_view word, bool isThere) {
  if (in)
    return in->accept(word);
  if (isThere)
    out->put(" {}", word);
  return isThere;
}

void TextForm::choice(const char *yes, const char *no, bool &isYes) {
  if (out)
    return out->put(" {}", isYes ? yes : no);
  isYes = in->accept(yes);
  if (!isYes && !in->accept(no))
    in->expected(fmt::format("'{}' or '{}'", yes, no));
}

} // namespace gaudi::recipe
