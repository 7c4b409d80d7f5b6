// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function that was compiled for several sizes.
#include "SampledFunction.h"
#include "Gaudi/Compiler/Passes.h"
#include "Gaudi/Conversion/StablehloOps.h"
#include "Gaudi/Dialect/Symbols.h"
#include "SampledAttribute.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace gaudi;

LogicalResult SampledFunction::refuse(Operation *op, const Twine &text) {
  refusal = {op, text.str()};
  return failure();
}

unsigned SampledFunction::tupleOf(const Tuple &tuple, Operation *op) {
  for (unsigned number : known[{tuple.front(), tuple.back()}])
    if (tuples[number].first == tuple)
      return number;
  known[{tuple.front(), tuple.back()}].push_back(tuples.size());
  tuples.emplace_back(tuple, op);
  return tuples.size() - 1;
}

/// What the function is called, which sizes it has and which variants are to be
/// derived beside it are no part of it.
static bool isOwn(Operation *op, StringRef name) {
  return isa<func::FuncOp>(op) &&
         (name == SymbolTable::getSymbolAttrName() || name == bucketAttrName ||
          name == missingBoxesAttrName || name == sourceSamplesAttrName);
}

LogicalResult SampledFunction::compareAttributes(ArrayRef<Operation *> ops,
                                                 Changed &changed) {
  SmallVector<DictionaryAttr, 3> all;
  for (Operation *op : ops)
    all.push_back(attributesOf(op));
  if (llvm::all_equal(all))
    return success();
  for (NamedAttribute named : all.front()) {
    Tuple tuple;
    for (DictionaryAttr one : all) {
      tuple.push_back(one.get(named.getName()));
      if (!tuple.back() || one.size() != all.front().size())
        return refuse(ops.front(), "has other attributes for other sizes");
    }
    if (!llvm::all_equal(tuple) && !isOwn(ops.front(), named.getName()))
      changed.changes.push_back(
          {Change::Attr, named.getName(), 0, 0, tupleOf(tuple, ops.front())});
  }
  return success();
}

/// Values that are defined by one op or block in each function.
LogicalResult SampledFunction::compareValues(Operation *op,
                                             ArrayRef<ValueRange> values,
                                             Change change, Changed &changed) {
  for (unsigned i = 0; i < values.front().size(); ++i) {
    Tuple types;
    for (auto [function, range] : llvm::enumerate(values)) {
      if (range.size() != values.front().size())
        return refuse(op, "has other values for other sizes");
      types.push_back(TypeAttr::get(range[i].getType()));
      if (function)
        patternOf[function - 1][range[i]] = values.front()[i];
    }
    if (llvm::all_equal(types))
      continue;
    change.number = i;
    change.tuple = tupleOf(types, op);
    changed.changes.push_back(change);
  }
  return success();
}

LogicalResult SampledFunction::compareRegions(ArrayRef<Operation *> ops,
                                              Changed &changed) {
  Operation *first = ops.front();
  for (unsigned region = 0; region < first->getNumRegions(); ++region) {
    SmallVector<Block *, 3> blocks;
    for (Operation *op : ops) {
      if (!llvm::hasSingleElement(op->getRegion(region)))
        return refuse(first, "is no single block");
      blocks.push_back(&op->getRegion(region).front());
    }
    SmallVector<ValueRange, 3> arguments;
    for (Block *block : blocks)
      arguments.push_back(block->getArguments());
    if (failed(compareValues(first, arguments,
                             {Change::Argument, {}, region, 0, 0}, changed)))
      return failure();
  }
  return success();
}

/// A constant inside a kernel. One stands for all equal numbers, which may
/// be equal by chance: what its users read is compared, not how many there are.
static bool isNumber(Operation *op) {
  return op && op->hasTrait<OpTrait::ConstantLike>() &&
         !isa<func::FuncOp>(op->getParentOp());
}

LogicalResult SampledFunction::compareOperands(ArrayRef<Operation *> ops) {
  Operation *first = ops.front();
  for (unsigned i = 0; i < first->getNumOperands(); ++i) {
    Operation *constant = first->getOperand(i).getDefiningOp();
    Tuple numbers;
    for (auto [function, op] : llvm::enumerate(ops)) {
      Value other = op->getOperand(i);
      if (isNumber(constant) != isNumber(other.getDefiningOp()))
        return refuse(first, "has other operands for other sizes");
      if (isNumber(constant))
        numbers.push_back(other.getDefiningOp()->getAttr("value"));
      else if (function &&
               patternOf[function - 1].lookup(other) != first->getOperand(i))
        return refuse(first, "has other operands for other sizes");
    }
    if (numbers.empty())
      continue;
    auto [it, isNew] = numbersOf.try_emplace(constant, numbers);
    if (!isNew && it->second != numbers)
      return refuse(constant, "is two numbers for other sizes");
  }
  return success();
}

LogicalResult SampledFunction::compareOps(ArrayRef<Operation *> ops) {
  Operation *first = ops.front();
  for (Operation *op : ops)
    if (op->getName() != first->getName() ||
        op->getNumOperands() != first->getNumOperands() ||
        op->getNumRegions() != first->getNumRegions())
      return refuse(first, "is another op for other sizes");
  // Operands by the ops that make them, so before the op has its number.
  if (failed(compareOperands(ops)))
    return failure();
  Changed changed{opCount++, {}};
  SmallVector<ValueRange, 3> results;
  for (Operation *op : ops)
    results.push_back(op->getResults());
  if (failed(compareAttributes(ops, changed)) ||
      failed(compareValues(first, results, {Change::Result, {}, 0, 0, 0},
                           changed)) ||
      failed(compareRegions(ops, changed)))
    return failure();
  if (!changed.changes.empty())
    changes.push_back(std::move(changed));
  // In preorder, as a walk has them.
  for (unsigned region = 0; region < first->getNumRegions(); ++region) {
    SmallVector<Block::iterator, 3> at;
    for (Operation *op : ops)
      at.push_back(op->getRegion(region).front().begin());
    // Numbers in kernels may be there for some sizes only: they are compared
    // where they are read.
    auto isAtEnd = [&](size_t i) {
      const auto end = ops[i]->getRegion(region).front().end();
      for (; at[i] != end && isNumber(&*at[i]); ++at[i])
        if (i == 0)
          placeOf[&*at[i]] = opCount++;
      return at[i] == end;
    };
    while (true) {
      SmallVector<Operation *, 3> inner;
      for (size_t i = 0; i < ops.size(); ++i)
        if (!isAtEnd(i))
          inner.push_back(&*at[i]++);
      if (inner.empty())
        break;
      if (inner.size() != ops.size())
        return refuse(first, "has other ops for other sizes");
      if (failed(compareOps(inner)))
        return failure();
    }
  }
  return success();
}

LogicalResult SampledFunction::compare(ArrayRef<func::FuncOp> functions,
                                       ArrayRef<Box> sizes) {
  assert(functions.size() == sizes.size() && functions.size() >= 2);
  boxes.assign(sizes.begin(), sizes.end());
  pattern = functions.front();
  patternOf.resize(functions.size() - 1);
  const SmallVector<Operation *, 3> ops(functions.begin(), functions.end());
  if (failed(compareOps(ops)))
    return failure();
  for (const auto &[constant, numbers] : numbersOf)
    if (!llvm::all_equal(numbers))
      changes.push_back(
          {placeOf.lookup(constant),
           {{Change::Attr, StringAttr::get(pattern.getContext(), "value"), 0, 0,
             tupleOf(numbers, constant)}}});
  llvm::sort(changes,
             [](const Changed &a, const Changed &b) { return a.op < b.op; });
  return success();
}

LogicalResult SampledFunction::valuesAt(const Box &to,
                                        SmallVectorImpl<Attribute> &values,
                                        Refusal &refused) const {
  const SizeForms forms(boxes, to);
  for (const auto &[tuple, op] : tuples) {
    values.push_back(attributeAt(forms, tuple));
    if (values.back())
      continue;
    refused = {op, "has values that no supported size formula fits"};
    return failure();
  }
  return success();
}

LogicalResult SampledFunction::check(const Box &to, Refusal &refused) const {
  SmallVector<Attribute, 0> values;
  return valuesAt(to, values, refused);
}

OwningOpRef<func::FuncOp> SampledFunction::derive(const Box &to,
                                                  Refusal &refused) const {
  // All values first: a refusal leaves nothing behind.
  SmallVector<Attribute, 0> values;
  if (failed(valuesAt(to, values, refused)))
    return {};
  OwningOpRef<func::FuncOp> function = cast<func::FuncOp>(pattern->clone());
  auto next = changes.begin();
  unsigned number = 0;
  // Changes are in the order of the walk, so one pass finds their ops.
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (next == changes.end())
      return WalkResult::interrupt();
    if (number++ != next->op)
      return WalkResult::advance();
    for (const Change &change : next->changes) {
      Attribute value = values[change.tuple];
      if (change.place == Change::Attr)
        op->setAttr(change.name, value);
      else
        (change.place == Change::Result
             ? Value(op->getResult(change.number))
             : Value(op->getRegion(change.region).getArgument(change.number)))
            .setType(cast<TypeAttr>(value).getValue());
    }
    ++next;
    return WalkResult::advance();
  });
  assert(next == changes.end() && "the clone has the ops of the pattern");
  (*function)->setAttr(bucketAttrName,
                       DenseI64ArrayAttr::get((*function)->getContext(), to));
  // What was interpolated may be no valid op.
  if (failed(verify(*function, /*verifyRecursively=*/true))) {
    refused = {pattern, "is not valid"};
    return {};
  }
  return function;
}
