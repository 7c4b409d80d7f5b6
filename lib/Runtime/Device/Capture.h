// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work of a graph: while it is captured, and afterwards.
#ifndef GAUDI_LIB_RUNTIME_DEVICE_CAPTURE_H
#define GAUDI_LIB_RUNTIME_DEVICE_CAPTURE_H

#include "DeviceImpl.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gaudi::runtime {

/// A piece of captured work.
struct GraphNode {
  std::string name;
  WorkTimes times;
  std::shared_ptr<const prediction::Prediction> prediction;
  std::unique_ptr<Work> work;
  uint32_t stream = 0;         ///< of the trace
  uint64_t draws = 0;          ///< blocks of random numbers, of a seed
  std::vector<uint32_t> waits; ///< nodes before it, counted from 0
};

/// All of a graph. The streams that take part in its capture share it.
struct Capture {
  std::vector<GraphNode> nodes; // in the order of issue, which is one to run in
  std::vector<MemoryRange> uses; // of blocks, each once
  /// Blocks that were allocated during the capture belong to the graph as long
  /// as it lives: if they are freed, later allocations of the capture take
  /// them, and nothing else does.
  std::vector<BlockId> freed;
  /// What was freed and is the device's between replays: where it was in the
  /// capture, for these bytes.
  struct Intermediate {
    uint8_t *data;
    uint64_t bytes;
    size_t use; ///< in `uses`, whose block is nobody's then
  };
  std::vector<Intermediate> intermediates;
  std::vector<StreamState *> streams; ///< the first one began it
  /// Of the last run; of the lane's thread.
  std::vector<Work::Moved> bound;
  uint8_t *boundWorkspace = nullptr;
  uint64_t workspaceBytes = 0; ///< the most that a launch needs

  /// Adds a node of the stream and gives its number, counted from 1. Blocks
  /// that it is the first one to use are pinned.
  uint32_t add(DeviceImpl &device, StreamState &stream, const Issue &issue,
               std::unique_ptr<Work> work);
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_DEVICE_CAPTURE_H
