// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which instruction of a kernel is another one than in the model's recipe, and
// which op it is of. A recipe has one location for a kernel.
#ifndef GAUDI_RUN_KERNELDIFFERENCE_H
#define GAUDI_RUN_KERNELDIFFERENCE_H

#include "Gaudi/Recipe/Reader.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gaudi::run {

/// An entry of a recipe.
struct EntryOf {
  const recipe::RecipeFile &file;
  std::string name;
};

/// Adds to a report of `bisect` about a kernel of `suspect` its first
/// instruction that differs from that of the counterpart in the model's recipe,
/// and the op of the model that this is of, where there is only one. Nothing if
/// the instructions are the same, or a kernel is not found.
void addInstruction(const EntryOf &suspect, const EntryOf &model,
                    nlohmann::ordered_json &report);

} // namespace gaudi::run

#endif // GAUDI_RUN_KERNELDIFFERENCE_H
