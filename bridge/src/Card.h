// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The emulated cards of this process: one for each index of the device type
// "hpu", opened when its first tensor is made.
//
// The memory of a tensor is a GaudiDeviceAddress, which is no address of the
// host. A tensor of double is stored as floats and one of complex double as
// complex floats, since the card has none wider: addresses in a storage count
// such elements.
#ifndef GAUDI_BRIDGE_CARD_H
#define GAUDI_BRIDGE_CARD_H

#include "gaudi-c/Device.h"

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>
#include <c10/core/Stream.h>
#include <c10/core/TensorImpl.h>

#include <memory>
#include <mutex>
#include <vector>

namespace gaudi::bridge {

/// Throws what PyTorch throws: torch.OutOfMemoryError if the card is full, else
/// RuntimeError. Destroys the error.
[[noreturn]] void throwError(GaudiError *error);
inline void check(GaudiError *error) {
  if (C10_UNLIKELY(error != nullptr))
    throwError(error);
}

/// The type of the elements in device memory.
c10::ScalarType storedType(c10::ScalarType type);
/// Bytes of one of them.
inline uint64_t storedSize(c10::ScalarType type) {
  return c10::elementSize(storedType(type));
}

class Card {
public:
  /// The card of the index, -1 for that of the calling thread; opens it.
  static Card &get(c10::DeviceIndex index);
  /// The same index, that of a card of this process.
  static c10::DeviceIndex indexOf(int index);
  /// The card, or null if it has not been opened.
  static Card *ifOpen(c10::DeviceIndex index);
  /// Cards that this process may open.
  static c10::DeviceIndex count();
  /// From now on there are not more than this.
  static void limit(c10::DeviceIndex count);
  static c10::DeviceIndex current();
  static c10::DeviceIndex exchange(c10::DeviceIndex index);
  /// Whether this is a child that a process with open cards has forked: it
  /// shares their memory, but has none of their threads, so that it can use no
  /// card.
  static bool isForked();

  GaudiDevice *device() const { return handle; }
  c10::DeviceIndex index() const { return number; }

  /// The stream that the calling thread issues work to.
  GaudiStream *stream() const;
  GaudiStream *stream(c10::StreamId id) const;
  c10::StreamId currentStream() const;
  c10::StreamId exchangeStream(c10::StreamId id) const;
  c10::StreamId newStream(int priority);

  /// Waits for all work.
  void synchronize() const;
  GaudiMemoryStats memoryStats() const;
  /// The stream, which the memory was not allocated for, uses it.
  static void recordStream(const c10::DataPtr &memory, c10::Stream stream);

private:
  explicit Card(c10::DeviceIndex index);

  GaudiDevice *handle = nullptr;
  c10::DeviceIndex number;
  mutable std::mutex mutex; // of the list, which only grows
  std::vector<GaudiStream *> streams;
};

/// Where the elements of a tensor begin; 0 if it has none.
GaudiDeviceAddress addressOf(const c10::TensorImpl &tensor);

/// Device memory as PyTorch's allocators give it.
c10::Allocator &allocator();
/// The same for pinned memory of the host.
c10::Allocator &pinnedAllocator();
bool isPinned(const void *memory);

} // namespace gaudi::bridge

#endif // GAUDI_BRIDGE_CARD_H
