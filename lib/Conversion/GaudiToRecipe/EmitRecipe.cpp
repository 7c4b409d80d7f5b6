// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates a scheduled module to a recipe.
#include "ConstantBytes.h"
#include "Dependencies.h"
#include "Gaudi/Dialect/Order.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Transforms/DeviceModel.h"
#include "Gaudi/Transforms/DeviceTime.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "Gaudi/Transforms/Passes.h"
#include "Sections.h"
#include "VariantParts.h"
#include "Variants.h"
#include <limits>

using namespace mlir;
using namespace gaudi;
using namespace gaudi::recipe;

namespace {
/// Emits the functions of a module as entries that share sections, constants,
/// kernels, and states of one name.
class Emitter {
public:
  Emitter(EmittedRecipe &emitted, const gaudi::device::DeviceSpec &spec,
          MLIRContext *context)
      : emitted(emitted), sections(emitted, spec.memory.addressAlignment),
        builder(emitted, recipeEngine(engineFor(spec, Movement::Copy,
                                                Float32Type::get(context)))) {
    emitted.recipe.target = std::string(spec.name);
    emitted.recipe.producer = "gaudi-mlir " GAUDI_VERSION;
  }

  /// The entries of functions with variants, before all others: the sections
  /// then begin empty, and no variant keeps inputs and outputs for itself.
  LogicalResult addVariants(ModuleOp module) {
    if (failed(variants.find(module)))
      return failure();
    if (variants.empty())
      return success();
    function = variants.declaration();
    addSections();
    variants.addEntries(builder);
    return success();
  }

  LogicalResult addFunction(func::FuncOp from) {
    return variants.isVariant(from) ? addVariant(from) : addEntry(from);
  }

  LogicalResult addEntry(func::FuncOp from) {
    std::unique_ptr<EntryT> entry = begin(from);
    if (!entry)
      return failure();
    Block &block = function.getBody().front();
    const BufferGroups groups(block);
    for (Operation &op : block.without_terminator())
      for (OpResult result : op.getResults())
        declare(result, groups);
    for (Operation &op : block.without_terminator())
      if (failed(emitCommands(&op, builder, *entry)))
        return failure();
    addOutputs(*entry);
    computeDependencies(emitted.recipe, *entry);
    entryIds[function.getNameAttr()] = emitted.recipe.entries.size();
    emitted.recipe.entries.push_back(std::move(entry));
    if (explains(function))
      reportEntry(function, emitted.recipe, emitted.recipe.entries.size() - 1,
                  builder);
    return success();
  }

  /// The entry of a variant, with what it shares with others; emitVariants
  /// fills in the rest.
  LogicalResult addVariant(func::FuncOp from) {
    std::unique_ptr<EntryT> entry = begin(from);
    if (!entry)
      return failure();
    auto exit = cast<func::ReturnOp>(function.front().getTerminator());
    for (Value value : exit.getOperands())
      if (auto it = returned.find(returnedRoot(value)); it != returned.end())
        declareReturned(it->first, it->second);
    for (auto constant : function.front().getOps<ConstantOp>())
      if (!builder.hasTensor(constant.getResult()))
        declareConstant(
            constant,
            tensorName(constant, emitted.recipe.tensors.size() - firstTensor));
    addOutputs(*entry);
    entryIds[function.getNameAttr()] = emitted.recipe.entries.size();
    parts.add(function, emitted.recipe.entries.size());
    emitted.recipe.entries.push_back(std::move(entry));
    return success();
  }

  LogicalResult emitVariants() { return parts.emit(builder); }

  /// The entry of a function that only launches parts, which come after it.
  LogicalResult addProgram(func::FuncOp from) {
    function = from;
    auto entry = std::make_unique<EntryT>();
    entry->name = function.getName().str();
    addSections();
    // A program has no buffers in its own function: tensors are placed as they
    // come.
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      auto type = cast<RankedTensorType>(function.getArgumentTypes()[i]);
      auto place = [&] { return sections.placeOf(type); };
      FailureOr<uint32_t> id =
          isState(function, i)
              ? stateId(i, type, function.getLoc(), place)
              : FailureOr<uint32_t>(addPersistent(
                    type, argumentName(function, i), TensorClass::Input));
      if (failed(id))
        return failure();
      builder.setPermutation(*id, argumentPermutation(function, i));
      entry->inputs.push_back(*id);
    }
    constexpr uint32_t none = std::numeric_limits<uint32_t>::max();
    // Results of states are the states; the others get tensors of their own.
    entry->outputs.assign(function.getNumResults(), none);
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (auto result = stateResult(function, i))
        entry->outputs[*result] = builder.addOutput(
            entry->inputs[i], resultName(function, *result), function.getLoc());
    for (auto [i, id] : llvm::enumerate(entry->outputs)) {
      if (id != none)
        continue;
      id = addPersistent(cast<RankedTensorType>(function.getResultTypes()[i]),
                         resultName(function, i), TensorClass::Output);
      builder.setPermutation(id, resultPermutation(function, i));
    }
    // Parts are emitted later, so the program's steps are written at the end.
    entryIds[function.getNameAttr()] = emitted.recipe.entries.size();
    programs.emplace_back(emitted.recipe.entries.size(), programOf(function));
    emitted.recipe.entries.push_back(std::move(entry));
    return success();
  }

  /// What needs all functions: makes constants of the initial values of states,
  /// and numbers the parts of programs.
  void finish() {
    variants.finish(entryIds, builder);
    for (auto &[name, state] : sharedStates)
      if (state.initial)
        emitted.recipe.tensors[state.tensor]->initial =
            int32_t(initialConstant(name.getValue(), state));
    for (auto [entry, steps] : programs)
      appendSteps(steps, emitted.recipe.entries[entry]->program);
  }

  void addRecords(ModuleOp module) { emitRecords(module, builder); }

private:
  using SectionKindT = gaudi::recipe::SectionKind;

  /// The entry of a function with its arguments; null after an error. Notes
  /// what it returns.
  std::unique_ptr<EntryT> begin(func::FuncOp from) {
    function = from;
    outputs = outputNumbers(function);
    whole = nullptr;
    if (auto entry = function->getAttrOfType<FlatSymbolRefAttr>(partOfAttrName))
      whole = emitted.recipe.entries[entryIds.at(entry.getAttr())].get();
    addSections();
    firstTensor = emitted.recipe.tensors.size();
    auto entry = std::make_unique<EntryT>();
    entry->name = function.getName().str();
    for (BlockArgument argument : function.getArguments()) {
      if (failed(addArgument(argument)))
        return nullptr;
      if (!variableOf(function, argument.getArgNumber()))
        entry->inputs.push_back(builder.tensorId(argument));
    }
    findOutputs();
    return entry;
  }

  void findOutputs() {
    DenseMap<unsigned, BlockArgument> states; // by the result that replaces it
    for (BlockArgument argument : function.getArguments())
      if (auto result = stateResult(function, argument.getArgNumber()))
        states[*result] = argument;
    returned.clear();
    Operation *exit = function.front().getTerminator();
    for (auto [i, value] : llvm::enumerate(exit->getOperands()))
      if (!isUnchangedState(value, i))
        returned[returnedRoot(value)] = {unsigned(i), states.lookup(i),
                                         cast<OpResult>(value)};
  }

  void addOutputs(EntryT &entry) {
    auto exit = cast<func::ReturnOp>(function.front().getTerminator());
    for (auto [i, output] : llvm::enumerate(outputs))
      if (output)
        entry.outputs.push_back(outputId(exit, i, *output));
  }

  /// A state that has a name of its own, which several functions may use.
  struct SharedState {
    uint32_t tensor;
    RankedTensorType type;
    ArrayRef<int64_t> order; // empty: as callers have it
    LocationAttr loc;        // of the argument of the first function
    Operation *function;
    ElementsAttr initial;
  };

  void addSections() {
    constantAt.clear();
    sections.add(function);
  }

  auto reservePersistent() {
    return [this](uint64_t bytes) {
      return sections.reserve(SectionKindT::Persistent, bytes);
    };
  }

  uint32_t addPersistent(RankedTensorType type, StringRef name,
                         TensorClass tensorClass) {
    return builder.addTensor(type, function.getLoc(), name, tensorClass,
                             SectionKindT::Persistent, sections.placeOf(type));
  }

  /// The tensor of a state. Only names that somebody chose are shared, no
  /// default ones. `place`: where a new one goes.
  FailureOr<uint32_t> stateId(unsigned number, RankedTensorType type,
                              Location loc,
                              llvm::function_ref<uint64_t()> place) {
    // The key: a variable's name, a name that callers gave, or that of the
    // state in all variants.
    const std::string name = argumentName(function, number);
    StringAttr key = variableOf(function, number);
    if (!key)
      key = function.getArgAttrOfType<StringAttr>(number, nameAttrName);
    if (!key)
      key = variants.stateKey(function, number);
    const ArrayRef<int64_t> order = argumentPermutation(function, number);
    // Without a key the state is that of this function alone.
    auto known = key ? sharedStates.find(key) : sharedStates.end();
    if (known == sharedStates.end()) {
      const uint32_t id = builder.addTensor(type, loc, name, TensorClass::State,
                                            SectionKindT::Persistent, place());
      builder.setPermutation(id, order);
      if (key)
        sharedStates.insert(
            {key, SharedState{id, type, order, loc, function,
                              function.getArgAttrOfType<ElementsAttr>(
                                  number, initialAttrName)}});
      return id;
    }
    SharedState &state = known->second;
    const bool isSame = state.type == type && state.order == order;
    // The same state in another function: one tensor.
    if (isSame && state.function != function) {
      // Any of its functions may say how it begins.
      if (!state.initial)
        state.initial =
            function.getArgAttrOfType<ElementsAttr>(number, initialAttrName);
      return state.tensor;
    }
    InFlightDiagnostic diag = emitError(loc);
    diag << "state '" << name << "' has type " << type
         << (state.function == function
                 ? " and the name of another state of its function"
             : state.type == type
                 ? ", but is stored in another order in another function"
                 : ", but another type in another function")
         << "; give them different names";
    diag.attachNote(state.loc) << "the other one, of type " << state.type;
    return failure();
  }

  LogicalResult addArgument(BlockArgument argument) {
    const unsigned number = argument.getArgNumber();
    if (auto parameter =
            function.getArgAttrOfType<IntegerAttr>(number, parameterAttrName);
        whole && parameter) {
      builder.shareTensor(argument, whole->inputs[parameter.getInt()]);
      return success();
    }
    if (!isState(function, number) && variants.isVariant(function)) {
      variants.addArgument(argument, builder, reservePersistent());
      return success();
    }
    if (!isState(function, number)) {
      const uint32_t id =
          builder.addTensor(argument, argument, argumentName(function, number),
                            TensorClass::Input, sections.placeOf(argument));
      builder.setPermutation(id, argumentPermutation(function, number));
      return success();
    }
    FailureOr<uint32_t> id =
        stateId(number, tensorType(argument), argument.getLoc(),
                [&] { return sections.placeOf(argument); });
    if (succeeded(id))
      builder.shareTensor(argument, *id);
    return id;
  }

  /// The tensor that the host reads as output `output`, which result `result`
  /// of the function is.
  uint32_t outputId(func::ReturnOp exit, unsigned result, unsigned output) {
    Value value = exit.getOperand(result);
    if (whole)
      return whole->outputs[output];
    return isUnchangedState(value, result)
               ? builder.addOutput(builder.tensorId(value),
                                   resultName(function, result), exit.getLoc())
               : builder.tensorId(value);
  }

  /// A returned value: its number, the state that it replaces, or null, and the
  /// value, which may be a reshape of what the kernel writes.
  struct Output {
    unsigned number;
    BlockArgument state;
    OpResult value;
  };

  void declareOutput(const Output &output) {
    const auto &[number, state, value] = output;
    const std::string name = resultName(function, number);
    if (whole && outputs[number])
      builder.shareTensor(value, whole->outputs[*outputs[number]]);
    else if (!state && variants.isVariant(function))
      variants.addResult(function, number, value, builder, reservePersistent());
    else if (!state)
      builder.setPermutation(builder.addTensor(value, value, name,
                                               TensorClass::Output,
                                               sections.placeOf(value)),
                             resultPermutation(function, number));
    else if (variableOf(function, state.getArgNumber()))
      builder.shareTensor(value, builder.tensorId(state));
    else // it is in the state's buffer
      builder.shareTensor(value, builder.addOutput(builder.tensorId(state),
                                                   name, value.getLoc()));
  }

  /// Of the value that the last op writes, and of what is returned of it.
  void declareReturned(Value result, const Output &output) {
    if (builder.hasTensor(result))
      return;
    declareOutput(output);
    if (Value value = output.value; value != result)
      builder.shareTensor(
          result, builder.addWindow(
                      builder.tensorId(value), 0, tensorType(result).getShape(),
                      bufferOf(result).getStrides(),
                      resultName(function, output.number) + ".rows"));
  }

  /// A root is declared before the first value in its buffer.
  void declare(OpResult result, const BufferGroups &groups) {
    if (builder.hasTensor(result))
      return; // as a root, or as an output that a kernel writes in another
              // shape
    Value root = groups.rootOf(result);
    if (auto first = dyn_cast<OpResult>(root); first && first != result)
      declare(first, groups);
    if (auto it = returned.find(result); it != returned.end())
      return declareReturned(result, it->second);
    std::string name =
        tensorName(result.getOwner(), emitted.recipe.tensors.size());
    if (auto constant = dyn_cast<ConstantOp>(result.getOwner()))
      declareConstant(constant, name);
    else
      builder.addTensor(result, root, name, TensorClass::Workspace,
                        root == result ? sections.placeOf(result) : 0);
  }

  void declareConstant(ConstantOp constant, StringRef name) {
    Value result = constant.getResult();
    // Equal constants share a place; the first one brings the bytes.
    int64_t offset = bufferOf(result).getOffset();
    if (auto it = constantAt.find(offset); it != constantAt.end()) {
      builder.shareTensor(result, it->second);
      return;
    }
    const auto key = std::make_pair(Attribute(constant.getValue()),
                                    unsigned(isOneElement(constant)));
    auto known = sharedConstants.find(key);
    if (!sections.isFirst() && known != sharedConstants.end()) {
      constantAt[offset] = known->second;
      builder.shareTensor(result, known->second);
      return;
    }
    const uint64_t place = sections.placeOf(result);
    const uint32_t id =
        builder.addTensor(result, result, name, TensorClass::Const, place);
    constantAt[offset] = sharedConstants[key] = id;
    addBytes(constant.getValue(), isOneElement(constant), place);
  }

  static bool isOneElement(ConstantOp constant) {
    return isa<SplatElementsAttr>(constant.getValue()) &&
           llvm::all_of(bufferOf(constant.getResult()).getStrides(),
                        [](int64_t s) { return s == 0; });
  }

  void addBytes(ElementsAttr value, bool oneElement, uint64_t offset) {
    ArrayRef<uint8_t> bytes = constantBytes(value, oneElement, emitted.owned);
    if (!bytes.empty())
      emitted.constants[0].pieces.push_back(
          {offset, bytes.data(), bytes.size()});
  }

  /// The constant with the initial value of a state, which the program has in
  /// the caller's order: a state of another order reads it by strides.
  uint32_t initialConstant(StringRef name, const SharedState &state) {
    const uint32_t whole = callersConstant(name, state);
    if (state.order.empty() || isIdentityOrder(state.order))
      return whole;
    SmallVector<int64_t> strides;
    for (int64_t dim : state.order)
      strides.push_back(emitted.recipe.tensors[whole]->strides[dim]);
    return builder.addWindow(whole, 0, state.type.getShape(), strides,
                             (name + ".initial.stored").str());
  }

  uint32_t callersConstant(StringRef name, const SharedState &state) {
    const bool oneElement = isa<SplatElementsAttr>(state.initial);
    auto [it, isNew] = sharedConstants.try_emplace(
        std::make_pair(Attribute(state.initial), unsigned(oneElement)),
        emitted.recipe.tensors.size());
    if (!isNew)
      return it->second;
    const uint64_t bytes = elementBytes(state.type.getElementType()) *
                           (oneElement ? 1 : state.type.getNumElements());
    const uint64_t offset = sections.reserve(SectionKindT::Const, bytes);
    builder.addTensor(cast<RankedTensorType>(state.initial.getShapedType()),
                      state.loc, (name + ".initial").str(), TensorClass::Const,
                      SectionKindT::Const, offset, oneElement);
    addBytes(state.initial, oneElement, offset);
    return it->second;
  }

  void appendSteps(ArrayAttr steps, std::vector<ProgramStep> &program) {
    for (Attribute step : steps) {
      if (auto part = dyn_cast<FlatSymbolRefAttr>(step)) {
        program.emplace_back(entryIds.lookup(part.getAttr()), StepKind::Launch);
        continue;
      }
      auto loop = cast<ArrayAttr>(step);
      auto condition = sharedStates.find(cast<StringAttr>(loop[0]));
      assert(condition != sharedStates.end() && "a part writes it");
      program.emplace_back(condition->second.tensor, StepKind::While);
      appendSteps(cast<ArrayAttr>(loop[1]), program);
      program.emplace_back(0, StepKind::End);
    }
  }

  func::FuncOp function;                        // that is being emitted
  SmallVector<std::optional<unsigned>> outputs; // of its results
  const EntryT *whole = nullptr;    // the entry that it is a part of, or null
  size_t firstTensor = 0;           // of `function`
  DenseMap<Value, Output> returned; // by the value that the last op writes
  EmittedRecipe &emitted;
  Sections sections;
  RecipeAssembly builder;
  Variants variants;
  DenseMap<int64_t, uint32_t> constantAt; // of `function`: offset -> tensor
  /// Value, and whether it is one element with strides of 0 -> tensor.
  DenseMap<std::pair<Attribute, unsigned>, uint32_t> sharedConstants;
  llvm::MapVector<StringAttr, SharedState> sharedStates;
  DenseMap<StringAttr, uint32_t> entryIds;
  std::vector<std::pair<size_t, ArrayAttr>> programs; // of entries
  VariantParts parts;
};
} // namespace

LogicalResult gaudi::emitRecipe(ModuleOp module, EmittedRecipe &emitted,
                                bool isVerified) {
  const gaudi::device::DeviceSpec *spec = deviceOf(module);
  if (!spec || (!isVerified && failed(verifyPhase(module, "memory"))))
    return failure();
  Emitter emitter(emitted, *spec, module.getContext());
  if (failed(emitter.addVariants(module)))
    return failure();
  for (auto function : module.getOps<func::FuncOp>()) {
    if (programOf(function) && failed(emitter.addProgram(function)))
      return failure();
    if (function.isExternal())
      continue;
    if (failed(emitter.addFunction(function)))
      return failure();
  }
  if (failed(emitter.emitVariants()))
    return failure();
  emitter.finish();
  emitter.addRecords(module);
  return success();
}
