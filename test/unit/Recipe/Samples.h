// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recipes that the tests of this room share.
#ifndef GAUDI_TEST_UNIT_RECIPE_SAMPLES_H
#define GAUDI_TEST_UNIT_RECIPE_SAMPLES_H

#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Recipe/Text.h"
#include "Gaudi/Recipe/Writer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gaudi::recipe::test {

/// A valid recipe with every kind of command of format 1.0, in canonical text
/// form, one with those of 1.1, and those with what 1.2 to 1.7 add.
extern const char *const sampleText;
extern const char *const gradientText;
extern const char *const rowsText;
extern const char *const programText;
extern const char *const fusionText;
extern const char *const permutationText;
extern const char *const memoryText;
extern const char *const dispatchText;
extern const char *const roundingText;
extern const char *const attentionText;

/// The bytes of a recipe given as text; empty (and a failed test) on errors.
std::vector<uint8_t> bytesOfText(const std::string &text, bool verify = true);

/// What the verifier says of a recipe given as text: "ok", or its message.
std::string verify(const std::string &text);

inline ByteSpan spanOf(const std::vector<uint8_t> &bytes) {
  return {bytes.data(), bytes.size()};
}

/// Computes both checksums again after bytes were changed.
void reseal(std::vector<uint8_t> &bytes);

std::string printed(const RecipeFile &file, const PrintOptions &options = {});

/// The whole file; fails the test when it cannot be read.
std::vector<uint8_t> readFile(const std::string &path);

/// A directory of its own for the running test, removed at its end.
class ScratchDirectory {
public:
  ScratchDirectory();
  ~ScratchDirectory();
  std::string operator/(const std::string &name) const {
    return path + "/" + name;
  }
  /// Names of the files in it, sorted.
  std::vector<std::string> names() const;

  std::string path;
};

} // namespace gaudi::recipe::test

#endif // GAUDI_TEST_UNIT_RECIPE_SAMPLES_H
