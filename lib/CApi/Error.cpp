// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes and reads errors.
#include "Error.h"

#include "Gaudi/Runtime/ErrorKind.h"

namespace gaudi::capi {
namespace {

/// The one error that no memory is needed for.
GaudiError &sharedOutOfMemory() {
  static GaudiError error{GaudiErrorOutOfMemory, "not enough host memory", "",
                          ""};
  return error;
}

/// Made while there is memory: when the library is loaded. A program for which
/// that memory is missing does not start.
// NOLINTNEXTLINE(bugprone-throwing-static-initialization)
[[maybe_unused]] const GaudiError &made = sharedOutOfMemory();

GaudiErrorCode codeOf(GaudiErrorCode code, const Error &error) {
  switch (runtime::kindOf(error)) {
  case runtime::ErrorKind::DeviceMemory:
  case runtime::ErrorKind::HostMemory:
    return GaudiErrorOutOfMemory;
  case runtime::ErrorKind::MissingLibrary:
  case runtime::ErrorKind::OtherProcess:
    return GaudiErrorUnavailable;
  case runtime::ErrorKind::Work:
    return GaudiErrorLaunch;
  case runtime::ErrorKind::Other:
    break;
  }
  return code;
}

} // namespace

GaudiError *makeError(GaudiErrorCode code, std::string message) {
  return new GaudiError{code, std::move(message), {}, {}};
}

GaudiError *makeError(GaudiErrorCode code, const Error &error) {
  return makeError(codeOf(code, error), error.message);
}

GaudiError *outOfHostMemory() { return &sharedOutOfMemory(); }

} // namespace gaudi::capi

using gaudi::capi::refOf;

GaudiErrorCode gaudiErrorCode(const GaudiError *error) { return error->code; }
GaudiStringRef gaudiErrorMessage(const GaudiError *error) {
  return refOf(error->message);
}
GaudiStringRef gaudiErrorLocation(const GaudiError *error) {
  return refOf(error->location);
}
GaudiStringRef gaudiErrorDetails(const GaudiError *error) {
  return refOf(error->details);
}
void gaudiErrorDestroy(GaudiError *error) {
  if (error != gaudi::capi::outOfHostMemory())
    delete error;
}
