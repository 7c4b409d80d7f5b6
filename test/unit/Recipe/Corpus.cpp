// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the checked-in recipes: golden/ and corrupt/ of test/Recipe.
#include "Defects.h"
#include "Samples.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

using namespace gaudi::recipe::test;

namespace {

bool write(const std::filesystem::path &path, const void *data, size_t size) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(static_cast<const char *>(data), std::streamsize(size));
  out.close();
  if (!out)
    std::cerr << "cannot write '" << path.string() << "'\n";
  return bool(out);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3 || std::string(argv[1]) != "--write") {
    std::cerr << "usage: RecipeCorpus --write DIR\n";
    return 2;
  }
  const std::filesystem::path root = argv[2];
  std::error_code error;
  std::filesystem::create_directories(root / "golden", error);
  std::filesystem::create_directories(root / "corrupt", error);
  if (error) {
    std::cerr << "cannot create '" << root.string() << "': " << error.message()
              << "\n";
    return 1;
  }
  bool ok = true;
  for (const auto &[name, text] :
       {std::pair("v1.0", sampleText), std::pair("v1.1", gradientText),
        std::pair("v1.2", programText), std::pair("v1.3", fusionText),
        std::pair("v1.3-attention", attentionText),
        std::pair("v1.4", permutationText), std::pair("v1.5", memoryText),
        std::pair("v1.6", dispatchText), std::pair("v1.7", roundingText)}) {
    const std::vector<uint8_t> golden = bytesOfText(text);
    const std::filesystem::path path = root / "golden" / name;
    ok = ok && write(path.string() + ".recipe", golden.data(), golden.size()) &&
         write(path.string() + ".txt", text, std::strlen(text));
  }
  for (const Defect &defect : defects()) {
    const std::vector<uint8_t> bytes = defect.make();
    ok = ok && write(root / "corrupt" / (defect.name + ".recipe"), bytes.data(),
                     bytes.size());
  }
  return ok ? 0 : 1;
}
