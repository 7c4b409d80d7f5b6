// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Timelines as Chrome trace events, which Perfetto and TensorBoard open.
//
// One process per predicted device and one for this host, with one track per
// engine. The host's process holds measured times, in the order in which the
// commands ran; it shares nothing with the others but the zero of the clock.
// docs/gaudi-run.md lists tracks, counters and arguments.
#ifndef GAUDI_PREDICTION_TRACE_H
#define GAUDI_PREDICTION_TRACE_H

#include "Gaudi/Prediction/Prediction.h"
#include "Gaudi/Support/OutputFile.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gaudi::prediction {

/// A command as this host ran it.
struct HostCommand {
  std::string name, location;
  std::string implementation; // "jit:lanes16"
  timing::Queue queue = timing::Queue::Tpc;
  double milliseconds = 0;
  /// The command whose tiles it ran in; it has no time of its own then.
  std::optional<uint32_t> within;
};

/// Launches of a recipe on this host.
struct HostRun {
  std::vector<HostCommand> commands; // in the order in which they ran
  uint32_t launches = 1;             // times are medians over so many
  uint32_t threads = 1;
};

/// What bounds the file, for each process. Beyond it:
/// - engines: a command has a slice on its first engine's track only;
/// - commands: the longest so many have slices, and the metadata says how many
///   are left out and how long they take;
/// - arrows: only along dependencies that a command waited for.
struct TraceLimits {
  uint64_t slices = 200'000;
  uint64_t arrows = 200'000;
};

/// Writes the trace; the caller commits the file. `measured` may be null.
Status writeTrace(OutputFile &file,
                  const std::vector<const Prediction *> &devices,
                  const HostRun *measured, const TraceLimits &limits = {});

} // namespace gaudi::prediction

#endif // GAUDI_PREDICTION_TRACE_H
