// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which entries a host may launch, and which tensors are views or states.
#ifndef GAUDI_RECIPE_ENTRIES_H
#define GAUDI_RECIPE_ENTRIES_H

#include "Gaudi/Recipe/Recipe_generated.h"

#include <cstdint>
#include <vector>

namespace gaudi::recipe {

/// Numbers of all entries but parts of programs and variants of other entries,
/// in ascending order.
std::vector<uint32_t> callableEntries(const Recipe &recipe);

/// The tensor whose bytes `tensor` is a view of, directly or through others;
/// itself if it is not a view.
uint32_t rootOf(const Recipe &recipe, uint32_t tensor);

/// Whether the tensor keeps its bytes from launch to launch.
bool isState(const Recipe &recipe, uint32_t tensor);

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_ENTRIES_H
