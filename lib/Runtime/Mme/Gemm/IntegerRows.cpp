// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The left side of a contraction of 8-bit integers.
#include "IntegerRows.h"

#include "Gaudi/Kernel/Affine.h"
#include "Gaudi/Kernel/Geometry.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace gaudi::runtime {

using kernel::Affine;
using recipe::ElementType;

namespace {

/// Values of a run below which taps are collapsed: a few steps are too short
/// for the kernel's unrolled loop, and the last one may be mostly empty.
constexpr int64_t fewValues = 16;
/// What the last step of the last row may read beyond its values, and the last
/// tile of it.
constexpr uint64_t slack = 64;

} // namespace

IntegerRows::IntegerRows(const IntegerContraction &contraction,
                         std::vector<unsigned> loops, TileProduct &product,
                         PrepareContext &context)
    : left(contraction.left), c(contraction), loops(std::move(loops)),
      product(product), context(context) {}

const char *IntegerRows::place() {
  if (left.isWide())
    narrow();
  findRun(left);
  const size_t innermost = innermostOf();
  const bool walks =
      !run.empty() || loops.empty() || innermost < left.index.size();
  const bool whole = runLength % valuesPerStep(StepFormat::Int8) == 0;
  const bool isCopied = run.empty() || !whole || flips();
  if (isCopied || (onTiles() && left.isPadded())) {
    Copy copy = copyWith(innermost);
    collapseTaps(copy);
    if (!walks && !copy.padded)
      return "no loop walks the left factor";
    if (isCopied || copy.padded)
      makeCopy(copy);
  }
  findRun(left);
  return nullptr;
}

/// True if no index that the loop moves can be out of range.
bool IntegerRows::staysInside(const IntegerOperand &operand,
                              unsigned loop) const {
  for (size_t t = 0; t < operand.index.size(); ++t)
    if (operand.padded[t] && operand.index[t][loop] != 0)
      return false;
  return true;
}

/// True if no other dimension of the left side moves with the loop.
bool IntegerRows::isAlone(size_t dim, unsigned loop) const {
  for (size_t t = 0; t < left.index.size(); ++t)
    if (t != dim && left.index[t][loop] != 0)
      return false;
  return true;
}

/// Joins loops that walk contiguous values of the left side, in equal steps of
/// the right, to a run.
void IntegerRows::findRun(const IntegerOperand &operand) {
  run.clear();
  runLength = 1;
  const Affine &from = operand.offset, &to = c.right.offset;
  for (bool grows = true; grows;) {
    grows = false;
    int best = -1;
    for (unsigned loop : loops) {
      const bool used = std::find(run.begin(), run.end(), loop) != run.end();
      if (used || !staysInside(operand, loop) || from[loop] != runLength ||
          (!run.empty() && to[loop] != to[run[0]] * runLength))
        continue;
      if (best < 0 || c.extents[loop] > c.extents[unsigned(best)])
        best = int(loop);
    }
    if (best >= 0) {
      run.push_back(unsigned(best));
      runLength *= c.extents[unsigned(best)];
      grows = true;
    }
  }
}

void IntegerRows::narrow() {
  const int64_t count = *kernel::elementCount(left.tensor.layout.sizes);
  uint8_t *to = takeStaging(uint64_t(count) + slack, context);
  product.integers->narrowing = {left.tensor.data, to, count, left.low};
  left.tensor.data = to;
  left.tensor.type = ElementType::U8;
  left.tensor.constant = false; // the bytes are made at each launch
}

size_t IntegerRows::innermostOf() const {
  size_t innermost = left.index.size();
  if (!run.empty()) {
    // The run's dimension, whose values a copy keeps together.
    for (size_t t = 0; t < left.index.size(); ++t)
      if (left.index[t][run[0]] != 0)
        innermost = t;
    return innermost;
  }
  // That of the loop with the most values.
  int64_t most = 0;
  for (unsigned loop : loops)
    for (size_t t = 0; t < left.index.size(); ++t)
      if (c.extents[loop] > most && left.index[t][loop] == 1 &&
          staysInside(left, loop) && isAlone(t, loop)) {
        most = c.extents[loop];
        innermost = t;
      }
  return innermost;
}

IntegerRows::Copy IntegerRows::copyWith(size_t innermost) const {
  const size_t rank = left.index.size();
  Copy copy;
  copy.order.resize(rank);
  std::iota(copy.order.begin(), copy.order.end(), 0);
  if (innermost < rank) {
    copy.order.erase(copy.order.begin() + int64_t(innermost));
    copy.order.push_back(innermost);
  }
  copy.sizes = left.tensor.layout.sizes;
  for (size_t d = 0; d < rank; ++d)
    if (left.tensor.layout.strides[d] == 0)
      copy.sizes[d] = 1;
  copy.before.assign(rank, 0);
  return copy;
}

/// The left side on a copy, whose bytes are set.
IntegerOperand IntegerRows::placed(const Copy &copy) const {
  IntegerOperand result = left;
  const size_t rank = copy.order.size();
  int64_t bytes = 1;
  for (size_t i = rank; i-- > 0;) {
    const size_t d = copy.order[i];
    int64_t &size = result.tensor.layout.sizes[d];
    const bool broadcast = left.tensor.layout.strides[d] == 0;
    result.tensor.layout.strides[d] = broadcast ? 0 : bytes;
    bytes *= copy.sizes[d];
    // Whole steps, unless taps are to follow each other.
    if (i + 1 == rank && !copy.padded)
      bytes = (bytes + 3) / 4 * 4;
    if (!broadcast && copy.sizes[d] != size) {
      size = copy.sizes[d];
      result.index[d].addOffset(copy.before[d]);
      result.padded[d] = false;
    }
  }
  result.offset = kernel::flatten(result.index, result.tensor.layout.strides);
  return result;
}

void IntegerRows::collapseTaps(Copy &copy) {
  const size_t rank = copy.order.size();
  const auto plain = uint64_t(*kernel::elementCount(copy.sizes));
  findRun(placed(copy));
  int64_t longest = runLength;
  // Long enough runs gain less than a copy costs, unless kernels on tiles need
  // not gather rows: with the padding of a line they are evenly spaced. With
  // strides it holds much that few rows read.
  if (longest >= fewValues &&
      !(onTiles() && double(plain) <= 2 * rows() * double(longest)))
    return;
  Copy best = copy;
  for (size_t d = 0; d < rank; ++d) {
    // A broadcast dimension has no values to copy.
    if (!left.padded[d] || left.tensor.layout.strides[d] == 0)
      continue;
    const kernel::Range range = kernel::rangeOf(left.index[d], c.extents);
    // Padding beyond one size of the operand on either side: a copy would be
    // mostly padding.
    if (range.low < -left.tensor.layout.sizes[d] ||
        range.high > 2 * left.tensor.layout.sizes[d])
      continue;
    // In the order of the copy, or with the dimension last.
    for (Copy trial : {copy, copyWith(d)}) {
      trial.padded = true;
      trial.before[d] = std::max<int64_t>(0, -range.low);
      trial.sizes[d] =
          trial.before[d] + std::max(trial.sizes[d], range.high + 1);
      // The bound that the staging memory was reserved for.
      if (uint64_t(*kernel::elementCount(trial.sizes)) + slack >
          paddedCopyBytes(plain))
        continue;
      const IntegerOperand operand = placed(trial);
      // The offsets of the larger copy may overflow.
      if (!operand.offset.isExact())
        continue;
      findRun(operand);
      if (runLength <= longest)
        continue;
      longest = runLength;
      best = trial;
    }
  }
  copy = best;
  if (!copy.padded)
    return;
  product.detail += ", taps collapsed";
  product.rowsAreNear = onTiles();
}

bool IntegerRows::onTiles() const { return product.kernel.hasTiles(); }

/// Rows of all items.
double IntegerRows::rows() const {
  double count = 1;
  for (unsigned d : c.dims)
    if (c.left.dependsOn(d))
      count *= double(c.extents[d]);
  return count;
}

/// True if the sign bits of the values have to be flipped.
bool IntegerRows::flips() const {
  return left.tensor.type == ElementType::I8 && !product.kernel.signedRows;
}

/// A dense copy of values that the kernel takes, the last dimension filled up
/// to whole steps or with padding where taps are collapsed.
void IntegerRows::makeCopy(const Copy &copy) {
  const bool constant = left.tensor.constant;
  const std::vector<int64_t> from = left.tensor.layout.strides;
  std::vector<int64_t> sizes = left.tensor.layout.sizes;
  // A broadcast dimension is copied once and keeps its stride of 0.
  for (size_t d = 0; d < sizes.size(); ++d)
    if (from[d] == 0)
      sizes[d] = 1;
  const IntegerOperand result = placed(copy);
  const std::vector<int64_t> &strides = result.tensor.layout.strides;
  int64_t bytes = 1, start = 0;
  for (size_t d = 0; d < sizes.size(); ++d) {
    bytes = std::max(bytes, strides[d] * copy.sizes[d]);
    start += strides[d] * copy.before[d];
  }
  // The kernel reads whole steps of four bytes.
  if (!copy.padded)
    bytes = (bytes + 3) / 4 * 4;
  const uint64_t size = uint64_t(bytes) + slack;
  uint8_t *to = constant ? takeHost(size, product.copies, context)
                         : takeStaging(size, context);
  // Constants are copied now, while the recipe is loaded; others at each
  // launch.
  auto add = [&](const CopyStep &step) {
    if (constant)
      step.run(context.pool);
    else
      product.copies.before.push_back(step);
  };
  if (copy.padded) {
    // A line is at most 4 KiB: it is broadcast over the buffer by a copy with
    // an outer stride of 0.
    // Lines of padding, all from one.
    const int64_t line = std::min<int64_t>(bytes, 4096);
    uint8_t *values = takeHost(uint64_t(line), product.copies, context);
    std::memset(values, left.pad, size_t(line));
    add({StridedCopy({bytes / line, line}, {0, 1}, {line, 1}, ElementType::U8,
                     ElementType::U8),
         values, to});
    if (const int64_t done = bytes / line * line; done < bytes)
      add({StridedCopy({bytes - done}, {1}, {1}, ElementType::U8,
                       ElementType::U8),
           values, to + done});
  }
  // If a dense operand needs its signs flipped and nothing else, the flip reads
  // it directly and the copy is left out.
  const uint8_t *flipped = left.tensor.data;
  const bool same = !copy.padded && kernel::isDense(sizes, from) &&
                    strides == kernel::denseStrides(sizes) &&
                    bytes == *kernel::elementCount(sizes);
  if (!same || !flips()) {
    add({StridedCopy(sizes, from, strides, ElementType::U8, ElementType::U8),
         left.tensor.data, to + start});
    flipped = to;
  }
  const bool flipsSigns = flips();
  if (flipsSigns) {
    const SignFlip flip{flipped, to, bytes};
    if (constant)
      flip.run(context.pool);
    else
      product.integers->flips.push_back(flip);
  }
  left = result;
  left.tensor.data = to;
  hasSlack = true;
  if (flipsSigns)
    left.tensor.type = ElementType::U8;
}

} // namespace gaudi::runtime
