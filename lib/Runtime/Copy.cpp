// Strided copies: whole rows where both sides are contiguous, square tiles
// where the two sides run along different dimensions.
#include "Copy.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include <algorithm>
#include <cstring>

namespace gaudi::runtime {

using recipe::ElementType;

namespace {
constexpr int64_t tile = 32;
constexpr int64_t segmentElements = 16384;
/// Elements below which waking other threads costs more than it gains.
constexpr int64_t parallelElements = 65536;
} // namespace

StridedCopy::StridedCopy(std::vector<int64_t> sizes,
                         std::vector<int64_t> srcStrides,
                         std::vector<int64_t> dstStrides, ElementType srcType,
                         ElementType dstType)
    : srcType(srcType), dstType(dstType),
      srcBytes(recipe::elementSize(srcType)),
      dstBytes(recipe::elementSize(dstType)) {
  std::vector<Dim> dims;
  for (size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] != 1)
      dims.push_back({sizes[d], srcStrides[d], dstStrides[d]});
  std::sort(dims.begin(), dims.end(), [](const Dim &a, const Dim &b) {
    return a.dst != b.dst ? a.dst > b.dst : a.src > b.src;
  });
  for (const Dim &dim : dims) {
    if (!outer.empty() && outer.back().src == dim.src * dim.size &&
        outer.back().dst == dim.dst * dim.size)
      outer.back() = {outer.back().size * dim.size, dim.src, dim.dst};
    else
      outer.push_back(dim);
  }
  if (!outer.empty()) {
    column = outer.back();
    outer.pop_back();
  }
  if (srcType == dstType && column.dst == 1 && column.src != 1 &&
      column.src != 0)
    for (size_t d = outer.size(); d-- > 0;)
      if (outer[d].src == 1) {
        row = outer[d];
        outer.erase(outer.begin() + std::ptrdiff_t(d));
        tiled = true;
        break;
      }
  segment = tiled ? tile : segmentElements;
  segments = ((tiled ? row.size : column.size) + segment - 1) / segment;
  units = segments;
  for (const Dim &dim : outer)
    units *= dim.size;
  if (column.size == 0)
    units = 0;
}

template <typename T>
void StridedCopy::copyRow(const uint8_t *src, uint8_t *dst,
                          int64_t count) const {
  const T *from = reinterpret_cast<const T *>(src);
  T *to = reinterpret_cast<T *>(dst);
  if (column.src == 1 && column.dst == 1)
    std::memcpy(to, from, size_t(count) * sizeof(T));
  else if (column.src == 0 && column.dst == 1)
    std::fill_n(to, count, *from);
  else
    for (int64_t i = 0; i < count; ++i)
      to[i * column.dst] = from[i * column.src];
}

template <typename T>
void StridedCopy::transposeTile(const uint8_t *src, uint8_t *dst,
                                int64_t rows) const {
  const T *from = reinterpret_cast<const T *>(src);
  T *to = reinterpret_cast<T *>(dst);
  for (int64_t first = 0; first < column.size; first += tile) {
    const int64_t last = std::min(first + tile, column.size);
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = first; c < last; ++c)
        to[r * row.dst + c] = from[r + c * column.src];
  }
}

void StridedCopy::runUnits(const uint8_t *src, uint8_t *dst, int64_t begin,
                           int64_t end) const {
  for (int64_t unit = begin; unit < end; ++unit) {
    int64_t rest = unit / segments;
    const int64_t start = unit % segments * segment;
    const Dim &cut = tiled ? row : column;
    int64_t from = start * cut.src, to = start * cut.dst;
    for (size_t d = outer.size(); d-- > 0;) {
      const int64_t at = rest % outer[d].size;
      rest /= outer[d].size;
      from += at * outer[d].src;
      to += at * outer[d].dst;
    }
    const int64_t count = std::min(segment, cut.size - start);
    const uint8_t *s = src + from * int64_t(srcBytes);
    uint8_t *t = dst + to * int64_t(dstBytes);
    if (srcType != dstType) {
      convertRow(srcType, s, column.src, dstType, t, column.dst, count);
      continue;
    }
    switch (srcBytes) {
    case 1:
      tiled ? transposeTile<uint8_t>(s, t, count)
            : copyRow<uint8_t>(s, t, count);
      break;
    case 2:
      tiled ? transposeTile<uint16_t>(s, t, count)
            : copyRow<uint16_t>(s, t, count);
      break;
    case 4:
      tiled ? transposeTile<uint32_t>(s, t, count)
            : copyRow<uint32_t>(s, t, count);
      break;
    default:
      tiled ? transposeTile<uint64_t>(s, t, count)
            : copyRow<uint64_t>(s, t, count);
      break;
    }
  }
}

void StridedCopy::run(ThreadPool &pool, const void *src, void *dst) const {
  const int64_t perUnit =
      std::max<int64_t>(1, tiled ? std::min(tile, row.size) * column.size
                                 : std::min(segment, column.size));
  const int64_t grain = std::max<int64_t>(1, parallelElements / perUnit);
  pool.parallelFor(units, grain, [&](int64_t begin, int64_t end, unsigned) {
    runUnits(static_cast<const uint8_t *>(src), static_cast<uint8_t *>(dst),
             begin, end);
  });
}

void StridedCopy::run(const void *src, void *dst) const {
  runUnits(static_cast<const uint8_t *>(src), static_cast<uint8_t *>(dst), 0,
           units);
}

} // namespace gaudi::runtime
