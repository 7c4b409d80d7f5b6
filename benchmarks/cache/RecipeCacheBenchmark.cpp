// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long a hit of the recipe cache takes, in memory and on disk with a warm
// page cache, beside opening and verifying the same file.
//
// Usage: RecipeCacheBenchmark [FILE.recipe...]
//
// Without files: a recipe of 1 MB that is mostly constants. Each time is the
// best of many rounds; the key has a text of 4 KiB, or of the recipe's size.
#include "../../test/unit/Runtime/Device/CachedRecipe.h"

#include "Gaudi/Runtime/Device/RecipeCache.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>

using namespace gaudi;
using namespace gaudi::runtime;

namespace {

[[noreturn]] void stop(const std::string &text) {
  std::fprintf(stderr, "RecipeCacheBenchmark: error: %s\n", text.c_str());
  std::exit(2);
}

/// Microseconds of a call.
double best(unsigned calls, const std::function<void()> &work) {
  constexpr unsigned rounds = 40;
  double least = 1e300;
  for (unsigned round = 0; round < rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (unsigned i = 0; i < calls; ++i)
      work();
    const std::chrono::duration<double, std::micro> time =
        std::chrono::steady_clock::now() - start;
    least = std::min(least, time.count() / calls);
  }
  return least;
}

void measure(const std::string &name, const std::string &folder,
             const std::shared_ptr<const recipe::RecipeFile> &file) {
  RecipeCacheOptions options;
  options.folder.path = folder;
  for (const size_t keyBytes : {size_t(4096), size_t(file->fileSize())}) {
    const std::string source(keyBytes, 'x');
    const std::vector<RecipePart> parts = {
        {"source",
         {reinterpret_cast<const uint8_t *>(source.data()), source.size()}},
        {"device", {reinterpret_cast<const uint8_t *>("gaudi2"), 6}}};
    const auto hit = [&](RecipeCache &cache, RecipeLevel level) {
      if (cache.lookup(parts).level != level)
        stop("a miss");
    };
    options.keepInMemory = true;
    RecipeCache memory(options);
    memory.store(parts, file);
    memory.flush();
    options.keepInMemory = false;
    RecipeCache disk(options);
    std::string path;
    for (const auto &entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".recipe")
        path = entry.path();
    const double inMemory =
        best(1000, [&] { hit(memory, RecipeLevel::Memory); });
    const double onDisk = best(20, [&] { hit(disk, RecipeLevel::Disk); });
    const double opened = best(20, [&] {
      recipe::OpenOptions one;
      one.threads = 1;
      if (!recipe::RecipeFile::open(path, one))
        stop("cannot open " + path);
    });
    std::printf("%-20s %10zu %10zu %10.2f %10.1f %10.1f\n", name.c_str(),
                size_t(file->fileSize()), keyBytes, inMemory, onDisk, opened);
    std::filesystem::remove_all(folder);
  }
}

} // namespace

int main(int argc, char **argv) {
  std::string folder =
      (std::filesystem::temp_directory_path() / "gaudi-XXXXXX").string();
  if (!::mkdtemp(folder.data()))
    stop("cannot make " + folder);
  std::printf("%-20s %10s %10s %10s %10s %10s\n", "recipe", "bytes",
              "key bytes", "memory us", "disk us", "open us");
  if (argc == 1)
    measure("constants", folder, test::cachedRecipe(1, 1000000));
  for (int i = 1; i < argc; ++i) {
    auto file = recipe::RecipeFile::open(argv[i]);
    if (!file)
      stop(file.error().message);
    measure(std::filesystem::path(argv[i]).stem(), folder,
            std::make_shared<const recipe::RecipeFile>(std::move(*file)));
  }
  std::filesystem::remove_all(folder);
  return 0;
}
