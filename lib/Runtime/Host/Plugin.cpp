// Finds and opens the runtime's own libraries.
#include "Plugin.h"

#include "BuildId.h"
#include "Gaudi/Support/Quote.h"

#include <dlfcn.h>
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
  // A program has no name in the list of what is loaded.
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
  std::string path = folder + "/../lib/" + fileName;
  if (::access(path.c_str(), F_OK) != 0 &&
      ::access((folder + "/" + fileName).c_str(), F_OK) == 0)
    path = folder + "/" + fileName;
  const std::string what = inQuotes(path) + ", which " + purpose;
  void *library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = ::dlerror();
    return fail("cannot load " + what + ": " +
                (reason ? reason : "unknown reason") +
                "; install it beside this program");
  }
  auto ask = reinterpret_cast<PluginFunction>(::dlsym(library, function));
  const void *answer = ask ? ask(interfaceId()) : nullptr;
  if (!answer)
    return fail("cannot use " + what +
                ": it is of another build; install both from one build");
  return answer;
}

} // namespace gaudi::runtime
