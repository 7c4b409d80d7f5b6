// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks for placements with freedoms that callers could give.
#include "Remedies.h"
#include "Gaudi/Dialect/Signature.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::layout;

Remedies::Remedies(PlacedFunction &placed, const DeviceTime &time)
    : placed(placed), time(time),
      left(llvm::hasNItemsOrMore(placed.function.front(), maxOpsToAsk + 1)
               ? 0
               : maxAsked),
      transposes(countOf(placed.placement)) {}

size_t Remedies::countOf(const Placement &placement) {
  size_t count = 0;
  for (const layout::Region &region : placement.regions)
    count += llvm::count_if(region.transposes,
                            [](const auto &t) { return !t.isFree; });
  return count;
}

std::string Remedies::nameOf(const FunctionSide &side) const {
  return llvm::formatv("{0} '{1}'", side.isResult ? "result" : "argument",
                       side.isResult
                           ? resultName(placed.function, side.number)
                           : argumentName(placed.function, side.number));
}

const SmallVector<FunctionSide, 0> &Remedies::permutable() {
  if (!allSides)
    allSides = permutableSides(placed.function);
  return *allSides;
}

std::string Remedies::textOf(const Transposition &transposition,
                             ArrayRef<const Reason *> reasons) {
  func::FuncOp function = placed.function;
  SmallVector<FunctionSide, 2> sides;
  bool isForced = true; // by ops, whatever callers allow
  for (const Reason *reason : reasons) {
    // A transpose is forced only if neither end can be changed by callers.
    isForced &= reason->isForced;
    if (!reason->argument && !reason->result)
      continue;
    isForced = false;
    FunctionSide side{reason->result.has_value(),
                      reason->argument ? *reason->argument : *reason->result};
    // A variable has its name as an argument.
    for (unsigned i = 0; side.isResult && i < function.getNumArguments(); ++i)
      if (variableOf(function, i) && stateResult(function, i) == side.number)
        side = {false, i};
    if (llvm::is_contained(permutable(), side) &&
        !llvm::is_contained(sides, side))
      sides.push_back(side);
  }
  std::string text;
  auto add = [&](Verdict verdict, const std::string &what) {
    if (verdict == Verdict::No)
      return;
    text += llvm::formatv("{0}allow-permutation{1} {2} it",
                          text.empty() ? "" : "; ", what,
                          verdict == Verdict::Yes ? "removes" : "may remove");
  };
  // Each side alone first: the smallest permission that helps.
  for (const FunctionSide &side : sides)
    add(askOnce({side}, transposition), " on " + nameOf(side));
  if (!text.empty())
    return text;
  if (isForced || permutable().empty())
    return "no option removes it";
  // Then all of them; if that helps, those that the answer uses are tried
  // together and named.
  const Verdict verdict = askOnce({}, transposition);
  if (verdict == Verdict::Yes) {
    const SmallVector<FunctionSide, 2> used = usedBy(*answers.at({}));
    if (used.size() <= maxNamed && askOnce(used, transposition) == verdict) {
      SmallVector<std::string> names;
      for (const FunctionSide &side : used)
        names.push_back(nameOf(side));
      return llvm::formatv("allow-permutation on {0} together removes it",
                           llvm::join(names, " and "));
    }
  }
  add(verdict, "=all");
  return text.empty() ? "no option removes it" : text;
}

/// The arguments and results that have another order.
SmallVector<FunctionSide, 2> Remedies::usedBy(const Placement &answer) {
  SmallVector<FunctionSide, 2> used;
  for (const FunctionSide &side : permutable()) {
    const auto &orders = side.isResult ? answer.results : answer.arguments;
    const auto *at = orders.find(side.number);
    if (at != orders.end() && !isIdentityOrder(at->second))
      used.push_back(side);
  }
  return used;
}

/// Without sides: if all that can be have any order.
Remedies::Verdict Remedies::askOnce(const SmallVector<FunctionSide, 2> &sides,
                                    const Transposition &transposition) {
  auto known = answers.find(sides);
  if (known == answers.end()) {
    if (left == 0)
      return Verdict::Maybe;
    --left;
    known = answers
                .try_emplace(sides, ask(sides.empty() ? ArrayRef(permutable())
                                                      : ArrayRef(sides)))
                .first;
  }
  const std::optional<Placement> &answer = known->second;
  if (!answer || countOf(*answer) >= transposes)
    return Verdict::No;
  // It may only have moved.
  for (const layout::Region &region : answer->regions)
    for (const Transposition &other : region.transposes)
      if (other.root == transposition.root && !other.isFree)
        return Verdict::No;
  return Verdict::Yes;
}

/// The placement if the arguments and results may have any order; nothing if
/// they may already.
std::optional<Placement> Remedies::ask(ArrayRef<FunctionSide> sides) {
  func::FuncOp function = placed.function;
  MLIRContext *context = function.getContext();
  SmallVector<FunctionSide> marked;
  // The attributes are set for one solution and taken away again: the function
  // is the caller's.
  for (const FunctionSide &side : sides) {
    if (side.isResult ? mayPermuteResult(function, side.number)
                      : mayPermuteArgument(function, side.number))
      continue;
    marked.push_back(side);
    if (side.isResult)
      function.setResultAttr(side.number, allowPermutationAttrName,
                             UnitAttr::get(context));
    else
      function.setArgAttr(side.number, allowPermutationAttrName,
                          UnitAttr::get(context));
  }
  if (marked.empty())
    return std::nullopt;
  Placement answer =
      choosePlacement(function, time, placed.placement.objective);
  const auto name = StringAttr::get(context, allowPermutationAttrName);
  for (const FunctionSide &side : marked)
    if (side.isResult)
      function.removeResultAttr(side.number, name);
    else
      function.removeArgAttr(side.number, name);
  return answer;
}
