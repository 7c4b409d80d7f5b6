// Vector-core ops that are not elementwise: verifiers, cost, library names.
#include "Gaudi/Dialect/GaudiDialect.h"

using namespace mlir;
using namespace mlir::gaudi;

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static LogicalResult verifyAxis(Operation *op, int64_t axis,
                                RankedTensorType type) {
  if (axis >= 0 && axis < type.getRank())
    return success();
  return op->emitOpError("axis ")
         << axis << " is outside of [0, " << type.getRank() << ") of " << type;
}

static LogicalResult verifyShape(Operation *op, RankedTensorType type,
                                 ArrayRef<int64_t> expected, StringRef what) {
  if (type.getShape() == expected)
    return success();
  return op->emitOpError() << what << " has type " << type
                           << "; expected shape [" << expected << "]";
}

static LogicalResult verifySameElement(Operation *op, RankedTensorType operand,
                                       RankedTensorType result) {
  if (operand.getElementType() == result.getElementType())
    return success();
  return op->emitOpError("operand has element type ")
         << operand.getElementType() << " but the result has "
         << result.getElementType();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

Engine ReduceOp::getEngine() { return Engine::TPC; }
int64_t ReduceOp::getFlops() { return elementCount(getOperand()); }

LogicalResult ReduceOp::verify() {
  auto from = tensorType(getOperand()), to = getType();
  Type element = from.getElementType();
  bool logical = getKind() == ReduceKind::All || getKind() == ReduceKind::Any;
  if (logical != element.isInteger(1))
    return emitOpError("kind ")
           << stringifyReduceKind(getKind()) << " does not take " << element;
  if (getKind() == ReduceKind::Mean && !isFloatElement(element))
    return emitOpError("kind mean takes floats but got ") << element;
  if (failed(verifySameElement(*this, from, to)))
    return failure();
  int64_t last = -1;
  for (int64_t dim : getDims()) {
    if (dim <= last || dim >= from.getRank())
      return emitOpError("dims [") << getDims() << "] must ascend within [0, "
                                   << from.getRank() << ")";
    last = dim;
  }
  SmallVector<int64_t> expected;
  for (int64_t i = 0; i < from.getRank(); ++i)
    if (!llvm::is_contained(getDims(), i))
      expected.push_back(from.getDimSize(i));
    else if (getKeepDims())
      expected.push_back(1);
  return verifyShape(*this, to, expected, "result");
}

Engine ArgReduceOp::getEngine() { return Engine::TPC; }
int64_t ArgReduceOp::getFlops() { return elementCount(getOperand()); }

LogicalResult ArgReduceOp::verify() {
  auto from = tensorType(getOperand());
  if (failed(verifyAxis(*this, getAxis(), from)))
    return failure();
  SmallVector<int64_t> expected(from.getShape());
  if (getKeepDims())
    expected[getAxis()] = 1;
  else
    expected.erase(expected.begin() + getAxis());
  return verifyShape(*this, getType(), expected, "result");
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

Engine PoolOp::getEngine() { return Engine::TPC; }

int64_t PoolOp::getFlops() {
  int64_t window = 1;
  for (int64_t size : getKernel())
    window *= size;
  return elementCount(getResult()) * window;
}

LogicalResult PoolOp::verify() {
  auto from = tensorType(getOperand()), to = getType();
  if (failed(verifySameElement(*this, from, to)))
    return failure();
  int64_t spatial = from.getRank() - 2;
  if (spatial < 1 || spatial > 3 || to.getRank() != from.getRank())
    return emitOpError("operand ") << from << " and result " << to
                                   << " must have one rank of 3, 4 or 5";
  StringRef letters = spatialLetters(spatial);
  std::string expectedLayout = ("NC" + letters).str();
  if (!isLayoutOf(getLayout(), expectedLayout))
    return emitOpError("layout \"") << getLayout() << "\" must name each of \""
                                    << expectedLayout << "\" once";
  for (auto [what, values, least] : {std::tuple("kernel", getKernel(), 1),
                                     std::tuple("strides", getStrides(), 1),
                                     std::tuple("dilations", getDilations(), 1),
                                     std::tuple("pad_low", getPadLow(), 0),
                                     std::tuple("pad_high", getPadHigh(), 0)}) {
    if (int64_t(values.size()) != spatial)
      return emitOpError("'")
             << what << "' has " << values.size() << " entries; expected "
             << spatial << ", one per spatial dimension";
    for (int64_t value : values)
      if (value < least || value > maxWindowEntry)
        return emitOpError("'")
               << what << "' has entry " << value << "; expected " << least
               << " to " << maxWindowEntry;
  }
  if (getKind() == PoolKind::Avg && !isFloatElement(from.getElementType()))
    return emitOpError("kind avg takes floats but got ")
           << from.getElementType();
  for (auto [i, letter] : llvm::enumerate(getLayout())) {
    size_t s = letters.find(letter);
    if (s == StringRef::npos) {
      if (from.getDimSize(i) != to.getDimSize(i))
        return emitOpError("size of ")
               << getLayout().substr(i, 1) << " is " << from.getDimSize(i)
               << " in the operand but " << to.getDimSize(i)
               << " in the result";
      continue;
    }
    if (to.getDimSize(i) == 0)
      continue;
    int64_t reach =
        lastPosition(lastPosition(1, getKernel()[s], getDilations()[s]),
                     to.getDimSize(i), getStrides()[s]);
    int64_t padded =
        saturatingAdd(from.getDimSize(i), getPadLow()[s] + getPadHigh()[s]);
    if (reach > padded)
      return emitOpError("window of ")
             << getLayout().substr(i, 1) << " reaches " << reach
             << " but the padded operand has " << padded << " elements";
  }
  return success();
}

bool PoolOp::canAbsorbPadding(OpOperand &, ArrayRef<int64_t> low,
                              ArrayRef<int64_t> high, TypedAttr value) {
  for (auto [i, letter] : llvm::enumerate(getLayout()))
    if ((letter == 'N' || letter == 'C') && (low[i] != 0 || high[i] != 0))
      return false;
  // The border must be what the operator ignores.
  if (auto number = dyn_cast<FloatAttr>(value)) {
    APFloat v = number.getValue();
    switch (getKind()) {
    case PoolKind::Max:
      return v.isInfinity() && v.isNegative();
    case PoolKind::Min:
      return v.isInfinity() && !v.isNegative();
    case PoolKind::Sum:
      return v.isZero();
    case PoolKind::Avg:
      return v.isZero() && getCountIncludePad();
    }
  }
  APInt v = cast<IntegerAttr>(value).getValue();
  bool isUnsigned = isUnsignedElement(value.getType());
  switch (getKind()) {
  case PoolKind::Max:
    return isUnsigned ? v.isMinValue() : v.isMinSignedValue();
  case PoolKind::Min:
    return isUnsigned ? v.isMaxValue() : v.isMaxSignedValue();
  case PoolKind::Sum:
    return v.isZero();
  case PoolKind::Avg:
    return false;
  }
  return false;
}

void PoolOp::absorbPadding(OpOperand &, ArrayRef<int64_t> low,
                           ArrayRef<int64_t> high) {
  SmallVector<int64_t> padLow(getPadLow()), padHigh(getPadHigh());
  StringRef letters = spatialLetters(padLow.size());
  for (auto [i, letter] : llvm::enumerate(getLayout())) {
    size_t s = letters.find(letter);
    if (s == StringRef::npos)
      continue;
    padLow[s] += low[i];
    padHigh[s] += high[i];
  }
  setPadLow(padLow);
  setPadHigh(padHigh);
}

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

Engine GatherOp::getEngine() { return Engine::TPC; }
int64_t GatherOp::getFlops() { return 0; }

LogicalResult GatherOp::verify() {
  auto data = tensorType(getData()), indices = tensorType(getIndices());
  if (failed(verifyAxis(*this, getAxis(), data)) ||
      failed(verifySameElement(*this, data, getType())))
    return failure();
  int64_t batch = getBatchDims(), axis = getAxis();
  if (batch < 0 || batch > axis || batch > indices.getRank())
    return emitOpError("batch_dims ")
           << batch << " must be at most axis " << axis
           << " and the rank of the indices " << indices.getRank();
  for (int64_t i = 0; i < batch; ++i)
    if (data.getDimSize(i) != indices.getDimSize(i))
      return emitOpError("batch dimension ")
             << i << " has size " << data.getDimSize(i) << " in data but "
             << indices.getDimSize(i) << " in indices";
  SmallVector<int64_t> expected(data.getShape().take_front(axis));
  llvm::append_range(expected, indices.getShape().drop_front(batch));
  llvm::append_range(expected, data.getShape().drop_front(axis + 1));
  return verifyShape(*this, getType(), expected, "result");
}

Engine GatherElementsOp::getEngine() { return Engine::TPC; }
int64_t GatherElementsOp::getFlops() { return 0; }

LogicalResult GatherElementsOp::verify() {
  auto data = tensorType(getData()), indices = tensorType(getIndices());
  if (failed(verifyAxis(*this, getAxis(), data)) ||
      failed(verifySameElement(*this, data, getType())) ||
      failed(verifyShape(*this, getType(), indices.getShape(), "result")))
    return failure();
  if (indices.getRank() != data.getRank())
    return emitOpError("indices have type ")
           << indices << " but data has rank " << data.getRank();
  for (int64_t i = 0; i < data.getRank(); ++i)
    if (i != int64_t(getAxis()) && indices.getDimSize(i) > data.getDimSize(i))
      return emitOpError("indices dimension ")
             << i << " has size " << indices.getDimSize(i)
             << " but data has only " << data.getDimSize(i);
  return success();
}

//===----------------------------------------------------------------------===//
// Pad, reverse, iota, resize
//===----------------------------------------------------------------------===//

Engine PadOp::getEngine() { return Engine::TPC; }
int64_t PadOp::getFlops() { return 0; }

LogicalResult PadOp::verify() {
  auto from = tensorType(getOperand()), to = getType();
  int64_t rank = from.getRank();
  if (failed(verifySameElement(*this, from, to)))
    return failure();
  if (int64_t(getLow().size()) != rank || int64_t(getHigh().size()) != rank)
    return emitOpError("operand has rank ")
           << rank << " but there are " << getLow().size() << " low and "
           << getHigh().size() << " high entries";
  SmallVector<int64_t> expected;
  for (int64_t i = 0; i < rank; ++i) {
    if (getLow()[i] < 0 || getHigh()[i] < 0)
      return emitOpError("pads dimension ")
             << i << " by " << getLow()[i] << " and " << getHigh()[i]
             << "; expected 0 or more";
    expected.push_back(saturatingAdd(
        saturatingAdd(getLow()[i], from.getDimSize(i)), getHigh()[i]));
  }
  bool constant = getMode() == PadMode::Constant;
  if (constant &&
      (!getValueAttr() || getValueAttr().getType() != from.getElementType()))
    return emitOpError("mode constant needs a value of type ")
           << from.getElementType();
  if (!constant && llvm::is_contained(from.getShape(), 0))
    return emitOpError("mode edge needs an operand with elements");
  return verifyShape(*this, to, expected, "result");
}

OpFoldResult PadOp::fold(FoldAdaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  return {};
}

Engine ReverseOp::getEngine() { return Engine::TPC; }
int64_t ReverseOp::getFlops() { return 0; }

LogicalResult ReverseOp::verify() {
  for (int64_t dim : getDims())
    if (failed(verifyAxis(*this, dim, getType())))
      return failure();
  return success();
}

Engine IotaOp::getEngine() { return Engine::TPC; }
int64_t IotaOp::getFlops() { return elementCount(getResult()); }
LogicalResult IotaOp::verify() {
  return verifyAxis(*this, getDim(), getType());
}

Engine ResizeOp::getEngine() { return Engine::TPC; }
int64_t ResizeOp::getFlops() {
  return elementCount(getResult()) *
         (getMode() == ResizeMode::Bilinear ? 11 : 0);
}

LogicalResult ResizeOp::verify() {
  auto from = tensorType(getOperand()), to = getType();
  if (from.getRank() != 4 || to.getRank() != 4 ||
      from.getDimSize(0) != to.getDimSize(0) ||
      from.getDimSize(3) != to.getDimSize(3))
    return emitOpError("operand ")
           << from << " and result " << to
           << " must be NHWC tensors with equal N and C";
  if (getScale().size() != 4 || getOffset().size() != 2)
    return emitOpError("expected 4 scale and 2 offset entries but got ")
           << getScale().size() << " and " << getOffset().size();
  for (int64_t value : getScale())
    if (value < 1 || value > maxWindowEntry)
      return emitOpError("scale has entry ")
             << value << "; expected 1 to " << maxWindowEntry;
  for (int64_t value : getOffset())
    if (value < -maxWindowEntry || value > maxWindowEntry)
      return emitOpError("offset has entry ")
             << value << "; expected " << -maxWindowEntry << " to "
             << maxWindowEntry;
  if (from.getDimSize(1) == 0 || from.getDimSize(2) == 0)
    return emitOpError("operand ") << from << " has no elements to resample";
  bool isFloat = isFloatElement(from.getElementType());
  bool weighs = getMode() == ResizeMode::Bilinear && !isFloat;
  bool fits = weighs ? isa<IntegerType>(to.getElementType()) &&
                           to.getElementTypeBitWidth() >= 32
                     : from.getElementType() == to.getElementType();
  if (!fits)
    return emitOpError("operand has element type ")
           << from.getElementType() << " but the result has "
           << to.getElementType()
           << (weighs ? "; expected i32 or i64 (scaled by y_n * x_n)" : "");
  return success();
}

//===----------------------------------------------------------------------===//
// Library kernels
//===----------------------------------------------------------------------===//

Engine CumulativeSumOp::getEngine() { return Engine::TPC; }
int64_t CumulativeSumOp::getFlops() { return elementCount(getOperand()); }
StringRef CumulativeSumOp::getLibraryName() { return "cumulative_sum"; }
SmallVector<int64_t> CumulativeSumOp::getLibraryInts() {
  return {int64_t(getAxis()), getExclusive(), getReverse()};
}
LogicalResult CumulativeSumOp::verify() {
  return verifyAxis(*this, getAxis(), getType());
}

/// About n log2 n comparisons per row.
static int64_t sortCost(Value operand, int64_t axis) {
  auto type = tensorType(operand);
  int64_t n = type.getDimSize(axis);
  return type.getNumElements() * llvm::Log2_64_Ceil(std::max<int64_t>(n, 2));
}

Engine SortOp::getEngine() { return Engine::TPC; }
int64_t SortOp::getFlops() { return sortCost(getOperand(), getAxis()); }
StringRef SortOp::getLibraryName() { return "sort"; }
SmallVector<int64_t> SortOp::getLibraryInts() {
  return {int64_t(getAxis()), getDescending(), 1};
}
LogicalResult SortOp::verify() {
  auto from = tensorType(getOperand());
  if (failed(verifyAxis(*this, getAxis(), from)) ||
      failed(verifySameElement(*this, from, tensorType(getValues()))) ||
      failed(verifyShape(*this, tensorType(getValues()), from.getShape(),
                         "values")))
    return failure();
  return verifyShape(*this, tensorType(getIndices()), from.getShape(),
                     "indices");
}

Engine TopKOp::getEngine() { return Engine::TPC; }
int64_t TopKOp::getFlops() { return sortCost(getOperand(), getAxis()); }
StringRef TopKOp::getLibraryName() { return "top_k"; }
SmallVector<int64_t> TopKOp::getLibraryInts() {
  return {int64_t(getAxis()), tensorType(getValues()).getDimSize(getAxis()),
          !getSmallest()};
}
LogicalResult TopKOp::verify() {
  auto from = tensorType(getOperand()), values = tensorType(getValues());
  if (failed(verifyAxis(*this, getAxis(), from)) ||
      failed(verifySameElement(*this, from, values)))
    return failure();
  SmallVector<int64_t> expected(from.getShape());
  if (values.getRank() == from.getRank()) {
    int64_t k = values.getDimSize(getAxis());
    if (k > from.getDimSize(getAxis()))
      return emitOpError("takes ")
             << k << " elements but axis " << getAxis() << " has only "
             << from.getDimSize(getAxis());
    expected[getAxis()] = k;
  }
  if (failed(verifyShape(*this, values, expected, "values")))
    return failure();
  return verifyShape(*this, tensorType(getIndices()), expected, "indices");
}

Engine ScatterOp::getEngine() { return Engine::TPC; }
int64_t ScatterOp::getFlops() { return 0; }
StringRef ScatterOp::getLibraryName() { return "scatter"; }
SmallVector<int64_t> ScatterOp::getLibraryInts() { return {}; }
LogicalResult ScatterOp::verify() {
  auto data = tensorType(getData()), indices = tensorType(getIndices());
  auto updates = tensorType(getUpdates());
  if (failed(verifySameElement(*this, data, getType())) ||
      failed(verifySameElement(*this, updates, getType())))
    return failure();
  if (data.getRank() != 3 || indices.getRank() != 2)
    return emitOpError("expected data [N, K, C] and indices [N, W] but got ")
           << data << " and " << indices;
  if (failed(verifyShape(*this, indices,
                         {data.getDimSize(0), indices.getDimSize(1)},
                         "indices")) ||
      failed(verifyShape(
          *this, updates,
          {data.getDimSize(0), indices.getDimSize(1), data.getDimSize(2)},
          "updates")))
    return failure();
  return verifyShape(*this, getType(), data.getShape(), "result");
}

Engine ScatterElementsOp::getEngine() { return Engine::TPC; }
int64_t ScatterElementsOp::getFlops() {
  return getAccumulate() ? elementCount(getUpdates()) : 0;
}
StringRef ScatterElementsOp::getLibraryName() { return "scatter_elements"; }
SmallVector<int64_t> ScatterElementsOp::getLibraryInts() {
  return {int64_t(getAxis()), getAccumulate()};
}
LogicalResult ScatterElementsOp::verify() {
  auto data = tensorType(getData()), indices = tensorType(getIndices());
  auto updates = tensorType(getUpdates());
  if (failed(verifyAxis(*this, getAxis(), data)) ||
      failed(verifySameElement(*this, data, getType())) ||
      failed(verifySameElement(*this, updates, getType())) ||
      failed(verifyShape(*this, updates, indices.getShape(), "updates")) ||
      failed(verifyShape(*this, getType(), data.getShape(), "result")))
    return failure();
  if (indices.getRank() != data.getRank())
    return emitOpError("indices have type ")
           << indices << " but data has rank " << data.getRank();
  for (int64_t i = 0; i < data.getRank(); ++i)
    if (i != int64_t(getAxis()) && indices.getDimSize(i) > data.getDimSize(i))
      return emitOpError("indices dimension ")
             << i << " has size " << indices.getDimSize(i)
             << " but data has only " << data.getDimSize(i);
  return success();
}
