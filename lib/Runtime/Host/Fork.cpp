// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the calls of fork() on the way to this process.
#include "Gaudi/Runtime/Fork.h"

#include <atomic>
#include <pthread.h>

namespace gaudi::runtime {
namespace {

std::atomic<uint32_t> forks{0};

/// Without memory for the handler no fork is seen, as before a library that
/// does not look for it.
[[maybe_unused]] const int registered =
    ::pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1); });

} // namespace

uint32_t forkCount() { return forks.load(std::memory_order_relaxed); }

} // namespace gaudi::runtime
