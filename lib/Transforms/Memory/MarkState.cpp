// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which arguments are state: the attribute, and gaudi-mark-state, which reads
// what front ends write about donated arguments.
#include "Donation.h"

#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Transforms/Passes.h"
#include "mlir/IR/Remarks.h"

namespace gaudi {
#define GEN_PASS_DEF_MARKSTATE
#include "Gaudi/Transforms/Passes.h.inc"

namespace {
/// Collects what the attributes of arguments say, with an error for each that
/// contradicts the signature or another one.
class StateReader {
public:
  explicit StateReader(func::FuncOp function)
      : function(function), owners(function.getNumResults()) {}

  /// The result that `attribute`, the attribute `name` of the argument, gives;
  /// none after an error. Each result replaces one argument at most.
  std::optional<unsigned> claim(unsigned argument, StringRef name,
                                Attribute attribute) {
    std::optional<unsigned> result = resultNumber(function, attribute);
    if (!result) {
      error(argument, name, attribute)
          << "the function has " << function.getNumResults()
          << " results, which count from 0";
      return std::nullopt;
    }
    Type type = function.getArgumentTypes()[argument];
    if (Type other = function.getResultTypes()[*result]; type != other) {
      error(argument, name, attribute)
          << "has type " << type << ", and result " << *result << " has type "
          << other << "; a state has one type";
      return std::nullopt;
    }
    if (std::optional<unsigned> owner = owners[*result]) {
      InFlightDiagnostic diag = error(argument, name, attribute);
      diag << "result " << *result << " already replaces argument " << *owner;
      diag.attachNote(function.getArgument(*owner).getLoc())
          << "argument " << *owner << " is here";
      return std::nullopt;
    }
    owners[*result] = argument;
    return result;
  }

  /// The first result of the type of the argument that replaces none yet.
  std::optional<unsigned> claimByType(unsigned argument) {
    Type type = function.getArgumentTypes()[argument];
    for (auto [result, other] : llvm::enumerate(function.getResultTypes()))
      if (other == type && !owners[result]) {
        owners[result] = argument;
        return result;
      }
    return std::nullopt;
  }

  /// A donation to another result than that which replaces the argument is an
  /// error.
  void checkDonation(unsigned argument, unsigned state, Attribute donated) {
    if (isa<UnitAttr>(donated))
      return;
    auto result = resultNumber(function, donated);
    if (result == state)
      return;
    InFlightDiagnostic diag = error(argument, donatedAttrName, donated);
    if (result)
      diag << "result " << state << " replaces it; give both one number";
    else
      diag << "the function has " << function.getNumResults()
           << " results, which count from 0";
  }

  /// A donation that must be honoured has no result.
  void refuseDonation(unsigned argument) {
    failed = true;
    InFlightDiagnostic diag = function.emitError();
    diag << "argument " << argument << " has '" << donatedAttrName
         << "', but no result of type " << function.getArgumentTypes()[argument]
         << " is left of " << function.getNumResults();
    for (auto [result, owner] : llvm::enumerate(owners))
      if (owner && function.getResultTypes()[result] ==
                       function.getArgumentTypes()[argument])
        diag.attachNote(function.getArgument(*owner).getLoc())
            << "result " << result << " replaces argument " << *owner;
  }

  bool hasFailed() const { return failed; }

private:
  InFlightDiagnostic error(unsigned argument, StringRef name,
                           Attribute attribute) {
    failed = true;
    InFlightDiagnostic diag = function.emitError();
    diag << "argument " << argument << " has '" << name << " = " << attribute
         << "', but ";
    return diag;
  }

  func::FuncOp function;
  SmallVector<std::optional<unsigned>> owners; // of results: the argument
  bool failed = false;
};

/// What JAX writes: the result that may be written to the argument's buffer, or
/// that any result of its type may.
constexpr StringLiteral aliasAttrName = "tf.aliasing_output";
constexpr StringLiteral donorAttrName = "jax.buffer_donor";

/// What XLA writes at the module: an array of dictionaries, each with the
/// output and the parameter that share a buffer, and whether they must.
constexpr StringLiteral moduleAliasAttrName = "mhlo.input_output_alias";

/// The element of an index into a tuple of at most one level; 0 for none.
std::optional<int64_t> elementOf(Attribute index) {
  auto array = dyn_cast_or_null<DenseI64ArrayAttr>(index);
  if (!array || array.size() > 1)
    return std::nullopt;
  return array.empty() ? 0 : array[0];
}

/// The function that XLA calls: main, or the only one with a body that others
/// may call.
func::FuncOp entryOf(ModuleOp module) {
  if (auto main = module.lookupSymbol<func::FuncOp>("main"))
    return main;
  func::FuncOp entry;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal()) {
      if (entry)
        return {};
      entry = function;
    }
  return entry;
}

/// Turns the aliases of the module into attributes of the entry's arguments:
/// those that may be honoured into JAX's, those that must into ours.
LogicalResult readModuleAliases(ModuleOp module) {
  const Attribute attribute = module->removeAttr(moduleAliasAttrName);
  auto aliases = dyn_cast_or_null<ArrayAttr>(attribute);
  // Removed in any case: later passes do not know the attribute.
  func::FuncOp entry = aliases && !aliases.empty() ? entryOf(module) : nullptr;
  if (!attribute || (aliases && aliases.empty()))
    return success();
  if (!entry)
    return module.emitError()
           << "'" << moduleAliasAttrName
           << (aliases ? "' needs a function 'main', or one public function"
                       : "' must be an array");
  Builder builder(module.getContext());
  llvm::SmallDenseSet<int64_t> outputs;
  for (auto [i, entryOfArray] : llvm::enumerate(aliases)) {
    auto pair = dyn_cast<DictionaryAttr>(entryOfArray);
    auto alias = pair ? pair.getAs<DictionaryAttr>("alias") : nullptr;
    const auto output =
        pair ? elementOf(pair.get("output_index")) : std::optional<int64_t>();
    auto number =
        alias ? alias.getAs<IntegerAttr>("parameter_number") : nullptr;
    auto index =
        alias ? alias.getAs<DenseI64ArrayAttr>("parameter_index") : nullptr;
    auto kind = alias ? alias.getAs<StringAttr>("kind") : nullptr;
    auto error = [&, i = i] {
      return entry.emitError("entry ")
             << i << " of '" << moduleAliasAttrName << "' ";
    };
    // An index into a tuple is empty, or one number: arguments and results are
    // no tuples.
    if (!output || !number || !index || !index.empty() || !kind ||
        (kind != "may_alias" && kind != "must_alias"))
      return error() << "must be {alias = {kind = \"may_alias\" or "
                        "\"must_alias\", parameter_index = array<i64>, "
                        "parameter_number = N}, output_index = array<i64: N>}";
    const int64_t argument = number.getValue().trySExtValue().value_or(-1);
    if (argument < 0 || argument >= entry.getNumArguments() || *output < 0 ||
        *output >= entry.getNumResults())
      return error() << "has parameter " << argument << " and output "
                     << *output << ", but there are " << entry.getNumArguments()
                     << " arguments and " << entry.getNumResults()
                     << " results, which count from 0";
    if (entry.getArgumentTypes()[argument] != entry.getResultTypes()[*output])
      return error() << "gives the buffer of argument " << argument
                     << ", of type " << entry.getArgumentTypes()[argument]
                     << ", to result " << *output << ", of type "
                     << entry.getResultTypes()[*output]
                     << "; a state has one type";
    // Two arguments cannot both have the buffer of one result.
    if (!outputs.insert(*output).second)
      return error() << "gives result " << *output << " a second buffer";
    // A must is as binding as our own attribute, and must not contradict it.
    if (kind == "must_alias") {
      Attribute donated = entry.getArgAttr(argument, donatedAttrName);
      const auto other = resultNumber(entry, donated);
      if (other && *other != *output)
        return error() << "gives the buffer of argument " << argument
                       << " to result " << *output
                       << ", but it is donated to result " << *other
                       << "; one result can have it";
      entry.setArgAttr(argument, donatedAttrName,
                       builder.getI64IntegerAttr(*output));
    } else if (!entry.getArgAttr(argument, stateAttrName) &&
               !entry.getArgAttr(argument, aliasAttrName)) {
      entry.setArgAttr(argument, aliasAttrName,
                       builder.getI32IntegerAttr(*output));
    }
  }
  return success();
}

struct MarkState : impl::MarkStateBase<MarkState> {
  void runOnOperation() override {
    if (mlir::failed(readModuleAliases(getOperation())))
      return signalPassFailure();
    bool failed = false;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        failed |= mlir::failed(mark(function));
    if (failed)
      signalPassFailure();
  }

  static LogicalResult mark(func::FuncOp function) {
    StateReader reader(function);
    SmallVector<unsigned> donors;
    Builder builder(function.getContext());
    auto set = [&](unsigned argument, unsigned result) {
      assert(function.getArgumentTypes()[argument] ==
                 function.getResultTypes()[result] &&
             "a result has the type of the state that it replaces");
      function.setArgAttr(argument, stateAttrName,
                          builder.getI64IntegerAttr(result));
      remark::passed(function.getLoc(), remark::RemarkOpts::name("state")
                                            .category("gaudi-mark-state")
                                            .function(function.getName()))
          << remark::add("result {0} replaces argument {1} from launch to "
                         "launch",
                         result, argument);
    };
    // Our own attribute is the last word: it may come from a command line.
    llvm::SmallDenseSet<unsigned> chosen;
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (Attribute state = function.getArgAttr(i, stateAttrName);
          state && !isa<UnitAttr>(state))
        if (auto result = reader.claim(i, stateAttrName, state)) {
          chosen.insert(*result);
          set(i, *result);
        }
    // So is a donation that must be honoured. Numbers come before types.
    SmallVector<unsigned> anyResult;
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      Attribute donated = function.getArgAttr(i, donatedAttrName);
      if (!donated)
        continue;
      if (auto state = stateResult(function, i)) {
        reader.checkDonation(i, *state, donated);
        function.setArgAttr(i, donatedAttrName, builder.getUnitAttr());
      } else if (isa<UnitAttr>(donated)) {
        anyResult.push_back(i);
      } else if (auto result = reader.claim(i, donatedAttrName, donated)) {
        chosen.insert(*result);
        set(i, *result);
        function.setArgAttr(i, donatedAttrName, builder.getUnitAttr());
      }
    }
    // After all numbers: a donation of any result must not take one that
    // another argument names.
    for (unsigned i : anyResult) {
      if (auto result = reader.claimByType(i)) {
        chosen.insert(*result);
        set(i, *result);
      } else {
        reader.refuseDonation(i);
      }
    }
    auto skip = [&](unsigned argument, StringRef why) {
      remark::missed(function.getLoc(), remark::RemarkOpts::name("state")
                                            .category("gaudi-mark-state")
                                            .function(function.getName()))
          << remark::reason("not state: argument {0} is donated, but {1}",
                            argument, why);
    };
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      Attribute alias = function.getArgAttr(i, aliasAttrName);
      const bool isState = bool(function.getArgAttr(i, stateAttrName));
      auto donor = function.getArgAttrOfType<BoolAttr>(i, donorAttrName);
      // Donation attributes of JAX are read once, then gone.
      if (alias)
        function.removeArgAttr(i, aliasAttrName);
      if (function.getArgAttr(i, donorAttrName))
        function.removeArgAttr(i, donorAttrName);
      if (isState)
        continue;
      if (alias) {
        auto number = resultNumber(function, alias);
        if (number && chosen.contains(*number))
          skip(i, "'gaudi.state' gives its result to another one");
        else if (auto result = reader.claim(i, aliasAttrName, alias))
          set(i, *result);
      } else if (donor && donor.getValue()) {
        donors.push_back(i);
      }
    }
    // Donors without a result of their own take what the others leave.
    for (unsigned i : donors) {
      if (auto result = reader.claimByType(i)) {
        set(i, *result);
        continue;
      }
      skip(i, "no result of its type is left");
    }
    return failure(reader.hasFailed());
  }
};
} // namespace

/// Variables are states with an initial value, each once: what comes after
/// shares their buffers by name and copies the value into the recipe.
static LogicalResult verifyVariables(func::FuncOp function) {
  llvm::SmallDenseMap<StringAttr, unsigned> known;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    Attribute initial = function.getArgAttr(i, initialAttrName);
    // Callers give the initial value in the type that they see.
    Type type = callersArgumentType(function, i);
    if (initial && !isa<DenseElementsAttr, DenseResourceElementsAttr>(initial))
      return function.emitError("argument ")
             << i << " has a '" << initialAttrName
             << "' that is neither dense nor a resource";
    if (initial && cast<ElementsAttr>(initial).getShapedType() != type)
      return function.emitError("argument ")
             << i << " has type " << type << ", but its '" << initialAttrName
             << "' has type " << cast<ElementsAttr>(initial).getShapedType();
    StringAttr name = variableOf(function, i);
    if (!name)
      continue;
    if (!function.getArgAttr(i, stateAttrName))
      return function.emitError("argument ")
             << i << " has '" << variableAttrName << "', but no '"
             << stateAttrName << "'";
    auto [it, isNew] = known.insert({name, i});
    if (!isNew)
      return function.emitError("arguments ")
             << it->second << " and " << i << " are both the variable " << name;
  }
  return success();
}

LogicalResult verifyStates(func::FuncOp function) {
  if (failed(verifyVariables(function)))
    return failure();
  StateReader reader(function);
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (Attribute state = function.getArgAttr(i, stateAttrName);
        state && !isa<UnitAttr>(state))
      (void)reader.claim(i, stateAttrName, state);
  return failure(reader.hasFailed());
}
} // namespace gaudi
