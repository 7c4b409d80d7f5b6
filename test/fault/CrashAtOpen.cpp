// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Preloaded into a program: it crashes where it opens a library of which the
// path has GAUDI_CRASH_OPENING in it.
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

extern "C" void *dlopen(const char *path, int flags) {
  static auto real = reinterpret_cast<void *(*)(const char *, int)>(
      dlsym(RTLD_NEXT, "dlopen"));
  const char *const crashing = std::getenv("GAUDI_CRASH_OPENING");
  if (path && crashing && std::strstr(path, crashing))
    (void)raise(SIGSEGV);
  return real(path, flags);
}
