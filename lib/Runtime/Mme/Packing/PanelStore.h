// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packed constants of matrix commands: one copy for all readers of the same
// bytes in the same layout, among the commands of a recipe, the recipes of a
// process, and later processes.
#ifndef GAUDI_LIB_RUNTIME_MME_PACKING_PANELSTORE_H
#define GAUDI_LIB_RUNTIME_MME_PACKING_PANELSTORE_H

#include "../../Cache/PanelCache.h"
#include "../../Commands/Command.h"
#include "Pack.h"

#include <memory>
#include <vector>

namespace gaudi::runtime {

/// Complete panels; never written again.
struct PanelMemory {
  std::shared_ptr<const void> owner;
  const uint8_t *data = nullptr;
  uint64_t bytes = 0;
  bool mapped = false;  // from the cache
  CacheNonce file = {}; // then its number
};

/// Panels of one constant that commands want; `memory` is set by
/// PanelStore::resolve.
struct SharedPanels {
  PanelSource source;
  PanelLayout layout;
  std::vector<int64_t> items; // bytes from source.data, per packed item
  /// What source.data may point into besides the recipe file. As long as it is
  /// held, the address means these bytes.
  std::vector<std::shared_ptr<uint8_t>> held;
  std::shared_ptr<const PanelMemory> memory;
  bool comparedOrPacked = false; // the constant's bytes were read

  int64_t count() const { return layout.panels * int64_t(items.size()); }
  uint64_t bytes() const { return uint64_t(layout.pitch() * count()); }
  void pack(int64_t panel, uint8_t *to) const {
    packPanel(source, source.data + items[size_t(panel / layout.panels)],
              layout, panel % layout.panels, to);
  }
};

/// The requests of one recipe.
class PanelStore final : public PanelRequests {
public:
  /// `cache` may be null.
  explicit PanelStore(PanelCache *cache) : cache(cache) {}

  std::shared_ptr<const SharedPanels>
  want(const PanelSource &source, const PanelLayout &layout,
       const std::vector<int64_t> &items,
       std::vector<std::shared_ptr<uint8_t>> held);
  /// True if an earlier process recorded that the cache has these panels of
  /// this constant: what it found out about the constant before it asked for
  /// them still holds. Does not read the constant.
  bool isRecorded(const PanelSource &source, const PanelLayout &layout,
                  const std::vector<int64_t> &items) const;
  Status resolve(ThreadPool &pool, PanelStats &stats) override;

private:
  PanelCache *cache;
  std::vector<std::shared_ptr<SharedPanels>> wanted;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MME_PACKING_PANELSTORE_H
