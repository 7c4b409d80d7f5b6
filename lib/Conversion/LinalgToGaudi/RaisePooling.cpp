// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Poolings, named or written as generics, to gaudi.tpc.pool.
//
// The op has the layout N, spatial, C. Dimensions that do not slide are
// independent of the window, so any assignment of them to N and C computes the
// same; the last one is C, along which vectors go.
#include "../Common/Table.h"
#include "Window.h"

using namespace mlir;
using namespace gaudi;
using namespace gaudi::fromlinalg;

namespace {
struct PoolForm {
  PoolKind kind;
  bool ignoreNan;
  bool isUnsigned;
};

struct PoolPlan {
  Value operand;
  Window window;
  DimList outKeys;
  PoolForm form;
  KernelReduce combiner;
};
} // namespace

static std::optional<PoolForm> poolFormOf(KernelReduce kind) {
  static constexpr std::pair<KernelReduce, PoolForm> table[] = {
      {KernelReduce::Add, {PoolKind::Sum, false, false}},
      {KernelReduce::Max, {PoolKind::Max, false, false}},
      {KernelReduce::Min, {PoolKind::Min, false, false}},
      {KernelReduce::MaxNum, {PoolKind::Max, /*ignoreNan=*/true, false}},
      {KernelReduce::MinNum, {PoolKind::Min, /*ignoreNan=*/true, false}},
      {KernelReduce::MaxU, {PoolKind::Max, false, /*isUnsigned=*/true}},
      {KernelReduce::MinU, {PoolKind::Min, false, /*isUnsigned=*/true}}};
  return lookup(table, kind);
}

/// The one input that is read; the others only give the window its size.
static std::optional<unsigned> onlyReadInput(Nest &nest) {
  std::optional<unsigned> read;
  for (unsigned i = 0; i < nest.numInputs(); ++i) {
    if (nest.inputArg(i).use_empty())
      continue;
    if (read)
      return std::nullopt;
    read = i;
  }
  return read;
}

/// The element type as which a pool reads `element`.
static Type pooledType(const PoolForm &form, Type element) {
  return form.isUnsigned ? IntegerType::get(element.getContext(),
                                            element.getIntOrFloatBitWidth(),
                                            IntegerType::Unsigned)
                         : element;
}

/// The bits of `value` with another element type of the same width: a view, so
/// that unsigned maxima of signless tensors cost nothing.
static Value reinterpret(OpBuilder &b, Location loc, Value value,
                         Type element) {
  if (getElementTypeOrSelf(value) == element)
    return value;
  auto type = tensorType(value);
  return BitcastOp::create(b, loc, type.clone(element), value);
}

/// The last dimension that does not slide is C, the others are N.
static SmallVector<Group> groupsOf(const Window &window) {
  DimList others, channel;
  for (int64_t dim : window.plain)
    if (dim != unitDim)
      others.push_back(dim);
  if (!others.empty())
    channel.push_back(others.pop_back_val());
  SmallVector<Group> groups{{'N', others}};
  for (auto [letter, spatial] :
       llvm::zip_equal(window.letters(), window.spatial))
    groups.push_back({letter, {spatial.position}});
  groups.push_back({'C', channel});
  return groups;
}

/// The result in the layout of the operand, which is one attribute for both.
static Arrangement resultLike(const Nest &nest, StringRef layout,
                              ArrayRef<Group> groups) {
  Arrangement out;
  for (char letter : layout) {
    const Group &group = *llvm::find_if(
        groups, [&](const Group &g) { return g.letter == letter; });
    out.order.append(group.dims);
    out.shape.push_back(nest.extentOf(group.dims));
  }
  return out;
}

static Value createPool(Conversion &c, Nest &nest, const PoolPlan &plan) {
  OpBuilder &b = c.rewriter;
  Location loc = nest.op.getLoc();
  SmallVector<int64_t> kernel, strides, dilations;
  for (const Spatial &spatial : plan.window.spatial) {
    kernel.push_back(tapCount(nest, spatial));
    strides.push_back(spatial.stride);
    dilations.push_back(spatial.dilation);
  }
  SmallVector<Group> groups = groupsOf(plan.window);
  DimList inKeys = plan.window.keys();
  auto operandType = tensorType(plan.operand);
  Arrangement in = arrange(inKeys, operandType.getShape(), groups);
  Arrangement out = resultLike(nest, in.layout, groups);
  Value operand = toArrangement(b, loc, plan.operand, inKeys, in);
  // What no window reaches is cut off: it would give more positions.
  operand = cutToReach(b, nest, plan.window, in.layout, operand);
  Type pooled = pooledType(plan.form, operandType.getElementType());
  operand = reinterpret(b, loc, operand, pooled);
  SmallVector<int64_t> noPadding(kernel.size(), 0);
  Value result = PoolOp::create(
      b, loc, RankedTensorType::get(out.shape, pooled), plan.form.kind, operand,
      in.layout, kernel, strides, dilations, noPadding, noPadding,
      /*count_include_pad=*/false, plan.form.ignoreNan);
  result = reinterpret(b, loc, result, operandType.getElementType());
  auto outType = tensorType(nest.init(0));
  result =
      fromArrangement(b, loc, result, out, plan.outKeys, outType.getShape());
  return combineWithInit(c, nest.op, plan.combiner, result, nest.init(0));
}

/// The operator, if gaudi.tpc.pool has it on the element type.
static FailureOr<PoolForm> matchForm(Nest &nest, KernelReduce combiner,
                                     Matcher &m) {
  Type element = getElementTypeOrSelf(nest.init(0));
  auto form = poolFormOf(combiner);
  if (!form || element.isInteger(1) ||
      (form->isUnsigned && element.isInteger(64)))
    return m.refuse("gaudi.tpc.pool does not have the operator on '" +
                    spelled(element) + "'");
  return *form;
}

/// Every dimension of the operand is in the result, and everything that is
/// reduced is a tap. Then each result is the operator over exactly one window,
/// each element of which is read once.
static LogicalResult checkDims(Nest &nest, const Window &window,
                               ArrayRef<int64_t> outKeys, Matcher &m) {
  DimList inKeys = window.keys();
  size_t taps = llvm::count_if(
      window.spatial, [](const Spatial &s) { return s.tap != unitDim; });
  bool allKept = llvm::all_of(inKeys, [&](int64_t key) {
    return !nest.reduction[key] && llvm::is_contained(outKeys, key);
  });
  if (!allKept || inKeys.size() != outKeys.size() ||
      taps != size_t(llvm::count(nest.reduction, true)))
    return m.refuse("a dimension outside the window is reduced or missing");
  return success();
}

LinalgMatch fromlinalg::raisePooling(Nest &nest, Matcher &m) {
  if (!nest.hasReduction() || nest.numOutputs() != 1)
    return failure();
  // The other operand of a named pooling is the window, of which only the shape
  // matters.
  auto number = onlyReadInput(nest);
  if (!number || !isa<RankedTensorType>(nest.input(*number).getType()))
    return failure();
  auto window = matchWindow(nest, nest.inputMap(*number), m);
  if (failed(window))
    return failure();
  auto reduction = matchReduction(nest, 0);
  // A function of the values is computed before; a kernel does both at once.
  if (!reduction || reduction->value != nest.inputArg(*number))
    return m.refuse("the body does not pool each value as it is");
  auto form = matchForm(nest, reduction->kind, m);
  if (failed(form))
    return failure();
  Type element = getElementTypeOrSelf(nest.init(0));
  if (getElementTypeOrSelf(nest.input(*number)) != element)
    return m.refuse("operand and result have different element types");
  auto outKeys = plainDims(nest.outputMap(0));
  if (!outKeys)
    return m.refuse("the result is not indexed by plain dimensions");
  if (failed(checkDims(nest, *window, *outKeys, m)))
    return failure();
  // The pool rounds its sum to the narrow type; adding the init would round a
  // second time, the loop nest rounds once.
  TypedAttr fill = knownFill(nest.init(0));
  bool startsFromIdentity = fill && isNeutral(reduction->kind, fill);
  if (form->kind == PoolKind::Sum && isa<FloatType>(element) &&
      !element.isF32() && !startsFromIdentity && !isUndefined(nest.init(0)))
    return m.refuse("a narrow float sum starts from a value other than 0");
  PoolPlan plan{nest.input(*number), *window, *outKeys, *form, reduction->kind};
  return build(
      [&nest, plan](Conversion &c) { return createPool(c, nest, plan); });
}
