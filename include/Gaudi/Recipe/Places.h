// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names that a front end has for the lines of the text that it made.
#ifndef GAUDI_RECIPE_PLACES_H
#define GAUDI_RECIPE_PLACES_H

#include "Gaudi/Recipe/Reader.h"

#include <string>
#include <string_view>
#include <vector>

namespace gaudi::recipe {

/// The location or text with `places[L - 1]` in place of "SOURCE:L:C"; lines
/// without a place, or with an empty one, stay.
std::string withPlaces(std::string text, std::string_view source,
                       const std::vector<std::string> &places);

/// A recipe whose locations, and what passes said, have places. `source`: what
/// locations call the text that the recipe was compiled from. The bytes of a
/// recipe file.
Result<std::vector<uint8_t>> withPlaces(const RecipeFile &file,
                                        std::string_view source,
                                        const std::vector<std::string> &places);

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_PLACES_H
