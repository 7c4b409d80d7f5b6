// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binds the memory of a loaded recipe: to addresses of the caller at each
// launch, or once to memory of its own.
#ifndef GAUDI_LIB_RUNTIME_LAUNCHBINDINGS_H
#define GAUDI_LIB_RUNTIME_LAUNCHBINDINGS_H

#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Runtime/Arena.h"
#include "Gaudi/Runtime/LaunchAddresses.h"
#include "Gaudi/Support/Error.h"
#include "InPlace.h"
#include "Relocation.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace gaudi::runtime {

class LaunchResources;

/// What launches of one entry need of the caller.
struct EntryMemory {
  explicit EntryMemory(InPlace inPlace) : inPlace(std::move(inPlace)) {}

  std::vector<LaunchTensor> tensors;
  std::vector<uint32_t> regions; ///< of each tensor
  std::vector<uint64_t> starts;  ///< from the region's start to its first byte
  InPlace inPlace;               ///< by LaunchTensor::tensor

  // Of the last addresses that were checked.
  std::vector<void *> given;
  void *workspace = nullptr;
  AddressOrder order;
};

class LaunchBindings {
public:
  /// Gives all memory of the recipe but that of constants link addresses.
  LaunchBindings(const recipe::Recipe &recipe);

  /// The link address of a tensor that is not constant.
  uint8_t *linkAddress(uint32_t tensor) const;
  uint8_t *stagingAddress() const { return memory.linkAddress(staging); }
  uint8_t *partialsAddress() const { return memory.linkAddress(partials); }
  /// How much of both commands take, once all are prepared.
  void setStaging(uint64_t bytes, uint64_t partialBytes);
  uint64_t stagingBytes() const { return partialsAt + partialBytes; }
  /// The first scratch memory of workers, in bytes of each.
  uint64_t scratchBytes = 0;

  /// Notes the pointers of commands and of tensors.
  Relocation &visitor() { return memory; }

  /// Binds everything to memory of the recipe's own, for good.
  void bindTo(const DeviceMemory &device);
  /// Everything but staging memory, piece by piece.
  struct Region {
    uint32_t number;
    uint64_t bytes;
    uint64_t offset; ///< of its address from a multiple of the alignment
    bool isWorkspace;
  };
  std::vector<Region> regions() const;
  void place(const Region &region, uint8_t *to) {
    memory.move(region.number, to);
  }
  /// Finds what each entry needs of the caller, and gives the recipe memory of
  /// its own for extents, which the host writes. An error if callers see one.
  Status openToCallers(std::vector<InPlace> inPlace);
  bool isOpen() const { return !entries.empty(); }

  const EntryMemory &entry(size_t index) const { return entries[index]; }
  std::optional<LaunchPlace> placeOf(uint32_t tensor, size_t entry) const;
  uint64_t workspaceBytes() const { return workspaceSize; }

  /// Whether launches of the entry may bind an input and an output of its
  /// tensors to one address.
  bool mayAlias(size_t entry, size_t input, size_t output) const;
  /// Errors: null, not aligned, memory of two that one of them writes. `order`:
  /// of the last addresses, in any state; the same order is the fastest.
  /// `shown`: how errors write the address of a tensor.
  Status check(size_t entry, const LaunchAddresses &addresses,
               AddressOrder &order, const ShownAddress &shown) const;
  /// Binds the entry's memory to addresses of the caller; the next launches are
  /// of this entry. After an error all is as before.
  Status bind(size_t entry, const LaunchAddresses &addresses);
  /// The same for addresses that have been checked.
  void bindChecked(size_t entry, const LaunchAddresses &addresses);
  /// Whether the entry may be launched: its memory has addresses.
  bool isBound(size_t entry) const { return !isOpen() || boundEntry == entry; }
  /// Before each launch: `resources` has the memory that it needs, maybe
  /// elsewhere than in the last one.
  Status prepare(LaunchResources &resources);
  /// Nobody else grows these resources: staging memory stays where it is.
  void keepStaging();

  /// Of the emulation, for statistics.
  uint64_t tableBytes() const { return memory.bytes(); }

private:
  /// What an entry uses of a root.
  struct Use {
    uint64_t begin = UINT64_MAX, end = 0; ///< from the start of its section
    uint32_t tensor = 0;                  ///< one of them, the root if it is
    bool isUsed = false, isWritten = false;
  };
  void collect(uint32_t entry, std::vector<Use> &uses) const;
  bool isReplaced(const EntryMemory &memory, size_t input, size_t output) const;
  bool isBoundTo(size_t entry, const LaunchAddresses &addresses) const;
  bool mayShare(const EntryMemory &memory, const LaunchAddresses &addresses,
                uint32_t a, uint32_t b) const;
  Status checkOverlaps(const EntryMemory &memory,
                       const LaunchAddresses &addresses, AddressOrder &order,
                       const ShownAddress &shown) const;

  const recipe::Recipe &recipe;
  std::vector<uint32_t> roots; // of each tensor
  Relocation memory;
  uint32_t staging, partials;
  uint64_t partialsAt = 0, partialBytes = 0;
  std::vector<uint32_t> regionOfSection; // of the workspace
  std::vector<uint64_t> sectionAt;       // from the start of the workspace
  std::vector<uint32_t> regionOfRoot;    // of persistent ones
  uint64_t workspaceSize = 0;
  std::vector<EntryMemory> entries; // empty: the recipe has memory of its own
  std::unique_ptr<uint64_t[]> extents;
  size_t boundEntry = SIZE_MAX;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_LAUNCHBINDINGS_H
