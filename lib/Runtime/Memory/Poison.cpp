// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pattern of poison.
#include "Poison.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

namespace gaudi::runtime {
namespace {

/// Bytes after which the pattern repeats: no stride of a tensor, so that rows
/// and buffers differ in their poison.
constexpr uint64_t period = 2 * 4099;

struct Pattern {
  std::array<uint8_t, period> bytes;

  /// 63 signalling NaNs of bf16, in the order of a generator mod 4099.
  Pattern() : bytes{} {
    uint32_t state = 1;
    for (uint64_t at = 0; at < period; at += 2) {
      state = state * 2 % 4099;
      const uint16_t half = uint16_t(0xff80 | (1 + state % 63));
      std::memcpy(&bytes[at], &half, sizeof(half));
    }
  }
};

const Pattern &pattern() {
  static const Pattern made;
  return made;
}

/// Bytes in a row that are no value by chance. A NaN of a float format has few
/// reasons to be one of these; an integer may well be 255.
uint64_t leastRun(recipe::ElementType type) {
  const uint64_t size = recipe::elementSize(type);
  return size >= 4 || (size == 2 && recipe::isFloat(type)) ? size : 8;
}

} // namespace

void PoisonedBytes::fill(uint64_t begin, uint64_t end) const {
  while (begin < end) {
    const uint64_t at = begin % period;
    const uint64_t count = std::min(end - begin, period - at);
    std::memcpy(base + begin, &pattern().bytes[at], count);
    begin += count;
  }
}

std::optional<uint64_t> PoisonedBytes::find(uint64_t begin, uint64_t end,
                                            recipe::ElementType type) const {
  const uint64_t size = recipe::elementSize(type), least = leastRun(type);
  assert(size && (end - begin) % size == 0 && "whole elements");
  const uint8_t *const poison = pattern().bytes.data();
  uint64_t run = 0;
  for (uint64_t at = begin; at < end; at += size) {
    bool isPoison = true;
    for (uint64_t b = at; isPoison && b < at + size; ++b)
      isPoison = base[b] == poison[b % period];
    run = isPoison ? run + size : 0;
    if (run >= least)
      return at + size - run;
  }
  return std::nullopt;
}

} // namespace gaudi::runtime
