// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names and orders of arguments and results, and which arguments are state.
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Dialect/Order.h"
#include "Gaudi/Dialect/Symbols.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

namespace gaudi {

std::string argumentName(func::FuncOp function, unsigned argument) {
  if (StringAttr variable = variableOf(function, argument))
    return variable.str();
  if (auto name = function.getArgAttrOfType<StringAttr>(argument, nameAttrName))
    return name.str();
  if (function.isExternal())
    return "arg" + std::to_string(argument);
  if (auto named = dyn_cast<NameLoc>(function.getArgument(argument).getLoc()))
    return named.getName().str();
  return "arg" + std::to_string(argument);
}

std::string resultName(func::FuncOp function, unsigned result) {
  auto name = function.getResultAttrOfType<StringAttr>(result, nameAttrName);
  return name ? name.str() : "out" + std::to_string(result);
}

static std::optional<unsigned> numberIn(Attribute attribute) {
  auto number = dyn_cast_or_null<IntegerAttr>(attribute);
  if (!number || number.getValue().getActiveBits() > 32)
    return std::nullopt;
  return unsigned(number.getValue().getZExtValue());
}

std::optional<unsigned> resultNumber(func::FuncOp function,
                                     Attribute attribute) {
  std::optional<unsigned> number = numberIn(attribute);
  return number && *number < function.getNumResults() ? number : std::nullopt;
}

std::optional<unsigned> stateResult(func::FuncOp function, unsigned argument) {
  std::optional<unsigned> result =
      resultNumber(function, function.getArgAttr(argument, stateAttrName));
  if (!result || function.getArgumentTypes()[argument] !=
                     function.getResultTypes()[*result])
    return std::nullopt;
  return result;
}

bool isState(func::FuncOp function, unsigned argument) {
  return bool(function.getArgAttr(argument, stateAttrName));
}

StringAttr variableOf(func::FuncOp function, unsigned argument) {
  return function.getArgAttrOfType<StringAttr>(argument, variableAttrName);
}

ArrayAttr programOf(func::FuncOp function) {
  return function->getAttrOfType<ArrayAttr>(programAttrName);
}

/// The place of each visible one of `count` among these.
static SmallVector<std::optional<unsigned>> placesOf(ArrayRef<unsigned> visible,
                                                     unsigned count) {
  SmallVector<std::optional<unsigned>> places(count);
  for (auto [place, number] : llvm::enumerate(visible))
    places[number] = place;
  return places;
}

SmallVector<std::optional<unsigned>> parameterNumbers(func::FuncOp function) {
  if (!function->hasAttr(partOfAttrName))
    return placesOf(visibleArguments(function), function.getNumArguments());
  SmallVector<std::optional<unsigned>> numbers;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    numbers.push_back(numberIn(function.getArgAttr(i, parameterAttrName)));
  return numbers;
}

SmallVector<std::optional<unsigned>> outputNumbers(func::FuncOp function) {
  if (!function->hasAttr(partOfAttrName))
    return placesOf(visibleResults(function), function.getNumResults());
  SmallVector<std::optional<unsigned>> numbers;
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    numbers.push_back(numberIn(function.getResultAttr(i, outputAttrName)));
  return numbers;
}

SmallVector<unsigned> visibleArguments(func::FuncOp function) {
  SmallVector<unsigned> visible;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (!variableOf(function, i) && !function.getArgAttr(i, extentAttrName))
      visible.push_back(i);
  return visible;
}

SmallVector<unsigned> visibleResults(func::FuncOp function) {
  SmallVector<bool> isHidden(function.getNumResults());
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (auto result = stateResult(function, i);
        result && variableOf(function, i))
      isHidden[*result] = true;
  SmallVector<unsigned> visible;
  for (unsigned i = 0; i < isHidden.size(); ++i)
    if (!isHidden[i])
      visible.push_back(i);
  return visible;
}

bool mayPermuteArgument(func::FuncOp function, unsigned argument) {
  if (function.getArgAttr(argument, allowPermutationAttrName))
    return true;
  auto result = stateResult(function, argument);
  return result && function.getResultAttr(*result, allowPermutationAttrName);
}

bool mayPermuteResult(func::FuncOp function, unsigned result) {
  if (function.getResultAttr(result, allowPermutationAttrName))
    return true;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (function.getArgAttr(i, allowPermutationAttrName) &&
        stateResult(function, i) == result)
      return true;
  return false;
}

/// The order that the attribute gives a tensor of the type, or none.
static ArrayRef<int64_t> orderIn(Attribute attribute, Type type) {
  auto order = dyn_cast_or_null<DenseI64ArrayAttr>(attribute);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!order || !tensor || order.size() != tensor.getRank() ||
      !isPermutationVector(order))
    return {};
  return order.asArrayRef();
}

ArrayRef<int64_t> argumentPermutation(func::FuncOp function,
                                      unsigned argument) {
  return orderIn(function.getArgAttr(argument, permutationAttrName),
                 function.getArgumentTypes()[argument]);
}

ArrayRef<int64_t> resultPermutation(func::FuncOp function, unsigned result) {
  return orderIn(function.getResultAttr(result, permutationAttrName),
                 function.getResultTypes()[result]);
}

/// The type of a tensor that is stored in `order` as `stored`.
static Type callersType(Type stored, ArrayRef<int64_t> order) {
  return order.empty()
             ? stored
             : storedType(cast<RankedTensorType>(stored), inverseOrder(order));
}

Type callersArgumentType(func::FuncOp function, unsigned argument) {
  return callersType(function.getArgumentTypes()[argument],
                     argumentPermutation(function, argument));
}

Type callersResultType(func::FuncOp function, unsigned result) {
  return callersType(function.getResultTypes()[result],
                     resultPermutation(function, result));
}

FunctionType callersType(func::FuncOp function) {
  SmallVector<Type> arguments, results;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    arguments.push_back(callersArgumentType(function, i));
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    results.push_back(callersResultType(function, i));
  return FunctionType::get(function.getContext(), arguments, results);
}

bool isUnchangedState(Value value, unsigned result) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto function =
      argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
               : func::FuncOp();
  return function && stateResult(function, argument.getArgNumber()) == result;
}

} // namespace gaudi
