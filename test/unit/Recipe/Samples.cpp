// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers of the recipe tests.
#include "Samples.h"

#include "Gaudi/Recipe/Container.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace gaudi::recipe::test {

std::string verify(const std::string &text) {
  Result<ParsedRecipe> parsed = parseRecipeText(text);
  if (!parsed)
    return parsed.error().message;
  auto bytes = writeRecipe(parsed->recipe, parsed->constants());
  if (bytes)
    return "ok";
  const std::string prefix = "the recipe to write is not valid: ";
  EXPECT_EQ(bytes.error().message.substr(0, prefix.size()), prefix);
  return bytes.error().message.substr(prefix.size());
}

std::vector<uint8_t> bytesOfText(const std::string &text, bool verify) {
  Result<ParsedRecipe> parsed = parseRecipeText(text);
  if (!parsed) {
    ADD_FAILURE() << parsed.error().message;
    return {};
  }
  WriteOptions options;
  options.verify = verify;
  Result<std::vector<uint8_t>> bytes =
      writeRecipe(parsed->recipe, parsed->constants(), options);
  if (!bytes) {
    ADD_FAILURE() << bytes.error().message;
    return {};
  }
  return *bytes;
}

void reseal(std::vector<uint8_t> &bytes) {
  auto get = [&](size_t at) {
    uint64_t value;
    std::memcpy(&value, &bytes[at], sizeof(value));
    return value;
  };
  auto put = [&](size_t at, uint64_t value) {
    std::memcpy(&bytes[at], &value, sizeof(value));
  };
  const uint64_t offset = get(32), size = get(40);
  if (offset <= bytes.size() && size <= bytes.size() - offset)
    put(48, checksumOf(bytes.data() + offset, size));
  put(56, 0);
  put(56, checksumOf(bytes.data(), headerBytes));
}

std::string printed(const RecipeFile &file, const PrintOptions &options) {
  std::ostringstream out;
  printRecipe(out, file, options);
  return out.str();
}

std::vector<uint8_t> readFile(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in.good()) << path;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

ScratchDirectory::ScratchDirectory() {
  std::string pattern =
      (std::filesystem::temp_directory_path() / "recipe-XXXXXX").string();
  path = ::mkdtemp(pattern.data());
}

ScratchDirectory::~ScratchDirectory() { std::filesystem::remove_all(path); }

std::vector<std::string> ScratchDirectory::names() const {
  std::vector<std::string> result;
  for (const auto &file : std::filesystem::directory_iterator(path))
    result.push_back(file.path().filename().string());
  std::sort(result.begin(), result.end());
  return result;
}

} // namespace gaudi::recipe::test
