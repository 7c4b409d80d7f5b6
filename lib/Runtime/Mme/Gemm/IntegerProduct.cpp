// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contractions of 8-bit integers on micro kernels: products and convolutions
// alike. Rows are the dimensions that only the left factor depends on; a row
// has a pointer per tap, which is a run of values that lie together (as in
// TileConv.cpp). Taps in the padding read a row of the value that is read
// there, so that padding is nothing special to the sums.
#include "IntegerProduct.h"

#include "../Kernels/KernelChoice.h"
#include "../Packing/StagingBound.h"
#include "../Tiles/TileCommand.h"
#include "IntegerRows.h"

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <map>
#include <new>

namespace gaudi::runtime {

using kernel::Affine;
using recipe::ElementType;

namespace {

/// Most entries of the pointer table: 1 GiB.
constexpr double mostPointers = double(int64_t(1) << 27);

class IntegerBuilder {
public:
  IntegerBuilder(const IntegerContraction &contraction, const BoundTensor &sums,
                 TileProduct &product, PrepareContext &context)
      : c(contraction), sums(sums), product(product), context(context),
        left(contraction.left), index(c.extents.size(), 0) {
    for (unsigned d : c.dims) {
      const bool inLeft = c.left.dependsOn(d), inRight = c.right.dependsOn(d);
      if (inLeft && !inRight)
        rowDims.push_back(d);
      else if (!c.isColumn(d))
        itemDims.push_back(d);
    }
    for (unsigned loop : c.loops)
      if (c.extents[loop] > 1)
        loops.push_back(loop);
    const std::vector<int64_t> strides = kernel::denseStrides(c.sumSizes());
    for (size_t i = 0; i < c.dims.size(); ++i)
      sumOffset.add(c.dims[i], strides[i]);
  }

  /// Why it cannot, or null.
  const char *build() {
    // Row pointers are shared by all items of the batch, so a row that is
    // padding in one item must be padding in all.
    for (unsigned d : itemDims)
      for (size_t t = 0; t < left.index.size(); ++t)
        if (left.padded[t] && left.index[t][d] != 0)
          return "its padding differs within a batch";
    IntegerRows placedRows(c, loops, product, context);
    if (const char *problem = placedRows.place())
      return problem;
    // Placing rows may have replaced the left side by a copy.
    left = placedRows.left;
    run = placedRows.run;
    runLength = placedRows.runLength;
    hasSlack = placedRows.hasSlack;
    if (left.tensor.type == ElementType::I8)
      product.signedRows = product.kernel.signedRows;
    if (const char *problem = placeTaps())
      return problem;
    placeRight();
    placeRows();
    placeItems();
    placeTerms();
    product.c = sums.data;
    product.cType = ElementType::I32;
    product.columns = c.columns;
    product.cColumnStride = c.sumStride;
    product.compactResultRows();
    return nullptr;
  }

private:
  double rows() const {
    double count = 1;
    for (unsigned d : rowDims)
      count *= double(c.extents[d]);
    return count;
  }

  /// Calls body() for every index of the dimensions, in `index`, which is zero
  /// before and after.
  template <typename Body>
  void forEachIndex(const std::vector<unsigned> &dims, Body body) {
    for (;;) {
      body();
      size_t d = dims.size();
      while (d > 0 && ++index[dims[d - 1]] == c.extents[dims[d - 1]])
        index[dims[--d]] = 0;
      if (d == 0)
        return;
    }
  }

  // --- the left side ---

  const char *placeTaps() {
    double count = rows();
    for (unsigned loop : loops)
      if (std::find(run.begin(), run.end(), loop) == run.end()) {
        tapLoops.push_back(loop);
        count *= double(c.extents[loop]);
      }
    if (count > mostPointers)
      return "it has too many rows";
    forEachIndex(tapLoops, [&] {
      std::vector<int64_t> at;
      for (unsigned loop : tapLoops)
        at.push_back(index[loop]);
      taps.push_back(at);
    });
    return nullptr;
  }

  // --- the right side ---

  void placeRight() {
    PanelSource &source = product.source;
    const Affine &offset = c.right.offset;
    source = {c.right.tensor.data + offset.getOffset(),
              c.right.tensor.type,
              runLength,
              c.columns,
              run.empty() ? 0 : offset[run[0]],
              c.columnStride,
              {}};
    for (const std::vector<int64_t> &tap : taps) {
      int64_t at = 0;
      for (size_t i = 0; i < tap.size(); ++i)
        at += tap[i] * offset[tapLoops[i]];
      source.taps.push_back(at);
    }
    product.layout =
        PanelLayout(product.kernel, source, c.right.tensor.constant);
  }

  // --- rows ---

  const uint8_t *pointer() const {
    for (size_t t = 0; t < left.index.size(); ++t)
      if (left.padded[t]) {
        const int64_t at = left.index[t].at(index);
        if (at < 0 || at >= left.tensor.layout.sizes[t])
          return product.zeros;
      }
    return left.tensor.data + left.offset.at(index);
  }

  /// What taps in the padding read, for every item's offset.
  void placePadding() {
    if (!left.isPadded())
      return;
    int64_t least = 0, most = 0; // negative where a batch is read backwards
    forEachIndex(itemDims, [&] {
      least = std::min(least, itemOffset(left.offset));
      most = std::max(most, itemOffset(left.offset));
    });
    const auto size = uint64_t(most - least + product.layout.steps * 4);
    uint8_t *values = takeHost(size, product.copies, context);
    const bool flipped =
        c.left.tensor.type == ElementType::I8 && !product.signedRows;
    std::memset(values, flipped ? left.pad ^ 0x80 : left.pad, size);
    product.zeros = values - least;
  }

  /// Of the present item from the first one.
  int64_t itemOffset(const Affine &form) const {
    int64_t offset = 0;
    for (unsigned d : itemDims)
      offset += form[d] * index[d];
    return offset;
  }

  void placeRows() {
    // First, since pointer() returns these values for taps in the padding.
    placePadding();
    const auto count = int64_t(taps.size());
    std::vector<const uint8_t *> table; // [row][tap]
    forEachIndex(rowDims, [&] {
      product.resultRows.push_back(sumOffset.at(index));
      addZero(c.left.zero, product.integers->left.lines);
      for (const std::vector<int64_t> &tap : taps) {
        // A tap is a point of the reduction loops outside the run.
        for (size_t i = 0; i < tap.size(); ++i)
          index[tapLoops[i]] = tap[i];
        table.push_back(pointer());
      }
      for (unsigned loop : tapLoops)
        index[loop] = 0;
    });
    int64_t row = 0;
    // The kernel reads the pointers of a block tap by tap, while the table has
    // them row by row.
    for (int64_t size : blockSizes()) {
      product.blocks.push_back({int(size), row, row * count, 0, 0});
      for (int64_t tap = 0; tap < count; ++tap)
        for (int64_t r = 0; r < size; ++r)
          product.pointers.push_back(table[size_t((row + r) * count + tap)]);
      row += size;
    }
    // Steps of a tile beyond the values of a row meet zeros.
    PanelLayout layout = product.layout;
    if (hasSlack)
      layout.rowSteps = layout.steps;
    const int64_t perGroup =
        cutDepth(product.kernel, layout, count,
                 count == 1 && product.blocks.size() == 1, product.ranges);
    for (int64_t tap = 0; tap < count; ++tap) {
      product.depths.push_back(tap * product.layout.steps);
      if (tap % perGroup == 0)
        product.groupStarts.push_back(tap);
    }
    product.groupStarts.push_back(count);
  }

  /// Rows of a line are evenly spaced, which matrix tiles load where they are.
  std::vector<int64_t> blockSizes() const {
    const auto count = int64_t(product.resultRows.size());
    const int64_t line = rowDims.empty() ? 1 : c.extents[rowDims.back()];
    const bool inLines =
        product.kernel.hasTiles() && taps.size() > 1 && line >= longLine;
    const int64_t together =
        inLines ? std::max(product.kernel.rows / line, int64_t(1)) * line
                : count;
    std::vector<int64_t> sizes;
    for (int64_t row = 0; row < count; row += together)
      for (int64_t size :
           cutRows(std::min(together, count - row), product.kernel))
        sizes.push_back(size);
    return sizes;
  }

  // --- items, zero points ---

  /// What signed values of the left side get before they are multiplied.
  uint32_t leftMove() const {
    return product.signedRows ? uint32_t(product.signedRows->added) : 128;
  }

  void placeItems() {
    std::map<int64_t, int64_t> packedAt;
    forEachIndex(itemDims, [&] {
      const int64_t b = itemOffset(c.right.offset);
      auto [entry, isNew] = packedAt.try_emplace(
          b, int64_t(product.packedItems.size()) * product.layout.panels);
      if (isNew)
        product.packedItems.push_back(b);
      product.items.push_back({itemOffset(left.offset), b,
                               itemOffset(sumOffset) * int64_t(sizeof(int32_t)),
                               entry->second});
      addZero(c.left.zero, product.integers->left.items);
      addZero(c.right.zero, product.integers->right.items);
    });
  }

  /// Where the present index has its zero point, if there is a load.
  void addZero(const ZeroPoint &zero, std::vector<int64_t> &offsets) {
    if (zero.sign == 0)
      return;
    int64_t offset = 0;
    for (size_t d = 0; d < index.size(); ++d)
      offset += zero.offset[unsigned(d)] * index[d];
    offsets.push_back(offset);
  }

  static void place(const ZeroPoint &zero, uint32_t moved, MovedZero &to) {
    to.constant = uint32_t(zero.constant) + moved;
    to.sign = zero.sign;
    to.type = zero.tensor.type;
    if (zero.sign != 0)
      to.data =
          zero.tensor.data + zero.offset.getOffset() *
                                 int64_t(recipe::elementSize(zero.tensor.type));
    for (std::vector<int64_t> *offsets : {&to.items, &to.lines})
      if (std::all_of(offsets->begin(), offsets->end(),
                      [](int64_t offset) { return offset == 0; }))
        offsets->clear();
  }

  void placeTerms() {
    IntegerTerms &terms = *product.integers;
    if (c.right.zero.sign != 0)
      placeColumnZeros(terms.right.lines);
    place(c.left.zero, c.left.tensor.type == ElementType::I8 ? leftMove() : 0,
          terms.left);
    place(c.right.zero,
          c.right.tensor.type == ElementType::U8 ? uint32_t(-128) : 0,
          terms.right);
    terms.depth = c.depth();
    terms.tapValues = runLength;
    if (!terms.right.isZero()) {
      terms.rowSums.resize(product.items.size() * product.resultRows.size());
      context.hostBytes += terms.rowSums.size() * sizeof(uint32_t);
    }
    terms.constantRows = left.tensor.constant;
    if (terms.constantRows)
      terms.addRows(product, context.pool);
  }

  /// Columns are walked in the order of the sums.
  void placeColumnZeros(std::vector<int64_t> &offsets) {
    const std::vector<unsigned> dims(c.columnDims.rbegin(),
                                     c.columnDims.rend());
    forEachIndex(dims, [&] { addZero(c.right.zero, offsets); });
  }

  const IntegerContraction &c;
  const BoundTensor &sums;
  TileProduct &product;
  PrepareContext &context;
  IntegerOperand left; // as rows read it, maybe a copy
  std::vector<int64_t> index;
  std::vector<unsigned> rowDims, itemDims, loops;
  Affine sumOffset;
  std::vector<unsigned> run; // loops, the fastest first
  int64_t runLength = 1;
  bool hasSlack = false; // behind the rows
  std::vector<unsigned> tapLoops;
  std::vector<std::vector<int64_t>> taps;
};

} // namespace

uint64_t integerStaging(const IntegerContraction &c) {
  constexpr uint64_t line = 64;
  // A grain is at most a tile of 16 steps, and a tap may be one value.
  constexpr uint64_t mostOfValue = 16 * sizeof(int32_t);
  uint64_t sums = sizeof(int32_t), rows = 4;
  // Those of a constant are packed once, elsewhere.
  uint64_t panels = c.right.tensor.constant ? 0 : 1;
  for (unsigned d : c.dims) {
    sums = times(sums, uint64_t(c.extents[d]));
    if (!c.isColumn(d) && c.right.dependsOn(d))
      panels = times(panels, uint64_t(c.extents[d]));
  }
  for (int64_t size : c.left.tensor.layout.sizes)
    rows = times(rows, uint64_t(size));
  const uint64_t width = uint64_t(c.columns + maxPanelColumns);
  panels = times(times(panels, width),
                 plus(times(uint64_t(c.depth()), mostOfValue), line));
  // A copy of the rows, and one that is narrowed.
  rows = plus(paddedCopyBytes(rows), rows);
  return plus(plus(sums, rows), plus(panels, 8 * line));
}

Prepared prepareIntegers(const IntegerContraction &contraction,
                         const BoundTensor &sums, PrepareContext &context,
                         std::string &reason) {
  const MicroKernel *kernel = GAUDI_TRY(integerKernel());
  if (!kernel) {
    reason = "this choice of kernels has none for them";
    return nullptr;
  }
  try {
    TileProduct product(fitting(*kernel, contraction.columns));
    product.integers = std::make_unique<IntegerTerms>();
    if (const char *problem =
            IntegerBuilder(contraction, sums, product, context).build()) {
      reason = problem;
      return nullptr;
    }
    return std::make_unique<TileCommand>(
        std::move(product), contraction.right.tensor.constant, context);
  } catch (const std::bad_alloc &) {
    return fail("not enough host memory for this product of integers");
  }
}

} // namespace gaudi::runtime
