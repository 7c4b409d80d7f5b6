// Batched matrix products on our own micro kernels.
#include "TileGemm.h"

#include "HostMemory.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Recipe/Geometry.h"

#include <algorithm>
#include <array>
#include <map>

namespace gaudi::runtime {

namespace {

/// Strides of one operand: of the two dimensions of its matrices, and of the
/// batch dimensions (0: repeated).
struct Side {
  BoundTensor tensor;
  int64_t row, column;
  std::vector<int64_t> batch;

  Side(BoundTensor bound, bool transposed) : tensor(std::move(bound)) {
    const Layout &layout = tensor.layout;
    const size_t rank = layout.sizes.size();
    row = layout.strides[rank - 2];
    column = layout.strides[rank - 1];
    if (transposed)
      std::swap(row, column);
    for (size_t d = 0; d + 2 < rank; ++d)
      batch.push_back(layout.sizes[d] == 1 ? 0 : layout.strides[d]);
  }
  int64_t bytes(int64_t elements) const {
    return elements * recipe::elementSize(tensor.type);
  }
};

/// A copy in the type of the kernel with dense rows, batch dimensions that
/// repeat kept so.
BoundTensor rowsOf(const BoundTensor &tensor, bool transposed,
                   TileCommand &command, PrepareContext &context) {
  BoundTensor once = tensor;
  const size_t rank = once.layout.sizes.size();
  for (size_t d = 0; d + 2 < rank; ++d)
    if (once.layout.strides[d] == 0)
      once.layout.sizes[d] = 1;
  auto swapped = [&](BoundTensor t) {
    if (transposed) {
      std::swap(t.layout.sizes[rank - 2], t.layout.sizes[rank - 1]);
      std::swap(t.layout.strides[rank - 2], t.layout.strides[rank - 1]);
    }
    return t;
  };
  BoundTensor copy =
      convertedFor(swapped(once), rowType(command.kernel), command.kernel.pairs,
                   command.copies, context);
  copy = swapped(std::move(copy));
  for (size_t d = 0; d + 2 < rank; ++d)
    if (once.layout.sizes[d] != tensor.layout.sizes[d]) {
      copy.layout.sizes[d] = tensor.layout.sizes[d];
      copy.layout.strides[d] = 0;
    }
  return copy;
}

/// Calls body(offset of a, of b, of c) for every index of `sizes`.
template <typename Body>
void forEachIndex(const std::vector<int64_t> &sizes,
                  const std::vector<std::array<int64_t, 3>> &strides,
                  Body body) {
  std::vector<int64_t> at(sizes.size(), 0);
  for (;;) {
    std::array<int64_t, 3> offset = {0, 0, 0};
    for (size_t d = 0; d < sizes.size(); ++d)
      for (unsigned side = 0; side < 3; ++side)
        offset[side] += at[d] * strides[d][side];
    body(offset);
    size_t d = sizes.size();
    while (d > 0 && ++at[d - 1] == sizes[d - 1])
      at[--d] = 0;
    if (d == 0)
      return;
  }
}

} // namespace

std::unique_ptr<TileCommand>
buildTileGemm(const MicroKernel &whole, const recipe::Gemm &gemm,
              const BoundTensor &aTensor, const BoundTensor &bTensor,
              const BoundTensor &cTensor, PrepareContext &context) {
  const size_t rank = cTensor.layout.sizes.size();
  bool transposeA = gemm.transpose_a(), transposeB = gemm.transpose_b();
  int64_t m = cTensor.layout.sizes[rank - 2];
  int64_t n = cTensor.layout.sizes[rank - 1];
  const int64_t k = aTensor.layout.sizes[transposeA ? rank - 2 : rank - 1];
  BoundTensor left = aTensor, right = bTensor, out = cTensor;
  // Results are stored along rows: a column-major one is the row-major result
  // of the transposed product.
  if (n > 1 && m > 1 && out.layout.strides[rank - 1] != 1 &&
      out.layout.strides[rank - 2] == 1) {
    std::swap(left, right);
    std::swap(m, n);
    std::swap(transposeA, transposeB);
    transposeA = !transposeA;
    transposeB = !transposeB;
    std::swap(out.layout.sizes[rank - 2], out.layout.sizes[rank - 1]);
    std::swap(out.layout.strides[rank - 2], out.layout.strides[rank - 1]);
  }
  const MicroKernel &kernel = fitting(whole, n);
  auto command = std::make_unique<TileCommand>(kernel);
  Side a(left, transposeA);
  if (left.type != rowType(kernel) || (k > 1 && a.column != 1) ||
      (kernel.pairs && k % 2))
    a = Side(rowsOf(left, transposeA, *command, context), transposeA);
  const Side b(right, transposeB), c(out, false);

  // Batch dimensions that share the right side are more rows.
  std::vector<int64_t> rowSizes, itemSizes;
  std::vector<std::array<int64_t, 3>> rowStrides, itemStrides;
  for (size_t d = 0; d + 2 < rank; ++d) {
    const int64_t size = out.layout.sizes[d];
    if (size == 1)
      continue;
    const bool shared = b.batch[d] == 0;
    (shared ? rowSizes : itemSizes).push_back(size);
    (shared ? rowStrides : itemStrides)
        .push_back({a.batch[d], b.batch[d], c.batch[d]});
  }
  rowSizes.push_back(m);
  rowStrides.push_back({a.row, 0, c.row});

  std::vector<const uint8_t *> rows;
  forEachIndex(rowSizes, rowStrides, [&](std::array<int64_t, 3> offset) {
    rows.push_back(a.tensor.data + a.bytes(offset[0]));
    command->resultRows.push_back(offset[2]);
  });
  bool even = true;
  command->cRowStride = rows.size() > 1 ? command->resultRows[1] : n;
  for (size_t row = 0; row < rows.size() && even; ++row)
    even = command->resultRows[row] == int64_t(row) * command->cRowStride;
  if (even)
    command->resultRows.clear();

  command->pointers = std::move(rows);
  int64_t row = 0;
  for (int64_t count :
       cutRows(int64_t(command->pointers.size()), kernel.rows)) {
    command->blocks.push_back({int(count), row, row, 0, 0});
    row += count;
  }
  command->depths = {0};
  command->groupStarts = {0, 1};

  command->source = {b.tensor.data, b.tensor.type, k, n, b.row, b.column, {0}};
  command->layout = PanelLayout(kernel, command->source);
  cutDepth(kernel, 1, command->layout.steps, command->blocks.size() == 1,
           command->ranges);
  command->c = out.data;
  command->cType = out.type;
  command->columns = n;
  command->cColumnStride = n > 1 ? c.column : 1;

  std::map<int64_t, int64_t> packedAt;
  forEachIndex(itemSizes, itemStrides, [&](std::array<int64_t, 3> offset) {
    BatchItem item{a.bytes(offset[0]), b.bytes(offset[1]), c.bytes(offset[2]),
                   0};
    auto [entry, isNew] = packedAt.try_emplace(
        item.b, int64_t(command->packedItems.size()) * command->layout.panels);
    if (isNew)
      command->packedItems.push_back(item.b);
    item.packed = entry->second;
    command->items.push_back(item);
  });
  cutPieces(*command, b.tensor.constant);
  command->placePanels(b.tensor.constant, context);
  return command;
}

} // namespace gaudi::runtime
