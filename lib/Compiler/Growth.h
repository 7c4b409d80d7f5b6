// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Other sizes for a function of static shapes.
#ifndef GAUDI_LIB_COMPILER_GROWTH_H
#define GAUDI_LIB_COMPILER_GROWTH_H

#include "BatchTies.h"
#include <cstdint>

namespace gaudi {

/// The dimensions of a function that are multiples of symbols, and the change
/// of all of them to other sizes of the symbols.
///
/// A dimension has a mask: bit k says that it is a multiple of symbol k, once.
/// All others stay as they are. What the masks say must follow from the
/// function (BatchTies); here they are only applied. Dimensions are kept by the
/// number of their value or op in program order, so that clones of the function
/// can be changed, several at a time.
class Growth {
public:
  using Mask = uint32_t;
  static constexpr unsigned maxSymbols = 32;

  /// `masks`: by node of `ties`.
  Growth(func::FuncOp function, const BatchTies &ties, ArrayRef<Mask> masks);

  /// Changes `function`, which is the one above or a clone of it, from sizes
  /// `from` of the symbols, as they are, to sizes `to`. Fails without a
  /// diagnostic if a dimension would exceed maxWindowEntry or is no multiple.
  LogicalResult apply(func::FuncOp function, ArrayRef<int64_t> from,
                      ArrayRef<int64_t> to) const;

private:
  /// Of a value or a kernel that grows.
  struct Tensor {
    unsigned number;
    SmallVector<Mask, 4> dims;
  };
  struct Kernel {
    unsigned number;
    /// Of the index space, and of result dimensions that it lacks (of size 1).
    SmallVector<Mask, 4> space, ones;
  };

  SmallVector<Tensor, 0> tensors; // ascending numbers
  SmallVector<Kernel, 0> kernels;
};

/// All values of a function that is one block, arguments first.
SmallVector<Value, 0> valuesOf(func::FuncOp function);

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_GROWTH_H
