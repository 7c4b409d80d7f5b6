// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strided copies: rows along the destination's innermost dimension, or square
// tiles where source and destination are contiguous along different dimensions.
//
// The work is a list of units of equal size: `segments` per row (or per block
// of `tile` rows), times the outer dimensions. Threads take ranges of units.
#include "Copy.h"

#include "Transpose.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace gaudi::runtime {

using recipe::ElementType;

namespace {
/// Rows of a tile; a multiple of the elements of a cache line of every type.
constexpr int64_t tile = 64;
/// Elements of a row that one unit copies.
constexpr int64_t segmentElements = 16384;
/// Elements below which starting a parallel loop costs more than it saves.
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
  // Dimensions of size 1 have strides of no meaning.
  for (size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] != 1)
      dims.push_back({sizes[d], srcStrides[d], dstStrides[d]});
  // In the order of the destination, so that whole cache lines are written.
  std::sort(dims.begin(), dims.end(), [](const Dim &a, const Dim &b) {
    const auto places = [](const Dim &dim) {
      return std::pair(std::abs(dim.dst), std::abs(dim.src));
    };
    return places(a) > places(b);
  });
  // Neighbours that both sides walk as one are collapsed.
  for (const Dim &dim : dims) {
    if (!outer.empty() && outer.back().src == dim.src * dim.size &&
        outer.back().dst == dim.dst * dim.size)
      outer.back() = {outer.back().size * dim.size, dim.src, dim.dst};
    else
      outer.push_back(dim);
  }
  // The innermost dimension of the destination is walked by a row's loop, not
  // by the outer ones.
  if (!outer.empty()) {
    column = outer.back();
    outer.pop_back();
  }
  // Contiguous on one side only, and along another dimension on the other side:
  // a transpose of tiles. A source stride of 0 is a broadcast, which rows fill
  // as well.
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
  // The product above counts units of 0 elements.
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

namespace {

/// Elements of a cache line: the side of square blocks.
template <typename T> constexpr int64_t lineElements = 64 / int64_t(sizeof(T));

/// block[r][c] = from[c][r], where rows of `from` are whole cache lines,
/// `stride` elements apart. Each line is read once, completely: lines a power
/// of two apart share a cache set and would evict each other.
template <typename T>
void transposeLines(const T *from, int64_t stride, T *block) {
  constexpr int64_t size = lineElements<T>, side = squareSide<T>;
  for (int64_t c = 0; c < size; c += side)
    for (int64_t r = 0; r < size; r += side)
      transposeSquare(from + c * stride + r, stride, block + r * size + c,
                      size);
}

/// to[r][c] = from[c][r] for few columns, as the channels of an image: without
/// a loop over them, whose end would take longer than they do.
template <int Columns, typename T>
void interleaveColumns(const T *from, int64_t stride, int64_t rows, T *to,
                       int64_t pitch) {
  for (int64_t r = 0; r < rows; ++r)
    for (int c = 0; c < Columns; ++c)
      to[r * pitch + c] = from[r + c * stride];
}

} // namespace

template <typename T>
void StridedCopy::transposeTile(const uint8_t *src, uint8_t *dst,
                                int64_t rows) const {
  constexpr int64_t size = lineElements<T>;
  const T *from = reinterpret_cast<const T *>(src);
  T *to = reinterpret_cast<T *>(dst);
  // A few columns interleave without a block, which they would not fill.
  switch (column.size) {
  case 2:
    return interleaveColumns<2>(from, column.src, rows, to, row.dst);
  case 3:
    return interleaveColumns<3>(from, column.src, rows, to, row.dst);
  case 4:
    return interleaveColumns<4>(from, column.src, rows, to, row.dst);
  default:
    break;
  }
  const int64_t wholeRows = rows / size * size;
  const int64_t wholeColumns = column.size / size * size;
  alignas(64) T block[size * size];
  for (int64_t c = 0; c < wholeColumns; c += size)
    for (int64_t r = 0; r < wholeRows; r += size) {
      // The next columns of the same rows: each is another line of the source.
      const T *next = from + r + (c + size) * column.src;
      for (int64_t i = 0; i < size; ++i)
        __builtin_prefetch(next + i * column.src);
      transposeLines(from + r + c * column.src, column.src, block);
      for (int64_t i = 0; i < size; ++i)
        std::memcpy(to + (r + i) * row.dst + c, block + i * size, 64);
    }
  // What is left below and beside the whole blocks.
  auto edge = [&](int64_t firstRow, int64_t lastRow, int64_t firstColumn) {
    for (int64_t first = firstColumn; first < column.size; first += size) {
      const int64_t last = std::min(first + size, column.size);
      for (int64_t r = firstRow; r < lastRow; ++r)
        for (int64_t c = first; c < last; ++c)
          to[r * row.dst + c] = from[r + c * column.src];
    }
  };
  edge(0, wholeRows, wholeColumns);
  edge(wholeRows, rows, 0);
}

void StridedCopy::runUnits(const uint8_t *src, uint8_t *dst, int64_t begin,
                           int64_t end) const {
  for (int64_t unit = begin; unit < end; ++unit) {
    int64_t rest = unit / segments;
    const int64_t start = unit % segments * segment;
    const Dim &cut = tiled ? row : column;
    int64_t from = start * cut.src, to = start * cut.dst;
    // A unit's number is its position in the outer dimensions, last fastest.
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
