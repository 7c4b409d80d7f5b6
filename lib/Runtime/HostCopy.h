// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between tensors of the device and memory of the caller.
#ifndef GAUDI_LIB_RUNTIME_HOSTCOPY_H
#define GAUDI_LIB_RUNTIME_HOSTCOPY_H

#include "Commands/Copy.h"
#include "Gaudi/Runtime/HostBuffer.h"
#include "Gaudi/Support/Error.h"

#include <string>

namespace gaudi::runtime {

/// Which input, output or state a call is about, for errors.
struct Slot {
  const char *kind;
  size_t index;
  const std::string &name;
};

/// An error unless the buffer has this type and shape.
Status checkBuffer(const Slot &slot, recipe::ElementType type,
                   const std::vector<int64_t> &shape, const HostBuffer &buffer);

/// How one tensor of the device is copied, in one direction. Remembers the
/// shape and the strides of the last buffer: one like it costs nothing.
class HostCopy {
public:
  enum class Direction { In, Out };

  /// `device` in the caller's order of dimensions.
  HostCopy(Layout device, recipe::ElementType type, Direction direction);

  /// Gets ready for buffers of a shape within the tensor's. Errors: elements of
  /// an output that share memory.
  Status prepare(const HostBuffer &buffer, const Slot &slot);
  /// Copies the buffer that was prepared last.
  void run(ThreadPool &pool, void *host, uint8_t *device) const {
    if (direction == Direction::In)
      copy.run(pool, host, device);
    else
      copy.run(pool, device, host);
  }

  const std::vector<int64_t> &preparedShape() const { return shape; }

private:
  bool isLike(const HostBuffer &buffer) const;

  Layout device;
  recipe::ElementType type;
  Direction direction;
  std::vector<int64_t> shape, strides; // of the last buffer
  bool isDense = true;                 // `strides` are those of no gaps
  StridedCopy copy;
};

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_HOSTCOPY_H
