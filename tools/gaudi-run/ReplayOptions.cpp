// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What replay files may say about a launch.
#include "ReplayOptions.h"
#include "Gaudi/Support/Environment.h"

namespace gaudi::run {

using Kind = ReplayableOption::Kind;

const std::vector<ReplayableOption> &replayableOptions() {
  static const std::vector<ReplayableOption> options = {
      {"seed-inputs", Kind::Value},
      {"atol", Kind::Value},
      {"rtol", Kind::Value},
      {"check", Kind::Flag},
      {"check-draws", Kind::Value},
      {"check-samples", Kind::Value},
      {"model", Kind::File},
      {"check-finite", Kind::Flag},
      {"check-numerics", Kind::Flag},
      {"check-memory", Kind::Flag},
      {"reference", Kind::Flag},
      {"compile-only", Kind::Flag},
      {"loss-curve", Kind::Flag},
      {"against", Kind::Lists},
      {"save-recipe", Kind::Output},
      {"device", Kind::Value},
      {"entry", Kind::Value},
      {"lift-elided", Kind::Flag},
      {"allow-permutation", Kind::Value},
      {"autocast", Kind::Lists},
      {"disable-fusion", Kind::Value},
      {"require-fusion", Kind::Value},
      {"memory-budget", Kind::Value},
      {"max-expanded-ops", Kind::Value},
      {"verify-fusion", Kind::Flag},
      {"shape", Kind::Value},
      {"buckets", Kind::Value},
      {"bucket-histogram", Kind::File},
      {"bucket-cost", Kind::MayBeFile},
      {"sizes", Kind::Value},
      {"strict-shapes", Kind::Flag},
      {"poison-padding", Kind::Flag},
      {"state", Kind::Value},
      {"steps", Kind::Value},
      {"loss", Kind::Value},
      {"threads", Kind::Value},
      {"no-pipeline", Kind::Flag},
      {"numerics", Kind::Value},
      {"max-iterations", Kind::Value},
      {"max-kernel-weight", Kind::Value},
      {"device-memory", Kind::Value},
      {"repeat", Kind::Value},
      {"warmup", Kind::Value}};
  return options;
}

const std::vector<const char *> &replayedVariables() {
  static const std::vector<const char *> names = {
      "GAUDI_INTEGERS", "GAUDI_JIT_CPU",      "GAUDI_JIT_TIER",
      "GAUDI_MME",      "GAUDI_MOVE_TENSORS", "GAUDI_NUMERICS"};
  return names;
}

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
