// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves the memory of a loaded recipe.
//
// Memory consists of regions, each of which moves as a whole: a section of the
// workspace, a persistent tensor with its views, the staging memory. Commands
// are prepared on *link addresses*: ranges far from each other, of memory that
// no process has, so that whoever forgets a pointer faults where it is used
// first. Then every command shows the pointers that it keeps (AddressVisitor),
// and to move a region is to add the same distance to those that point into it,
// like the patch points of a card's recipe.
//
// What is decided while commands are prepared holds for every binding: link
// ranges do not overlap, so those of a binding must not either, as far as one
// of them is written; and link addresses have the alignment that a binding must
// have, and no more.
#ifndef GAUDI_LIB_RUNTIME_RELOCATION_H
#define GAUDI_LIB_RUNTIME_RELOCATION_H

#include "Commands/Addresses.h"

#include <cstdint>
#include <vector>

namespace gaudi::runtime {

/// Addresses that no memory has: a bit above those of a process is set, and
/// another one where processors ignore the highest byte.
constexpr bool isLinkAddress(uint64_t address) {
  return address >> 53 == 0x202;
}
inline bool isLinkAddress(const void *address) {
  return isLinkAddress(reinterpret_cast<uint64_t>(address));
}

class Relocation final : public AddressVisitor {
public:
  /// The most alignment of a region. Kernels store whole cache lines past the
  /// caches where they are aligned to 64 bytes; nothing else on the host needs
  /// more than elements.
  static constexpr uint64_t alignment = 128;

  /// `regions`: about as many as there will be.
  explicit Relocation(size_t regions);

  /// A region of that many bytes, whose address is `offset` more than a
  /// multiple of `alignment`. Returns its number: they count from 0.
  uint32_t add(uint64_t bytes, uint64_t offset = 0);
  uint8_t *linkAddress(uint32_t region) const {
    return reinterpret_cast<uint8_t *>(regions[region].link);
  }

  /// After the last region: visitors note pointers to link addresses.
  void pointers(void *first, size_t count) override;

  /// Where the region is; at first its link address.
  uint64_t address(uint32_t region) const { return regions[region].now; }
  bool isBound(uint32_t region) const {
    return !isLinkAddress(regions[region].now);
  }
  void move(uint32_t region, const void *to);
  /// The region never moves again: forgets its pointers.
  void keep(uint32_t region);

  /// Of what is noted, for statistics.
  uint64_t bytes() const;

private:
  /// Pointers that follow each other.
  struct Run {
    void *first;
    uint64_t count;
  };
  struct Region {
    uint64_t link, now;
    std::vector<Run> runs;
  };
  size_t regionOf(uint64_t address);

  uint64_t gap; // between two regions
  uint64_t next;
  std::vector<Region> regions; // by link address
  size_t last = 0;             // region that a pointer was found in
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_RELOCATION_H
