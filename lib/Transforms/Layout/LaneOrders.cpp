// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of kernels that sum products.
//
// The vector engine has its lanes along a dimension in which a tensor is
// contiguous. A product has two operands, so there are two choices: dimensions
// of the one or of the other. A convolution that is written channels first has
// rows of the image along the lanes, 7 or 14 elements in deep layers, and one
// that has its filters' dimensions there has as many as channels.
#include "LaneOrders.h"
#include "LayoutGraph.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace gaudi;

namespace {
/// A kernel with one loop that adds up products of two tensors.
struct ProductKernel {
  SmallVector<AffineMap, 4> maps;  ///< by tensor
  std::array<unsigned, 2> factors; ///< tensors
  SmallVector<unsigned> rows; ///< parallel dimensions, as the result has them
  llvm::SmallBitVector inWindows; ///< dimensions that an entry adds to others
};
} // namespace

/// The loop of a kernel that has no other one and adds up one value.
static KernelLoopOp sumOf(KernelOp kernel) {
  KernelLoopOp sum;
  for (auto loop : kernel.getBody().getOps<KernelLoopOp>()) {
    if (sum || loop.getReduce().size() != 1 ||
        loop.getReduceKind(0) != KernelReduce::Add)
      return {};
    sum = loop;
  }
  return sum;
}

/// Where the kernel reads or writes a tensor, if that is one place; null else.
static AffineMap mapOf(BlockArgument tensor) {
  AffineMap map;
  for (Operation *user : tensor.getUsers()) {
    auto load = dyn_cast<KernelLoadOp>(user);
    const AffineMap here =
        load ? load.getMap() : cast<KernelStoreOp>(user).getMap();
    if ((map && map != here) || (load && !load.getIndices().empty()))
      return {};
    map = here;
  }
  return map;
}

/// The dimension that an entry is, if it is nothing else.
static std::optional<unsigned> plainDim(AffineExpr entry) {
  if (auto dim = dyn_cast<AffineDimExpr>(entry))
    return dim.getPosition();
  return std::nullopt;
}

static std::optional<ProductKernel> productOf(KernelOp kernel) {
  KernelLoopOp sum = sumOf(kernel);
  if (!sum)
    return std::nullopt;
  const ArrayRef<int64_t> extents = kernel.getIndexSpace();
  ProductKernel product;
  product.inWindows.resize(extents.size());
  unsigned factors = 0;
  for (auto [number, tensor] :
       llvm::enumerate(kernel.getBody().getArguments())) {
    const AffineMap map = mapOf(tensor);
    if (!map)
      return std::nullopt;
    product.maps.push_back(map);
    // An entry that is no plain dimension is a window: its dimensions have no
    // order of their own.
    for (AffineExpr entry : map.getResults())
      for (unsigned dim = 0; dim < extents.size(); ++dim)
        if (!plainDim(entry) && entry.isFunctionOfDim(dim))
          product.inWindows.set(dim);
    // Zero points, which are read in the loop, do not vary there.
    if (llvm::none_of(sum.getDims(), [&](int64_t dim) {
          return map.isFunctionOfDim(unsigned(dim));
        }))
      continue;
    // Three operands that vary in the sum: no product of two.
    if (factors == product.factors.size())
      return std::nullopt;
    product.factors[factors++] = unsigned(number);
  }
  // The second factor must be an input, not the result.
  if (factors != product.factors.size() ||
      product.factors[1] >= kernel.getInputs().size())
    return std::nullopt;
  const AffineMap result = product.maps.back();
  // Rows are the dimensions of the result, those that may be in lanes.
  for (AffineExpr entry : result.getResults())
    if (const auto dim = plainDim(entry); dim && extents[*dim] != 1)
      product.rows.push_back(*dim);
    else if (!isa<AffineConstantExpr>(entry) && !dim)
      return std::nullopt;
  return product;
}

static bool isConstant(KernelOp kernel, unsigned tensor) {
  return isa_and_nonnull<ConstantOp>(
      layout::joinedFrom(kernel.getInputs()[tensor]).getDefiningOp());
}

/// True if an entry adds up several dimensions, as the image of a convolution
/// is read.
static bool hasWindow(AffineMap map) {
  return llvm::any_of(map.getResults(), [&](AffineExpr entry) {
    unsigned dims = 0;
    for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
      dims += entry.isFunctionOfDim(dim);
    return dims > 1;
  });
}

/// The parallel dimensions that a factor has, as the result has them; nothing
/// if a window moves along one: no order makes it contiguous along that alone.
static std::optional<SmallVector<unsigned>>
columnsOf(const ProductKernel &product, AffineMap factor) {
  SmallVector<unsigned> columns;
  for (unsigned dim : product.rows) {
    if (!factor.isFunctionOfDim(dim))
      continue;
    if (llvm::none_of(factor.getResults(),
                      [&](AffineExpr entry) { return plainDim(entry) == dim; }))
      return std::nullopt;
    columns.push_back(dim);
  }
  return columns;
}

/// The kernel's dimensions with `columns` innermost, and around them what is
/// added up, channels inside windows. In the factor that is no weight these
/// are innermost, and columns, which are groups of channels there, around them:
/// products of one point read a row.
static SmallVector<unsigned> sequenceOf(KernelOp kernel,
                                        const ProductKernel &product,
                                        ArrayRef<unsigned> columns,
                                        bool isWeight) {
  SmallVector<unsigned> sequence;
  for (unsigned dim : product.rows)
    if (!llvm::is_contained(columns, dim))
      sequence.push_back(dim);
  for (bool inWindow : {true, false}) {
    if (!isWeight && !inWindow)
      llvm::append_range(sequence, columns);
    for (auto [dim, isParallel] : llvm::enumerate(kernel.getParallel()))
      if (!isParallel && product.inWindows.test(dim) == inWindow)
        sequence.push_back(unsigned(dim));
  }
  if (isWeight)
    llvm::append_range(sequence, columns);
  return sequence;
}

/// The order of a tensor whose dimensions follow each other as those of the
/// kernel do in `sequence`; of an entry that adds up several the first counts,
/// and constant ones go before all.
static Order orderAlong(AffineMap map, ArrayRef<unsigned> sequence) {
  SmallVector<size_t> keys;
  for (AffineExpr entry : map.getResults()) {
    const auto *found = llvm::find_if(
        sequence, [&](unsigned dim) { return entry.isFunctionOfDim(dim); });
    keys.push_back(found == sequence.end() ? 0 : found - sequence.begin() + 1);
  }
  Order order = identityOrder(map.getNumResults());
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
  });
  return order;
}

SmallVector<Orders, 2> layout::laneOrders(KernelOp kernel) {
  SmallVector<Orders, 2> answers;
  const std::optional<ProductKernel> product = productOf(kernel);
  if (!product || product->rows.empty())
    return answers;
  for (unsigned i : {0, 1}) {
    const unsigned factor = product->factors[i];
    // Weights: others would have to be reordered for it in each launch.
    if (!isConstant(kernel, factor) &&
        !hasWindow(product->maps[product->factors[1 - i]]))
      continue;
    auto columns = columnsOf(*product, product->maps[factor]);
    if (!columns || columns->empty())
      continue;
    // Where the result has the factor's dimensions innermost, it stays.
    if (columns->back() == product->rows.back()) {
      size_t kept = 0;
      while (kept < columns->size() &&
             (*columns)[columns->size() - 1 - kept] ==
                 product->rows[product->rows.size() - 1 - kept])
        ++kept;
      columns->erase(columns->begin(), columns->end() - kept);
    }
    Orders &orders = answers.emplace_back();
    for (auto [tensor, map] : llvm::enumerate(product->maps))
      orders.push_back(
          orderAlong(map, sequenceOf(kernel, *product, *columns,
                                     tensor != product->factors[1 - i])));
  }
  return answers;
}
