// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes of values of the torch dialect: those that torch.bind_symbolic_shape
// says. PyTorch has inferred them; nothing is inferred here.
#include "Gaudi/Conversion/Torch.h"
#include "SourceShapes.h"

using namespace mlir;
using namespace gaudi;

/// The sizes that a map has for these symbols; null where one is not known.
static SizeList sizesOf(AffineMap map, ValueRange symbols,
                        const SymbolicShapes &shapes) {
  SmallVector<AffineExpr> known;
  for (Value symbol : symbols)
    known.push_back(shapes.element(symbol));
  return llvm::map_to_vector<6>(map.getResults(), [&](AffineExpr size) {
    bool isKnown = true;
    size.walk([&](AffineExpr part) {
      if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
        isKnown &=
            symbol.getPosition() < known.size() && known[symbol.getPosition()];
      isKnown &= !isa<AffineDimExpr>(part);
    });
    return isKnown ? shapes.sizes.normal(size.replaceSymbols(known))
                   : AffineExpr();
  });
}

/// The map of an op, if it has one over its operands from `first` on.
static AffineMap mapOf(Operation *op, StringRef name, unsigned first) {
  auto attribute = op->getAttrOfType<AffineMapAttr>(name);
  if (!attribute || op->getNumOperands() < first)
    return {};
  const AffineMap map = attribute.getValue();
  return map.getNumSymbols() == op->getNumOperands() - first ? map
                                                             : AffineMap();
}

/// The map of torch.bind_symbolic_shape, with a size for each dimension of what
/// it binds; null if it has none.
static AffineMap boundMap(Operation *op) {
  const AffineMap map = mapOf(op, "shape_expressions", 1);
  auto type = map ? dyn_cast<RankedTensorType>(op->getOperand(0).getType())
                  : RankedTensorType();
  return type && type.getRank() == int64_t(map.getNumResults()) ? map
                                                                : AffineMap();
}

/// A dimension of an argument that is a symbol says what the symbol is.
static LogicalResult bindArgument(Operation *op, AffineMap map,
                                  SymbolicShapes &shapes) {
  const SizeList dims = shapes.shape(op->getOperand(0));
  for (auto [dim, size] : llvm::enumerate(map.getResults()))
    if (auto symbol = dyn_cast<AffineSymbolExpr>(size)) {
      const Value value = op->getOperand(1 + symbol.getPosition());
      if (!shapes.element(value))
        shapes.setElements(value, {dims[dim]});
    }
  for (auto [dim, size] :
       llvm::enumerate(sizesOf(map, op->getOperands().drop_front(), shapes)))
    if (size && size != shapes.sizes.normal(dims[dim]))
      return op->emitError("dimension ")
             << dim << " of an argument is " << shapes.sizes.text(dims[dim])
             << " but the model needs " << shapes.sizes.text(size)
             << "; give dimensions of one size the same name";
  return success();
}

LogicalResult gaudi::inferTorch(Operation *op, SymbolicShapes &shapes) {
  const StringRef name = torchName(op);
  if (name == "bind_symbolic_shape") {
    const AffineMap map = boundMap(op);
    return map && isa<BlockArgument>(op->getOperand(0))
               ? bindArgument(op, map, shapes)
               : success();
  }
  if (name == torchSizeName) {
    const AffineMap map = mapOf(op, "map", 0);
    if (map && map.getNumResults() == 1 && op->getNumResults() == 1)
      shapes.setElements(op->getResult(0),
                         sizesOf(map, op->getOperands(), shapes));
    if (op->getNumResults() != 1 || !shapes.element(op->getResult(0)))
      return op->emitError("it has no map of torch.symbolic_int to one size");
    return success();
  }
  if (name == "constant.int" && op->getNumResults() == 1)
    if (auto number = op->getAttrOfType<IntegerAttr>("value"))
      shapes.setElements(op->getResult(0),
                         {shapes.sizes.constant(number.getInt())});
  for (Value result : op->getResults())
    for (Operation *user : result.getUsers())
      if (torchName(user) == "bind_symbolic_shape" &&
          user->getOperand(0) == result)
        if (const AffineMap map = boundMap(user))
          if (failed(shapes.setShape(
                  result,
                  sizesOf(map, user->getOperands().drop_front(), shapes))))
            return failure();
  return success();
}
