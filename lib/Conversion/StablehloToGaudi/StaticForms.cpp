// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that another op says as well: dynamic ops whose shapes are constants,
// custom calls that carry an op, and older ops.
#include "Expand.h"
#include "Gaudi/Conversion/Inlining.h"
#include "Gaudi/Conversion/Stablehlo.h"
#include "Gaudi/Conversion/StablehloForms.h"
#include "Gaudi/Conversion/StablehloOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace gaudi;

namespace {
class StaticForm {
public:
  StaticForm(Operation *op, llvm::SetVector<Operation *> &calledFunctions)
      : op(op), builder(op), calledFunctions(calledFunctions) {}

  /// Writes the op as another one, if it has one.
  void write();
  /// Writes a custom call for which isDynamicWindow holds as an op.
  void writeDynamicWindow();
  static bool isDynamicWindow(Operation *op);

private:
  void set(StringRef attribute, Attribute value) {
    attributes.push_back(builder.getNamedAttr(attribute, value));
  }
  /// Constant operands from number `first` on become attributes; false if one
  /// is no constant.
  bool addConstants(unsigned first, ArrayRef<StringRef> names);
  void replaceBy(StringRef name, unsigned numOperands);
  void writeCarriedOp();
  void writeApproximateTopK();
  void writeIndexSelect();

  Operation *op;
  OpBuilder builder;
  llvm::SetVector<Operation *> &calledFunctions; ///< that were read
  SmallVector<NamedAttribute> attributes;
};
} // namespace

bool StaticForm::addConstants(unsigned first, ArrayRef<StringRef> names) {
  for (auto [i, attribute] : llvm::enumerate(names)) {
    if (first + i >= op->getNumOperands())
      return false;
    auto value = dyn_cast_or_null<DenseIntElementsAttr>(
        constantOf(op->getOperand(first + i).getDefiningOp()));
    if (!value)
      return false;
    set(attribute, value);
  }
  return true;
}

void StaticForm::replaceBy(StringRef name, unsigned numOperands) {
  OperationState state(op->getLoc(), ("stablehlo." + name).str());
  state.addOperands(op->getOperands().take_front(numOperands));
  state.addTypes(op->getResultTypes());
  llvm::SmallDenseSet<StringAttr> given;
  for (NamedAttribute attribute : attributes)
    given.insert(attribute.getName());
  // What a custom call calls has been read.
  given.insert(builder.getStringAttr("called_computations"));
  for (NamedAttribute attribute : attributesOf(op))
    if (given.insert(attribute.getName()).second)
      attributes.push_back(attribute);
  state.addAttributes(attributes);
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  op->replaceAllUsesWith(builder.create(state));
  op->erase();
}

/// The first function that a custom call names.
static func::FuncOp computationOf(Operation *call) {
  auto computations = call->getAttrOfType<ArrayAttr>("called_computations");
  auto name = computations && !computations.empty()
                  ? dyn_cast<FlatSymbolRefAttr>(computations[0])
                  : FlatSymbolRefAttr();
  return name ? call->getParentOfType<ModuleOp>().lookupSymbol<func::FuncOp>(
                    name)
              : func::FuncOp();
}

/// Custom calls `mhlo.<op>` and `chlo.<op>` of exporters that had no such op;
/// its attributes are in a dictionary.
void StaticForm::writeCarriedOp() {
  const StringRef target = wordOf(op, "call_target_name");
  if (target == "ApproxTopK")
    return writeApproximateTopK();
  auto [dialect, carried] = target.split('.');
  if ((dialect != "mhlo" && dialect != "chlo") || carried.empty())
    return;
  if (auto fields = op->getAttrOfType<DictionaryAttr>("mhlo.attributes"))
    llvm::append_range(attributes, fields);
  replaceBy(carried == "topk" ? "top_k" : carried, op->getNumOperands());
}

/// An approximate top-k may be exact. JAX gives it the elements and their
/// positions; a function says which of two elements is better.
void StaticForm::writeApproximateTopK() {
  auto fields = op->getAttrOfType<DictionaryAttr>("mhlo.backend_config");
  auto dim =
      fields ? fields.getAs<IntegerAttr>("reduction_dim") : IntegerAttr();
  func::FuncOp comparator = computationOf(op);
  if (!dim || !comparator || comparator.empty() || op->getNumOperands() != 4)
    return;
  // The second operand must be the positions, which the op gives by itself.
  Operation *positions = op->getOperand(1).getDefiningOp();
  if (!isHlo(positions, Hlo::Iota) ||
      positions->getAttr("iota_dimension") != dim)
    return;
  // The comparison of the first two arguments, the only one.
  Block &body = comparator.front();
  Operation &compare = body.front();
  const auto direction = directionOf(&compare);
  if (!llvm::hasNItems(body, 2) || !direction ||
      !llvm::equal(compare.getOperands(), body.getArguments().take_front(2)))
    return;
  if (*direction == ComparePredicate::EQ || *direction == ComparePredicate::NE)
    return;
  const bool isLargest = holds(*direction, /*isLess=*/false, /*isEqual=*/false,
                               /*isGreater=*/true);
  calledFunctions.insert(comparator);
  remark::passed(op->getLoc(), remark::RemarkOpts::name("raise").category(
                                   "convert-stablehlo-to-gaudi"))
      << "raised to top_k: exact where the model takes an approximation";
  set("largest", builder.getBoolAttr(isLargest));
  set("dimension", dim);
  replaceBy("top_k", 1);
}

/// Picks slices of dimension `dim` by index; the first `batch_dims` dimensions
/// of operand and index are paired.
void StaticForm::writeIndexSelect() {
  auto dim = op->getAttrOfType<IntegerAttr>("dim");
  auto batch = op->getAttrOfType<IntegerAttr>("batch_dims");
  if (op->getNumOperands() != 2 || op->getNumResults() != 1 || !dim)
    return;
  auto from = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto index = dyn_cast<RankedTensorType>(op->getOperand(1).getType());
  const int64_t axis = dim.getInt(), paired = batch ? batch.getInt() : 0;
  if (!from || !index || !from.hasStaticShape() || axis < 0 ||
      axis >= from.getRank() || paired < 0 || paired > axis ||
      paired > index.getRank())
    return;
  // Result dimensions: those before the axis, those of the index but for the
  // pairs, those after the axis.
  SmallVector<int64_t> offsets, pairs, sizes(from.getShape());
  for (int64_t i = 0; i < from.getRank(); ++i) {
    if (i < paired)
      pairs.push_back(i);
    else if (i != axis)
      offsets.push_back(i < axis ? i : i - 1 + index.getRank() - paired);
    if (i < paired || i == axis)
      sizes[i] = 1;
  }
  auto list = [&](ArrayRef<int64_t> numbers) {
    return builder.getDenseI64ArrayAttr(numbers);
  };
  set("dimension_numbers",
      builder.getDictionaryAttr(
          {builder.getNamedAttr("offset_dims", list(offsets)),
           builder.getNamedAttr("collapsed_slice_dims", list(axis)),
           builder.getNamedAttr("operand_batching_dims", list(pairs)),
           builder.getNamedAttr("start_indices_batching_dims", list(pairs)),
           builder.getNamedAttr("start_index_map", list(axis)),
           builder.getNamedAttr("index_vector_dim",
                                builder.getI64IntegerAttr(index.getRank()))}));
  set("slice_sizes", list(sizes));
  replaceBy("gather", 2);
}

/// A reduce_window whose window is operands; a function is its region.
void StaticForm::writeDynamicWindow() {
  func::FuncOp reducer = computationOf(op);
  const unsigned numResults = op->getNumResults();
  if (!reducer || !reducer.getBody().hasOneBlock() || numResults == 0 ||
      op->getNumOperands() != 2 * numResults + 5)
    return;
  calledFunctions.insert(reducer);
  // As the op with a region; its operands become attributes if they are
  // constants.
  OperationState state(op->getLoc(), "stablehlo.dynamic_reduce_window");
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  Region *region = state.addRegion();
  IRMapping map;
  reducer.getBody().cloneInto(region, map);
  // The function's return becomes the region's.
  Operation *end = region->front().getTerminator();
  builder.setInsertionPoint(end);
  OperationState yield(end->getLoc(), "stablehlo.return");
  yield.addOperands(end->getOperands());
  builder.create(yield);
  end->erase();
  builder.setInsertionPoint(op);
  op->replaceAllUsesWith(builder.create(state));
  op->erase();
}

bool StaticForm::isDynamicWindow(Operation *op) {
  return isHlo(op, Hlo::CustomCall) &&
         wordOf(op, "call_target_name") == "stablehlo.dynamic_reduce_window";
}

void StaticForm::write() {
  const Hlo kind = hloOf(op);
  if (kind == Hlo::CustomCall)
    return writeCarriedOp();
  if (kind == Hlo::DynamicReduceWindow) {
    const unsigned numOperands = 2 * op->getNumResults();
    if (addConstants(numOperands,
                     {"window_dimensions", "window_strides", "base_dilations",
                      "window_dilations", "padding"}))
      replaceBy("reduce_window", numOperands);
    return;
  }
  if (kind == Hlo::TorchIndexSelect)
    return writeIndexSelect();
  // What follows has one result and no region.
  if (!op->getRegions().empty() || op->getNumResults() != 1 ||
      op->getNumOperands() == 0)
    return;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape())
    return;
  // The static type of the result says what the shape operand says.
  if (kind == Hlo::DynamicReshape)
    return replaceBy("reshape", 1);
  if (kind == Hlo::DynamicBroadcastInDim)
    return replaceBy("broadcast_in_dim", 1);
  if (kind == Hlo::DynamicIota)
    return replaceBy("iota", 0);
  if (kind == Hlo::DynamicPad &&
      addConstants(
          2, {"edge_padding_low", "edge_padding_high", "interior_padding"}))
    return replaceBy("pad", 2);
  if (kind == Hlo::RealDynamicSlice &&
      addConstants(1, {"start_indices", "limit_indices", "strides"}))
    return replaceBy("slice", 1);
  if (kind == Hlo::DynamicGather && addConstants(2, {"slice_sizes"}))
    return replaceBy("gather", 2);
  if (kind == Hlo::DynamicConv && addConstants(2, {"padding"}))
    return replaceBy("convolution", 2);
}

/// Erases those of the functions that nothing names any more.
static void eraseUnused(ModuleOp module,
                        const llvm::SetVector<Operation *> &functions) {
  if (functions.empty())
    return;
  showSymbols(module);
  SymbolTableCollection tables;
  SymbolUserMap users(tables, module);
  for (Operation *function : functions)
    if (users.useEmpty(function))
      function->erase();
}

static SmallVector<Operation *>
opsOf(ModuleOp module, llvm::function_ref<bool(Operation *)> isWanted) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isWanted(op))
      ops.push_back(op);
  });
  return ops;
}

void gaudi::writeDynamicWindows(ModuleOp module) {
  llvm::SetVector<Operation *> calledFunctions;
  for (Operation *op : opsOf(module, StaticForm::isDynamicWindow))
    StaticForm(op, calledFunctions).writeDynamicWindow();
  eraseUnused(module, calledFunctions);
}

void gaudi::writeStaticForms(ModuleOp module) {
  writeDynamicWindows(module);
  llvm::SetVector<Operation *> calledFunctions;
  for (Operation *op :
       opsOf(module, [](Operation *op) { return isStablehlo(op->getName()); }))
    StaticForm(op, calledFunctions).write();
  eraseUnused(module, calledFunctions);
}
