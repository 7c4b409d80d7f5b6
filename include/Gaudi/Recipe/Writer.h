// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes recipes: metadata objects and constant bytes to one file.
//
// The same input always gives the same bytes. Constants are given in parts, so
// that a compiler need not first copy hundreds of megabytes together.
#ifndef GAUDI_RECIPE_WRITER_H
#define GAUDI_RECIPE_WRITER_H

#include "Gaudi/Recipe/Recipe_generated.h"
#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gaudi::recipe {

/// `size` bytes that go to byte `offset` of their section. The memory must
/// stay valid until the writer returns.
struct ConstPiece {
  uint64_t offset = 0;
  const uint8_t *data = nullptr;
  uint64_t size = 0;
};

/// The contents of one const section, pieces in ascending order without
/// overlap. Bytes that no piece covers are zero.
struct ConstData {
  uint32_t section = 0;
  std::vector<ConstPiece> pieces;
};

class RecipeFile;
/// Those of a file, for one that has the same sections. They refer to its
/// memory.
std::vector<ConstData> constantsOf(const RecipeFile &file);

struct WriteOptions {
  /// Refuse to write what the reader would reject.
  bool verify = true;
};

/// The recipe file as bytes. Fills `file_offset` and `checksum` of the
/// sections of `recipe`; everything else is written as it is.
Result<std::vector<uint8_t>>
writeRecipe(RecipeT &recipe, const std::vector<ConstData> &constants,
            const WriteOptions &options = {});

/// The same to a file. The bytes go to a temporary file beside `path` that is
/// renamed at the end, so `path` holds either what it held before or the whole
/// recipe. Errors are one line that names the file; a full disk also names
/// the bytes needed.
Status writeRecipeFile(const std::string &path, RecipeT &recipe,
                       const std::vector<ConstData> &constants,
                       const WriteOptions &options = {});

} // namespace gaudi::recipe

#endif // GAUDI_RECIPE_WRITER_H
