// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page of a card, which its holder writes while other processes read it.
#ifndef GAUDI_LIB_RUNTIME_DEVICE_CARDPAGE_H
#define GAUDI_LIB_RUNTIME_DEVICE_CARDPAGE_H

#include "Gaudi/Runtime/Device/CardFile.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <type_traits>

namespace gaudi::runtime {

using CardText = std::array<char, 16>; // ends with a zero

/// What the page says. All zero: free.
struct CardRecord {
  static constexpr uint64_t currentVersion = 1;
  uint64_t version = 0;
  uint64_t process = 0; // 0: free
  uint64_t started = 0; // when the process did, in ticks since the host did
  int64_t opened = 0;   // microseconds since 1970
  CardText device{};
  std::array<char, 64> processName{};
  std::array<CardText, shownQueueCount> queues{};
  CardCounters counters;
};

/// A record under a sequence lock: odd while it is written. Words are atomic so
/// that a read which overlaps a write is no race, only thrown away.
struct CardPage {
  static constexpr size_t wordCount = sizeof(CardRecord) / sizeof(uint64_t);
  static_assert(sizeof(CardRecord) % sizeof(uint64_t) == 0 &&
                std::is_trivially_copyable_v<CardRecord> &&
                std::atomic<uint64_t>::is_always_lock_free);

  std::atomic<uint64_t> sequence;
  std::array<std::atomic<uint64_t>, wordCount> words;

  /// Replaces the record, from the word `first` on. What a killed writer left
  /// half done is made whole.
  void write(const CardRecord &record, size_t first = 0);
  /// False if the record changed meanwhile; it then has words of both.
  bool read(CardRecord &record) const;
};
static_assert(sizeof(CardPage) <= 4096);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_DEVICE_CARDPAGE_H
