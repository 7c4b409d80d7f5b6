// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The op of PyTorch that ops came from, for passes that go by its name.
#ifndef GAUDI_DIALECT_SOURCEOP_H
#define GAUDI_DIALECT_SOURCEOP_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace gaudi {

/// Attribute of ops that convert-torch-to-gaudi makes with `mark-sources`: the
/// members of SourceOp, ["aten.linear", 3, -1, false].
///
/// An op of the torch dialect may have it, too, if it is a part of another:
/// that one, and the part of that one which it belongs to, each with a number:
/// [["aten.cosine_similarity", 4], ["aten.linalg_vector_norm", 7]]. The outer
/// one may be what it was before functionalization: ["aten.add_", 5].
constexpr llvm::StringLiteral sourceOpAttrName = "gaudi.source_op";

struct SourceOp {
  StringRef name;
  int64_t number; ///< which op of its function it is
  /// The largest rank of its operands that are constant tensors of floats, -1
  /// for none. After folding, those look like Python's numbers.
  int64_t constantRank;
  bool givesF32; ///< its argument `dtype` says so
};

inline std::optional<SourceOp> sourceOpOf(Operation *op) {
  auto parts = op->getAttrOfType<ArrayAttr>(sourceOpAttrName);
  if (!parts || parts.size() != 4)
    return std::nullopt;
  auto name = dyn_cast<StringAttr>(parts[0]);
  auto number = dyn_cast<IntegerAttr>(parts[1]);
  auto rank = dyn_cast<IntegerAttr>(parts[2]);
  auto givesF32 = dyn_cast<BoolAttr>(parts[3]);
  if (!name || !number || !rank || !givesF32)
    return std::nullopt;
  return SourceOp{name.getValue(), number.getInt(), rank.getInt(),
                  givesF32.getValue()};
}

} // namespace gaudi

#endif // GAUDI_DIALECT_SOURCEOP_H
