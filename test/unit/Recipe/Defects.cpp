// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of defects, and how its entries are made.
#include "Defects.h"

#include "DefectMakers.h"

#include <gtest/gtest.h>
#include <iterator>

namespace gaudi::recipe::test {

Defect edit(const char *name, const char *from, const char *to,
            const char *expected, const char *sample) {
  return {name,
          [=] {
            std::string text = sample;
            const size_t at = text.find(from);
            EXPECT_NE(at, std::string::npos) << name << ": " << from;
            if (at != std::string::npos)
              text.replace(at, std::strlen(from), to);
            return bytesOfText(text, /*verify=*/false);
          },
          expected};
}

Defect change(const char *name, std::function<void(RecipeT &)> apply,
              const std::string &expected, const char *sample) {
  return {name,
          [=] {
            Result<ParsedRecipe> parsed = parseRecipeText(sample);
            EXPECT_TRUE(parsed) << name;
            apply(parsed->recipe);
            WriteOptions options;
            options.verify = false;
            Result<std::vector<uint8_t>> bytes =
                writeRecipe(parsed->recipe, parsed->constants(), options);
            EXPECT_TRUE(bytes) << name;
            return bytes.value_or(std::vector<uint8_t>());
          },
          expected};
}

Defect damage(const char *name, std::function<void(Bytes &)> apply,
              const std::string &expected, const char *sample) {
  return {name,
          [=] {
            Bytes bytes = bytesOfText(sample);
            apply(bytes);
            return bytes;
          },
          expected};
}

Defect forge(const char *name, std::function<void(Bytes &)> apply,
             const std::string &expected, const char *sample) {
  return damage(
      name,
      [=](Bytes &bytes) {
        apply(bytes);
        reseal(bytes);
      },
      expected, sample);
}

const std::vector<Defect> &defects() {
  static const std::vector<Defect> all = [] {
    std::vector<Defect> result;
    for (auto part :
         {containerDefects, memoryDefects, kernelDefects, stageDefects,
          commandDefects, convolutionDefects, gradientDefects, rowsDefects,
          timeDefects, initialDefects, programDefects, fusionDefects,
          permutationDefects, planDefects, attentionDefects, dispatchDefects}) {
      std::vector<Defect> more = part();
      std::move(more.begin(), more.end(), std::back_inserter(result));
    }
    return result;
  }();
  return all;
}

} // namespace gaudi::recipe::test
