// Poolings, named or written as generics, to gaudi.tpc.pool.
#include "Window.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::gaudi;
using namespace mlir::gaudi::fromlinalg;

namespace {
struct PoolForm {
  PoolKind kind;
  bool ignoreNan;
  bool isUnsigned;
};
} // namespace

static std::optional<PoolForm> poolFormOf(Combiner kind) {
  switch (kind) {
  case Combiner::Add:
    return PoolForm{PoolKind::Sum, false, false};
  case Combiner::MaxF:
  case Combiner::MaxS:
    return PoolForm{PoolKind::Max, false, false};
  case Combiner::MinF:
  case Combiner::MinS:
    return PoolForm{PoolKind::Min, false, false};
  case Combiner::MaxNumF:
    return PoolForm{PoolKind::Max, true, false};
  case Combiner::MinNumF:
    return PoolForm{PoolKind::Min, true, false};
  case Combiner::MaxU:
    return PoolForm{PoolKind::Max, false, true};
  case Combiner::MinU:
    return PoolForm{PoolKind::Min, false, true};
  default:
    return std::nullopt;
  }
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

Raised fromlinalg::raisePooling(Conversion &c, Nest &nest, std::string &why) {
  why = "";
  if (!nest.hasReduction() || nest.numOutputs() != 1)
    return std::nullopt;
  auto number = onlyReadInput(nest);
  if (!number || !isa<RankedTensorType>(nest.input(*number).getType()))
    return std::nullopt;
  auto window = matchWindow(nest, nest.inputMap(*number), why);
  if (!window)
    return std::nullopt;
  why = "the body does not pool each value as it is";
  auto reduction = matchReduction(nest, 0);
  if (!reduction || reduction->value != nest.inputArg(*number))
    return std::nullopt;
  auto form = poolFormOf(reduction->kind);
  Value operand = nest.input(*number);
  auto outType = cast<RankedTensorType>(nest.init(0).getType());
  Type element = outType.getElementType();
  why = "gaudi.tpc.pool does not have the operator on '" +
        llvm::formatv("{0}", element).str() + "'";
  if (!form || element.isInteger(1) ||
      (form->isUnsigned && element.isInteger(64)))
    return std::nullopt;
  why = "operand and result have different element types";
  if (getElementTypeOrSelf(operand) != element)
    return std::nullopt;
  why = "the result is not indexed by plain dimensions";
  auto outKeys = plainDims(nest.outputMap(0));
  if (!outKeys)
    return std::nullopt;
  why = "a dimension outside of the window is reduced or missing";
  DimList inKeys = window->plain, others;
  for (const Spatial &spatial : window->spatial)
    inKeys[spatial.tensorDim] = spatial.position;
  for (int64_t key : inKeys)
    if (nest.reduction[key] || !llvm::is_contained(*outKeys, key))
      return std::nullopt;
  if (inKeys.size() != outKeys->size())
    return std::nullopt;
  size_t taps = 0;
  for (const Spatial &spatial : window->spatial)
    taps += spatial.tap != unitDim;
  if (taps != size_t(llvm::count(nest.reduction, true)))
    return std::nullopt;
  TypedAttr fill = knownFill(nest.init(0));
  bool startsFromIdentity = fill && isIdentity(reduction->kind, fill);
  why = "a narrow float sum starts from a value other than 0";
  if (form->kind == PoolKind::Sum && isa<FloatType>(element) &&
      !element.isF32() && !startsFromIdentity && !isUndefined(nest.init(0)))
    return std::nullopt;

  // The last dimension that does not slide is C, the others are N.
  for (int64_t dim : window->plain)
    if (dim != unitDim)
      others.push_back(dim);
  DimList channel;
  if (!others.empty())
    channel.push_back(others.pop_back_val());
  SmallVector<Group> groups{{'N', others}};
  SmallVector<int64_t> kernel, strides, dilations;
  StringRef letters = StringRef("DHW").take_back(window->spatial.size());
  for (auto [letter, spatial] : llvm::zip_equal(letters, window->spatial)) {
    groups.push_back({letter, {spatial.position}});
    kernel.push_back(spatial.tap == unitDim ? 1 : nest.extents[spatial.tap]);
    strides.push_back(spatial.stride);
    dilations.push_back(spatial.dilation);
  }
  groups.push_back({'C', channel});

  OpBuilder &b = c.rewriter;
  Location loc = nest.op.getLoc();
  auto sizes = cast<RankedTensorType>(operand.getType()).getShape();
  Arrangement in = arrange(inKeys, sizes, groups);
  // One layout names the dimensions of both.
  SmallVector<Group> ordered;
  for (char letter : in.layout)
    ordered.push_back(*llvm::find_if(
        groups, [&](const Group &g) { return g.letter == letter; }));
  Arrangement out;
  for (const Group &group : ordered) {
    int64_t size = 1;
    for (int64_t key : group.dims)
      size *= nest.extents[key];
    out.order.append(group.dims);
    out.shape.push_back(size);
  }
  operand = toArrangement(b, loc, operand, inKeys, in);
  SmallVector<int64_t> reach(in.shape);
  bool cut = false;
  for (auto [i, letter] : llvm::enumerate(in.layout)) {
    size_t at = letters.find(letter);
    if (at == StringRef::npos)
      continue;
    int64_t needed =
        (out.shape[i] - 1) * strides[at] + (kernel[at] - 1) * dilations[at] + 1;
    // A rest smaller than one stride gives the same number of positions.
    if (reach[i] - needed >= strides[at]) {
      reach[i] = needed;
      cut = true;
    }
  }
  if (cut)
    operand = SliceOp::create(b, loc, RankedTensorType::get(reach, element),
                              operand, SmallVector<int64_t>(reach.size(), 0),
                              SmallVector<int64_t>(reach.size(), 1));
  Type poolElement = element;
  if (form->isUnsigned) {
    poolElement = IntegerType::get(
        b.getContext(), element.getIntOrFloatBitWidth(), IntegerType::Unsigned);
    operand = BitcastOp::create(
        b, loc, cast<RankedTensorType>(operand.getType()).clone(poolElement),
        operand);
  }
  SmallVector<int64_t> noPadding(kernel.size(), 0);
  Value result = PoolOp::create(
      b, loc, RankedTensorType::get(out.shape, poolElement), form->kind,
      operand, in.layout, kernel, strides, dilations, noPadding, noPadding,
      /*count_include_pad=*/false, form->ignoreNan);
  if (form->isUnsigned)
    result = BitcastOp::create(
        b, loc, cast<RankedTensorType>(result.getType()).clone(element),
        result);
  result = fromArrangement(b, loc, result, out, *outKeys, outType.getShape());
  return SmallVector<Value>{
      combineWithInit(c, nest.op, reduction->kind, result, nest.init(0))};
}
