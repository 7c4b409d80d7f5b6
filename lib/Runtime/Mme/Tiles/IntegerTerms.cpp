// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signs and zero points of products of 8-bit integers.
#include "IntegerTerms.h"

#include "TileCommand.h"

#include "Gaudi/Recipe/ElementTypes.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace gaudi::runtime {

uint32_t MovedZero::at(int64_t item, int64_t line) const {
  if (sign == 0)
    return constant;
  const int64_t offset = (items.empty() ? 0 : items[size_t(item)]) +
                         (lines.empty() ? 0 : lines[size_t(line)]);
  const auto loaded = uint32_t(
      loadInt(type, data + offset * int64_t(recipe::elementSize(type))));
  return sign > 0 ? constant + loaded : constant - loaded;
}

void SignFlip::run(ThreadPool &pool) const {
  constexpr int64_t grain = 64 << 10;
  pool.parallelFor(count, grain, [&](int64_t begin, int64_t end, unsigned) {
    // Locals: bytes that are written might be those of the members.
    const uint8_t *const values = from;
    uint8_t *const flipped = to;
    for (int64_t i = begin; i < end; ++i)
      flipped[i] = values[i] ^ 0x80;
  });
}

void Narrowing::run(ThreadPool &pool) const {
  constexpr int64_t grain = 16 << 10;
  pool.parallelFor(count, grain, [&](int64_t begin, int64_t end, unsigned) {
    // Locals: bytes that are written might be those of the members.
    const uint8_t *const values = from;
    uint8_t *const narrow = to;
    const auto least = uint32_t(low);
    for (int64_t i = begin; i < end; ++i) {
      uint32_t value;
      std::memcpy(&value, values + i * int64_t(sizeof(value)), sizeof(value));
      narrow[i] = uint8_t(value - least);
    }
  });
}

void IntegerTerms::visitAddresses(AddressVisitor &visitor) {
  left.visitAddresses(visitor);
  right.visitAddresses(visitor);
  if (narrowing)
    narrowing->visitAddresses(visitor);
  for (SignFlip &flip : flips)
    flip.visitAddresses(visitor);
}

void IntegerTerms::run(const TileProduct &product, ThreadPool &pool) {
  for (const SignFlip &flip : flips)
    flip.run(pool);
  if (!constantRows)
    addRows(product, pool);
}

static uint32_t sumOfFlipped(const uint8_t *values, int64_t count,
                             uint8_t flips) {
  uint32_t sum = 0;
  for (int64_t v = 0; v < count; ++v)
    sum += uint8_t(values[v] ^ flips);
  return sum;
}

void IntegerTerms::addRows(const TileProduct &product, ThreadPool &pool) {
  // No zero point on the right side: the sums of rows are not needed.
  if (rowSums.empty())
    return;
  const auto blocks = int64_t(product.blocks.size());
  const auto items = int64_t(product.items.size());
  const int64_t rows = int64_t(rowSums.size()) / items;
  const auto taps = int64_t(product.depths.size());
  constexpr int64_t grainBytes = 64 << 10;
  // About 64 KiB of rows per task; + 1 against blocks of no depth.
  const int64_t grain = 1 + grainBytes / (depth * product.blocks[0].count + 1);
  // Signed values with the sign bit flipped are 128 more.
  const uint8_t flips = product.signedRows ? 0x80 : 0;
  // The sum below is of values that are 128 more; the kernel multiplies values
  // that are `added` more.
  const uint32_t start =
      product.signedRows
          ? uint32_t(depth) * uint32_t(product.signedRows->added - 128)
          : 0;
  pool.parallelFor(
      blocks * items, grain, [&](int64_t begin, int64_t end, unsigned) {
        for (int64_t i = begin; i < end; ++i) {
          const RowBlock &block = product.blocks[size_t(i % blocks)];
          const int64_t offset = product.items[size_t(i / blocks)].a;
          const int64_t count = tapValues;
          uint32_t *to = &rowSums[size_t(i / blocks * rows + block.row)];
          for (int r = 0; r < block.count; ++r) {
            uint32_t sum = start;
            for (int64_t s = 0; s < taps; ++s) {
              const uint8_t *row =
                  product
                      .pointers[size_t(block.pointers + s * block.count + r)] +
                  offset;
              sum += sumOfFlipped(row, count, flips);
            }
            to[r] = sum;
          }
        }
      });
}

IntegerTile::IntegerTile(const TileProduct &product, const Tile &tile,
                         const uint8_t *panels, uint8_t *scratch)
    : terms(*product.integers), item(tile.item),
      rows(int64_t(terms.rowSums.size() / product.items.size())),
      firstColumn(tile.firstPanel * product.layout.width),
      sums(reinterpret_cast<uint32_t *>(scratch)),
      points(sums + tile.panels() * product.layout.width),
      both(points + tile.panels() * product.layout.width),
      leftMoves(!terms.left.lines.empty()), rightIsZero(terms.right.isZero()),
      rightMoves(!terms.right.lines.empty()),
      isZero(rightIsZero && !leftMoves && terms.left.at(item, 0) == 0) {
  if (isZero)
    return;
  const int64_t width = product.layout.width;
  for (int64_t p = tile.firstPanel; p < tile.endPanel; ++p)
    std::memcpy(sums + (p - tile.firstPanel) * width,
                panels + p * product.layout.pitch() +
                    product.layout.sumsOffset(),
                size_t(width) * sizeof(uint32_t));
  const int64_t count = tile.panels() * width;
  if (rightMoves)
    for (int64_t n = 0; n < count; ++n)
      points[n] = firstColumn + n < product.columns
                      ? terms.right.at(item, firstColumn + n)
                      : 0;
  if (leftMoves)
    return;
  // With one zero point on the left, its term is the same for all rows.
  const uint32_t left = terms.left.at(item, 0);
  for (int64_t n = 0; n < count; ++n)
    both[n] = 0 - left * sums[n];
}

/// Columns are short and many: four at a time, without a call to copy them.
/// `to` has floats, which hold no sums yet: written by words.
static void addConstant(const uint32_t *from, uint32_t constant, int64_t count,
                        float *to) {
  assert(count % 4 == 0 && "a panel has whole vectors");
  for (int64_t n = 0; n < count; n += 4) {
    uint32_t four[4];
    for (int i = 0; i < 4; ++i)
      four[i] = from[n + i] + constant;
    std::memcpy(to + n, four, sizeof(four));
  }
}

void IntegerTile::start(int64_t row, int64_t first, int64_t count,
                        float *to) const {
  const int64_t at = first - firstColumn;
  const uint32_t left = terms.left.at(item, row);
  uint32_t beside = 0; // K p - sum x, by which q is multiplied
  if (!rightIsZero)
    beside =
        uint32_t(terms.depth) * left - terms.rowSums[size_t(item * rows + row)];
  const uint32_t constant =
      rightIsZero || rightMoves ? 0 : beside * terms.right.at(item, 0);
  if (!leftMoves && !rightMoves)
    return addConstant(both + at, constant, count, to);
  // `to` has floats, which hold no sums yet: written by words.
  uint32_t line[maxPanelColumns];
  for (int64_t n = 0; n < count; n += maxPanelColumns) {
    const int64_t some = std::min<int64_t>(maxPanelColumns, count - n);
    const int64_t from = at + n;
    if (leftMoves)
      for (int64_t i = 0; i < some; ++i)
        line[i] = constant - left * sums[from + i];
    else
      for (int64_t i = 0; i < some; ++i)
        line[i] = constant + both[from + i];
    if (rightMoves)
      for (int64_t i = 0; i < some; ++i)
        line[i] += beside * points[from + i];
    std::memcpy(to + n, line, size_t(some) * sizeof(uint32_t));
  }
}

} // namespace gaudi::runtime
