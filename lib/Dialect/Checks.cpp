// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that verifiers of several ops share.
#include "Checks.h"
#include "Gaudi/Kernel/Rounding.h"

using namespace mlir;
using namespace gaudi;

LogicalResult gaudi::failAt(InFlightDiagnostic &&error, Value value,
                            StringRef what) {
  // A result of the op itself is no other party.
  if (error.getUnderlyingDiagnostic()->getLocation() != value.getLoc())
    error.attachNote(value.getLoc()) << what << " defined here";
  return failure();
}

#define GAUDI_SAME_ROUNDING(name)                                              \
  static_assert(size_t(FloatRounding::name) == size_t(kernel::Rounding::name))
GAUDI_SAME_ROUNDING(NearestEven);
GAUDI_SAME_ROUNDING(TowardZero);
GAUDI_SAME_ROUNDING(Upward);
GAUDI_SAME_ROUNDING(Downward);
GAUDI_SAME_ROUNDING(NearestAway);
GAUDI_SAME_ROUNDING(Stochastic);
GAUDI_SAME_ROUNDING(StochasticNormal);
#undef GAUDI_SAME_ROUNDING

LogicalResult gaudi::verifyRandomWords(Operation *op, FloatRounding rounding,
                                       Value words) {
  const bool reads = kernel::isStochastic(kernel::Rounding(rounding));
  if (reads == bool(words))
    return success();
  return op->emitOpError("rounds ")
         << stringifyFloatRounding(rounding)
         << (reads ? " but has no random words" : ", which reads no words");
}

LogicalResult gaudi::verifyAxis(Operation *op, int64_t axis, Value tensor,
                                StringRef what) {
  RankedTensorType type = tensorType(tensor);
  if (axis >= 0 && axis < type.getRank())
    return success();
  return failAt(op->emitOpError("axis ") << axis << " is outside [0, "
                                         << type.getRank() << ") of " << type,
                tensor, what);
}

LogicalResult gaudi::verifyShape(Operation *op, Value tensor,
                                 ArrayRef<int64_t> expected, StringRef what,
                                 Value cause, StringRef causeName) {
  RankedTensorType type = tensorType(tensor);
  if (type.getShape() == expected)
    return success();
  return failAt(op->emitOpError() << what << " has type " << type
                                  << "; expected shape [" << expected << "]",
                cause, causeName);
}

LogicalResult gaudi::verifySameElement(Operation *op, Value operand,
                                       StringRef what) {
  Type from = getElementTypeOrSelf(operand);
  Type to = getElementTypeOrSelf(op->getResult(0));
  if (from == to)
    return success();
  return failAt(op->emitOpError() << what << " has element type " << from
                                  << " but the result has " << to,
                operand, what);
}

LogicalResult gaudi::verifyAscending(Operation *op, ArrayRef<int64_t> dims,
                                     Value tensor, StringRef what) {
  int64_t last = -1, rank = tensorType(tensor).getRank();
  for (int64_t dim : dims) {
    if (dim <= last || dim >= rank)
      return failAt(op->emitOpError("dims [")
                        << dims << "] must ascend within [0, " << rank << ")",
                    tensor, what);
    last = dim;
  }
  return success();
}

LogicalResult gaudi::verifyElementIndices(Operation *op, Value data,
                                          Value indices, int64_t axis) {
  RankedTensorType from = tensorType(data), at = tensorType(indices);
  if (at.getRank() != from.getRank())
    return failAt(op->emitOpError("indices have type ")
                      << at << " but data has rank " << from.getRank(),
                  data, "data");
  // An index replaces one coordinate of its own position; the others must be
  // inside the data.
  for (int64_t i = 0; i < from.getRank(); ++i)
    if (i != axis && at.getDimSize(i) > from.getDimSize(i))
      return failAt(op->emitOpError("indices dimension ")
                        << i << " has size " << at.getDimSize(i)
                        << " but data has only " << from.getDimSize(i),
                    data, "data");
  return success();
}

LogicalResult gaudi::verifyConcatenation(Operation *op, Value whole,
                                         ValueRange parts, int64_t axis,
                                         StringRef wholeName,
                                         StringRef partName) {
  RankedTensorType type = tensorType(whole);
  if (failed(verifyAxis(op, axis, whole, wholeName)))
    return failure();
  if (parts.empty())
    return op->emitOpError("must have at least one ") << partName;
  // Saturated: a sum beyond int64 is the size of no tensor.
  int64_t total = 0;
  for (auto [i, part] : llvm::enumerate(parts)) {
    RankedTensorType other = tensorType(part);
    bool same = other.getRank() == type.getRank() &&
                other.getElementType() == type.getElementType();
    for (int64_t d = 0; same && d < type.getRank(); ++d)
      same = d == axis || other.getDimSize(d) == type.getDimSize(d);
    // The only operand of a split is the whole: the note points there.
    if (!same)
      return failAt(op->emitOpError()
                        << partName << " " << i << " has type " << other
                        << " but the " << wholeName << " has type " << type
                        << "; only dimension " << axis << " may differ",
                    op->getNumOperands() == 1 ? whole : part,
                    op->getNumOperands() == 1 ? wholeName : partName);
    total = saturatingAdd(total, other.getDimSize(axis));
  }
  if (total != type.getDimSize(axis))
    return failAt(op->emitOpError()
                      << partName << "s have " << total
                      << " elements along axis " << axis << " but the "
                      << wholeName << " has " << type.getDimSize(axis),
                  op->getOperand(0),
                  op->getNumOperands() == 1 ? wholeName : "the first operand");
  return success();
}

LogicalResult gaudi::verifyWindowEntries(Operation *op, StringRef name,
                                         ArrayRef<int64_t> values,
                                         int64_t least, int64_t spatialRank) {
  if (int64_t(values.size()) != spatialRank)
    return op->emitOpError("'")
           << name << "' has " << values.size() << " entries; expected "
           << spatialRank << ", one per spatial dimension";
  // The bound lets verifiers and kernels multiply entries by sizes.
  for (int64_t value : values)
    if (value < least || value > maxWindowEntry)
      return op->emitOpError("'")
             << name << "' has entry " << value << "; expected " << least
             << " to " << maxWindowEntry;
  return success();
}

LogicalResult gaudi::verifyPoolWindow(Operation *op, const Pooling &pooling,
                                      Value whole, StringRef wholeName,
                                      Value positions,
                                      StringRef positionsName) {
  auto from = tensorType(whole), to = tensorType(positions);
  // The op's own result is no other party.
  const bool isResult = whole.getDefiningOp() == op;
  Value other = isResult ? positions : whole;
  StringRef otherName = isResult ? positionsName : wholeName;
  int64_t spatial = from.getRank() - 2;
  if (spatial < 1 || spatial > 3 || to.getRank() != from.getRank())
    return op->emitOpError()
           << wholeName << " " << from << " and " << positionsName << " " << to
           << " must have one rank of 3, 4 or 5";
  StringRef letters = spatialLetters(spatial);
  std::string expectedLayout = ("NC" + letters).str();
  if (!isLayoutOf(pooling.layout, expectedLayout))
    return op->emitOpError("layout \"")
           << pooling.layout << "\" must name each of \"" << expectedLayout
           << "\" once";
  for (auto [what, values, least] :
       {std::tuple("kernel", pooling.kernel, 1),
        std::tuple("strides", pooling.strides, 1),
        std::tuple("dilations", pooling.dilations, 1),
        std::tuple("pad_low", pooling.padLow, 0),
        std::tuple("pad_high", pooling.padHigh, 0)})
    if (failed(verifyWindowEntries(op, what, values, least, spatial)))
      return failure();
  // Spatial dimensions are checked against the window; batch and channels just
  // pass through.
  for (auto [i, letter] : llvm::enumerate(pooling.layout)) {
    size_t s = letters.find(letter);
    if (s == StringRef::npos) {
      if (from.getDimSize(i) != to.getDimSize(i))
        return failAt(op->emitOpError("size of ")
                          << pooling.layout.substr(i, 1) << " is "
                          << from.getDimSize(i) << " in the " << wholeName
                          << " but " << to.getDimSize(i) << " in the "
                          << positionsName,
                      other, otherName);
      continue;
    }
    // The last element, counted from 1, that the last window reads. It may stop
    // short of the padded end: a rest below the stride is not read.
    if (to.getDimSize(i) == 0)
      continue;
    int64_t reach =
        lastPosition(lastPosition(1, pooling.kernel[s], pooling.dilations[s]),
                     to.getDimSize(i), pooling.strides[s]);
    int64_t padded = saturatingAdd(from.getDimSize(i),
                                   pooling.padLow[s] + pooling.padHigh[s]);
    if (reach > padded)
      return failAt(op->emitOpError("window of ")
                        << pooling.layout.substr(i, 1) << " reaches " << reach
                        << " but the padded " << wholeName << " has " << padded
                        << " elements",
                    other, otherName);
  }
  return success();
}

LogicalResult gaudi::verifyScatteredRows(Operation *op, Value data,
                                         Value indices, Value updates) {
  auto from = tensorType(data), at = tensorType(indices);
  if (failed(verifySameElement(op, data, "data")) ||
      failed(verifySameElement(op, updates, "updates")))
    return failure();
  if (from.getRank() != 3 || at.getRank() != 2)
    return failAt(
        op->emitOpError("expected data [N, K, C] and indices [N, W] but got ")
            << from << " and " << at,
        data, "data");
  int64_t n = from.getDimSize(0), w = at.getDimSize(1);
  if (failed(verifyShape(op, indices, {n, w}, "indices", data, "data")) ||
      failed(verifyShape(op, updates, {n, w, from.getDimSize(2)}, "updates",
                         indices, "indices")))
    return failure();
  return verifyShape(op, op->getResult(0), from.getShape(), "result", data,
                     "data");
}

bool gaudi::haveOneStaticType(Value a, Value b) {
  return a.getType() == b.getType() && tensorType(a).hasStaticShape();
}

OpFoldResult gaudi::foldSplat(Attribute operand, RankedTensorType type) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(operand);
  if (!splat || !type.hasStaticShape())
    return {};
  return splat.resizeSplat(type);
}

bool gaudi::padsOnlySpatial(StringRef layout, ArrayRef<int64_t> low,
                            ArrayRef<int64_t> high) {
  assert(low.size() == layout.size() && high.size() == layout.size() &&
         "one entry per dimension of the layout");
  for (auto [i, letter] : llvm::enumerate(layout))
    if ((letter == 'N' || letter == 'C') && (low[i] != 0 || high[i] != 0))
      return false;
  return true;
}

bool gaudi::isWholeWindow(Value whole, Value part, ArrayRef<int64_t> offsets) {
  // A window of the full size begins at 0, and its stride is 1 unless there is
  // no second element.
  return haveOneStaticType(whole, part) &&
         llvm::all_of(offsets, [](int64_t offset) { return offset == 0; });
}

LogicalResult gaudi::verifyStridedWindow(Operation *op, Value whole, Value part,
                                         ArrayRef<int64_t> offsets,
                                         ArrayRef<int64_t> strides,
                                         StringRef wholeName,
                                         StringRef partName) {
  RankedTensorType from = tensorType(whole), to = tensorType(part);
  int64_t rank = from.getRank();
  if (from.getElementType() != to.getElementType())
    return failAt(op->emitOpError()
                      << partName << " has element type " << to.getElementType()
                      << " but " << wholeName << " has "
                      << from.getElementType(),
                  whole, wholeName);
  // Equal ranks first: what follows indexes all four lists together.
  if (to.getRank() != rank || int64_t(offsets.size()) != rank ||
      int64_t(strides.size()) != rank)
    return failAt(op->emitOpError()
                      << wholeName << " has rank " << rank
                      << "; expected as many offsets (got " << offsets.size()
                      << "), strides (got " << strides.size() << ") and "
                      << partName << " dimensions (got " << to.getRank() << ")",
                  whole, wholeName);
  for (int64_t i = 0; i < rank; ++i) {
    if (strides[i] < 1)
      return op->emitOpError("stride ")
             << i << " is " << strides[i] << "; expected 1 or more";
    // What is dynamic cannot be checked; models with it are refused later.
    if (to.isDynamicDim(i) || from.isDynamicDim(i))
      continue;
    if (!isWindowInside(offsets[i], to.getDimSize(i), strides[i],
                        from.getDimSize(i)))
      return failAt(
          op->emitOpError("window of dimension ")
              << i << " runs from " << offsets[i] << " to "
              << lastPosition(offsets[i], to.getDimSize(i), strides[i])
              << ", outside [0, " << from.getDimSize(i) << ")",
          whole, wholeName);
  }
  return success();
}
