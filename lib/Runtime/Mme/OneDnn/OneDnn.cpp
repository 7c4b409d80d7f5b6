// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The door of libGaudiOneDnn.so.
#include "OneDnn.h"

#include "../../Host/BuildId.h"

#include <cstring>

namespace gaudi::runtime {

// The rows, each in the file of its command.
extern const OneDnnKind weightGradKind;

const OneDnnKind *oneDnnKind(recipe::Body body) {
  for (const OneDnnKind *kind : {&weightGradKind})
    if (kind->body == body)
      return kind;
  return nullptr;
}

} // namespace gaudi::runtime

extern "C" const void *gaudiOneDnn(const char *interface) {
  using namespace gaudi::runtime;
  static const OneDnnApi api = {oneDnnGemm, oneDnnConv, oneDnnKind};
  return std::strcmp(interface, interfaceId()) == 0 ? &api : nullptr;
}
