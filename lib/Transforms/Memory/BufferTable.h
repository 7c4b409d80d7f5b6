// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buffers of a function while they are planned: gaudi-alias-buffers decides
// which values share one, gaudi-assign-buffers where each is.
#ifndef GAUDI_LIB_TRANSFORMS_MEMORY_BUFFERTABLE_H
#define GAUDI_LIB_TRANSFORMS_MEMORY_BUFFERTABLE_H

#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/MathExtras.h"

namespace gaudi {

/// A value with a buffer of its own, on which others are windows.
struct BufferRoot {
  Value value;
  SectionKind section;
  int64_t size = 0;
  int64_t offset = 0;
  uint64_t first = 0, last = 0; // steps, both included
  uint64_t reusedAt = 0;        // the step at which a result reused it last
  std::optional<size_t> owner;  // the root whose buffer it reuses, if any
};

/// The window of a value on the buffer of its root.
struct BufferWindow {
  size_t root;
  int64_t byteOffset;
  SmallVector<int64_t> strides;
};

/// Roots in program order, and the window of every value. Steps count the ops
/// of the function; step 0 is before the first.
struct BufferTable {
  BufferTable(func::FuncOp function, const device::DeviceSpec &spec)
      : function(function), time(spec),
        alignment(spec.memory.addressAlignment) {}

  int64_t aligned(int64_t bytes) const {
    return llvm::alignTo(bytes, alignment);
  }

  size_t addRoot(Value value, SectionKind section, SmallVector<int64_t> strides,
                 uint64_t step) {
    BufferRoot root{value, section,     extentBytes(tensorType(value), strides),
                    0,     step,        step,
                    0,     std::nullopt};
    if (section != SectionKind::Workspace) {
      int64_t &end = section == SectionKind::Const ? constEnd : persistentEnd;
      // Empty tensors have distinct addresses, too.
      root.offset = end;
      end += aligned(std::max<int64_t>(root.size, 1));
    }
    windows[value] = {roots.size(), 0, std::move(strides)};
    roots.push_back(root);
    return roots.size() - 1;
  }

  size_t ownerOf(size_t root) const {
    while (roots[root].owner)
      root = *roots[root].owner;
    return root;
  }

  /// The root whose buffer the value is in.
  BufferRoot &rootOf(Value value) {
    return roots[ownerOf(windows.find(value)->second.root)];
  }

  /// True if `from` begins at the first byte of its buffer and has elements of
  /// the size of those of `to`.
  bool startsLike(Value from, Value to) {
    return windows[from].byteOffset == 0 &&
           elementBytes(tensorType(from).getElementType()) ==
               elementBytes(tensorType(to).getElementType());
  }

  BufferAttr attributeOf(Value value) {
    const BufferWindow &window = windows[value];
    const BufferRoot &root = roots[ownerOf(window.root)];
    return BufferAttr::get(value.getContext(), root.section,
                           root.offset + window.byteOffset, window.strides);
  }

  /// Writes the buffers of all values and the sizes of sections.
  void attach();

  func::FuncOp function;
  const DeviceTime time;
  int64_t alignment; // of buffers, bytes
  SmallVector<BufferRoot> roots;
  DenseMap<Value, BufferWindow> windows;
  int64_t persistentEnd = 0, constEnd = 0, workspaceEnd = 0; // bytes
};

/// A kernel right after a matrix op can work on the first tiles of the product
/// while the others are computed, if the operands of the matrix op are not
/// overwritten before the kernel has ended. Extends their lifetimes by that
/// kernel where it does not raise the peak of the workspace. So is a product by
/// the next matrix op, which need not wait for the kernel that reads it. No
/// remark says so of a trial.
void extendForTiles(BufferTable &table, bool isTrial);

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_MEMORY_BUFFERTABLE_H
