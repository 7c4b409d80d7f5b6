// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where values live, read from the attributes of memory form.
#ifndef GAUDI_TRANSFORMS_MEMORY_BUFFERLAYOUT_H
#define GAUDI_TRANSFORMS_MEMORY_BUFFERLAYOUT_H

#include "Gaudi/Dialect/GaudiDialect.h"

namespace gaudi {

/// Attribute of an op: one #gaudi.buffer per result.
constexpr llvm::StringLiteral buffersAttrName = "gaudi.buffers";
/// Attribute of a function argument.
constexpr llvm::StringLiteral bufferAttrName = "gaudi.buffer";
/// Attributes of a function: bytes of its sections.
constexpr llvm::StringLiteral persistentBytesAttrName =
    "gaudi.persistent_bytes";
constexpr llvm::StringLiteral constBytesAttrName = "gaudi.const_bytes";
constexpr llvm::StringLiteral workspaceBytesAttrName = "gaudi.workspace_bytes";

/// The buffer of a value, or null if it has none yet.
BufferAttr bufferOf(Value value);

/// Bytes from the first to the last element of a strided tensor.
int64_t extentBytes(RankedTensorType type, ArrayRef<int64_t> strides);

/// What a function returns as `value`: the result of the op that writes it, of
/// which `value` is a reshape, or `value`. That op writes to the output's
/// buffer.
Value returnedRoot(Value value);

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// The operand of which the op changes some elements: its result has all
/// others. In one buffer, nothing but the changed ones is written. Null for
/// other ops.
OpOperand *updatedOperand(Operation *op);

/// Where the operands of an op are in its result: those of a concatenation, the
/// source of an insertion, and updated operands.
class OperandSlices {
public:
  /// Linear in the operands of a concatenation.
  explicit OperandSlices(Operation *op);

  /// The layout of the operand in a result with this layout; nothing for
  /// operands that have no slice.
  std::optional<StridedLayout> layoutOf(OpOperand &operand,
                                        const StridedLayout &result) const;

  /// True if the operand already is where the result has it: no command moves
  /// it.
  bool contains(OpOperand &operand) const;

private:
  Operation *op;
  SmallVector<int64_t> starts; // of a concatenation's operands, along its axis
};

/// True if the op changes its operand where that is.
bool updatesInPlace(Operation *op);

/// True if the result of a view aliases its source: no command makes
/// it. Else strides cannot express it, and it is a copy.
bool isWindow(OpResult view);

/// Which values of a block share a buffer: windows and their sources, operands
/// in their slice and the result. Buffers must have been assigned. Near-linear.
class BufferGroups {
public:
  explicit BufferGroups(Block &block);

  /// The value that stands for the buffer: an argument, an output, or the
  /// largest.
  Value rootOf(Value value) const;

private:
  size_t find(size_t member) const;
  void join(Value a, Value b);

  /// Larger is better. Numbers break ties: the first one wins.
  struct Member {
    Value value;
    bool isArgument, isReturned;
    int64_t bytes;
    mutable size_t parent; // shortened by `find`
  };
  SmallVector<Member> members;
  DenseMap<Value, size_t> numbers;
};

} // namespace gaudi

#endif // GAUDI_TRANSFORMS_MEMORY_BUFFERLAYOUT_H
