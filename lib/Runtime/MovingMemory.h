// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of a recipe that is somewhere else in every launch, to check that
// nothing depends on where it is (LoadOptions::movesTensors).
#ifndef GAUDI_LIB_RUNTIME_MOVINGMEMORY_H
#define GAUDI_LIB_RUNTIME_MOVINGMEMORY_H

#include "LaunchBindings.h"

#include <vector>

namespace gaudi::runtime {

class MovingMemory {
public:
  /// Moves all tensors and the workspace. Tensors keep their values, the
  /// workspace holds NaN. Memory of before can be neither read nor written
  /// until the next move.
  Status move(LaunchBindings &bindings);

private:
  Arena now = Arena::none(), before = Arena::none();
  std::vector<uint8_t *> places; // of regions, now
  uint64_t moves = 0;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_MOVINGMEMORY_H
