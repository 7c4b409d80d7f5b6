// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix-engine ops: verifiers, cost, orders of products, and how convolutions
// absorb padding of their operands.
#include "Checks.h"
#include "Gaudi/Dialect/MatrixOrders.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace gaudi;

//===----------------------------------------------------------------------===//
// Gemm
//===----------------------------------------------------------------------===//

Engine GemmOp::getEngine() { return Engine::MME; }

int64_t GemmOp::getArithmeticOps() {
  RankedTensorType lhs = matricesOf(*this, 0);
  int64_t k = lhs.getDimSize(lhs.getRank() - (getTransposeA() ? 2 : 1));
  return 2 * k * elementCount(getResult());
}

namespace {
/// A tensor of a product with what its op says of it.
struct GemmTensor {
  StringRef name, orderName;
  Value value;
  std::optional<ArrayRef<int64_t>> order;
  bool isTransposed;
};
} // namespace

static GemmTensor tensorOf(GemmOp op, unsigned tensor) {
  switch (tensor) {
  case 0:
    return {"lhs", "order_a", op.getLhs(), op.getOrderA(), op.getTransposeA()};
  case 1:
    return {"rhs", "order_b", op.getRhs(), op.getOrderB(), op.getTransposeB()};
  default:
    assert(tensor == 2 && "a product has three tensors");
    return {"result", "order_c", op.getResult(), op.getOrderC(), false};
  }
}

Order gaudi::orderOf(GemmOp op, unsigned tensor) {
  const GemmTensor given = tensorOf(op, tensor);
  return given.order ? Order(*given.order)
                     : identityOrder(tensorType(given.value).getRank());
}

RankedTensorType gaudi::matricesOf(GemmOp op, unsigned tensor) {
  const GemmTensor given = tensorOf(op, tensor);
  RankedTensorType type = tensorType(given.value);
  return given.order ? storedType(type, inverseOrder(*given.order)) : type;
}

/// The order with the names of rows and columns exchanged: of the transposed
/// matrices.
static Order ofTransposed(Order order) {
  const int64_t rank = order.size();
  for (int64_t &dim : order)
    dim = dim == rank - 1 ? rank - 2 : dim == rank - 2 ? rank - 1 : dim;
  return order;
}

Order gaudi::storageOf(GemmOp op, unsigned tensor) {
  const Order order = orderOf(op, tensor);
  return tensorOf(op, tensor).isTransposed ? ofTransposed(order) : order;
}

/// True if columns come before rows.
static bool isColumnMajor(ArrayRef<int64_t> order) {
  const int64_t rank = order.size();
  return llvm::find(order, rank - 1) < llvm::find(order, rank - 2);
}

bool gaudi::hasOrders(GemmOp op) {
  return op.getOrderA() || op.getOrderB() || op.getOrderC();
}

void gaudi::setStorage(GemmOp op, ArrayRef<Order> storage) {
  assert(storage.size() == 3 && "of lhs, rhs and the result");
  SmallVector<Order, 3> orders(storage);
  // C^T = B^T A^T.
  if (isColumnMajor(orders[2])) {
    const Value lhs = op.getLhs(), rhs = op.getRhs();
    op.getLhsMutable().set(rhs);
    op.getRhsMutable().set(lhs);
    std::swap(orders[0], orders[1]);
    for (Order &order : orders)
      order = ofTransposed(order);
  }
  op.setTransposeA(isColumnMajor(orders[0]));
  op.setTransposeB(isColumnMajor(orders[1]));
  for (Order &order : orders)
    if (isColumnMajor(order))
      order = ofTransposed(order);
  auto attribute = [&](ArrayRef<int64_t> order) {
    return isIdentityOrder(order)
               ? DenseI64ArrayAttr()
               : DenseI64ArrayAttr::get(op.getContext(), order);
  };
  op.setOrderAAttr(attribute(orders[0]));
  op.setOrderBAttr(attribute(orders[1]));
  op.setOrderCAttr(attribute(orders[2]));
}

/// All tensors have one rank, of which each order is a permutation.
static LogicalResult verifyOrders(GemmOp op) {
  auto lhs = tensorType(op.getLhs()), rhs = tensorType(op.getRhs());
  const int64_t rank = op.getType().getRank();
  if (rank < 2 || lhs.getRank() != rank || rhs.getRank() != rank)
    return op.emitOpError("lhs ")
           << lhs << ", rhs " << rhs << " and result " << op.getType()
           << " must have one rank of 2 or more";
  for (unsigned number : {0, 1, 2}) {
    const GemmTensor tensor = tensorOf(op, number);
    if (!tensor.order || (int64_t(tensor.order->size()) == rank &&
                          isPermutationVector(*tensor.order)))
      continue;
    return failAt(op.emitOpError()
                      << tensor.orderName << " is [" << *tensor.order
                      << "]; expected each of the dimensions 0 to " << rank - 1
                      << " of the " << tensor.name << " once",
                  tensor.value, tensor.name);
  }
  return success();
}

LogicalResult GemmOp::verify() {
  if (tensorType(getLhs()).getElementType() !=
      tensorType(getRhs()).getElementType())
    return failAt(emitOpError("rhs has element type ")
                      << tensorType(getRhs()).getElementType()
                      << " but lhs has "
                      << tensorType(getLhs()).getElementType(),
                  getLhs(), "lhs");
  if (failed(verifyOrders(*this)))
    return failure();
  const RankedTensorType lhs = matricesOf(*this, 0), rhs = matricesOf(*this, 1),
                         result = matricesOf(*this, 2);
  const int64_t rank = result.getRank();
  int64_t m = lhs.getDimSize(rank - (getTransposeA() ? 1 : 2));
  int64_t ka = lhs.getDimSize(rank - (getTransposeA() ? 2 : 1));
  int64_t kb = rhs.getDimSize(rank - (getTransposeB() ? 1 : 2));
  int64_t n = rhs.getDimSize(rank - (getTransposeB() ? 2 : 1));
  // Of a tensor in another order, the type of its matrices.
  if (ka != kb)
    return failAt(emitOpError("common dimension is ")
                      << kb << " in rhs " << rhs << " but " << ka << " in lhs "
                      << lhs,
                  getLhs(), "lhs");
  if (result.getDimSize(rank - 2) != m || result.getDimSize(rank - 1) != n)
    return emitOpError("result ") << result << " must end in " << m << "x" << n;
  for (int64_t i = 0; i + 2 < rank; ++i)
    for (unsigned operand : {0, 1}) {
      const GemmTensor tensor = tensorOf(*this, operand);
      int64_t size = (operand == 0 ? lhs : rhs).getDimSize(i);
      if (size != result.getDimSize(i) && size != 1)
        return failAt(emitOpError("batch dimension ")
                          << i << " has size " << size << " in " << tensor.name
                          << " but " << result.getDimSize(i)
                          << " in the result",
                      tensor.value, tensor.name);
    }
  return success();
}

LogicalResult GemmOp::canonicalize(GemmOp op, PatternRewriter &rewriter) {
  auto isCanonical = [&](unsigned number) {
    const GemmTensor tensor = tensorOf(op, number);
    return !tensor.order ||
           (!isIdentityOrder(*tensor.order) && !isColumnMajor(*tensor.order));
  };
  if (isCanonical(0) && isCanonical(1) && isCanonical(2))
    return failure();
  const Order storage[] = {storageOf(op, 0), storageOf(op, 1),
                           storageOf(op, 2)};
  rewriter.modifyOpInPlace(op, [&] { setStorage(op, storage); });
  return success();
}

//===----------------------------------------------------------------------===//
// Conv and its gradients
//===----------------------------------------------------------------------===//

namespace {
/// A tensor of a convolution, and its name in the messages of the op.
struct ConvTensor {
  Value value;
  StringRef name, layout;

  RankedTensorType type() const { return tensorType(value); }
  /// Sizes in the order of `letters`.
  SmallVector<int64_t> sizes(StringRef letters) const {
    SmallVector<int64_t> sizes;
    for (char letter : letters)
      sizes.push_back(type().getDimSize(layout.find(letter)));
    return sizes;
  }
};

/// The forward convolution that an op computes or differentiates. The three
/// ops relate the same tensors x, w and y; they differ in which is the result.
struct Convolution {
  Operation *op;
  ConvTensor x, w, y;
  int64_t leastPad;
  ArrayRef<int64_t> strides, dilations, padLow, padHigh;
  int64_t groups;

  template <typename Op>
  Convolution(Op op, Value x, StringRef xName, Value w, StringRef wName,
              Value y, StringRef yName, int64_t leastPad)
      : op(op), x{x, xName, op.getInputLayout()},
        w{w, wName, op.getFilterLayout()}, y{y, yName, op.getOutputLayout()},
        leastPad(leastPad), strides(op.getStrides()),
        dilations(op.getDilations()), padLow(op.getPadLow()),
        padHigh(op.getPadHigh()), groups(op.getGroups()) {}

  int64_t arithmeticOps() const;
  LogicalResult verify() const;

private:
  int64_t spatialRank() const { return x.type().getRank() - 2; }
  LogicalResult verifyForm() const;
  LogicalResult verifyChannels() const;
  LogicalResult verifySizes() const;
  /// Fails, with a note at the first of `others` that is an operand.
  LogicalResult failAtOperand(InFlightDiagnostic &&error,
                              ArrayRef<const ConvTensor *> others) const;
};

Convolution convolutionOf(ConvOp op) {
  return {op,       op.getInput(),  "input",  op.getFilter(),
          "filter", op.getResult(), "result", 0};
}

Convolution convolutionOf(ConvInputGradOp op) {
  return {op,       op.getResult(),     "result",      op.getFilter(),
          "filter", op.getOutputGrad(), "output_grad", -maxWindowEntry};
}

Convolution convolutionOf(ConvWeightGradOp op) {
  return {op,       op.getInput(),      "input",       op.getResult(),
          "result", op.getOutputGrad(), "output_grad", -maxWindowEntry};
}
} // namespace

int64_t Convolution::arithmeticOps() const {
  // Each element of y meets each element of one filter once, in all three.
  const int64_t filters = w.type().getDimSize(w.layout.find('O'));
  return 2 * (w.type().getNumElements() / std::max<int64_t>(filters, 1)) *
         elementCount(y.value);
}

LogicalResult
Convolution::failAtOperand(InFlightDiagnostic &&error,
                           ArrayRef<const ConvTensor *> others) const {
  const ConvTensor &other = **llvm::find_if(others, [&](const ConvTensor *t) {
    return t->value.getDefiningOp() != op;
  });
  return failAt(std::move(error), other.value, other.name);
}

LogicalResult Convolution::verify() const {
  if (failed(verifyForm()) || failed(verifyChannels()))
    return failure();
  return verifySizes();
}

LogicalResult Convolution::verifyForm() const {
  SmallVector<const ConvTensor *, 2> operands;
  for (const ConvTensor *tensor : {&x, &w, &y})
    if (tensor->value.getDefiningOp() != op)
      operands.push_back(tensor);
  assert(operands.size() == 2 && "one of the three is the result");
  Type first = operands[0]->type().getElementType();
  Type second = operands[1]->type().getElementType();
  if (first != second)
    return failAtOperand(
        op->emitOpError() << operands[1]->name << " has element type " << second
                          << " but " << operands[0]->name << " has " << first,
        {operands[0]});
  const int64_t spatial = spatialRank();
  if (spatial < 1 || spatial > 3 || w.type().getRank() != spatial + 2 ||
      y.type().getRank() != spatial + 2)
    return op->emitOpError() << x.name << " " << x.type() << ", " << w.name
                             << " " << w.type() << " and " << y.name << " "
                             << y.type() << " must have one rank of 3, 4 or 5";
  const std::string activation = ("NC" + spatialLetters(spatial)).str();
  const std::string weight = ("OI" + spatialLetters(spatial)).str();
  for (const auto &[what, layout, expected] :
       {std::tuple("input", x.layout, activation),
        std::tuple("filter", w.layout, weight),
        std::tuple("output", y.layout, activation)})
    if (!isLayoutOf(layout, expected))
      return op->emitOpError()
             << what << " layout \"" << layout << "\" must name each of \""
             << expected << "\" once";
  for (auto [what, values, least] :
       {std::tuple("strides", strides, int64_t(1)),
        std::tuple("dilations", dilations, int64_t(1)),
        std::tuple("pad_low", padLow, leastPad),
        std::tuple("pad_high", padHigh, leastPad)})
    if (failed(verifyWindowEntries(op, what, values, least, spatial)))
      return failure();
  return success();
}

LogicalResult Convolution::verifyChannels() const {
  const auto xs = x.sizes("NC"), ws = w.sizes("OI"), ys = y.sizes("NC");
  if (groups < 1 || xs[1] % groups != 0 || ys[1] % groups != 0)
    return failAtOperand(op->emitOpError("groups ")
                             << groups << " must divide the " << xs[1]
                             << " input and the " << ys[1]
                             << " output channels",
                         {&x, &y});
  if (ws[0] != ys[1] || ws[1] != xs[1] / groups)
    return failAtOperand(op->emitOpError() << w.name << " has O = " << ws[0]
                                           << " and I = " << ws[1]
                                           << "; expected O = " << ys[1]
                                           << " and I = " << xs[1] / groups
                                           << " for " << groups << " groups",
                         {&w, &x});
  if (xs[0] != ys[0])
    return failAtOperand(op->emitOpError()
                             << y.name << " has batch " << ys[0] << " but the "
                             << x.name << " has " << xs[0],
                         {&x, &y});
  return success();
}

LogicalResult Convolution::verifySizes() const {
  const StringRef letters = spatialLetters(spatialRank());
  const auto xs = x.sizes(letters), ws = w.sizes(letters),
             ys = y.sizes(letters);
  for (auto [i, letter] : llvm::enumerate(letters)) {
    const int64_t reach = lastPosition(1, ws[i], dilations[i]);
    const int64_t pads = padLow[i] + padHigh[i];
    const int64_t room = saturatingAdd(saturatingAdd(xs[i], pads), -reach);
    const int64_t expected = room < 0 ? 0 : room / strides[i] + 1;
    if (ys[i] != expected)
      return failAtOperand(op->emitOpError()
                               << y.name << " size of " << letter << " is "
                               << ys[i] << "; expected " << expected << " from "
                               << x.name << " size " << xs[i] << ", pads "
                               << pads << ", window " << reach << " and stride "
                               << strides[i],
                           {&x, &y});
  }
  return success();
}

/// True if zeros of `low` and `high` around an activation, the first operand
/// of all three ops, are what padding adds to the sums: nothing.
static bool areZerosAround(OpOperand &operand, StringRef layout,
                           ArrayRef<int64_t> low, ArrayRef<int64_t> high,
                           TypedAttr value) {
  return operand.getOperandNumber() == 0 &&
         matchPattern(value, m_AnyZeroFloat()) &&
         padsOnlySpatial(layout, low, high);
}

//===----------------------------------------------------------------------===//
// Conv
//===----------------------------------------------------------------------===//

Engine ConvOp::getEngine() { return Engine::MME; }

int64_t ConvOp::getArithmeticOps() {
  return convolutionOf(*this).arithmeticOps();
}

LogicalResult ConvOp::verify() { return convolutionOf(*this).verify(); }

bool ConvOp::canAbsorbPadding(OpOperand &operand, ArrayRef<int64_t> low,
                              ArrayRef<int64_t> high, TypedAttr value) {
  return areZerosAround(operand, getInputLayout(), low, high, value) &&
         canAddPadding(*this, getInputLayout(), low, high);
}

void ConvOp::absorbPadding(OpOperand &, ArrayRef<int64_t> low,
                           ArrayRef<int64_t> high) {
  addPadding(*this, getInputLayout(), low, high);
}

Value ConvOp::getPaddingFactor(OpOperand &) { return getFilter(); }

//===----------------------------------------------------------------------===//
// ConvInputGrad
//===----------------------------------------------------------------------===//

Engine ConvInputGradOp::getEngine() { return Engine::MME; }

int64_t ConvInputGradOp::getArithmeticOps() {
  return convolutionOf(*this).arithmeticOps();
}

LogicalResult ConvInputGradOp::verify() {
  return convolutionOf(*this).verify();
}

/// Pads of the convolution whose dy begins `low` positions later and ends
/// `high` positions earlier: position p of it was position p + low, at the
/// place (p + low) * stride - pad_low of dx.
static std::pair<SmallVector<int64_t>, SmallVector<int64_t>>
padsOfInnerOutputs(ConvInputGradOp op, ArrayRef<int64_t> low,
                   ArrayRef<int64_t> high) {
  SmallVector<int64_t> padLow(op.getPadLow()), padHigh(op.getPadHigh());
  for (auto [i, letter] : llvm::enumerate(spatialLetters(padLow.size()))) {
    const size_t at = op.getOutputLayout().find(letter);
    padLow[i] = lastPosition(padLow[i], low[at] + 1, -op.getStrides()[i]);
    padHigh[i] = lastPosition(padHigh[i], high[at] + 1, -op.getStrides()[i]);
  }
  return {padLow, padHigh};
}

bool ConvInputGradOp::canAbsorbPadding(OpOperand &operand,
                                       ArrayRef<int64_t> low,
                                       ArrayRef<int64_t> high,
                                       TypedAttr value) {
  if (!areZerosAround(operand, getOutputLayout(), low, high, value))
    return false;
  const auto [padLow, padHigh] = padsOfInnerOutputs(*this, low, high);
  auto isEntry = [](int64_t pad) { return pad >= -maxWindowEntry; };
  return llvm::all_of(padLow, isEntry) && llvm::all_of(padHigh, isEntry);
}

void ConvInputGradOp::absorbPadding(OpOperand &, ArrayRef<int64_t> low,
                                    ArrayRef<int64_t> high) {
  const auto [padLow, padHigh] = padsOfInnerOutputs(*this, low, high);
  setPadLow(padLow);
  setPadHigh(padHigh);
}

Value ConvInputGradOp::getPaddingFactor(OpOperand &) { return getFilter(); }

//===----------------------------------------------------------------------===//
// ConvWeightGrad
//===----------------------------------------------------------------------===//

Engine ConvWeightGradOp::getEngine() { return Engine::MME; }

int64_t ConvWeightGradOp::getArithmeticOps() {
  return convolutionOf(*this).arithmeticOps();
}

LogicalResult ConvWeightGradOp::verify() {
  return convolutionOf(*this).verify();
}

bool ConvWeightGradOp::canAbsorbPadding(OpOperand &operand,
                                        ArrayRef<int64_t> low,
                                        ArrayRef<int64_t> high,
                                        TypedAttr value) {
  return areZerosAround(operand, getInputLayout(), low, high, value) &&
         canAddPadding(*this, getInputLayout(), low, high);
}

void ConvWeightGradOp::absorbPadding(OpOperand &, ArrayRef<int64_t> low,
                                     ArrayRef<int64_t> high) {
  addPadding(*this, getInputLayout(), low, high);
}

Value ConvWeightGradOp::getPaddingFactor(OpOperand &) {
  return getOutputGrad();
}
