// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow of tuples, as older exporters of MHLO write it.
#include "Converter.h"
#include "Expand.h"

using namespace mlir;
using namespace gaudi;

static bool isTuple(Type type) { return isa<TupleType>(type); }

namespace {
/// Takes one level of tuples out of the signature of one op.
class Flattening {
public:
  explicit Flattening(Operation *op)
      : op(op), builder(op), dialect(op->getName().getDialectNamespace()) {}

  void run();

private:
  Operation *create(StringRef name, TypeRange types, ValueRange operands) {
    OperationState state(op->getLoc(), (dialect + "." + name).str());
    state.addTypes(types);
    state.addOperands(operands);
    return builder.create(state);
  }
  /// Tuples replaced by their elements, before the insertion point.
  SmallVector<Value> elements(ValueRange values);
  static SmallVector<Type> elementTypes(TypeRange types);
  /// Makes the users of `values` read `flat`, which has their elements.
  void replace(ValueRange values, ValueRange flat);
  void flattenRegion(Region &region);

  Operation *op;
  OpBuilder builder;
  StringRef dialect;
};
} // namespace

SmallVector<Value> Flattening::elements(ValueRange values) {
  SmallVector<Value> result;
  for (Value value : values) {
    auto tuple = dyn_cast<TupleType>(value.getType());
    if (!tuple) {
      result.push_back(value);
      continue;
    }
    for (auto [i, type] : llvm::enumerate(tuple.getTypes())) {
      Operation *element = create("get_tuple_element", type, value);
      element->setAttr("index", builder.getI32IntegerAttr(int32_t(i)));
      result.push_back(element->getResult(0));
    }
  }
  return result;
}

SmallVector<Type> Flattening::elementTypes(TypeRange types) {
  SmallVector<Type> result;
  for (Type type : types)
    if (auto tuple = dyn_cast<TupleType>(type))
      llvm::append_range(result, tuple.getTypes());
    else
      result.push_back(type);
  return result;
}

void Flattening::replace(ValueRange values, ValueRange flat) {
  for (Value value : values) {
    auto tuple = dyn_cast<TupleType>(value.getType());
    const size_t count = tuple ? tuple.size() : 1;
    if (!value.use_empty())
      value.replaceAllUsesWith(
          tuple ? create("tuple", tuple, flat.take_front(count))->getResult(0)
                : flat.front());
    flat = flat.drop_front(count);
  }
}

void Flattening::flattenRegion(Region &region) {
  Block &block = region.front();
  const unsigned count = block.getNumArguments();
  for (Type type : elementTypes(block.getArgumentTypes()))
    block.addArgument(type, op->getLoc());
  builder.setInsertionPointToStart(&block);
  ValueRange arguments = block.getArguments();
  replace(arguments.take_front(count), arguments.drop_front(count));
  block.eraseArguments(0, count);
  if (!endsInReturn(block))
    return;
  builder.setInsertionPoint(&block.back());
  block.back().setOperands(elements(block.back().getOperands()));
}

void Flattening::run() {
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(elements(op->getOperands()));
  state.addTypes(elementTypes(op->getResultTypes()));
  state.addAttributes(op->getAttrDictionary().getValue());
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Operation *flat = builder.create(state);
  replace(op->getResults(), flat->getResults());
  op->erase();
  op = flat;
  for (Region &region : flat->getRegions())
    if (region.hasOneBlock())
      flattenRegion(region);
}

void gaudi::flattenTuples(ModuleOp module) {
  auto hasTuples = [&](Operation *op) {
    return isHlo(op, Hlo::While, Hlo::If, Hlo::Case,
                 Hlo::OptimizationBarrier) &&
           (llvm::any_of(op->getOperandTypes(), isTuple) ||
            llvm::any_of(op->getResultTypes(), isTuple));
  };
  // Tuples of tuples take one round for each level.
  for (bool changed = true; changed;) {
    SmallVector<Operation *> ops;
    module.walk([&](Operation *op) {
      if (hasTuples(op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      Flattening(op).run();
    changed = !ops.empty();
  }
}
