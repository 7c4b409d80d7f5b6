// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The recipe cache. gaudi_mlir/torch/cache.py makes keys and reads the JSON.
#include "Recipe.h"

#include "gaudi-c/RecipeCache.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <vector>

namespace gaudi::python {

namespace {

class RecipeCache {
public:
  explicit RecipeCache(const std::optional<std::string> &version) {
    GaudiRecipeCacheOptions options;
    gaudiRecipeCacheOptionsInit(&options);
    options.version = version ? version->c_str() : nullptr;
    checkUnlocked([&] { return gaudiRecipeCacheOpen(&options, &cache); });
  }
  RecipeCache(const RecipeCache &) = delete;
  RecipeCache &operator=(const RecipeCache &) = delete;
  ~RecipeCache() {
    nb::gil_scoped_release release; // it waits for what is being stored
    gaudiRecipeCacheDestroy(cache);
  }

  GaudiRecipeCache *get() const { return cache; }

private:
  GaudiRecipeCache *cache = nullptr;
};

/// Parts for the duration of a call; `given` has pairs of name and bytes.
class Parts {
public:
  explicit Parts(const nb::list &given) {
    names.reserve(given.size());
    for (nb::handle item : given) {
      names.push_back(nb::cast<std::string>(item[0]));
      bytes.push_back(nb::cast<nb::bytes>(item[1]));
      parts.push_back(
          {names.back().c_str(), bytes.back().c_str(), bytes.back().size()});
    }
  }
  const GaudiRecipePart *data() const { return parts.data(); }
  size_t size() const { return parts.size(); }

private:
  std::vector<std::string> names;
  std::vector<nb::bytes> bytes;
  std::vector<GaudiRecipePart> parts;
};

/// (recipe or None, "memory", "disk" or "miss", JSON of a miss or None)
nb::tuple lookup(const RecipeCache &cache, const nb::list &given) {
  const Parts parts(given);
  GaudiRecipe *recipe = nullptr;
  GaudiRecipeCacheLevel level;
  char *why = nullptr;
  checkUnlocked([&] {
    return gaudiRecipeCacheLookup(cache.get(), parts.data(), parts.size(),
                                  &recipe, &level, &why);
  });
  if (!recipe)
    return nb::make_tuple(nb::none(), "miss", takeText(why));
  return nb::make_tuple(nb::cast(Recipe(recipe)),
                        level == GaudiRecipeCacheMemory ? "memory" : "disk",
                        nb::none());
}

void store(const RecipeCache &cache, const nb::list &given,
           const Recipe &recipe) {
  const Parts parts(given);
  checkUnlocked([&] {
    return gaudiRecipeCacheStore(cache.get(), parts.data(), parts.size(),
                                 recipe.get());
  });
}

void flush(const RecipeCache &cache) {
  checkUnlocked([&] { return gaudiRecipeCacheFlush(cache.get()); });
}

nb::dict stats(const RecipeCache &cache) {
  GaudiRecipeCacheStats stats;
  stats.size = sizeof(stats);
  check(gaudiRecipeCacheStats(cache.get(), &stats));
  nb::dict result;
  const std::pair<const char *, uint64_t> fields[] = {
      {"memory_hits", stats.memoryHits},
      {"disk_hits", stats.diskHits},
      {"misses", stats.misses},
      {"busy", stats.busy},
      {"foreign", stats.foreign},
      {"damaged", stats.damaged},
      {"memory_entries", stats.memoryEntries},
      {"memory_bytes", stats.memoryBytes},
      {"memory_dropped", stats.memoryDropped},
      {"stored", stats.stored},
      {"not_stored", stats.notStored},
      {"evicted", stats.evicted},
      {"evicted_bytes", stats.evictedBytes}};
  for (const auto &[name, value] : fields)
    result[name] = value;
  return result;
}

/// [(is a warning, text)]
nb::list lines(const RecipeCache &cache) {
  nb::list result;
  check(gaudiRecipeCacheLines(
      cache.get(),
      [](void *context, int32_t isWarning, GaudiStringRef line) {
        static_cast<nb::list *>(context)->append(
            nb::make_tuple(isWarning != 0, text(line)));
      },
      &result));
  return result;
}

} // namespace

void registerRecipeCache(nb::module_ &module) {
  nb::class_<RecipeCache>(module, "RecipeCache")
      .def(nb::init<const std::optional<std::string> &>(),
           nb::arg("version").none())
      .def("lookup", &lookup)
      .def("store", &store)
      .def("flush", &flush)
      .def("lines", &lines)
      .def_prop_ro("stats", &stats);
}

} // namespace gaudi::python
