// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread with a queue, started by the first job.
#ifndef GAUDI_LIB_RUNTIME_HOST_JOBTHREAD_H
#define GAUDI_LIB_RUNTIME_HOST_JOBTHREAD_H

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <sys/types.h>
#include <thread>
#include <unistd.h>

namespace gaudi::runtime {

/// Gives the calling thread a low priority, which still gets a share of a busy
/// host.
void lowerPriority();

/// Jobs run in order and do not throw. In a child of a fork(), which has a copy
/// of this but not the thread, no call does anything: the mutex may be locked.
class JobThread {
public:
  enum class Priority { Normal, Low };
  explicit JobThread(Priority priority) : priority(priority) {}
  /// Runs all jobs that were added.
  ~JobThread();
  JobThread(const JobThread &) = delete;
  JobThread &operator=(const JobThread &) = delete;

  /// False if there is no thread or no memory for the job.
  bool add(std::function<void()> job) noexcept;
  /// Waits until all jobs so far have ended.
  void await();
  /// Ends the thread after the job that runs; drops the others, also later
  /// ones.
  void stop();

private:
  void work();
  void join(bool drop);

  const Priority priority;
  const pid_t owner = ::getpid();
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> jobs;
  bool busy = false, ending = false, dropping = false;
  std::unique_ptr<std::thread> thread; // last: it uses all others
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_HOST_JOBTHREAD_H
