// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that work on several tensors of different sizes, one after the other.
#ifndef GAUDI_LIB_DIALECT_MULTITENSORKERNEL_H
#define GAUDI_LIB_DIALECT_MULTITENSORKERNEL_H

#include "Gaudi/Dialect/GaudiDialect.h"
#include "Gaudi/Dialect/KernelBuilder.h"

namespace gaudi {

/// Tensors that one kernel of the device may have.
constexpr unsigned maxKernelTensors = 16;

/// Elements in 64 bytes of f32: rows of such parts begin at cache lines.
constexpr int64_t lineElements = 16;

/// Tensors of one launch. Each is cut into `points` rows of one size, and point
/// p works on row p of every tensor, so that all engines have the same to do
/// whatever the sizes are. 0 points: the only member is one whose elements no
/// such number divides, and its points are its elements.
struct TensorGroup {
  SmallVector<unsigned> members;
  int64_t points;
};

/// Groups of at most `members` tensors with `counts` elements, none of them 0,
/// and of at most `points` points. Sizes that go together are in one group: a
/// common number of points divides them and leaves no point with a long row.
SmallVector<TensorGroup> groupTensors(ArrayRef<int64_t> counts,
                                      unsigned members, int64_t points);

/// The index space [points, rows of one size, rows of another size, ...].
class RowSpace {
public:
  explicit RowSpace(int64_t points) : sizes{points}, parallel{true} {}

  /// The dimension over rows of `size` elements; a new one for a new size.
  unsigned dimOf(int64_t size);
  ArrayRef<int64_t> getSizes() const { return sizes; }
  ArrayRef<bool> getParallel() const { return parallel; }

  /// Sizes of rows that one kernel may have.
  static constexpr unsigned mostSizes = maxKernelDims - 1;

private:
  SmallVector<int64_t> sizes;
  SmallVector<bool> parallel;
};

/// A tensor as rows; a view.
Value asRows(OpBuilder &builder, Location loc, Value tensor, int64_t rows);

/// One number that all points read: a tensor with one f32, i1 or i32.
class SharedScalars {
public:
  /// `tensors` may have null entries. At most `most` tensors stay inputs of
  /// kernels: constants become part of the kernels, and where more remain, a
  /// kernel of its own writes all of them to one tensor.
  SharedScalars(OpBuilder &builder, Location loc, ArrayRef<Value> tensors,
                unsigned most);

  /// The tensors that the kernels read.
  ArrayRef<Value> inputs() const { return read; }

  /// The values in a kernel whose inputs from `first` on are inputs(), in the
  /// order of the tensors given; flags are i1, absent ones null.
  SmallVector<Value> load(KernelBuilder &kernel, unsigned first) const;

private:
  struct Entry {
    bool isAbsent = false, isFlag = false;
    std::optional<double> constant;
    unsigned input = 0, element = 0; // of `read`, of that
  };
  void pack(OpBuilder &builder, Location loc);

  SmallVector<Entry> entries;
  SmallVector<Value> read;
};

/// An elementwise step on lists of tensors, one entry per parameter.
struct MultiTensorStep {
  StringRef label;
  SmallVector<ValueRange> lists;  ///< what a parameter's part reads
  SmallVector<unsigned> replaced; ///< the lists that results replace
  /// From the elements of a parameter, in the order of `lists`, then its own
  /// scalars, and the shared scalars to the elements of the results, in the
  /// order of `replaced`.
  llvm::function_ref<SmallVector<Value>(KernelBuilder &, ValueRange,
                                        ValueRange)>
      compute;
  /// Lists of tensors with one f32 for a parameter.
  SmallVector<ValueRange> ownScalars = {};
  /// Element types of results, null for that of what they replace.
  SmallVector<Type> types = {};

  /// The kernels of the step: a value for each result, list by list.
  SmallVector<Value> build(OpBuilder &builder, Location loc,
                           ArrayRef<Value> scalars) const;

private:
  /// The results of one member of a group, in the order of `replaced`.
  void buildGroup(OpBuilder &builder, Location loc, const TensorGroup &group,
                  const SharedScalars &scalars,
                  MutableArrayRef<Value> results) const;
};

} // namespace gaudi

#endif // GAUDI_LIB_DIALECT_MULTITENSORKERNEL_H
