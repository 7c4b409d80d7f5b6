// Names of arguments and results, and which arguments are state.
#include "Gaudi/Dialect/Signature.h"

namespace mlir::gaudi {

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
    if (!variableOf(function, i))
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

bool isUnchangedState(Value value, unsigned result) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto function =
      argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())
               : func::FuncOp();
  return function && stateResult(function, argument.getArgNumber()) == result;
}

} // namespace mlir::gaudi
