// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The recipe cache: settings, levels, the limit, explanations, damage, foreign
// files and folders that cannot be used.
#include "Gaudi/Runtime/Device/RecipeCache.h"

#include "../TemporaryFolder.h"
#include "CachedRecipe.h"

#include <fcntl.h>
#include <fstream>
#include <gmock/gmock.h>
#include <map>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace gaudi;
using namespace gaudi::runtime;
using namespace gaudi::test;
using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

constexpr uint64_t megabyte = 1 << 20;

/// Sets variables until the end of the test, and no others of the cache.
class Environment {
public:
  explicit Environment(std::map<std::string, std::string> values) {
    for (const char *name :
         {"PT_HPU_RECIPE_CACHE_CONFIG", "PT_RECIPE_CACHE_PATH",
          "PT_CACHE_FOLDER_DELETE", "PT_CACHE_FOLDER_SIZE_MB",
          "PT_HPU_PGM_ENABLE_CACHE", "HABANA_PGM_LRU_MAX", "PT_HPU_LAZY_MODE",
          "PT_RECIPE_CACHE_IGNORE_VERSION", "PT_HPU_INFERENCE_MODE", "RANK",
          "LOCAL_RANK", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK"}) {
      const char *value = ::getenv(name);
      before[name] = value ? std::optional<std::string>(value) : std::nullopt;
      const auto given = values.find(name);
      given == values.end() ? ::unsetenv(name)
                            : ::setenv(name, given->second.c_str(), 1);
    }
  }
  ~Environment() {
    for (const auto &[name, value] : before)
      value ? ::setenv(name.c_str(), value->c_str(), 1)
            : ::unsetenv(name.c_str());
  }

private:
  std::map<std::string, std::optional<std::string>> before;
};

RecipeCacheEnvironment environment(std::map<std::string, std::string> values) {
  const Environment set(std::move(values));
  auto read = recipeCacheEnvironment("build");
  EXPECT_TRUE(read) << read.error().message;
  return read ? *read : RecipeCacheEnvironment();
}

std::string errorOf(const char *name, const char *value) {
  const Environment set({{name, value}});
  const auto read = recipeCacheEnvironment("build");
  return read ? "" : read.error().message;
}

TEST(RecipeCacheConfig, Fields) {
  const auto parse = [](const char *text) {
    auto config = parseRecipeFolderConfig(text);
    EXPECT_TRUE(config) << text;
    return config.value_or(RecipeFolderConfig());
  };
  RecipeFolderConfig config = parse("");
  EXPECT_EQ(config.path, "");
  EXPECT_FALSE(config.deleteOnInit);
  EXPECT_EQ(config.limitBytes, 1024 * megabyte);
  config = parse("iter1_recipe_cache/,true,1024");
  EXPECT_EQ(config.path, "iter1_recipe_cache/");
  EXPECT_TRUE(config.deleteOnInit);
  config = parse(" a b , ON ");
  EXPECT_EQ(config.path, "a b");
  EXPECT_TRUE(config.deleteOnInit);
  EXPECT_EQ(parse("a,,7").limitBytes, 7 * megabyte);
  EXPECT_FALSE(parse("a,0,7").deleteOnInit);
  EXPECT_EQ(parse("a,False,0").limitBytes, 0u);
  EXPECT_EQ(parse(",false,1024,false").path, "");
}

TEST(RecipeCacheConfig, Errors) {
  constexpr const char *config = "PT_HPU_RECIPE_CACHE_CONFIG";
  EXPECT_EQ(errorOf(config, "a,b,c,d,e"),
            "PT_HPU_RECIPE_CACHE_CONFIG: expected "
            "PATH[,DELETE_ON_INIT[,SIZE_MB]] but got 'a,b,c,d,e'");
  EXPECT_EQ(errorOf(config, "a,maybe"),
            "PT_HPU_RECIPE_CACHE_CONFIG: DELETE_ON_INIT, the second field of "
            "'a,maybe': expected true or false but got 'maybe'; write "
            "PATH,DELETE_ON_INIT,SIZE_MB, such as a,false,1024");
  EXPECT_THAT(errorOf(config, "a,512"), HasSubstr("such as a,false,512"));
  EXPECT_EQ(errorOf(config, "a,,1.5"),
            "PT_HPU_RECIPE_CACHE_CONFIG: SIZE_MB, the third field of "
            "'a,,1.5': expected a whole number from 0 to 17592186044415 but "
            "got '1.5'; write PATH,DELETE_ON_INIT,SIZE_MB, such as "
            "a,false,1024");
  EXPECT_THAT(errorOf(config, "a,,-1"), HasSubstr("but got '-1'"));
  EXPECT_THAT(errorOf(config, "a,,99999999999999"), HasSubstr("whole number"));
  EXPECT_THAT(errorOf("HABANA_PGM_LRU_MAX", "many"),
              HasSubstr("HABANA_PGM_LRU_MAX: expected a whole number"));
  EXPECT_THAT(errorOf("PT_CACHE_FOLDER_SIZE_MB", "x"),
              HasSubstr("PT_CACHE_FOLDER_SIZE_MB: expected a whole number"));
}

TEST(RecipeCacheConfig, Environment) {
  RecipeCacheEnvironment read = environment({});
  EXPECT_EQ(read.options.folder.path, "");
  EXPECT_EQ(read.options.memoryEntries, 100000u);
  EXPECT_EQ(read.options.version, "build");
  EXPECT_TRUE(read.options.keepInMemory);
  EXPECT_TRUE(read.warnings.empty());
  read = environment({{"PT_HPU_LAZY_MODE", "3"},
                      {"PT_HPU_PGM_ENABLE_CACHE", "0"},
                      {"PT_RECIPE_CACHE_IGNORE_VERSION", "1"}});
  EXPECT_EQ(read.options.memoryEntries, 30000u);
  EXPECT_FALSE(read.options.keepInMemory);
  EXPECT_EQ(read.options.version, "");
  EXPECT_EQ(environment({{"HABANA_PGM_LRU_MAX", "2"}}).options.memoryEntries,
            3u);
  EXPECT_EQ(
      environment({{"PT_HPU_LAZY_MODE", "1"}, {"HABANA_PGM_LRU_MAX", "9"}})
          .options.memoryEntries,
      9u);
}

TEST(RecipeCacheConfig, DeprecatedVariables) {
  const std::map<std::string, std::string> old = {
      {"PT_RECIPE_CACHE_PATH", "old"},
      {"PT_CACHE_FOLDER_DELETE", "1"},
      {"PT_CACHE_FOLDER_SIZE_MB", "5"}};
  RecipeCacheEnvironment read = environment(old);
  EXPECT_EQ(read.options.folder.path, fs::current_path() / "old");
  EXPECT_TRUE(read.options.folder.deleteOnInit);
  EXPECT_EQ(read.options.folder.limitBytes, 5 * megabyte);
  ASSERT_EQ(read.warnings.size(), 3u);
  EXPECT_EQ(read.warnings[0],
            "PT_RECIPE_CACHE_PATH is deprecated; use "
            "PT_HPU_RECIPE_CACHE_CONFIG=PATH,DELETE_ON_INIT,SIZE_MB");
  auto both = old;
  both["PT_HPU_RECIPE_CACHE_CONFIG"] = "new";
  read = environment(both);
  EXPECT_EQ(read.options.folder.path, fs::current_path() / "new");
  EXPECT_FALSE(read.options.folder.deleteOnInit);
  EXPECT_EQ(read.options.folder.limitBytes, 1024 * megabyte);
  EXPECT_THAT(read.warnings.at(2),
              "PT_CACHE_FOLDER_SIZE_MB is ignored, because "
              "PT_HPU_RECIPE_CACHE_CONFIG is set");
  both["PT_HPU_RECIPE_CACHE_CONFIG"] = "";
  EXPECT_EQ(environment(both).options.folder.path, "");
  both["RANK"] = "1";
  EXPECT_TRUE(environment(both).warnings.empty());
}

TEST(RecipeCacheConfig, Ranks) {
  const auto folder = [](std::map<std::string, std::string> values) {
    values["PT_HPU_RECIPE_CACHE_CONFIG"] = "a,true";
    return environment(std::move(values)).options.folder;
  };
  EXPECT_TRUE(folder({}).deleteOnInit);
  EXPECT_TRUE(folder({{"LOCAL_RANK", "0"}, {"RANK", "8"}}).deleteOnInit);
  EXPECT_FALSE(folder({{"LOCAL_RANK", "1"}}).deleteOnInit);
  EXPECT_FALSE(folder({{"OMPI_COMM_WORLD_LOCAL_RANK", "1"}}).deleteOnInit);
  const fs::path here = fs::current_path();
  EXPECT_EQ(folder({{"RANK", "8"}}).path, here / "a");
  EXPECT_EQ(folder({{"RANK", "8"}, {"PT_HPU_INFERENCE_MODE", "1"}}).path,
            here / "a/8");
  // It becomes a part of a path.
  EXPECT_EQ(
      errorOf("RANK", "../../evil"),
      "RANK: expected a number but got '../../evil'; write 0 for the first "
      "process, or unset it");
}

// --- levels ------------------------------------------------------------------

recipe::ByteSpan span(const std::string &text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

/// A key that owns its values.
struct Key {
  std::string source, device = "gaudi2", options = "";
  std::vector<RecipePart> parts() const {
    return {{"source", span(source)},
            {"device", span(device)},
            {"options", span(options)}};
  }
};

struct RecipeCacheTest : ::testing::Test {
  TemporaryFolder temporary;
  RecipeCacheOptions options;

  RecipeCacheTest() {
    options.folder.path = temporary.path + "/recipes";
    options.version = "build 1";
  }

  std::unique_ptr<RecipeCache> open() const {
    return std::make_unique<RecipeCache>(options);
  }
  /// A cache that has nothing in memory finds what another one stored.
  RecipeLookup onDisk(const Key &key) const {
    return open()->lookup(key.parts(), true);
  }
  void put(const Key &key, uint64_t seed, size_t bytes = 1000) const {
    open()->store(key.parts(), cachedRecipe(seed, bytes));
  }
  std::vector<fs::path> files(const char *extension) const {
    std::vector<fs::path> found;
    std::error_code none;
    for (const auto &entry : fs::directory_iterator(options.folder.path, none))
      if (entry.path().extension() == extension)
        found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
  }
  uint64_t bytesOnDisk() const {
    uint64_t total = 0;
    for (const char *extension : {".recipe", ".metadata"})
      for (const fs::path &file : files(extension))
        total += fs::file_size(file);
    return total;
  }
};

std::string contents(const fs::path &file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void overwrite(const fs::path &file, const std::string &bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

std::string warningsOf(RecipeCache &cache) {
  std::string text;
  for (const RecipeCacheLine &line : cache.takeLines())
    if (line.isWarning)
      text += line.text + "\n";
  return text;
}

TEST_F(RecipeCacheTest, MemoryThenDisk) {
  const auto recipe = cachedRecipe(1, 1000);
  const Key key{"module"};
  auto cache = open();
  EXPECT_FALSE(cache->lookup(key.parts()).recipe);
  cache->store(key.parts(), recipe);
  RecipeLookup found = cache->lookup(key.parts());
  EXPECT_EQ(found.recipe, recipe);
  EXPECT_EQ(found.level, RecipeLevel::Memory);
  cache->flush();
  EXPECT_EQ(cache->stats().stored, 1u);

  auto other = open();
  found = other->lookup(key.parts());
  ASSERT_TRUE(found.recipe);
  EXPECT_EQ(found.level, RecipeLevel::Disk);
  EXPECT_EQ(found.text(), "hit on disk");
  EXPECT_TRUE(found.recipe->constantsVerified());
  EXPECT_EQ(contentOf(*found.recipe), contentOf(*recipe));
  EXPECT_EQ(other->lookup(key.parts()).text(), "hit in memory");
  EXPECT_FALSE(other->lookup(Key{"other"}.parts()).recipe);
  const RecipeCacheStats stats = other->stats();
  EXPECT_EQ(stats.memoryHits, 1u);
  EXPECT_EQ(stats.diskHits, 1u);
  EXPECT_EQ(stats.misses, 1u);
  EXPECT_EQ(stats.memoryEntries, 1u);
  ASSERT_EQ(files(".recipe").size(), 1u);
  EXPECT_EQ(contents(files(".recipe")[0]), contentOf(*recipe));
  // 32 digits of the key, and a hash of the version.
  EXPECT_EQ(files(".recipe")[0].stem().string().size(), 32u + 1 + 16);
  EXPECT_EQ(files(".metadata")[0].stem(), files(".recipe")[0].stem());
  EXPECT_EQ(warningsOf(*other), "");
}

TEST_F(RecipeCacheTest, EachPartCounts) {
  put({"module", "gaudi2", "-O1"}, 1);
  EXPECT_TRUE(onDisk({"module", "gaudi2", "-O1"}).recipe);
  EXPECT_FALSE(onDisk({"module2", "gaudi2", "-O1"}).recipe);
  EXPECT_FALSE(onDisk({"module", "gaudi3", "-O1"}).recipe);
  EXPECT_FALSE(onDisk({"module", "gaudi2-", "O1"}).recipe);
  options.version = "build 2";
  EXPECT_FALSE(onDisk({"module", "gaudi2", "-O1"}).recipe);
}

TEST_F(RecipeCacheTest, VersionsMayBeIgnored) {
  options.version = "";
  put({"module"}, 1);
  EXPECT_EQ(files(".recipe").at(0).stem().string().size(), 32u);
  EXPECT_TRUE(onDisk({"module"}).recipe);
}

TEST_F(RecipeCacheTest, MemoryDropsTheLeastRecentlyUsed) {
  options.folder.path = "";
  options.memoryEntries = 3;
  auto cache = open();
  for (uint64_t i = 0; i < 3; ++i)
    cache->store(Key{std::to_string(i)}.parts(), cachedRecipe(i, 100));
  EXPECT_TRUE(cache->lookup(Key{"0"}.parts()).recipe);
  cache->store(Key{"3"}.parts(), cachedRecipe(3, 100));
  EXPECT_TRUE(cache->lookup(Key{"0"}.parts()).recipe);
  EXPECT_FALSE(cache->lookup(Key{"1"}.parts()).recipe);
  EXPECT_EQ(cache->stats().memoryDropped, 1u);
  // What somebody holds stays, beyond the limit.
  const auto used = cache->lookup(Key{"2"}.parts()).recipe;
  ASSERT_TRUE(used);
  for (uint64_t i = 4; i < 10; ++i)
    cache->store(Key{std::to_string(i)}.parts(), cachedRecipe(i, 100));
  EXPECT_EQ(cache->lookup(Key{"2"}.parts()).recipe, used);
  EXPECT_EQ(cache->stats().memoryEntries, 3u);
}

TEST_F(RecipeCacheTest, MemoryHasALimitOfBytes) {
  options.folder.path = "";
  options.memoryBytes = 30000;
  auto cache = open();
  for (uint64_t i = 0; i < 5; ++i)
    cache->store(Key{std::to_string(i)}.parts(), cachedRecipe(i, 4000));
  const RecipeCacheStats stats = cache->stats();
  EXPECT_LE(stats.memoryBytes, 30000u);
  EXPECT_GE(stats.memoryEntries, 2u);
  EXPECT_LT(stats.memoryEntries, 5u);
  options.keepInMemory = false;
  auto none = open();
  none->store(Key{"a"}.parts(), cachedRecipe(1, 100));
  EXPECT_FALSE(none->lookup(Key{"a"}.parts()).recipe);
}

// --- the limit ---------------------------------------------------------------

TEST_F(RecipeCacheTest, EvictsTheOldestFirst) {
  options.folder.limitBytes = 100000;
  auto cache = open();
  for (uint64_t i = 0; i < 40; ++i) {
    cache->store(Key{std::to_string(i)}.parts(), cachedRecipe(i, 4000));
    cache->flush();
    EXPECT_LE(bytesOnDisk(), 99000u);
    // A use does not make it younger.
    open()->lookup(Key{"0"}.parts());
  }
  const size_t left = files(".recipe").size();
  EXPECT_GT(left, 5u);
  for (uint64_t i = 0; i < 40; ++i)
    EXPECT_EQ(onDisk({std::to_string(i)}).recipe != nullptr, i >= 40 - left)
        << i;
  const RecipeCacheStats stats = cache->stats();
  EXPECT_EQ(stats.evicted, 40 - left);
  EXPECT_GT(stats.evictedBytes, 0u);
  const auto lines = cache->takeLines();
  ASSERT_EQ(lines.size(), stats.evicted);
  EXPECT_FALSE(lines[0].isWarning);
  EXPECT_THAT(lines[0].text,
              ::testing::MatchesRegex(
                  "\\[CACHEFILE\\] Removed [0-9a-f]{32}_[0-9a-f]{16}"
                  "successfully. Disk cache size after removal: [0-9]+"));
  EXPECT_EQ(files(".metadata").size(), left);
}

TEST_F(RecipeCacheTest, WhoHasNoLimitKeepsTheSumOfOthers) {
  options.folder.limitBytes = 100000;
  put({"limited"}, 1, 4000);
  options.folder.limitBytes = 0;
  for (uint64_t i = 0; i < 40; ++i)
    put({std::to_string(i)}, i, 4000);
  EXPECT_GT(bytesOnDisk(), 150000u);
  options.folder.limitBytes = 100000;
  put({"limited again"}, 2, 4000);
  EXPECT_LE(bytesOnDisk(), 99000u);
  EXPECT_TRUE(onDisk({"limited again"}).recipe);
}

TEST_F(RecipeCacheTest, LineOfTheDocumentation) {
  options.folder.limitBytes = 20000;
  options.evictionLine = EvictionLine::Documentation;
  auto cache = open();
  for (uint64_t i = 0; i < 4; ++i)
    cache->store(Key{std::to_string(i)}.parts(), cachedRecipe(i, 4000));
  cache->flush();
  EXPECT_THAT(cache->takeLines().at(0).text,
              ::testing::MatchesRegex(
                  "Removed [0-9a-f]{32}_[0-9a-f]{16} successfully. Disk cache "
                  "size after removal: [0-9]+"));
}

TEST_F(RecipeCacheTest, LimitZeroKeepsAll) {
  options.folder.limitBytes = 0;
  auto cache = open();
  for (uint64_t i = 0; i < 20; ++i)
    cache->store(Key{std::to_string(i)}.parts(), cachedRecipe(i, 100000));
  cache->flush();
  EXPECT_EQ(files(".recipe").size(), 20u);
}

TEST_F(RecipeCacheTest, RecipesAboveTheLimit) {
  options.folder.limitBytes = 10000;
  auto cache = open();
  cache->store(Key{"large"}.parts(), cachedRecipe(1, 20000));
  cache->flush();
  EXPECT_EQ(cache->stats().notStored, 1u);
  EXPECT_THAT(warningsOf(*cache),
              HasSubstr(" bytes are more than the limit of "));
  EXPECT_EQ(bytesOnDisk(), 0u);
  EXPECT_TRUE(cache->lookup(Key{"large"}.parts()).recipe);
}

TEST_F(RecipeCacheTest, FilesInUseAreNotEvicted) {
  options.folder.limitBytes = 20000;
  put({"a"}, 1, 4000);
  put({"b"}, 2, 4000);
  const Descriptor held(
      ::open(files(".metadata").at(0).c_str(), O_RDONLY | O_CLOEXEC));
  const Descriptor alsoHeld(
      ::open(files(".metadata").at(1).c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(::flock(held.get(), LOCK_SH), 0);
  ASSERT_EQ(::flock(alsoHeld.get(), LOCK_SH), 0);
  auto cache = open();
  cache->store(Key{"c"}.parts(), cachedRecipe(3, 12000));
  cache->flush();
  EXPECT_EQ(files(".recipe").size(), 2u);
  EXPECT_THAT(warningsOf(*cache),
              HasSubstr(" bytes of the limit of 20000 are in use"));
}

TEST_F(RecipeCacheTest, OtherFilesStay) {
  put({"a"}, 1, 4000);
  overwrite(options.folder.path + "/notes.txt", std::string(50000, 'x'));
  overwrite(options.folder.path + "/mine.recipe", "not one of these");
  // Of an older version: counted, and evicted as all are.
  overwrite(options.folder.path + "/" + std::string(32, 'a') + ".recipe",
            std::string(5000, 'x'));
  fs::remove(options.folder.path + "/eviction.lock");
  options.folder.limitBytes = 12000;
  put({"b"}, 2, 4000);
  EXPECT_TRUE(fs::exists(options.folder.path + "/notes.txt"));
  EXPECT_TRUE(fs::exists(options.folder.path + "/mine.recipe"));
  EXPECT_EQ(files(".recipe").size(), 2u); // mine, and b
  EXPECT_TRUE(onDisk({"b"}).recipe);
}

TEST_F(RecipeCacheTest, DeletesAtTheStartOfAProcess) {
  put({"a"}, 1);
  overwrite(options.folder.path + "/notes.txt", "mine");
  // This process has seen the folder; another one has not.
  options.folder.deleteOnInit = true;
  EXPECT_TRUE(onDisk({"a"}).recipe);
  options.folder.path += "/.";
  EXPECT_FALSE(onDisk({"a"}).recipe);
  EXPECT_TRUE(files(".recipe").empty());
  EXPECT_TRUE(files(".metadata").empty());
  EXPECT_TRUE(fs::exists(options.folder.path + "/notes.txt"));
  put({"a"}, 1);
  EXPECT_TRUE(onDisk({"a"}).recipe);
}

// --- explanations ------------------------------------------------------------

TEST_F(RecipeCacheTest, ExplainsMisses) {
  EXPECT_EQ(onDisk({"module"}).text(), "miss: nothing like it is cached");
  put({"func @main(%x: f32[3]) {\n  %0 = exp %x : f32[3]\n}\n"}, 1);
  put({"something else", "gaudi3", "-O1"}, 2);
  const Key sought{"func @main(%x: f32[3]) {\n  %0 = tanh %x : f32[3]\n}\n"};
  for (const bool inMemory : {false, true}) {
    RecipeLookup missed;
    if (inMemory) {
      options.folder.path = "";
      auto cache = open();
      cache->store(
          Key{"func @main(%x: f32[3]) {\n  %0 = exp %x : f32[3]\n}\n"}.parts(),
          cachedRecipe(1, 100));
      cache->store(Key{"something else", "gaudi3", "-O1"}.parts(),
                   cachedRecipe(2, 100));
      missed = cache->lookup(sought.parts(), true);
    } else {
      missed = onDisk(sought);
    }
    ASSERT_TRUE(missed.nearest);
    EXPECT_EQ(missed.nearest->level,
              inMemory ? RecipeLevel::Memory : RecipeLevel::Disk);
    ASSERT_EQ(missed.nearest->differences.size(), 1u);
    const RecipeDifference &source = missed.nearest->differences[0];
    EXPECT_EQ(source.part, "source");
    EXPECT_EQ(source.line, 2u);
    EXPECT_EQ(source.was, "'  %0 = exp %x : f32[3]'");
    EXPECT_EQ(source.is, "'  %0 = tanh %x : f32[3]'");
    EXPECT_EQ(missed.text(),
              "miss: unlike the nearest recipe, " +
                  std::string(inMemory ? "in memory " : "on disk ") +
                  missed.nearest->id.substr(0, 8) +
                  ", source (line 2) is '  %0 = tanh %x : f32[3]', not '  %0 = "
                  "exp %x : f32[3]'");
  }
}

TEST_F(RecipeCacheTest, ExplainsOtherBuildsAndDevices) {
  put({"module"}, 1);
  options.version = "build 2";
  EXPECT_THAT(onDisk({"module"}).text(),
              HasSubstr("version is 'build 2', not 'build 1'"));
  options.version = "build 1";
  const std::string text = onDisk({"module", "gaudi3", "-O1"}).text();
  EXPECT_THAT(text, HasSubstr("device is 'gaudi3', not 'gaudi2'; options is "
                              "'-O1', not ''"));
}

TEST_F(RecipeCacheTest, ExplainsPartsOfOneKeyOnly) {
  const std::string text = "text", bytes("\0\1\2", 3), others("\0\1\3", 3);
  auto cache = open();
  cache->store({{"a", span(text)}, {"b", span(bytes)}, {"c", span(text)}},
               cachedRecipe(1, 100));
  const auto missed = cache->lookup(
      {{"a", span(text)}, {"b", span(others)}, {"d", span(text)}}, true);
  ASSERT_TRUE(missed.nearest);
  EXPECT_THAT(missed.text(),
              HasSubstr("b is 3 other bytes, not 3 bytes; d is 4 bytes, not "
                        "absent; c is absent, not 4 bytes"));
}

TEST_F(RecipeCacheTest, LongLinesAreCut) {
  auto cache = open();
  const std::string line(5000, 'a');
  cache->store(Key{line + "x" + line}.parts(), cachedRecipe(1, 100));
  const auto missed = cache->lookup(Key{line + "y" + line}.parts(), true);
  ASSERT_TRUE(missed.nearest);
  const RecipeDifference &source = missed.nearest->differences.at(0);
  EXPECT_EQ(source.is, "...'" + std::string(40, 'a') + "y" +
                           std::string(79, 'a') + "'...");
  EXPECT_EQ(source.line, 0u);
}

// --- damage and foreign files ------------------------------------------------

TEST_F(RecipeCacheTest, IgnoresDamage) {
  const Key key{"module"};
  put(key, 1, 200);
  const fs::path recipe = files(".recipe").at(0),
                 metadata = files(".metadata").at(0);
  const std::string sound[] = {contents(recipe), contents(metadata)};
  const std::string right = sound[0];
  size_t missed = 0;
  for (int which : {0, 1}) {
    const fs::path &file = which ? metadata : recipe;
    for (size_t i = 0; i < sound[which].size(); i += which ? 3 : 11) {
      std::string damaged = sound[which];
      damaged[i] = char(damaged[i] ^ 4);
      overwrite(file, damaged);
      const RecipeLookup found = onDisk(key);
      missed += !found.recipe;
      if (found.recipe) // the hole between key and record of the metadata
        EXPECT_EQ(contentOf(*found.recipe), right) << i;
    }
    for (size_t size = 0; size < sound[which].size(); size += 29) {
      overwrite(file, sound[which].substr(0, size));
      EXPECT_FALSE(onDisk(key).recipe) << size << " bytes";
    }
    overwrite(file, sound[which] + '\0');
    EXPECT_FALSE(onDisk(key).recipe);
    overwrite(file, sound[which]);
  }
  EXPECT_GT(missed, sound[1].size() / 6);
  EXPECT_TRUE(onDisk(key).recipe);
}

TEST_F(RecipeCacheTest, ReplacesWhatIsDamaged) {
  const Key key{"module"};
  put(key, 1);
  std::string damaged = contents(files(".recipe").at(0));
  damaged.back() = char(damaged.back() ^ 1);
  overwrite(files(".recipe").at(0), damaged);
  auto cache = open();
  const RecipeLookup missed = cache->lookup(key.parts(), true);
  EXPECT_EQ(missed.reason, RecipeMiss::Damaged);
  EXPECT_THAT(missed.text(), HasSubstr("the file is damaged"));
  EXPECT_THAT(warningsOf(*cache), HasSubstr("recipe cache: not used: "));
  EXPECT_EQ(cache->stats().damaged, 1u);
  cache->store(key.parts(), cachedRecipe(1, 1000));
  cache->flush();
  EXPECT_TRUE(onDisk(key).recipe);
}

TEST_F(RecipeCacheTest, FolderThatWasCopied) {
  const Key key{"module"};
  put(key, 1);
  const std::string from = options.folder.path;
  options.folder.path = temporary.path + "/copy";
  fs::copy(from, options.folder.path);
  EXPECT_TRUE(onDisk(key).recipe);
  // What the state of the files would have hidden.
  std::string damaged = contents(files(".recipe").at(0));
  damaged[100] = char(damaged[100] ^ 1);
  overwrite(files(".recipe").at(0), damaged);
  EXPECT_FALSE(onDisk(key).recipe);
}

TEST_F(RecipeCacheTest, RecipeOfAnotherKey) {
  put({"one"}, 1);
  const std::string one = contents(files(".recipe").at(0));
  put({"two"}, 2);
  for (const fs::path &file : files(".recipe"))
    overwrite(file, one);
  const std::string first = onDisk({"one"}).text(),
                    second = onDisk({"two"}).text();
  EXPECT_EQ(first, "hit on disk");
  EXPECT_THAT(second, HasSubstr("it is not the recipe that was stored"));
  for (const fs::path &file : files(".recipe"))
    fs::remove(file);
  EXPECT_EQ(onDisk({"one"}).reason, RecipeMiss::Damaged);
}

TEST_F(RecipeCacheTest, TrustsNoOneElse) {
  const Key key{"module"};
  put(key, 1);
  for (const fs::path &file :
       {files(".recipe").at(0), files(".metadata").at(0)}) {
    ASSERT_EQ(::chmod(file.c_str(), 0620), 0);
    RecipeLookup missed = onDisk(key);
    EXPECT_EQ(missed.reason, RecipeMiss::Foreign);
    EXPECT_THAT(missed.text(), HasSubstr("other users may write to it"));
    ASSERT_EQ(::chmod(file.c_str(), 0600), 0);
    if (::geteuid() == 0) {
      ASSERT_EQ(::chown(file.c_str(), 1, 1), 0);
      EXPECT_THAT(onDisk(key).text(), HasSubstr("it belongs to another user"));
      ASSERT_EQ(::chown(file.c_str(), 0, 0), 0);
    }
    const fs::path aside = temporary.path + "/aside";
    fs::rename(file, aside);
    fs::create_symlink(aside, file);
    EXPECT_FALSE(onDisk(key).recipe);
    fs::remove(file);
    ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
    EXPECT_FALSE(onDisk(key).recipe);
    fs::remove(file);
    fs::rename(aside, file);
  }
  EXPECT_TRUE(onDisk(key).recipe);
  // Whose folder it is may exchange the files.
  const std::string mine = options.folder.path;
  if (::geteuid() == 0)
    ASSERT_EQ(::chown(mine.c_str(), 1, 1), 0);
  else
    options.folder.path = "/usr";
  const auto cache = open();
  EXPECT_FALSE(cache->lookup(key.parts()).recipe);
  EXPECT_THAT(warningsOf(*cache),
              AllOf(HasSubstr("recipe cache: not used: '"),
                    HasSubstr("' belongs to another user")));
  options.folder.path = mine;
  if (::geteuid() == 0)
    ASSERT_EQ(::chown(mine.c_str(), 0, 0), 0);
}

TEST_F(RecipeCacheTest, DoesNotWaitForALock) {
  const Key key{"module"};
  put(key, 1);
  const Descriptor held(
      ::open(files(".metadata").at(0).c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(::flock(held.get(), LOCK_EX), 0);
  const RecipeLookup missed = onDisk(key);
  EXPECT_EQ(missed.reason, RecipeMiss::Busy);
  EXPECT_THAT(missed.text(), HasSubstr("another process holds it"));
  ASSERT_EQ(::flock(held.get(), LOCK_SH), 0);
  EXPECT_TRUE(onDisk(key).recipe);
}

// --- folders -----------------------------------------------------------------

TEST_F(RecipeCacheTest, FoldersThatCannotBeMade) {
  overwrite(temporary.path + "/file", "no folder");
  options.folder.path = temporary.path + "/file/recipes";
  auto cache = open();
  EXPECT_FALSE(cache->lookup(Key{"a"}.parts()).recipe);
  for (int i = 0; i < 2; ++i)
    cache->store(Key{std::to_string(i)}.parts(), cachedRecipe(1, 100));
  cache->flush();
  EXPECT_EQ(warningsOf(*cache), "recipe cache: cannot open '" +
                                    options.folder.path +
                                    "': Not a directory; no recipe is kept: "
                                    "name a folder of your own in "
                                    "PT_HPU_RECIPE_CACHE_CONFIG\n");
  EXPECT_EQ(cache->stats().notStored, 2u);
  EXPECT_TRUE(cache->lookup(Key{"1"}.parts()).recipe);
}

TEST_F(RecipeCacheTest, FolderThatVanishes) {
  auto cache = open();
  put({"a"}, 1);
  fs::remove_all(options.folder.path);
  EXPECT_FALSE(cache->lookup(Key{"a"}.parts()).recipe);
  cache->store(Key{"a"}.parts(), cachedRecipe(1, 100));
  cache->flush();
  EXPECT_TRUE(onDisk({"a"}).recipe);
  EXPECT_EQ(warningsOf(*cache), "");
}

/// Runs `body` in a process of its own, which may lose rights or get limits.
template <typename Body> int inChild(Body body) {
  const pid_t child = ::fork();
  if (child == 0)
    ::_exit(body());
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status)
             ? WEXITSTATUS(status)
             : -1;
}

TEST_F(RecipeCacheTest, FolderThatMayBeReadOnly) {
  ASSERT_EQ(::chmod(temporary.path.c_str(), 0755), 0);
  EXPECT_EQ(inChild([&] {
              // Root may write anywhere.
              if (::geteuid() == 0 && (::chown(temporary.path.c_str(), 1, 1) ||
                                       ::setresuid(1, 1, 1)))
                return 1;
              put({"a"}, 1);
              if (::chmod(options.folder.path.c_str(), 0500) != 0)
                return 2;
              auto cache = open();
              if (!cache->lookup(Key{"a"}.parts()).recipe)
                return 3;
              cache->store(Key{"b"}.parts(), cachedRecipe(2, 100));
              cache->flush();
              const bool said = warningsOf(*cache).find("Permission denied") !=
                                std::string::npos;
              const int result = said && cache->stats().notStored == 1 ? 0 : 4;
              ::chmod(options.folder.path.c_str(), 0700);
              return result;
            }),
            0);
}

TEST_F(RecipeCacheTest, FullDisk) {
  // A limit on files stands for a disk that has no room.
  EXPECT_EQ(
      inChild([&] {
        put({"a"}, 1, 100);
        const rlimit limit = {100000, 100000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        auto cache = open();
        cache->store(Key{"large"}.parts(), cachedRecipe(2, 200000));
        cache->store(Key{"small"}.parts(), cachedRecipe(3, 200));
        cache->flush();
        if (warningsOf(*cache).find("File too large") == std::string::npos)
          return 1;
        if (cache->stats().stored != 1 || cache->stats().notStored != 1)
          return 2;
        return files(".recipe").size() == 2 && files(".metadata").size() == 2 &&
                       onDisk({"small"}).recipe && onDisk({"a"}).recipe
                   ? 0
                   : 3;
      }),
      0);
}

TEST_F(RecipeCacheTest, ManyThreads) {
  options.folder.limitBytes = 200000;
  options.memoryEntries = 10;
  auto cache = open();
  std::vector<std::shared_ptr<const recipe::RecipeFile>> recipes;
  for (uint64_t i = 0; i < 50; ++i)
    recipes.push_back(cachedRecipe(i, 3000));
  std::atomic<unsigned> wrong{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (unsigned i = 0; i < 300; ++i) {
        const unsigned n = (i * 7 + t * 13) % 50;
        const Key key{std::to_string(n)};
        const RecipeLookup found = cache->lookup(key.parts(), i % 16 == 0);
        if (found.recipe)
          wrong += contentOf(*found.recipe) != contentOf(*recipes[n]);
        else
          cache->store(key.parts(), recipes[n]);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  cache->flush();
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(cache->stats().memoryHits, 0u);
  EXPECT_LE(bytesOnDisk(), 200000u);
}

} // namespace
