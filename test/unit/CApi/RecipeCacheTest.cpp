// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The recipe cache through C: hits, explained misses, lines, and misuse.
#include "../Runtime/TemporaryFolder.h"
#include "Model.h"

#include "gaudi-c/RecipeCache.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gaudi::test;
using ::testing::HasSubstr;

namespace {

struct DestroyCache {
  void operator()(GaudiRecipeCache *cache) const {
    gaudiRecipeCacheDestroy(cache);
  }
};
using CacheOwner = std::unique_ptr<GaudiRecipeCache, DestroyCache>;

struct CRecipeCache : ::testing::Test {
  TemporaryFolder folder;

  CacheOwner open(const char *version = "build") const {
    GaudiRecipeCacheOptions options;
    gaudiRecipeCacheOptionsInit(&options);
    options.config = folder.path.c_str();
    options.version = version;
    GaudiRecipeCache *cache = nullptr;
    EXPECT_TRUE(isFine(gaudiRecipeCacheOpen(&options, &cache)));
    return CacheOwner(cache);
  }
};

/// A key of one text.
struct Parts {
  explicit Parts(std::string_view source)
      : parts{{"source", source.data(), source.size()},
              {"device", "gaudi2", 6},
              {"options", nullptr, 0}} {}
  GaudiRecipePart parts[3];
};

struct Lookup {
  RecipeOwner recipe;
  GaudiRecipeCacheLevel level = GaudiRecipeCacheMiss;
  std::string why;
};

Lookup lookup(const CacheOwner &cache, const std::string &source) {
  const Parts key(source);
  Lookup found;
  GaudiRecipe *recipe = nullptr;
  char *why = nullptr;
  EXPECT_TRUE(isFine(gaudiRecipeCacheLookup(cache.get(), key.parts, 3, &recipe,
                                            &found.level, &why)));
  found.recipe.reset(recipe);
  found.why = why ? why : "";
  gaudiTextDestroy(why);
  return found;
}

TEST_F(CRecipeCache, CompilesOnce) {
  const RecipeOwner compiled = compile(matmul);
  const Parts key(matmul);
  {
    const CacheOwner cache = open();
    EXPECT_EQ(lookup(cache, matmul).level, GaudiRecipeCacheMiss);
    ASSERT_TRUE(isFine(
        gaudiRecipeCacheStore(cache.get(), key.parts, 3, compiled.get())));
    const Lookup found = lookup(cache, matmul);
    EXPECT_EQ(found.level, GaudiRecipeCacheMemory);
    EXPECT_EQ(found.why, "");
    ASSERT_TRUE(isFine(gaudiRecipeCacheFlush(cache.get())));
    GaudiRecipeCacheStats stats;
    stats.size = sizeof(stats);
    ASSERT_TRUE(isFine(gaudiRecipeCacheStats(cache.get(), &stats)));
    EXPECT_EQ(stats.misses, 1u);
    EXPECT_EQ(stats.memoryHits, 1u);
    EXPECT_EQ(stats.stored, 1u);
    EXPECT_EQ(stats.notStored, 0u);
  }
  const CacheOwner cache = open();
  const Lookup found = lookup(cache, matmul);
  ASSERT_EQ(found.level, GaudiRecipeCacheDisk);
  EXPECT_EQ(textOf(gaudiRecipeHash(found.recipe.get())),
            textOf(gaudiRecipeHash(compiled.get())));
  EXPECT_TRUE(load(found.recipe));
}

TEST_F(CRecipeCache, ExplainsMisses) {
  const CacheOwner cache = open();
  EXPECT_THAT(lookup(cache, "one").why,
              HasSubstr("\"text\": \"miss: nothing like it is cached\""));
  const RecipeOwner compiled = compile(matmul);
  const Parts key("one");
  ASSERT_TRUE(
      isFine(gaudiRecipeCacheStore(cache.get(), key.parts, 3, compiled.get())));
  const std::string why = lookup(cache, "two").why;
  EXPECT_THAT(why, HasSubstr("\"reason\": \"absent\""));
  EXPECT_THAT(why, HasSubstr("\"level\": \"memory\""));
  EXPECT_THAT(why, HasSubstr("\"was\": \"'one'\""));
  EXPECT_THAT(why, HasSubstr("source is 'two', not 'one'"));
  // Without a version given, that of the library counts.
  const CacheOwner library = open(nullptr);
  const Parts other("three");
  GaudiRecipe *none = compiled.get();
  ASSERT_TRUE(isFine(gaudiRecipeCacheLookup(library.get(), other.parts, 3,
                                            &none, nullptr, nullptr)));
  EXPECT_EQ(none, nullptr);
}

TEST_F(CRecipeCache, SaysWhatALogShould) {
  ::setenv("PT_RECIPE_CACHE_PATH", "elsewhere", 1);
  const CacheOwner cache = open();
  ::unsetenv("PT_RECIPE_CACHE_PATH");
  const auto lines = [&] {
    std::string text;
    EXPECT_TRUE(isFine(gaudiRecipeCacheLines(
        cache.get(),
        [](void *context, int32_t isWarning, GaudiStringRef line) {
          *static_cast<std::string *>(context) +=
              (isWarning ? "W " : "I ") + textOf(line) + "\n";
        },
        &text)));
    return text;
  };
  EXPECT_EQ(lines(), "W PT_RECIPE_CACHE_PATH is ignored, because "
                     "PT_HPU_RECIPE_CACHE_CONFIG is set\n");
  EXPECT_EQ(lines(), "");
}

TEST_F(CRecipeCache, Misuse) {
  GaudiRecipeCacheOptions options;
  gaudiRecipeCacheOptionsInit(&options);
  options.config = "a,b,c,d,e";
  GaudiRecipeCache *none = nullptr;
  EXPECT_THAT(messageOf(gaudiRecipeCacheOpen(&options, &none),
                        GaudiErrorInvalidArgument),
              HasSubstr("PATH[,DELETE_ON_INIT[,SIZE_MB]]"));
  options.size = 7;
  EXPECT_THAT(messageOf(gaudiRecipeCacheOpen(&options, &none),
                        GaudiErrorInvalidArgument),
              HasSubstr("call gaudiRecipeCacheOptionsInit first"));
  EXPECT_EQ(messageOf(gaudiRecipeCacheOpen(nullptr, nullptr),
                      GaudiErrorInvalidArgument),
            "'cache' is null");
  const CacheOwner cache = open();
  const Parts key("one");
  GaudiRecipe *recipe = nullptr;
  EXPECT_EQ(messageOf(gaudiRecipeCacheLookup(nullptr, key.parts, 3, &recipe,
                                             nullptr, nullptr),
                      GaudiErrorInvalidArgument),
            "'cache' is null");
  EXPECT_EQ(messageOf(gaudiRecipeCacheLookup(cache.get(), nullptr, 3, &recipe,
                                             nullptr, nullptr),
                      GaudiErrorInvalidArgument),
            "'parts' is null");
  EXPECT_EQ(messageOf(gaudiRecipeCacheStore(cache.get(), key.parts, 3, nullptr),
                      GaudiErrorInvalidArgument),
            "'recipe' is null");
  EXPECT_EQ(messageOf(gaudiRecipeCacheLines(cache.get(), nullptr, nullptr),
                      GaudiErrorInvalidArgument),
            "'line' is null");
  GaudiRecipeCacheStats stats;
  stats.size = 3;
  EXPECT_THAT(messageOf(gaudiRecipeCacheStats(cache.get(), &stats),
                        GaudiErrorInvalidArgument),
              HasSubstr("set it to sizeof(GaudiRecipeCacheStats)"));
}

TEST_F(CRecipeCache, AfterAFork) {
  const CacheOwner cache = open();
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    GaudiError *error = gaudiRecipeCacheFlush(cache.get());
    const bool isRefused =
        error && gaudiErrorCode(error) == GaudiErrorUnavailable &&
        textOf(gaudiErrorMessage(error)) ==
            "the recipe cache was opened before fork() made this process, "
            "which has none of its threads; open it again here";
    gaudiRecipeCacheDestroy(cache.get());
    ::_exit(isRefused ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

} // namespace
