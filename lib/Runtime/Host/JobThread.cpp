// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that takes jobs from a queue.
#include "JobThread.h"

#include <cerrno>
#include <new>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <system_error>
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

JobThread::~JobThread() {
  if (owner == ::getpid()) {
    join(/*drop=*/false);
    return;
  }
  // It is the parent's; destroying it would end this process.
  [[maybe_unused]] const std::thread *parents = thread.release();
}

void JobThread::stop() {
  if (owner == ::getpid())
    join(/*drop=*/true);
}

void JobThread::join(bool drop) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    ending = true;
    dropping |= drop;
  }
  changed.notify_all();
  if (thread && thread->joinable())
    thread->join();
}

bool JobThread::add(std::function<void()> job) noexcept {
  if (owner != ::getpid())
    return false;
  try {
    std::lock_guard<std::mutex> lock(mutex);
    jobs.push_back(std::move(job));
    if (!thread && !ending) {
      try {
        thread = std::make_unique<std::thread>([this] { work(); });
      } catch (...) {
        jobs.pop_back();
        throw;
      }
    }
  } catch (const std::system_error &) { // no thread
    return false;
  } catch (const std::bad_alloc &) {
    return false;
  }
  changed.notify_all();
  return true;
}

void JobThread::await() {
  if (owner != ::getpid())
    return;
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return !thread || (jobs.empty() && !busy); });
}

void JobThread::work() {
  if (priority == Priority::Low)
    lowerPriority();
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    changed.wait(lock, [&] { return ending || !jobs.empty(); });
    if (dropping || jobs.empty())
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

} // namespace gaudi::runtime
