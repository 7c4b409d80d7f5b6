// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which arguments and results may be stored in another order than callers have
// them in: gaudi-allow-permutation, and the check of the attributes.
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Transforms/Passes.h"
#include "Gaudi/Transforms/Permutations.h"
#include "Reasons.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace gaudi {
#define GEN_PASS_DEF_ALLOWPERMUTATION
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
/// An argument or result of a function; passed by value, as ops are.
struct Side {
  func::FuncOp function;
  bool isResult;
  unsigned number;

  StringRef what() { return isResult ? "result" : "argument"; }
  Type type() {
    return isResult ? function.getResultTypes()[number]
                    : function.getArgumentTypes()[number];
  }
  std::string name() {
    return isResult ? resultName(function, number)
                    : argumentName(function, number);
  }
  Attribute get(StringRef attribute) {
    return isResult ? function.getResultAttr(number, attribute)
                    : function.getArgAttr(number, attribute);
  }
  void set(StringRef attribute, Attribute value) {
    if (isResult)
      function.setResultAttr(number, attribute, value);
    else
      function.setArgAttr(number, attribute, value);
  }
  ArrayRef<int64_t> permutation() {
    return isResult ? resultPermutation(function, number)
                    : argumentPermutation(function, number);
  }
};

SmallVector<Side> sidesOf(func::FuncOp function) {
  SmallVector<Side> sides;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    sides.push_back({function, false, i});
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    sides.push_back({function, true, i});
  return sides;
}

/// Those of names that users know: variables count once, as arguments.
SmallVector<Side> namedSides(func::FuncOp function) {
  SmallVector<Side> sides;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    sides.push_back({function, false, i});
  for (unsigned i : visibleResults(function))
    sides.push_back({function, true, i});
  return sides;
}

/// The states that have a name of their own, by which functions share them, and
/// the functions that do.
class SharedStates {
public:
  explicit SharedStates(ModuleOp module) {
    for (auto function : module.getOps<func::FuncOp>())
      for (unsigned i = 0; i < function.getNumArguments(); ++i) {
        if (StringAttr key = keyOf(function, i))
          owners[key].insert(function);
        if (auto result = stateResult(function, i))
          replaced[{function, *result}] = i;
      }
  }

  /// Another function that has the state that `side` is or replaces, or null.
  func::FuncOp otherOwner(Side side) const {
    unsigned argument = side.number;
    if (side.isResult) {
      auto it = replaced.find({side.function, side.number});
      if (it == replaced.end())
        return {};
      argument = it->second;
    }
    StringAttr key = keyOf(side.function, argument);
    if (!key)
      return {};
    auto it = owners.find(key);
    assert(it != owners.end() && "each state of the module is listed");
    for (Operation *owner : it->second)
      if (owner != side.function)
        return cast<func::FuncOp>(owner);
    return {};
  }

private:
  static StringAttr keyOf(func::FuncOp function, unsigned argument) {
    if (!isState(function, argument))
      return {};
    StringAttr variable = variableOf(function, argument);
    return variable
               ? variable
               : function.getArgAttrOfType<StringAttr>(argument, nameAttrName);
  }

  DenseMap<StringAttr, llvm::SmallSetVector<Operation *, 2>> owners;
  DenseMap<std::pair<Operation *, unsigned>, unsigned> replaced; // by a result
};

/// The functions that others call, which agree with their callers on types.
class Callers {
public:
  explicit Callers(ModuleOp module) {
    module.walk([&](func::CallOp call) {
      calls.try_emplace(call.getCalleeAttr().getAttr(), call);
    });
  }

  /// A call of the function, or null.
  Operation *callOf(func::FuncOp function) const {
    return calls.lookup(function.getNameAttr());
  }

private:
  DenseMap<StringAttr, Operation *> calls;
};

/// True if the host launches parts for the function, or it is one.
bool isCut(func::FuncOp function) {
  return programOf(function) || function->hasAttr(partOfAttrName);
}

/// Why an argument or result keeps its order, with a note at another op.
struct Kept {
  std::string why;
  Operation *other = nullptr;
  StringRef note = {};
};

std::optional<Kept> whyKept(Side side, const SharedStates &shared,
                            const Callers &callers) {
  Kept kept;
  llvm::raw_string_ostream why(kept.why);
  if (!isa<RankedTensorType>(side.type())) {
    why << "it is '" << side.type() << "', no ranked tensor";
  } else if (isCut(side.function)) {
    why << "the host launches parts of '@" << side.function.getName()
        << "', which choose orders one by one";
  } else if (func::FuncOp other = shared.otherOwner(side)) {
    why << "'@" << other.getName()
        << "' has this state, too, and functions choose orders one by one";
    kept.other = other;
    kept.note = "the other function";
  } else if (Operation *call = callers.callOf(side.function)) {
    why << "a call passes its tensors as they are written";
    kept.other = call;
    kept.note = "the call";
  } else {
    return std::nullopt;
  }
  return kept;
}

struct AllowPermutation : impl::AllowPermutationBase<AllowPermutation> {
  using AllowPermutationBase::AllowPermutationBase;

  void runOnOperation() override {
    if (failed(readNames()) || failed(mark()))
      signalPassFailure();
  }

private:
  LogicalResult readNames() {
    SmallVector<StringRef> items;
    StringRef(names).split(items, ',');
    for (StringRef item : items) {
      if (item.trim().empty())
        return emitError(
                   UnknownLoc::get(&getContext()),
                   "option 'allow-permutation': expected names of inputs and "
                   "outputs, 'inputs', 'outputs' or 'all', but got '")
               << names << "'";
      wanted.insert(item.trim());
    }
    return success();
  }

  LogicalResult mark() {
    ModuleOp module = getOperation();
    const SharedStates shared(module);
    const Callers callers(module);
    SmallVector<Side> sides;
    // Only public functions have arguments and results of callers.
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal() && function.isPublic())
        llvm::append_range(sides, namedSides(function));
    llvm::StringSet<> known;
    SmallVector<std::string> list; // in their order
    // Names are checked before anything is marked: an option that names nothing
    // is an error.
    for (Side side : sides)
      if (std::string name = side.name(); known.insert(name).second)
        list.push_back(std::move(name));
    if (failed(checkNames(known, list)))
      return failure();
    llvm::MapVector<Operation *, unsigned> allowed;
    for (Side side : sides) {
      const bool isNamed = wanted.contains(side.name());
      if (!isNamed && !isWanted(side, known))
        continue;
      if (std::optional<Kept> kept = whyKept(side, shared, callers)) {
        // What is meant by a word is all that can be.
        if (!isNamed)
          continue;
        InFlightDiagnostic diag = refuse(side);
        diag << kept->why;
        if (kept->other)
          diag.attachNote(kept->other->getLoc()) << kept->note;
        return diag;
      }
      side.set(allowPermutationAttrName, UnitAttr::get(&getContext()));
      ++allowed[side.function];
    }
    for (auto [function, count] : allowed)
      remark::passed(function->getLoc(),
                     remark::RemarkOpts::name("allow-permutation")
                         .category("gaudi-allow-permutation")
                         .function(cast<func::FuncOp>(function).getName()))
          << remark::add("allowed any order of {0} of {1} arguments and "
                         "results",
                         count,
                         namedSides(cast<func::FuncOp>(function)).size());
    return success();
  }

  /// A name counts before the word that it looks like.
  bool isWanted(Side side, const llvm::StringSet<> &known) const {
    auto hasWord = [&](StringRef word) {
      return wanted.contains(word) && !known.contains(word);
    };
    if (hasWord("all"))
      return true;
    return side.isResult
               ? hasWord("outputs")
               : hasWord("inputs") && !variableOf(side.function, side.number);
  }

  LogicalResult checkNames(const llvm::StringSet<> &known,
                           ArrayRef<std::string> list) {
    for (StringRef name : wanted)
      if (!known.contains(name) && name != "all" && name != "inputs" &&
          name != "outputs")
        return getOperation().emitError(
                   "option 'allow-permutation': no input or output "
                   "is called '")
               << name << "'; there are: "
               << (list.empty() ? "none" : llvm::join(list, ", "));
    return success();
  }

  InFlightDiagnostic refuse(Side side) {
    return side.function.emitError("option 'allow-permutation': ")
           << side.what() << " '" << side.name() << "' of '@"
           << side.function.getName() << "' keeps its order: ";
  }

  llvm::SmallSetVector<StringRef, 8> wanted;
};

/// Checks the attributes of one argument or result by themselves.
LogicalResult verifySide(Side side) {
  auto error = [&](StringRef attribute) {
    return side.function.emitError()
           << side.what() << " " << side.number << " has '" << attribute;
  };
  if (Attribute allow = side.get(allowPermutationAttrName)) {
    if (!isa<UnitAttr>(allow))
      return error(allowPermutationAttrName)
             << " = " << allow << "', but expected no value";
    if (!isa<RankedTensorType>(side.type()))
      return error(allowPermutationAttrName)
             << "', but is " << side.type() << ", no ranked tensor";
    // Parts of one function share tensors, and must agree on their orders.
    if (isCut(side.function))
      return error(allowPermutationAttrName)
             << "', but the host launches parts of the function, which would "
                "choose orders one by one; remove the attribute";
  }
  Attribute order = side.get(permutationAttrName);
  // A scalar has one order, the empty one.
  if (order && side.permutation().empty() &&
      !(isa<DenseI64ArrayAttr>(order) && isa<RankedTensorType>(side.type()) &&
        cast<RankedTensorType>(side.type()).getRank() == 0 &&
        cast<DenseI64ArrayAttr>(order).empty()))
    return error(permutationAttrName)
           << " = " << order << "', which is no permutation of the dimensions "
           << "of " << side.type();
  return success();
}
} // namespace

SmallVector<FunctionSide, 0> permutableSides(func::FuncOp function) {
  SmallVector<FunctionSide, 0> sides;
  auto module = function->getParentOfType<ModuleOp>();
  if (!module || !function.isPublic())
    return sides;
  const SharedStates shared(module);
  const Callers callers(module);
  for (Side side : namedSides(function))
    if (!whyKept(side, shared, callers))
      sides.push_back({side.isResult, side.number});
  return sides;
}

LogicalResult verifyPermutations(func::FuncOp function) {
  for (Side side : sidesOf(function))
    if (failed(verifySide(side)))
      return failure();
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto result = stateResult(function, i);
    if (!result)
      continue;
    const ArrayRef<int64_t> mine = argumentPermutation(function, i),
                            next = resultPermutation(function, *result);
    if (mine != next)
      return function.emitError("argument ")
             << i << " has '" << permutationAttrName << "' "
             << layout::orderText(mine) << ", but result " << *result
             << ", which replaces it, has " << layout::orderText(next)
             << "; a state has one order";
  }
  return success();
}

LogicalResult verifyAllowed(ModuleOp module) {
  // Finding owners and callers walks the module: most modules ask for neither.
  std::optional<SharedStates> shared; // only if something asks
  std::optional<Callers> callers;
  for (auto function : module.getOps<func::FuncOp>())
    for (Side side : sidesOf(function)) {
      if (!side.get(allowPermutationAttrName))
        continue;
      if (!shared) {
        shared.emplace(module);
        callers.emplace(module);
      }
      auto error = [&] {
        return function.emitError()
               << side.what() << " " << side.number << " has '"
               << allowPermutationAttrName << "', but ";
      };
      if (func::FuncOp other = shared->otherOwner(side)) {
        InFlightDiagnostic diag = error();
        diag << "'@" << other.getName()
             << "' has this state, too, and functions choose orders one by "
                "one; remove the attribute";
        diag.attachNote(other.getLoc()) << "the other function";
        return diag;
      }
      if (Operation *call = callers->callOf(function)) {
        InFlightDiagnostic diag = error();
        diag << "a call passes tensors of '@" << function.getName()
             << "' as they are written; remove the attribute, or inline the "
                "call";
        diag.attachNote(call->getLoc()) << "the call";
        return diag;
      }
    }
  return success();
}
} // namespace gaudi
