// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Processes that share a folder of recipes while they are killed.
//
// Usage: RecipeCacheStress [--processes N] [--recipes N] [--kills N]
//                          [--points N]
//
// First, processes look recipes up and store what is absent, in a folder whose
// limit is a tenth of all recipes, while others of them are killed at random.
// Then one process stores and evicts alone and is killed at its first, second,
// ... system call, as many times as there are points. No recipe may be wrong,
// the files may never exceed the limit, and no lock and no temporary file may
// be left.
#include "CachedRecipe.h"

#include "Gaudi/Runtime/Device/RecipeCache.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gaudi;
using namespace gaudi::runtime;
namespace fs = std::filesystem;

namespace {

struct Counters {
  std::atomic<uint64_t> lookups, hits;
};

[[noreturn]] void stop(const std::string &text) {
  std::fprintf(stderr, "RecipeCacheStress: error: %s\n", text.c_str());
  std::exit(1);
}

class Stress {
public:
  explicit Stress(size_t count) {
    std::string name = (fs::temp_directory_path() / "gaudi-XXXXXX").string();
    if (!::mkdtemp(name.data()))
      stop("cannot make " + name);
    options.folder.path = name;
    options.keepInMemory = false;
    options.version = "stress";
    uint64_t total = 0;
    for (size_t i = 0; i < count; ++i) {
      recipes.push_back(test::cachedRecipe(i, 500 + i * 7919 % 97 * 200));
      if (!recipes.back())
        stop("cannot make a recipe");
      contents.push_back(test::contentOf(*recipes.back()));
      total += contents.back().size();
    }
    options.folder.limitBytes = total / 10;
    void *shared = ::mmap(nullptr, sizeof(Counters), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
      stop("no shared memory");
    counters = new (shared) Counters{};
  }
  ~Stress() { fs::remove_all(options.folder.path); }

  void random(unsigned processes, unsigned kills);
  void points(unsigned count);

private:
  /// Looks one up, and stores it if it is absent. False if it is wrong.
  bool use(RecipeCache &cache, size_t i) {
    const std::string name = "recipe " + std::to_string(i);
    const std::vector<RecipePart> parts = {
        {"source",
         {reinterpret_cast<const uint8_t *>(name.data()), name.size()}}};
    const RecipeLookup found = cache.lookup(parts);
    ++counters->lookups;
    if (!found.recipe) {
      cache.store(parts, recipes[i]);
      return true;
    }
    ++counters->hits;
    return test::contentOf(*found.recipe) == contents[i];
  }

  pid_t startWorker(unsigned seed);
  [[noreturn]] void storeAlone();
  long killAtCall(long call);
  void checkLimit(uint64_t limit);
  void checkRest(size_t count);

  RecipeCacheOptions options;
  std::vector<std::shared_ptr<const recipe::RecipeFile>> recipes;
  std::vector<std::string> contents;
  Counters *counters;
};

std::atomic<bool> isEnding{false};

pid_t Stress::startWorker(unsigned seed) {
  const pid_t child = ::fork();
  if (child < 0)
    stop("cannot fork");
  if (child > 0)
    return child;
  std::signal(SIGTERM, [](int) { isEnding = true; });
  {
    RecipeCache cache(options);
    std::mt19937 random(seed);
    while (!isEnding) {
      // Some recipes are asked for more often than others, so that there are
      // hits.
      const size_t most = random() % 4 ? recipes.size() / 20 : recipes.size();
      if (!use(cache, random() % std::max<size_t>(most, 1)))
        ::_exit(1);
      if (random() % 8 == 0)
        cache.flush();
    }
  }
  ::_exit(0);
}

/// While nobody else evicts or makes room, whoever writes has its room already.
void Stress::checkLimit(uint64_t limit) {
  const Descriptor lock(::open((options.folder.path + "/eviction.lock").c_str(),
                               O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock.isOpen() || ::flock(lock.get(), LOCK_EX) != 0)
    stop("cannot lock eviction.lock");
  uint64_t total = 0;
  for (const auto &entry : fs::directory_iterator(options.folder.path)) {
    struct stat info;
    if (entry.path().filename() != "eviction.lock" &&
        ::stat(entry.path().c_str(), &info) == 0)
      total += uint64_t(info.st_size);
  }
  if (total > limit)
    stop(fmt::format("{} bytes are above the limit of {}", total, limit));
}

void Stress::random(unsigned processes, unsigned kills) {
  std::mt19937 random(1);
  std::vector<pid_t> workers;
  unsigned seed = 0;
  while (workers.size() < processes)
    workers.push_back(startWorker(seed++));
  for (unsigned kill = 0; kill < kills; ++kill) {
    ::usleep(2000 + random() % 30000);
    pid_t &worker = workers[random() % processes];
    int status = 0;
    if (::kill(worker, SIGKILL) != 0 ||
        ::waitpid(worker, &status, 0) != worker || !WIFSIGNALED(status))
      stop("a process ended: it got a wrong recipe, or crashed");
    worker = startWorker(seed++);
    checkLimit(options.folder.limitBytes);
  }
  for (pid_t worker : workers)
    ::kill(worker, SIGTERM);
  for (pid_t worker : workers) {
    int status = 0;
    // One that has just been started may not have its handler yet.
    if (::waitpid(worker, &status, 0) != worker ||
        (status != 0 && !(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM)))
      stop("a process failed: it got a wrong recipe, or crashed");
  }
  checkLimit(options.folder.limitBytes);
  checkRest(recipes.size());
  std::printf("%u processes, %zu recipes, limit %zu bytes, %u kills: %zu "
              "lookups, %zu hits, none wrong\n",
              processes, recipes.size(), size_t(options.folder.limitBytes),
              kills, size_t(counters->lookups), size_t(counters->hits));
}

/// No lock is held, and a writer who lists the folder finds nothing that is
/// left.
void Stress::checkRest(size_t count) {
  for (const auto &entry : fs::directory_iterator(options.folder.path)) {
    const Descriptor file = Descriptor::openToRead(entry.path());
    if (file.isOpen() && ::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
      stop("a lock is left of " + entry.path().string());
  }
  fs::remove(options.folder.path + "/eviction.lock"); // so it lists the folder
  RecipeCache cache(options);
  for (size_t i = 0; i < count; ++i)
    if (!use(cache, i))
      stop(fmt::format("recipe {} is wrong", i));
  cache.flush();
  if (const RecipeCacheStats stats = cache.stats(); stats.notStored)
    stop(cache.takeLines().back().text);
  for (const auto &entry : fs::directory_iterator(options.folder.path))
    if (entry.path().filename().string()[0] == '.')
      stop("left: " + entry.path().string());
}

/// Six recipes into a folder for about three.
void Stress::storeAlone() {
  RecipeCache cache(options);
  for (size_t i = 0; i < 6; ++i) {
    if (!use(cache, i))
      ::_exit(1);
    cache.flush();
  }
  ::_exit(0);
}

/// Runs storeAlone up to that system call (its begin or end, of any thread),
/// and kills it there. Gives the number of the last one, which is smaller if it
/// ended before.
long Stress::killAtCall(long call) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    ::raise(SIGSTOP);
    storeAlone();
  }
  int status = 0;
  if (::waitpid(child, &status, 0) != child || !WIFSTOPPED(status) ||
      ::ptrace(PTRACE_SETOPTIONS, child, nullptr,
               PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE |
                   PTRACE_O_EXITKILL) != 0)
    stop(fmt::format("cannot trace a process: {}", strerror(errno)));
  ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
  for (long seen = 0;;) {
    const pid_t thread = ::waitpid(-1, &status, __WALL);
    if (thread < 0)
      stop("lost the process that is traced");
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      if (thread != child)
        continue;
      if (!WIFSIGNALED(status) && WEXITSTATUS(status) != 0)
        stop("a process that was alone got a wrong recipe");
      return seen;
    }
    const int signal = WSTOPSIG(status);
    if (signal == (SIGTRAP | 0x80) && ++seen == call)
      ::kill(child, SIGKILL);
    const bool isTracing =
        signal == (SIGTRAP | 0x80) || signal == SIGTRAP || signal == SIGSTOP;
    ::ptrace(PTRACE_SYSCALL, thread, nullptr,
             reinterpret_cast<void *>(long(isTracing ? 0 : signal)));
  }
}

void Stress::points(unsigned count) {
  uint64_t largest = 0;
  for (size_t i = 0; i < 6; ++i)
    largest = std::max<uint64_t>(largest, contents[i].size());
  options.folder.limitBytes = 3 * (largest + 1000);
  const auto empty = [&] {
    for (const auto &entry : fs::directory_iterator(options.folder.path))
      fs::remove(entry.path());
  };
  empty();
  const long calls = killAtCall(-1);
  for (unsigned point = 0; point < count; ++point) {
    if (point % 2 == 0) // else with what the one before has left
      empty();
    killAtCall(1 + long(point) * calls / long(count));
    checkLimit(options.folder.limitBytes);
    checkRest(6);
  }
  std::printf("killed at %u of %ld begins and ends of system calls\n", count,
              calls);
}

} // namespace

int main(int argc, char **argv) {
  unsigned processes = 16, recipes = 1000, kills = 200, points = 200;
  const std::pair<const char *, unsigned *> known[] = {
      {"--processes", &processes},
      {"--recipes", &recipes},
      {"--kills", &kills},
      {"--points", &points}};
  for (int i = 1; i < argc; ++i) {
    unsigned *value = nullptr;
    for (const auto &[name, option] : known)
      if (std::strcmp(argv[i], name) == 0)
        value = option;
    if (!value || ++i == argc)
      stop("usage: RecipeCacheStress [--processes N] [--recipes N] "
           "[--kills N] [--points N]");
    *value = unsigned(std::atoi(argv[i]));
  }
  Stress stress(std::max(recipes, 20u));
  stress.random(processes, kills);
  if (points)
    stress.points(points);
  return 0;
}
