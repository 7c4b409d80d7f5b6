// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which dimension of an operand is which of a result, said once for each op.
//
// An op computes at the points of a space. The dimensions of the space are the
// *factors*, each with a size. At one point the op reads one element of each
// operand and contributes to one element of each result; the *accesses* give
// their positions, per dimension of the tensor a sum of factors times strides:
//
//   product      lhs [m, k], rhs [k, n], result [m, n]
//
//   convolution  x [n, c, p * stride + k * dilation - pad], w [o, c, k],
//                y [n, o, p]
//
//   reshape of [4, 12] to [48]      [a, b] and [a * 12 + b]
//
//   sum along a kept dimension      [a, b] and [a, b * 0]
//
// A promise, which DimMapTest compares with the evaluator: an element of a
// result depends on no element of an operand but those that share a point with
// it. Positions outside a tensor are not read. The map may promise less than
// is true, where it says that a dimension is read as a whole.
#ifndef GAUDI_DIALECT_DIMMAP_H
#define GAUDI_DIALECT_DIMMAP_H

#include "Gaudi/Dialect/GaudiDialect.h"

namespace gaudi {

struct DimMap {
  /// A dimension of the space. Two maps of one op have the same names: letters
  /// of the op's layouts, or numbers.
  struct Factor {
    int64_t size = 1;
    unsigned name = 0;
  };
  /// A factor's index times a stride. A stride of 0 is where a tensor has one
  /// element for all indices: an operand that is broadcast along the factor, or
  /// would be if it had more elements, and a result that is reduced along it.
  struct Term {
    unsigned factor;
    int64_t stride = 1;
  };
  /// One dimension of a tensor.
  struct Dim {
    SmallVector<Term, 1> terms;
    int64_t offset = 0;
    /// At each point, any element along the dimension is read. Then terms say
    /// which factors decide what is read; without a term, values do (indices),
    /// whatever the size of the dimension is.
    bool isWhole = false;
  };
  struct Access {
    unsigned tensor; ///< operands, then results
    SmallVector<Dim, 4> dims;
  };

  SmallVector<Factor, 8> factors;
  /// At least one per tensor, those of tensor i before those of tensor i + 1.
  SmallVector<Access, 4> accesses;

  unsigned tensors() const { return accesses.back().tensor + 1; }
  /// The first access to the tensor.
  const Access &of(unsigned tensor) const;

  /// True if some dimension is read as a whole.
  bool readsWhole() const;

  /// The factor that is the only term, whatever its stride is.
  static std::optional<unsigned> factorOf(const Dim &dim);
  /// The factor whose index is the position in a dimension of `size` elements
  /// and that has as many.
  std::optional<unsigned> sameAs(const Dim &dim, int64_t size) const;
  /// True if the terms are the digits of the position, outermost first, and
  /// give each element of a dimension of `size` once.
  bool isMixedRadix(const Dim &dim, int64_t size) const;
};

/// The type of tensor number `tensor` of `op`: the operands, then the results.
RankedTensorType typeOfTensor(Operation *op, unsigned tensor);

/// The dimension of the index space that dimension `dim` of the results walks,
/// if that has size 1 and `rank` is that of a result: kernels read dimensions
/// of size 1 at 0, whether they repeat them or not.
std::optional<unsigned> walkedAlone(KernelOp kernel, int64_t rank,
                                    unsigned dim);

} // namespace gaudi

#include "Gaudi/Dialect/DimMapInterface.h.inc"

#endif // GAUDI_DIALECT_DIMMAP_H
