// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix engine of a host with emulated tiles.
// GAUDI_EMULATED_TILES=refused: its system does not permit them; =count: the
// instructions carried out are printed at the end. Other values end the
// process.
#include "EmulatedHost.h"
#include "TileTrap.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace gaudi::testing;

namespace {

std::string_view wanted() {
  const char *value = std::getenv("GAUDI_EMULATED_TILES");
  return value ? value : "";
}

struct Emulation {
  Emulation() {
    if (!wanted().empty() && wanted() != "refused" && wanted() != "count") {
      std::fprintf(stderr,
                   "error: the environment variable GAUDI_EMULATED_TILES is "
                   "'%s'; unset it, or choose one of refused, count\n",
                   wanted().data());
      std::_Exit(4); // a gaudi-run whose loading failed
    }
    trapTiles();
    setPermission(wanted() != "refused");
  }
  ~Emulation() {
    if (wanted() != "count")
      return;
    if (hasTiles())
      std::fprintf(stderr, "products of tiles by the processor\n");
    else
      std::fprintf(stderr, "%llu products of tiles\n",
                   static_cast<unsigned long long>(tileCounts().products));
  }
} emulation;

} // namespace
