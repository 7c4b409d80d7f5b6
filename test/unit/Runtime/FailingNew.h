// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces operator new by one that can be made to fail. For one source of a
// program: the operators cannot be inline.
#ifndef GAUDI_TEST_UNIT_RUNTIME_FAILINGNEW_H
#define GAUDI_TEST_UNIT_RUNTIME_FAILINGNEW_H

#include <cstdlib>
#include <new>
#include <utility>

namespace gaudi::test {

/// The allocation of this thread that fails, counted from 1; 0: none.
static thread_local int failing = 0;
/// The allocations of this thread so far.
static thread_local int allocations = 0;

/// Calls with a failing allocation, counted from 1. Returns what the call does,
/// and whether it came to that allocation.
template <typename Call> auto callWithFailing(int allocation, Call &&call) {
  failing = allocation;
  auto result = call();
  const bool failed = failing == 0;
  failing = 0;
  return std::pair(std::move(result), failed);
}

} // namespace gaudi::test

// Of the whole process, and so also of the library.
void *operator new(std::size_t size) {
  ++gaudi::test::allocations;
  const bool fails = gaudi::test::failing && --gaudi::test::failing == 0;
  void *memory = fails ? nullptr : std::malloc(size ? size : 1);
  if (!memory)
    throw std::bad_alloc();
  return memory;
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

#endif // GAUDI_TEST_UNIT_RUNTIME_FAILINGNEW_H
