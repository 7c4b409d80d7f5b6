// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device memory: mapping it, placing the sections, and reporting what does not
// fit.
#include "Gaudi/Runtime/Arena.h"

#include "../ErrorPhrases.h"
#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/LiveBuffers.h"
#include "Gaudi/Support/Units.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <string_view>
#include <sys/mman.h>

namespace gaudi::runtime {

using namespace recipe;

uint64_t availableHostMemory() {
  std::FILE *file = std::fopen("/proc/meminfo", "re");
  if (!file)
    return 0;
  char line[256];
  constexpr std::string_view key = "MemAvailable:";
  uint64_t kilobytes = 0;
  while (std::fgets(line, sizeof(line), file))
    if (std::string_view(line).substr(0, key.size()) == key) {
      kilobytes = std::strtoull(line + key.size(), nullptr, 10);
      break;
    }
  std::fclose(file);
  return kilobytes * 1024;
}

Result<Arena> Arena::create(uint64_t bytes, const char *purpose) {
  Arena arena;
  arena.bytes = bytes;
  if (bytes == 0)
    return arena;
  // No host maps this much; beyond it the sums below could overflow.
  if (bytes > uint64_t(1) << 56)
    return fail("cannot map {}{}{}", humanBytes(bytes), ofHostMemory, purpose);
  const uint64_t rounded = (bytes + alignment - 1) / alignment * alignment;
  const uint64_t wanted = rounded + alignment;
  void *mapping = mmap(nullptr, wanted, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    return fail("cannot map {}{}{}: {}", humanBytes(wanted), ofHostMemory,
                purpose, std::strerror(errno));
  arena.mapping = mapping;
  arena.mapped = wanted;
  const uint64_t address = reinterpret_cast<uint64_t>(mapping);
  arena.base = reinterpret_cast<uint8_t *>((address + alignment - 1) /
                                           alignment * alignment);
  // Only a hint: small pages work too, but slower.
  (void)madvise(arena.base, rounded, MADV_HUGEPAGE);
  return arena;
}

Arena::Arena(Arena &&other) noexcept { *this = std::move(other); }

Arena &Arena::operator=(Arena &&other) noexcept {
  std::swap(base, other.base);
  std::swap(bytes, other.bytes);
  std::swap(mapping, other.mapping);
  std::swap(mapped, other.mapped);
  return *this;
}

Arena::~Arena() {
  if (mapping)
    munmap(mapping, mapped);
}

namespace {

std::string shapeText(const Tensor &tensor) {
  std::string text;
  for (int64_t size : items(tensor.sizes()))
    text += fmt::format("{}x", size);
  return text + std::string(elementName(tensor.type()));
}

/// The five largest buffers alive at the peak of the entry that needs the most
/// workspace, a line each.
std::string largestBuffers(const Recipe &recipe) {
  const auto tensors = items(recipe.tensors());
  const auto locations = items(recipe.locations());
  // Entries share the workspace: the largest one decides its size.
  LiveBuffers worst;
  for (uint32_t e = 0; e < items(recipe.entries()).size(); ++e) {
    LiveBuffers live = liveAtPeak(recipe, e);
    if (e == 0 || live.workspace > worst.workspace)
      worst = std::move(live);
  }
  std::vector<uint32_t> &shown = worst.tensors;
  shown.resize(std::min<size_t>(shown.size(), 5));
  std::string lines;
  for (uint32_t t : shown) {
    const Tensor &tensor = *tensors[t];
    lines +=
        fmt::format("\n  {}  {} \"{}\" {}", humanBytes(tensorBytes(tensor)),
                    EnumNameTensorClass(tensor.tensor_class()),
                    text(tensor.name()), shapeText(tensor));
    const uint32_t location = tensor.location();
    if (location != 0 && location < locations.size())
      lines += fmt::format(" ({})", text(locations[location]));
  }
  return lines;
}

} // namespace

Result<DeviceMemory> DeviceMemory::create(const RecipeFile &file,
                                          uint64_t capacity,
                                          bool constantsOnly) {
  const Recipe &recipe = file.recipe();
  const auto sections = items(recipe.sections());
  uint64_t arenaBytes = 0, persistent = 0, constants = 0, workspace = 0;
  std::vector<uint64_t> offsets(sections.size(), 0);
  for (uint32_t s = 0; s < sections.size(); ++s) {
    const Section &section = *sections[s];
    // Constants stay in the mapped file and count as device memory alone.
    if (section.kind() == SectionKind::Const) {
      constants += section.size();
      continue;
    }
    (section.kind() == SectionKind::Persistent ? persistent : workspace) +=
        section.size();
    const uint64_t align = std::min<uint64_t>(
        std::max<uint64_t>(section.alignment(), 4096), Arena::alignment);
    offsets[s] = (arenaBytes + align - 1) / align * align;
    assert(offsets[s] <= UINT64_MAX - section.size() &&
           "the verifier bounds the sum of all sections");
    arenaBytes = offsets[s] + section.size();
  }
  const uint64_t needed = persistent + constants + workspace;
  if (needed > capacity)
    return fail("{}: the recipe needs {} (persistent {}, const {}, workspace "
                "{}) but the device has {}; a smaller batch takes less, and "
                "gaudi-run MODEL --plan-memory says what else does; largest "
                "live buffers at the peak:{}",
                outOfDeviceMemory, humanBytes(needed), humanBytes(persistent),
                humanBytes(constants), humanBytes(workspace),
                humanBytes(capacity), largestBuffers(recipe));
  DeviceMemory memory(
      GAUDI_TRY(Arena::create(constantsOnly ? 0 : arenaBytes, "the device")));
  memory.persistent = persistent;
  memory.constants = constants;
  memory.workspace = workspace;
  for (uint32_t s = 0; s < sections.size(); ++s)
    // Constants are never written: the verifier rejects commands that would.
    memory.sections.push_back(
        sections[s]->kind() == SectionKind::Const
            ? const_cast<uint8_t *>(file.constBytes(s).data)
        : constantsOnly ? nullptr
                        : memory.arena.data() + offsets[s]);
  return memory;
}

} // namespace gaudi::runtime
