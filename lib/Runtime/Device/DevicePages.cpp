// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pages of device memory: taken from the host and given back.
#include "Gaudi/Runtime/Device/DevicePages.h"

#include "../ErrorPhrases.h"
#include "Gaudi/Support/Units.h"

#include <algorithm>
#include <cassert>
#include <sys/mman.h>

namespace gaudi::runtime {

namespace {

/// Calls visit(word, mask) for the bits [begin, end) of a bitmap.
template <typename Visit>
void forEachWord(uint64_t begin, uint64_t end, Visit &&visit) {
  while (begin < end) {
    const uint64_t count = std::min(64 - begin % 64, end - begin);
    visit(begin / 64, (~uint64_t(0) >> (64 - count)) << begin % 64);
    begin += count;
  }
}

} // namespace

DevicePages::DevicePages(Arena memory, uint64_t limit)
    : arena(std::move(memory)), limit(limit),
      touched(arena.size() / pageBytes / 64 + 1) {}

Result<DevicePages> DevicePages::create(uint64_t capacity, uint64_t hostLimit) {
  return DevicePages(GAUDI_TRY(Arena::create(capacity, "the card's memory")),
                     hostLimit);
}

uint64_t DevicePages::untouched(uint64_t begin, uint64_t end) const {
  uint64_t count = 0;
  forEachWord(begin, end, [&](uint64_t word, uint64_t mask) {
    count += uint64_t(__builtin_popcountll(~touched[word] & mask));
  });
  return count;
}

Status DevicePages::touch(uint64_t begin, uint64_t end,
                          const MemoryPool *pool) {
  assert(begin <= end && end <= arena.size());
  if (begin == end)
    return {};
  const uint64_t firstPage = begin / pageBytes,
                 endPage = (end - 1) / pageBytes + 1;
  uint64_t added = untouched(firstPage, endPage);
  if (added == 0)
    return {};
  if ((touchedPages + added) * pageBytes > limit) {
    if (pool)
      pool->forEachIdle([&](uint64_t from, uint64_t to) { release(from, to); });
    added = untouched(firstPage, endPage);
    if ((touchedPages + added) * pageBytes > limit)
      return fail("{} for the card's memory: {} are touched, {} more are "
                  "needed, and the limit is {}; the card itself would have "
                  "room. Raise the limit or use less memory at a time",
                  notEnoughHostMemory, humanBytes(touchedBytes()),
                  humanBytes(added * pageBytes), humanBytes(limit));
  }
  forEachWord(firstPage, endPage,
              [&](uint64_t word, uint64_t mask) { touched[word] |= mask; });
  touchedPages += added;
  return {};
}

uint64_t DevicePages::release(uint64_t begin, uint64_t end) {
  // The last page may be longer than the card.
  const uint64_t firstPage = (begin + pageBytes - 1) / pageBytes,
                 endPage = (end == arena.size() ? end + pageBytes - 1 : end) /
                           pageBytes;
  const auto isTouched = [&](uint64_t page) {
    return touched[page / 64] >> page % 64 & 1;
  };
  uint64_t released = 0;
  for (uint64_t page = firstPage, next; page < endPage; page = next) {
    next = page + 1;
    if (!isTouched(page))
      continue;
    while (next < endPage && isTouched(next))
      ++next;
    const uint64_t bytes = (next - page) * pageBytes;
    if (madvise(arena.data() + page * pageBytes, bytes, MADV_DONTNEED) != 0)
      continue; // then they stay with us
    forEachWord(page, next,
                [&](uint64_t word, uint64_t mask) { touched[word] &= ~mask; });
    released += bytes;
  }
  touchedPages -= released / pageBytes;
  return released;
}

} // namespace gaudi::runtime
