// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the arguments and results of an entry say beyond their types: names,
// which result an argument has as its value in the next launch, and in which
// order they are stored.
#ifndef GAUDI_DIALECT_SIGNATURE_H
#define GAUDI_DIALECT_SIGNATURE_H

#include "Gaudi/Dialect/MLIR.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>
#include <string>

namespace gaudi {

/// Attribute of a function argument: the number of the result that replaces its
/// value at the end of a launch, or unit if the function only reads it. The
/// argument is state: it has a value from launch to launch and one buffer,
/// which the result is written to.
constexpr llvm::StringLiteral stateAttrName = "gaudi.state";

/// Attribute of an argument or result: the name that recipes give it.
constexpr llvm::StringLiteral nameAttrName = "gaudi.name";

/// Attribute of an argument that is state: the name of the variable of the
/// module that it is. It and the result that replaces it are no part of the
/// signature that callers see.
constexpr llvm::StringLiteral variableAttrName = "gaudi.variable";
/// Attribute of such an argument: the values before the first launch; without
/// it they are zero.
constexpr llvm::StringLiteral initialAttrName = "gaudi.initial";

/// Attribute of a function without a body: what the host does when it launches
/// it. An array of steps: the symbol of a part is launched; an array of a
/// string and an array of steps is a loop over these steps, while the variable
/// of that name, an i1, is true.
constexpr llvm::StringLiteral programAttrName = "gaudi.program";
/// Attribute of a part: the symbol of the function whose program launches it.
constexpr llvm::StringLiteral partOfAttrName = "gaudi.part_of";
/// Attributes of arguments and results of a part: the number of the argument or
/// result of that function that it is. All others are variables.
constexpr llvm::StringLiteral parameterAttrName = "gaudi.parameter";
constexpr llvm::StringLiteral outputAttrName = "gaudi.output";

/// Attribute of an argument or result, unit: callers accept that it is stored
/// in another order, which gaudi-place-permutations chooses. A state and the
/// result that replaces it are one buffer: either attribute counts for both.
/// Programs and parts have none: no pass sees all parts of an order.
constexpr llvm::StringLiteral allowPermutationAttrName =
    "gaudi.allow_permutation";
/// Attribute of an argument or result that is stored in another order than the
/// caller's tensor has: dimension i of the type is dimension permutation[i] of
/// the caller's. An array of i64. A state and the result that replaces it have
/// the same one, as do a part and its entry. `gaudi.initial` is the caller's.
constexpr llvm::StringLiteral permutationAttrName = "gaudi.permutation";

/// The name a recipe gives to an argument: that of its variable, or its
/// attribute `gaudi.name`, else its named location, else "arg" and the number.
std::string argumentName(func::FuncOp function, unsigned argument);
/// The attribute `gaudi.name` of a result, else "out" and the number.
std::string resultName(func::FuncOp function, unsigned result);

/// The number of a result that an attribute gives; none if no result has it.
std::optional<unsigned> resultNumber(func::FuncOp function,
                                     Attribute attribute);

/// The result that replaces the value of an argument; none if the argument is
/// not state, or if its attribute names no result of its type.
std::optional<unsigned> stateResult(func::FuncOp function, unsigned argument);

/// True if the argument keeps its value from launch to launch.
bool isState(func::FuncOp function, unsigned argument);

/// The name of the variable that the argument is, or null.
StringAttr variableOf(func::FuncOp function, unsigned argument);

/// The program of a function without a body, or null.
ArrayAttr programOf(func::FuncOp function);
/// By argument: which one of the entry it is, for a part, or its place among
/// the visible ones, for another function. None for variables.
SmallVector<std::optional<unsigned>> parameterNumbers(func::FuncOp function);
/// The same for results.
SmallVector<std::optional<unsigned>> outputNumbers(func::FuncOp function);

/// The arguments and results that callers see: all but those of variables and
/// extents (Symbols.h).
SmallVector<unsigned> visibleArguments(func::FuncOp function);
SmallVector<unsigned> visibleResults(func::FuncOp function);

/// True if callers accept any order of the argument or result.
bool mayPermuteArgument(func::FuncOp function, unsigned argument);
bool mayPermuteResult(func::FuncOp function, unsigned result);

/// The order that an argument or result is stored in. Empty: that of callers,
/// also if its attribute is no permutation of its dimensions.
ArrayRef<int64_t> argumentPermutation(func::FuncOp function, unsigned argument);
ArrayRef<int64_t> resultPermutation(func::FuncOp function, unsigned result);

/// The types that callers see.
Type callersArgumentType(func::FuncOp function, unsigned argument);
Type callersResultType(func::FuncOp function, unsigned result);
FunctionType callersType(func::FuncOp function);

/// True if `value` is an argument that the result `result` replaces: the
/// function returns its state as it was.
bool isUnchangedState(Value value, unsigned result);

} // namespace gaudi

#endif // GAUDI_DIALECT_SIGNATURE_H
