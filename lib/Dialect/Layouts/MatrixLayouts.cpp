// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of ops of the matrix engine. Each of their tensors is read or written
// through strides of its own.
#include "Gaudi/Dialect/AttentionOps.h"
#include "Gaudi/Dialect/Convolution.h"
#include "Gaudi/Dialect/MatrixOrders.h"
#include "Layouts.h"

using namespace mlir;
using namespace gaudi;

/// Identities but for the order of one tensor.
static Orders onlyWith(Operation *op, unsigned tensor,
                       ArrayRef<int64_t> order) {
  Orders orders = identityOrders(op);
  orders[tensor] = Order(order);
  return orders;
}

/// The layout of a tensor with `layout` that is then stored in `order`.
static std::string storedLayout(StringRef layout, ArrayRef<int64_t> order) {
  std::string stored;
  for (int64_t dim : order)
    stored += layout[dim];
  return stored;
}

/// The stored tensor's dimension of more than one element that is innermost,
/// as a dimension of `type`; -1 if it has one element.
static int64_t innermost(RankedTensorType type, ArrayRef<int64_t> order) {
  for (int64_t dim : llvm::reverse(order))
    if (type.getDimSize(dim) != 1)
      return dim;
  return -1;
}

/// The engine reads and writes rows of the fastest dimension: one of the
/// matrices', `inRows`, unless they have one element.
static bool hasRows(RankedTensorType type, ArrayRef<int64_t> order,
                    llvm::function_ref<bool(int64_t)> inRows) {
  const int64_t inner = innermost(type, order);
  if (inner < 0 || inRows(inner) || isFreeOrder(type.getShape(), order))
    return true;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (inRows(dim) && size != 1)
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {
struct GemmLayout : LayoutOpInterface::ExternalModel<GemmLayout, GemmOp> {
  bool hasIndependentOrders(Operation *) const { return true; }

  std::optional<Orders> getOrdersWith(Operation *op, unsigned tensor,
                                      ArrayRef<int64_t> order) const {
    Orders orders = onlyWith(op, tensor, order);
    return acceptsOrders(op, orders) ? std::optional(std::move(orders))
                                     : std::nullopt;
  }

  bool acceptsOrders(Operation *op, const Orders &orders) const {
    auto gemm = cast<GemmOp>(op);
    const int64_t rank = gemm.getType().getRank();
    for (auto [tensor, order] : llvm::enumerate(orders)) {
      const Order storage = storageOf(gemm, tensor);
      if (!hasRows(typeOfTensor(op, tensor), order,
                   [&](int64_t dim) { return storage[dim] >= rank - 2; }))
        return false;
    }
    return true;
  }

  void applyOrders(Operation *op, const Orders &orders) const {
    auto gemm = cast<GemmOp>(op);
    SmallVector<Order, 3> storage;
    for (auto [tensor, order] : llvm::enumerate(orders))
      storage.push_back(composeOrders(storageOf(gemm, tensor), order));
    setStoredResults(op, orders);
    setStorage(gemm, storage);
  }
};

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// N, the spatial dimensions in order, C: what the engine walks at full speed.
bool isChannelsLast(StringRef layout, ArrayRef<int64_t> shape) {
  const std::string native =
      ("N" + spatialLetters(layout.size() - 2) + "C").str();
  size_t at = 0;
  for (auto [letter, size] : llvm::zip_equal(layout, shape)) {
    if (size == 1)
      continue;
    const size_t place = native.find(letter);
    if (place < at)
      return false;
    at = place;
  }
  return true;
}

/// A convolution or one of its gradients. Filters have any order: the engine
/// reorders them in any case.
struct ConvLayout
    : LayoutOpInterface::ExternalModel<ConvLayout, LayoutOpInterface> {
  using Role = Convolution::Role;

  bool hasIndependentOrders(Operation *) const { return true; }

  std::optional<Orders> getOrdersWith(Operation *op, unsigned tensor,
                                      ArrayRef<int64_t> order) const {
    const Convolution conv = *Convolution::of(op);
    if (!accepts(conv, tensor, order))
      return std::nullopt;
    Orders orders = onlyWith(op, tensor, order);
    for (unsigned other : {0, 1, 2})
      if (Order native = nativeOrder(conv, other);
          other != tensor && !native.empty())
        orders[other] = std::move(native);
    return orders;
  }

  bool acceptsOrders(Operation *op, const Orders &orders) const {
    const Convolution conv = *Convolution::of(op);
    for (auto [tensor, order] : llvm::enumerate(orders))
      if (!accepts(conv, tensor, order))
        return false;
    return true;
  }

  void applyOrders(Operation *op, const Orders &orders) const {
    const Convolution conv = *Convolution::of(op);
    for (auto [name, role] : {std::pair("input_layout", Role::X),
                              std::pair("filter_layout", Role::W),
                              std::pair("output_layout", Role::Y)}) {
      const unsigned tensor = kernel::placeOf(conv.kind, role);
      op->setAttr(name, StringAttr::get(op->getContext(),
                                        storedLayout(conv.at(tensor).layout,
                                                     orders[tensor])));
    }
    setStoredResults(op, orders);
  }

  Order getNativeOrder(Operation *op, unsigned tensor) const {
    return nativeOrder(*Convolution::of(op), tensor);
  }

private:
  static bool isFilter(const Convolution &conv, unsigned tensor) {
    return kernel::roleOf(conv.kind, tensor) == Role::W;
  }

  static Order nativeOrder(const Convolution &conv, unsigned tensor) {
    const ConvTensor &own = conv.at(tensor);
    if (isFilter(conv, tensor) ||
        isChannelsLast(own.layout, own.type().getShape()))
      return {};
    Order order = {int64_t(own.layout.find('N'))};
    for (char letter : spatialLetters(own.layout.size() - 2))
      order.push_back(own.layout.find(letter));
    order.push_back(own.layout.find('C'));
    return order;
  }

  static bool accepts(const Convolution &conv, unsigned tensor,
                      ArrayRef<int64_t> order) {
    const ConvTensor &own = conv.at(tensor);
    return isFilter(conv, tensor) ||
           isChannelsLast(storedLayout(own.layout, order),
                          storedType(own.type(), order).getShape());
  }
};

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// A tensor of an attention whose dimensions a layout names, and its number.
struct NamedTensor {
  unsigned tensor;
  StringRef layout;
};

/// Masks, statistics and other optional tensors have one form.
SmallVector<NamedTensor> namedTensors(SdpaOp op) {
  return {{0, queryLayoutOf(op)},
          {1, keyLayoutOf(op)},
          {2, valueLayoutOf(op)},
          {op->getNumOperands(), outputLayoutOf(op)}};
}

/// Gradients have the layouts of what they are gradients of.
SmallVector<NamedTensor> namedTensors(SdpaGradOp op) {
  const unsigned results = op->getNumOperands();
  SmallVector<NamedTensor> tensors = {
      {0, outputLayoutOf(op)},
      {1, queryLayoutOf(op)},
      {2, keyLayoutOf(op)},
      {3, valueLayoutOf(op)},
      {results, queryLayoutOf(op)},
      {results + 1, keyLayoutOf(op)},
      {results + 2, valueLayoutOf(op)},
  };
  if (op.getOutput())
    tensors.push_back(
        {op.getOutputMutable()[0].getOperandNumber(), outputLayoutOf(op)});
  return tensors;
}

/// The tensors that have one layout with `tensor`.
SmallVector<unsigned> sharing(SdpaOp, unsigned tensor) { return {tensor}; }
SmallVector<unsigned> sharing(SdpaGradOp op, unsigned tensor) {
  const unsigned results = op->getNumOperands();
  const bool isGrad = tensor >= results;
  const unsigned given = isGrad ? tensor - results + 1 : tensor;
  if (given >= 1 && given <= 3)
    return {given, results + given - 1};
  if (!op.getOutput())
    return {tensor};
  // Of dO and of the output.
  return {0, op.getOutputMutable()[0].getOperandNumber()};
}

template <typename Op>
struct AttentionLayout
    : LayoutOpInterface::ExternalModel<AttentionLayout<Op>, Op> {
  bool hasIndependentOrders(Operation *) const { return true; }

  std::optional<Orders> getOrdersWith(Operation *op, unsigned tensor,
                                      ArrayRef<int64_t> order) const {
    Orders orders = identityOrders(op);
    // Of a mask or a statistic, dimensions of size 1 have no place.
    if (!isNamed(op, tensor))
      return isFreeOrder(typeOfTensor(op, tensor).getShape(), order)
                 ? std::optional(std::move(orders))
                 : std::nullopt;
    for (unsigned number : sharing(cast<Op>(op), tensor))
      orders[number] = Order(order);
    return acceptsOrders(op, orders) ? std::optional(std::move(orders))
                                     : std::nullopt;
  }

  bool acceptsOrders(Operation *op, const Orders &orders) const {
    for (const NamedTensor &named : namedTensors(cast<Op>(op))) {
      const Order &order = orders[named.tensor];
      if (!hasRows(typeOfTensor(op, named.tensor), order, [&](int64_t dim) {
            return named.layout[dim] == 'L' || named.layout[dim] == 'D';
          }))
        return false;
      for (unsigned other : sharing(cast<Op>(op), named.tensor))
        if (orders[other] != order)
          return false;
    }
    for (auto [tensor, order] : llvm::enumerate(orders))
      if (!isIdentityOrder(order) && !isNamed(op, tensor))
        return false;
    return true;
  }

  void applyOrders(Operation *op, const Orders &orders) const {
    auto attention = cast<Op>(op);
    constexpr bool isGrad = std::is_same_v<Op, SdpaGradOp>;
    const unsigned query = isGrad ? 1 : 0;
    const Order &output = orders[isGrad ? 0 : op->getNumOperands()];
    // The canonical layout goes without saying.
    auto stored = [&](StringRef layout, ArrayRef<int64_t> order) {
      const std::string text = storedLayout(layout, order);
      return text == canonicalAttentionLayout(order.size())
                 ? StringAttr()
                 : StringAttr::get(op->getContext(), text);
    };
    const StringAttr layouts[] = {
        stored(queryLayoutOf(attention), orders[query]),
        stored(keyLayoutOf(attention), orders[query + 1]),
        stored(valueLayoutOf(attention), orders[query + 2]),
        stored(outputLayoutOf(attention), output)};
    attention.setQueryLayoutAttr(layouts[0]);
    attention.setKeyLayoutAttr(layouts[1]);
    attention.setValueLayoutAttr(layouts[2]);
    attention.setOutputLayoutAttr(layouts[3]);
    setStoredResults(op, orders);
  }

private:
  static bool isNamed(Operation *op, unsigned tensor) {
    return llvm::any_of(
        namedTensors(cast<Op>(op)),
        [&](const NamedTensor &named) { return named.tensor == tensor; });
  }
};
} // namespace

void gaudi::attachMatrixLayouts(MLIRContext &context) {
  GemmOp::attachInterface<GemmLayout>(context);
  attachToConvolutions<ConvLayout>(context);
  SdpaOp::attachInterface<AttentionLayout<SdpaOp>>(context);
  SdpaGradOp::attachInterface<AttentionLayout<SdpaGradOp>>(context);
}
