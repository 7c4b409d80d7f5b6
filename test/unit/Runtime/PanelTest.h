// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared by the tests of packed constants in the cache.
#ifndef GAUDI_TEST_UNIT_RUNTIME_PANELTEST_H
#define GAUDI_TEST_UNIT_RUNTIME_PANELTEST_H

#include "MatrixTest.h"
#include "TemporaryFolder.h"

#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace gaudi::test {

constexpr int64_t depth = 700, width = 800; // 2.1 MiB of panels

/// out[n] = in x constant[n], for some constants in a file.
class Product {
public:
  Product(std::string path, std::vector<Bytes> weights)
      : path(std::move(path)), weights(std::move(weights)) {
    TestRecipe recipe = build();
    auto bytes = recipe.write();
    if (!bytes) {
      ADD_FAILURE() << bytes.error().message;
      return;
    }
    std::ofstream(this->path, std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char *>(bytes->data()),
               std::streamsize(bytes->size()));
    resolve();
  }

  TestRecipe build() const {
    TestRecipe recipe;
    const uint32_t in = recipe.input(ElementType::F32, {3, depth});
    for (const Bytes &bytes : weights)
      recipe.command(recipe::Engine::MME, "mme.gemm", recipe::GemmT(),
                     {in, recipe.constant(ElementType::F32,
                                          {depth, columns(bytes)}, bytes)},
                     {recipe.output(ElementType::F32, {3, columns(bytes)})});
    return recipe;
  }

  static int64_t columns(const Bytes &bytes) {
    return int64_t(bytes.size() / sizeof(float)) / depth;
  }

  /// Files that changed just now are not noted.
  static void resolve() { ::usleep(150000); }

  std::unique_ptr<runtime::Executable>
  load(const std::string &cache,
       uint64_t limit = runtime::defaultPanelCacheBytes,
       std::string *error = nullptr) const {
    recipe::OpenOptions open;
    open.verifyConstants = false;
    auto file = recipe::RecipeFile::open(path, open);
    if (!file) {
      ADD_FAILURE() << file.error().message;
      return nullptr;
    }
    runtime::LoadOptions options;
    options.cacheDirectory = cache;
    options.panelCacheBytes = limit;
    options.threads = 2;
    auto loaded = runtime::Executable::load(
        std::make_shared<const recipe::RecipeFile>(std::move(*file)), options);
    if (loaded)
      return std::move(*loaded);
    if (error)
      *error = loaded.error().message;
    else
      ADD_FAILURE() << loaded.error().message;
    return nullptr;
  }

  static std::vector<Bytes> results(runtime::Executable &executable) {
    return TestRecipe::run(executable, {bytesOf(Random(9).values(3 * depth))});
  }

  /// As a process of its own: loads, runs, ends. The results must be those
  /// without a cache, bit by bit.
  runtime::PanelStats
  runAlone(const std::string &cache,
           uint64_t limit = runtime::defaultPanelCacheBytes) const {
    std::vector<Bytes> wanted;
    {
      auto plain = load("");
      if (!plain)
        return {};
      wanted = results(*plain);
    }
    auto cached = load(cache, limit);
    if (!cached)
      return {};
    EXPECT_TRUE(results(*cached) == wanted);
    return cached->panels();
  }

  const std::string path;
  const std::vector<Bytes> weights;
};

inline Bytes weights(uint64_t seed) {
  return bytesOf(Random(seed).values(size_t(depth * width)));
}

inline std::vector<std::filesystem::path>
filesIn(const std::filesystem::path &folder) {
  std::vector<std::filesystem::path> files;
  if (std::filesystem::exists(folder))
    for (const auto &entry : std::filesystem::directory_iterator(folder))
      files.push_back(entry.path());
  return files;
}

inline uint64_t diskBytes(const std::filesystem::path &folder) {
  uint64_t total = 0;
  for (const std::filesystem::path &file : filesIn(folder)) {
    struct stat info;
    if (::stat(file.c_str(), &info) == 0)
      total += uint64_t(info.st_blocks) * 512;
  }
  return total;
}

class PanelFiles : public ::testing::Test {
protected:
  /// The same panels on every host.
  const WithKernel kernel{"portable"};
  TemporaryFolder folder;
  const std::string cache = folder.path + "/cache";
  std::string path(const std::string &name) const {
    return folder.path + "/" + name;
  }
  std::vector<std::filesystem::path> panelFiles() const {
    return filesIn(cache + "/panels");
  }
};

} // namespace gaudi::test

#endif // GAUDI_TEST_UNIT_RUNTIME_PANELTEST_H
