// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps kernel images and binds what they import.
#include "CodeMemory.h"

#include "HostFunctions.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace gaudi::runtime {

static uint64_t alignUp(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

CodeMemory::CodeMemory(CodeMemory &&other) noexcept
    : base(std::exchange(other.base, nullptr)),
      size(std::exchange(other.size, 0)) {}

CodeMemory &CodeMemory::operator=(CodeMemory &&other) noexcept {
  std::swap(base, other.base);
  std::swap(size, other.size);
  return *this;
}

CodeMemory::~CodeMemory() {
  if (base)
    ::munmap(base, size);
}

Result<CodeMemory> CodeMemory::load(const std::vector<KernelImage> &images,
                                    std::vector<KernelFunction> &functions) {
  CodeMemory memory;
  uint64_t total = 0;
  for (const KernelImage &image : images)
    total += alignUp(image.code.size, imageAlignment);
  if (total == 0)
    return memory;
  // One mapping for all images, and one mprotect.
  total = alignUp(total, uint64_t(::sysconf(_SC_PAGESIZE)));
  void *mapping = ::mmap(nullptr, total, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED)
    return fail("no host memory for {} bytes of kernel code: {}", total,
                strerror(errno));
  memory.base = mapping;
  memory.size = total;
  // W^X: pages are writable until mprotect below, then executable.
  uint8_t *at = static_cast<uint8_t *>(mapping);
  // decode() has proved every slot and target to be inside its code block.
  // Slots hold absolute addresses, which are known once the copy has its place.
  for (const KernelImage &image : images) {
    std::memcpy(at, image.code.data, image.code.size);
    auto fill = [&](uint32_t slot, const void *address) {
      std::memcpy(at + slot, static_cast<const void *>(&address),
                  sizeof(address));
    };
    for (const ImageImport &import : image.imports) {
      const char *name = image.names.data() + import.name;
      void *address = hostFunction(name);
      if (!address)
        return fail(
            "a compiled kernel calls the host function '{}', which this "
            "runtime does not have",
            name);
      fill(import.slot, address);
    }
    for (const ImageRebase &rebase : image.rebases)
      fill(rebase.slot, at + rebase.target);
    functions.push_back(reinterpret_cast<KernelFunction>(at + image.entry));
    at += alignUp(image.code.size, imageAlignment);
  }
  if (::mprotect(mapping, total, PROT_READ | PROT_EXEC) != 0)
    return fail("the host does not allow compiled kernels to run: {}",
                strerror(errno));
  return memory;
}

} // namespace gaudi::runtime
