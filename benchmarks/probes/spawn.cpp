// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times whole processes. Usage: spawn wall|cpu COUNT PROGRAM [ARGUMENT...].
// Prints one line of JSON with the milliseconds of each run, from spawn to exit
// or of CPU time of all its threads; the program's output is dropped.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char **environ;

int main(int argc, char **argv) {
  const int count = argc > 3 ? std::atoi(argv[2]) : 0;
  if (count < 1) {
    std::fprintf(stderr, "usage: spawn wall|cpu COUNT PROGRAM [ARGUMENT...]\n");
    return 2;
  }
  const bool isCpuTime = !std::strcmp(argv[1], "cpu");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  std::printf("[");
  for (int i = 0; i < count; ++i) {
    const auto start = std::chrono::steady_clock::now();
    pid_t child = 0;
    const int problem =
        posix_spawnp(&child, argv[3], &actions, nullptr, argv + 3, environ);
    int status = 0;
    rusage used = {};
    if (problem || wait4(child, &status, 0, &used) != child || status) {
      std::fprintf(stderr, "spawn: error: %s: %s\n", argv[3],
                   problem ? std::strerror(problem) : "did not succeed");
      return 1;
    }
    const double milliseconds = std::chrono::duration<double, std::milli>(
                                    std::chrono::steady_clock::now() - start)
                                    .count();
    const auto cpuOf = [](const timeval &time) {
      return double(time.tv_sec) * 1e3 + double(time.tv_usec) * 1e-3;
    };
    std::printf("%s%.4f", i ? ", " : "",
                isCpuTime ? cpuOf(used.ru_utime) + cpuOf(used.ru_stime)
                          : milliseconds);
  }
  std::printf("]\n");
}
