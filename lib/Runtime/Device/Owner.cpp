// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts that blocks of device memory share.
#include "Gaudi/Runtime/Device/Owner.h"

#include "Gaudi/Support/Quote.h"

namespace gaudi::runtime {

uint32_t OwnerTexts::intern(std::string_view text) {
  const auto found = numbers.find(text);
  if (found != numbers.end())
    return found->second;
  texts.emplace_back(text);
  return numbers.emplace(texts.back(), uint32_t(texts.size() - 1))
      .first->second;
}

std::string OwnerTexts::describe(const Owner &owner) const {
  std::string text =
      owner.name ? inQuotes(texts[owner.name]) : "unnamed memory";
  if (owner.shape)
    text += " " + printable(texts[owner.shape]);
  if (owner.where)
    text += " (allocated at " + printable(texts[owner.where]) + ")";
  return text;
}

} // namespace gaudi::runtime
