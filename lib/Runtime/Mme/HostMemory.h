// Memory of the host that commands own.
#ifndef GAUDI_LIB_RUNTIME_MME_HOSTMEMORY_H
#define GAUDI_LIB_RUNTIME_MME_HOSTMEMORY_H

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace gaudi::runtime {

/// 64-byte aligned memory, zeroed.
inline std::shared_ptr<uint8_t> allocateHost(uint64_t bytes) {
  const uint64_t rounded = (bytes + 63) / 64 * 64 + 64;
  void *memory = std::aligned_alloc(64, rounded);
  if (!memory)
    throw std::bad_alloc();
  std::memset(memory, 0, rounded);
  return {static_cast<uint8_t *>(memory), [](uint8_t *p) { std::free(p); }};
}

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_HOSTMEMORY_H
