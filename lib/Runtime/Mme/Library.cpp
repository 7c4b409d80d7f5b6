// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The door of libGaudiMme.so.
#include "Library.h"

#include "../Host/BuildId.h"
#include "Packing/PanelStore.h"

#include <cstring>

namespace gaudi::runtime {

static std::unique_ptr<PanelRequests> panelRequests(PanelCache *cache) {
  return std::make_unique<PanelStore>(cache);
}

} // namespace gaudi::runtime

extern "C" const void *gaudiMme(const char *interface) {
  using namespace gaudi::runtime;
  static const MmeApi api = {panelRequests,   prepareMatrixCommand,
                             stagingBound,    hostKernels,
                             prepareIntegers, integerStaging};
  return std::strcmp(interface, interfaceId()) == 0 ? &api : nullptr;
}
