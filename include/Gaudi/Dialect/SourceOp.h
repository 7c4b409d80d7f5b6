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
/// name of the op, and which one of its function it is: ["aten.linear", 3].
constexpr llvm::StringLiteral sourceOpAttrName = "gaudi.source_op";

struct SourceOp {
  StringRef name;
  int64_t number;
};

inline std::optional<SourceOp> sourceOpOf(Operation *op) {
  auto pair = op->getAttrOfType<ArrayAttr>(sourceOpAttrName);
  if (!pair || pair.size() != 2)
    return std::nullopt;
  auto name = dyn_cast<StringAttr>(pair[0]);
  auto number = dyn_cast<IntegerAttr>(pair[1]);
  if (!name || !number)
    return std::nullopt;
  return SourceOp{name.getValue(), number.getInt()};
}

} // namespace gaudi

#endif // GAUDI_DIALECT_SOURCEOP_H
