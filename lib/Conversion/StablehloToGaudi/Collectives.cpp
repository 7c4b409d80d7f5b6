// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that exchange data among devices. Among one device they give back what
// they take; more than one is refused.
#include "Converter.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace gaudi;

/// The module is for one replica and one partition.
static LogicalResult checkOneDevice(Operation *op, HloMatcher &m) {
  // Shardy's groups are axes of a mesh.
  if (op->getName().getDialectNamespace() == "sdy")
    return m.refuse("it exchanges data with other cards; one is emulated");
  auto module = op->getParentOfType<ModuleOp>();
  for (StringRef name : {"mhlo.num_replicas", "mhlo.num_partitions"})
    if (auto count = module->getAttrOfType<IntegerAttr>(name);
        count && !count.getValue().isOne())
      return m.refuse("it exchanges data with other cards: the module has '" +
                      name + "' = " + spelled(count) + "; one is emulated");
  return success();
}

/// Each group of `replica_groups` is one device; so is no group in a module for
/// one device.
static LogicalResult checkGroups(Operation *op, HloMatcher &m) {
  if (failed(checkOneDevice(op, m)))
    return failure();
  auto groups =
      dyn_cast_or_null<DenseIntElementsAttr>(op->getAttr("replica_groups"));
  if (!groups || groups.empty())
    return success();
  ShapedType type = groups.getType();
  if (type.getRank() == 2 && type.getDimSize(1) == 1)
    return success();
  return m.refuse("it exchanges data with other cards: a group has " +
                  Twine(type.getShape().back()) +
                  " members; one card is emulated");
}

/// Gives back its operands.
HloMatch gaudi::matchExchange(Operation *op, HloMatcher &m) {
  if (failed(m.checkResults(op->getNumOperands())) ||
      failed(checkGroups(op, m)))
    return failure();
  if (op->getOperandTypes() != op->getResultTypes())
    return m.refuse("among one device, the results must have the types of the "
                    "operands");
  return build(
      [op](HloBuilder &) { return SmallVector<Value>(op->getOperands()); });
}

/// The value of the device that sends to this one, or zero if none does.
HloMatch gaudi::matchPermute(Operation *op, HloMatcher &m) {
  if (failed(m.checkSameShapes()) || failed(checkOneDevice(op, m)))
    return failure();
  auto pairs = m.ints("source_target_pairs");
  if (failed(pairs))
    return failure();
  if (llvm::any_of(*pairs, [](int64_t device) { return device != 0; }) ||
      pairs->size() > 2)
    return m.refuse("it exchanges data with other cards: its pairs name other "
                    "devices than 0; one card is emulated");
  return build([op, isSelf = !pairs->empty()](HloBuilder &b) -> Value {
    if (isSelf)
      return op->getOperand(0);
    RankedTensorType type = tensorType(op->getResult(0));
    return b.splat(type, b.getZeroAttr(type.getElementType()));
  });
}

HloMatch gaudi::matchDeviceNumber(Operation *op, HloMatcher &m) {
  if (failed(checkOneDevice(op, m)))
    return failure();
  RankedTensorType type = tensorType(op->getResult(0));
  if (type.getRank() != 0 || !isa<IntegerType>(type.getElementType()))
    return m.refuse("expected an integer scalar as result");
  return build([type](HloBuilder &b) {
    return b.splat(type, b.getZeroAttr(type.getElementType()));
  });
}
