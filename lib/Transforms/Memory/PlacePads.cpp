// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites insertions into constants.
#include "PlacePads.h"
#include "SeparateOutputs.h"

#include "AliasReport.h"
#include "Gaudi/Dialect/TrainingOps.h"
#include "Gaudi/Transforms/Memory/BufferLayout.h"
#include "mlir/IR/Remarks.h"

namespace gaudi {
namespace {

remark::RemarkOpts named(StringRef name) {
  return remark::RemarkOpts::name(name).category(AliasReport::category);
}

/// The op that computes the source where it could write to the slice, or null.
Operation *writerOf(InsertSliceOp insert) {
  Value source = insert.getSource();
  while (Operation *view = source.getDefiningOp()) {
    if (!isa<ReshapeOp, BitcastOp>(view))
      break;
    source = view->getOperand(0);
  }
  Operation *op = source.getDefiningOp();
  return op && !isa<ConstantOp, ViewOpInterface>(op) ? op : nullptr;
}

/// The padding on one side: along dimension `dim`, before or after the inner
/// elements.
struct Side {
  unsigned dim;
  bool isBefore;
  RankedTensorType type;
};

/// The padding around a dense window, the innermost dimension first: each side
/// is as large as the inner elements and the sides before together.
std::optional<SmallVector<Side>> paddingOf(InsertSliceOp insert) {
  RankedTensorType whole = insert.getType();
  SmallVector<int64_t> sizes(tensorType(insert.getSource()).getShape());
  SmallVector<Side> padding;
  for (unsigned dim = sizes.size(); dim-- > 0;) {
    const int64_t low = insert.getOffsets()[dim],
                  high = whole.getDimSize(dim) - low - sizes[dim];
    // The stride of a single element has no effect.
    if (insert.getStrides()[dim] != 1 && sizes[dim] > 1)
      return std::nullopt;
    for (auto [size, isBefore] : {std::pair(low, true), std::pair(high, false)})
      if (size != 0) {
        SmallVector<int64_t> shape = sizes;
        shape[dim] = size;
        padding.push_back(
            {dim, isBefore,
             RankedTensorType::get(shape, whole.getElementType())});
      }
    sizes[dim] = whole.getDimSize(dim);
  }
  return padding;
}
} // namespace

PadPlacer::PadPlacer(func::FuncOp function, const DeviceTime &time)
    : time(time) {
  Block &block = function.getBody().front();
  for (auto [i, op] : llvm::enumerate(block))
    steps[&op] = i + 1;
  for (auto insert :
       llvm::make_early_inc_range(block.getOps<InsertSliceOp>())) {
    auto constant = insert.getDest().getDefiningOp<ConstantOp>();
    if (!constant || elementCount(insert.getSource()) == 0)
      continue;
    auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
    if (!splat || !concatenate(insert, splat))
      copyEarly(insert);
  }
}

/// The copy of the constant stays where it is.
void PadPlacer::reportMissed(InsertSliceOp insert, StringRef reason) const {
  if (explains(insert))
    remark::missed(insert.getLoc(), named("pad"))
        << remark::reason("copied the constant of {0} bytes, then operand 0 "
                          "into it: {1}; the "
                          "copy of the constant takes {2}",
                          byteCount(insert.getDest()), reason,
                          time.text(time.ofCopy(insert.getDest())))
        << lost(time.ofCopy(insert.getDest()));
}

bool PadPlacer::concatenate(InsertSliceOp insert, SplatElementsAttr splat) {
  const auto padding = paddingOf(insert);
  if (!padding || padding->empty())
    return false;
  OpBuilder builder(insert);
  SmallVector<Value> constants;
  Picoseconds copies = 0;
  // Made before the decision, since the time model is asked about ops.
  for (const Side &side : *padding) {
    constants.push_back(ConstantOp::create(builder, insert.getLoc(),
                                           splat.resizeSplat(side.type)));
    copies += time.ofCopy(constants.back());
  }
  if (copies > time.ofCopy(insert.getDest())) {
    for (Value constant : constants)
      constant.getDefiningOp()->erase();
    return false;
  }
  if (explains(insert))
    remark::passed(insert.getLoc(), named("pad")) << remark::add(
        "concatenated operand 0 with a constant on {0} of its sides: their "
        "copies take {1}, that of the whole constant {2}",
        padding->size(), time.text(copies),
        time.text(time.ofCopy(insert.getDest())));
  Value inner = insert.getSource();
  // Sides of one dimension become one concatenation of up to three parts; the
  // next dimension is around it.
  for (size_t i = 0; i < padding->size();) {
    const unsigned dim = (*padding)[i].dim;
    SmallVector<Value, 3> parts = {inner};
    SmallVector<int64_t> sizes(tensorType(inner).getShape());
    for (; i < padding->size() && (*padding)[i].dim == dim; ++i) {
      parts.insert((*padding)[i].isBefore ? parts.begin() : parts.end(),
                   constants[i]);
      sizes[dim] += (*padding)[i].type.getDimSize(dim);
    }
    auto concat = ConcatOp::create(
        builder, insert.getLoc(),
        RankedTensorType::get(sizes, insert.getType().getElementType()), parts,
        dim);
    concat.setEngine(insert.getEngine());
    inner = concat;
  }
  assert(inner.getType() == insert.getType() && "padding fills the rest");
  Operation *constant = insert.getDest().getDefiningOp();
  insert.replaceAllUsesWith(inner);
  insert.erase();
  if (constant->use_empty())
    constant->erase();
  return true;
}

/// Parts of what a concatenation or an update writes come before it, and would
/// be copied if the constant came later.
void PadPlacer::copyEarly(InsertSliceOp insert) {
  Operation *writer = writerOf(insert);
  if (!writer || isa<ConcatOp>(writer) || updatedOperand(writer))
    return reportMissed(
        insert, writer ? "parts of operand 0 are written before the op that "
                         "joins them"
                       : "no op computes operand 0");
  Operation *constant = insert.getDest().getDefiningOp();
  assert(steps.lookup(writer) != 0 && "it was there before");
  if (steps.lookup(constant) > steps.lookup(writer)) {
    constant->moveBefore(&writer->getBlock()->front());
    steps[constant] = 0;
  }
  OpBuilder builder(writer);
  Operation *copy = createCopy(builder, insert.getDest(), time);
  copy->setLoc(insert.getLoc());
  insert.getDestMutable().assign(copy->getResult(0));
  early.insert(copy);
  inserts.push_back(insert);
}

void PadPlacer::drop(const SlicePlacer &slices) {
  for (InsertSliceOp insert : inserts)
    if (const CopyReason *reason = slices.refusal(insert.getSourceMutable())) {
      reportMissed(insert, reason->text);
      Operation *copy = insert.getDest().getDefiningOp();
      insert.getDestMutable().assign(copy->getOperand(0));
      early.erase(copy);
      copy->erase();
    } else if (explains(insert)) {
      remark::passed(insert.getLoc(), named("pad")) << remark::add(
          "copied the constant of {0} bytes before '{1}' computes operand 0 in "
          "its slice",
          byteCount(insert.getDest()),
          writerOf(insert)->getName().getStringRef());
    }
}
} // namespace gaudi
