// Times whole processes. Usage: spawn COUNT PROGRAM [ARGUMENT...]. Prints one
// line of JSON with the milliseconds from spawn to exit of each run; the
// program's output is dropped.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

int main(int argc, char **argv) {
  const int count = argc > 2 ? std::atoi(argv[1]) : 0;
  if (count < 1) {
    std::fprintf(stderr, "usage: spawn COUNT PROGRAM [ARGUMENT...]\n");
    return 2;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  std::printf("[");
  for (int i = 0; i < count; ++i) {
    const auto start = std::chrono::steady_clock::now();
    pid_t child = 0;
    const int problem =
        posix_spawnp(&child, argv[2], &actions, nullptr, argv + 2, environ);
    int status = 0;
    if (problem || waitpid(child, &status, 0) != child || status) {
      std::fprintf(stderr, "spawn: error: %s: %s\n", argv[2],
                   problem ? std::strerror(problem) : "did not succeed");
      return 1;
    }
    const double milliseconds = std::chrono::duration<double, std::milli>(
                                    std::chrono::steady_clock::now() - start)
                                    .count();
    std::printf("%s%.4f", i ? ", " : "", milliseconds);
  }
  std::printf("]\n");
}
