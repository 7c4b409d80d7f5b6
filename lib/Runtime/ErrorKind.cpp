// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the kind of an error off its sentence.
#include "Gaudi/Runtime/ErrorKind.h"

#include "ErrorPhrases.h"

#include <string_view>

namespace gaudi::runtime {

ErrorKind kindOf(const Error &error) {
  const std::string_view text = error.message;
  const auto has = [&](std::string_view phrase) {
    return text.find(phrase) != std::string_view::npos;
  };
  if (text.substr(0, sizeof(outOfDeviceMemory) - 1) == outOfDeviceMemory)
    return ErrorKind::DeviceMemory;
  if (has(cannotLoad) || has(installBoth))
    return ErrorKind::MissingLibrary;
  if (has(notEnoughHostMemory) || has(ofHostMemory) || has(hostScratchMemory))
    return ErrorKind::HostMemory;
  if (has(cardBusy) || has(beforeFork))
    return ErrorKind::OtherProcess;
  if (text.substr(0, sizeof(workFailed) - 1) == workFailed)
    return ErrorKind::Work;
  return ErrorKind::Other;
}

} // namespace gaudi::runtime
