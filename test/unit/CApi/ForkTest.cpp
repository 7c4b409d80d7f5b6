// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executables in a process that fork() made.
#include "Model.h"

#include <atomic>
#include <cstdlib>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace gaudi::test;

namespace {

struct Forked : ::testing::Test {
  RecipeOwner recipe = compile(matmul);
  ExecutableOwner executable = load(recipe);

  static GaudiError *run(const ExecutableOwner &executable) {
    float x[6] = {1, 2, 3, 4, 5, 6}, w[6] = {1, 0, 0, 1, 0, 0}, y[4] = {};
    const Buffer bx(x, GaudiF32, {2, 3}), bw(w, GaudiF32, {3, 2}),
        by(y, GaudiF32, {2, 2});
    const GaudiBuffer inputs[] = {bx, bw}, outputs[] = {by};
    return gaudiExecutableRun(executable.get(), 0, inputs, 2, outputs, 1,
                              nullptr);
  }

  /// What `work` returns in a child; -1 if that has not ended after a minute.
  template <typename Work> static int inChild(Work work) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(60);
      ::_exit(work());
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

/// 0 if the error is the one that says what to do.
int isRefused(GaudiError *error) {
  const ErrorOwner owner(error);
  if (!error || gaudiErrorCode(error) != GaudiErrorUnavailable)
    return 1;
  return textOf(gaudiErrorMessage(error)) ==
                 "the executable was loaded before fork() made this process, "
                 "which has none of its threads; load the recipe again here"
             ? 0
             : 2;
}

TEST_F(Forked, CallsWithAnExecutableOfTheParentFail) {
  EXPECT_EQ(inChild([&] {
              GaudiExecutableStats stats;
              stats.size = sizeof(stats);
              int64_t shape[2];
              return isRefused(run(executable)) +
                     isRefused(gaudiExecutableStats(executable.get(), &stats)) +
                     isRefused(gaudiExecutableResetStates(executable.get())) +
                     isRefused(gaudiExecutableOutputShape(
                         executable.get(), 0, nullptr, 0, 0, shape));
            }),
            0);
  EXPECT_TRUE(isFine(run(executable))) << "the parent goes on";
}

TEST_F(Forked, TheChildLoadsItsOwnAndDestroysBoth) {
  EXPECT_EQ(inChild([&] {
              const ExecutableOwner own = load(recipe);
              const bool isRight = own && !run(own);
              executable.reset();
              return isRight ? 0 : 1;
            }),
            0);
}

TEST_F(Forked, WhileAnotherThreadLaunches) {
  std::atomic<bool> isDone{false};
  std::thread launcher([&] {
    while (!isDone)
      EXPECT_TRUE(isFine(run(executable)));
  });
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(inChild([&] { return isRefused(run(executable)); }), 0);
  isDone = true;
  launcher.join();
}

} // namespace
