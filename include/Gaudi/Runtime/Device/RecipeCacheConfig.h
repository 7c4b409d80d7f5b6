// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Settings of the recipe cache, by the environment variables of Gaudi's PyTorch
// bridge (docs/cache.md, "Recipes").
#ifndef GAUDI_RUNTIME_DEVICE_RECIPECACHECONFIG_H
#define GAUDI_RUNTIME_DEVICE_RECIPECACHECONFIG_H

#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gaudi::runtime {

/// The folder of recipes on disk.
struct RecipeFolderConfig {
  std::string path; ///< empty: no cache on disk
  bool deleteOnInit = false;
  uint64_t limitBytes = uint64_t(1024) << 20; ///< 0: nothing is evicted
};

/// Reads PATH[,DELETE_ON_INIT[,SIZE_MB[,ON_NFS]]]; an empty field has its
/// default. Later releases of the bridge have the fourth field, which has no
/// effect here: flock works on NFS. Errors: more fields, a switch that is none,
/// a size that is no number of megabytes (2^20 bytes).
Result<RecipeFolderConfig> parseRecipeFolderConfig(std::string_view text);

/// What the log says of a recipe that was evicted.
enum class EvictionLine {
  Bridge,       ///< "[CACHEFILE] Removed IDsuccessfully. ...", as it is printed
  Documentation ///< "Removed ID successfully. ...", as its page has it
};

struct RecipeCacheOptions {
  RecipeFolderConfig folder;
  /// What makes recipes of equal parts unlike: the build of the compiler. A
  /// hash of it is in the names of files. Empty: recipes of all builds count.
  std::string version;
  bool keepInMemory = true;
  /// Recipes in memory, and their bytes; those in use are kept beyond both.
  uint64_t memoryEntries = 100000;
  uint64_t memoryBytes = uint64_t(4) << 30;
  EvictionLine evictionLine = EvictionLine::Bridge;
};

/// What environment variables say, and warnings for people (of the process of
/// rank 0).
struct RecipeCacheEnvironment {
  RecipeCacheOptions options;
  std::vector<std::string> warnings;
};

/// Reads `config` if there is one, else PT_HPU_RECIPE_CACHE_CONFIG, else the
/// deprecated PT_RECIPE_CACHE_PATH, PT_CACHE_FOLDER_DELETE and
/// PT_CACHE_FOLDER_SIZE_MB; PT_HPU_PGM_ENABLE_CACHE, HABANA_PGM_LRU_MAX (at
/// least 3), PT_HPU_LAZY_MODE (not 0: 30,000 recipes in memory),
/// PT_RECIPE_CACHE_IGNORE_VERSION, PT_HPU_INFERENCE_MODE (each rank has a
/// folder of its own), and LOCAL_RANK: only rank 0 of a host deletes. Errors
/// name the variable. `version`: as in RecipeCacheOptions.
Result<RecipeCacheEnvironment>
recipeCacheEnvironment(std::string version, const char *config = nullptr);

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_DEVICE_RECIPECACHECONFIG_H
