// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that turn functions with dynamic dimensions into static variants, and
// what they know of symbols.
#ifndef GAUDI_TRANSFORMS_SHAPES_SHAPEPASSES_H
#define GAUDI_TRANSFORMS_SHAPES_SHAPEPASSES_H

#include "Gaudi/Shapes/Symbol.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include <string>

namespace gaudi {

#define GEN_PASS_DECL
#include "Gaudi/Dialect/MLIR.h"
#include "Gaudi/Transforms/Shapes/ShapePasses.h.inc"

#define GEN_PASS_REGISTRATION
#include "Gaudi/Transforms/Shapes/ShapePasses.h.inc"

using shapes::Symbol;

/// Of a function with variants: a size of it that is no polynomial which those
/// at a few sizes determine, as text. gaudi-bucket-shapes sets it.
constexpr llvm::StringLiteral irregularSizeAttrName = "gaudi.irregular_size";

/// Largest size of a symbol: the device counts in i32.
constexpr int64_t maxSymbolSize = (int64_t(1) << 31) - 1;

/// The symbol that an entry of `gaudi.symbols` says; none if it is no symbol.
std::optional<Symbol> symbolOf(Attribute entry);
/// The symbols that the attribute `gaudi.symbols` of a function lists; empty
/// if it has none or one that is no such list.
SmallVector<Symbol> symbolsOf(func::FuncOp function);
/// The attribute for these symbols.
ArrayAttr symbolsAttr(MLIRContext *context, ArrayRef<Symbol> symbols);

/// Writes `gaudi.dims` on the arguments that `text` speaks of:
/// "x:batch=1..64,seq=16..4096/16;y:batch". An item names an argument and has
/// one entry for each dynamic dimension, or for each dimension. Empty, or what
/// is wrong with the text.
std::string applyShapeOption(func::FuncOp function, StringRef text);

} // namespace gaudi

#endif // GAUDI_TRANSFORMS_SHAPES_SHAPEPASSES_H
