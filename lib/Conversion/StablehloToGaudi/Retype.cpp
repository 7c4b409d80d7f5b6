// ui64 inside a model, which exporters of JAX use to count random bits, as
// i64. Both have the same bits; ops that read them differently are refused.
#include "Expand.h"
#include "Gaudi/Conversion/Stablehlo.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::gaudi;

static bool isUnsigned64(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getElementType().isUnsignedInteger(64);
}

/// True if the op gives the same bits for both readings of its operands.
static bool ignoresSign(Operation *op) {
  static const llvm::StringSet<> names = {"add",         "and",
                                          "broadcast",   "broadcast_in_dim",
                                          "concatenate", "constant",
                                          "iota",        "multiply",
                                          "not",         "or",
                                          "pad",         "reshape",
                                          "reverse",     "select",
                                          "shift_left",  "shift_right_logical",
                                          "slice",       "subtract",
                                          "transpose",   "xor",
                                          "popcnt",      "count_leading_zeros"};
  const StringRef name = op->getName().stripDialect();
  if (names.contains(name))
    return true;
  // Start indices are clamped as numbers.
  const size_t numMoved = name == "dynamic_slice"          ? 1
                          : name == "dynamic_update_slice" ? 2
                                                           : 0;
  if (numMoved != 0 && op->getNumOperands() >= numMoved)
    return llvm::none_of(
        op->getOperands().drop_front(numMoved),
        [](Value start) { return isUnsigned64(start.getType()); });
  if (name == "compare") {
    auto direction = op->getAttrOfType<StringAttr>("comparison_direction");
    return direction &&
           (direction.getValue() == "EQ" || direction.getValue() == "NE");
  }
  // From a narrower type by its own sign; to one by cutting off.
  if (name == "convert" && op->getNumOperands() == 1 &&
      op->getNumResults() == 1)
    return isa<IntegerType>(getElementTypeOrSelf(op->getOperand(0))) &&
           isa<IntegerType>(getElementTypeOrSelf(op->getResult(0)));
  return false;
}

void mlir::gaudi::retypeUnsigned64(ModuleOp module, ConversionReport &report) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isStablehlo(op->getName()) &&
        llvm::any_of(op->getResultTypes(), isUnsigned64))
      ops.push_back(op);
  });
  if (ops.empty())
    return;
  // All of them or none: a value has one type for all its users.
  bool canRetype = true;
  auto check = [&](Operation *op) {
    if (isStablehlo(op->getName()) && ignoresSign(op))
      return;
    canRetype = false;
    if (isStablehlo(op->getName()))
      (void)report.add(op, "the device has no ui64, and this op reads it "
                           "otherwise than i64; use ui32 or i64");
  };
  for (Operation *op : ops) {
    check(op);
    for (Value operand : op->getOperands())
      if (isUnsigned64(operand.getType()) && isa<BlockArgument>(operand))
        canRetype = false;
    for (Operation *user : op->getUsers())
      if (!report.contains(user))
        check(user);
  }
  if (!canRetype)
    return;
  Type i64 = IntegerType::get(module.getContext(), 64);
  for (Operation *op : ops) {
    for (Value result : op->getResults())
      if (isUnsigned64(result.getType()))
        result.setType(cast<RankedTensorType>(result.getType()).clone(i64));
    auto elements = dyn_cast_or_null<DenseElementsAttr>(op->getAttr("value"));
    if (elements && isUnsigned64(elements.getType()))
      op->setAttr("value", elements.bitcast(i64));
  }
}
