// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host that the kernels see: this one, with matrix tiles.
#ifndef GAUDI_TEST_UNIT_EMULATION_EMULATEDHOST_H
#define GAUDI_TEST_UNIT_EMULATION_EMULATEDHOST_H

namespace gaudi::testing {

/// What the system answers a process that asks for tiles. Before the first
/// kernel is chosen.
void setPermission(bool granted);

/// How often it was asked.
int timesAsked();

/// False on hosts without what the code of the tile kernels needs beside tiles.
bool canRunTileKernels();

} // namespace gaudi::testing

#endif // GAUDI_TEST_UNIT_EMULATION_EMULATEDHOST_H
