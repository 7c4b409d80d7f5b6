// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Preloaded into a program: its GAUDI_FAIL_ALLOCATION'th allocation fails.
// With GAUDI_COUNT_ALLOCATIONS=FILE the number of allocations is written there
// at the end. Only malloc's family: operator new comes through it. Counting
// starts with main: before it no program can report anything.
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace {

std::atomic<long> allocations{0};

long failing = 0; // its number
bool inMain = false;
int (*realMain)(int, char **, char **) = nullptr;

bool failsNow() {
  if (!inMain || ++allocations != failing)
    return false;
  errno = ENOMEM;
  return true;
}

template <typename Function> Function next(const char *name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

struct Report {
  ~Report() {
    inMain = false;
    const char *path = std::getenv("GAUDI_COUNT_ALLOCATIONS");
    if (std::FILE *file = path ? std::fopen(path, "w") : nullptr) {
      std::fprintf(file, "%ld\n", allocations.load());
      std::fclose(file);
    }
  }
} report;

/// Has every function below find the next one. Within an allocation that
/// dlerror makes, dlsym would free the message that dlerror is about to return.
void findNextFunctions() {
  void *volatile memory = std::realloc(std::malloc(1), 2);
  std::free(memory);
  memory = std::calloc(1, 1);
  std::free(memory);
  memory = std::aligned_alloc(64, 64);
  std::free(memory);
  void *aligned = nullptr;
  if (posix_memalign(&aligned, 64, 64) == 0)
    std::free(aligned);
}

int startCounting(int argc, char **argv, char **environment) {
  findNextFunctions();
  if (const char *text = std::getenv("GAUDI_FAIL_ALLOCATION"))
    failing = std::atol(text);
  inMain = true;
  return realMain(argc, argv, environment);
}

} // namespace

extern "C" {

/// The C library's start of a program; runs static initialisers, then main.
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                      int (*init)(int, char **, char **), void (*fini)(),
                      void (*loaderFini)(), void *stackEnd) {
  realMain = main;
  return next<decltype(&__libc_start_main)>("__libc_start_main")(
      startCounting, argc, argv, init, fini, loaderFini, stackEnd);
}

void *malloc(size_t size) {
  static auto real = next<void *(*)(size_t)>("malloc");
  return failsNow() ? nullptr : real(size);
}

void *realloc(void *memory, size_t size) {
  static auto real = next<void *(*)(void *, size_t)>("realloc");
  return failsNow() ? nullptr : real(memory, size);
}

void *calloc(size_t count, size_t size) {
  static auto real = next<void *(*)(size_t, size_t)>("calloc");
  // dlsym itself allocates by calloc on some systems, before `real` is known.
  return !real || failsNow() ? nullptr : real(count, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  static auto real = next<void *(*)(size_t, size_t)>("aligned_alloc");
  return failsNow() ? nullptr : real(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  static auto real = next<int (*)(void **, size_t, size_t)>("posix_memalign");
  return failsNow() ? ENOMEM : real(memory, alignment, size);
}

} // extern "C"
