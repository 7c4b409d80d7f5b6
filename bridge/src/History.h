// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device memory is for: the op and the shape of each tensor, which errors
// name, and, while it is recorded, the lines of Python that made it and a
// history, as torch.cuda.memory has them.
#ifndef GAUDI_BRIDGE_HISTORY_H
#define GAUDI_BRIDGE_HISTORY_H

#include "Card.h"

#include <torch/csrc/utils/pybind.h>

#include <string>
#include <vector>

namespace gaudi::bridge {

/// What the calling thread makes, while the object lives; of nested ones, the
/// inner gives the shape and the outer the name.
class Making {
public:
  Making(const char *name, at::IntArrayRef sizes, at::ScalarType type);
  ~Making();
  Making(const Making &) = delete;
  Making &operator=(const Making &) = delete;

  /// "64x128xf32"
  std::string shape() const;
  const char *name() const { return op; }
  at::ScalarType type() const { return kind; }
  /// Null if nobody has said it.
  static const Making *current();

private:
  const char *op;
  at::IntArrayRef sizes;
  at::ScalarType kind;
  const Making *outer;
};

/// The innermost line of the script that the thread runs; null if there is
/// none. The code is held for ever. Needs the lock of Python.
std::pair<PyCodeObject *, int> scriptLine();

/// Memory for what is being made, on the card's current stream.
GaudiDeviceAddress allocateRecorded(const Card &card, uint64_t bytes);
/// Of the script that the calling thread runs: "train.py:31", the innermost
/// line of a file that is not internal; empty if there is none.
std::string lineOfScript();
/// Folders whose files' lines are not the script's.
void setInternal(std::vector<std::string> folders);

/// The thread may be without the lock of Python.
void freeRecorded(const Card &card, GaudiDeviceAddress address);

struct RecordOptions {
  bool events = false, frames = false, framesOfFrees = false;
  size_t maxEvents = SIZE_MAX;
};
/// Starts, or changes what is kept; what was recorded is forgotten if `clears`.
void recordMemory(RecordOptions options, bool clears);
/// Stops and forgets.
void stopRecording();
/// Those of torch.cuda.memory._snapshot(), of all open cards.
pybind11::dict memorySnapshot();

} // namespace gaudi::bridge

#endif // GAUDI_BRIDGE_HISTORY_H
