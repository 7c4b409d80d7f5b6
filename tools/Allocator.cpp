// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets up mimalloc, which CMake links to the tools (cmake/GaudiTargets.cmake).
#include <cstdlib>
#include <mimalloc.h>
#include <string_view>
#include <sys/uio.h>
#include <unistd.h>

/// Exit code of gaudi-run where loading or running failed.
static constexpr int runError = 4;

/// Ends the process if there is not even the memory to throw an exception: the
/// allocator takes tens of MiB of address space at once.
static void refuseWithoutMemory(const char *program) {
  void *volatile probe = std::malloc(1); // else it may be taken to succeed
  if (probe)
    return std::free(probe);
  std::string_view name = program ? program : "";
  name.remove_prefix(name.rfind('/') + 1);
  constexpr std::string_view message =
      ": error: not enough host memory to start; at least 64 MiB of address "
      "space are needed (ulimit -v)\n";
  auto part = [](std::string_view text) {
    return iovec{const_cast<char *>(text.data()), text.size()};
  };
  const iovec parts[] = {part(name), part(message)};
  (void)!::writev(STDERR_FILENO, parts, 2);
  ::_exit(runError);
}

static void setUpAllocator(int, char **argv, char **) {
  // Huge pages where the kernel has them: graphs of 100 MB are walked again and
  // again. MIMALLOC_LARGE_OS_PAGES says otherwise.
  mi_option_set_default(mi_option_large_os_pages, 1);
  refuseWithoutMemory(argv[0]);
}

/// Before the constructors of the libraries, which allocate already.
[[gnu::section(".preinit_array"),
  gnu::used]] static void (*const first)(int, char **,
                                         char **) = setUpAllocator;
