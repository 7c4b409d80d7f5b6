// Checks const sections that opening the recipe did not check.
#include "ConstantCheck.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Geometry.h"

#include <atomic>

namespace gaudi::runtime {

using namespace recipe;

Status ConstantCheck::begin() {
  if (file.constantsVerified())
    return {};
  ValidationRecord &notes = loaded.panelCache.notes();
  for (uint32_t s = 0; s < items(file->sections()).size(); ++s) {
    const std::vector<uint64_t> *units = notes.checksums(s);
    if (units && file.areChecksumsOf(s, *units)) {
      pending[s].resize(units->size());
      continue;
    }
    auto checked = file.checksums(s, loaded.pool.size());
    if (!checked)
      return tl::unexpected<Error>(checked.error());
    if (file.constBytes(s).size)
      notes.add(s, std::move(*checked));
  }
  return {};
}

void ConstantCheck::needs(uint32_t id) {
  const Tensor &tensor = *file->tensors()->Get(id);
  const auto units = pending.find(tensor.section());
  if (units == pending.end())
    return;
  const uint64_t bytes =
      byteExtent(copyOf(tensor.sizes()), copyOf(tensor.strides()),
                 elementSize(tensor.type()))
          .value_or(0);
  const uint64_t unit = file.checkedBytes(tensor.section());
  for (uint64_t u = tensor.offset() / unit;
       u * unit < tensor.offset() + bytes && u < units->second.size(); ++u)
    units->second[u] = true;
}

Status ConstantCheck::end() {
  std::vector<std::pair<uint32_t, uint64_t>> work;
  for (const auto &[section, units] : pending)
    for (uint64_t u = 0; u < units.size(); ++u)
      if (units[u])
        work.push_back({section, u});
  std::atomic<int64_t> bad{-1};
  loaded.pool.parallelFor(
      int64_t(work.size()), 4, [&](int64_t first, int64_t last, unsigned) {
        for (int64_t w = first; w < last; ++w) {
          const auto [section, unit] = work[size_t(w)];
          if (!file.verifyUnits(section,
                                *loaded.panelCache.notes().checksums(section),
                                unit, unit + 1))
            bad = w;
        }
      });
  if (bad < 0)
    return {};
  const auto [section, unit] = work[size_t(bad.load())];
  return file.verifyUnits(
      section, *loaded.panelCache.notes().checksums(section), unit, unit + 1);
}

} // namespace gaudi::runtime
