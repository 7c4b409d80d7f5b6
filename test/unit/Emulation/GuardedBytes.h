// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that ends at a page which cannot be read or written.
#ifndef GAUDI_TEST_UNIT_EMULATION_GUARDEDBYTES_H
#define GAUDI_TEST_UNIT_EMULATION_GUARDEDBYTES_H

#include <cstddef>
#include <cstdint>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace gaudi::testing {

class GuardedBytes {
public:
  explicit GuardedBytes(size_t count) : count(count) {
    const size_t page = size_t(sysconf(_SC_PAGESIZE));
    const size_t whole = (count + page - 1) / page * page;
    mapped = whole + page;
    void *memory = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      throw std::bad_alloc();
    start = static_cast<uint8_t *>(memory);
    mprotect(start + whole, page, PROT_NONE);
    first = start + whole - count;
  }
  GuardedBytes(GuardedBytes &&other) noexcept
      : count(other.count), mapped(other.mapped),
        start(std::exchange(other.start, nullptr)), first(other.first) {}
  GuardedBytes &operator=(GuardedBytes &&) = delete;
  ~GuardedBytes() {
    if (start)
      munmap(start, mapped);
  }

  uint8_t *data() { return first; }
  const uint8_t *data() const { return first; }
  size_t size() const { return count; }

private:
  size_t count, mapped;
  uint8_t *start, *first;
};

} // namespace gaudi::testing

#endif // GAUDI_TEST_UNIT_EMULATION_GUARDEDBYTES_H
