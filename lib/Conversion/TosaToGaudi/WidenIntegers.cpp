// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// i48 and i4, which TOSA has for sums of 16-bit products and for weights, as
// the next wider type of the device.
#include "../Common/Retyping.h"
#include "Converter.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace gaudi;

/// i64 for i48 and i8 for i4, in tensors too; other types as they are.
static Type widened(Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.clone(widened(shaped.getElementType()));
  if (type.isSignlessInteger(48))
    return IntegerType::get(type.getContext(), 64);
  if (type.isSignlessInteger(4))
    return IntegerType::get(type.getContext(), 8);
  return type;
}

static bool isNarrow(Type type) { return widened(type) != type; }

/// True if the op gives the same numbers when its narrow integers are stored in
/// wider ones: it moves them, or reads them as signed numbers. A sum of
/// products that leaves 48 bits has no defined value in TOSA.
static bool keepsNumbers(Operation *op) {
  if (auto rescale = dyn_cast<tosa::RescaleOp>(op))
    return !rescale.getInputUnsigned() && !isNarrow(rescale.getType());
  if (auto cast = dyn_cast<tosa::CastOp>(op))
    return !isNarrow(cast.getType());
  if (auto constant = dyn_cast<tosa::ConstOp>(op))
    return isa<DenseIntElementsAttr>(constant.getValues());
  return isa<func::ReturnOp, tosa::YieldOp, tosa::IfOp, tosa::WhileOp,
             tosa::IdentityOp, tosa::ReshapeOp, tosa::TransposeOp,
             tosa::ConcatOp, tosa::ReverseOp, tosa::SliceOp, tosa::TileOp,
             tosa::PadOp, tosa::GatherOp, tosa::ScatterOp, tosa::SelectOp,
             tosa::ResizeOp, tosa::EqualOp, tosa::GreaterOp,
             tosa::GreaterEqualOp, tosa::MatMulOp, tosa::Conv2DOp,
             tosa::Conv3DOp, tosa::DepthwiseConv2DOp, tosa::TransposeConv2DOp>(
      op);
}

static void widen(Operation *op) {
  if (auto constant = dyn_cast<tosa::ConstOp>(op)) {
    auto values = dyn_cast<DenseIntElementsAttr>(constant.getValues());
    if (values && isNarrow(values.getType())) {
      auto type = cast<ShapedType>(widened(values.getType()));
      const unsigned width = type.getElementTypeBitWidth();
      constant.setValuesAttr(cast<ElementsAttr>(
          values.mapValues(type.getElementType(), [&](const APInt &number) {
            return number.sext(width);
          })));
    }
  }
  retype(op, widened);
}

void gaudi::widenIntegers(func::FuncOp func, ConversionReport &report) {
  SmallVector<Operation *> ops;
  bool inTosa = false;
  func.walk([&](Operation *op) {
    // Functions without such types stay as they are, remark included.
    if (op == func || !touchesType(op, isNarrow))
      return;
    ops.push_back(op);
    inTosa |= isa_and_nonnull<tosa::TosaDialect>(op->getDialect());
  });
  if (!inTosa)
    return;
  // All are reported before any is widened.
  for (Operation *op : ops)
    if (!keepsNumbers(op))
      (void)report.add(op, isa<tosa::ConstOp>(op)
                               ? "its elements of a width that the device does "
                                 "not have are not in the text; print the "
                                 "model with all its constants"
                               : "the device has i48 as i64 and i4 as i8, but "
                                 "the result depends on the width; cast to i8 "
                                 "to i64 first");
  for (Operation *op : ops)
    widen(op);
  retype(func, widened);
  const bool isVisible = retypeSignature(func, widened);
  remark::passed(func.getLoc(), remark::RemarkOpts::name("widen-integers")
                                    .category("convert-tosa-to-gaudi"))
      << (std::string("stored i48 as i64 and i4 as i8, which hold their "
                      "numbers") +
          (isVisible ? "; arguments and results have these types" : ""));
}
