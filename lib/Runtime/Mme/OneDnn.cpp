// The door of libGaudiOneDnn.so.
#include "OneDnn.h"

#include "../Host/BuildId.h"

#include <cstring>

extern "C" const void *gaudiOneDnn(const char *interface) {
  using namespace gaudi::runtime;
  static const OneDnnApi api = {oneDnnGemm, oneDnnConv};
  return std::strcmp(interface, interfaceId()) == 0 ? &api : nullptr;
}
