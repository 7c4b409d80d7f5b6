// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread with a queue. It is started by the first job and ends with the
// process.
#include "Background.h"

#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace gaudi::runtime {

void lowerPriority() {
  constexpr int niceness = 15;
  // Priority of this thread alone: Linux gives each thread its own.
  const auto self = id_t(::syscall(SYS_gettid));
  errno = 0;
  const int now = ::getpriority(PRIO_PROCESS, self);
  if (errno == 0 && now < niceness)
    (void)::setpriority(PRIO_PROCESS, self, niceness);
}

namespace {

class Background {
public:
  /// Ends the thread, after the job that runs. In a child of a fork(), which
  /// has a copy of this but not the thread, nothing: the mutex may be locked.
  void finish() {
    if (owner != ::getpid())
      return;
    {
      std::lock_guard<std::mutex> lock(mutex);
      ending = true;
    }
    changed.notify_all();
    if (thread && thread->joinable())
      thread->join();
  }

  void add(std::function<void()> job) {
    if (owner != ::getpid())
      return;
    std::lock_guard<std::mutex> lock(mutex);
    jobs.push_back(std::move(job));
    if (!thread)
      thread = std::make_unique<std::thread>([this] { work(); });
    changed.notify_all();
  }

  void await() {
    if (owner != ::getpid())
      return;
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return !thread || (jobs.empty() && !busy); });
  }

private:
  void work() {
    lowerPriority();
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return ending || !jobs.empty(); });
      if (ending)
        return;
      {
        const std::function<void()> job = std::move(jobs.front());
        jobs.pop_front();
        busy = true;
        lock.unlock();
        job();
      } // what the job held is released without the lock
      lock.lock();
      busy = false;
      changed.notify_all();
    }
  }

  const pid_t owner = ::getpid();
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> jobs;
  bool busy = false, ending = false;
  std::unique_ptr<std::thread> thread; // last: it uses all others
};

/// Never destroyed: see finish().
Background &background() {
  static Background &the = *new Background;
  static const int atEnd = std::atexit([] { background().finish(); });
  (void)atEnd;
  return the;
}

} // namespace

void runInBackground(std::function<void()> job) {
  try {
    background().add(std::move(job));
  } catch (const std::system_error &) { // no thread
  } catch (const std::bad_alloc &) {
  }
}

void awaitBackground() { background().await(); }

void finishBackgroundFirst() {
  (void)std::atexit([] { background().finish(); });
}

} // namespace gaudi::runtime
