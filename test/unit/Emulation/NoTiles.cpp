// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hosts of an architecture without matrix tiles, for tests that skip theirs.
#include "EmulatedHost.h"
#include "TileTrap.h"

namespace gaudi::testing {

void setPermission(bool) {}
int timesAsked() { return 0; }
bool canRunTileKernels() { return false; }

bool hasTiles() { return false; }
void trapTiles() {}
void permitTiles(bool) {}
TileCounts tileCounts() { return {}; }
bool tilesInUse() { return false; }

} // namespace gaudi::testing
