// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The timeline of a card over many launches as Chrome trace events.
//
// One process for the card: a track per stream, one per engine queue and copy
// direction; one process for the host: a track per thread that issues, with
// the predicted times of its calls, so that gaps of the card and their cause
// are seen beside each other.
#ifndef GAUDI_LIB_RUNTIME_DEVICE_CARDTRACE_H
#define GAUDI_LIB_RUNTIME_DEVICE_CARDTRACE_H

#include "Gaudi/Prediction/Prediction.h"
#include "Gaudi/Runtime/Device/Clock.h"
#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

namespace gaudi::runtime {

class CardTrace {
public:
  void addWork(std::string_view name, uint32_t stream, const Stamp &stamp,
               const WorkTimes &times,
               std::shared_ptr<const prediction::Prediction> prediction);
  /// Of the calling thread.
  static void setLabel(uint64_t label);
  void addCall(HostCall call, Picoseconds begin, Picoseconds end);
  /// `streams`: names by number.
  Status write(const std::string &path, const device::DeviceSpec &spec,
               const std::vector<std::string> &streams) const;

private:
  struct WorkEvent {
    uint32_t name, stream;
    Stamp stamp;
    WorkTimes times;
    std::shared_ptr<const prediction::Prediction> prediction;
    uint64_t label;
  };
  struct CallEvent {
    HostCall call;
    uint32_t thread;
    Picoseconds begin, end;
  };
  uint32_t intern(std::string_view name);

  std::vector<WorkEvent> work;
  std::vector<CallEvent> calls;
  std::vector<std::string> names;
  std::unordered_map<std::string, uint32_t> numbers;
  std::unordered_map<std::thread::id, uint32_t> threads;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_DEVICE_CARDTRACE_H
