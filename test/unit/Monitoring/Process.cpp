// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts the test program as one of its functions.
#include "Process.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

namespace gaudi::test {
namespace {

std::map<std::string, void (*)()> &functions() {
  static std::map<std::string, void (*)()> all;
  return all;
}

} // namespace

bool listProcess(const char *name, void (*function)()) {
  functions()[name] = function;
  return true;
}

Ended runProcess(const std::string &name,
                 std::vector<std::string> environment) {
  environment.push_back("GAUDI_TEST_PROCESS=" + name);
  std::vector<char *> variables;
  variables.reserve(environment.size() + 1);
  for (std::string &each : environment)
    variables.push_back(each.data());
  variables.push_back(nullptr);
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], 2);
    ::close(ends[0]);
    ::close(ends[1]);
    ::alarm(60);
    std::array<char *, 2> arguments = {const_cast<char *>("test"), nullptr};
    ::execve("/proc/self/exe", arguments.data(), variables.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  Ended result;
  std::array<char, 4096> part{};
  for (ssize_t got; (got = ::read(ends[0], part.data(), part.size())) > 0;)
    result.errors.append(part.data(), size_t(got));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status))
    result.code = WEXITSTATUS(status);
  return result;
}

} // namespace gaudi::test

int main(int argc, char **argv) {
  if (const char *name = std::getenv("GAUDI_TEST_PROCESS")) {
    gaudi::test::functions().at(name)();
    return 0;
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
