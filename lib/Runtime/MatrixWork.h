// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a recipe leaves to the matrix engine's library: matrix commands, and
// contractions of integers that it finds in kernels.
#ifndef GAUDI_LIB_RUNTIME_MATRIXWORK_H
#define GAUDI_LIB_RUNTIME_MATRIXWORK_H

#include "Integers/Contraction.h"

#include "Gaudi/Recipe/Reader.h"

namespace gaudi::runtime {

struct MmeApi;

struct MatrixWork {
  /// By entry and command, of operands that have no addresses yet. Each kernel
  /// is looked at once per command.
  std::vector<std::vector<FoundContraction>> contractions;
  const MmeApi *mme = nullptr; // null if there is nothing to do
  /// What one command takes of the staging memory at most.
  uint64_t staging = 0;
};

/// Opens the library if the recipe needs it.
Result<MatrixWork> findMatrixWork(const recipe::Recipe &recipe);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MATRIXWORK_H
