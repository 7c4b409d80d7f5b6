// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector-core ops that are not elementwise: verifiers, cost, library names.
#include "Checks.h"
#include "Gaudi/Dialect/NeutralElements.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace gaudi;

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

Engine ReduceOp::getEngine() { return Engine::TPC; }
int64_t ReduceOp::getArithmeticOps() { return elementCount(getOperand()); }

LogicalResult ReduceOp::verify() {
  auto from = tensorType(getOperand());
  Type element = from.getElementType();
  bool logical = getKind() == ReduceKind::All || getKind() == ReduceKind::Any;
  if (logical != element.isInteger(1))
    return failAt(emitOpError("kind ") << stringifyReduceKind(getKind())
                                       << " does not take " << element,
                  getOperand(), "operand");
  if (getKind() == ReduceKind::Mean && !isFloatElement(element))
    return failAt(emitOpError("kind mean takes floats but got ") << element,
                  getOperand(), "operand");
  if (failed(verifySameElement(*this, getOperand(), "operand")) ||
      failed(verifyAscending(*this, getDims(), getOperand(), "operand")))
    return failure();
  SmallVector<int64_t> expected;
  for (int64_t i = 0; i < from.getRank(); ++i)
    if (!llvm::is_contained(getDims(), i))
      expected.push_back(from.getDimSize(i));
    else if (getKeepDims())
      expected.push_back(1);
  return verifyShape(*this, getResult(), expected, "result", getOperand(),
                     "operand");
}

Engine ArgReduceOp::getEngine() { return Engine::TPC; }
int64_t ArgReduceOp::getArithmeticOps() { return elementCount(getOperand()); }

LogicalResult ArgReduceOp::verify() {
  auto from = tensorType(getOperand());
  if (failed(verifyAxis(*this, getAxis(), getOperand(), "operand")))
    return failure();
  SmallVector<int64_t> expected(from.getShape());
  if (getKeepDims())
    expected[getAxis()] = 1;
  else
    expected.erase(expected.begin() + getAxis());
  return verifyShape(*this, getResult(), expected, "result", getOperand(),
                     "operand");
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

Engine PoolOp::getEngine() { return Engine::TPC; }

int64_t PoolOp::getArithmeticOps() {
  return elementCount(getResult()) * computeProduct(getKernel());
}

LogicalResult PoolOp::verify() {
  auto from = tensorType(getOperand());
  if (failed(verifySameElement(*this, getOperand(), "operand")))
    return failure();
  if (getKind() == PoolKind::Avg && !isFloatElement(from.getElementType()))
    return failAt(emitOpError("kind avg takes floats but got ")
                      << from.getElementType(),
                  getOperand(), "operand");
  return verifyPoolWindow(*this,
                          {getLayout(), getKernel(), getStrides(),
                           getDilations(), getPadLow(), getPadHigh()},
                          getOperand(), "operand", getResult(), "result");
}

bool PoolOp::canAbsorbPadding(OpOperand &, ArrayRef<int64_t> low,
                              ArrayRef<int64_t> high, TypedAttr value) {
  if (!canAddPadding(*this, getLayout(), low, high))
    return false;
  // The op's own padding adds nothing to a window. The explicit one must do so,
  // too: be the identity of the operator.
  switch (getKind()) {
  case PoolKind::Max:
    return isNeutral(ReduceKind::Max, value);
  case PoolKind::Min:
    return isNeutral(ReduceKind::Min, value);
  case PoolKind::Sum:
    return isNeutral(ReduceKind::Sum, value);
  case PoolKind::Avg:
    return isa<FloatAttr>(value) && isZero(value) && getCountIncludePad();
  }
  return false;
}

void PoolOp::absorbPadding(OpOperand &, ArrayRef<int64_t> low,
                           ArrayRef<int64_t> high) {
  addPadding(*this, getLayout(), low, high);
}

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

Engine GatherOp::getEngine() { return Engine::TPC; }
int64_t GatherOp::getArithmeticOps() { return 0; }

LogicalResult GatherOp::verify() {
  auto data = tensorType(getData()), indices = tensorType(getIndices());
  if (failed(verifyAxis(*this, getAxis(), getData(), "data")) ||
      failed(verifySameElement(*this, getData(), "data")))
    return failure();
  int64_t batch = getBatchDims(), axis = getAxis();
  if (batch < 0 || batch > axis || batch > indices.getRank())
    return failAt(emitOpError("batch_dims ")
                      << batch << " must be at most axis " << axis
                      << " and the rank of the indices " << indices.getRank(),
                  getIndices(), "indices");
  for (int64_t i = 0; i < batch; ++i)
    if (data.getDimSize(i) != indices.getDimSize(i))
      return failAt(emitOpError("batch dimension ")
                        << i << " has size " << indices.getDimSize(i)
                        << " in indices but " << data.getDimSize(i)
                        << " in data",
                    getData(), "data");
  SmallVector<int64_t> expected(data.getShape().take_front(axis));
  llvm::append_range(expected, indices.getShape().drop_front(batch));
  llvm::append_range(expected, data.getShape().drop_front(axis + 1));
  return verifyShape(*this, getResult(), expected, "result", getIndices(),
                     "indices");
}

int64_t GatherOp::getIndexedSize() {
  return tensorType(getData()).getDimSize(getAxis());
}

Engine GatherElementsOp::getEngine() { return Engine::TPC; }
int64_t GatherElementsOp::getArithmeticOps() { return 0; }

LogicalResult GatherElementsOp::verify() {
  if (failed(verifyAxis(*this, getAxis(), getData(), "data")) ||
      failed(verifySameElement(*this, getData(), "data")) ||
      failed(verifyShape(*this, getResult(),
                         tensorType(getIndices()).getShape(), "result",
                         getIndices(), "indices")))
    return failure();
  return verifyElementIndices(*this, getData(), getIndices(), getAxis());
}

int64_t GatherElementsOp::getIndexedSize() {
  return tensorType(getData()).getDimSize(getAxis());
}

//===----------------------------------------------------------------------===//
// Pad, reverse, iota, resize
//===----------------------------------------------------------------------===//

Engine PadOp::getEngine() { return Engine::TPC; }
int64_t PadOp::getArithmeticOps() { return 0; }

LogicalResult PadOp::verify() {
  auto from = tensorType(getOperand());
  int64_t rank = from.getRank();
  if (failed(verifySameElement(*this, getOperand(), "operand")))
    return failure();
  if (int64_t(getLow().size()) != rank || int64_t(getHigh().size()) != rank)
    return failAt(emitOpError("operand has rank ")
                      << rank << " but there are " << getLow().size()
                      << " low and " << getHigh().size() << " high entries",
                  getOperand(), "operand");
  SmallVector<int64_t> expected;
  // A saturated size is the size of no tensor, so the shapes differ then.
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
    return failAt(emitOpError("mode constant needs a value of type ")
                      << from.getElementType(),
                  getOperand(), "operand");
  // Edge repeats an element, so there must be one.
  if (!constant && llvm::is_contained(from.getShape(), 0))
    return failAt(emitOpError("mode edge needs an operand with elements"),
                  getOperand(), "operand");
  return verifyShape(*this, getResult(), expected, "result", getOperand(),
                     "operand");
}

OpFoldResult PadOp::fold(FoldAdaptor) {
  if (haveOneStaticType(getOperand(), getResult()))
    return getOperand();
  return {};
}

Engine ReverseOp::getEngine() { return Engine::TPC; }
int64_t ReverseOp::getArithmeticOps() { return 0; }

LogicalResult ReverseOp::verify() {
  for (int64_t dim : getDims())
    if (failed(verifyAxis(*this, dim, getOperand(), "operand")))
      return failure();
  return success();
}

Engine IotaOp::getEngine() { return Engine::TPC; }
int64_t IotaOp::getArithmeticOps() { return elementCount(getResult()); }
LogicalResult IotaOp::verify() {
  return verifyAxis(*this, getDim(), getResult(), "result");
}

Engine ResizeOp::getEngine() { return Engine::TPC; }
int64_t ResizeOp::getArithmeticOps() {
  return elementCount(getResult()) *
         (getMode() == ResizeMode::Bilinear ? 11 : 0);
}

LogicalResult ResizeOp::verify() {
  auto from = tensorType(getOperand()), to = getType();
  if (from.getRank() != 4 || to.getRank() != 4 ||
      from.getDimSize(0) != to.getDimSize(0) ||
      from.getDimSize(3) != to.getDimSize(3))
    return failAt(emitOpError("operand ")
                      << from << " and result " << to
                      << " must be NHWC tensors with equal N and C",
                  getOperand(), "operand");
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
    return failAt(emitOpError("operand ")
                      << from << " has no elements to resample",
                  getOperand(), "operand");
  // Integer weights are not divided out: the sum is scaled by both scale_n.
  bool isFloat = isFloatElement(from.getElementType());
  bool weights = getMode() == ResizeMode::Bilinear && !isFloat;
  bool fits = weights ? isa<IntegerType>(to.getElementType()) &&
                            to.getElementTypeBitWidth() >= 32
                      : from.getElementType() == to.getElementType();
  if (!fits)
    return failAt(
        emitOpError("operand has element type ")
            << from.getElementType() << " but the result has "
            << to.getElementType()
            << (weights ? "; expected i32 or i64 (scaled by y_n * x_n)" : ""),
        getOperand(), "operand");
  return success();
}

//===----------------------------------------------------------------------===//
// Library kernels
//===----------------------------------------------------------------------===//

Engine CumulativeSumOp::getEngine() { return Engine::TPC; }
int64_t CumulativeSumOp::getArithmeticOps() {
  return elementCount(getOperand());
}
StringRef CumulativeSumOp::getLibraryName() { return "cumulative_sum"; }
SmallVector<int64_t> CumulativeSumOp::getLibraryInts() {
  return {int64_t(getAxis()), getExclusive(), getReverse()};
}
LogicalResult CumulativeSumOp::verify() {
  return verifyAxis(*this, getAxis(), getOperand(), "operand");
}

/// About n log2 n comparisons per row.
static int64_t sortCost(Value operand, int64_t axis) {
  auto type = tensorType(operand);
  int64_t n = type.getDimSize(axis);
  return type.getNumElements() * llvm::Log2_64_Ceil(std::max<int64_t>(n, 2));
}

Engine SortOp::getEngine() { return Engine::TPC; }
int64_t SortOp::getArithmeticOps() { return sortCost(getOperand(), getAxis()); }
StringRef SortOp::getLibraryName() { return "sort"; }
SmallVector<int64_t> SortOp::getLibraryInts() {
  return {int64_t(getAxis()), getDescending(), 1};
}
/// The values and indices of a sort or top_k have the shape `expected`.
template <typename Op>
static LogicalResult verifySorted(Op op, ArrayRef<int64_t> expected) {
  for (auto [what, result] : {std::pair("values", op.getValues()),
                              std::pair("indices", op.getIndices())})
    if (failed(verifyShape(op, result, expected, what, op.getOperand(),
                           "operand")))
      return failure();
  return success();
}

LogicalResult SortOp::verify() {
  if (failed(verifyAxis(*this, getAxis(), getOperand(), "operand")) ||
      failed(verifySameElement(*this, getOperand(), "operand")))
    return failure();
  return verifySorted(*this, tensorType(getOperand()).getShape());
}

Engine TopKOp::getEngine() { return Engine::TPC; }
int64_t TopKOp::getArithmeticOps() { return sortCost(getOperand(), getAxis()); }
StringRef TopKOp::getLibraryName() { return "top_k"; }
SmallVector<int64_t> TopKOp::getLibraryInts() {
  return {int64_t(getAxis()), tensorType(getValues()).getDimSize(getAxis()),
          !getSmallest()};
}
LogicalResult TopKOp::verify() {
  auto from = tensorType(getOperand()), values = tensorType(getValues());
  if (failed(verifyAxis(*this, getAxis(), getOperand(), "operand")) ||
      failed(verifySameElement(*this, getOperand(), "operand")))
    return failure();
  SmallVector<int64_t> expected(from.getShape());
  if (values.getRank() == from.getRank()) {
    int64_t k = values.getDimSize(getAxis());
    if (k > from.getDimSize(getAxis()))
      return failAt(emitOpError("takes ")
                        << k << " elements but axis " << getAxis()
                        << " has only " << from.getDimSize(getAxis()),
                    getOperand(), "operand");
    expected[getAxis()] = k;
  }
  return verifySorted(*this, expected);
}

Engine ScatterOp::getEngine() { return Engine::TPC; }
int64_t ScatterOp::getArithmeticOps() { return 0; }
StringRef ScatterOp::getLibraryName() { return "scatter"; }
SmallVector<int64_t> ScatterOp::getLibraryInts() { return {}; }
LogicalResult ScatterOp::verify() {
  return verifyScatteredRows(*this, getData(), getIndices(), getUpdates());
}

int64_t ScatterOp::getIndexedSize() {
  return tensorType(getData()).getDimSize(1);
}

Engine ScatterElementsOp::getEngine() { return Engine::TPC; }
int64_t ScatterElementsOp::getArithmeticOps() {
  return getAccumulate() ? elementCount(getUpdates()) : 0;
}
StringRef ScatterElementsOp::getLibraryName() { return "scatter_elements"; }
SmallVector<int64_t> ScatterElementsOp::getLibraryInts() {
  return {int64_t(getAxis()), getAccumulate()};
}
LogicalResult ScatterElementsOp::verify() {
  auto data = tensorType(getData()), indices = tensorType(getIndices());
  if (failed(verifyAxis(*this, getAxis(), getData(), "data")) ||
      failed(verifySameElement(*this, getData(), "data")) ||
      failed(verifySameElement(*this, getUpdates(), "updates")) ||
      failed(verifyShape(*this, getUpdates(), indices.getShape(), "updates",
                         getIndices(), "indices")) ||
      failed(verifyShape(*this, getResult(), data.getShape(), "result",
                         getData(), "data")))
    return failure();
  return verifyElementIndices(*this, getData(), getIndices(), getAxis());
}

int64_t ScatterElementsOp::getIndexedSize() {
  return tensorType(getData()).getDimSize(getAxis());
}
