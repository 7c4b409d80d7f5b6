// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the table of defects is made: edits of the sample recipe.
#ifndef GAUDI_TEST_UNIT_RECIPE_DEFECTMAKERS_H
#define GAUDI_TEST_UNIT_RECIPE_DEFECTMAKERS_H

#include "Defects.h"
#include "Samples.h"

#include <cstring>

namespace gaudi::recipe::test {

using Bytes = std::vector<uint8_t>;

/// The sample with the first `from` replaced by `to`.
Defect edit(const char *name, const char *from, const char *to,
            const char *expected, const char *sample = sampleText);

/// The sample after a change of its objects, for what text cannot say.
Defect change(const char *name, std::function<void(RecipeT &)> apply,
              const std::string &expected, const char *sample = sampleText);

/// The sample's file after a change of its bytes.
Defect damage(const char *name, std::function<void(Bytes &)> apply,
              const std::string &expected, const char *sample = sampleText);

/// As `damage`, with checksums that match.
Defect forge(const char *name, std::function<void(Bytes &)> apply,
             const std::string &expected, const char *sample = sampleText);

template <typename T> void put(Bytes &bytes, size_t at, T value) {
  std::memcpy(&bytes[at], &value, sizeof(value));
}

// The parts of the table.
std::vector<Defect> containerDefects();
std::vector<Defect> memoryDefects();
std::vector<Defect> kernelDefects();
std::vector<Defect> stageDefects();
std::vector<Defect> commandDefects();
std::vector<Defect> convolutionDefects();
std::vector<Defect> gradientDefects();
std::vector<Defect> rowsDefects();
std::vector<Defect> timeDefects();
std::vector<Defect> initialDefects();
std::vector<Defect> programDefects();
std::vector<Defect> fusionDefects();
std::vector<Defect> permutationDefects();
std::vector<Defect> planDefects();
std::vector<Defect> attentionDefects();
std::vector<Defect> dispatchDefects();

} // namespace gaudi::recipe::test

#endif // GAUDI_TEST_UNIT_RECIPE_DEFECTMAKERS_H
