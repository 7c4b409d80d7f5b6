// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys of recipes: named parts with a digest each, as memory, files and
// explanations need them.
//
// Stored form: the number of parts, a row per part (bytes of name and value,
// digest), names, values. The head, all before the values, is short and enough
// to compare keys for likeness; only values prove that keys are equal.
#ifndef GAUDI_LIB_RUNTIME_DEVICE_RECIPEKEY_H
#define GAUDI_LIB_RUNTIME_DEVICE_RECIPEKEY_H

#include "Gaudi/Runtime/Device/RecipeCache.h"

namespace gaudi::runtime {

using RecipeId = std::array<uint64_t, 2>;
using StoredKey = std::vector<uint8_t>;

/// A key that was looked up. The values are the caller's memory.
class RecipeKey {
public:
  /// `version` is one more part unless it is empty.
  RecipeKey(const std::vector<RecipePart> &parts, const std::string &version);

  const RecipeId &id() const { return hash; }
  recipe::ByteSpan head() const { return {headBytes.data(), headBytes.size()}; }
  uint64_t storedBytes() const;
  StoredKey stored() const;
  bool equals(recipe::ByteSpan stored) const;

private:
  std::vector<RecipePart> parts;
  std::vector<uint8_t> headBytes;
  RecipeId hash;
};

/// What the head says of a part.
struct PartHead {
  std::string name;
  uint64_t bytes = 0;
  RecipeId digest = {};
  bool operator==(const PartHead &other) const;
};

/// The parts, from the beginning of a stored key; nothing if that is cut or no
/// key.
std::optional<std::vector<PartHead>> readHead(recipe::ByteSpan start);

/// How many parts are in one of the keys only or differ, and whether any is
/// equal.
struct KeyDistance {
  size_t differences = 0;
  bool hasEqual = false;
};
KeyDistance distance(const std::vector<PartHead> &one,
                     const std::vector<PartHead> &other);

/// The parts in which two stored keys differ.
std::vector<RecipeDifference> differencesOf(recipe::ByteSpan was,
                                            recipe::ByteSpan is);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_DEVICE_RECIPEKEY_H
