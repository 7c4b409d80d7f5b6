// Rules of gathers and scatters: an index that is padding must stop no launch,
// and write no real element.
#include "Gaudi/Dialect/TrainingOps.h"
#include "PaddingEditor.h"
#include "PaddingRules.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::gaudi;

static SmallVector<int64_t> allDims(const PaddingState &state) {
  return llvm::to_vector(llvm::seq<int64_t>(0, state.dims.size()));
}

static TypedAttr indexOf(Type type, int64_t value) {
  return IntegerAttr::get(type, value);
}

/// Padded indices are in [0, size): 0 if nothing else is known.
static void requireInside(PaddingRule &rule, unsigned operand, int64_t size) {
  rule.require(operand, allDims(rule.in(operand)),
               indexOf(rule.elementOf(operand), 0), [&](TypedAttr content) {
                 auto index = dyn_cast<IntegerAttr>(content);
                 return index && index.getInt() >= 0 && index.getInt() < size;
               });
}

static constexpr StringLiteral counts = "indices count its elements";

static void addGather(PaddingRule &rule, GatherOp op) {
  const int64_t axis = op.getAxis(), batch = op.getBatchDims();
  const int64_t rank = rule.in(0).dims.size(),
                own = rule.in(1).dims.size() - batch;
  PaddingState &result = rule.result();
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (dim == axis)
      continue;
    const int64_t to = dim < axis ? dim : dim - 1 + own;
    result.dims[to] = dim < batch ? rule.common({{0, dim}, {1, dim}},
                                                op.getType().getDimSize(to))
                                  : rule.same(0, dim);
    for (auto [i, factor] : llvm::enumerate(result.dims[to]))
      if (dim >= batch)
        factor.content = rule.in(0).contentAt(dim, i);
  }
  for (int64_t i = 0; i < own; ++i) {
    result.dims[axis + i] = rule.same(1, batch + i);
    for (Factor &factor : result.dims[axis + i])
      factor.repeats = rule.in(1).repeatsAt(batch + i);
  }
  result.splat = rule.in(0).splat;
  if (rule.requirePrefix(0, axis, counts))
    requireInside(rule, 1, tensorType(op.getData()).getDimSize(axis));
}

/// The other dimensions of data are those of the indices, unless larger.
static DimPadding elementDim(PaddingRule &rule, int64_t dim) {
  const int64_t size = sizeOf(rule.in(1).dims[dim]);
  if (sizeOf(rule.in(0).dims[dim]) == size)
    return rule.common({{0, dim}, {1, dim}}, size);
  rule.requirePrefix(0, dim, counts);
  return rule.same(1, dim);
}

static void addGatherElements(PaddingRule &rule, GatherElementsOp op) {
  const int64_t axis = op.getAxis();
  for (int64_t dim = 0; dim < op.getType().getRank(); ++dim)
    rule.result().dims[dim] =
        dim == axis ? rule.same(1, dim) : elementDim(rule, dim);
  if (rule.requirePrefix(0, axis, counts))
    requireInside(rule, 1, tensorType(op.getData()).getDimSize(axis));
}

/// The number that changes no other when it is added: also of -0 the sign.
static TypedAttr nothingToAdd(Type element) {
  auto type = dyn_cast<FloatType>(element);
  return type ? FloatAttr::get(type,
                               APFloat::getZero(type.getFloatSemantics(), true))
              : zeroOf(element);
}

/// Rows that no index drops are dropped by an index outside of data. One that
/// the program has outside of it is dropped, too.
static void dropPadding(Operation *op, PaddingEditor &) {
  OpBuilder builder(op);
  auto rows = ScatterRowsOp::create(
      builder, op->getLoc(), op->getResult(0).getType(), op->getOperand(0),
      op->getOperand(1), op->getOperand(2), /*accumulate=*/false,
      /*drop_outside=*/true);
  op->replaceAllUsesWith(rows);
  op->erase();
}

/// data [N, K, C], indices [N, W], updates [N, W, C].
static void addScatterRows(PaddingRule &rule, bool accumulates, bool drops) {
  PaddingState &result = rule.result();
  const ArrayRef<int64_t> shape = tensorType(rule.op->getResult(0)).getShape();
  result.dims[0] = rule.common({{0, 0}, {1, 0}, {2, 0}}, shape[0]);
  result.dims[1] = rule.same(0, 1);
  result.dims[2] = rule.common({{0, 2}, {2, 2}}, shape[2]);
  // Real rows are in the order of the program, also in a collapsed dimension:
  // the last of equal indices is the same one.
  if (!rule.requirePrefix(0, 1, counts))
    return;
  rule.common({{1, 1}, {2, 1}}, sizeOf(rule.in(1).dims[1]));
  if (!rule.isPadded(1, {0, 1}) && !rule.isPadded(2, {0, 1}))
    return;
  // Padding of either operand is padding of the row.
  PaddingState state = rule.in(1);
  for (int64_t dim : {0, 1})
    if (!state.isPadded(dim))
      state.dims[dim] = rule.in(2).dims[dim];
  auto mask = [&](unsigned operand, TypedAttr value) {
    MaskRequest request{operand, {}, value};
    for (int64_t dim : {0, 1})
      state.addConditions(dim, request.conditions, [](size_t) { return true; });
    rule.out.masks.push_back(request);
  };
  const Type index = rule.elementOf(1);
  if (accumulates && !drops) {
    mask(1, indexOf(index, 0));
    mask(2, nothingToAdd(rule.elementOf(2)));
    return;
  }
  mask(1, indexOf(index, -1));
  if (!drops)
    rule.setEdit("dropped rows that are padding", dropPadding);
}

static void addScatterElements(PaddingRule &rule, ScatterElementsOp op) {
  const int64_t axis = op.getAxis();
  PaddingState &result = rule.result() = rule.in(0);
  result.splat = {};
  bool writesReal = rule.isPadded(1, {axis}) || rule.isPadded(2, {axis});
  for (int64_t dim = 0; dim < op.getType().getRank(); ++dim) {
    for (Factor &factor : result.dims[dim]) {
      factor.content = {};
      factor.repeats = false;
    }
    if (rule.isPadded(0, {dim}) && !rule.requirePrefix(0, dim, counts))
      return;
    const DimPadding written =
        rule.common({{1, dim}, {2, dim}}, sizeOf(rule.in(1).dims[dim]));
    if (dim == axis)
      continue;
    const bool isWhole = sizeOf(written) == sizeOf(rule.in(0).dims[dim]);
    if (isWhole)
      rule.common({{0, dim}, {1, dim}, {2, dim}}, sizeOf(written));
    // Padding of updates that is padding of data may be written.
    writesReal |= isPadded(written) && !(isWhole && rule.isPadded(0, {dim}));
  }
  if (writesReal && !op.getAccumulate())
    return rule.fail("padding of operand 1 or 2 would be written to an element "
                     "of operand 0");
  requireInside(rule, 1, tensorType(op.getData()).getDimSize(axis));
  rule.require(2, allDims(rule.in(2)), nothingToAdd(rule.elementOf(2)));
}

bool mlir::gaudi::addIndexRule(PaddingRule &rule) {
  return llvm::TypeSwitch<Operation *, bool>(rule.op)
      .Case([&](GatherOp op) { return addGather(rule, op), true; })
      .Case([&](GatherElementsOp op) {
        return addGatherElements(rule, op), true;
      })
      .Case([&](ScatterOp) { return addScatterRows(rule, false, false), true; })
      .Case([&](ScatterRowsOp op) {
        addScatterRows(rule, op.getAccumulate(), op.getDropOutside());
        return true;
      })
      .Case([&](ScatterElementsOp op) {
        return addScatterElements(rule, op), true;
      })
      .Default(false);
}
