// The door of libGaudiMme.so.
#include "Library.h"

#include "../BuildId.h"

#include <cstring>

extern "C" const void *gaudiMme(const char *interface) {
  using namespace gaudi::runtime;
  static const MmeApi api = {prepareGemm, prepareConv, stagingBound};
  return std::strcmp(interface, interfaceId()) == 0 ? &api : nullptr;
}
