// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix-engine ops: verifiers, cost, orders of products, and how convolutions
// absorb padding of their operands.
#include "Checks.h"
#include "Gaudi/Dialect/Convolution.h"
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
  // The result is row-major now. A column-major operand is written as the
  // transpose of a row-major one: one way to write each storage.
  op.setTransposeA(isColumnMajor(orders[0]));
  op.setTransposeB(isColumnMajor(orders[1]));
  for (Order &order : orders)
    if (isColumnMajor(order))
      order = ofTransposed(order);
  auto attribute = [&](ArrayRef<int64_t> order) {
    // Absent rather than an identity, so that equal ops print equally.
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
  if (ka != kb) {
    InFlightDiagnostic error = emitOpError("common dimension is ")
                               << kb << " in rhs " << rhs << " but " << ka
                               << " in lhs " << lhs;
    // The flag that one of them lacks, or has too much.
    const auto flip = [](bool has, StringRef flag) {
      return ((has ? "leave " : "write ") + flag +
              (has ? " out" : " behind the operands"))
          .str();
    };
    if (n == ka && result.getDimSize(rank - 1) == kb)
      error << "; rhs fits transposed: "
            << flip(getTransposeB(), "transpose_b");
    else if (m == kb && result.getDimSize(rank - 2) == ka)
      error << "; lhs fits transposed: "
            << flip(getTransposeA(), "transpose_a");
    else
      error << "; give them one size there";
    return failAt(std::move(error), getLhs(), "lhs");
  }
  if (result.getDimSize(rank - 2) != m || result.getDimSize(rank - 1) != n)
    return emitOpError("result ") << result << " must end in " << m << "x" << n;
  // Leading dimensions are batches, which an operand of size 1 broadcasts.
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

SmallVector<int64_t> ConvTensor::sizes(StringRef letters) const {
  SmallVector<int64_t> sizes;
  for (char letter : letters)
    sizes.push_back(type().getDimSize(layout.find(letter)));
  return sizes;
}

std::optional<Convolution> Convolution::of(Operation *op) {
#define GAUDI_CONVOLUTION(kind, ...)                                           \
  if (auto conv = dyn_cast<kind##Op>(op))                                      \
    return Convolution(conv);
#include "Gaudi/Kernel/MatrixKinds.def"
  return std::nullopt;
}

ConvTensor Convolution::tensor(Role role, StringRef layout) const {
  const unsigned place = gaudi::kernel::placeOf(kind, role);
  if (place == 2)
    return {op->getResult(0), "result", layout};
  return {op->getOperand(place), gaudi::kernel::operandName(kind, place),
          layout};
}

int64_t Convolution::arithmeticOps() const {
  // Each element of y meets each element of one filter once, in all kinds.
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
  // Forward op and gradients share this: whichever tensor the op defines is the
  // result, and only the other two can be at fault.
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
  // A forward convolution does not crop what it reads.
  const int64_t leastPad =
      gaudi::kernel::resultOf(kind) == Role::Y ? 0 : -maxWindowEntry;
  // Pads below 0, where leastPad allows them, cut the input.
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

ConvPads Convolution::padsAround(ArrayRef<int64_t> low,
                                 ArrayRef<int64_t> high) const {
  // The first operand is an activation, x or y. Positions of x that are added
  // are padding. A y that begins `low` positions later has at p what was at
  // p + low, at the place (p + low) * stride - pad_low of x.
  const bool isOfX = gaudi::kernel::roleOf(kind, 0) == Role::X;
  const StringRef layout = isOfX ? x.layout : y.layout;
  ConvPads pads = {SmallVector<int64_t>(padLow), SmallVector<int64_t>(padHigh)};
  for (auto [i, letter] : llvm::enumerate(spatialLetters(spatialRank()))) {
    const size_t at = layout.find(letter);
    const int64_t step = isOfX ? 1 : -strides[i];
    pads.low[i] = lastPosition(pads.low[i], low[at] + 1, step);
    pads.high[i] = lastPosition(pads.high[i], high[at] + 1, step);
  }
  return pads;
}

std::optional<ConvPads> Convolution::padsFor(OpOperand &operand,
                                             ArrayRef<int64_t> low,
                                             ArrayRef<int64_t> high,
                                             TypedAttr value) const {
  const bool isOfX = gaudi::kernel::roleOf(kind, 0) == Role::X;
  // What padding adds to the sums is nothing, as zeros do.
  if (operand.getOperandNumber() != 0 ||
      !matchPattern(value, m_AnyZeroFloat()) ||
      !padsOnlySpatial(isOfX ? x.layout : y.layout, low, high))
    return std::nullopt;
  ConvPads pads = padsAround(low, high);
  auto isEntry = [](int64_t pad) {
    return pad >= -maxWindowEntry && pad <= maxWindowEntry;
  };
  if (!llvm::all_of(pads.low, isEntry) || !llvm::all_of(pads.high, isEntry))
    return std::nullopt;
  return pads;
}
