// Device memory: mapping it, laying the sections out, and saying what does not
// fit.
#include "Gaudi/Runtime/Arena.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/LiveBuffers.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>

namespace gaudi::runtime {

using namespace recipe;

std::string humanBytes(uint64_t bytes) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  unsigned unit = 0;
  double value = double(bytes);
  for (; value >= 1024 && unit < 5; ++unit)
    value /= 1024;
  char buffer[32];
  const int digits = unit == 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  std::snprintf(buffer, sizeof(buffer), "%.*f %s", digits, value, units[unit]);
  return buffer;
}

uint64_t availableHostMemory() {
  std::FILE *file = std::fopen("/proc/meminfo", "re");
  if (!file)
    return 0;
  char line[256];
  unsigned long long kilobytes = 0;
  while (std::fgets(line, sizeof(line), file))
    if (std::sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1)
      break;
  std::fclose(file);
  return uint64_t(kilobytes) * 1024;
}

Result<Arena> Arena::create(uint64_t bytes) {
  Arena arena;
  arena.bytes = bytes;
  if (bytes == 0)
    return arena;
  // No host maps this much; beyond it the sums below could overflow.
  if (bytes > uint64_t(1) << 56)
    return fail("cannot map " + humanBytes(bytes) +
                " of host memory for the device");
  const uint64_t rounded = (bytes + alignment - 1) / alignment * alignment;
  const uint64_t wanted = rounded + alignment;
  void *mapping = mmap(nullptr, wanted, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    return fail("cannot map " + humanBytes(wanted) +
                " of host memory for the device: " + std::strerror(errno));
  arena.mapping = mapping;
  arena.mapped = wanted;
  const uint64_t address = reinterpret_cast<uint64_t>(mapping);
  arena.base = reinterpret_cast<uint8_t *>((address + alignment - 1) /
                                           alignment * alignment);
  // Only a hint: without huge pages everything is right, but slower.
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
    text += std::to_string(size) + "x";
  return text + std::string(elementName(tensor.type()));
}

/// The largest buffers at the worst moment of the worst entry.
std::string largestBuffers(const Recipe &recipe) {
  const auto tensors = items(recipe.tensors());
  const auto locations = items(recipe.locations());
  LiveBuffers worst;
  for (uint32_t e = 0; e < items(recipe.entries()).size(); ++e) {
    LiveBuffers live = liveAtPeak(recipe, e);
    if (e == 0 || live.workspace > worst.workspace)
      worst = std::move(live);
  }
  std::vector<uint32_t> &shown = worst.tensors;
  shown.resize(std::min<size_t>(shown.size(), 5));
  std::string text;
  for (uint32_t t : shown) {
    text += "\n  " + humanBytes(tensorBytes(*tensors[t])) + "  " +
            EnumNameTensorClass(tensors[t]->tensor_class()) + " \"" +
            std::string(gaudi::recipe::text(tensors[t]->name())) + "\" " +
            shapeText(*tensors[t]);
    const uint32_t location = tensors[t]->location();
    if (location != 0 && location < locations.size())
      text +=
          " (" + std::string(gaudi::recipe::text(locations[location])) + ")";
  }
  return text;
}

} // namespace

Result<DeviceMemory> DeviceMemory::create(const RecipeFile &file,
                                          uint64_t capacity) {
  const Recipe &recipe = file.recipe();
  const auto sections = items(recipe.sections());
  // The verifier bounds the sum of all sections, so nothing overflows here.
  uint64_t arenaBytes = 0, persistent = 0, constants = 0, workspace = 0;
  std::vector<uint64_t> offsets(sections.size(), 0);
  for (uint32_t s = 0; s < sections.size(); ++s) {
    const Section &section = *sections[s];
    if (section.kind() == SectionKind::Const) {
      constants += section.size();
      continue;
    }
    (section.kind() == SectionKind::Persistent ? persistent : workspace) +=
        section.size();
    const uint64_t align = std::min<uint64_t>(
        std::max<uint64_t>(section.alignment(), 4096), Arena::alignment);
    offsets[s] = (arenaBytes + align - 1) / align * align;
    arenaBytes = offsets[s] + section.size();
  }
  const uint64_t needed = persistent + constants + workspace;
  if (needed > capacity)
    return fail("out of device memory: the recipe needs " + humanBytes(needed) +
                " (persistent " + humanBytes(persistent) + ", const " +
                humanBytes(constants) + ", workspace " + humanBytes(workspace) +
                ") but the device has " + humanBytes(capacity) +
                "; largest live buffers at the peak:" + largestBuffers(recipe));
  Result<Arena> arena = Arena::create(arenaBytes);
  if (!arena)
    return tl::unexpected<Error>(arena.error());
  DeviceMemory memory(std::move(*arena));
  memory.persistent = persistent;
  memory.constants = constants;
  memory.workspace = workspace;
  for (uint32_t s = 0; s < sections.size(); ++s)
    // Constants are never written: the verifier rejects commands that would.
    memory.sections.push_back(
        sections[s]->kind() == SectionKind::Const
            ? const_cast<uint8_t *>(file.constBytes(s).data)
            : memory.arena.data() + offsets[s]);
  return memory;
}

} // namespace gaudi::runtime
