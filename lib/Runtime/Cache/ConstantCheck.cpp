// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifies const sections that opening the recipe did not verify.
#include "ConstantCheck.h"

#include "Gaudi/Recipe/LiveBuffers.h"

#include <atomic>
#include <cassert>

namespace gaudi::runtime {

using namespace recipe;

Status ConstantCheck::begin() {
  // Every path ends with all units that are read known to match: verified when
  // the file was opened, here, or in end().
  if (file.constantsVerified())
    return {};
  ValidationRecord &record = loaded.panelCache.record();
  for (uint32_t s = 0; s < items(file->sections()).size(); ++s) {
    const std::vector<uint64_t> *units = record.checksums(s);
    // The record is believed only if its checksums hash to the section's own,
    // which the metadata states.
    if (units && file.areChecksumsOf(s, *units)) {
      read[s].resize(units->size());
      continue;
    }
    std::vector<uint64_t> verified = GAUDI_TRY(file.checksums(s, pool.size()));
    if (file.constBytes(s).size)
      record.add(s, std::move(verified));
  }
  return {};
}

void ConstantCheck::addRead(uint32_t id) {
  const Tensor &tensor = *file->tensors()->Get(id);
  const auto units = read.find(tensor.section());
  if (units == read.end())
    return;
  const uint64_t bytes = tensorBytes(tensor);
  // From the first to the last byte: holes between strided elements count too.
  const uint64_t unit = file.checkedBytes(tensor.section());
  for (uint64_t u = tensor.offset() / unit;
       u * unit < tensor.offset() + bytes && u < units->second.size(); ++u)
    units->second[u] = true;
}

Status ConstantCheck::end() {
  struct Unit {
    uint32_t section;
    uint64_t number;
  };
  // Only units that were read.
  std::vector<Unit> work;
  for (const auto &[section, units] : read)
    for (uint64_t u = 0; u < units.size(); ++u)
      if (units[u])
        work.push_back({section, u});
  auto verify = [&](const Unit &unit) {
    const auto *checksums = loaded.panelCache.record().checksums(unit.section);
    assert(checksums && "begin() found the section in the record");
    return file.verifyUnits(unit.section, *checksums, unit.number,
                            unit.number + 1);
  };
  // Threads note one damaged unit, any; its error is made again here.
  std::atomic<int64_t> damaged{-1};
  pool.parallelFor(int64_t(work.size()), 4,
                   [&](int64_t first, int64_t last, unsigned) {
                     for (int64_t w = first; w < last; ++w)
                       if (!verify(work[size_t(w)]))
                         damaged = w;
                   });
  if (damaged < 0)
    return {};
  return verify(work[size_t(damaged.load())]);
}

} // namespace gaudi::runtime
