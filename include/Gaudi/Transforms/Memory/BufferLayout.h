// Where values live, read from the attributes of scheduled form.
#ifndef GAUDI_TRANSFORMS_MEMORY_BUFFERLAYOUT_H
#define GAUDI_TRANSFORMS_MEMORY_BUFFERLAYOUT_H

#include "Gaudi/Dialect/GaudiDialect.h"

namespace mlir::gaudi {

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

/// The value whose bytes `value` uses: itself, or through views that share
/// bytes (the same section and a range inside) the one at the end.
Value bufferRoot(Value value);

/// What a function returns as `value`: the result of a kernel that `value` is a
/// reshape of, which the kernel writes to the buffer of the output, or `value`.
Value returnedRoot(Value value);

} // namespace mlir::gaudi

#endif // GAUDI_TRANSFORMS_MEMORY_BUFFERLAYOUT_H
