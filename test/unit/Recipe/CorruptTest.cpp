// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every checked-in corrupt file is rejected with its own message.
#include "Defects.h"
#include "Samples.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>

using namespace gaudi;
using namespace gaudi::recipe;
using namespace gaudi::recipe::test;

namespace {

const std::string corrupt = GAUDI_RECIPE_TEST_DATA "/corrupt/";

TEST(Corrupt, EveryDefectIsRejectedWithItsMessage) {
  for (const Defect &defect : defects()) {
    const std::string path = corrupt + defect.name + ".recipe";
    Result<RecipeFile> file = RecipeFile::open(path);
    if (file)
      ADD_FAILURE() << defect.name << " was accepted";
    else
      EXPECT_EQ(file.error().message, path + ": " + defect.expected)
          << defect.name;
  }
}

TEST(Corrupt, FilesAreWhatTheGeneratorMakes) {
  std::set<std::string> names;
  for (const Defect &defect : defects()) {
    EXPECT_TRUE(names.insert(defect.name + ".recipe").second) << defect.name;
    EXPECT_EQ(readFile(corrupt + defect.name + ".recipe"), defect.make())
        << defect.name << " is outdated: run RecipeCorpus --write test/Recipe";
  }
  for (const auto &file : std::filesystem::directory_iterator(corrupt))
    EXPECT_TRUE(names.count(file.path().filename().string()))
        << file.path() << " is not in the table";
}

TEST(Corrupt, WithoutChecksumsOfConstantsOnlyTheirDamageIsAccepted) {
  OpenOptions options;
  options.verifyConstants = false;
  for (const Defect &defect : defects()) {
    Result<RecipeFile> file =
        RecipeFile::open(corrupt + defect.name + ".recipe", options);
    EXPECT_EQ(bool(file), defect.name == "constant-damaged") << defect.name;
  }
}

} // namespace
