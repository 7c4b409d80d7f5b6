// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What streams, events and graphs consist of.
#ifndef GAUDI_LIB_RUNTIME_DEVICE_STREAMIMPL_H
#define GAUDI_LIB_RUNTIME_DEVICE_STREAMIMPL_H

#include "Capture.h"
#include "DeviceImpl.h"

#include <memory>

namespace gaudi::runtime {

struct Stream::State : StreamState {
  DeviceImpl *device = nullptr;
  std::shared_ptr<Device> keep; ///< null: the device has the stream
};

struct Event::State {
  std::shared_ptr<Device> device;
  bool isRecorded = false;
  std::vector<Position> positions; ///< of its stream, and what that waited for
  Picoseconds time = 0;
  std::vector<HostEnd> ends;      ///< of the positions, by EventClockKind::Host
  std::weak_ptr<Capture> capture; ///< it was recorded in
  std::vector<uint32_t> nodes;    ///< of the capture, counted from 1
  bool isCaptured = false;
};

struct Graph::State {
  std::shared_ptr<Device> device;
  std::shared_ptr<Capture> capture;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_DEVICE_STREAMIMPL_H
