// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns a verified recipe into prepared commands.
#ifndef GAUDI_LIB_RUNTIME_LOADER_H
#define GAUDI_LIB_RUNTIME_LOADER_H

#include "LoadedRecipe.h"

namespace gaudi::runtime {

/// `options` with everything filled in. `other`: the same recipe with the same
/// options; its code is shared, and what it has verified is not read again.
Result<std::unique_ptr<LoadedRecipe>>
loadRecipe(std::shared_ptr<const recipe::RecipeFile> file,
           const LoadOptions &options, const LoadedRecipe *other = nullptr);

/// `command 3 "tpc.add" (model.mlir:3:8)`.
std::string commandText(const recipe::Recipe &recipe,
                        const recipe::Command &command, uint32_t index);

/// Name, type and dense shape of a tensor.
TensorInfo infoOf(const recipe::Recipe &recipe, uint32_t tensor);

/// The tensor as the host sees it, in the user's order of dimensions.
Layout hostLayout(const recipe::Tensor &tensor);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_LOADER_H
