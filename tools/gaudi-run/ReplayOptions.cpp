// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which invocations can be replay files.
#include "ReplayOptions.h"
#include "Gaudi/Support/Environment.h"

namespace gaudi::run {

std::optional<std::string> replayFolder() {
  const auto folder = environmentVariable("GAUDI_REPLAY_DIR");
  return folder && !folder->empty() ? std::optional<std::string>(*folder)
                                    : std::nullopt;
}

bool isReplayable(const Options &options) {
  if (!options.shapesFrom.empty())
    return false;
  switch (options.mode) {
  case Mode::Run:
  case Mode::Check:
  case Mode::Reference:
  case Mode::CompileOnly:
  case Mode::Precision:
  case Mode::LossCurve:
    return true;
  default:
    return false;
  }
}

} // namespace gaudi::run
