// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of the emulated device: one aligned, zeroed range of host memory.
#ifndef GAUDI_RUNTIME_ARENA_H
#define GAUDI_RUNTIME_ARENA_H

#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gaudi::runtime {

/// Bytes the host could give without swapping; 0 if it does not say.
uint64_t availableHostMemory();

/// An anonymous mapping, 2 MiB aligned, in huge pages where the host has them.
/// Its bytes are zero initially; pages that nobody touches cost nothing.
class Arena {
public:
  static constexpr uint64_t alignment = uint64_t(2) << 20;

  /// `purpose` completes errors: "cannot map 3 TiB of host memory for ...".
  static Result<Arena> create(uint64_t bytes,
                              const char *purpose = "the device");
  static Arena none() { return Arena(); }
  Arena(Arena &&other) noexcept;
  Arena &operator=(Arena &&other) noexcept;
  ~Arena();

  uint8_t *data() const { return base; }
  uint64_t size() const { return bytes; }

private:
  Arena() = default;
  uint8_t *base = nullptr;
  uint64_t bytes = 0;
  void *mapping = nullptr;
  uint64_t mapped = 0;
};

/// The device memory of one recipe. Persistent and workspace sections are in an
/// arena; const sections stay in the recipe file, but count as device memory.
class DeviceMemory {
public:
  /// `capacity` in bytes. The error of one that is too small has both numbers
  /// and the five largest buffers alive at the peak. `constantsOnly`: the other
  /// sections get no memory.
  static Result<DeviceMemory> create(const recipe::RecipeFile &file,
                                     uint64_t capacity,
                                     bool constantsOnly = false);

  /// First byte of a section that has memory.
  uint8_t *section(uint32_t index) const { return sections[index]; }

  uint64_t persistentBytes() const { return persistent; }
  uint64_t constBytes() const { return constants; }
  uint64_t workspaceBytes() const { return workspace; }

private:
  explicit DeviceMemory(Arena arena) : arena(std::move(arena)) {}
  Arena arena;
  std::vector<uint8_t *> sections;
  uint64_t persistent = 0, constants = 0, workspace = 0;
};

} // namespace gaudi::runtime

#endif // GAUDI_RUNTIME_ARENA_H
