// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds and opens the runtime's own libraries.
#include "Plugin.h"

#include "../ErrorPhrases.h"
#include "BuildId.h"
#include "Gaudi/Runtime/Plugins.h"
#include "Gaudi/Support/Quote.h"

#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <limits.h>
#include <link.h>
#include <string>
#include <vector>

namespace gaudi::runtime {

namespace fs = std::filesystem;

/// The folder of the program or library that this code is part of.
static fs::path ownFolder() {
  Dl_info info;
  link_map *map = nullptr;
  fs::path file = "/proc/self/exe";
  char origin[PATH_MAX];
  // The main program has an empty name in the list of loaded objects. The name
  // of a library may be relative to a working directory that has changed since;
  // its origin is absolute.
  if (::dladdr1(reinterpret_cast<const void *>(ownFolder), &info,
                reinterpret_cast<void **>(&map), RTLD_DL_LINKMAP) &&
      map && map->l_name && map->l_name[0] &&
      ::dlinfo(map, RTLD_DI_ORIGIN, origin) == 0)
    file = fs::path(origin) / fs::path(map->l_name).filename();
  std::error_code error;
  const fs::path target = fs::canonical(file, error);
  return (error ? file : target).parent_path();
}

Result<std::string> findPlugin(std::string_view fileName) {
  const fs::path folder = ownFolder();
  const fs::path folders[] = {
      folder, folder / "gaudi-mlir", (folder / "../lib").lexically_normal(),
      (folder / GAUDI_PLUGINS_FROM_PROGRAMS).lexically_normal()};
  std::vector<std::string> names;
  for (const fs::path &candidate : folders) {
    const fs::path path = candidate / fileName;
    if (std::error_code error; fs::exists(path, error))
      return path.string();
    names.push_back(inQuotes(candidate.string()));
  }
  return fail("it is in none of the folders {}; install it there",
              fmt::join(names, ", "));
}

Result<const void *> openPlugin(const char *fileName, const char *function,
                                const char *purpose) {
  const Result<std::string> path = findPlugin(fileName);
  if (!path)
    return fail("{}{}, which {}: {}", cannotLoad, inQuotes(fileName), purpose,
                path.error().message);
  const std::string what =
      fmt::format("{}, which {}", inQuotes(*path), purpose);
  void *library = ::dlopen(path->c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return fail("{}{}: {}", cannotLoad, what, ::dlerror());
  auto ask = reinterpret_cast<PluginFunction>(::dlsym(library, function));
  const void *answer = ask ? ask(interfaceId()) : nullptr;
  if (!answer)
    return fail("cannot use {}: it is of another build{}", what, installBoth);
  return answer;
}

} // namespace gaudi::runtime
