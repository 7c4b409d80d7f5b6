// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NaN, infinities and random bits.
#include "Garbage.h"

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"

#include <cstring>
#include <limits>

namespace gaudi::runtime {

using recipe::ElementType;

static void putGarbage(ElementType type, uint8_t *to, uint64_t turn,
                       uint64_t random) {
  if (turn % 3 == 2) {
    std::memcpy(to, &random, recipe::elementSize(type));
    return;
  }
  if (recipe::isFloat(type)) {
    const float infinity = std::numeric_limits<float>::infinity();
    const float value = turn % 3 == 0 ? std::numeric_limits<float>::quiet_NaN()
                        : random & 1  ? infinity
                                      : -infinity;
    storeFloat(type, to, value);
    return;
  }
  // The shift leaves the largest or smallest number of that many bits.
  const int64_t extreme = turn % 3 == 0 ? std::numeric_limits<int64_t>::max()
                                        : std::numeric_limits<int64_t>::min();
  storeInt(type, to, extreme >> (64 - 8 * recipe::elementSize(type)));
}

void fillWithGarbage(uint8_t *data, ElementType type, const Layout &layout,
                     uint64_t turn) {
  const int64_t count = kernel::elementCount(layout.sizes).value_or(0);
  std::vector<int64_t> index(layout.sizes.size());
  uint64_t random = turn * 0x9e3779b97f4a7c15u + 1;
  for (int64_t element = 0; element < count; ++element) {
    // xorshift64
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    int64_t at = 0;
    for (size_t d = 0; d < index.size(); ++d)
      at += index[d] * layout.strides[d];
    putGarbage(type, data + at * int64_t(recipe::elementSize(type)), turn,
               random);
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < layout.sizes[d])
        break;
      index[d] = 0;
    }
  }
}

} // namespace gaudi::runtime
