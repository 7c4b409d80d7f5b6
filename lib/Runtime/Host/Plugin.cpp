// Finds and opens the runtime's own libraries.
#include "Plugin.h"

#include "BuildId.h"
#include "Gaudi/Support/Quote.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <limits.h>
#include <link.h>
#include <string>
#include <unistd.h>

namespace gaudi::runtime {

/// The folder of the program or library that this code is part of.
static std::string ownFolder() {
  Dl_info info;
  link_map *map = nullptr;
  std::string path;
  // The main program has an empty name in the list of loaded objects.
  if (::dladdr1(reinterpret_cast<const void *>(ownFolder), &info,
                reinterpret_cast<void **>(&map), RTLD_DL_LINKMAP) &&
      map && map->l_name && map->l_name[0]) {
    path = map->l_name;
  } else {
    char buffer[PATH_MAX];
    const ssize_t length = ::readlink("/proc/self/exe", buffer, sizeof(buffer));
    path.assign(buffer, length > 0 ? size_t(length) : 0);
  }
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

Result<const void *> openPlugin(const char *fileName, const char *function,
                                const char *purpose) {
  const std::string folder = ownFolder();
  std::string path = fmt::format("{}/../lib/{}", folder, fileName);
  const std::string beside = fmt::format("{}/{}", folder, fileName);
  if (::access(path.c_str(), F_OK) != 0 && ::access(beside.c_str(), F_OK) == 0)
    path = beside;
  const std::string what = fmt::format("{}, which {}", inQuotes(path), purpose);
  void *library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = ::dlerror();
    return fail("cannot load {}: {}; install it beside this program", what,
                reason ? reason : "unknown reason");
  }
  auto ask = reinterpret_cast<PluginFunction>(::dlsym(library, function));
  const void *answer = ask ? ask(interfaceId()) : nullptr;
  if (!answer)
    return fail(
        "cannot use {}: it is of another build; install both from one build",
        what);
  return answer;
}

} // namespace gaudi::runtime
