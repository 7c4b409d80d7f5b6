// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the environment variables of the recipe cache.
#include "Gaudi/Runtime/Device/RecipeCacheConfig.h"

#include "Gaudi/Support/Environment.h"
#include "Gaudi/Support/Quote.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>

namespace gaudi::runtime {

namespace {

constexpr uint64_t megabyte = uint64_t(1) << 20;
constexpr uint64_t leastEntries = 3, lazyEntries = 30000;

Result<uint64_t> numberOf(std::string_view text, uint64_t most) {
  uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number > most)
    return fail("expected a whole number from 0 to {} but got {}", most,
                inQuotes(text));
  return number;
}

Result<uint64_t> sizeOf(std::string_view text) {
  return GAUDI_TRY(numberOf(text, UINT64_MAX / megabyte)) * megabyte;
}

/// The value of a variable, or nothing if it is not set or empty; the error
/// names it.
template <typename Read>
auto read(const char *name, Read &&readValue) -> Result<
    std::optional<std::decay_t<decltype(*readValue(std::string_view()))>>> {
  const auto text = environmentVariable(name);
  if (!text || text->empty())
    return std::nullopt;
  auto value = readValue(*text);
  if (!value)
    return fail("{}: {}", name, value.error().message);
  return std::optional(std::move(*value));
}

} // namespace

Result<RecipeFolderConfig> parseRecipeFolderConfig(std::string_view text) {
  constexpr size_t mostFields = 4;
  std::string_view fields[mostFields];
  size_t count = 0;
  for (size_t begin = 0; begin <= text.size(); ++count) {
    const size_t comma = std::min(text.find(',', begin), text.size());
    if (count == mostFields)
      return fail("expected PATH[,DELETE_ON_INIT[,SIZE_MB]] but got {}",
                  inQuotes(text));
    fields[count] = trimmed(text.substr(begin, comma - begin));
    begin = comma + 1;
  }
  RecipeFolderConfig config;
  config.path = std::string(fields[0]);
  const auto deletes = switchOf(fields[1]);
  if (!deletes)
    return fail("DELETE_ON_INIT, the second field of {}: {}; write "
                "PATH,DELETE_ON_INIT,SIZE_MB, such as {},false,{}",
                inQuotes(text), deletes.error().message, config.path,
                sizeOf(fields[1]) ? fields[1] : "1024");
  config.deleteOnInit = *deletes;
  if (!fields[2].empty()) {
    const auto limit = sizeOf(fields[2]);
    if (!limit)
      return fail("SIZE_MB, the third field of {}: {}; write "
                  "PATH,DELETE_ON_INIT,SIZE_MB, such as {},false,1024",
                  inQuotes(text), limit.error().message, config.path);
    config.limitBytes = *limit;
  }
  GAUDI_TRY(switchOf(fields[3]));
  return config;
}

Result<RecipeCacheEnvironment> recipeCacheEnvironment(std::string version,
                                                      const char *given) {
  RecipeCacheEnvironment environment;
  RecipeCacheOptions &options = environment.options;
  RecipeFolderConfig &folder = options.folder;
  constexpr const char *config = "PT_HPU_RECIPE_CACHE_CONFIG";
  if (given)
    folder = GAUDI_TRY(parseRecipeFolderConfig(given));
  else if (const auto set = GAUDI_TRY(read(config, parseRecipeFolderConfig)))
    folder = *set;
  // An empty variable is set, too: the cache is off then.
  const bool replaced = given || environmentVariable(config);
  constexpr const char *deprecated[] = {"PT_RECIPE_CACHE_PATH",
                                        "PT_CACHE_FOLDER_DELETE",
                                        "PT_CACHE_FOLDER_SIZE_MB"};
  if (!replaced) {
    if (const auto path = environmentVariable(deprecated[0]))
      folder.path = std::string(*path);
    folder.deleteOnInit =
        GAUDI_TRY(read(deprecated[1], switchOf)).value_or(false);
    folder.limitBytes =
        GAUDI_TRY(read(deprecated[2], sizeOf)).value_or(folder.limitBytes);
  }
  const auto numberOfProcess = [](const char *name,
                                  const char *other) -> Result<std::string> {
    const std::string_view rank = GAUDI_TRY(rankOf(name, other));
    return std::string(rank.empty() ? "0" : rank);
  };
  const std::string rank =
      GAUDI_TRY(numberOfProcess("RANK", "OMPI_COMM_WORLD_RANK"));
  const std::string localRank =
      GAUDI_TRY(numberOfProcess("LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK"));
  if (rank == "0")
    for (const char *name : deprecated)
      if (environmentVariable(name))
        environment.warnings.push_back(
            replaced
                ? fmt::format("{} is ignored, because {} is set", name, config)
                : fmt::format("{} is deprecated; use "
                              "{}=PATH,DELETE_ON_INIT,SIZE_MB",
                              name, config));
  folder.deleteOnInit = folder.deleteOnInit && localRank == "0";
  if (!folder.path.empty() &&
      GAUDI_TRY(read("PT_HPU_INFERENCE_MODE", switchOf)).value_or(false))
    folder.path += fmt::format("/{}", rank);
  // The process may go to another folder before it stores.
  std::error_code ignored;
  if (auto path = std::filesystem::absolute(folder.path, ignored);
      !folder.path.empty() && !ignored)
    folder.path = path.string();

  options.keepInMemory =
      GAUDI_TRY(read("PT_HPU_PGM_ENABLE_CACHE", switchOf)).value_or(true);
  const auto number = [](std::string_view text) {
    return numberOf(text, UINT32_MAX);
  };
  if (GAUDI_TRY(read("PT_HPU_LAZY_MODE", number)).value_or(0) != 0)
    options.memoryEntries = lazyEntries;
  options.memoryEntries = std::max(GAUDI_TRY(read("HABANA_PGM_LRU_MAX", number))
                                       .value_or(options.memoryEntries),
                                   leastEntries);
  if (!GAUDI_TRY(read("PT_RECIPE_CACHE_IGNORE_VERSION", switchOf))
           .value_or(false))
    options.version = std::move(version);
  return environment;
}

} // namespace gaudi::runtime
