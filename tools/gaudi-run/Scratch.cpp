// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A process that outlives this one removes the folder.
#include "Scratch.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/TemporaryFile.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace gaudi::run {

[[noreturn]] static void removeAtEnd(const std::string &folder, int pipe) {
  // Ctrl-C goes to all processes of a terminal.
  ::setsid();
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    ::signal(signal, SIG_IGN);
  // Whoever reads the output waits for its end, not for this.
  ::dup2(pipe, STDIN_FILENO);
  const int none = ::open("/dev/null", O_WRONLY);
  ::dup2(none, STDOUT_FILENO);
  ::dup2(none, STDERR_FILENO);
  ::close_range(STDERR_FILENO + 1, ~0U, 0);
  char byte;
  while (::read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR)
    ;
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  ::_exit(0);
}

Result<Scratch> Scratch::create(const char *purpose) {
  Scratch scratch;
  scratch.path = fmt::format("{}/gaudi-{}-XXXXXX", temporaryFolder(), purpose);
  if (!::mkdtemp(scratch.path.data()))
    return fail("cannot make a folder {}: {}; set TMPDIR to one that can be "
                "written",
                inQuotes(scratch.path), strerror(errno));
  int ends[2];
  scratch.remover = ::pipe2(ends, O_CLOEXEC) == 0 ? ::fork() : -1;
  if (scratch.remover < 0)
    return fail("cannot start a process: {}", strerror(errno));
  if (scratch.remover == 0)
    removeAtEnd(scratch.path, ends[0]);
  ::close(ends[0]);
  scratch.alive = Descriptor(ends[1]);
  return scratch;
}

Scratch::Scratch(Scratch &&other) noexcept
    : path(std::exchange(other.path, {})),
      remover(std::exchange(other.remover, -1)), alive(std::move(other.alive)) {
}

Scratch::~Scratch() {
  alive.close();
  if (remover > 0)
    while (::waitpid(remover, nullptr, 0) < 0 && errno == EINTR)
      ;
  else if (!path.empty())
    ::rmdir(path.c_str());
}

} // namespace gaudi::run
