// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text that users bound dynamic dimensions with.
#ifndef GAUDI_LIB_TRANSFORMS_SHAPES_SYMBOLSYNTAX_H
#define GAUDI_LIB_TRANSFORMS_SHAPES_SYMBOLSYNTAX_H

#include "Gaudi/Transforms/Shapes/ShapePasses.h"
#include "mlir/IR/AffineExpr.h"

namespace gaudi {

/// The symbols of a function, as entries of dimensions name them.
class SymbolReader {
public:
  /// Takes the bounds that an entry "NAME=MIN..MAX/MULTIPLE" gives; nothing if
  /// it gives none. The reason if it is no entry or contradicts another one.
  std::string addBounds(StringRef entry);
  /// Adds a symbol, unless one has the name.
  void add(Symbol symbol);
  /// The size that an entry stands for, after all bounds are known; null and
  /// the reason in `problem` if a name has none.
  AffineExpr sizeOf(StringRef entry, MLIRContext *context,
                    std::string &problem) const;

  ArrayRef<Symbol> getSymbols() const { return symbols; }

private:
  SmallVector<Symbol> symbols;
};

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_SHAPES_SYMBOLSYNTAX_H
