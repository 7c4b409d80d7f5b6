// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recipes and models by the first bytes of their files.
#ifndef GAUDI_RECIPE_FILEKIND_H
#define GAUDI_RECIPE_FILEKIND_H

#include "Gaudi/Support/Error.h"

#include <string>
#include <string_view>

namespace gaudi::recipe {

enum class FileKind {
  Recipe,
  Model ///< MLIR, text or bytecode
};

/// By content where that is unambiguous, else by the ending of `path`;
/// `isUnnamed`: it has none and may be text. `head`: the first 256 bytes, or
/// all. Errors: neither of both; formats that a converter reads (ONNX, PyTorch,
/// StableHLO bytecode, ...) are named with it.
Result<FileKind> kindOfBytes(std::string_view head, const std::string &path,
                             bool isUnnamed);

/// What a file of another format is and what helps, such as "compressed by
/// gzip; unpack it: gunzip FILE"; "" for a format that is not known.
std::string describeForeign(std::string_view head);

/// True for bytes that text does not have; a terminal may act on them.
bool isBinary(std::string_view head);

/// Whether a model is in MLIR's bytecode.
bool isBytecode(std::string_view model);

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_FILEKIND_H
