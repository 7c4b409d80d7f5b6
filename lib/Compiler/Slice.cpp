// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The op that a bisection found, cut out of the model.
#include "Bisection.h"
#include "Gaudi/Reference/Bisect.h"
#include "Gaudi/Reference/Callers.h"
#include "Gaudi/Reference/Evaluator.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// Ops of a function that become a function of their own.
class Cut {
public:
  Cut(func::FuncOp function, Operation *op, uint32_t depth)
      : function(function), target(op) {
    ops.insert(op);
    for (uint32_t level = 0; level < depth; ++level)
      for (Operation *known : SmallVector<Operation *>(ops.getArrayRef()))
        for (Value operand : known->getOperands())
          if (Operation *maker = operand.getDefiningOp())
            ops.insert(maker);
  }

  void add(Operation *op) { ops.insert(op); }

  /// Besides the one that was found, in program order.
  SmallVector<Operation *> others() const {
    SmallVector<Operation *> found;
    for (Operation &one : function.getBody().front())
      if (&one != target && ops.contains(&one) && !isa<ConstantOp>(one))
        found.push_back(&one);
    return found;
  }

  /// Their results are read instead; what only they have read goes, too.
  void remove(function_ref<bool(Operation *)> isRemoved) {
    ops.remove_if([&](Operation *op) { return op != target && isRemoved(op); });
    llvm::SetVector<Operation *> read;
    read.insert(target);
    for (size_t i = 0; i < read.size(); ++i)
      for (Value operand : read[i]->getOperands())
        if (Operation *maker = operand.getDefiningOp();
            maker && ops.contains(maker))
          read.insert(maker);
    ops = std::move(read);
  }

  /// What its ops read from others, constants aside, in program order.
  SmallVector<Value> operands() const {
    llvm::SetVector<Value> found;
    for (Operation &one : function.getBody().front())
      if (ops.contains(&one))
        for (Value operand : one.getOperands()) {
          Operation *maker = operand.getDefiningOp();
          if (!maker || (!ops.contains(maker) && !isa<ConstantOp>(maker)))
            found.insert(operand);
        }
    return found.takeVector();
  }

  /// The text of a module whose function has an argument for each of `values`,
  /// in this order; null: one that is not read.
  std::string text(ArrayRef<Value> values, ArrayRef<Type> types) const {
    MLIRContext *context = target->getContext();
    OwningOpRef<ModuleOp> module = ModuleOp::create(target->getLoc());
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    auto made = func::FuncOp::create(
        builder, target->getLoc(), "main",
        FunctionType::get(context, types, target->getResultTypes()));
    Block *block = made.addEntryBlock();
    IRMapping mapping;
    for (auto [argument, value] :
         llvm::zip_equal(block->getArguments(), values))
      if (value)
        mapping.map(value, argument);
    builder.setInsertionPointToEnd(block);
    Block &body = const_cast<func::FuncOp &>(function).getBody().front();
    for (Operation &one : body) {
      if (!ops.contains(&one))
        continue;
      for (Value operand : one.getOperands())
        if (auto constant = operand.getDefiningOp<ConstantOp>();
            constant && !mapping.contains(operand))
          builder.clone(*constant, mapping);
      Operation *copy = builder.clone(one, mapping);
      // What later phases noted; the slice is compiled from here.
      for (NamedAttribute attribute :
           SmallVector<NamedAttribute>(copy->getDiscardableAttrs()))
        if (attribute.getName().strref().starts_with("gaudi."))
          copy->removeDiscardableAttr(attribute.getName());
    }
    SmallVector<Value> results;
    for (Value result : target->getResults())
      results.push_back(mapping.lookup(result));
    func::ReturnOp::create(builder, target->getLoc(), results);
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream, OpPrintingFlags().enableDebugInfo().useLocalScope());
    return text + "\n";
  }

private:
  mutable func::FuncOp function;
  Operation *target;
  llvm::SetVector<Operation *> ops;
};

/// What these values are when the function is evaluated.
FailureOr<SmallVector<ReferenceTensor>>
operandValues(func::FuncOp function, ArrayRef<ReferenceTensor> arguments,
              const SmallVector<Value> &wanted) {
  auto stored = storedArguments(function, arguments);
  if (failed(stored))
    return failure();
  SmallVector<ReferenceTensor> found(wanted.size());
  for (auto [value, tensor] : llvm::zip_equal(wanted, found))
    if (auto argument = dyn_cast<BlockArgument>(value))
      tensor = (*stored)[argument.getArgNumber()];
  const auto keep = [&](Operation *op, ArrayRef<ReferenceTensor> results) {
    for (auto [value, tensor] : llvm::zip_equal(wanted, found))
      if (value.getDefiningOp() == op)
        tensor = results[cast<OpResult>(value).getResultNumber()];
  };
  if (failed(evaluateFunction(function, *stored, keep)))
    return failure();
  return found;
}
} // namespace

/// The op of `before` that is the counterpart of `op` of another form; null:
/// none is.
static Operation *counterpartOf(Operation *op, func::FuncOp form,
                                func::FuncOp before) {
  const std::vector<TracedOp> mine = opsOf(form), theirs = opsOf(before);
  const Alignment alignment = align(mine, theirs, false);
  for (auto [traced, partner] : llvm::zip_equal(mine, alignment.partners))
    if (traced.op == op)
      return partner < 0 ? nullptr : theirs[partner].op;
  return nullptr;
}

LogicalResult Session::slice(uint32_t depth, bool ofImport,
                             const uint8_t *removed, GaudiSlice &slice) {
  if (!bisection || !bisection->op)
    return fail("no op has been found that could be cut out");
  Bisection &state = *bisection;
  func::FuncOp function = state.function;
  Operation *op = state.op;
  if (ofImport) {
    if (state.form < 0)
      return fail("the difference is not made by the passes of the model");
    function = functionIn(*state.forms.front().module);
    op = counterpartOf(op, state.function, function);
    if (!op)
      return fail("the imported model has no counterpart of the op");
  }
  Operation *suspectOp = ofImport ? nullptr : state.suspectOp;
  Cut cut(function, op, depth);
  const SmallVector<Operation *> parts = cut.others();
  DenseSet<Operation *> gone;
  for (auto [number, part] : llvm::enumerate(parts))
    if (removed && removed[number])
      gone.insert(part);
  cut.remove([&](Operation *op) { return gone.contains(op); });
  SmallVector<Value> values = cut.operands(), others;
  std::optional<Cut> suspect;
  if (suspectOp) {
    // The suspect reads the same values: those of counterparts. What has none
    // is computed in the slice.
    const std::vector<TracedOp> mine = opsOf(state.suspectFunction),
                                theirs = opsOf(function);
    const Alignment alignment = align(mine, theirs, false);
    DenseMap<Operation *, Operation *> partners;
    for (auto [i, partner] : llvm::enumerate(alignment.partners))
      if (partner >= 0)
        partners[mine[i].op] = theirs[partner].op;
    suspect.emplace(state.suspectFunction, suspectOp, depth);
    suspect->remove(
        [&](Operation *op) { return gone.contains(partners.lookup(op)); });
    for (bool goesOn = true; goesOn;) {
      goesOn = false;
      for (Value operand : suspect->operands())
        if (Operation *maker = operand.getDefiningOp();
            maker && !partners.count(maker)) {
          suspect->add(maker);
          goesOn = true;
        }
    }
    others.assign(values.size(), Value());
    for (Value operand : suspect->operands()) {
      Value same = operand.getDefiningOp()
                       ? Value(partners[operand.getDefiningOp()]->getResult(
                             cast<OpResult>(operand).getResultNumber()))
                       : function.getArgument(
                             cast<BlockArgument>(operand).getArgNumber());
      auto place = llvm::find(values, same);
      if (place == values.end()) {
        values.push_back(same);
        others.push_back(operand);
      } else {
        others[place - values.begin()] = operand;
      }
    }
  }
  SmallVector<Type> types;
  for (Value value : values)
    types.push_back(value.getType());
  state.model = cut.text(values, types);
  state.suspect = suspect ? suspect->text(others, types) : "";
  auto arguments = withExtents(function, state.arguments);
  if (failed(arguments))
    return fail("the extents of the op are not known");
  auto tensors = operandValues(function, *arguments, values);
  if (failed(tensors))
    return fail("the reference evaluator failed" + errorCountText());
  state.bytes.clear();
  state.inputs.clear();
  state.types.clear();
  state.shapes.clear();
  for (const ReferenceTensor &tensor : *tensors) {
    state.bytes.push_back(tensor.toBytes());
    state.shapes.push_back(tensor.getShape().vec());
  }
  for (auto [tensor, bytes, shape] :
       llvm::zip_equal(*tensors, state.bytes, state.shapes)) {
    state.inputs.push_back(
        {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
    state.types.push_back({"", elementNumber(tensor.getElementType()),
                           uint32_t(shape.size()), shape.data()});
  }
  slice = {state.model.c_str(),
           state.suspect.c_str(),
           uint32_t(state.inputs.size()),
           state.types.data(),
           state.inputs.data(),
           llvm::all_of(values, llvm::IsaPred<BlockArgument>),
           uint32_t(parts.size())};
  return success();
}
