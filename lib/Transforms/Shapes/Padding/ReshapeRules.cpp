// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rule of reshapes: of dimensions that are collapsed or divided, and of
// elements that move.
#include "Gaudi/Dialect/PaddingOps.h"
#include "PaddingEditor.h"
#include "PaddingRules.h"

using namespace mlir;
using namespace gaudi;

/// A reshape of a program that has the real elements only, from the factors
/// `from` to `to`: those of `lead` dimensions before and `trail` after them
/// stay.
static void reshapeReal(Operation *op, PaddingEditor &editor, size_t lead,
                        size_t trail, ArrayRef<Factor> to,
                        ArrayRef<Factor> from) {
  auto reshape = cast<ReshapeOp>(op);
  OpBuilder builder(op);
  const Location loc = op->getLoc();
  RankedTensorType type = tensorType(reshape.getOperand());
  const ArrayRef<int64_t> sizes = type.getShape();
  SmallVector<int64_t> flat(sizes.take_front(lead));
  flat.push_back(sizeOf(DimPadding(from)));
  llvm::append_range(flat, sizes.take_back(trail));
  RankedTensorType flatType = type.clone(flat);
  Value value = reshape.getOperand();
  if (flatType != type)
    value = ReshapeOp::create(builder, loc, flatType, value);
  value = GatherOp::create(builder, loc, flatType, value,
                           editor.positions(to, from), lead, /*batch_dims=*/0);
  if (flatType != reshape.getType())
    value = ReshapeOp::create(builder, loc, reshape.getType(), value);
  reshape.replaceAllUsesWith(value);
  op->erase();
}

/// True if elements of `dims` are where a marker says that those of the program
/// are.
static bool agrees(ArrayRef<DimPadding> dims, ValidOp marker,
                   const SymbolSizes &sizes) {
  for (auto [dim, value] :
       llvm::zip_equal(marker.getDims(), marker.getExtents())) {
    const AffineExpr extent = extentValue(value);
    if (!extent || !sizes.areEqual(extent, extentOf(dims[dim], sizes)))
      return false;
  }
  return true;
}

/// A reshape between factors, but for dimensions at the ends.
struct MovedReshape {
  size_t lead = 0, trail = 0;
  SmallVector<DimPadding, 4> to;
};

/// Where a marker has the elements of a reshape. Dimensions at the ends that it
/// says nothing of are those of the operand, as far as that leaves as many
/// elements in between; all others are real as a whole.
static std::optional<MovedReshape> movedReshape(const PaddingRule &rule,
                                                ReshapeOp op, ValidOp marker) {
  const SymbolSizes &sizes = rule.sizes;
  const ArrayRef<DimPadding> from = rule.in(0).dims;
  SmallVector<DimPadding, 4> to;
  for (int64_t size : op.getType().getShape())
    to.push_back({{size, {}, false, {}}});
  for (auto [dim, value] :
       llvm::zip_equal(marker.getDims(), marker.getExtents()))
    if (AffineExpr extent = extentValue(value))
      if (sizes.rangeOf(extent).low < sizeOf(to[dim]))
        to[dim] = {{sizeOf(to[dim]), sizes.simplify(extent), false, {}}};
  auto isSame = [&](const DimPadding &old, size_t dim) {
    return sizeOf(old) == sizeOf(to[dim]) &&
           (!llvm::is_contained(marker.getDims(), int64_t(dim)) ||
            sizes.areEqual(extentOf(old, sizes), extentOf(to[dim], sizes)));
  };
  const size_t rank = std::min(from.size(), to.size());
  size_t lead = 0, trail = 0;
  while (lead < rank && isSame(from[lead], lead))
    ++lead;
  while (trail < rank && isSame(from.rbegin()[trail], to.size() - 1 - trail))
    ++trail;
  auto count = [&](ArrayRef<DimPadding> dims, size_t first, size_t last) {
    AffineExpr product = sizes.constant(1);
    for (const DimPadding &dim : dims.drop_front(first).drop_back(last))
      product = product * extentOf(dim, sizes);
    return sizes.simplify(product);
  };
  for (size_t first = lead + 1; first-- > 0;)
    for (size_t last = std::min(trail, rank - first) + 1; last-- > 0;) {
      if (!sizes.areEqual(count(from, first, last), count(to, first, last)))
        continue;
      std::copy_n(from.begin(), first, to.begin());
      std::copy_n(from.rbegin(), last, to.rbegin());
      return MovedReshape{first, last, to};
    }
  return std::nullopt;
}

/// The program has other elements next to each other than the variant has.
static bool moveReshaped(PaddingRule &rule, ReshapeOp op, ValidOp marker) {
  const auto moved = movedReshape(rule, op, marker);
  if (!moved)
    return false;
  const size_t lead = moved->lead, trail = moved->trail;
  auto factorsOf = [&](ArrayRef<DimPadding> dims) {
    SmallVector<Factor> factors;
    for (const DimPadding &dim : dims.drop_front(lead).drop_back(trail))
      llvm::append_range(factors, structureOf(dim));
    return factors;
  };
  const SmallVector<Factor> to = factorsOf(moved->to),
                            from = factorsOf(rule.in(0).dims);
  rule.result().dims.assign(moved->to.begin(), moved->to.end());
  rule.setEdit("reshaped real elements only, by a gather",
               [=](Operation *op, PaddingEditor &editor) {
                 reshapeReal(op, editor, lead, trail, to, from);
               });
  return true;
}

static void addReshape(PaddingRule &rule, ReshapeOp op) {
  const PaddingState &from = rule.in(0);
  ValidOp marker = markerOf(op.getResult());
  rule.result().splat = from.splat;
  const ArrayRef<int64_t> shape = op.getType().getShape();
  if (llvm::is_contained(shape, 0))
    return; // no elements
  // The program reshapes the real elements. Where a size that is divided is no
  // multiple for all symbols, it is for those that the program admits: if the
  // marker has the sizes that the division gives.
  for (bool assumesMultiples : {false, true}) {
    auto dims = reshapeFactors(from.dims, shape, rule.sizes, assumesMultiples);
    if (dims &&
        (marker ? agrees(*dims, marker, rule.sizes) : !assumesMultiples)) {
      rule.result().dims = *dims;
      return;
    }
  }
  if (marker && rule.in(0).isPadded() && moveReshaped(rule, op, marker))
    return;
  // Of a value that is real as far as is known, the marker knows more.
  if (auto dims = reshapeFactors(from.dims, shape, rule.sizes, false)) {
    rule.result().dims = *dims;
    return;
  }
  rule.fail("the real elements of its operand are not in rows of the result; a "
            "divisor of the symbol, as in 'NAME=MIN..MAX/MULTIPLE', would "
            "help");
}

bool gaudi::addReshapeRule(PaddingRule &rule) {
  auto op = dyn_cast<ReshapeOp>(rule.op);
  if (op)
    addReshape(rule, op);
  return bool(op);
}
