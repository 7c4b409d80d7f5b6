// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contractions of 8-bit integers among the TPC kernels of a recipe.
//
// The device runs them on its vector cores. The host's matrix kernels multiply
// such integers exactly, so it may take the sums from them: the bits are the
// same. A kernel is recognised by what it computes, not by its name:
//
//   sum over the loops of (x - p) * (y - q)   in i32, or in i64 without
//   overflow
//
// where x and y are loads of 8-bit integers and the zero points p and q do not
// depend on the loops.
#ifndef GAUDI_LIB_RUNTIME_INTEGERS_CONTRACTION_H
#define GAUDI_LIB_RUNTIME_INTEGERS_CONTRACTION_H

#include "../Commands/Command.h"
#include "KnownRange.h"
#include "QuantizedKernel.h"

#include "Gaudi/Kernel/Affine.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace gaudi::runtime {

/// A zero point: `constant`, plus a load that depends on no loop.
struct ZeroPoint {
  int32_t constant = 0;
  int sign = 0;          // of the loaded value: 1, -1, or 0 without one
  unsigned operand = 0;  // of the kernel
  BoundTensor tensor;    // of the type as which its bits are read
  kernel::Affine offset; // elements from its start, by kernel dimension
};

/// One factor.
struct IntegerOperand {
  unsigned operand = 0; // of the kernel
  /// I8 or U8: how its bits are read. The left one may be a dense I32 of which
  /// all values are in [low, low + 255].
  BoundTensor tensor;
  int32_t low = 0;
  /// The tensor of the recipe that is read instead of the operand: a constant,
  /// which another kernel only extends.
  std::optional<uint32_t> behind;
  std::vector<kernel::Affine> index; // per dimension, by kernel dimension
  std::vector<bool> padded;          // per dimension: may be out of range
  uint8_t pad = 0;                   // then the bits that are read; less `low`
  ZeroPoint zero;
  kernel::Affine offset; // elements from its start, by kernel dimension

  bool isPadded() const {
    return std::find(padded.begin(), padded.end(), true) != padded.end();
  }
  bool isWide() const { return tensor.type == recipe::ElementType::I32; }
  bool dependsOn(unsigned dim) const {
    return std::any_of(
        index.begin(), index.end(),
        [&](const kernel::Affine &form) { return form[dim] != 0; });
  }
};

/// What a command computes in one of its kernel's stages.
struct IntegerContraction {
  unsigned stage = 0;
  bool wide = false; // the kernel's sum is i64
  std::vector<int64_t> extents;
  std::vector<unsigned> loops; // kernel dimensions
  /// The dimensions of the sums: parallel ones of which a factor depends, in
  /// the order of the kernel's first result.
  std::vector<unsigned> dims;
  IntegerOperand left, right; // rows; columns
  /// Those of `dims` that only the right factor depends on and that lie
  /// together in it and in the sums: the columns.
  int64_t columns = 0, columnStride = 0; // stride in the right factor
  int64_t sumStride = 0;                 // in the sums
  std::vector<unsigned> columnDims;

  std::vector<int64_t> sumSizes() const {
    std::vector<int64_t> sizes;
    for (unsigned d : dims)
      sizes.push_back(extents[d]);
    return sizes;
  }
  /// Values of a sum.
  int64_t depth() const {
    int64_t count = 1;
    for (unsigned loop : loops)
      count *= extents[loop];
    return count;
  }
  bool isColumn(unsigned dim) const {
    return std::find(columnDims.begin(), columnDims.end(), dim) !=
           columnDims.end();
  }
};

/// Null with a reason, which is empty if the kernel has nothing of the kind.
struct FoundContraction {
  std::optional<IntegerContraction> contraction;
  std::string reason;
  bool quantizes = false; // the reason: factors are converted from floats
  /// The contraction is that of this kernel instead.
  std::shared_ptr<const QuantizedKernel> quantized = nullptr;
};

/// Looks for a contraction that is worth the matrix kernels. The operands need
/// no addresses; their tensors are copied into what is found.
FoundContraction findContraction(const recipe::Kernel &kernel,
                                 const BoundTensors &operands,
                                 const KnownRanges &known);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_INTEGERS_CONTRACTION_H
