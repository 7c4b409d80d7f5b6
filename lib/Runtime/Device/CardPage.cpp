// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes and reads a card's page.
#include "CardPage.h"

#include <cstring>

namespace gaudi::runtime {

void CardPage::write(const CardRecord &record, size_t first) {
  std::array<uint64_t, wordCount> from;
  std::memcpy(from.data(), &record, sizeof(record));
  const uint64_t before = sequence.load(std::memory_order_relaxed) | 1;
  sequence.store(before, std::memory_order_relaxed);
  // No word may be seen before the odd number.
  std::atomic_thread_fence(std::memory_order_release);
  for (size_t i = first; i < wordCount; ++i)
    words[i].store(from[i], std::memory_order_relaxed);
  sequence.store(before + 1, std::memory_order_release);
}

bool CardPage::read(CardRecord &record) const {
  std::array<uint64_t, wordCount> to;
  const uint64_t before = sequence.load(std::memory_order_acquire);
  for (size_t i = 0; i < wordCount; ++i)
    to[i] = words[i].load(std::memory_order_relaxed);
  // The number is read after the words.
  std::atomic_thread_fence(std::memory_order_acquire);
  const uint64_t after = sequence.load(std::memory_order_relaxed);
  std::memcpy(&record, to.data(), sizeof(record));
  return before == after && before % 2 == 0;
}

} // namespace gaudi::runtime
