// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix tiles (AMX) on hosts that have none: the instructions trap as unknown
// ones and are carried out as the processor's manual describes them.
#ifndef GAUDI_TEST_UNIT_EMULATION_TILETRAP_H
#define GAUDI_TEST_UNIT_EMULATION_TILETRAP_H

#include <cstdint>

namespace gaudi::testing {

/// Instructions carried out so far, in all threads.
struct TileCounts {
  uint64_t configurations, releases, loads, stores, zeros, products;
};

/// True if the processor carries them out itself. Then there is nothing to trap
/// or to count.
bool hasTiles();

/// Handles unknown instructions from now on. A tile instruction that the
/// processor would refuse ends the process with a message that says why: wrong
/// shapes, an unconfigured tile, no permission.
void trapTiles();

/// Whether the process may use tiles; not at first. A system with tiles is
/// asked for them.
void permitTiles(bool permitted);

TileCounts tileCounts();

/// True if this thread has configured tiles and not released them.
bool tilesInUse();

} // namespace gaudi::testing

#endif // GAUDI_TEST_UNIT_EMULATION_TILETRAP_H
