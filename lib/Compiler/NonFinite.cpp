// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass that makes NaN or an infinity reachable.
#include "Gaudi/Reference/NonFinite.h"
#include "Bisection.h"
#include "Gaudi/Dialect/LocationText.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Recipe/HostTensor.h"
#include "Gaudi/Reference/Bisect.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace gaudi;

static llvm::json::Object jsonOf(Operation *op) {
  return llvm::json::Object{{"name", opName(*op)},
                            {"location", locationText(op->getLoc())}};
}

static llvm::json::Object jsonOf(const NonFiniteBirth &birth,
                                 func::FuncOp function) {
  llvm::json::Object json;
  Type type;
  if (birth.op) {
    json = jsonOf(birth.op);
    type = birth.op->getResult(birth.number).getType();
  } else {
    json["name"] = argumentName(function, birth.number);
    type = function.getArgumentTypes()[birth.number];
  }
  json["kind"] = !birth.op                   ? "input"
                 : isa<ConstantOp>(birth.op) ? "constant"
                                             : "op";
  json["value"] = jsonNumber(birth.value);
  json["element"] = recipe::positionText(
      cast<RankedTensorType>(type).getShape().vec(), uint64_t(birth.element));
  llvm::json::Array operands;
  for (const NonFiniteOperand &operand : birth.operands) {
    llvm::json::Object one{{"type", debugString(operand.type)},
                           {"least", jsonNumber(operand.least)},
                           {"largest", jsonNumber(operand.largest)},
                           {"nan", operand.hasNaN}};
    if (operand.there)
      one["there"] = jsonNumber(*operand.there);
    operands.push_back(std::move(one));
  }
  json["operands"] = std::move(operands);
  if (birth.turned)
    json["turned"] = jsonOf(birth.turned);
  return json;
}

LogicalResult Session::findNonFinite(ArrayRef<GaudiBytes> given,
                                     const char *&report) {
  auto arguments = firstArguments(given, "the search is in one graph");
  if (failed(arguments))
    return failure();
  auto forms = formsOfSource(/*all=*/true);
  if (failed(forms))
    return failure();
  // The import may give the function other parameters.
  const auto isOther = [&](const Form &form) {
    func::FuncOp function = functionIn(*form.module);
    return !function || failed(withExtents(function, *arguments));
  };
  while (forms->size() > 1 && isOther(forms->front()))
    forms->erase(forms->begin());
  llvm::json::Object json;
  const auto search =
      [&](const Form &form) -> FailureOr<std::optional<NonFiniteBirth>> {
    errorCount = 0;
    func::FuncOp function = functionIn(*form.module);
    auto given = withExtents(function, *arguments);
    if (failed(given))
      return fail("a form of the model has other inputs");
    auto found = gaudi::findNonFinite(function, *given);
    if (failed(found))
      return fail("the reference evaluator failed" + errorCountText());
    return found;
  };
  const auto give = [&](StringRef origin) {
    json["origin"] = origin;
    birth.clear();
    llvm::raw_string_ostream(birth) << llvm::json::Value(std::move(json));
    report = birth.c_str();
    return success();
  };
  auto found = search(forms->front());
  if (failed(found))
    return failure();
  if (*found) {
    json["birth"] = jsonOf(**found, functionIn(*forms->front().module));
    return give("model");
  }
  json["passes"] = int64_t(forms->size() - 1);
  // The last form that is finite, and the first that is not.
  size_t finite = 0, beyond = forms->size();
  std::optional<NonFiniteBirth> first;
  for (size_t next = forms->size() - 1; beyond - finite > 1;
       next = finite + (beyond - finite) / 2) {
    found = search((*forms)[next]);
    if (failed(found))
      return failure();
    if (!*found) {
      finite = next;
    } else {
      beyond = next;
      first = std::move(*found);
    }
  }
  if (!first)
    return give("device");
  json["pass"] = (*forms)[beyond].pass;
  json["birth"] = jsonOf(*first, functionIn(*(*forms)[beyond].module));
  return give("pass");
}
