// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batched matrix products on micro kernels.
#include "TileGemm.h"

#include "../Kernels/KernelChoice.h"

#include "Gaudi/Kernel/Geometry.h"
#include "Gaudi/Recipe/ElementTypes.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>

namespace gaudi::runtime {

namespace {

/// Strides of one operand: of the two dimensions of its matrices, and of the
/// batch dimensions (0: broadcast).
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

/// A copy in the type of the kernel with dense rows.
BoundTensor rowsOf(const BoundTensor &tensor, bool transposed,
                   TileProduct &product, PrepareContext &context) {
  auto swapped = [&](BoundTensor t) {
    if (transposed) {
      const size_t rank = t.layout.sizes.size();
      std::swap(t.layout.sizes[rank - 2], t.layout.sizes[rank - 1]);
      std::swap(t.layout.strides[rank - 2], t.layout.strides[rank - 1]);
    }
    return t;
  };
  // The copy is made along the rows that the product reads, then described in
  // the order of the operand.
  return swapped(convertedMatrices(swapped(tensor), rowType(product.kernel),
                                   product.kernel.format == StepFormat::Bf16,
                                   product.copies, context));
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

/// The product C = A B with C stored along rows.
struct Product {
  int64_t m, n, k;
  bool transposeA, transposeB;
  BoundTensor a, b, c;

  Product(const recipe::Gemm &gemm, const BoundTensor &aTensor,
          const BoundTensor &bTensor, const BoundTensor &cTensor)
      : transposeA(gemm.transpose_a()), transposeB(gemm.transpose_b()),
        a(aTensor), b(bTensor), c(cTensor) {
    std::vector<int64_t> &sizes = c.layout.sizes, &strides = c.layout.strides;
    const size_t rank = sizes.size();
    assert(rank >= 2 && "a product is of matrices");
    k = a.layout.sizes[transposeA ? rank - 2 : rank - 1];
    // A column-major result is the row-major result of the transposed product:
    // C^T = B^T A^T.
    if (sizes[rank - 1] > 1 && sizes[rank - 2] > 1 && strides[rank - 1] != 1 &&
        strides[rank - 2] == 1) {
      std::swap(a, b);
      std::swap(transposeA, transposeB);
      transposeA = !transposeA;
      transposeB = !transposeB;
      std::swap(sizes[rank - 2], sizes[rank - 1]);
      std::swap(strides[rank - 2], strides[rank - 1]);
    }
    m = sizes[rank - 2];
    n = sizes[rank - 1];
  }
};

/// Dimensions that are walked together, with their strides in a, b and c.
struct Walk {
  std::vector<int64_t> sizes;
  std::vector<std::array<int64_t, 3>> strides;

  void add(int64_t size, std::array<int64_t, 3> stride) {
    sizes.push_back(size);
    strides.push_back(stride);
  }
};

/// One block per `kernel.rows` rows, each with one tap.
void placeRows(const Walk &rows, const Side &a, TileProduct &product) {
  forEachIndex(rows.sizes, rows.strides, [&](std::array<int64_t, 3> offset) {
    product.pointers.push_back(a.tensor.data + a.bytes(offset[0]));
    product.resultRows.push_back(offset[2]);
  });
  product.compactResultRows();
  int64_t row = 0;
  for (int64_t count :
       cutRows(int64_t(product.pointers.size()), product.kernel)) {
    product.blocks.push_back({int(count), row, row, 0, 0});
    row += count;
  }
  product.depths = {0};
  product.groupStarts = {0, 1};
}

/// One item per matrix of the batch; items with one right side share panels.
void placeItems(const Walk &batch, const Side &a, const Side &b, const Side &c,
                TileProduct &product) {
  std::map<int64_t, int64_t> packedAt;
  forEachIndex(batch.sizes, batch.strides, [&](std::array<int64_t, 3> offset) {
    BatchItem item{a.bytes(offset[0]), b.bytes(offset[1]), c.bytes(offset[2]),
                   0};
    auto [entry, isNew] = packedAt.try_emplace(
        item.b, int64_t(product.packedItems.size()) * product.layout.panels);
    if (isNew)
      product.packedItems.push_back(item.b);
    item.packed = entry->second;
    product.items.push_back(item);
  });
}

} // namespace

std::unique_ptr<TileCommand>
buildTileGemm(const MicroKernel &whole, const recipe::Gemm &gemm,
              const BoundTensor &aTensor, const BoundTensor &bTensor,
              const BoundTensor &cTensor, PrepareContext &context) {
  const Product p(gemm, aTensor, bTensor, cTensor);
  const MicroKernel &kernel = fitting(whole, p.n);
  TileProduct product(kernel);
  // The kernel reads rows of its own type with contiguous values, bf16 in
  // pairs; any other left side is copied. The right side is packed from any
  // form.
  Side a(p.a, p.transposeA);
  if (p.a.type != rowType(kernel) || (p.k > 1 && a.column != 1) ||
      (p.k % valuesPerStep(kernel.format)))
    a = Side(rowsOf(p.a, p.transposeA, product, context), p.transposeA);
  const Side b(p.b, p.transposeB), c(p.c, false);

  // Batch dimensions that share the right side are more rows.
  Walk rows, batch;
  for (size_t d = 0; d < a.batch.size(); ++d)
    if (const int64_t size = p.c.layout.sizes[d]; size != 1)
      (b.batch[d] == 0 ? rows : batch)
          .add(size, {a.batch[d], b.batch[d], c.batch[d]});
  rows.add(p.m, {a.row, 0, c.row});

  product.c = p.c.data;
  product.cType = p.c.type;
  product.columns = p.n;
  product.cColumnStride = p.n > 1 ? c.column : 1;
  placeRows(rows, a, product);
  product.source = {b.tensor.data, b.tensor.type, p.k, p.n,
                    b.row,         b.column,      {0}};
  product.layout = PanelLayout(kernel, product.source, b.tensor.constant);
  // One block of rows uses each panel once.
  cutDepth(kernel, product.layout, 1, product.blocks.size() == 1,
           product.ranges);
  placeItems(batch, a, b, c, product);
  return std::make_unique<TileCommand>(std::move(product), b.tensor.constant,
                                       context);
}

} // namespace gaudi::runtime
