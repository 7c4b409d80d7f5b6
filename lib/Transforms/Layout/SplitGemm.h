// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products whose rows, columns and depth are several dimensions.
#ifndef GAUDI_TRANSFORMS_LAYOUT_SPLITGEMM_H
#define GAUDI_TRANSFORMS_LAYOUT_SPLITGEMM_H

#include "DimParts.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include <array>

#include "SplitGemmDialect.h.inc"
#define GET_OP_CLASSES
#include "SplitGemm.h.inc"

namespace gaudi::layout {

/// Names and sizes of the dimensions of lhs, rhs and result, see
/// gaudi_layout.split_gemm.
struct ProductDims {
  using PerTensor = std::array<SmallVector<int64_t, 6>, 3>;
  PerTensor names, sizes;

  /// Of a product without orders, or of one of several dimensions.
  static ProductDims of(Operation *op);

  enum class Kind { Batch, Rows, Columns, Depth };
  Kind kindOf(int64_t name) const;

  /// With these parts of all tensors.
  ProductDims split(ArrayRef<Parts> splits) const;
  /// With all tensors stored in `orders`.
  ProductDims stored(const Orders &orders) const;
  /// `order` for one tensor, and for the others the same sequence of the
  /// dimensions that they share with it and that become one dimension.
  Orders ordersWith(unsigned tensor, ArrayRef<int64_t> order) const;

  /// The product that the matrix engine makes: shapes of the three tensors, and
  /// the order in which each holds [b.., m, k], [b.., k, n] or [b.., m, n].
  struct Matrices {
    PerTensor shapes;
    std::array<Order, 3> storage;
  };
  /// Nothing if the dimensions that would become one are apart, or in another
  /// sequence in one of the tensors. Those of size 1 do not count.
  std::optional<Matrices> matrices() const;
};

/// The op on several dimensions that computes what `op` does, in its place;
/// `op` is taken out of its block and has no operands any more.
SplitGemmOp makeSplitGemm(GemmOp op);

/// Makes all these ops of the function products of matrices.
void lowerSplitGemms(Block &block);

} // namespace gaudi::layout

#endif // GAUDI_TRANSFORMS_LAYOUT_SPLITGEMM_H
