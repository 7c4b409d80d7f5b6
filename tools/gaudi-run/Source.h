// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file the user names: a recipe or a model, recognised by its first bytes.
#ifndef GAUDI_RUN_SOURCE_H
#define GAUDI_RUN_SOURCE_H

#include "Gaudi/Recipe/FileKind.h"
#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Support/Error.h"
#include "Options.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

namespace gaudi::run {

using SourceKind = recipe::FileKind;

/// Errors: missing, unreadable, a directory, empty, neither of both. Here and
/// below, "-" is standard input, which is read once and kept.
Result<SourceKind> kindOfFile(const std::string &path);

Result<recipe::RecipeFile> openRecipe(const std::string &path,
                                      const recipe::OpenOptions &options);

/// The recipe of --predict or --plan-memory, which use no byte of its
/// constants. Errors: options that only models have, those of checkDevice, a
/// histogram for a recipe without dynamic sizes.
Result<recipe::RecipeFile> openToPlan(const Options &options);

/// Fails if --device names another device than that of the recipe.
Status checkDevice(const recipe::Recipe &recipe, const Options &options);

/// Fails if --save-recipe names the model itself.
Status checkSave(const Options &options);

/// True if two paths name one regular file, or one that is yet to be made.
bool sameFile(const std::string &a, const std::string &b);

/// A whole file in memory, aligned for MLIR bytecode and followed by a zero
/// byte, as the MLIR parser requires.
class FileBytes {
public:
  static Result<FileBytes> read(const std::string &path);
  std::string_view text() const { return {data.get(), size}; }
  bool isBytecode() const { return recipe::isBytecode(text()); }
  /// The text for a person; empty for bytecode.
  std::string_view modelText() const {
    return data && !isBytecode() ? text() : std::string_view();
  }

private:
  struct Free {
    void operator()(char *bytes) const { std::free(bytes); }
  };
  std::unique_ptr<char, Free> data;
  size_t size = 0;
};

} // namespace gaudi::run

#endif // GAUDI_RUN_SOURCE_H
