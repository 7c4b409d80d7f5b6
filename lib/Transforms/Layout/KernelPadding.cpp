// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads at positions outside a tensor instead of a padded copy of it.
#include "KernelPadding.h"

using namespace mlir;
using namespace gaudi;

/// The value of the padding as kernels have it.
static TypedAttr padIn(PadOp pad) {
  const Type type = kernelType(pad.getValueAttr().getType());
  if (auto number = dyn_cast<FloatAttr>(pad.getValueAttr()))
    return FloatAttr::get(type, number.getValueAsDouble());
  return IntegerAttr::get(type,
                          cast<IntegerAttr>(pad.getValueAttr()).getValue());
}

static bool isPadded(PadOp pad, unsigned dim) {
  return pad.getLow()[dim] != 0 || pad.getHigh()[dim] != 0;
}

bool gaudi::canAbsorbPadding(KernelOp kernel, unsigned operand, PadOp pad) {
  const auto isNegative = [](int64_t size) { return size < 0; };
  if (pad.getMode() != PadMode::Constant ||
      elementCount(pad.getOperand()) == 0 ||
      llvm::any_of(pad.getLow(), isNegative) ||
      llvm::any_of(pad.getHigh(), isNegative))
    return false;
  const TypedAttr value = padIn(pad);
  const unsigned rank = pad.getType().getRank();
  for (Operation *user : kernel.getBody().getArgument(operand).getUsers()) {
    auto load = cast<KernelLoadOp>(user);
    for (unsigned dim = 0; dim < rank; ++dim) {
      const Boundary rule = load.getBoundaryOf(dim);
      // A load has one value for all that is outside.
      if (rule == Boundary::Pad && load.getPadAttr() != value)
        return false;
      if (isPadded(pad, dim) &&
          (load.getDynamicIndex(dim) ||
           (rule != Boundary::Inside && rule != Boundary::Pad)))
        return false;
    }
  }
  return true;
}

void gaudi::absorbPadding(KernelOp kernel, unsigned operand, PadOp pad) {
  BlockArgument tensor = kernel.getBody().getArgument(operand);
  const unsigned rank = pad.getType().getRank();
  for (Operation *user : tensor.getUsers()) {
    auto load = cast<KernelLoadOp>(user);
    SmallVector<AffineExpr> position;
    SmallVector<Attribute> rules;
    for (unsigned dim = 0; dim < rank; ++dim) {
      position.push_back(load.getMap().getResult(dim) - pad.getLow()[dim]);
      rules.push_back(BoundaryAttr::get(
          load.getContext(),
          isPadded(pad, dim) ? Boundary::Pad : load.getBoundaryOf(dim)));
    }
    const AffineMap map = load.getMap();
    load.setMap(AffineMap::get(map.getNumDims(), map.getNumSymbols(), position,
                               load.getContext()));
    load.setBoundaryAttr(ArrayAttr::get(load.getContext(), rules));
    load.setPadAttr(padIn(pad));
  }
  tensor.setType(pad.getOperand().getType());
}
