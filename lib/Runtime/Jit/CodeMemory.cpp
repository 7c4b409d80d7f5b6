// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps kernel images and binds what they import.
#include "CodeMemory.h"

#include "Aarch64Code.h"
#include "HostFunctions.h"

#include <cassert>
#include <cerrno>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace gaudi::runtime {

/// Of a jump, padded: they begin at even places.
static constexpr uint64_t jumpBytes = 16;

static uint64_t alignUp(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

CodeMemory::CodeMemory(CodeMemory &&other) noexcept
    : base(std::exchange(other.base, nullptr)),
      size(std::exchange(other.size, 0)), targets(std::move(other.targets)) {}

CodeMemory &CodeMemory::operator=(CodeMemory &&other) noexcept {
  std::swap(base, other.base);
  std::swap(size, other.size);
  std::swap(targets, other.targets);
  return *this;
}

CodeMemory::~CodeMemory() {
  if (base)
    ::munmap(base, size);
}

#if defined(__x86_64__)

bool CodeMemory::canReplace() { return true; }

/// Writes `jmp *target`: ff 25, and the distance to `target` from the end of
/// the instruction.
static void writeJump(uint8_t *at, const KernelFunction *target) {
  constexpr int64_t length = 6;
  at[0] = 0xff;
  at[1] = 0x25;
  const auto distance =
      int32_t(reinterpret_cast<const uint8_t *>(target) - (at + length));
  std::memcpy(at + 2, &distance, sizeof(distance));
}

#elif defined(__aarch64__)

bool CodeMemory::canReplace() { return true; }

static void writeJump(uint8_t *at, const KernelFunction *target) {
  const auto jump = aarch64::jumpThrough(reinterpret_cast<uint64_t>(at),
                                         reinterpret_cast<uint64_t>(target));
  std::memcpy(at, jump.data(), sizeof(jump));
}

#else

bool CodeMemory::canReplace() { return false; }

static void writeJump(uint8_t *, const KernelFunction *) {}

#endif

void CodeMemory::replace(size_t image, KernelFunction code) {
  assert(targets[image] && "replaceable code");
  // Aligned, so a jump reads the old address or the new one.
  __atomic_store_n(targets[image], code, __ATOMIC_RELEASE);
}

Result<CodeMemory> CodeMemory::load(const std::vector<KernelImage> &images,
                                    std::vector<KernelFunction> &functions,
                                    const std::vector<bool> &replaceable) {
  CodeMemory memory;
  const auto isReplaceable = [&](size_t image) {
    return image < replaceable.size() && replaceable[image];
  };
  uint64_t total = 0, jumps = 0;
  for (size_t i = 0; i < images.size(); ++i) {
    total += alignUp(images[i].code.size, imageAlignment);
    jumps += isReplaceable(i);
  }
  if (total == 0)
    return memory;
  assert((jumps == 0 || canReplace()) && "jumps of this processor");
  // One mapping for all images, and one mprotect; behind the code come the
  // jumps, and in pages of their own the addresses to which they go.
  const auto page = uint64_t(::sysconf(_SC_PAGESIZE));
  const uint64_t jumpsAt = total;
  total = alignUp(total + jumps * jumpBytes, page);
  const uint64_t size = total + alignUp(jumps * sizeof(KernelFunction), page);
  void *mapping = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED)
    return fail("no host memory for {} bytes of kernel code: {}", size,
                strerror(errno));
  memory.base = mapping;
  memory.size = size;
  memory.targets.resize(images.size());
  uint8_t *jump = static_cast<uint8_t *>(mapping) + jumpsAt;
  auto *target = reinterpret_cast<KernelFunction *>(
      static_cast<uint8_t *>(mapping) + total);
  // W^X: pages are writable until mprotect below, then executable.
  uint8_t *at = static_cast<uint8_t *>(mapping);
  // decode() has proved every slot and target to be inside its code block.
  // Slots hold absolute addresses, which are known once the copy has its place.
  for (size_t i = 0; i < images.size(); ++i) {
    const KernelImage &image = images[i];
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
    if (isReplaceable(i)) {
      *target = functions.back();
      writeJump(jump, target);
      functions.back() = reinterpret_cast<KernelFunction>(jump);
      memory.targets[i] = target++;
      jump += jumpBytes;
    }
    at += alignUp(image.code.size, imageAlignment);
  }
  // Where caches of instructions do not see stores; nothing on x86-64.
  __builtin___clear_cache(static_cast<char *>(mapping),
                          static_cast<char *>(mapping) + total);
  if (::mprotect(mapping, total, PROT_READ | PROT_EXEC) != 0)
    return fail("the host does not allow compiled kernels to run: {}",
                strerror(errno));
  return memory;
}

} // namespace gaudi::runtime
